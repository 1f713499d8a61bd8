"""Dry friction's columns without their jumps, so that a search can feel its way across a turn of a joint.

A Coulomb column of the regressor is g sign(v), beside the viscous one g v: v is the rate of the joint or
motor that rubs, g how its friction reaches the joints. In the search g v/sqrt(v^2 + e^2) stands for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from armdyn.mechanics.parameters import Parameter
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class DryFriction:
    """The viscous and Coulomb columns of everything that rubs, side by side."""

    viscous: list[int]
    coulomb: list[int]
    soft: Array
    """(points) e [rad/s or m/s]"""

    @classmethod
    def of(cls, parameters: Sequence[Parameter], Y: Array) -> DryFriction:
        """Those of a regressor, softened by the rates that its states (t, n, p) have."""
        found = {(p.side, p.owner, p.kind): k for k, p in enumerate(parameters)}
        coulomb = [k for k, p in enumerate(parameters) if p.kind == "coulomb"]
        viscous = [found[parameters[k].side, parameters[k].owner, "viscous"] for k in coulomb]
        hard = cls(viscous, coulomb, np.zeros(len(coulomb)))
        rates = np.sqrt(hard.squared_rates(Y)).mean(axis=0)
        return cls(viscous, coulomb, np.maximum(rates, np.finfo(float).tiny))

    def softer(self, share: float) -> DryFriction:
        """With a share of its e."""
        return replace(self, soft=share * self.soft)

    def squared_rates(self, Y: Array) -> Array:
        """(t, points) v^2."""
        return np.sum(Y[..., self.viscous] ** 2, axis=-2) / self._reach(Y)

    def softened(self, Y: Array) -> Array:
        """Y with the columns that have no jumps."""
        soft = Y.copy()
        soft[..., self.coulomb] = Y[..., self.viscous] * self._over_rate(Y)
        return soft

    def weights(self, Y: Array, weights: Array) -> Array:
        """The weights of Y's columns, given those of softened ones: the viscous get what Coulomb's have."""
        moved = weights.copy()
        over, v, w = self._over_rate(Y), Y[..., self.viscous], weights[..., self.coulomb]
        along = np.sum(w * v, axis=-2, keepdims=True) / self._reach(Y)[..., None, :]
        moved[..., self.viscous] += over * w - over**3 * along * v
        moved[..., self.coulomb] = 0.0
        return moved

    def _over_rate(self, Y: Array) -> Array:
        """1/sqrt(v^2 + e^2)."""
        return 1 / np.sqrt(self.squared_rates(Y) + self.soft**2)[..., None, :]

    def _reach(self, Y: Array) -> Array:
        """|g|^2; anything at rest, where there is no sign."""
        return np.maximum(np.sum(Y[..., self.coulomb] ** 2, axis=-2), np.finfo(float).tiny)
