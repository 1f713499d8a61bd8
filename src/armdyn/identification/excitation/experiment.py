"""What is measured along an excitation: torques, each in parts of what its joint or motor can give.

The condition number of a matrix whose columns have different units depends on these: in gram instead of
kilogram it is another. Columns are therefore taken in parts of what they are over the whole range of the
joints, at all speeds and accelerations: W = S^-1 G Y_b D^-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.identification.base_parameters import BaseParameters
from armdyn.identification.excitation.criterion import information
from armdyn.robot import Drive
from armdyn.scalars import Array

AT_ONCE = 4096
"""States of which the regressor is held at once: some megabytes."""


@dataclass(frozen=True, eq=False)
class Experiment:
    """The weighted base regressor of an arm: W = S^-1 G Y_b D^-1, a row for each motor."""

    arm: Arm
    base: BaseParameters
    scale: Array
    """(n) S: torques of the motors, of the joints where there are none, that count as much as one another"""
    columns: Array
    """(b) D: what the weighted columns are over the whole range; ones leave them in SI"""

    @cached_property
    def side(self) -> Literal["joint", "motor"]:
        """Where the regressor is taken: at the motors only if their gears are not the same everywhere."""
        return "motor" if any(drive.coupling.law is not None for drive in self._drives) else "joint"

    @cached_property
    def gears(self) -> Array:
        """(n, n) G: torques of the motors by the rows of the regressor, K^-T."""
        dyn = self.arm.dyn
        if self.side == "motor" or not self._drives:
            return np.eye(dyn.n)
        inverse: Any = np.linalg.inv(dyn.gear_matrix(np.array(dyn.robot.home)))
        return inverse.T

    @property
    def _drives(self) -> tuple[Drive, ...]:
        return self.arm.dyn.robot.drives if self.arm.actuators.geared else ()

    @cached_property
    def rows(self) -> Array:
        """(n, n) S^-1 G."""
        return self.gears / self.scale[:, None]

    def regressor(self, q: Array, qd: Array, qdd: Array) -> Array:
        """Y (..., n, p) at `side`."""
        return self.arm.dyn.regressor(q, qd, qdd, side=self.side)

    def weighted(self, Y: Array) -> Array:
        """W (..., n, b) of Y."""
        return self.rows @ (Y[..., self.base.independent] / self.columns)

    def weights(self, by_W: Array) -> Array:
        """Derivatives (..., n, p) by Y of what has derivatives (..., n, b) by W."""
        by_Y = np.zeros((*by_W.shape[:-1], len(self.base.parameters)))
        by_Y[..., self.base.independent] = self.rows.T @ by_W / self.columns
        return by_Y

    def information(self, q: Array, qd: Array, qdd: Array) -> Array:
        """A = W^T W/rows (..., b, b) of motions (..., t, n)."""
        *batch, t, n = q.shape
        flat = [x.reshape(-1, t, n) for x in (q, qd, qdd)]
        count, b = len(flat[0]), len(self.base)
        found = np.empty((count, b, b))
        step = max(AT_ONCE // t, 1)
        for k in range(0, count, step):
            Y = self.regressor(*(x[k : k + step] for x in flat))
            W = self.weighted(Y)
            found[k : k + step] = information(W.reshape(len(W), -1, b))
        return found.reshape(*batch, b, b)
