"""The arms of the page about [Szkodny1995], and how its numbers are written."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from verdicts import EQUAL, agreeing, array, gap

import armdyn as ad
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.tree.motors import MotorModel, default_motors
from armdyn.robot import BASE, Body, Coupling, Drive, GearStage, Joint, Robot, Rotor
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal

K, AXIAL = 100.0, 0.01
ROTOR_MASS = 5.0
BELT_STATE = [0.4, 0.9]
SPATIAL_STATE = [0.3, -0.7, 0.5]
IRB6_STATE = [0.3, 0.2, -0.1, 0.4, 0.7]


# Arms --------------------------------------------------------------------------------------


def planar_links() -> tuple[Body, ...]:
    """Two links of 1 m, centre at 0.5 m, 50 kg, 10 kg m2, in the x-y plane."""
    inertia = Inertia(50.0, (0.5, 0.0, 0.0), diagonal(10.0, 10.0, 10.0))
    elbow = Joint("q2", placement=Transform(translation=(1.0, 0.0, 0.0)))
    return (Body("link1", Joint("q1"), BASE, inertia), Body("link2", elbow, "link1", inertia))


def rotor_on(carrier: str, x: float, y: float = 0.0) -> Rotor:
    """5 kg, 0.01 kg m2 about z."""
    return Rotor(AXIAL, 0.005, ROTOR_MASS, carrier, Transform(translation=(x, y, 0.0)))


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


def spatial_links() -> tuple[Body, ...]:
    """A column about z, an arm about y, a hand that rolls about x, all axes through one point."""
    inertia = Inertia(2.0, (0.2, 0.0, 0.0), diagonal(0.02, 0.05, 0.05))
    return (
        Body("column", Joint("pan"), BASE, inertia),
        Body("arm", Joint("tilt", axis=(0.0, 1.0, 0.0)), "column", inertia),
        Body("hand", Joint("roll", axis=(1.0, 0.0, 0.0)), "arm", inertia),
    )


def rotor_along(carrier: str) -> Rotor:
    """1.5 kg, 0.01 kg m2, spinning about x of its carrier."""
    return Rotor(AXIAL, 0.006, 1.5, carrier, Transform(from_rpy(0.0, math.pi / 2, 0.0), (0.1, 0.0, 0.0)))


def gyroscope(carrier: str = "arm") -> Robot:
    """A motor for the roll that spins along the arm, or along x of another carrier."""
    motor = Drive("roll motor", "roll", Coupling.of({"roll": K}), rotor_along(carrier))
    return Robot("gyroscope", spatial_links(), (motor,))


def differential_wrist() -> Robot:
    """Two motors along the column's x that tilt and roll together: theta_m = k (tilt +- roll)."""
    drives = (
        Drive("m1", "tilt", Coupling.of({"tilt": K, "roll": K}), rotor_along("column")),
        Drive("m2", "roll", Coupling.of({"tilt": K, "roll": -K}), rotor_along("column")),
    )
    return Robot("differential wrist", spatial_links(), drives)


def belt_with_wheels() -> Robot:
    """A gear wheel of 3 kg on link 1 for each drive, turning 0.05 times as fast as its motor."""
    wheels = (Rotor(0.2, 0.1, 3.0, "link1", Transform(translation=(x, 0.05, 0.0))) for x in (0.2, 0.8))
    drives = (replace(d, stages=(GearStage(w, 0.05),)) for d, w in zip(belt().drives, wheels, strict=True))
    return replace(belt(), drives=tuple(drives))


@cache
def placed_robots() -> tuple[Robot, ...]:
    """The catalog's robots that say where their rotors sit, and this page's arms."""
    robots = (ad.load(name) for name in ad.catalog())
    own = (belt(), in_axes(), gyroscope(), differential_wrist(), belt_with_wheels())
    return (*(r for r in robots if default_motors(r) == "exact"), *own)


# Numbers --------------------------------------------------------------------------------------


def shown(x: Any) -> str:
    """Four significant digits; zero where there is only rounding."""
    return "0" if abs(float(x)) < EQUAL else f"{float(x):.4g}"


def row(values: Any) -> str:
    """Numbers in a row."""
    return ", ".join(shown(x) for x in np.ravel(array(values)))


def matrix(values: Any) -> str:
    """A matrix as `[[a, b], [c, d]]`."""
    return "[" + ", ".join(f"[{row(r)}]" for r in array(values)) + "]"


def size(x: Any) -> float:
    """The largest element, regardless of sign."""
    return float(np.abs(array(x)).max(initial=0.0))


def model(robot: Robot, q: Sequence[float], motors: MotorModel = "exact") -> Coefficients:
    """The coefficients of a motor model, by Newton-Euler and composite bodies."""
    dyn = ad.Dynamics(robot, motors, friction=False)
    parts = (dyn.gravity(q), dyn.mass_matrix(q), dyn.velocity_coefficients(q))
    return Coefficients(*(part.tolist() for part in parts))


def gaps(ours: Coefficients, theirs: Coefficients) -> list[float]:
    """Of gravity, inertia and velocity."""
    return [
        gap(ours.gravity, theirs.gravity),
        gap(ours.inertia, theirs.inertia),
        gap(ours.velocity, theirs.velocity),
    ]


def inertia(parts: Coefficients) -> np.ndarray:
    """D_ij."""
    return array(parts.inertia)


def velocity(parts: Coefficients) -> np.ndarray:
    """D_ijk."""
    return array(parts.velocity)


def state(robot: Robot) -> tuple[list[float], list[float], list[float]]:
    """A state that is the same on every machine."""
    q, qd, qdd = (np.sin(np.arange(1, robot.n + 1) * w) for w in (1.7, 2.9, 4.3))
    return (0.3 * q + robot.home).tolist(), qd.tolist(), qdd.tolist()


def over_robots(question: Callable[[Robot], float]) -> str:
    """That a gap is rounding on every robot whose rotors have a place."""
    return agreeing(question(robot) for robot in placed_robots())
