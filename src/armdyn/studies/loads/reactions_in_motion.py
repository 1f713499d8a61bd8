"""What joints pass on while the arm moves: looked for over postures, speeds and accelerations at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np

from armdyn.extremes import Bound, Extremes
from armdyn.extremes.climbing import best_of_parts, spread_points
from armdyn.scalars import Array
from armdyn.studies.loads.reactions_parts import Carrying, Part

STARTS = 32
"""States that are followed uphill, each the best of its part of the samples."""
FIRST, LAST = 0.25, 1e-7
"""Steps along each coordinate, as shares of its range: they halve where none leads uphill."""
ROUNDS = 400
"""Steps at most."""

Function = Callable[[Array], Array]


@dataclass(frozen=True)
class Motion:
    """The largest speeds and accelerations of the joints, in either direction."""

    qd: Array
    """(n)"""
    qdd: Array
    """(n)"""

    def document(self) -> dict[str, list[float]]:
        """As JSON has it."""
        return {"velocity": self.qd.tolist(), "acceleration": self.qdd.tolist()}

    def states(self, box: Array) -> Array:
        """(3 n, 2) the box of positions, velocities and accelerations."""
        fastest = np.concatenate((self.qd, self.qdd))
        return np.vstack((box, np.column_stack((-fastest, fastest))))


@dataclass(frozen=True)
class Moving:
    """Extremes, and how the joints move there."""

    extremes: Extremes
    motions: dict[str, Any]
    """`qd_minimum`, `qdd_minimum`, `qd_maximum`, `qdd_maximum`"""


def moving_extremes(carrying: Carrying, box: Array, i: int, part: Part, motion: Motion) -> Moving:
    """The most extreme values found of a part over all postures, speeds and accelerations."""
    n, states = len(box), motion.states(box)
    points = spread_points(states)

    def function(x: Array) -> Array:
        return carrying.in_motion(i, part, *(np.ascontiguousarray(x[..., k : k + n]) for k in (0, n, 2 * n)))

    values = function(points)
    low, x_low = highest(lambda x: -function(x), states, points[best_of_parts(-values, STARTS)])
    high, x_high = highest(function, states, points[best_of_parts(values, STARTS)])
    motions = {
        f"{rate}_{end}": x[first : first + n].tolist()
        for end, x in (("minimum", x_low), ("maximum", x_high))
        for rate, first in (("qd", n), ("qdd", 2 * n))
    }
    found = Extremes(Bound(-low, x_low[:n], -inf, False), Bound(high, x_high[:n], inf, False))
    return Moving(found, motions)


def highest(function: Function, box: Array, starts: Array) -> tuple[float, Array]:
    """The highest value found from starts (s, m) in a box (m, 2), and where: a compass search.

    All starts go together: each looks a step to both sides along every coordinate, and goes to the best of
    these places or, where that is better still, along all coordinates that lead uphill at once.
    """
    width = box[:, 1] - box[:, 0]
    x, value, step = starts, function(starts), np.full(len(starts), FIRST)
    for _ in range(ROUNDS):
        new, there = _stepped(function, box, x, value, step[:, None] * width)
        better = there > value
        x, value = np.where(better[:, None], new, x), np.where(better, there, value)
        step = np.where(better, step, step / 2)
        if step.max() < LAST:
            break
    best = int(np.argmax(value))
    return float(value[best]), x[best]


def _stepped(function: Function, box: Array, x: Array, value: Array, step: Array) -> tuple[Array, Array]:
    """(s, m) the best places a step away, and their values."""
    s, m = x.shape
    moves = np.eye(m) * step[:, None, :]
    beside = np.clip(x[:, None, :] + np.concatenate((moves, -moves), axis=1), *box.T)
    gains = function(beside.reshape(-1, m)).reshape(s, 2, m) - value[:, None, None]
    best = gains.reshape(s, -1).argmax(axis=1)
    side = np.where(gains[:, 0] >= gains[:, 1], 1.0, -1.0) * (gains.max(axis=1) > 0)
    together = np.clip(x + side * step, *box.T)
    single = beside[np.arange(s), best]
    reached = value + gains.reshape(s, -1)[np.arange(s), best]
    combined = function(together)
    farther = combined > reached
    return np.where(farther[:, None], together, single), np.where(farther, combined, reached)
