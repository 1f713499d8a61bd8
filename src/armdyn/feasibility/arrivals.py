"""When the moves of a plan have been achieved.

A move has been achieved at its programmed end if the arm is on the programmed motion (every joint within
1e-4 rad or m) at the last sample until then; otherwise when the arm comes that near to the end or, where the
motion goes on without stopping, is back on the programmed motion.

So a lag that begins at the end itself, as at the corners of a path, belongs to the next move, whatever the
cycle. An arm that is back on the programmed motion, or has achieved a later move, without having come to a
stop that lies behind has missed it: that move is never achieved.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from armdyn.motion.planned import Plan, PlannedMove
from armdyn.scalars import Array

ARRIVED = 1e-4
"""[rad or m]"""
ON_GRID = 1e-9
"""What an end on a sample may be off it by rounding, in cycles."""


def arrivals(plan: Plan, q: Array) -> list[float | None]:
    """When each move has been achieved by the motion q (t, n), which may outlast the plan [s]; or never."""
    held = np.concatenate([plan.q, np.repeat(plan.q[-1:], max(len(q) - len(plan.q), 0), axis=0)])
    on_time = np.flatnonzero(np.abs(q - held).max(axis=1) <= ARRIVED)
    return _in_order(plan.moves, [_arrival(plan.cycle, move, q, on_time) for move in plan.moves])


def _arrival(cycle: float, move: PlannedMove, q: Array, on_time: NDArray[np.intp]) -> float | None:
    """When one move has been achieved by itself; `on_time` are the samples on the programmed motion."""
    due = min(math.floor(move.end / cycle + ON_GRID), len(q) - 1)
    later = on_time[np.searchsorted(on_time, due) :]
    back = int(later[0]) if len(later) else None
    if back == due:
        return move.end
    reached = _reached(q[due : None if back is None else back + 1], np.asarray(move.q_end))
    if reached is not None:
        return max(move.end, (due + reached) * cycle)
    return None if move.stops or back is None else back * cycle


def _reached(q: Array, end: Array) -> float | None:
    """Where the motion q (t, n), straight between samples, first comes near to the end [samples]."""
    step = np.diff(q, axis=0, append=q[-1:])
    away = end - q
    length = np.einsum("tj,tj->t", step, step)
    along = np.einsum("tj,tj->t", step, away)
    share = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0.0, 1.0)
    near = np.abs(away - share[:, None] * step).max(axis=1) <= ARRIVED
    k = int(np.argmax(near))
    return k + float(share[k]) if near[k] else None


def _in_order(moves: Sequence[PlannedMove], times: list[float | None]) -> list[float | None]:
    """What has not been achieved before a later move: a stop was missed, a passed end is behind by then."""
    later: float | None = None
    for k in reversed(range(len(times))):
        time = times[k]
        if later is not None and (time is None or time > later):
            times[k] = None if moves[k].stops else later
        elif time is not None:
            later = time
    return times
