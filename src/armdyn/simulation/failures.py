"""Why a simulation ends before its time: one sentence each, with the instant and the joint."""

from __future__ import annotations

import numpy as np

from armdyn.dynamics.quantities.steps import FASTEST
from armdyn.robot import Robot
from armdyn.scalars import Array


class Stopped(Exception):  # noqa: N818  no error of armdyn's users: `simulate` makes one of it
    """The simulation cannot go on."""


def no_torque(source: str, t: float, robot: Robot, tau: Array) -> str:
    """What drives the arm gave no number."""
    joint = _joint(tau)
    return f"{source} gives {tau[joint]:g} for {_named(robot, joint)} at {t:.9g} s, expected a finite number"


def no_number(what: str, t: float, values: Array) -> str:
    """Something else that acts is no number."""
    k = _joint(values)
    return f"{what}: component {k + 1} is {values[k]:g} at {t:.9g} s, expected a finite number"


def raised(source: str, t: float, error: Exception) -> str:
    """A function that drives the arm raised an exception."""
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return f"{source} raised {what} at {t:.9g} s"


def no_acceleration(t: float, robot: Robot, q: Array, qd: Array) -> str:
    """No acceleration was found."""
    for name, values in (("position", q), ("velocity", qd)):
        if not np.isfinite(values).all():
            joint = _joint(values)
            return f"{_named(robot, joint)}: its {name} is no number any more at {t:.9g} s"
    if np.abs(qd).max() >= FASTEST:
        return too_fast(t, robot, qd)
    return (
        f"at {t:.9g} s no acceleration is found, near {_named(robot, int(np.argmax(np.abs(qd))))}: the mass "
        "matrix is singular there, or friction under load has no solution"
    )


def step_too_large(t: float, robot: Robot, integrator: str, dt: float, qd: Array) -> str:
    """A fixed step went beyond all numbers, or beyond anything that moves."""
    return (
        f"{_reaches(t, robot, qd)}: a step of {dt:g} s is too large for {integrator}; take a smaller one, "
        "or the integrator dop853"
    )


def too_fast(t: float, robot: Robot, qd: Array) -> str:
    """What drives the arm makes it faster than anything that moves."""
    return f"{_reaches(t, robot, qd)}, no arm does; look at what drives it, and at its masses"


def step_too_small(t: float, robot: Robot, integrator: str, qd: Array) -> str:
    """An adaptive integrator found no step that is small enough."""
    joint = int(np.argmax(np.abs(qd)))
    return (
        f"{integrator} needs steps below the resolution of time at {t:.9g} s, {_named(robot, joint)} moves "
        "fastest: the motion is not smooth there; look at what drives it, or loosen the tolerance"
    )


def too_many_events(t: float, robot: Robot, joint: int | None) -> str:
    """Sticking and slipping follow one another without end."""
    where = "a joint" if joint is None else _named(robot, joint - 1)
    return (
        f"friction at {where} changes between sticking and slipping without end at {t:.9g} s; "
        "take an integrator with a fixed step"
    )


def ends_early(source: str, end: float, duration: float) -> str:
    """What acts is shorter than the run."""
    return (
        f"{source} ends at {end:.9g} s but the run lasts {duration:.9g} s; "
        f"give a longer one, or a duration of {end:.9g} s"
    )


def _reaches(t: float, robot: Robot, qd: Array) -> str:
    joint = _joint(qd)
    unit = "m/s" if robot.joints[joint].kind == "prismatic" else "rad/s"
    return f"{_named(robot, joint)} reaches {qd[joint]:.3g} {unit} at {t:.9g} s"


def _joint(values: Array) -> int:
    """The joint whose value is no number, or the largest."""
    broken = ~np.isfinite(values)
    return int(np.argmax(broken)) if broken.any() else int(np.argmax(np.abs(values)))


def _named(robot: Robot, joint: int) -> str:
    return f'joint {joint + 1} ("{robot.joint_names[joint]}")'
