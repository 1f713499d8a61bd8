"""The documents' ways from joint to motor torques side by side, at one state.

All are compared with the power-consistent one, [Szkodny1995] (13), which armdyn uses.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from numbers import Real
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.mechanics import drive_forms as mechanics
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.spatial.vector import ZERO

Given = TypeVar("Given")
MOTION = ("q", "qd", "qdd")

POWER_CONSISTENT = "Szkodny1995 (13)"
OWN_AXIS = "Szkodny1995 (14)"
OWN_GEAR = "Kvrgic2020 (D.3)"
BACK = "Szkodny1995 (19), mended"
BACK_PRINTED = "Szkodny1995 (19), as printed"


@dataclass(frozen=True)
class MotorTerms:
    """What one form makes of the state, at the motors' shafts."""

    torque: Array
    """(n) motor torques [N m]"""
    mass_matrix: Array
    """(n, n) H_a: motor torques by unit accelerations of the joints"""

    def __sub__(self, other: MotorTerms) -> MotorTerms:
        """Term by term, rounding included."""
        return MotorTerms(self.torque - other.torque, self.mass_matrix - other.mass_matrix)

    def document(self) -> dict[str, Any]:
        """As lists."""
        return {name: value.tolist() for name, value in vars(self).items()}


@dataclass(frozen=True)
class MotorForm:
    """One way from the joints to the motors."""

    form: str
    """Its document and equation"""
    terms: MotorTerms
    difference: MotorTerms
    """From the power-consistent form"""
    power: float
    """sum of motor torque times motor rate [W]"""

    @property
    def largest(self) -> dict[str, float]:
        """The largest difference of each term, regardless of sign."""
        return {name: float(np.abs(value).max()) for name, value in vars(self.difference).items()}

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "form": self.form,
            **self.terms.document(),
            "difference": self.difference.document(),
            "largest": self.largest,
            "power": self.power,
        }


@dataclass(frozen=True)
class JointForm:
    """One way from the motors back to the joints."""

    form: str
    """Its document and equation"""
    torque: Array
    """(n) joint torques of the power-consistent motor torques"""
    difference: Array
    """From the joint torques that those came from"""

    @property
    def largest(self) -> float:
        """The largest difference, regardless of sign."""
        return float(np.abs(self.difference).max())

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "form": self.form,
            "torque": self.torque.tolist(),
            "difference": self.difference.tolist(),
            "largest": self.largest,
        }


@dataclass(frozen=True)
class MissingForm:
    """A form that does not apply to the robot."""

    form: str
    reason: str

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return dict(vars(self))


@dataclass(frozen=True)
class DriveForms:
    """Every form that applies to the robot, the power-consistent one first."""

    motors: MotorModel
    """The motor model of the joint torques: the best that the robot's data support"""
    friction: bool
    dt: float
    joint_torque: Array
    """(n) what all forms start from, friction included if it is on"""
    motor_velocity: Array
    """(n)"""
    power: float
    """sum of joint torque times joint rate [W]"""
    forms: tuple[MotorForm, ...]
    back: tuple[JointForm, ...]
    missing: tuple[MissingForm, ...]

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "motors": self.motors,
            "friction": self.friction,
            "dt": self.dt,
            "joint_torque": self.joint_torque.tolist(),
            "motor_velocity": self.motor_velocity.tolist(),
            "power": self.power,
            **{name: [x.document() for x in getattr(self, name)] for name in ("forms", "back", "missing")},
        }


def drive_forms(
    robot: Robot,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
    friction: bool | None = None,
    dt: float = 0.0,
) -> DriveForms:
    """Motor torques of a motion by every form, and their differences from the power-consistent ones.

    Args:
        robot: what moves, with as many drives as joints.
        q: (n) joint positions [rad or m].
        qd: (n) joint velocities.
        qdd: (n) joint accelerations.
        wrench: (6) what the tool exerts on its surroundings, as for `Dynamics.inverse`.
        at: (3) where it acts, as there.
        friction: whether torques include friction, by default as `Dynamics` has it.
        dt: cycle time of (D.3) [s], which takes viscous friction at the cycle's end; 0 is the state itself.

    Returns:
        (13), (14) and (D.3) to the motors, both readings of (19) back; what does not apply says why.
        (D.3) knows its rotors as I_a K qdd only: where rotors are placed, it also lacks what their
        carriers' turning adds.
    """
    _check_dt(dt)
    traced = Traced(robot, None, friction)
    state = _state(traced, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at)
    dyn = Dynamics(robot, None, friction)
    tau = dyn.inverse(state["q"], state["qd"], state["qdd"], state.get("wrench"), at=state.get("at"))
    rate = dyn.motor_velocity(state["q"], state["qd"])
    reference = _power_consistent(dyn, state["q"], tau)
    forms, not_forms = _applying(
        {
            POWER_CONSISTENT: lambda: reference,
            OWN_AXIS: lambda: _own_axis(dyn, state["q"], tau),
            OWN_GEAR: lambda: _own_gear(traced, state, dt),
        }
    )
    printed = partial(mechanics.joint_torques_as_printed, robot, state["q"].tolist())
    back, not_back = _applying(
        {
            BACK: lambda: dyn.torque_of_motors(state["q"], reference.torque),
            BACK_PRINTED: lambda: np.array(printed(reference.torque.tolist())),
        }
    )
    return DriveForms(
        dyn.motors,
        dyn.friction,
        float(dt),
        tau,
        rate,
        float(tau @ state["qd"]),
        tuple(MotorForm(name, x, x - reference, float(x.torque @ rate)) for name, x in forms),
        tuple(JointForm(name, x, x - tau) for name, x in back),
        (*not_forms, *not_back),
    )


# Forms ----------------------------------------------------------------------------------------


def _applying(ways: Mapping[str, Callable[[], Given]]) -> tuple[list[tuple[str, Given]], list[MissingForm]]:
    """What the forms give that apply to the robot, and why the others do not."""
    found: list[tuple[str, Given]] = []
    missing: list[MissingForm] = []
    for name, way in ways.items():
        try:
            found.append((name, way()))
        except MissingDataError as error:
            missing.append(MissingForm(name, str(error)))
    return found, missing


def _power_consistent(dyn: Dynamics, q: Array, tau: Array) -> MotorTerms:
    """u_a = K^-T u, H_a = K^-T H."""
    terms = MotorTerms(dyn.motor_torque(q, tau), dyn.motor_mass_matrix(q, by="joint"))
    if not (np.isfinite(terms.torque).all() and np.isfinite(terms.mass_matrix).all()):
        raise InputError(
            f'q is {q.tolist()}, where the gear matrix of robot "{dyn.robot.name}" is singular; '
            "choose a posture in which every gear turns"
        )
    return terms


def _own_axis(dyn: Dynamics, q: Array, tau: Array) -> MotorTerms:
    """(14) of the joint torques, and of every column of H."""
    columns = [tau, *dyn.mass_matrix(q).T]
    torque, *by_joint = (mechanics.own_axis_torques(dyn.robot, q.tolist(), x.tolist()) for x in columns)
    return MotorTerms(np.array(torque), np.array(by_joint).T)


def _own_gear(traced: Traced, state: Mapping[str, Array], dt: float) -> MotorTerms:
    """(D.3) of what passes through the joints."""
    x = {name: value.tolist() for name, value in state.items()}
    load = traced.loads(x, x["qd"], x["qdd"]).joint
    built = traced.light("inverse").at_rest()
    by_joint = (traced.method.inverse(built, x["q"], None, e, gravity=ZERO).joint for e in _units(traced.n))
    H = [list(row) for row in zip(*by_joint, strict=True)]
    robot, friction = traced.robot, traced.friction
    motion = (x["q"], x["qd"], x["qdd"])
    return MotorTerms(
        np.array(mechanics.own_gear_torques(robot, *motion, load, friction=friction, dt=dt)),
        np.array(mechanics.own_gear_mass_matrix(robot, x["q"], H, friction=friction, dt=dt)),
    )


def _units(n: int) -> list[list[float]]:
    return np.eye(n).tolist()


# Input ----------------------------------------------------------------------------------------


def _check_dt(dt: float) -> None:
    if not (isinstance(dt, Real) and math.isfinite(dt) and dt >= 0):
        raise InputError(f"dt is {dt!r}, expected a cycle time in seconds, 0 or more")


def _state(traced: Traced, **given: ArrayLike | None) -> dict[str, Array]:
    """What is given, each as one row of finite numbers."""
    state = {name: traced.array(name, x) for name, x in given.items() if x is not None or name in MOTION}
    for name, array in state.items():
        if array.ndim != 1:
            expected = f"({array.shape[-1]},)"
            raise ShapeError(name, array.shape, "drive forms are compared at one state", expected)
        if not np.isfinite(array).all():
            raise InputError(f"{name} is {array.tolist()}, expected finite numbers")
    return state
