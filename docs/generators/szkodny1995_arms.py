"""The arms of the page about [Szkodny1995], and how its numbers are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.tree.motors import MotorModel, default_motors
from armdyn.robot import BASE, Body, Coupling, Drive, GearStage, Joint, Robot, Rotor
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal

EQUAL = 1e-10
"""What counts as equal, relative to the largest element (at least 1)."""
K, AXIAL = 100.0, 0.01
BELT_STATE = [0.4, 0.9]
GYRO_STATE = [0.3, -0.7, 0.5]
IRB6_STATE = [0.3, 0.2, -0.1, 0.4, 0.7]


# Arms --------------------------------------------------------------------------------------


def planar_links() -> tuple[Body, ...]:
    """Two links of 1 m, centre at 0.5 m, 50 kg, 10 kg m2, in the x-y plane."""
    inertia = Inertia(50.0, (0.5, 0.0, 0.0), diagonal(10.0, 10.0, 10.0))
    elbow = Joint("q2", placement=Transform(translation=(1.0, 0.0, 0.0)))
    return (Body("link1", Joint("q1"), BASE, inertia), Body("link2", elbow, "link1", inertia))


def rotor_on(carrier: str, x: float, y: float = 0.0) -> Rotor:
    """5 kg, 0.01 kg m2 about z."""
    return Rotor(AXIAL, 0.005, 5.0, carrier, Transform(translation=(x, y, 0.0)))


def belt(k: float = K) -> Robot:
    """Motor 1 on joint 1, motor 2 on the base with a belt: theta_m2 = k (q1 + q2)."""
    drives = (
        Drive("m1", "q1", Coupling.of({"q1": k}), rotor_on(BASE, 0.0)),
        Drive("m2", "q2", Coupling.of({"q1": k, "q2": k}), rotor_on(BASE, 0.3, 0.1)),
    )
    return Robot("belt", planar_links(), drives, gravity=(0.0, -9.81, 0.0))


def in_axes(k: float = K) -> Robot:
    """Motor i on link i-1, in the axis of joint i: theta_mi = k q_i."""
    drives = (
        Drive("m1", "q1", Coupling.of({"q1": k}), rotor_on(BASE, 0.0)),
        Drive("m2", "q2", Coupling.of({"q2": k}), rotor_on("link1", 1.0)),
    )
    return Robot("in axes", planar_links(), drives, gravity=(0.0, -9.81, 0.0))


def gyroscope(carrier: str = "arm") -> Robot:
    """A column about z, an arm about y, a roll about the arm, its motor spinning along the arm."""
    inertia = Inertia(2.0, (0.2, 0.0, 0.0), diagonal(0.02, 0.05, 0.05))
    along = Transform(from_rpy(0.0, math.pi / 2, 0.0), (0.1, 0.0, 0.0))
    motor = Drive("m", "roll", Coupling.of({"roll": K}), Rotor(AXIAL, 0.006, 1.5, carrier, along))
    bodies = (
        Body("column", Joint("pan"), BASE, inertia),
        Body("arm", Joint("tilt", axis=(0.0, 1.0, 0.0)), "column", inertia),
        Body("hand", Joint("roll", axis=(1.0, 0.0, 0.0)), "arm", inertia),
    )
    return Robot("gyroscope", bodies, (motor,))


def belt_with_wheels() -> Robot:
    """A gear wheel of 3 kg on link 1 for each drive, turning 0.05 times as fast as its motor."""
    wheels = (Rotor(0.2, 0.1, 3.0, "link1", Transform(translation=(x, 0.05, 0.0))) for x in (0.2, 0.8))
    drives = (replace(d, stages=(GearStage(w, 0.05),)) for d, w in zip(belt().drives, wheels, strict=True))
    return replace(belt(), drives=tuple(drives))


def placed_robots() -> list[Robot]:
    """The catalog's robots that say where their rotors sit, and this page's arms."""
    robots = (ad.load(name) for name in ad.catalog())
    return [r for r in robots if default_motors(r) == "exact"] + [belt(), gyroscope(), belt_with_wheels()]


# Numbers --------------------------------------------------------------------------------------


def shown(x: Any) -> str:
    """Four significant digits; zero where there is only rounding."""
    return "0" if abs(float(x)) < EQUAL else f"{float(x):.4g}"


def row(values: Any) -> str:
    """Numbers in a row."""
    return ", ".join(shown(x) for x in np.ravel(np.array(values, dtype=float)))


def matrix(values: Any) -> str:
    """A matrix as `[[a, b], [c, d]]`."""
    return "[" + ", ".join(f"[{row(r)}]" for r in np.array(values, dtype=float)) + "]"


def gap(ours: Any, theirs: Any) -> float:
    """The largest difference, relative to the largest element (at least 1)."""
    a, b = np.array(ours, dtype=float), np.array(theirs, dtype=float)
    return float(np.abs(a - b).max() / max(1.0, np.abs(b).max()))


def verified(gaps: Sequence[float]) -> str:
    """That all are equal, or by how much they are not."""
    worst = max(gaps)
    return "equal to 1e-10" if worst <= EQUAL else f"**differs by {worst:.1e}**"


def model(robot: Robot, q: Sequence[float], motors: MotorModel = "exact") -> Coefficients:
    """The coefficients of a motor model, by Newton-Euler and composite bodies."""
    dyn = ad.Dynamics(robot, motors, friction=False)
    c = np.moveaxis(dyn.coriolis_matrix(q, np.eye(robot.n)), 0, -1)
    return Coefficients(dyn.gravity(q).tolist(), dyn.mass_matrix(q).tolist(), c.tolist())


def gaps(ours: Coefficients, theirs: Coefficients) -> list[float]:
    """Of gravity, inertia and velocity."""
    return [gap(a, b) for a, b in zip(vars(ours).values(), vars(theirs).values(), strict=True)]


def inertia(parts: Coefficients) -> np.ndarray:
    """D_ij."""
    return np.array(parts.inertia, dtype=float)


def velocity(parts: Coefficients) -> np.ndarray:
    """D_ijk."""
    return np.array(parts.velocity, dtype=float)


def largest(x: Any) -> str:
    """The largest element, regardless of sign."""
    return shown(np.abs(np.array(x, dtype=float)).max())


def state(robot: Robot) -> tuple[list[float], list[float], list[float]]:
    """A state that is the same on every machine."""
    q, qd, qdd = (np.sin(np.arange(1, robot.n + 1) * w) for w in (1.7, 2.9, 4.3))
    return (0.3 * q + robot.home).tolist(), qd.tolist(), qdd.tolist()


def over_robots(question: Callable[[Robot], float]) -> str:
    """A question asked of every robot whose rotors have a place."""
    return verified([question(robot) for robot in placed_robots()])
