"""Postures found by damped Newton steps (Levenberg, Marquardt), from many seeds at once.

Lengths are divided by the arm's reach, so that metres and radians weigh alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.motion.inverse_kinematics.geometry import reach
from armdyn.motion.inverse_kinematics.polish import EXACT, damped_step, deviation, twist_to
from armdyn.motion.inverse_kinematics.turns import Turns
from armdyn.motion.vectors import cross
from armdyn.scalars import Array

CONVERGED = 1e-12
"""The largest difference from the pose of what counts as a solution."""
ROUNDS = 100
DAMPING = 1e-2
HOPELESS = 1e8
"""A damping above this means that no step makes the error smaller."""

Residual = Callable[[Array], tuple[Array, Array]]
"""Of postures (m, n): what is missing (m, k), and how the posture changes it (m, k, n)."""


@dataclass(frozen=True)
class Search:
    """The numerical solver of one arm."""

    dynamics: Dynamics
    turns: Turns
    point: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Where the arm is asked to be when orientation does not count, in the tool's frame [m]"""

    @cached_property
    def length(self) -> float:
        """Reach of the arm [m]."""
        return reach(self.dynamics.robot)

    @cached_property
    def rank(self) -> int:
        """In how many independent ways the tool can move, 6 at most."""
        rng = np.random.default_rng(1)
        s = np.linalg.svd(self.scaled(rng.uniform(-1, 1, (8, self.dynamics.n))), compute_uv=False)
        return int((s > 1e-9 * s[:, :1]).sum(axis=-1).max())

    @cached_property
    def redundant(self) -> bool:
        """Whether the arm can move with its tool at rest."""
        return self.rank < self.dynamics.n

    @cached_property
    def _weights(self) -> Array:
        return np.array([1 / self.length] * 3 + [1.0] * 3)

    @cached_property
    def units(self) -> Array:
        """(n) what one unit of each joint is: 1 rad, or the reach [m]."""
        return np.where(self.turns.turning, 1.0, self.length)

    def scaled(self, q: Array) -> Array:
        """The Jacobian with all lengths divided by the reach: (..., 6, n)."""
        return self.dynamics.jacobian(q) * self._weights[:, None] * self.units

    def conditioning(self, q: Array, near: float = math.inf) -> Array:
        """Smallest over largest singular value (t) of the scaled Jacobian, but for those always 0.

        Exact where it is below `near`; elsewhere it may be less than that, though not below `near`.
        """
        J = self.scaled(q)
        ratio = _least_ratio(J) if near < math.inf and self.dynamics.n == self.rank == 6 else np.zeros(len(q))
        unclear = ratio <= near
        s = np.linalg.svd(J[unclear], compute_uv=False)
        ratio[unclear] = s[..., self.rank - 1] / s[..., 0]
        return ratio

    def residual(self, pose: Array) -> Residual:
        """What is missing to a pose."""

        def missing(q: Array) -> tuple[Array, Array]:
            return twist_to(pose, self.dynamics.pose(q)) * self._weights, self.scaled(q)

        return missing

    def place_residual(self, place: Array) -> Residual:
        """What is missing to a place (3) of the point, in any orientation."""

        def missing(q: Array) -> tuple[Array, Array]:
            T, J = self.dynamics.pose(q), self.scaled(q)
            arm = T[..., :3, :3] @ np.array(self.point)
            carried = -cross(arm[..., None, :] / self.length, np.swapaxes(J[..., 3:, :], -1, -2))
            error = (place - T[..., :3, 3] - arm) / self.length
            return error, J[..., :3, :] + np.swapaxes(carried, -1, -2)

        return missing

    def seeds(self, count: int) -> Array:
        """(count, n) postures spread over the range of every joint, the same in every run."""
        rng = np.random.default_rng(0)
        lower, upper = self.turns.range(self.length)
        return rng.uniform(lower, upper, (count, self.dynamics.n))

    def solutions(self, pose: Array, seeds: Array, *, inside: bool = False) -> Array:
        """(k, n) postures with the tool at a pose (4, 4), each once; not every seed leads to one."""
        q, _ = self.minimise(self.residual(pose), seeds, inside=inside)
        q = q[deviation(pose, self.dynamics.pose(q)) < CONVERGED]
        return self.turns.distinct(self.turns.principal(q) if not inside else q)

    def minimise(self, residual: Residual, seeds: Array, *, inside: bool = False) -> tuple[Array, Array]:
        """From each seed (m, n) to the least of |residual|: postures (m, n) and what is still missing (m)."""
        q = self.turns.clamped(seeds) if inside else seeds.copy()
        error, J = residual(q)
        damping = np.full(len(q), DAMPING)
        for _ in range(ROUNDS):
            cost = np.einsum("mi,mi->m", error, error)
            going = np.flatnonzero((cost > (EXACT / 10) ** 2) & (damping < HOPELESS))
            if not going.size:
                break
            step = damped_step(J[going], error[going], damping[going] * np.minimum(cost[going], 1.0))
            tried = q[going] + step * self.units
            tried = self.turns.clamped(tried) if inside else tried
            error_tried, J_tried = residual(tried)
            better = np.einsum("mi,mi->m", error_tried, error_tried) < cost[going]
            damping[going] = np.where(better, np.maximum(damping[going] / 10, 1e-6), damping[going] * 10)
            taken = going[better]
            q[taken], error[taken], J[taken] = tried[better], error_tried[better], J_tried[better]
        return q, np.linalg.norm(error, axis=-1)

    def near(self, pose: Array, start: Array, rounds: int = 12) -> Array | None:
        """The posture that plain Newton steps reach from `start` (n), if they do: what a motion does next."""
        q = start
        weights, units = self._weights, self.units
        before = np.inf
        for _ in range(rounds):
            error = _twist(pose, self.dynamics.pose(q))
            size = float(np.abs(error).max())
            if size < EXACT or (size < CONVERGED and size >= before):
                return q
            error *= weights
            J = self.dynamics.jacobian(q) * weights[:, None] * units
            step = units * damped_step(J, error, 1e-3 * float(error @ error))
            q = q + step * min(1.0, 0.5 / float(np.abs(step).max() + 1e-300))
            before = size
        return q if float(deviation(pose, self.dynamics.pose(q))) < CONVERGED else None

    def about(self, point: Any) -> Search:
        """The solver with another point to place."""
        x, y, z = (float(e) for e in point)
        return replace(self, point=(x, y, z))


def _least_ratio(J: Array) -> Array:
    """What the smallest over the largest singular value of (t, n, n) is at least.

    The n - 1 largest have at most the product that equal ones of their sum of squares have:
    s_n >= |det J| ((n - 1)/|J|^2)^((n - 1)/2), and s_1 <= |J|, the root of the sum of squares.
    """
    n = J.shape[-1]
    squares = np.einsum("tij,tij->t", J, J)
    others = ((n - 1) / squares) ** ((n - 1) / 2)
    return np.abs(np.linalg.det(J)) * others / np.sqrt(squares)


def _twist(pose: Array, reached: Array) -> Array:
    """`twist_to` of one pair of near poses, without the curve of the logarithm."""
    E = pose[:3, :3] @ reached[:3, :3].T
    x, y, z = pose[:3, 3] - reached[:3, 3]
    return np.array(
        [x, y, z, 0.5 * (E[2, 1] - E[1, 2]), 0.5 * (E[0, 2] - E[2, 0]), 0.5 * (E[1, 0] - E[0, 1])]
    )
