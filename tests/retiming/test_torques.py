"""Torques along a course as forms, beside inverse dynamics of one motion after another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actuated_robots import belt_arm
from armdyn.dynamics import Dynamics
from armdyn.feasibility.arm import Arm
from armdyn.formats import catalog, load
from armdyn.mechanics.drives import motor_torques
from armdyn.mechanics.loads import Loads
from armdyn.mechanics.rubbing import projected, rubs
from armdyn.retiming.torques import Course, torques
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from armdyn.scalars.forms import Form
from random_robots import Features, robots

SAME = 1e-12
"""Relative to the largest: other steps to the same numbers."""
COUNT = 20
SEED = 5
LOADED = Features(bodies=4, friction=True, nonlinear=False)
BENT = Features(bodies=4, friction=True)


def random_course(n: int, seed: int = SEED) -> Course:
    """Places, some joints at rest at some of them, one where all rest, one where all are at rest for good."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-0.4, 0.4, (COUNT, n))
    rate, bend = rng.normal(0, 1, (2, COUNT, n))
    rate[rng.random(rate.shape) < 0.2] = 0.0
    rate[1:3], bend[2] = 0.0, 0.0
    return Course(q, rate, rate, bend)


def random_rates(seed: int = SEED) -> tuple[Array, Array]:
    """u and x at every place, both signs of u."""
    rng = np.random.default_rng(seed + 1)
    return rng.normal(0, 3, COUNT), rng.uniform(0.01, 4, COUNT)


def motion(course: Course, u: Array, x: Array) -> tuple[Array, Array, Array]:
    """q, qd, qdd."""
    qdd = course.along * u[:, None] + course.bend * x[:, None]
    return course.q, course.rate * np.sqrt(x)[:, None], qdd


def values(forms: list[Form], u: Array, x: Array) -> Array:
    """(t, n)."""
    return np.stack([np.broadcast_to(form.at(u, x), u.shape) for form in forms], axis=1)


def agree(ours: Array, theirs: Array) -> None:
    assert np.abs(ours - theirs).max() <= SAME * max(1.0, float(np.abs(theirs).max()))


def check(arm: Arm, seed: int) -> None:
    course = random_course(arm.dyn.n, seed)
    u, x = random_rates(seed)
    found = torques(arm, course)
    state = motion(course, u, x)
    agree(values(found.motors, u, x), arm.torque(*state))
    agree(values(found.joints, u, x), arm.joint_torque(*state))


@pytest.mark.parametrize("name", catalog())
@pytest.mark.parametrize("friction", [True, False])
def test_forms_are_what_inverse_dynamics_says(name: str, friction: bool) -> None:
    check(Arm(Dynamics(load(name), friction=friction)), SEED)


@pytest.mark.numpy
@settings(max_examples=settings().max_examples // 3)
@given(st.one_of(robots(LOADED), robots(BENT)), st.integers(0, 10_000), st.booleans())
def test_of_random_robots_too(robot: Robot, seed: int, touching: bool) -> None:
    """Coupled and bent gears, friction of all kinds at joints and motors, moving bases, contact."""
    rng = np.random.default_rng(seed)
    wrench, at = (rng.normal(0, 5, 6), rng.normal(0, 0.1, 3)) if touching else (None, None)
    check(Arm(Dynamics(robot, friction=True), wrench, at), seed)


def test_at_the_same_rate_all_along_a_coupled_motor_may_rest() -> None:
    """u = 0: a motor whose joints cancel starts the way that its acceleration goes."""
    own = Friction(viscous=0.1, coulomb=0.2, starting=0.3, load=0.1)
    robot = belt_arm()
    robot = replace(robot, drives=tuple(replace(drive, friction=own) for drive in robot.drives))
    arm = Arm(Dynamics(robot))
    rate, bend = np.array([[0.3, -0.3], [0.3, -0.3]]), np.array([[0.5, 0.7], [0.5, -0.9]])
    course = Course(np.array([[0.1, 0.2]] * 2), rate, 0 * rate, bend)
    u, x = np.zeros(2), np.array([0.7, 1.9])
    agree(values(torques(arm, course).motors, u, x), arm.torque(*motion(course, u, x)))


# In given ways --------------------------------------------------------------------------------


def in_ways(arm: Arm, state: tuple[Array, Array, Array], ways: Array) -> tuple[Array, Array]:
    """Torques (t, n) of joints and motors, one float after another."""
    robot, joints, motors = arm.dyn.robot, list[Any](), list[Any]()
    loads = arm.dyn.loads(*state)
    points = arm.dyn.friction_points
    for q, qd, qdd, (joint, drive), way in zip(*(x.tolist() for x in (*state, loads, ways)), strict=True):
        taken = Loads(joint, drive)
        found = rubs(robot, q, qd, qdd, taken, [0.0] * len(points), way, points)
        joints.append([a + b for a, b in zip(taken.torque, projected(found, robot.n), strict=True)])
        motors.append(motor_torques(robot, q, joints[-1]) if arm.actuators.geared else joints[-1])
    return np.array(joints), np.array(motors)


@pytest.mark.parametrize("name", catalog())
def test_in_given_ways_nothing_is_decided_by_rates(name: str) -> None:
    arm = Arm(Dynamics(load(name), friction=True))
    course, (u, x) = random_course(arm.dyn.n), random_rates()
    ways = np.random.default_rng(SEED).integers(-1, 2, (COUNT, len(arm.dyn.friction_points))).astype(float)
    found = torques(arm, course, ways)
    joints, motors = in_ways(arm, motion(course, u, x), ways)
    agree(values(found.joints, u, x), joints)
    agree(values(found.motors, u, x), motors)


@pytest.mark.parametrize("name", ["lola15", "puma560", "irb6"])
def test_in_the_ways_of_its_rates_an_arm_takes_what_it_takes_in_motion(name: str) -> None:
    arm = Arm(Dynamics(load(name)))
    course, (u, x) = random_course(arm.dyn.n), random_rates()
    rates = (arm.dyn.friction_gradients(course.q) @ course.rate[..., None])[..., 0]
    moving = (rates != 0).all(axis=1)
    assert moving.sum() > 3
    found = values(torques(arm, course, np.sign(rates)).motors, u, x)
    agree(found[moving], arm.torque(*motion(course, u, x))[moving])


@pytest.mark.parametrize("name", ["lola15", "puma560", "irb6"])
def test_slopes_are_those_of_differences(name: str) -> None:
    arm = Arm(Dynamics(load(name)))
    course, (u, x) = random_course(arm.dyn.n), random_rates()
    h = 1e-6
    for form in torques(arm, course).motors:
        value, by_u, by_x = form.slopes(u, x)
        agree(value, form.at(u, x))
        size = max(1.0, float(np.abs(value).max()))
        assert np.abs((form.at(u + h, x) - form.at(u - h, x)) / (2 * h) - by_u).max() < 1e-7 * size
        assert np.abs((form.at(u, x + h) - form.at(u, x - h)) / (2 * h) - by_x).max() < 1e-7 * size
