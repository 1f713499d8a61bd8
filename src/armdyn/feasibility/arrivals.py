"""When the moves of a plan have been achieved.

A move has been achieved when every joint is within 1e-4 rad (or m) of its end, and not before its programmed
end. Where the motion goes on without stopping the end is only passed: the move has been achieved when the arm
comes that near to it, or is that near to the programmed motion again.
"""

from __future__ import annotations

import math

import numpy as np

from armdyn.motion.planned import Plan
from armdyn.scalars import Array

ARRIVED = 1e-4
"""[rad or m]"""


def arrivals(plan: Plan, q: Array) -> list[float | None]:
    """When each move has been achieved by the motion q (t, n), which may outlast the plan [s]; or never."""
    held = np.concatenate([plan.q, np.repeat(plan.q[-1:], max(len(q) - len(plan.q), 0), axis=0)])
    on_time = np.abs(q - held).max(axis=1) <= ARRIVED
    found: list[float | None] = []
    for move in plan.moves:
        due = min(math.ceil(move.end / plan.cycle - 1e-9), len(q) - 1)
        k = _first(on_time[due:] | _near(q[due:], np.asarray(move.q_end)))
        found.append(None if k is None else max(move.end, (due + k) * plan.cycle) if k else move.end)
    return _in_order(found)


def _near(q: Array, end: Array) -> Array:
    """(t) whether the straight way from each sample to the next comes within ARRIVED of the end."""
    if not len(q):
        return np.zeros(0, dtype=bool)
    step = np.diff(q, axis=0, append=q[-1:])
    away = end - q
    length = np.einsum("tj,tj->t", step, step)
    along = np.einsum("tj,tj->t", step, away)
    share = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0.0, 1.0)
    return np.abs(away - share[:, None] * step).max(axis=1) <= ARRIVED


def _first(true: Array) -> int | None:
    return int(np.argmax(true)) if true.any() else None


def _in_order(times: list[float | None]) -> list[float | None]:
    """No move is achieved before the one before it."""
    latest = 0.0
    for k, time in enumerate(times):
        if time is not None:
            latest = max(latest, time)
            times[k] = latest
    return times
