"""Identification of an arm that MuJoCo moves, of what it holds, and what bad logs are answered."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, MissingDataError
from armdyn.identification.base_parameters import base_parameters
from armdyn.identification.estimation.estimate import estimate
from armdyn.identification.identified import Identified
from armdyn.identification.identify import Setup
from armdyn.identification.logs import Log
from armdyn.identification.observing import observed
from armdyn.mechanics.body_parameters import parameters_of
from armdyn.robot import Body, Friction, Joint
from armdyn.spatial import Inertia
from identification.mujoco_logs import NOISE, Motion, driven_ur5, series, simulated

LENGTH = 20.0
"""[s]"""
HELD = Inertia(2.0, (0.02, -0.03, 0.08), ((0.02, 0.001, 0.0), (0.001, 0.025, 0.0), (0.0, 0.0, 0.015)))


@cache
def arm() -> ad.Robot:
    return driven_ur5()


@cache
def dynamics() -> ad.Dynamics:
    return ad.Dynamics(arm(), friction=True)


@cache
def motion(seed: int, payload: bool = False) -> Motion:
    robot = arm()
    if payload:
        carrier = next(body for body in robot.bodies if body.name == robot.tool.body)
        held = replace(carrier, inertia=carrier.inertia + HELD)
        robot = replace(robot, bodies=tuple(held if b is carrier else b for b in robot.bodies))
    return simulated(robot, series(6, seed), LENGTH)


def log(seed: int, rng: np.random.Generator, *, payload: bool = False, name: str = "run.csv") -> Log:
    moved = motion(seed, payload)
    q, tau = moved.measured(rng)
    return Log.of(arm(), moved.time, q, tau=tau, name=name)


@cache
def found() -> Identified:
    rng = np.random.default_rng(0)
    blank = without_inertia(arm())
    return ad.identify(blank, log(0, rng), validate=log(1, rng, name="second.csv"))


def without_inertia(robot: ad.Robot) -> ad.Robot:
    """The robot with inertias of no use: every link two kilograms at its origin."""
    rough = Inertia(2.0, tensor=((0.01, 0.0, 0.0), (0.0, 0.01, 0.0), (0.0, 0.0, 0.01)))
    return replace(robot, bodies=tuple(replace(body, inertia=rough) for body in robot.bodies))


# MuJoCo's arm ---------------------------------------------------------------------------------


def test_base_parameters_of_mujocos_arm_are_found_within_their_errors():
    """58 parameters: the squares of the errors, in units of deviations, sum to 58 +- 10.8 (4 sigma: 43)."""
    result = found()
    truth = result.base.values(dynamics().parameter_values)
    off = (result.beta - truth) / result.standard_error
    assert len(result.base) == 58
    assert 58 - 43 < np.sum(off**2) < 58 + 60
    assert np.abs(off).max() < 5


def test_torques_of_a_second_motion_are_predicted_at_the_noise_floor():
    """In motion: the noise that was added, within one percent (asked for: one percent).

    Positions are MuJoCo's own; the parameters, offsets with them, are those of the consistent fit.
    """
    moved, rng = motion(1), np.random.default_rng(9)
    period = moved.time[1] - moved.time[0]
    q, before, after = moved.q[1:-1], moved.q[:-2], moved.q[2:]
    qd, qdd = (after - before) / (2 * period), (after - 2 * q + before) / period**2
    moving = (np.abs(qd) > 0.02).all(axis=1)
    noise = rng.normal(size=q.shape) * NOISE
    error = (moved.tau[1:-1] + noise - found().dyn.regressor(q, qd, qdd) @ found().pi)[moving]
    floor = np.sqrt(np.mean(noise[moving] ** 2, axis=0))
    assert (np.sqrt(np.mean(error**2, axis=0)) < 1.01 * floor).all()


def test_validation_is_as_good_as_the_fit():
    result = found()
    assert result.validation is not None
    assert result.validation.name == "second.csv"
    assert (result.validation.rms < 1.25 * result.estimate.noise.deviation).all()
    assert not any("does not carry over" in each for each in result.warnings)


def test_the_robot_file_loads_with_its_uncertainties(tmp_path):
    result = found()
    result.save(tmp_path / "identified.toml")
    loaded = ad.load(tmp_path / "identified.toml")
    assert loaded == result.robot
    assert len(loaded.estimates) == len(result.base)
    assert loaded.estimates[0].standard_error == pytest.approx(result.standard_error[0])
    assert any("identified from run.csv" in note for note in loaded.notes)
    q, qd, qdd = np.random.default_rng(1).uniform(-1, 1, (3, 50, 6))
    truth = dynamics().inverse(q, qd, qdd)
    assert (
        np.abs(ad.Dynamics(loaded, friction=True).inverse(q, qd, qdd) - truth).max()
        < 0.02 * np.abs(truth).max()
    )


def test_essential_parameters_predict_nearly_as_well():
    result = found()
    kept = result.essential
    assert len(kept) < len(result.base)
    fewer = estimate(result.observations.only(kept), "weighted", np.zeros(len(kept)))
    assert (fewer.noise.deviation < 1.06 * result.estimate.noise.deviation).all()
    names = [result.base.short_names[k] for k in kept]
    assert {f"motor{k}.I" for k in range(1, 7)} & set(names)


@pytest.mark.slow
def test_intervals_hold_the_truth_of_mujocos_arm():
    """12 repeats of 58 parameters: 661 of 696 intervals of 95 %, give or take 6 (4 sigma: 23)."""
    assert 0.915 < coverage(12).mean() < 0.985


@pytest.mark.slow
def test_each_interval_holds_the_truth_of_mujocos_arm():
    """200 repeats: 95 % of each parameter's, give or take 1.5 %; of 58 the worst may be 3.5 sigma off."""
    held = coverage(200)
    assert 0.935 < held.mean() < 0.965
    assert held.min() > 0.89
    assert np.count_nonzero((held < 0.92) | (held > 0.98)) <= 8  # 2.1 are expected


def coverage(repeats: int) -> np.ndarray:
    """How often each parameter's 95 % interval has held the truth, with steps of encoders and noise."""
    dyn, rng = dynamics(), np.random.default_rng(5)
    base = base_parameters(dyn)
    truth, held = base.values(dyn.parameter_values), np.zeros(len(base))
    for _ in range(repeats):
        _, samples = Setup().samples(log(0, rng), dyn)
        result = estimate(observed(dyn, base, samples).observations, "weighted", truth)
        held += np.abs(result.beta - truth) < 1.96 * result.standard_error
    return held / repeats


@pytest.mark.slow
def test_the_consistent_fit_always_loads(tmp_path):
    rng = np.random.default_rng(6)
    for _ in range(50):
        result = ad.identify(without_inertia(arm()), log(0, rng))
        result.save(tmp_path / "arm.toml")
        assert not any(body.inertia.unphysical() for body in ad.load(tmp_path / "arm.toml").bodies)


@pytest.mark.parametrize("method", ["ordinary", "reweighted", "damped", "total", "sequential"])
def test_other_methods_come_near_as_well(method):
    dyn, rng = dynamics(), np.random.default_rng(7)
    base = base_parameters(dyn)
    truth = base.values(dyn.parameter_values)
    _, samples = Setup().samples(log(0, rng), dyn)
    result = estimate(observed(dyn, base, samples).observations, method, truth)
    tau = np.abs(motion(0).tau).max(axis=0)
    assert (result.noise.deviation < 0.02 * tau).all()


# What data do not show ------------------------------------------------------------------------


def planar3_log(robot: ad.Robot, moving: tuple[float, ...], noise: float, offset: float = 0.0) -> Log:
    time = np.arange(0, 15, 0.002)
    q, qd, qdd = (x * moving for x in swings(3, time, 1.0))
    tau = ad.Dynamics(robot, friction=True).inverse(q, qd, qdd) + offset
    return Log.of(robot, time, q, tau=tau + noise * np.random.default_rng(0).normal(size=tau.shape))


@pytest.mark.parametrize("share", [0.3, 1.0, 3.0])
def test_a_wrong_robot_file_does_not_spoil_what_the_data_show(share):
    """Joint 3 never moves: whatever the file says of its link, the robot found predicts this very log."""
    robot = ad.load("planar3")
    wrong = replace(
        robot,
        bodies=tuple(
            replace(
                body,
                inertia=Inertia(
                    share * body.inertia.mass,
                    body.inertia.com,
                    tuple(tuple(share * x for x in row) for row in body.inertia.tensor),  # type: ignore[arg-type]
                ),
            )
            for body in robot.bodies
        ),
    )
    result = ad.identify(wrong, planar3_log(robot, (1.0, 1.0, 0.0), 1.0))
    predicted = result.observations.predicted(result.base.values(result.pi))
    error = np.where(result.observations.used, result.observations.tau - predicted, 0.0)
    rms = np.sqrt(np.sum(error**2, axis=0)[:2] / result.observations.rows[:2])
    assert (rms < 1.3 * result.residual_rms[:2]).all()
    assert not any("no bodies that exist" in each for each in result.warnings)


def test_friction_that_the_file_does_not_know_is_found_however_clean_the_log():
    robot = ad.load("planar3")
    rubbing = replace(
        robot,
        bodies=tuple(
            replace(body, joint=replace(body.joint, friction=Friction(viscous=5.0, coulomb=80.0)))
            for body in robot.bodies
        ),
    )
    for noise in (1.0, 0.01):
        found = ad.identify(robot, planar3_log(rubbing, (1.0, 1.0, 1.0), noise))
        for body in found.robot.bodies:
            assert abs(body.joint.friction.coulomb - 80.0) < 1.0


def test_parameters_that_are_not_looked_for_are_what_the_file_says():
    """Friction that the file knows, and that is not estimated, is taken off the torques."""
    robot = ad.load("planar3")
    rubbing = replace(
        robot,
        bodies=tuple(
            replace(body, joint=replace(body.joint, friction=Friction(viscous=20.0, coulomb=80.0)))
            for body in robot.bodies
        ),
    )
    found = ad.identify(
        rubbing, planar3_log(rubbing, (1.0, 1.0, 1.0), 1.0), among=["m", "mcx", "mcy", "Izz", "I"]
    )
    assert (found.residual_rms < 1.0).all()
    assert found.robot.bodies[0].joint.friction.coulomb == pytest.approx(80.0, rel=1e-3)  # the solver's


def test_constant_torques_are_told_of():
    robot = ad.load("planar3")
    found = ad.identify(robot, planar3_log(robot, (1.0, 1.0, 1.0), 1.0, offset=30.0))
    (sentence,) = [each for each in found.warnings if "constant parts" in each]
    assert "joint1.offset 30" in sentence


def test_a_model_that_does_not_fit_is_told_of():
    robot = ad.load("planar3")
    log = planar3_log(robot, (1.0, 1.0, 1.0), 1.0)
    found = ad.identify(robot.with_gravity((0, -1.6, 0)), log)
    assert any("unexplained at joint" in each for each in found.warnings)
    assert not any("unexplained" in each for each in ad.identify(robot, log).warnings)


# What it holds --------------------------------------------------------------------------------


def test_an_unknown_payload_is_found_from_a_second_run():
    rng = np.random.default_rng(2)
    result = ad.identify(arm(), log(0, rng), payload=log(1, rng, payload=True, name="held.csv"))
    _check_payload(result.payload)
    assert result.payload is not None
    assert result.payload.source == "the torques of held.csv"
    assert result.robot.payloads[-1].inertia == result.payload.inertia
    assert {"payload.m", "payload.mcz"} <= {each.name for each in result.robot.estimates}
    alone = ad.identify(arm(), log(0, np.random.default_rng(2)))
    assert result.condition_number < 3 * alone.condition_number  # the payload's columns do not count


def test_a_payload_is_found_with_a_robot_that_is_known():
    rng = np.random.default_rng(3)
    _check_payload(ad.identify_payload(arm(), log(1, rng, payload=True)))


def _check_payload(found):
    truth = np.array(parameters_of(HELD), dtype=float)
    off = (found.values - truth) / found.standard_error
    assert np.sum(off**2) < 30  # chi-square of 10: 0.1 % are beyond
    assert found.standard_error[0] < 0.05
    assert abs(found.inertia.mass - 2.0) < 0.1


def test_a_payload_is_found_from_a_force_sensor_at_the_wrist():
    """What the sensor feels is what armdyn's reactions say of a body on a fixed joint there."""
    robot, rng = arm(), np.random.default_rng(4)
    holding = replace(
        robot, bodies=(*robot.bodies, Body("held", Joint("grip", "fixed"), robot.tool.body, HELD))
    )
    time = np.arange(0, 10, 0.002)
    q, qd, qdd = (np.array(x) for x in zip(*map(series(6, 0), time), strict=True))
    felt = ad.Dynamics(holding).reactions(q, qd, qdd)[:, -1] + rng.normal(size=(len(time), 6)) * [0.5] * 6
    tau = dynamics().inverse(q, qd, qdd)
    measured = Log.of(robot, time, q, tau=tau, sensor=felt, name="wrist.parquet")
    result = ad.identify_payload(robot, measured)
    assert result.source == "the wrist sensor of wrist.parquet"
    _check_payload(result)


# Logs of many kinds ---------------------------------------------------------------------------


def test_currents_do_as_well_as_torques():
    """Motors with torque constants: the same base parameters from what flows through them."""
    robot = ad.load("irb6")
    dyn = ad.Dynamics(robot, friction=True)
    time = np.arange(0, 20, 0.002)
    q, qd, qdd = swings(5, time, 0.4)
    current = dyn.motor_current(q, dyn.inverse(q, qd, qdd))
    noisy = current + 1e-3 * np.random.default_rng(0).normal(size=current.shape)
    result = ad.identify(robot, Log.of(robot, time, q, current=noisy))
    truth = result.base.values(dyn.parameter_values)
    off = np.abs(result.beta - truth) / result.standard_error
    told = np.isfinite(off)
    assert np.sqrt(np.mean(off[told] ** 2)) < 2


def swings(n: int, time: np.ndarray, size: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    phase, w = rng.uniform(0, 6, (4, n)), 0.6 * np.arange(1, 5)[:, None]
    angle = w * time[:, None, None] + phase
    a = size / 2
    return a * np.sin(angle).sum(1), a * (w * np.cos(angle)).sum(1), -a * (w**2 * np.sin(angle)).sum(1)


def test_a_contact_that_was_measured_is_taken_off():
    robot = ad.load("planar3")
    dyn = ad.Dynamics(robot, friction=True)
    time = np.arange(0, 20, 0.002)
    q, qd, qdd = swings(3, time, 0.8)
    wrench = np.zeros((len(time), 6))
    wrench[:, 1] = -200.0 * np.sin(0.5 * time) ** 2
    tau = dyn.inverse(q, qd, qdd, wrench)
    tau += np.random.default_rng(0).normal(size=tau.shape)
    with_it = ad.identify(robot, Log.of(robot, time, q, tau=tau, wrench=wrench))
    without = ad.identify(robot, Log.of(robot, time, q, tau=tau))
    assert (without.residual_rms > 5 * with_it.residual_rms).all()


def test_several_logs_make_errors_smaller():
    rng = np.random.default_rng(8)
    robot = ad.load("planar2")
    dyn = ad.Dynamics(robot, friction=True)
    logs = []
    for k in range(2):
        time = np.arange(0, 15, 0.002)
        q, qd, qdd = swings(2, time + 3.0 * k, 1.0)
        tau = dyn.inverse(q, qd, qdd)
        logs.append(Log.of(robot, time, q, tau=tau + 5 * rng.normal(size=tau.shape)))
    one, both = ad.identify(robot, logs[0]), ad.identify(robot, logs)
    assert np.median(both.standard_error / one.standard_error) < 0.85


def test_nothing_is_filtered_if_asked():
    robot = ad.load("planar2")
    dyn = ad.Dynamics(robot, friction=True)
    time = np.arange(0, 8, 0.002)
    q, qd, qdd = swings(2, time, 1.0)
    tau = dyn.inverse(q, qd, qdd) + np.random.default_rng(0).normal(size=q.shape)
    result = ad.identify(robot, Log.of(robot, time, q, tau=tau), cutoff=math.inf)
    off = (result.beta - result.base.values(dyn.parameter_values)) / result.standard_error
    assert np.sqrt(np.mean(off**2)) < 2


# Warnings and bad input -----------------------------------------------------------------------


def planar_log(moving: tuple[float, float], friction: bool = True) -> tuple[ad.Robot, Log]:
    robot = ad.load("planar2")
    time = np.arange(0, 15, 0.002)
    q, qd, qdd = (x * moving for x in swings(2, time, 1.0))
    tau = ad.Dynamics(robot, friction=friction).inverse(q, qd, qdd)
    return robot, Log.of(robot, time, q, tau=tau + np.random.default_rng(0).normal(size=tau.shape))


def test_what_the_data_cannot_tell_is_named():
    """Joint 2 never moves: its friction and its rotor do not show, and what joint 1 carries is one body."""
    robot, log = planar_log((1.0, 0.0))
    result = ad.identify(robot, log)
    (first, *_) = result.warnings
    assert first.startswith("the data do not tell ")
    for name in ("link2.Izz", "joint2.viscous", "motor2.I"):
        assert name in first
    names = dict(zip(result.base.short_names, result.standard_error, strict=True))
    assert math.isinf(names["joint2.viscous"])
    assert any("joint 2" in note for note in result.notes)
    assert not any(body.inertia.unphysical() for body in result.robot.bodies)
    document = {each["name"]: each for each in result.document()["base_parameters"]}
    assert document["joint2.viscous"]["standard_error"] is None


def test_confused_parameters_are_named_together():
    """Hardly any acceleration: rotor and link show the same, gravity all the better."""
    robot = ad.load("pendulum")
    dyn = ad.Dynamics(robot, friction=True)
    time = np.arange(0, 60, 0.01)
    q = 1.2 * np.sin(0.35 * time)[:, None] + 0.3
    qd, qdd = 0.42 * np.cos(0.35 * time)[:, None], -0.147 * np.sin(0.35 * time)[:, None]
    tau = dyn.inverse(q, qd, qdd)
    tau += 0.05 * np.abs(tau).max() * np.random.default_rng(0).normal(size=tau.shape)
    result = ad.identify(robot, Log.of(robot, time, q, tau=tau))
    assert result.condition_number > 5
    assert any("standard error above 50 %" in each for each in result.warnings)


def test_bad_input_is_one_sentence_each():
    robot, log = planar_log((1.0, 1.0))
    bad: tuple[tuple[dict[str, Any], str], ...] = (
        ({"method": "bayes"}, 'method "bayes", expected one of ordinary'),
        ({"prior": -1.0}, "prior is -1.0, expected the share"),
        ({"among": ["Izx"]}, 'no parameter "Izx"'),
        ({"cutoff": 300.0}, "cutoff is 300 Hz, expected a frequency above 0 and below 250"),
        ({"decimate": 0}, "decimate is 0, expected a whole number"),
        ({"velocity": "guessed"}, 'velocity is "guessed"'),
        ({"motors": "best"}, 'motors "best", expected one of'),
    )
    for options, sentence in bad:
        with pytest.raises(InputError) as raised:
            ad.identify(robot, log, **options)
        assert sentence in str(raised.value)
        assert "\n" not in str(raised.value)
    with pytest.raises(InputError, match="no log, expected one or more"):
        ad.identify(robot, [])
    with pytest.raises(InputError, match="log is a int, expected a file or a Log"):
        ad.identify(robot, 3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="is given twice"):
        ad.identify(robot, "run.csv", validate="run.csv")
    with pytest.raises(InputError, match="among is empty"):
        ad.identify(robot, log, among=[])
    with pytest.raises(MissingDataError, match=r"not its rotor|no drive"):
        ad.identify(ad.load("ur5"), log, motors="coupled")


def test_too_few_samples_are_refused():
    robot, log = planar_log((1.0, 1.0))
    short = Log.of(robot, log.time[:60], log.q[:60], tau=log.effort[:60])
    with pytest.raises(InputError, match=r"record longer|equations are left"):
        ad.identify(robot, short)


def test_a_payload_that_does_not_show_is_refused():
    """A robot at rest in weightlessness feels nothing of what it holds."""
    robot = ad.load("cartesian2").with_gravity((0, 0, 0))
    time = np.arange(0, 10, 0.002)
    q, _, _ = swings(2, time, 0.1)
    frozen = np.array(q)
    frozen[:, :] = q[:1]
    log = Log.of(robot, time, frozen, tau=np.random.default_rng(0).normal(size=q.shape))
    with pytest.raises(InputError, match=r"no joint moves|does not show"):
        ad.identify_payload(robot, log)
