"""Arms whose motors matter, and their dynamic coefficients by Newton-Euler and composite bodies."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from armdyn.formats import load
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE, Body, Coupling, Drive, GearStage, Joint, Robot, Rotor
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import ZERO, diagonal

AGREEMENT = 1e-10
"""Relative to the largest expected value, at least 1: two formulations in double precision."""

K, AXIAL = 100.0, 0.01
"""Gear ratio and axial inertia of the rotors below."""


# Robots ---------------------------------------------------------------------------------------


def planar_links(n: int = 2) -> tuple[Body, ...]:
    """Links of 1 m, centre at 0.5 m, 50 kg, 10 kg m2, turning about z, gravity along -y."""
    inertia = Inertia(50.0, (0.5, 0.0, 0.0), diagonal(10.0, 10.0, 10.0))
    places = [ZERO, *[(1.0, 0.0, 0.0)] * (n - 1)]
    return tuple(
        Body(f"link{i}", Joint(f"q{i}", placement=Transform(translation=p)), parent, inertia)
        for i, (p, parent) in enumerate(
            zip(places, [BASE, *(f"link{i}" for i in range(1, n))], strict=True), 1
        )
    )


def rotor_at(carrier: str, x: float, y: float = 0.0) -> Rotor:
    """5 kg and 0.01 kg m2, upright."""
    return Rotor(AXIAL, 0.005, 5.0, carrier, Transform(translation=(x, y, 0.0)))


def belt_arm() -> Robot:
    """Motor 1 on joint 1; motor 2 on the base at (0.3, 0.1), its belt makes theta_m2 = k (q1 + q2)."""
    drives = (
        Drive("m1", "q1", Coupling.of({"q1": K}), rotor_at(BASE, 0.0)),
        Drive("m2", "q2", Coupling.of({"q1": K, "q2": K}), rotor_at(BASE, 0.3, 0.1)),
    )
    return Robot("belt", planar_links(), drives, gravity=(0.0, -9.81, 0.0))


BELT_STATE = [0.4, 0.9]


def arm_with_motors_in_axes(n: int = 2) -> Robot:
    """Motor i on link i-1, in the axis of joint i, theta_mi = k q_i."""
    drives = tuple(
        Drive(
            f"m{i}",
            f"q{i}",
            Coupling.of({f"q{i}": K}),
            rotor_at(BASE, 0.0) if i == 1 else rotor_at(f"link{i - 1}", 1.0),
        )
        for i in range(1, n + 1)
    )
    return Robot("in axes", planar_links(n), drives, gravity=(0.0, -9.81, 0.0))


def belt_with_wheels() -> Robot:
    """The same with a gear wheel of 3 kg on link 1 for each drive, 0.05 times as fast as its motor."""
    wheels = [Rotor(0.2, 0.1, 3.0, "link1", Transform(translation=(x, 0.05, 0.0))) for x in (0.2, 0.8)]
    drives = (
        replace(drive, stages=(GearStage(wheel, 0.05),))
        for drive, wheel in zip(belt_arm().drives, wheels, strict=True)
    )
    return replace(belt_arm(), drives=tuple(drives))


def spatial_links() -> tuple[Body, ...]:
    """A column about z, an arm about y, a hand that rolls about x, all axes through one point."""
    inertia = Inertia(2.0, (0.2, 0.0, 0.0), diagonal(0.02, 0.05, 0.05))
    return (
        Body("column", Joint("pan"), BASE, inertia),
        Body("arm", Joint("tilt", axis=(0.0, 1.0, 0.0)), "column", inertia),
        Body("hand", Joint("roll", axis=(1.0, 0.0, 0.0)), "arm", inertia),
    )


def rotor_along(carrier: str) -> Rotor:
    """1.5 kg and 0.01 kg m2, spinning about x of its carrier."""
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


SPATIAL_STATE = [0.3, -0.7, 0.5]


def driven_parallelogram() -> Robot:
    """The catalog's parallelogram with motors, one on the base, one on the first link, and a wheel."""
    wheel = GearStage(Rotor(0.02, 0.015, 1.0, "link1p", Transform(translation=(0.5, 0.05, 0.0))), -0.2)
    drives = (
        Drive("m1", "theta1p", Coupling.of({"theta1p": 80.0}), rotor_at(BASE, 0.1)),
        Drive("m2", "theta1pp", Coupling.of({"theta1pp": 60.0}), rotor_at("link1p", 0.2), (wheel,)),
    )
    return replace(load("parallelogram"), drives=drives)


def without_wheels(robot: Robot) -> Robot:
    """The same drives without their gear stages."""
    return replace(robot, drives=tuple(replace(drive, stages=()) for drive in robot.drives))


# Coefficients ---------------------------------------------------------------------------------


def expected(robot: Robot, q: Any, motors: MotorModel) -> Coefficients:
    """g, H and Christoffel's c_ijk of a motor model."""
    return of_tree(tree(robot, motors), q)


def of_tree(built: Tree, q: Any) -> Coefficients:
    """g, H and Christoffel's c_ijk of a tree, its base at rest."""
    built, q = built.at_rest(), [float(x) for x in q]

    def velocity(qd: np.ndarray) -> np.ndarray:
        return np.array(inverse_dynamics(built, q, qd.tolist(), None, gravity=ZERO).torque, dtype=float)

    unit = np.eye(built.n)
    alone = [velocity(e) for e in unit]
    c = np.empty((built.n,) * 3)
    for j, k in np.ndindex(built.n, built.n):
        c[:, j, k] = 0.5 * (velocity(unit[j] + unit[k]) - alone[j] - alone[k])
    gravity = inverse_dynamics(built, q, None, None).torque
    return Coefficients([float(x) for x in gravity], mass_matrix(built, q), c.tolist())


def arrays(coefficients: Coefficients) -> list[np.ndarray]:
    """gravity, inertia, velocity."""
    return [np.array(part, dtype=float) for part in vars(coefficients).values()]


def difference(a: Coefficients, b: Coefficients) -> list[np.ndarray]:
    """a - b."""
    return [x - y for x, y in zip(arrays(a), arrays(b), strict=True)]


def agree(ours: Coefficients, theirs: Coefficients, tolerance: float = AGREEMENT) -> None:
    """Equal, each of the three relative to its largest expected value (at least 1)."""
    for mine, reference in zip(arrays(ours), arrays(theirs), strict=True):
        size = max(1.0, float(np.abs(reference).max()))
        np.testing.assert_allclose(mine, reference, rtol=0, atol=tolerance * size)
