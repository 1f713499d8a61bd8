"""Parameters that a robot can have: whatever the data say, the robot loads."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, MissingDataError
from armdyn.identification.base_parameters import base_parameters
from armdyn.identification.estimation.consistent import consistent, equations_of
from armdyn.identification.robot_parameters import RobotParameters, SingleBody, inertia_of
from armdyn.mechanics.body_parameters import parameters_of
from armdyn.spatial import Inertia

SOLVED = 1e-6
"""Of the largest torque: what the solver leaves below zero of friction, which a robot has none of."""
FITTED = 1e-5
"""Of a standard error: how far the solver stays from what fits exactly."""


def equations(dyn, rng, noise):
    """Random states of the robot's own torques with noise, in units of it, in all parameters."""
    q, qd, qdd = rng.uniform(-1, 1, (3, 100, dyn.n))
    tau = dyn.inverse(q, qd, qdd)
    sigma = noise * np.abs(tau).max(axis=0)
    Y = dyn.regressor(q, qd, qdd) / sigma[:, None]
    y = tau / sigma + rng.normal(size=tau.shape)
    R: Any = np.linalg.qr(np.column_stack([Y.reshape(-1, Y.shape[-1]), y.ravel()]), mode="r")
    return R[:, :-1], R[:, -1]


@pytest.mark.parametrize("name", ["planar2", "scara", "puma560"])
def test_whatever_the_data_say_the_robot_loads(name, tmp_path):
    """Noise as large as the torques: least squares give negative masses, the robot does not."""
    dyn = ad.Dynamics(ad.load(name), friction=True)
    of_robot, rng = RobotParameters(dyn), np.random.default_rng(0)
    for noise in (1e-3, 1.0, 30.0):
        found = consistent(of_robot, *equations(dyn, rng, noise), dyn.parameter_values)
        robot = of_robot.with_values(found.pi)
        assert not any(body.inertia.unphysical() or body.accept_unphysical for body in robot.bodies)
        ad.save(robot, tmp_path / "arm.toml")
        assert ad.load(tmp_path / "arm.toml") == robot
        carried = np.array([each.kind != "offset" for each in dyn.parameters])  # robots have none
        state = rng.uniform(-1, 1, (3, 20, dyn.n))
        expected = dyn.regressor(*state) @ np.where(carried, found.pi, 0.0)
        torques = ad.Dynamics(robot, dyn.motors, friction=True).inverse(*state)
        assert np.abs(torques - expected).max() < SOLVED * np.abs(expected).max()


@pytest.mark.parametrize("name", ["planar2", "irb6", "puma560"])
def test_a_robot_is_given_back_its_own_parameters(name):
    """Rotors that ride on links, motors, friction: with_values undoes parameter_values."""
    robot = ad.load(name).with_payload(1.0, (0.1, 0.0, 0.0))
    dyn = ad.Dynamics(robot, friction=True)
    back = RobotParameters(dyn).with_values(dyn.parameter_values)
    assert back.bodies == robot.bodies
    again = ad.Dynamics(back, friction=True).parameter_values
    assert np.allclose(again, dyn.parameter_values, rtol=1e-14, atol=0)


def test_exact_data_are_fitted_exactly():
    dyn = ad.Dynamics(ad.load("ur5"), friction=True)
    base, rng = base_parameters(dyn), np.random.default_rng(1)
    truth = base.values(dyn.parameter_values)
    spread = np.diag((1e-3 * np.maximum(np.abs(truth), 0.1)) ** 2)
    A, y = equations_of(truth, spread, np.ones(len(truth)), np.empty((len(truth), 0)))
    elsewhere = dyn.parameter_values * rng.uniform(0.5, 2.0, len(dyn.parameters))
    found = consistent(RobotParameters(dyn), A @ base.grouping, y, elsewhere)
    off = (base.values(found.pi) - truth) / np.sqrt(np.diag(spread))
    assert np.abs(off).max() < 0.05  # of a standard error: the prior's pull
    assert found.misfit < 0.1


def test_a_prior_that_is_trusted_holds_where_data_are_poor():
    dyn = ad.Dynamics(ad.load("planar2"), friction=True)
    of_robot, rng = RobotParameters(dyn), np.random.default_rng(2)
    A, y = equations(dyn, rng, 3.0)
    prior = dyn.parameter_values
    loosely, firmly = (consistent(of_robot, A, y, prior, trust).pi for trust in (1e3, 1e-3))
    masses = [k for k, each in enumerate(dyn.parameters) if each.kind == "m"]
    assert np.abs(firmly[masses] / prior[masses] - 1).max() < 0.02
    assert np.abs(loosely[masses] / prior[masses] - 1).max() > 0.1


def test_the_distance_to_the_prior_knows_no_units():
    """A body in millimetres and grams, fitted there, is the same body."""
    body = Inertia(2.0, (0.1, 0.0, -0.05), ((0.03, 0.001, 0.0), (0.001, 0.04, 0.0), (0.0, 0.0, 0.05)))
    truth = np.array(parameters_of(body), dtype=float)
    units = np.array([1e3, *[1e6] * 3, *[1e9] * 6])
    A = np.random.default_rng(3).normal(size=(5, 10)) / np.abs(truth).max()
    prior = truth * 1.2
    plain = consistent(SingleBody(), A, A @ truth, prior, 0.3).pi
    small = consistent(SingleBody(), A / units, A @ truth, prior * units, 0.3).pi / units
    assert np.allclose(plain, small, rtol=1e-4, atol=1e-6)


def test_a_point_mass_prior_is_given_some_extent():
    point = np.array(parameters_of(Inertia(1.0, (0.2, 0.0, 0.0))), dtype=float)
    found = consistent(SingleBody(), np.eye(10)[:1], np.array([1.0]), point)
    assert inertia_of(found.pi).unphysical() is None
    assert abs(found.pi[0] - 1.0) < FITTED * 1e3


def test_bad_trust_is_refused():
    with pytest.raises(InputError, match="prior is -1, expected the share that it may be off by"):
        consistent(SingleBody(), np.eye(10), np.zeros(10), np.zeros(10), -1)


def test_without_its_solver_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "clarabel", None)
    with pytest.raises(MissingDataError, match=r"pip install 'armdyn\[identify\]'"):
        consistent(SingleBody(), np.eye(10), np.zeros(10), np.zeros(10))
