"""tau = Y pi: for random robots under every motor model, and the shape of Y."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.formats import catalog, load
from armdyn.mechanics.tree.motors import MOTOR_MODELS
from random_robots import Features, robots

LINEAR = 1e-11
"""Relative to the largest torque: the same sums in another order (asked for: 1e-11; seen: 5e-15)."""


def supported(robot):
    """The dynamics under every motor model that the robot's data support."""
    for motors in MOTOR_MODELS:
        try:
            yield Dynamics(robot, motors, friction=True)
        except MissingDataError:
            continue


def close(found, expected):
    return np.abs(found - expected).max() <= LINEAR * max(np.abs(expected).max(), 1.0)


@pytest.mark.parametrize("name", catalog())
def test_torques_of_catalog_robots_are_the_regressor_times_the_parameters(name):
    for dyn in supported(load(name).with_payload(2.0, (0.1, -0.05, 0.2), (0.02, 0.03, 0.04, 0, 0, 0))):
        q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 20, dyn.n))
        assert close(dyn.regressor(q, qd, qdd) @ dyn.parameter_values, dyn.inverse(q, qd, qdd))


@given(robots(Features(friction=True, bodies=5)), st.integers(0, 2**32 - 1))
@settings(max_examples=25)
def test_torques_of_random_robots_are_the_regressor_times_the_parameters(robot, seed):
    """Trees, couplings, screws, gear stages, friction under load at joints and motors, a moving base."""
    q, qd, qdd = np.random.default_rng(seed).uniform(-1, 1, (3, 5, robot.n))
    for dyn in supported(robot):
        assert close(dyn.regressor(q, qd, qdd) @ dyn.parameter_values, dyn.inverse(q, qd, qdd))


def test_the_regressor_of_the_motors_gives_their_torques():
    for name in ("lola15", "irb6"):  # coupled gears, ball screws
        dyn = Dynamics(load(name))
        q, qd, qdd = np.random.default_rng(1).uniform(-0.5, 0.5, (3, 10, dyn.n))
        motor = dyn.motor_torque(q, dyn.inverse(q, qd, qdd))
        assert close(dyn.regressor(q, qd, qdd, side="motor") @ dyn.parameter_values, motor)


def test_the_regressor_of_a_chain_is_block_triangular():
    """[Siciliano2009] (7.80): a joint does not feel the links before it."""
    dyn = Dynamics(load("puma560"))
    Y = dyn.regressor(*np.random.default_rng(2).uniform(-1, 1, (3, 20, 6)))
    owners = {body.name: k for k, body in enumerate(dyn.robot.bodies)}
    for column, parameter in enumerate(dyn.parameters):
        if parameter.side == "body":
            below = Y[:, owners[parameter.owner] + 1 :, column]
            assert not below.any(), parameter.name


def test_columns_are_what_a_changed_robot_does():
    """A heavier link and a larger rotor, one at a time, by the robot file's own numbers."""
    robot = load("planar2")
    dyn = Dynamics(robot, "exact")
    state = np.random.default_rng(3).uniform(-1, 1, (3, 5, 2))
    names = [parameter.name for parameter in dyn.parameters]
    Y = dyn.regressor(*state)
    heavier = replace(robot.bodies[1].inertia, mass=51.0)  # about its own centre: 1 kg at (-0.5, 0, 0)
    changed = replace(robot, bodies=(robot.bodies[0], replace(robot.bodies[1], inertia=heavier)))
    more = Dynamics(changed, "exact").inverse(*state) - dyn.inverse(*state)
    per_mass = {"link2.m": 1.0, "link2.mcx": -0.5, "link2.Iyy": 0.25, "link2.Izz": 0.25}
    assert close(sum(Y[..., names.index(name)] * x for name, x in per_mass.items()), more)
    drive = robot.drives[1]
    assert drive.rotor is not None
    larger = replace(drive, rotor=replace(drive.rotor, axial=0.02))
    changed = replace(robot, drives=(robot.drives[0], larger))
    more = Dynamics(changed, "exact").inverse(*state) - dyn.inverse(*state)
    # the rotor's 0.01 kg m2 spins, and rides on link 1 (half of it across the axis: a thin disc)
    parts = {"motor2.I": 0.01, "link1.Izz": 0.01, "link1.Ixx": 0.005, "link1.Iyy": 0.005}
    assert close(sum(Y[..., names.index(name)] * x for name, x in parts.items()), more)


def test_friction_parameters_leave_with_friction():
    robot = load("puma560")
    with_friction, without = Dynamics(robot, friction=True), Dynamics(robot, friction=False)
    assert len(with_friction.parameters) == len(without.parameters) + 6 * 3 + 6 * 2  # joints, motors
    assert {p.kind for p in with_friction.parameters} >= {"viscous", "coulomb", "offset"}
    assert all(p.side in ("body", "rotor") for p in without.parameters)
    assert len(with_friction.parameter_values) == len(with_friction.parameters)


def test_names_say_whose_they_are_and_units_follow_the_joint():
    slider = {p.name: p.unit for p in Dynamics(load("planar_pr")).parameters}
    assert slider["joint1.viscous"] == "N s/m"
    assert slider["joint2.coulomb"] == "N m"
    assert slider["link1.mcy"] == "kg m"
    assert slider["link1.Ixz"] == "kg m2"
