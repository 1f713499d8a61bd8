"""Saturation: a controller whose torques the motors have to give."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.mechanics.motor_limits import Envelopes, drive_motors, joint_motors
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting, Law
from armdyn.simulation.control.controllers import PID


@dataclass(frozen=True, eq=False)
class Saturated:
    """What drives the arm, as far as its motors can.

    The integrator of a PID controller stops while its joint gets less than is asked for and going on would
    ask for more.
    """

    acting: Acting
    dyn: Dynamics
    geared: bool
    """Whether motors with gears have the limits; otherwise the joints"""
    envelopes: Envelopes

    @property
    def states(self) -> int:
        """How many numbers it integrates."""
        return self.acting.states

    @property
    def breaks(self) -> Array:
        """Where what is asked for jumps or bends [s]."""
        return self.acting.breaks

    @property
    def end(self) -> float:
        """How long that is known [s]."""
        return self.acting.end

    @property
    def source(self) -> str:
        """What to call it in a message."""
        return self.acting.source

    def between(self, start: float, end: float) -> Law:
        """What is asked for, less what the motors cannot give: tau - K^T (u - clip u) with u = K^-T tau."""
        asked, over, holds = self.acting.between(start, end), self._over(), isinstance(self.acting, PID)

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            tau, rates = asked(t, q, qd, z)
            excess = over(q, qd, tau)
            if excess is None:
                return tau, rates
            if holds and rates.shape == excess.shape:
                rates = np.where(excess * rates > 0, 0.0, rates)
            return tau - excess, rates

        return law

    def _over(self) -> Callable[[Array, Array, Array], Array | None]:
        """The joint torques (..., n) that are more than the motors can give; None if there are none."""
        limits = self.envelopes.limits
        if not self.geared:

            def joints_over(_: Array, qd: Array, tau: Array) -> Array | None:
                return _outside(tau, *limits(qd))

            return joints_over
        names = ("motor_torque", "motor_velocity", "torque_of_motors")
        of_motors, speed, of_joints = (self.dyn.of_one_state(name) for name in names)

        def motors_over(q: Array, qd: Array, tau: Array) -> Array | None:
            excess = _outside(of_motors(q, tau), *limits(speed(q, qd)))
            return None if excess is None else of_joints(q, excess)

        return motors_over


def saturated(acting: Acting, dyn: Dynamics) -> Saturated:
    """The same controller or input with torques that the robot's motors can give.

    Each motor's torque is clipped to its limits at its speed (`mechanics.motor_limits`), through the gears. A
    robot without such data is limited by the efforts of its joints.
    """
    robot = dyn.robot
    if Envelopes(tuple(drive.motor for drive in robot.drives)).known.any():
        motors = drive_motors(robot, "simulate without saturation")
        return Saturated(acting, dyn, geared=True, envelopes=Envelopes(motors))
    efforts = Envelopes(joint_motors(robot))
    if efforts.known.any():
        return Saturated(acting, dyn, geared=False, envelopes=efforts)
    raise MissingDataError(
        f'robot "{robot.name}": no torque limit is known, neither of a motor nor the effort of a joint; '
        "describe one, or simulate without saturation"
    )


def _outside(torque: Array, lower: Array, upper: Array) -> Array | None:
    """How far torques are outside their limits; None if none is."""
    over: Array = torque - np.minimum(np.maximum(torque, lower), upper)
    return over if over.any() else None
