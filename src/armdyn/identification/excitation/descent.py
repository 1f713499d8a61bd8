"""Downhill with a memory: L-BFGS with a line search that takes infinity for a wall."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armdyn.scalars import Array

MEMORY = 20
"""Steps of which the curvature is remembered."""
ENOUGH = 1e-4
"""Of what the slope promises that a step must gain (Armijo)."""
HALVINGS = 25
"""Of a step, until there is nothing to be gained."""
LONGEST = 0.5
"""A step changes no variable by more; a variable of size 1 alone uses a joint's limits in full."""


@dataclass(frozen=True, eq=False)
class Step:
    """Where a descent is."""

    number: int
    x: Array
    value: float


def descend(
    value: Callable[[Array], float],
    gradient: Callable[[Array], Array],
    x: Array,
    steps: int,
    gain: float,
    seen: Callable[[Step], bool],
) -> Step:
    """Go downhill from x, where the value is finite.

    Args:
        value: what is minimised; inf where x must not be.
        gradient: its derivatives (m).
        x: (m) where to start.
        steps: at most so many.
        gain: enough is done when ten steps gain less than this together.
        seen: told of each step; True ends the descent.
    """
    here, slope = value(x), gradient(x)
    changes: list[tuple[Array, Array]] = []
    track = [here]
    for k in range(steps):
        way = -_curved(slope, changes)
        if way @ slope >= 0:
            changes, way = [], -slope
        new = _searched(value, x, here, way, float(way @ slope))
        if new is None:
            if not changes:
                break
            changes = []  # the memory is of another valley
            continue
        slope_there = gradient(new[0])
        _remember(changes, new[0] - x, slope_there - slope)
        (x, here), slope = new, slope_there
        track.append(here)
        if seen(Step(k + 1, x, here)) or (len(track) > 10 and track[-11] - here < gain):
            break
    return Step(len(track) - 1, x, here)


def _searched(
    value: Callable[[Array], float], x: Array, here: float, way: Array, slope: float
) -> tuple[Array, float] | None:
    """The first halving of the way that gains enough, None if none does."""
    share = min(1.0, LONGEST / float(np.abs(way).max(initial=1e-300)))
    for _ in range(HALVINGS):
        there = x + share * way
        found = value(there)
        if found <= here + ENOUGH * share * slope:
            return there, found
        share *= 0.5
    return None


def _remember(changes: list[tuple[Array, Array]], moved: Array, bent: Array) -> None:
    """Keep a step's curvature if it is one: positive."""
    if moved @ bent > 1e-10 * float(np.linalg.norm(moved) * np.linalg.norm(bent)):
        changes.append((moved, bent))
        del changes[:-MEMORY]


def _curved(slope: Array, changes: list[tuple[Array, Array]]) -> Array:
    """H^-1 slope by the two loops of L-BFGS (Nocedal and Wright, Algorithm 7.4)."""
    way, shares = slope.copy(), list[float]()
    for s, y in reversed(changes):
        shares.append(float(s @ way) / float(s @ y))
        way -= shares[-1] * y
    if changes:
        s, y = changes[-1]
        way *= float(s @ y) / float(y @ y)
    for (s, y), share in zip(changes, reversed(shares), strict=True):
        way += (share - float(y @ way) / float(s @ y)) * s
    return way
