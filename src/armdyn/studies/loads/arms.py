"""An arm under one load: inertia, gravity and velocity torques as exact functions of its joints."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.equations import quantities
from armdyn.equations.setting import Setting
from armdyn.errors import InputError
from armdyn.extremes.workspace import loads
from armdyn.mechanics.tree.motors import MotorModel, check_motors
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic


@dataclass(frozen=True)
class Arm:
    """A robot with empty hands or with its payload, under a motor model."""

    load: str
    """`none`, or `payload`."""
    robot: Robot
    motors: MotorModel

    @cached_property
    def setting(self) -> Setting:
        """The tree that the functions are derived from."""
        return Setting.of(self.robot, self.motors)

    @cached_property
    def dynamics(self) -> Dynamics:
        """The same equations compiled, for what is no sum of waves."""
        return Dynamics(self.robot, self.motors, friction=False)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The symbols of the joints."""
        return tuple(self.setting.names())

    @cached_property
    def H(self) -> list[list[Harmonic]]:
        """The mass matrix."""
        return [[self.harmonic(x) for x in row] for row in quantities.mass_matrix(self.setting)]

    @cached_property
    def g(self) -> list[Harmonic]:
        """Gravity, the term on the left side."""
        return [self.harmonic(x) for x in quantities.gravity(self.setting)]

    @cached_property
    def gravity_arms(self) -> list[list[Harmonic]]:
        """Gravity under a unit of it along each axis of the base, one row each."""
        rows: list[list[Harmonic]] = []
        for axis in ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            turned = replace(self.setting.tree, gravity=axis)
            setting = replace(self.setting, tree=turned)
            rows.append([self.harmonic(x) for x in quantities.gravity(setting)])
        return rows

    @cached_property
    def c(self) -> list[list[list[Harmonic]]]:
        """The velocity coefficients, symmetric in the last two indices."""
        return quantities.velocity_coefficients(self.setting)

    def velocity_torque(self, i: int, qd: Array) -> Harmonic:
        """(C qd)_i at given rates: sum_jk c_ijk qd_j qd_k."""
        total: Harmonic = self.setting.ring.constant(0.0)
        for j, row in enumerate(self.c[i]):
            for k, coefficient in enumerate(row):
                if rate := float(qd[j] * qd[k]):
                    total = total + coefficient * rate
        return total.pruned()

    def free_inertia(self, i: int) -> Callable[[Array], Array]:
        """1/(H^-1)_ii: the inertia at a joint while the others give no torque, as a function of q."""

        def inertia(q: Array) -> Array:
            try:
                inverse: Array = np.linalg.inv(self.dynamics.mass_matrix(q)).astype(np.float64, copy=False)
            except np.linalg.LinAlgError as error:
                raise InputError(
                    f'robot "{self.robot.name}" has a joint without inertia, expected none where the others '
                    'are free; give its bodies mass or its drive a rotor, or study others="locked"'
                ) from error
            return 1.0 / inverse[..., i, i]

        return inertia

    def combined(self, weights: Array, values: list[Harmonic]) -> Harmonic:
        """Sum of weights times values."""
        total: Harmonic = self.setting.ring.constant(0.0)
        for weight, value in zip(weights.tolist(), values, strict=True):
            if weight:
                total = total + value * weight
        return total.pruned()

    def at(self, f: Harmonic, q: Array) -> Array:
        """(...) a function of the joints at q: (..., n)."""
        values = f.evaluate({name: q[..., i] for i, name in enumerate(self.names)})
        return np.broadcast_to(values, q.shape[:-1])

    def harmonic(self, value: Any) -> Harmonic:
        """A number of the setting's ring as a sum of waves."""
        return quantities.harmonic(self.setting, value)


def arms(robot: Robot, motors: MotorModel | None) -> tuple[Arm, ...]:
    """The arm with empty hands, and with its payload if it holds one."""
    model = check_motors(robot, motors)
    return tuple(Arm(load, loaded, model) for load, loaded in loads(robot))
