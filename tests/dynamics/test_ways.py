"""Motion in given ways, gradients of friction points, and the rate of the energies."""

from __future__ import annotations

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.formats import load

SAME = 1e-11
"""Relative to the largest: other steps to the same numbers."""
SEED = 3


def state(dyn: Dynamics, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(SEED)
    q, qd = rng.uniform(-0.4, 0.4, (count, dyn.n)), rng.uniform(-1, 1, (count, dyn.n))
    return q, qd, dyn.inverse(q, qd, rng.uniform(-3, 3, (count, dyn.n)))


def shaft_rates(dyn: Dynamics, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
    return (dyn.friction_gradients(q) @ qd[..., None])[..., 0]


@pytest.mark.parametrize("name", ["irb6", "lola15", "puma560"])
def test_in_the_ways_of_its_rates_an_arm_moves_as_forward_says(name):
    dyn = Dynamics(load(name))
    q, qd, tau = state(dyn, 200)
    rates = shaft_rates(dyn, q, qd)
    qdd, taken, excess = dyn.motion_in_ways(q, qd, tau, np.sign(rates))
    expected = dyn.forward(q, qd, tau)
    assert np.abs(qdd - expected).max() < SAME * np.abs(expected).max()
    resistances = dyn.resistances(q, qd, expected)
    assert np.abs(taken - resistances).max() < SAME * np.abs(resistances).max()
    dry = np.array([point.friction.dry for point in dyn.friction_points])
    assert excess[:, dry] == pytest.approx(-np.abs(rates)[:, dry])


@pytest.mark.parametrize("name", ["irb6", "lola15", "puma560"])
def test_what_sticks_takes_what_sticking_says(name):
    """Some joints at rest, others moving: ways as `sticking` decides them."""
    dyn = Dynamics(load(name))
    q, qd, _ = state(dyn, 200)
    rng = np.random.default_rng(SEED)
    qd = np.where(rng.random(qd.shape) < 0.5, 0.0, qd)
    tau = dyn.gravity(q) + 5 * rng.normal(size=q.shape)
    found = dyn.sticking(q, qd, tau)
    rates = shaft_rates(dyn, q, qd)
    resting = np.abs(rates) < 1e-9
    ways = np.where(resting, np.where(found.sticks, 0.0, np.sign(found.resistances)), np.sign(rates))
    settled = ~(resting & ~found.sticks).any(axis=1)  # what starts has other friction once it moves
    assert settled.sum() > 3
    qdd, taken, excess = (x[settled] for x in dyn.motion_in_ways(q, qd, tau, ways))
    assert np.abs(qdd - found.acceleration[settled]).max() < 1e-9 * np.abs(found.acceleration).max()
    # where a joint and its motor both stick their shares are not determined: what they take from q is
    G = dyn.friction_gradients(q[settled])
    ours, theirs = (
        (np.swapaxes(G, -1, -2) @ x[..., None])[..., 0] for x in (taken, found.resistances[settled])
    )
    assert np.abs(ours - theirs).max() < 1e-8 * np.abs(theirs).max()
    if name != "lola15":
        assert (excess[found.sticks[settled]] <= 0).all()


def test_a_way_goes_on_beyond_the_instant_at_which_it_ends():
    """Against its way a point still rubs as if it moved that way, smoothly."""
    dyn = Dynamics(load("puma560"))
    q = np.array(dyn.robot.home)
    ways = np.ones(len(dyn.friction_points))
    at = [dyn.motion_in_ways(q, np.full(6, v), np.zeros(6), ways)[0] for v in (-1e-6, 0.0, 1e-6)]
    assert at[0] + at[2] == pytest.approx(2 * at[1], abs=1e-6)


@pytest.mark.parametrize("name", ["irb6", "lola15", "ur5", "panda"])
def test_energy_changes_with_the_power_of_the_drives(name):
    dyn = Dynamics(load(name), friction=False)
    q, qd, tau = state(dyn, 50)
    rate = dyn.energy_rate(q, qd, dyn.forward(q, qd, tau))
    power = (tau * qd).sum(axis=-1)
    assert np.abs(rate - power).max() < 1e-11 * np.abs(power).max()


def test_voltages_and_torques_turn_into_one_another():
    dyn = Dynamics(load("irb6"))
    q, qd, tau = state(dyn, 50)
    voltage = dyn.motor_voltage(q, qd, tau)
    assert np.abs(dyn.torque_of_voltages(q, qd, voltage) - tau).max() < SAME * np.abs(tau).max()
    with pytest.raises(MissingDataError, match="resistance is not given"):
        Dynamics(load("lola15")).torque_of_voltages(np.zeros(6), np.zeros(6), np.zeros(6))


def test_wrong_shapes_are_refused():
    dyn = Dynamics(load("puma560"))
    with pytest.raises(InputError, match="6 friction points"):
        dyn.motion_in_ways(np.zeros(6), np.zeros(6), np.zeros(6), np.zeros(5))
