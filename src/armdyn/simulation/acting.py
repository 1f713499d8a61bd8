"""What drives the arm: torques, currents or voltages over time, or a controller."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import ShapeError, counted
from armdyn.scalars import Array
from armdyn.simulation.signals import InPieces, Signal

Law = Callable[[float, Array, Array, Array], tuple[Array, Array]]
"""(t, q (..., n), qd (..., n), z (..., states)) -> joint torques (..., n) and z' (..., states)."""

ActingKind = Literal["tau", "motor_torque", "current", "voltage"]
"""What a signal gives: torques of the joints or of the motors [N m or N], currents [A], voltages [V]."""


class Acting(InPieces, Protocol):
    """What drives the arm."""

    @property
    def states(self) -> int:
        """How many numbers it integrates itself, as the error of a PID controller."""
        ...

    def between(self, start: float, end: float) -> Law:
        """What it does in a stretch without breaks inside, both ends included."""
        ...


@dataclass(frozen=True)
class Applied:
    """A signal that is applied whatever the arm does."""

    dyn: Dynamics
    kind: ActingKind
    signal: Signal
    source: str = "the input"
    states: int = 0

    def __post_init__(self) -> None:
        """Refuse another number of values, and motors of which the robot does not know enough."""
        robot = self.dyn.robot
        size, noun = (robot.n, "joint") if self.kind == "tau" else (len(robot.drives), "drive")
        if self.signal.width != size:
            has = f'robot "{robot.name}" has {counted(size, noun)}'
            raise ShapeError(f"{self.source}: {self.kind}", (self.signal.width,), has, f"({size},)")
        home = np.array(robot.home)
        self._torque(home, 0 * home, np.zeros(size))

    @property
    def breaks(self) -> Array:
        """Where the signal jumps or bends [s]."""
        return self.signal.breaks

    @property
    def end(self) -> float:
        """How long the signal is known [s]."""
        return self.signal.end

    def between(self, start: float, end: float) -> Law:
        """The torques of the signal."""
        value = self.signal.between(start, end)

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            return self._torque(q, qd, value(t)), z

        return law

    def _torque(self, q: Array, qd: Array, value: Array) -> Array:
        match self.kind:
            case "tau":
                return value if value.shape == q.shape else np.broadcast_to(value, q.shape)
            case "motor_torque":
                return self.dyn.torque_of_motors(q, value)
            case "current":
                return self.dyn.torque_of_currents(q, value)
            case "voltage":
                return self.dyn.torque_of_voltages(q, qd, value)
