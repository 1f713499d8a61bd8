"""The friction points of an arm in motion: their rates, and how they come to rest."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.mechanics.rubbing import REST
from armdyn.scalars import Array

Flags = NDArray[np.bool_]


class FrictionPoints:
    """The points of an arm whose friction can hold them; states have any leading shape.

    A point moves while the sum of joints that it follows does, whatever ratio its gear has just then: its
    rate here is that of the sum. (A screw that passes its dead centre does not come to rest there.)
    """

    def __init__(self, dyn: Dynamics) -> None:
        """Look which points there are."""
        self.dyn = dyn
        points = dyn.friction_points
        self.dry: Flags = np.array([point.friction.dry for point in points], dtype=bool)
        """(points) which of all friction points can hold"""
        self._nonlinear: Flags = np.array([point.coordinate.law is not None for point in points], dtype=bool)
        self._coupled: Flags = np.array([len(point.coordinate.weights) > 1 for point in points], dtype=bool)
        """(points) which follow several joints"""
        weights = dyn.friction_gradients(np.array(dyn.robot.home)) if points else np.empty((0, dyn.n))
        for k in np.flatnonzero(self._nonlinear):
            weights[k] = 0.0
            for j, weight in points[k].coordinate.weights:
                weights[k, j] = weight
        self._weights = weights
        """(points, n) of the joints in the sum that each point follows; its gradient if that is steady"""

        self.redundant: Flags = self._redundant()
        """(points) which follow joints that others hold without them"""

    def _redundant(self) -> Flags:
        dry = np.flatnonzero(self.dry)
        rank = np.linalg.matrix_rank(self._scaled(dry)) if len(dry) else 0
        found = np.zeros(self.count, dtype=bool)
        for k in dry:
            others = dry[dry != k]
            found[k] = len(others) > 0 and np.linalg.matrix_rank(self._scaled(others)) == rank
        return found

    def _scaled(self, points: NDArray[np.intp]) -> Array:
        """The weights of some points, the largest of each made 1."""
        weights = self._weights[points]
        return weights / np.abs(weights).max(axis=1, keepdims=True)

    @property
    def count(self) -> int:
        """How many friction points there are, those that cannot hold included."""
        return len(self.dry)

    @cached_property
    def _own(self) -> NDArray[np.intp] | None:
        """(points) the joint that each point follows, if every one follows one only."""
        return None if self._coupled.any() else np.abs(self._weights).argmax(axis=1)

    def rates(self, qd: Array) -> Array:
        """(..., points) how fast they move; 0 where all that is left is rounding, or friction cannot hold."""
        if self._own is not None:
            slopes = np.where(self.dry, self._weights[np.arange(self.count), self._own], 0.0)
            return np.take(qd, self._own, axis=-1) * slopes
        rates: Any = qd @ self._weights.T
        cancelling: Any = np.abs(qd) @ np.abs(self._weights).T
        still = ~self.dry | (self._coupled & (np.abs(rates) <= REST * cancelling))
        return np.where(still, 0.0, rates)

    def ways(self, qd: Array, qdd: Array) -> Array:
        """(..., points) 1 or -1 for what moves so or is about to, 0 for what stays at rest."""
        rates = self.rates(qd)
        return np.sign(np.where(rates != 0, rates, self.rates(qdd)))

    def hold(self, qdd: Array, ways: Array) -> Array:
        """Accelerations or velocities (..., n), exactly 0 for joints that points with way 0 hold together."""
        sticking: Any = self.dry & (ways == 0)
        if not sticking.any():
            return qdd
        rows, flags = qdd.reshape((-1, qdd.shape[-1])), sticking.reshape((-1, self.count))
        if self._own is not None:
            for k in np.flatnonzero(flags.any(axis=0)):
                rows[flags[:, k], self._own[k]] = 0.0
            return rows.reshape(qdd.shape)
        for pattern in np.unique(flags, axis=0):
            held = self.dyn.held_joints(np.flatnonzero(pattern).tolist())
            rows[np.ix_((flags == pattern).all(axis=-1), held)] = 0.0
        return rows.reshape(qdd.shape)

    def shaft_ways(self, q: Array, ways: Array) -> Array:
        """(..., points) the ways of the points' own coordinates, from those of the sums, or back again.

        Beyond its dead centre a screw turns the other way.
        """
        if not self._nonlinear.any():
            return ways
        slopes = (self.dyn.friction_gradients(q) * self._weights).sum(axis=-1)
        return np.where(self._nonlinear & (slopes < 0), -ways, ways)

    def power(self, q: Array, qd: Array, taken: Array) -> Array:
        """(...) what friction takes [W], of what each point takes (..., points)."""
        if not self._nonlinear.any():
            return (taken * (qd @ self._weights.T)).sum(axis=-1)
        rates: Any = (self.dyn.friction_gradients(q) @ qd[..., None])[..., 0]
        return (taken * rates).sum(axis=-1)

    def stopped(self, q: Array, qd: Array, stopping: Flags, added: Array | None = None) -> Array:
        """The velocities after the points that are to stop have done so at once.

        Joints that they hold stand exactly still. `added` are inertias that the arm has besides.
        """
        ways = np.where(stopping, 0.0, 1.0)
        return self.hold(self.dyn.stopped_velocity(q, qd, ways, added=added), ways)


def captured(
    points: FrictionPoints, before: Array, q: Array, qd: Array, added: Array | None = None
) -> tuple[Array, Array]:
    """Velocities after a step, and the points' rates then: what has turned round within it comes to rest.

    A step does not see where within it a point stops. One whose rate has another sign than `before`
    (..., points) is at rest at the end of the step; the next one decides whether friction holds it there.
    """
    if not points.count:
        return qd, before
    after = points.rates(qd)
    turned = before * after < 0
    some: Any = turned.any(axis=-1)
    if not some.any():
        return qd, after
    if qd.ndim == 1:
        slowed = points.stopped(q, qd, turned | ((after == 0) & points.dry), added)
        return slowed, points.rates(slowed)
    slowed = qd.copy()
    still = turned[some] | ((after[some] == 0) & points.dry)
    slowed[some] = points.stopped(q[some], qd[some], still, None if added is None else added[some])
    after[some] = points.rates(slowed[some])
    return slowed, after
