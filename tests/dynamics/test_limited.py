"""What motors with limits make of demanded accelerations: one answer, inside every limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from actuated_robots import belt_arm
from armdyn.dynamics import Dynamics, limited
from armdyn.errors import ShapeError
from armdyn.formats import load
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from armdyn.scalars.batch import Losses

EXACT = 1e-12
"""Relative: what the elimination of some equations leaves."""
SEED = 6


def states(n: int, count: int, seed: int = SEED) -> tuple[Array, Array, Array]:
    rng = np.random.default_rng(seed)
    return rng.uniform(-1.5, 1.5, (count, n)), rng.uniform(-1, 1, (count, n)), rng.uniform(-8, 8, (count, n))


def tightened(dyn: Dynamics, motion: Sequence[Array], share: float) -> Array:
    """Limits below which a share of the demanded torques stays."""
    return np.quantile(np.abs(dyn.motor_demand(*motion)), share, axis=0)


def gears(dyn: Dynamics, q: Array) -> Array:
    return dyn.gear_matrix(q) if dyn.robot.drives else np.broadcast_to(np.eye(dyn.n), (*q.shape, dyn.n))


def with_friction(robot: Robot, friction: Friction) -> Robot:
    """The robot whose joints all have this friction."""
    bodies = tuple(replace(body, joint=replace(body.joint, friction=friction)) for body in robot.bodies)
    return replace(robot, bodies=bodies)


ARMS = {
    "planar2": load("planar2"),
    "belt": belt_arm(),
    "ur5": load("ur5"),
    "irb6": load("irb6"),
    "lola15": load("lola15"),
    "dry ur5": with_friction(load("ur5"), Friction(viscous=0.5, coulomb=2.0, starting=3.0, load=0.2)),
}


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
@pytest.mark.parametrize("name", ARMS)
def test_inside_the_limits_and_nothing_lags_without_need(name: str, share: float) -> None:
    dyn = Dynamics(ARMS[name], friction=True)
    q, qd, demand = states(dyn.n, 500)
    if name == "irb6":
        q *= 0.3  # its screws have dead centres further out
    limit = tightened(dyn, (q, qd, demand), share)
    losses = Losses()
    qdd, torque, at = dyn.limited_acceleration(q, qd, demand, -limit, limit, losses=losses)
    assert losses.rows == 0
    assert (np.abs(torque) <= limit).all()
    taken = dyn.motor_demand(q, qd, qdd)
    assert np.abs(taken - torque).max() <= EXACT * np.abs(taken).max() * 10
    turned = np.einsum("tij,tj->ti", gears(dyn, q), qdd - demand)
    size = np.abs(np.einsum("tij,tj->ti", np.abs(gears(dyn, q)), np.abs(demand) + np.abs(qdd)))
    assert (np.abs(turned)[at == 0] <= EXACT * size[at == 0]).all()
    assert (turned * at <= 0).all()
    assert np.array_equal(torque[at == 1], np.broadcast_to(limit, torque.shape)[at == 1])
    assert 0.01 < (at != 0).mean() < 0.95


def by_enumeration(A: Array, asked: Array, limit: Array) -> list[Array]:
    """Every delta with which all motors keep the rules: each set of saturated motors tried."""
    found: list[Array] = []
    n = len(asked)
    for way in product((-1, 0, 1), repeat=n):
        s = np.array(way)
        on = s != 0
        delta = np.zeros(n)
        if on.any():
            delta[on] = np.linalg.solve(A[np.ix_(on, on)], (s * limit - asked)[on])
        u = asked + A @ delta
        if (np.abs(u[~on]) <= limit[~on]).all() and (delta[on] * s[on] <= 0).all():
            found.append(delta)
    return found


@pytest.mark.parametrize("name", ["planar2", "belt", "ur5"])
def test_the_one_answer_of_all_possible_sets(name: str) -> None:
    dyn = Dynamics(ARMS[name], friction=False)
    q, qd, demand = states(dyn.n, 12)
    limit = tightened(dyn, (q, qd, demand), 0.5)
    qdd, *_ = dyn.limited_acceleration(q, qd, demand, -limit, limit)
    asked = dyn.motor_demand(q, qd, demand)
    for k in range(len(q)):
        K = gears(dyn, q)[k]
        back = np.linalg.inv(K)
        A = back.T @ dyn.mass_matrix(q[k]) @ back
        answers = by_enumeration(A, asked[k], limit)
        assert len(answers) == 1
        assert np.allclose(
            K @ (qdd[k] - demand[k]), answers[0], rtol=0, atol=1e-9 * np.abs(K @ demand[k]).max()
        )


@pytest.mark.numpy
@pytest.mark.parametrize("name", ["lola15", "dry ur5"])
def test_from_rest_the_torques_cause_the_motion(name: str) -> None:
    """Tight limits at rest: some motors cannot start their joints, which stay exactly where they are."""
    dyn = Dynamics(ARMS[name], friction=True)
    q, _, demand = states(dyn.n, 40)
    still = np.zeros_like(q)
    limit = tightened(dyn, (q, still, demand), 0.1)
    qdd, torque, at = dyn.limited_acceleration(q, still, demand, -limit, limit)
    assert (np.abs(torque) <= limit).all()
    joint = torque if not dyn.robot.drives else dyn.torque_of_motors(q, torque)
    caused = dyn.forward(q, still, joint)
    assert np.abs(caused - qdd).max() <= 1e-9 * np.abs(demand).max()
    turned = np.einsum("tij,tj->ti", gears(dyn, q), qdd - demand)
    assert np.abs(turned[at == 0]).max() <= 1e-9 * np.abs(demand).max() * np.abs(gears(dyn, q)).max()
    assert (qdd == 0).any()


def test_generous_limits_change_nothing() -> None:
    dyn = Dynamics(load("lola15"))
    q, qd, demand = states(6, 100)
    qdd, torque, at = dyn.limited_acceleration(q, qd, demand, np.full(6, -1e300), np.full(6, 1e300))
    assert np.array_equal(qdd, demand)
    assert np.allclose(torque, dyn.motor_demand(q, qd, demand), rtol=EXACT, atol=EXACT)
    assert not at.any()


def test_motor_demand_is_inverse_dynamics_at_the_motors() -> None:
    dyn, free = Dynamics(load("lola15")), Dynamics(load("ur5"))
    motion = states(6, 50)
    through_gears = dyn.motor_torque(motion[0], dyn.inverse(*motion))
    assert np.allclose(dyn.motor_demand(*motion), through_gears, rtol=EXACT, atol=EXACT)
    assert np.allclose(free.motor_demand(*motion), free.inverse(*motion), rtol=EXACT, atol=EXACT)


@pytest.mark.parametrize("resting", [False, True])
def test_one_state_with_a_wrench(resting: bool) -> None:
    """The function for loops gives what the method gives, machine code or not."""
    dyn = Dynamics(load("lola15"))
    q, qd, demand = (x[0] for x in states(6, 1))
    wrench, at = np.array([100.0, 100.0, -150.0, 0.0, 0.0, 0.0]), np.array([0.1, 0.0, 0.2])
    limit = 0.3 * np.abs(dyn.motor_demand(q, qd, demand, wrench, at=at)) + 0.1
    qd = 0 * qd if resting else qd
    alone = dyn.of_one_state("limited_acceleration", "wrench", "at")
    for one, whole in zip(
        alone(q, qd, demand, -limit, limit, wrench, at),
        dyn.limited_acceleration(q, qd, demand, -limit, limit, wrench, at=at),
        strict=True,
    ):
        assert np.array_equal(one, whole)


def test_wrong_shapes_are_refused() -> None:
    dyn = Dynamics(load("ur5"))
    with pytest.raises(ShapeError, match=r"upper has shape \(5,\)"):
        dyn.limited_acceleration(*states(6, 1), np.zeros(6), np.zeros(5))


def loaded(load: float) -> Robot:
    """Lola 15 whose motors have much friction under load."""
    friction = Friction(load=load, coulomb=0.05)
    robot = ARMS["lola15"]
    return replace(robot, drives=tuple(replace(drive, friction=friction) for drive in robot.drives))


def half_resting(dyn: Dynamics, count: int) -> tuple[Array, ...]:
    """States in which every other joint rests, demands and limits of many sizes."""
    rng, n = np.random.default_rng(SEED), dyn.n
    q, qd = rng.uniform(-2.5, 2.5, (count, n)), rng.normal(size=(count, n))
    qd[rng.random((count, n)) < 0.5] = 0.0
    demand = rng.normal(size=(count, n)) * rng.choice([0.1, 1, 10, 100], (count, 1))
    demand[rng.random((count, n)) < 0.25] = 0.0
    asked = np.abs(dyn.motor_demand(q, qd, demand))
    limit = asked * rng.choice([0.01, 0.3, 0.8, 1.5, 5], (count, n)) + 1e-3
    return q, qd, demand, -limit, limit * rng.uniform(0.3, 3, (count, n))


@pytest.mark.parametrize("load", [*(pytest.param(x, marks=pytest.mark.slow) for x in (0.2, 0.8)), 0.5])
def test_strong_friction_under_load_in_motors_of_which_some_rest(load: float) -> None:
    dyn = Dynamics(loaded(load))
    q, qd, demand, lower, upper = half_resting(dyn, 300)
    losses = Losses()
    qdd, torque, at = dyn.limited_acceleration(q, qd, demand, lower, upper, losses=losses)
    assert losses.rows == 0
    assert ((lower <= torque) & (torque <= upper)).all()
    caused = dyn.forward(q, qd, dyn.torque_of_motors(q, torque))
    assert np.abs(caused - qdd).max() <= 1e-9 * np.abs(demand).max()
    K = gears(dyn, q)
    turned = np.einsum("tij,tj->ti", K, qdd - demand)
    freedom = np.abs(K @ np.linalg.solve(dyn.mass_matrix(q), np.swapaxes(K, 1, 2)))
    size = np.einsum("tij,tj->ti", np.abs(K), np.abs(demand) + np.abs(qdd))
    size += np.einsum("tij,tj->ti", freedom, np.abs(torque))
    assert (np.abs(turned)[at == 0] <= 1e-11 * size[at == 0]).all()
    assert (turned * at <= 1e-11 * size).all()


@pytest.mark.slow
def test_a_state_that_is_not_found_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not answered with torques that leave a motor behind without need."""
    monkeypatch.setattr(limited, "ATTEMPTS", 1)
    dyn = Dynamics(loaded(0.8))
    state = half_resting(dyn, 200)
    losses = Losses()
    results = dyn.limited_acceleration(*state, losses=losses)
    lost = np.isnan(results[0]).any(axis=1)
    assert 0 < losses.rows == lost.sum() < 100
    for result in results:
        assert np.isnan(result[lost]).all()
        assert np.isfinite(result[~lost]).all()


@pytest.mark.parametrize("resting", [False, True])
@pytest.mark.parametrize("name", ["ur5", "lola15"])
def test_a_lower_limit_above_the_upper_one_has_no_answer(name: str, resting: bool) -> None:
    dyn = Dynamics(load(name))
    q, qd, demand = states(6, 3)
    limit = np.full((3, 6), 1e3)
    limit[1, 2] = -1.0
    losses = Losses()
    qdd, torque, at = dyn.limited_acceleration(
        q, 0 * qd if resting else qd, demand, -limit, limit, losses=losses
    )
    assert losses.rows == 1
    for result in (qdd, torque, at):
        assert np.isnan(result).all(axis=1).tolist() == [False, True, False]


def test_infinite_limits_are_none() -> None:
    dyn = Dynamics(load("lola15"))
    q, qd, demand = states(6, 5)
    upper = np.array([np.inf, 1.0, np.inf, 0.1, np.inf, np.inf])
    infinite = dyn.limited_acceleration(q, qd, demand, -upper, upper)
    upper[np.isinf(upper)] = 1e200
    for one, other in zip(infinite, dyn.limited_acceleration(q, qd, demand, -upper, upper), strict=True):
        assert np.array_equal(one, other)
        assert np.isfinite(one).all()


def test_a_torque_just_above_its_limit_saturates() -> None:
    """By a millionth: nothing is rounded away."""
    dyn = Dynamics(load("ur5"))
    q, qd, demand = states(6, 20)
    limit = np.abs(dyn.motor_demand(q, qd, demand)) * (1 - 1e-6)
    _, torque, at = dyn.limited_acceleration(q, qd, demand, -limit, limit)
    assert (np.abs(torque) <= limit).all()
    assert at.any(axis=1).all()
