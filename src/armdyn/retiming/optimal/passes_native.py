"""The two passes compiled: the recursion of `passes_plain`, a thousand times as fast."""

from __future__ import annotations

import numpy as np

from armdyn.native.processor import Processor, host
from armdyn.native.routine import routine
from armdyn.retiming.optimal.passes_problem import Ending, Outcome, Problem
from armdyn.scalars import Array

KINDS = (int, int, *[np.ndarray] * 8, *[float] * 4, np.ndarray, np.ndarray)
"""The arguments of the compiled function, see `passes_code`."""


def solved(problem: Problem, processor: Processor | None = None) -> Outcome:
    """What the passes find; with code for this processor, or for another that this one understands."""
    processor = processor or host()
    n, width = len(problem.step), processor.width
    rows = [_at_least(rows, width) for rows in (problem.a, problem.b, problem.c)]
    m = rows[0].shape[1]
    table, where = np.full((5, n), np.nan), np.zeros(1)
    room = np.zeros((3, -(-(m + 2) // width) * width))
    arrays = (problem.step, problem.ratio, *rows, problem.start_cap, problem.end_cap, table)
    run = routine("passes", _ir, KINDS, processor)
    ends = [float(x) for x in (*problem.start, *problem.end)]
    ending = run(n, m, *arrays, *ends, room, where)
    return Outcome(Ending(ending), int(where[0]), table)


def _at_least(rows: Array, width: int) -> Array:
    """The rows with empty ones after them until there are as many as a vector has lanes."""
    missing = width - rows.shape[1]
    return np.pad(rows, ((0, 0), (0, missing))) if missing > 0 else rows


def _ir(width: int) -> str:
    from armdyn.retiming.optimal.passes_code import module

    return module(width)
