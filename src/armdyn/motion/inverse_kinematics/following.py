"""Continuous motions along poses."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from armdyn.motion.inverse_kinematics.closed_form import ClosedForm
from armdyn.motion.inverse_kinematics.numerical import Search
from armdyn.motion.inverse_kinematics.turns import Turns
from armdyn.scalars import Array

LEAP = 0.5
"""A joint that moves farther [rad or m] from one pose to the next may have left its branch,"""
GROWTH, SLACK = 3.0, 0.02
"""and so may one that moves that much farther than the time before. (At a fold, where two solutions meet,
steps grow by at most 1 + sqrt 2.)"""
SMOOTH = (1.5, 1e-3)
"""Growth and slack of steps where a motion goes straight on from a branch that ends into another."""
SEEDS = 32
"""From which the first posture of an arm without a closed form is looked for."""
LOOK_AHEAD = 16
"""Poses to be solved at once behind such a place; doubled as long as the branch holds."""


@dataclass(frozen=True)
class Followed:
    """A motion along poses."""

    q: Array
    """(t, n) joint positions [rad or m]; NaN from the first pose on that has no solution"""
    lost: int | None
    """The first pose that has no solution on this branch, counted from 0"""
    _conditioning: Callable[[Array, float], Array] = field(repr=False, compare=False)

    @cached_property
    def singularity(self) -> Array:
        """(t) smallest over largest singular value of the Jacobian; NaN where the motion is lost.

        Lengths are divided by the reach of the arm. 0 in a singularity; computed when first asked for.
        """
        return self.near_singular(math.inf)

    def near_singular(self, near: float) -> Array:
        """(t) the same where it is below `near`, and at least that elsewhere: found sooner."""
        ratio = np.full(len(self.q), np.nan)
        ratio[: self.lost] = self._conditioning(self.q[: self.lost], near)
        return ratio


def follow_branch(closed: ClosedForm, turns: Turns, poses: Array, start: Array) -> tuple[Array, int | None]:
    """The branch nearest `start` along the poses: (t, n), and where it is lost.

    One branch is solved for all poses; where it leaps, the solution nearest to the last posture goes
    on: through a wrist's singularity the flip changes, the motion does not.
    """
    q = np.full((len(poses), len(start)), np.nan)
    i, count, branch = 0, len(poses), -1
    while i < len(poses):
        previous = start if i == 0 else q[i - 1]
        candidates = closed.all(poses[i], previous)
        apart = turns.apart(candidates, previous)
        nearest = int(np.argmin(apart))
        if np.isinf(apart[nearest]) or (i > 0 and _left(closed, turns, q[:i], candidates, branch, nearest)):
            return q, i
        branch = nearest
        count, solved = _steady(closed, turns, poses[i : i + count], branch, previous, candidates[branch])
        q[i : i + len(solved)] = solved
        i += len(solved)
    return q, None


def _left(closed: ClosedForm, turns: Turns, q: Array, candidates: Array, branch: int, nearest: int) -> bool:
    """Whether the branch has ended, and the nearest solution does not go on where it was going."""
    if closed.labelled and not np.isnan(candidates[branch, 0]):
        return False
    if len(q) == 1:
        return bool(turns.apart(candidates[nearest], q[-1]) > LEAP)
    joints = slice(None) if closed.labelled else slice(0, 3)  # roots have no names: a leap of the arm tells
    growth, slack = SMOOTH if closed.labelled else (GROWTH, SLACK)
    step = np.abs(turns.beside(candidates[nearest], q[-1]) - q[-1])[joints].max()
    return bool(step > growth * np.abs(q[-1] - q[-2])[joints].max() + slack)


def _steady(
    closed: ClosedForm, turns: Turns, poses: Array, branch: int, start: Array, first: Array
) -> tuple[int, Array]:
    """The branch as far as it goes in small steps, and how many poses to try next."""
    solved = closed.along(poses, branch, start)
    solved[0] = first
    solved = turns.unwound(solved, start)
    steps = np.abs(np.diff(solved, axis=0)).max(axis=-1)
    small = steps <= LEAP
    small[1:] &= steps[1:] <= GROWTH * steps[:-1] + SLACK
    if small.all():
        return 2 * len(poses), solved
    return LOOK_AHEAD, solved[: int(np.argmin(small)) + 1]


def follow_numerically(search: Search, poses: Array, start: Array) -> tuple[Array, int | None]:
    """A motion by Newton steps from each posture to the next: (t, n), and where it is lost.

    An arm with joints to spare takes steps of least norm; any other first guesses that it moves on as before.
    """
    q = np.full((len(poses), len(start)), np.nan)
    farthest = np.inf  # the first posture may be anywhere
    for i, pose in enumerate(poses):
        if np.isnan(pose).any():
            return q, i
        previous = start if i == 0 else q[i - 1]
        ahead = 2 * previous - q[i - 2] if i > 1 and not search.redundant else previous
        found = search.near(pose, ahead)
        if found is None or np.abs(found - previous).max() > LEAP:
            seeds = search.seeds(SEEDS) if i == 0 else _around(search, previous)
            found = _carefully(search, pose, previous, seeds)
        if found is None or (step := float(np.abs(found - previous).max())) > farthest:
            return q, i
        q[i] = found
        farthest = max(LEAP, GROWTH * step) if i > 0 else np.inf
    return q, None


def _carefully(search: Search, pose: Array, previous: Array, seeds: Array) -> Array | None:
    """The nearest of the solutions to which damped steps lead from the previous posture and from seeds."""
    found = search.solutions(pose, np.vstack([previous, seeds]))
    if not len(found):
        return None
    nearest = found[int(np.argmin(search.turns.apart(found, previous)))]
    return search.turns.beside(nearest, previous)


def _around(search: Search, q: Array) -> Array:
    """Seeds about a posture, the same in every run."""
    return q + np.random.default_rng(2).uniform(-LEAP, LEAP, (7, len(q))) * search.units
