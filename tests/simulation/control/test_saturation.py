"""Saturation: torques that motors can give, and integrators that stop meanwhile."""

from dataclasses import replace

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.mechanics.motor_limits import torque_limits
from armdyn.scalars import Array
from armdyn.simulation.control import controllers, references
from armdyn.simulation.control.called import of_function
from armdyn.simulation.control.saturation import saturated

ROUNDED = 1e-9


def torques(dyn: Dynamics, q: Array, qd: Array, asked: Array) -> Array:
    acting = saturated(of_function(lambda t, q, qd: np.broadcast_to(asked, q.shape), dyn.n), dyn)
    return acting.between(0, 1)(0.5, q, qd, np.empty((*q.shape[:-1], 0)))[0]


@pytest.mark.parametrize("name", ["lola15", "irb6", "scara", "jpl_rrp"])
@pytest.mark.parametrize("size", [0.01, 1.0, 100.0])
def test_each_motor_gives_what_it_can(name: str, size: float) -> None:
    dyn, rng = Dynamics(ad.load(name)), np.random.default_rng(7)
    q, qd = rng.uniform(-0.5, 0.5, (10, dyn.n)), rng.uniform(-1, 1, (10, dyn.n))
    asked = size * rng.uniform(-100, 100, (10, dyn.n))
    speed, demand = dyn.motor_velocity(q, qd), dyn.motor_torque(q, asked)
    wanted = np.empty_like(demand)
    for k, drive in enumerate(dyn.robot.drives):
        lower, upper = torque_limits(drive.motor, speed[:, k])
        assert (lower <= upper).all()
        wanted[:, k] = np.clip(demand[:, k], lower, upper)
    found = torques(dyn, q, qd, asked)
    np.testing.assert_allclose(dyn.motor_torque(q, found), wanted, rtol=1e-9, atol=ROUNDED)
    for k in range(10):
        np.testing.assert_allclose(torques(dyn, q[k], qd[k], asked[k]), found[k], rtol=1e-12, atol=ROUNDED)


def test_within_the_limits_nothing_changes() -> None:
    dyn = Dynamics(ad.load("lola15"))
    asked = np.array([1.0, 2.0, -3.0, 0.1, 0.2, -0.3])
    assert (torques(dyn, np.zeros(6), np.zeros(6), asked) == asked).all()


def test_joints_without_motors_have_their_efforts() -> None:
    dyn = Dynamics(ad.load("ur5"))
    found = torques(dyn, np.zeros(6), np.zeros(6), np.array([200.0, -200, 10, 30, -30, 5]))
    np.testing.assert_allclose(found, [150, -150, 10, 28, -28, 5])


def test_integrator_stops_only_where_it_asks_for_more() -> None:
    dyn = Dynamics(ad.load("ur5"))
    ahead = np.array([1.0, -1.0, 1.0, 0.0, 0.0, 0.0])
    pid = controllers.pid(dyn, references.fixed(ahead), kp=100.0, kv=0.0, ki=1.0)
    law = saturated(pid, dyn).between(0, 1)
    z = np.array([100.0, -100.0, -1000.0, 0.0, 0.0, 0.0])
    tau, rates = law(0.0, np.zeros(6), np.zeros(6), z)
    np.testing.assert_allclose(tau, [150, -150, -150, 0, 0, 0])
    # joints 1 and 2 ask for more of what they do not get; joint 3 comes back from there
    np.testing.assert_array_equal(rates, [0, 0, 1, 0, 0, 0])
    many, of_many = law(0.0, np.zeros((2, 6)), np.zeros((2, 6)), np.stack([z, 0 * z]))
    np.testing.assert_array_equal(of_many, [rates, ahead])
    np.testing.assert_array_equal(many[0], tau)


def test_states_of_other_controllers_are_left_alone() -> None:
    dyn = Dynamics(ad.load("ur5"))
    law = saturated(of_function(lambda t, q, qd, z: (1e4 + q, 1 + z), 6, states=6), dyn).between(0, 1)
    assert (law(0.0, np.zeros(6), np.zeros(6), np.zeros(6))[1] == 1).all()


def test_it_is_what_it_saturates_but_for_torques() -> None:
    dyn = Dynamics(ad.load("ur5"))
    reference = references.of_function(lambda t: [t] * 6, 6, breaks=[1.0], end=2.0)
    pid = controllers.pid(dyn, reference, kp=1, kv=1, ki=1)
    acting = saturated(pid, dyn)
    assert (acting.states, acting.end, acting.source) == (6, 2.0, pid.source)
    assert acting.breaks.tolist() == [1.0]


def test_fewer_drives_than_joints_are_refused() -> None:
    robot = ad.load("lola15")
    dyn = Dynamics(replace(robot, drives=robot.drives[:5]), "none")
    with pytest.raises(MissingDataError, match=r"5 drives for 6 joints.* or simulate without saturation"):
        saturated(of_function(lambda t, q, qd: q, 6), dyn)


def test_robot_without_limits_is_refused() -> None:
    dyn = Dynamics(ad.load("puma560"))
    with pytest.raises(MissingDataError, match='robot "puma560": no torque limit is known'):
        saturated(of_function(lambda t, q, qd: q, 6), dyn)
