"""Many runs at once: each is what it is alone, whatever runs beside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.dynamics.fixed_step import STEPS
from armdyn.dynamics.variation import frictions, payloads
from armdyn.errors import InputError, ShapeError
from armdyn.robot import Coupling, Drive, Friction, Rotor
from armdyn.simulation.many import ManyRuns, simulate_many
from armdyn.simulation.signals import Function, sampled
from armdyn.simulation.simulate import simulate

SEED = 11
SAME = 1e-9
"""Of a run with varied parameters beside a run of a robot that has them: another order of operations."""
N = 12
DT = 1e-3
RUBBING = (Friction(2.0, 8.0), Friction(2.0, 6.0, 8.0), Friction(1.0, 4.0), *[Friction(0.2, 0.5, 0.6)] * 3)


@pytest.fixture(scope="module")
def dyn() -> ad.Dynamics:
    """A UR5 with friction at every joint."""
    arm = ad.load("ur5")
    bodies = tuple(
        replace(body, joint=replace(body.joint, friction=friction))
        for body, friction in zip(arm.bodies, RUBBING, strict=True)
    )
    return ad.Dynamics(replace(arm, bodies=bodies), "none", friction=True)


@pytest.fixture(scope="module")
def start(dyn: ad.Dynamics) -> dict[str, Any]:
    """States and torques of runs, in some of which joints begin at rest."""
    rng = np.random.default_rng(SEED)
    q, qd, share = rng.uniform(-1, 1, (3, N, dyn.n))
    qd[: N // 2] *= rng.random((N // 2, dyn.n)) < 0.5
    return {"q": q, "qd": qd, "torque": dyn.gravity(q) * (1 + 0.5 * share)}


def assert_same_bits(one: ManyRuns, other: ManyRuns, runs: slice | int) -> None:
    assert np.array_equal(one.q[:, 0], other.q[:, runs])
    assert np.array_equal(one.qd[:, 0], other.qd[:, runs])


def row(start: dict[str, Any], k: int) -> dict[str, Any]:
    return {name: x[k : k + 1] for name, x in start.items()}


@pytest.mark.parametrize("integrator", STEPS)
def test_a_batch_is_its_single_runs_to_the_bit(
    dyn: ad.Dynamics, start: dict[str, Any], integrator: Any
) -> None:
    many = simulate_many(dyn, 0.2, **start, dt=DT, integrator=integrator)
    assert not many.lost.any()
    assert (many.qd[-1] == 0).any(), "nothing came to rest: the test does not see friction that holds"
    for k in range(N):
        assert_same_bits(simulate_many(dyn, 0.2, **row(start, k), dt=DT, integrator=integrator), many, k)


@pytest.mark.parametrize("integrator", STEPS)
def test_a_run_is_what_simulate_gives(dyn: ad.Dynamics, start: dict[str, Any], integrator: Any) -> None:
    """But for rounding: compiled steps join products and sums that single ones do not."""
    many = simulate_many(dyn, 0.1, **start, dt=DT, integrator=integrator)
    for k in range(N):
        given = {name: x[k] for name, x in start.items()}
        alone = simulate(dyn, 0.1, **given, dt=DT, sample=DT, integrator=integrator)
        assert np.abs(alone.q - many.q[:, k]).max() < SAME
        assert np.abs(alone.qd - many.qd[:, k]).max() < SAME
        assert ((alone.qd == 0) == (many.qd[:, k] == 0)).all()


@pytest.mark.parametrize("name", ["irb6", "lola15", "puma560"])
@pytest.mark.parametrize("integrator", STEPS)
def test_a_run_of_an_arm_with_motors_is_what_simulate_gives(name: str, integrator: Any) -> None:
    dyn, rng = ad.Dynamics(ad.load(name)), np.random.default_rng(SEED)
    q, qd, share = rng.uniform(-0.3, 0.3, (3, 4, dyn.n))
    qd[:2] = 0.0
    torque = dyn.gravity(q) * (1 + share)
    many = simulate_many(dyn, 0.1, q=q, qd=qd, torque=torque, dt=DT, integrator=integrator)
    for k in range(len(q)):
        alone = simulate(dyn, 0.1, q=q[k], qd=qd[k], torque=torque[k], dt=DT, integrator=integrator)
        assert np.abs(alone.q - many.q[:, k]).max() < 1e-7  # a stop may fall into the next step


def test_controllers_work_on_all_runs(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    """Torques of states in the middle of a step are not known before it: rk4 goes stage by stage."""
    hold = dyn.gravity(start["q"])

    def damped(_: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        return hold[: len(q)] - 5.0 * qd

    here: dict[str, Any] = {"q": start["q"], "qd": start["qd"], "dt": DT}
    for integrator in STEPS:
        many = simulate_many(dyn, 0.1, controller=damped, integrator=integrator, **here)  # pyright: ignore[reportArgumentType]
        k = 0
        alone = simulate(
            dyn,
            0.1,
            q=start["q"][k],
            qd=start["qd"][k],
            controller=lambda t, q, qd: hold[0] - 5.0 * qd,
            dt=DT,
            integrator=integrator,  # pyright: ignore[reportArgumentType]
        )
        assert np.abs(alone.q - many.q[:, k]).max() < SAME


@pytest.mark.parametrize("name", ["irb6", "lola15", "puma560"])
def test_motors_that_rub_and_gears_that_couple(name: str) -> None:
    dyn, rng = ad.Dynamics(ad.load(name)), np.random.default_rng(SEED)
    q, qd, share = rng.uniform(-0.3, 0.3, (3, 5, dyn.n))
    start = {"q": np.array(dyn.robot.home) + q, "qd": qd, "torque": dyn.gravity(q) * (1 + share)}
    many = simulate_many(dyn, 0.05, **start, dt=DT)
    assert not many.lost.any()
    for k in range(len(q)):
        assert_same_bits(simulate_many(dyn, 0.05, **row(start, k), dt=DT), many, k)


def test_parts_and_threads_change_nothing(
    dyn: ad.Dynamics, start: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = simulate_many(dyn, 0.1, **start, dt=DT)
    monkeypatch.setattr("armdyn.simulation.many.TOGETHER", 5)
    for threads in (1, 2, 3):
        parts = simulate_many(dyn, 0.1, **start, dt=DT, threads=threads)
        assert np.array_equal(parts.q, whole.q)
        assert np.array_equal(parts.qd, whole.qd)


def test_results_go_into_an_array_that_is_given(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    out = np.empty((2, 101, N, dyn.n))
    runs = simulate_many(dyn, 0.1, **start, dt=DT, out=out)
    assert np.shares_memory(runs.q, out)
    assert np.array_equal(out[1], simulate_many(dyn, 0.1, **start, dt=DT).qd)
    with pytest.raises(InputError, match="out has shape"):
        simulate_many(dyn, 0.1, **start, dt=DT, out=out[:, :5])


def test_samples_and_progress(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    told: list[float] = []
    every = simulate_many(dyn, 0.2, **start, dt=DT)
    some = simulate_many(dyn, 0.2, **start, dt=DT, sample=0.02, progress=told.append)
    assert some.time == pytest.approx(np.arange(11) * 0.02, abs=1e-15)
    assert np.array_equal(some.q, every.q[::20])
    assert told == sorted(told)
    assert told[-1] == pytest.approx(0.2)


# What drives ----------------------------------------------------------------------------------


def test_signals_functions_and_constants_agree(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    torque = start["torque"]
    here = {"q": start["q"], "qd": start["qd"], "dt": DT}
    expected = simulate_many(dyn, 0.1, **here, torque=torque)
    held = sampled([0.0, 0.05, 0.2], np.stack([torque] * 3), "hold")
    ways: list[dict[str, Any]] = [
        {"torque": held},
        {"torque": Function(lambda _: torque, dyn.n)},
        {"torque": lambda _: torque},
        {"controller": lambda _t, _q, _qd: torque},
    ]
    for drive in ways:
        found = simulate_many(dyn, 0.1, **here, **drive)
        assert np.abs(found.q - expected.q).max() < SAME  # a function is asked in every stage


def test_a_torque_that_jumps_acts_from_its_instant(dyn: ad.Dynamics) -> None:
    q = np.tile(np.array(dyn.robot.home), (2, 1))
    hold = dyn.gravity(q)
    push = np.zeros((2, dyn.n))
    push[1, 0] = 30.0
    values = np.stack([hold, hold + push, hold])
    runs = simulate_many(dyn, 0.1, q=q, torque=sampled([0.0, 0.05, 0.2], values, "hold"), dt=DT)
    assert (runs.q[:51] == q).all(), "friction holds what is at rest under gravity's torques"
    assert (runs.q[:, 0] == q[0]).all()
    assert runs.qd[52:, 1, 0].min() > 0


# Varied arms ----------------------------------------------------------------------------------


def test_payloads_and_friction_as_of_other_robots(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    mass, scale = np.linspace(0.0, 4.0, N), np.linspace(0.5, 1.5, N)
    added = payloads(dyn.robot, mass, (0.0, 0.0, 0.1))
    rubbing = frictions(dyn, scale[:, None])
    many = simulate_many(dyn, 0.1, **start, dt=DT, added=added, rubbing=rubbing)
    assert (many.qd[-1] == 0).any()
    for k in (5, N - 1):
        bodies = tuple(
            replace(
                body,
                joint=replace(
                    body.joint,
                    friction=Friction(
                        scale[k] * own.viscous, scale[k] * own.coulomb, scale[k] * own.at_rest, own.load
                    ),
                ),
            )
            for body, own in zip(dyn.robot.bodies, RUBBING, strict=True)
        )
        other = replace(dyn.robot, bodies=bodies).with_payload(mass[k], (0.0, 0.0, 0.1))
        alone = simulate_many(ad.Dynamics(other, "none", friction=True), 0.1, **row(start, k), dt=DT)
        assert np.abs(many.q[:, k] - alone.q[:, 0]).max() < SAME
        assert np.abs(many.qd[:, k] - alone.qd[:, 0]).max() < SAME


def test_a_wrench_for_each_run(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    wrench = np.zeros((N, 6))
    wrench[3] = (0.0, 0.0, 50.0, 0.0, 0.0, 0.0)
    free = simulate_many(dyn, 0.05, **start, dt=DT)
    pushed = simulate_many(dyn, 0.05, **start, dt=DT, wrench=wrench)
    moved = np.abs(pushed.q - free.q).max(axis=(0, 2))
    assert moved[3] > 1e-3
    assert np.delete(moved, 3).max() < SAME


# What fails -----------------------------------------------------------------------------------


def test_a_run_that_blows_up_is_lost_alone(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    wild = {name: x.copy() for name, x in start.items()}
    wild["qd"][4] = 3e5
    many = simulate_many(dyn, 0.05, **wild, dt=DT, integrator="euler")
    assert np.flatnonzero(many.lost).tolist() == [4]
    assert np.isnan(many.q[-1, 4]).all()
    for k in (0, 3, 5):
        assert_same_bits(simulate_many(dyn, 0.05, **row(wild, k), dt=DT, integrator="euler"), many, k)


def test_what_is_refused(dyn: ad.Dynamics, start: dict[str, Any]) -> None:
    q = start["q"]
    with pytest.raises(
        InputError, match=r"duration is 0.0105 s, expected a multiple of the step dt, 0.001 s"
    ):
        simulate_many(dyn, 0.0105, q=q, dt=DT)
    with pytest.raises(InputError, match=r"expected a whole number of samples of 0.003 s"):
        simulate_many(dyn, 0.01, q=q, dt=DT, sample=0.003)
    with pytest.raises(InputError, match=r"dt is 0.0, expected a number above 0"):
        simulate_many(dyn, 0.01, q=q, dt=0.0)
    with pytest.raises(InputError, match='integrator "dop853", expected euler, semi_implicit, rk4'):
        simulate_many(dyn, 0.01, q=q, integrator="dop853")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ShapeError, match=r"q has shape \(5,\); one row for each run"):
        simulate_many(dyn, 0.01, q=np.zeros(5))
    with pytest.raises(InputError, match=f"numbers of runs differ: q {N}, qd 3; expected the same"):
        simulate_many(dyn, 0.01, q=q, qd=np.zeros((3, dyn.n)))
    with pytest.raises(InputError, match="qd has values that are not finite"):
        simulate_many(dyn, 0.01, q=q, qd=np.full(dyn.n, np.nan))
    with pytest.raises(InputError, match=r"the torque ends at 0.005 s but the run lasts 0.01 s"):
        simulate_many(dyn, 0.01, q=q, torque=sampled([0.0, 0.005], np.zeros((2, dyn.n))))


# Beside `simulate`, run by run ----------------------------------------------------------------


def assert_as_alone(many: ManyRuns, dyn: ad.Dynamics, within: float, **given: Any) -> None:
    """Every run is what `simulate` gives for it; of a signal (t, N, n) each has its own column."""
    for k in range(many.count):
        torque = given["torque"]
        own = replace(torque, values=torque.values[:, k], slopes=torque.slopes[:, k])
        alone = simulate(
            dyn,
            float(many.time[-1]),
            q=given["q"][k],
            qd=given["qd"][k],
            torque=own,
            dt=many.dt,
            integrator=many.integrator,  # pyright: ignore[reportArgumentType]
        )
        assert np.abs(alone.q - many.q[:, k]).max() < within
        assert np.abs(alone.qd - many.qd[:, k]).max() < within * 1e2


@pytest.mark.parametrize("rubs", [True, False])
def test_torques_that_vary_within_steps(dyn: ad.Dynamics, start: dict[str, Any], rubs: bool) -> None:
    """rk4 takes those of the beginning, the middle and the end of a step."""
    rng = np.random.default_rng(SEED)
    used = dyn if rubs else ad.Dynamics(dyn.robot, "none", friction=False)
    share = rng.uniform(-2, 2, (6, N, dyn.n))
    signal = sampled(np.linspace(0.0, 0.05, 6), start["torque"] * (1 + share))
    given = {"q": start["q"], "qd": start["qd"], "torque": signal}
    many = simulate_many(used, 0.05, **given, dt=DT)
    assert not many.lost.any()
    assert_as_alone(many, used, SAME, **given)


@pytest.mark.parametrize("integrator", STEPS)
@pytest.mark.parametrize("between", ["hold", "linear"])
def test_torques_that_jump_between_steps(
    dyn: ad.Dynamics, start: dict[str, Any], integrator: Any, between: Any
) -> None:
    """A step is done under what acts in its middle."""
    share = np.random.default_rng(SEED).uniform(-2, 2, (5, 4, dyn.n))
    times = [0.0, 0.0102, 0.0207, 0.0295, 0.1]
    signal = sampled(times, start["torque"][:4] * (1 + share), between)
    given = {"q": start["q"][:4], "qd": start["qd"][:4], "torque": signal}
    many = simulate_many(dyn, 0.04, **given, dt=DT, integrator=integrator)
    assert_as_alone(many, dyn, SAME, **given)


@pytest.fixture(scope="module")
def geared() -> ad.Dynamics:
    """Two links in a plane; the second motor turns with the sum of the joints, and each rubs."""
    arm = ad.load("planar2").with_gravity((0.0, 0.0, 0.0))
    names = arm.joint_names
    rubbing = Friction(0.01, 0.6, 0.7)
    drives = tuple(
        Drive(f"m{k}", names[k], Coupling.of(turns), Rotor(1e-4), friction=rubbing)
        for k, turns in enumerate(({names[0]: 60.0}, {names[0]: 50.0, names[1]: 50.0}))
    )
    return ad.Dynamics(replace(arm, drives=drives), friction=True)


@pytest.mark.parametrize("integrator", STEPS)
def test_an_arm_whose_motors_are_coupled_comes_to_rest_with_payloads(
    geared: ad.Dynamics, integrator: Any
) -> None:
    """One motor stops before the other: velocities change as the masses of each run have it."""
    q, mass, com = np.array([0.3, 0.8]), np.array([0.0, 4.0, 9.0]), (0.2, 0.1, 0.0)
    qd = np.array([[0.1, 0.5], [-0.4, 0.1], [0.3, -0.2]])
    given: dict[str, Any] = {"dt": DT, "integrator": integrator}
    many = simulate_many(geared, 1.0, q=q, qd=qd, added=payloads(geared.robot, mass, com), **given)
    motors = geared.motor_velocity(many.q, many.qd)
    assert ((motors[1:] == 0).sum(axis=-1) == 1).any(axis=0).all(), "both motors stop at once"
    assert (many.qd[-1] == 0).all()
    for k in range(3):
        other = ad.Dynamics(geared.robot.with_payload(mass[k], com)) if mass[k] else geared
        alone = simulate(other, 1.0, q=q, qd=qd[k], **given)
        assert np.abs(alone.q - many.q[:, k]).max() < 1e-7
        assert np.abs(alone.qd - many.qd[:, k]).max() < 1e-7


@pytest.mark.parametrize("integrator", STEPS)
def test_a_function_that_blows_up_one_run_leaves_the_others(
    dyn: ad.Dynamics, start: dict[str, Any], integrator: Any
) -> None:
    hold, lost = start["torque"], 4

    def damped(gain: float) -> Any:
        gains = np.where(np.arange(N) == lost, gain, 5.0)[:, None]
        return lambda _t, _q, qd: hold - gains * qd

    here: dict[str, Any] = {"q": start["q"], "qd": start["qd"] + 0.1, "dt": DT, "integrator": integrator}
    tame = simulate_many(dyn, 0.05, controller=damped(5.0), **here)
    wild = simulate_many(dyn, 0.05, controller=damped(1e7), **here)
    assert not tame.lost.any()
    assert np.flatnonzero(wild.lost).tolist() == [lost]
    assert np.isnan(wild.q[-1, lost]).all()
    others = np.arange(N) != lost
    assert np.array_equal(wild.q[:, others], tame.q[:, others])
    assert np.array_equal(wild.qd[:, others], tame.qd[:, others])
