"""Gains of joint servos: as given, or for a natural frequency at a nominal inertia."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Literal

import numpy as np

from armdyn.errors import InputError
from armdyn.extremes.workspace import LARGEST, SMALLEST, number
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.given import where_asked
from armdyn.studies.loads.rows import known

Nominal = Literal["smallest", "home"]
NOMINALS: tuple[Nominal, ...] = ("smallest", "home")


@dataclass(frozen=True)
class Gains:
    """What is asked of the servos: gains, or a natural frequency; and their damping."""

    frequency: Array | None
    """(n) [rad/s]; NaN, as of gains, where none is given"""
    kp: Array | None
    kv: Array | None
    damping: float
    nominal: Nominal

    @classmethod
    def of(
        cls, robot: Robot, asked: Sequence[int], frequency: Any, gains: Any, damping: float, nominal: str
    ) -> Gains:
        """Checked: a natural frequency, or two sets of gains, not both, of the joints asked for."""
        if (frequency is None) == (gains is None):
            given = "neither" if gains is None else "both"
            raise InputError(f"servo: {given} of natural_frequency and gains is given, expected one of them")
        if nominal not in NOMINALS:
            raise InputError(f'nominal "{nominal}", expected one of {", ".join(NOMINALS)}')
        if not SMALLEST <= (zeta := number("damping", damping)) <= LARGEST:
            expected = f"a number above 0, {SMALLEST:g} to {LARGEST:g}"
            raise InputError(f"damping is {zeta:g}, expected {expected}; 1 is critical")
        chosen: Nominal = "smallest" if nominal == "smallest" else "home"
        if gains is None:
            found = where_asked(robot, "natural_frequency", frequency, asked)
            return cls(found, None, None, zeta, chosen)
        try:
            position, velocity = gains
        except (TypeError, ValueError) as error:
            raise InputError("gains is not a pair, expected (position gains, velocity gains)") from error
        kp = where_asked(robot, "position gain", position, asked)
        return cls(None, kp, where_asked(robot, "velocity gain", velocity, asked), zeta, chosen)

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        found = {"natural_frequency": self.frequency, "position_gain": self.kp, "velocity_gain": self.kv}
        lists = {name: list(map(known, value.tolist())) for name, value in found.items() if value is not None}
        return {**lists, "damping": self.damping, "nominal": self.nominal}


@dataclass(frozen=True)
class Servo:
    """The servo of one joint: tau = kp (reference - q) - kv qd on an inertia J."""

    joint: int
    """Position in q."""
    kp: float
    kv: float
    target: float
    """The damping that it is to have."""
    nominal: float
    """The inertia that its gains were chosen for, or the smallest where they were given."""
    free: bool
    """Whether the other joints give no torque."""

    def natural_frequency(self, inertia: Any) -> Any:
        """sqrt(kp/J); no bound where the inertia's is not above 0."""
        with np.errstate(divide="ignore"):
            return np.sqrt(self.kp * np.reciprocal(np.maximum(inertia, 0.0)))

    def damping(self, inertia: Any) -> Any:
        """kv/(2 sqrt(kp J)); no bound where the inertia's is not above 0."""
        with np.errstate(divide="ignore"):
            return self.kv * np.reciprocal(2 * np.sqrt(self.kp * np.maximum(inertia, 0.0)))

    def velocity_gain(self, inertia: Any) -> Any:
        """2 damping sqrt(kp J): the schedule that keeps the damping."""
        return 2 * self.target * np.sqrt(self.kp * np.maximum(inertia, 0.0))

    def felt(self, arm: Arm) -> Callable[[Array], Array]:
        """The inertia that it moves as a function of the joints."""
        i = self.joint
        return arm.free_inertia(i) if self.free else lambda q: arm.at(arm.H[i][i], q)


def gains_for(asked: Gains, arm: Arm, i: int, free: bool, smallest: float) -> Servo:
    """The servo of a joint; where a frequency is asked for, kp = J w^2 and kv = 2 damping J w."""
    nominal = smallest
    if asked.nominal == "home":
        nominal = float(Servo(i, 1.0, 1.0, 1.0, 1.0, free).felt(arm)(np.array(arm.robot.home)))
    if asked.frequency is None:
        assert asked.kp is not None and asked.kv is not None
        return Servo(i, float(asked.kp[i]), float(asked.kv[i]), asked.damping, nominal, free)
    kp = nominal * float(asked.frequency[i]) ** 2
    return Servo(i, kp, 2 * asked.damping * sqrt(kp * nominal), asked.damping, nominal, free)
