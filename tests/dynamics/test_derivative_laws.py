"""Derivatives of torques and accelerations of random robots: beside differences, and their laws."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.dynamics import Dynamics
from armdyn.mechanics.body_parameters import parameters_of
from armdyn.robot import Robot
from armdyn.spatial import Inertia
from dynamics.differences import DIFFERENCES, close, differences_of
from random_robots import Features, random_inertia, robots, states

pytestmark = pytest.mark.numpy  # hundreds of robots
ROUNDING = 1e-10
"""Relative to the largest element: the same sums in another order."""


# Differences ----------------------------------------------------------------------------------

ANYTHING = Features()
RUBBING = Features(bodies=4, friction=True, nonlinear=False)


def outside(rng: np.random.Generator, some: int) -> dict[str, Any]:
    """A contact, a moving base, both or none of them."""
    touching = {"wrench": rng.uniform(-5, 5, 6), "at": rng.uniform(-0.3, 0.3, 3)} if some & 1 else {}
    return touching | ({"base": rng.uniform(-2, 2, 12)} if some & 2 else {})


def check_torques_by_the_state(dyn: Dynamics, seed: int, some: int) -> None:
    x = states(dyn.robot, seed, 1)[:, 0]
    around = outside(np.random.default_rng(seed), some)
    size = max(1.0, float(np.abs(dyn.inverse(*x, **around)).max()))
    for k, slope in enumerate(dyn.inverse_derivatives(*x, **around)):
        close(slope, differences_of(dyn.inverse, x, k, **around), DIFFERENCES, least=size)


@given(robots(ANYTHING), st.integers(0, 10_000), st.integers(0, 3))
def test_torques_by_the_state_are_what_differences_say(robot: Robot, seed: int, some: int) -> None:
    check_torques_by_the_state(Dynamics(robot), seed, some)


@given(robots(RUBBING), st.integers(0, 10_000), st.integers(0, 3))
def test_so_are_those_with_friction_under_load(robot: Robot, seed: int, some: int) -> None:
    check_torques_by_the_state(Dynamics(robot, friction=True), seed, some)


def check_accelerations(dyn: Dynamics, seed: int, some: int) -> None:
    """d qdd/d x takes back what d tau/d x would change: d tau/d x + d tau/d qdd d qdd/d x = 0."""
    q, qd, qdd = states(dyn.robot, seed, 1)[:, 0]
    around = outside(np.random.default_rng(seed), some)
    tau = dyn.inverse(q, qd, qdd, **around)
    by_q, by_qd, by_tau = dyn.forward_derivatives(q, qd, tau, **around)
    there = dyn.forward(q, qd, tau, **around)  # several accelerations may need the same torques
    *torque_by_state, H = dyn.inverse_derivatives(q, qd, there, **around)
    ill = max(1.0, float(np.linalg.cond(H)))
    for torque_slope, slope in zip(torque_by_state, (by_q, by_qd), strict=True):
        close(H @ slope, -torque_slope, ROUNDING * ill, least=1.0)
    close(H @ by_tau, np.eye(dyn.n), ROUNDING * ill)
    by_parameters = dyn.forward_parameter_derivatives(q, qd, tau, **around)
    torque_slope = dyn.inverse_parameter_derivatives(q, qd, there, **around)
    close(np.einsum("ij,jbk->ibk", H, by_parameters), -torque_slope, ROUNDING * ill, least=1.0)


@given(robots(ANYTHING), st.integers(0, 10_000), st.integers(0, 3))
def test_accelerations_compensate_torques(robot: Robot, seed: int, some: int) -> None:
    check_accelerations(Dynamics(robot), seed, some)


@given(robots(RUBBING), st.integers(0, 10_000), st.integers(0, 3))
def test_they_do_with_friction_under_load(robot: Robot, seed: int, some: int) -> None:
    check_accelerations(Dynamics(robot, friction=True), seed, some)


# Parameters -----------------------------------------------------------------------------------


def heavier(robot: Robot, k: int, extra: Inertia) -> Robot:
    body = replace(robot.bodies[k], inertia=robot.bodies[k].inertia + extra)
    return replace(robot, bodies=(*robot.bodies[:k], body, *robot.bodies[k + 1 :]))


def scaled(inertia: Inertia, share: float) -> Inertia:
    tensor = tuple(tuple(share * x for x in row) for row in inertia.tensor)
    return Inertia(share * inertia.mass, inertia.com, tensor)  # pyright: ignore[reportArgumentType]


@given(robots(ANYTHING), st.integers(0, 10_000), st.integers(0, 3))
def test_a_heavier_body_takes_the_torque_that_its_parameters_say(robot: Robot, seed: int, some: int) -> None:
    rng = np.random.default_rng(seed)
    dyn, x, around = Dynamics(robot), states(robot, seed, 2), outside(rng, some)
    Y, before = dyn.inverse_parameter_derivatives(*x, **around), dyn.inverse(*x, **around)
    for k in range(len(robot.bodies)):
        extra = random_inertia(rng)
        after = Dynamics(heavier(robot, k, extra), dyn.motors).inverse(*x, **around)
        close(Y[..., k, :] @ np.array(parameters_of(extra)), after - before, ROUNDING, np.abs(after).max())


@given(robots(RUBBING), st.integers(0, 10_000))
def test_it_does_with_friction_under_load(robot: Robot, seed: int) -> None:
    share = 1e-6  # so little that no load changes its sign
    rng = np.random.default_rng(seed)
    dyn, x = Dynamics(robot, friction=True), states(robot, seed, 2)
    Y, before = dyn.inverse_parameter_derivatives(*x), dyn.inverse(*x)
    for k in range(len(robot.bodies)):
        extra = random_inertia(rng)
        after = Dynamics(heavier(robot, k, scaled(extra, share)), dyn.motors, True).inverse(*x)
        expected = (after - before) / share
        close(Y[..., k, :] @ np.array(parameters_of(extra)), expected, 1e-7, np.abs(after).max())


@given(robots(Features(drives=False)).filter(lambda robot: not robot.payloads), st.integers(0, 10_000))
def test_torques_are_the_sum_of_slopes_times_parameters(robot: Robot, seed: int) -> None:
    dyn, x = Dynamics(robot, friction=False), states(robot, seed, 3)
    parameters = np.array([parameters_of(body.inertia) for body in robot.bodies], float)
    torque = np.einsum("...bk,bk->...", dyn.inverse_parameter_derivatives(*x), parameters)
    close(torque, dyn.inverse(*x), ROUNDING, least=1.0)


# Laws -----------------------------------------------------------------------------------------


@given(robots(ANYTHING), st.integers(0, 10_000))
def test_torque_by_acceleration_is_the_mass_matrix_symmetric_to_the_last_bit(robot: Robot, seed: int) -> None:
    dyn = Dynamics(robot, friction=False)
    q, qd, qdd = states(robot, seed, 2)
    *_, H = dyn.inverse_derivatives(q, qd, qdd)
    close(H, dyn.mass_matrix(q), ROUNDING)
    *_, inverse = dyn.forward_derivatives(q, qd, qdd)
    for matrix in (H, inverse):
        assert np.array_equal(matrix, np.swapaxes(matrix, -1, -2))


@given(robots(Features(bodies=4, moving_base=False)), st.integers(0, 10_000))
def test_at_rest_the_torques_are_the_slope_of_a_potential(robot: Robot, seed: int) -> None:
    q = states(robot, seed, 2)[0]
    by_q, *_ = Dynamics(robot, friction=False).inverse_derivatives(q, 0 * q, 0 * q)
    close(by_q, np.swapaxes(by_q, -1, -2), ROUNDING, least=1.0)


@given(robots(Features(bodies=4, moving_base=False)), st.integers(0, 10_000))
def test_torque_by_velocity_is_twice_the_coriolis_matrix(robot: Robot, seed: int) -> None:
    dyn = Dynamics(robot, friction=False)
    q, qd, qdd = states(robot, seed, 2)
    close(dyn.inverse_derivatives(q, qd, qdd)[1], 2 * dyn.coriolis_matrix(q, qd), ROUNDING, least=1.0)
