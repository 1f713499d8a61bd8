"""Compiled code, or NumPy: fixed for a whole study, because the two differ in the last bits.

A robot that is made for a few rows is cheaper to evaluate with NumPy: its equations are traced, not compiled.
The choice depends on the study alone, never on how its rows are put together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Literal

from armdyn.native.setting import left_to_numpy
from armdyn.sweep.quantities.meanings import Meaning
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.study import Study

Engine = Literal["native", "numpy"]
ENGINES: tuple[Engine, ...] = ("native", "numpy")
WORTH_COMPILING = 3000
"""Rows of one robot from which on compiling pays: `benchmarks/sweep.py` measures it."""


def engine_of(study: Study, varying: Sequence[Meaning], options: Options) -> Engine:
    """What evaluates the states of a study: the option `engine`, or what is cheaper."""
    asked: Engine | None = options.text("engine", None, ENGINES)
    if asked is not None:
        return asked
    return "numpy" if varying and rows_each(study, varying) < WORTH_COMPILING else "native"


def rows_each(study: Study, varying: Sequence[Meaning]) -> float:
    """How many rows of a study have the same robot."""
    named = {one.axis for one in varying}
    axes = [axis for axis in study.axes if axis.name in named]
    grid = study.design.kind == "grid"
    robots = math.prod(axis.size if grid or axis.values is not None else study.total for axis in axes)
    return study.total / min(robots, study.total)


def evaluated_by(engine: Engine) -> AbstractContextManager[None]:
    """Inside, states are evaluated so."""
    return left_to_numpy() if engine == "numpy" else nullcontext()
