"""Monte Carlo: the same seed gives the same draws, draws are arms, and spreads come out as they must."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics.fixed_step import STEPS
from armdyn.dynamics.variation import own_rubbing
from armdyn.errors import InputError, ShapeError, SimulationError
from armdyn.mechanics.body_parameters import parameters_of
from armdyn.simulation.many import simulate_many
from armdyn.simulation.monte_carlo import Spread, Statistics, draw, monte_carlo
from armdyn.simulation.signals import Function

DT = 1e-2
SEED = 4


@pytest.fixture(scope="module")
def free() -> ad.Dynamics:
    """Two links without gravity and friction."""
    return ad.Dynamics(ad.load("planar2").with_gravity((0.0, 0.0, 0.0)), friction=False)


def test_the_same_seed_gives_the_same_runs() -> None:
    dyn, spread = ad.Dynamics(ad.load("planar2")), Spread(q=0.1, mass=0.1, payload=(0.0, 2.0))
    one, same, other = (monte_carlo(dyn, 0.1, 8, spread, seed=seed, dt=DT) for seed in (1, 1, 2))
    assert np.array_equal(one.runs.q, same.runs.q)
    assert not np.array_equal(one.runs.q, other.runs.q)


def test_what_varies_beside_does_not_change_a_draw() -> None:
    dyn = ad.Dynamics(ad.load("puma560"))
    alone = draw(dyn, 5, Spread(q=0.1, friction=0.2), SEED)
    beside = draw(dyn, 5, Spread(q=0.1, qd=1.0, mass=0.3, payload=(1.0, 2.0), friction=0.2), SEED)
    assert np.array_equal(alone.q, beside.q)
    assert alone.added is None
    assert alone.rubbing is not None
    assert beside.rubbing is not None
    assert np.array_equal(alone.rubbing, beside.rubbing)


def test_drawn_bodies_are_physical() -> None:
    """Pseudo-inertia [[S, h], [h^T, m]] positive semidefinite, however wide the spread."""
    robot = ad.load("ur5")
    drawn = draw(ad.Dynamics(robot), 200, Spread(mass=1.0, centre=0.1, size=0.5), SEED)
    assert drawn.added is not None
    own = np.array([parameters_of(body.inertia) for body in robot.bodies], dtype=float)
    m, hx, hy, hz, xx, xy, xz, yy, yz, zz = np.moveaxis(own + drawn.added.reshape(200, -1, 10), -1, 0)
    t = (xx + yy + zz) / 2
    rows = ((t - xx, -xy, -xz, hx), (-xy, t - yy, -yz, hy), (-xz, -yz, t - zz, hz), (hx, hy, hz, m))
    pseudo = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    assert m.min() > 0
    assert np.linalg.eigvalsh(pseudo).min() > -1e-9 * np.abs(pseudo).max()


def test_friction_is_multiplied_by_factors_around_one() -> None:
    dyn = ad.Dynamics(ad.load("puma560"))
    drawn = draw(dyn, 4000, Spread(friction=0.2), SEED)
    assert drawn.rubbing is not None
    viscous = drawn.rubbing[:, 0] / dyn.friction_points[0].friction.viscous
    assert np.log(viscous).mean() == pytest.approx(0.0, abs=0.02)
    assert np.log(viscous).std() == pytest.approx(0.2, rel=0.05)


@pytest.mark.parametrize("spread", [0.3, 1.0, 20.0])
def test_no_drawn_joint_jams(spread: float) -> None:
    """The odds s/(1 - s) of a share s of the load are multiplied as the other terms are."""
    dyn = ad.Dynamics(ad.load("lola15"))
    own = own_rubbing(dyn.friction_points)
    assert own[:, 3].max() > 0.3, "no share is large enough for the test to see anything"
    drawn = draw(dyn, 20000, Spread(friction=spread), 0)
    assert drawn.rubbing is not None
    terms = drawn.rubbing.reshape(20000, -1, 4)
    assert terms[..., 3].max() < 1
    if spread > 1:  # beyond what a share can tell from 1
        return
    for k in np.flatnonzero((own[:, 1] > 0) & (own[:, 3] > 0)):
        factor = terms[:, k, 1] / own[k, 1]
        odds = terms[:, k, 3] / (1 - terms[:, k, 3])
        np.testing.assert_allclose(odds, factor * own[k, 3] / (1 - own[k, 3]), rtol=1e-9)


def test_positions_that_spread_stay_apart_as_they_were(free: ad.Dynamics) -> None:
    """Nothing acts on arms at rest: they stay where they were drawn."""
    found = monte_carlo(free, 0.1, 500, Spread(q=(0.2, 0.1)), seed=SEED, dt=DT)
    assert found.q.std[-1] == pytest.approx([0.2, 0.1], rel=0.1)
    assert np.array_equal(found.q.mean[0], found.q.mean[-1])
    assert found.lost == 0
    assert found.time[-1] == pytest.approx(0.1)


def test_bands_hold_their_share_of_the_runs(free: ad.Dynamics) -> None:
    found = monte_carlo(free, 0.1, 400, Spread(q=0.2, qd=0.5), seed=SEED, dt=DT)
    for level in (0.5, 0.9):
        for values, of in ((found.runs.q, found.q), (found.runs.qd, found.qd)):
            lower, upper = of.band(level)
            inside = ((values >= lower[:, None]) & (values <= upper[:, None])).mean(axis=1)
            assert inside == pytest.approx(np.full(inside.shape, level), abs=0.01)


def test_the_interval_of_the_mean_holds_the_true_one() -> None:
    """In about 95 of 100 sets of 10 normal numbers; their number is binomial, its deviation 0.7 percent."""
    samples = np.random.default_rng(SEED).standard_normal((1, 10, 1000))
    lower, upper = Statistics(samples).mean_interval(0.95)
    assert ((lower < 0) & (upper > 0)).mean() == pytest.approx(0.95, abs=0.02)
    assert Statistics(samples).standard_error.mean() == pytest.approx(1 / np.sqrt(10), rel=0.05)


def test_a_robot_will_do() -> None:
    arm = ad.load("planar2")
    assert monte_carlo(arm, 0.02, 2, Spread(q=0.1), dt=DT).runs.count == 2


def test_lost_runs_are_left_out_and_counted() -> None:
    """Velocities of which some are far too fast for the step."""
    arm = ad.Dynamics(ad.load("planar2"), friction=False)
    found = monte_carlo(arm, 1.0, 50, Spread(qd=300.0), seed=SEED, dt=DT, integrator="euler")
    assert 0 < found.lost < 49
    assert np.isfinite(found.q.mean).all()


# What drives gives no number -------------------------------------------------------------------


def number_until(end: float, runs: slice | list[int]) -> Any:
    """Torques that are no numbers from a time on, for some of the runs."""

    def law(t: float, q: np.ndarray, _: np.ndarray) -> np.ndarray:
        tau = np.zeros_like(q)
        tau[runs, 1] = np.nan if t > end else 0.0
        return tau

    return law


@pytest.mark.parametrize("integrator", STEPS)
def test_no_number_for_any_run_is_said_with_its_time(free: ad.Dynamics, integrator: Any) -> None:
    law = number_until(0.0499, slice(None))
    with pytest.raises(SimulationError) as caught:
        monte_carlo(free, 0.2, 6, Spread(qd=0.5), controller=law, dt=DT, integrator=integrator)
    sentence = (
        r'in all runs the controller gives nan for joint 2 \("joint2"\) at 0.05 s, expected a finite number'
    )
    assert re.search(sentence, str(caught.value))
    kept = caught.value.result
    assert kept.time[-1] == pytest.approx(0.04 if integrator == "rk4" else 0.05)
    assert kept.q.shape == kept.qd.shape == (len(kept.time), 6, 2)
    assert np.isfinite(kept.q).all()
    assert not kept.lost.any()


def test_signals_are_heard_as_functions_are(free: ad.Dynamics) -> None:
    signal = Function(lambda t: np.full(2, np.nan if t > 0.05 else 0.0), 2)
    with pytest.raises(SimulationError, match=r"in all runs the torque gives nan for joint 1 .* at 0.055 s"):
        simulate_many(free, 0.2, q=np.zeros((3, 2)), torque=signal, dt=DT)


def test_no_number_for_some_runs_loses_these_alone(free: ad.Dynamics) -> None:
    law = number_until(0.05, [0, 2])
    found = monte_carlo(free, 0.2, 6, Spread(qd=0.5), controller=law, dt=DT)
    assert np.flatnonzero(found.runs.lost).tolist() == [0, 2]
    assert np.isfinite(found.q.mean).all()


def test_too_large_a_step_is_not_the_fault_of_the_controller() -> None:
    """Its torques are no numbers only because the states are none any more."""
    arm = ad.Dynamics(ad.load("planar2"), friction=False)
    with pytest.raises(InputError, match=r"10 of 10 runs are lost.* or take a smaller step than 0.01 s"):
        monte_carlo(
            arm, 1.0, 10, Spread(q=0.1), controller=lambda t, q, qd: -1e6 * q, dt=DT, integrator="euler"
        )


def test_what_a_function_raises_is_said_with_its_time(free: ad.Dynamics) -> None:
    def law(t: float, q: np.ndarray, _: np.ndarray) -> np.ndarray:
        return q if t < 0.04 else q * {}["gain"]

    with pytest.raises(SimulationError, match=r"the controller raised KeyError: 'gain' at 0.04 s") as caught:
        simulate_many(free, 0.2, q=np.ones((3, 2)), controller=law, dt=DT)
    assert len(caught.value.result.time) > 1


def test_what_is_refused(free: ad.Dynamics) -> None:
    with pytest.raises(InputError, match="draws is 1, expected 2 or more"):
        monte_carlo(free, 0.1, 1, Spread())
    with pytest.raises(InputError, match=r"spread of mass is -0.1, expected numbers of 0 or more"):
        Spread(mass=-0.1)
    with pytest.raises(InputError, match=r"payload is \(2.0, 1.0\), expected the least and the largest"):
        Spread(payload=(2.0, 1.0))
    with pytest.raises(ShapeError, match=r"q has shape \(3,\); there are 2 joints"):
        monte_carlo(free, 0.1, 2, Spread(), q=np.zeros(3))
    with pytest.raises(ShapeError, match=r"spread of qd has shape \(3,\)"):
        monte_carlo(free, 0.1, 2, Spread(qd=np.ones(3)))
    with pytest.raises(InputError, match="level is 95, expected a share between 0 and 1"):
        Statistics(np.zeros((1, 2, 1))).band(95)
