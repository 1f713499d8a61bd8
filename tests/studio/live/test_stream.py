"""A stream: what is predicted is what the equations say, alarms come from torques and not from noise."""

import tracemalloc
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.studio.live.alarm import Alarm, Threshold, threshold_of
from armdyn.studio.live.history import History
from armdyn.studio.live.prediction import Prediction, effort_limits
from armdyn.studio.live.stream import COLUMNS, Options, Stream
from armdyn.studio.live.telemetry import Sample, layout_of
from live_studio import moving
from log_signals import Sines

FIT = 3e-3
"""Share of the largest torque that the cubics take off a motion of up to 0.5 Hz at 100 Hz."""


def stream_of(robot: str, fields: tuple[str, ...] = ("q", "tau"), **options: Any) -> Stream:
    arm = ad.load(robot)
    layout = layout_of(fields, arm.n, len(arm.drives), robot)
    return Stream("test", layout, Prediction(ad.Dynamics(arm)), Options(**options))


def fed(stream: Stream, t: Any, *signals: Any, first: int = 0) -> None:
    for k, row in enumerate(np.concatenate(signals, axis=1)):
        stream.take(Sample(first + k, float(t[k]), row.copy()))


def told(stream: Stream) -> dict[str, Any]:
    rows, _ = stream.history.since(0)
    n = stream.robot.n
    columns = {name: rows[:, 1 + k * n : 1 + (k + 1) * n] for k, name in enumerate(COLUMNS)}
    return {"time": rows[:, 0], **columns}


def kinds(stream: Stream) -> list[tuple[str, int | None]]:
    return [(event.kind, event.joint) for event in stream.events]


@pytest.mark.parametrize("robot", ["ur5", "lola15"])
def test_torques_of_a_known_motion_are_predicted(robot: str) -> None:
    t, q, qd, tau = moving(robot, 6.0)
    stream = stream_of(robot)
    fed(stream, t, q, tau)
    found = told(stream)
    assert stream.delay == pytest.approx(0.1)
    k = np.searchsorted(t, found["time"] - 1e-6)
    assert np.abs(found["q"] - q[k]).max() < 1e-3
    assert np.abs(found["qd"] - qd[k]).max() < 1e-2
    assert np.all(np.abs(found["residual"]).max(axis=0) < FIT * np.abs(tau).max(axis=0))
    assert not stream.events


def test_uneven_instants_and_lost_samples_make_no_residual() -> None:
    random = np.random.default_rng(3)
    t, _, _, _ = moving("ur5", 6.0)
    t = t + random.uniform(-0.003, 0.003, len(t)) + 0.01
    sines = Sines(n=6)
    q, qd, qdd = (sines.at(t, order) for order in range(3))
    tau = ad.Dynamics(ad.load("ur5")).inverse(q, qd, qdd)
    stream = stream_of("ur5")
    for k in np.flatnonzero(random.uniform(size=len(t)) > 0.05):
        stream.take(Sample(int(k), float(t[k]), np.concatenate([q[k], tau[k]])))
    assert stream.continuity.counts.lost > 10
    assert np.all(stream.peaks < 5 * FIT * np.abs(tau).max(axis=0))


@pytest.mark.parametrize("robot", ["ur5", "lola15"])
def test_an_injected_torque_raises_an_alarm_and_noise_does_not(robot: str) -> None:
    t, q, _, tau = moving(robot, 12.0)
    random = np.random.default_rng(1)
    q = q + 2e-5 * random.normal(size=q.shape)
    tau = tau + 0.02 * np.abs(tau).max(axis=0) * random.normal(size=tau.shape)
    stream = stream_of(robot)
    fed(stream, t[:600], q[:600], tau[:600])
    assert not stream.events
    tau[650:750, 2] += 0.2 * stream.largest[2]
    tau[800:803, 2] += 0.2 * stream.largest[2]  # shorter than an alarm takes
    fed(stream, t[600:], q[600:], tau[600:], first=600)
    assert kinds(stream) == [("alarm", 2), ("over", 2)]
    raised, over = stream.events
    assert raised.time == pytest.approx(6.5, abs=0.05)
    assert over.time == pytest.approx(7.5, abs=0.05)
    assert "joint 3" in raised.text


def test_a_payload_that_is_not_known_shows_and_one_that_is_does_not() -> None:
    t, q, _, _ = moving("ur5", 4.0)
    motion = [Sines(n=6).at(t, order) for order in range(3)]
    loaded = ad.Dynamics(ad.load("ur5").with_payload(5.0, (0.0, 0.0, 0.1)))
    stream = stream_of("ur5")
    fed(stream, t, q, loaded.inverse(*motion))
    assert ("alarm", 1) in kinds(stream)
    stream.predict_with(Prediction(loaded), Options())
    fed(stream, t + 4, q, loaded.inverse(*motion), first=len(t))
    assert np.all(stream.peaks < 0.05)
    with pytest.raises(InputError, match=r"window is 9 s, expected 0.02 to 2"):
        stream.predict_with(stream.prediction, Options(window=9))


def test_friction_at_rest_takes_what_it_can_hold() -> None:
    arm = ad.load("lola15")
    dyn, free = ad.Dynamics(arm), ad.Dynamics(arm, friction=False)
    q = np.array(arm.home) + 0.3
    held = free.gravity(q)
    stream = stream_of("lola15")
    t = np.arange(200) / 100
    lower = np.abs(dyn.resistances(q, np.full(6, 1e-9), np.zeros(6)))[:6]  # at the joints
    for torque in (held - 0.9 * lower, held + 0.9 * lower):
        fed(stream, t, np.tile(q, (200, 1)), np.tile(torque, (200, 1)))
        assert np.all(stream.peaks < 1e-6)
        t = t + 2
    stream = stream_of("lola15")
    fed(stream, t, np.tile(q, (200, 1)), np.tile(held + 0.3 * stream.largest, (200, 1)))
    assert {joint for kind, joint in kinds(stream) if kind == "alarm"} == set(range(6))


@pytest.mark.parametrize("field", ["motor_torque", "current"])
def test_motors_become_joints(field: str) -> None:
    robot = "irb6" if field == "current" else "lola15"
    t, q, _, tau = moving(robot, 3.0)
    dyn = ad.Dynamics(ad.load(robot))
    motors = dyn.motor_current(q, tau) if field == "current" else dyn.motor_torque(q, tau)
    stream = stream_of(robot, ("q", field))
    fed(stream, t, q, motors)
    assert np.all(stream.peaks < 5e-3 * np.abs(tau).max(axis=0))


def test_velocities_are_used_where_they_are_sent() -> None:
    t, q, qd, tau = moving("ur5", 3.0)
    peaks = {}
    for velocity in (None, "derived"):
        stream = stream_of("ur5", ("q", "qd", "tau"), velocity=velocity)
        fed(stream, t, q, 1.1 * qd, tau)  # a sender whose velocities are wrong
        peaks[velocity] = stream.peaks
    assert np.all(peaks["derived"] < FIT * np.abs(tau).max(axis=0))
    assert peaks[None][1] > 10 * peaks["derived"][1]


def test_positions_alone_are_predicted_without_a_residual() -> None:
    t, q, _, tau = moving("ur5", 2.0)
    stream = stream_of("ur5", ("q",))
    fed(stream, t, q)
    found = told(stream)
    assert np.isnan(found["residual"]).all()
    k = np.searchsorted(t, found["time"] - 1e-6)
    assert np.abs(found["predicted"] - tau[k]).max() < 0.05
    assert stream.status()["peaks"] == [0.0] * 6


def test_gaps_break_the_lines_and_are_said() -> None:
    t, q, _, tau = moving("ur5", 6.0)
    stream = stream_of("ur5")
    kept = (t < 2.0) | (t > 4.0)
    fed(stream, t[kept], q[kept], tau[kept])
    found = told(stream)
    breaks = np.flatnonzero(np.isnan(found["q"]).all(axis=1))
    assert len(breaks) == 1
    assert found["time"][breaks[0] + 1] - found["time"][breaks[0] - 1] > 2.0
    assert np.all(np.diff(found["time"]) > 0)
    assert kinds(stream) == [("gap", None)]
    assert np.all(stream.peaks < FIT * np.abs(tau).max(axis=0))


def test_a_history_forgets_and_says_so() -> None:
    history = History(2, capacity=10)
    for k in range(25):
        history.add(np.array([k, -k]))
    rows, lost = history.since(0)
    assert (rows[:, 0].tolist(), lost) == (list(range(15, 25)), 15)
    rows, lost = history.since(22)
    assert (rows[:, 0].tolist(), lost) == ([22, 23, 24], 0)
    assert history.since(25)[0].shape == (0, 2)
    rows, lost = history.since(16, most=3)
    assert (rows[:, 0].tolist(), lost) == ([22, 23, 24], 6)


def test_memory_does_not_grow_with_samples() -> None:
    t, q, _, tau = moving("planar2", 20.0)
    stream = stream_of("planar2")
    stream.history = History(1 + len(COLUMNS) * 2, capacity=100)
    fed(stream, t[:400], q[:400], tau[:400])
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    fed(stream, t[400:], q[400:], tau[400:], first=400)
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert grown < 40_000  # so many samples would be 200 kB


# Alarms ---------------------------------------------------------------------------------------


def test_an_alarm_needs_a_while_and_ends_with_hysteresis() -> None:
    alarm = Alarm(Threshold(np.array([10.0, np.inf]), 0.1))
    times = np.arange(100) / 100
    residual = np.zeros((100, 2))
    residual[10:15, 0] = 20  # too short
    residual[30:60, 0] = -12
    residual[60:70, 0] = 8  # below the threshold, not yet over
    residual[:, 1] = 1e6  # no threshold
    changes = [change for k in range(100) for change in alarm.update(times[k], residual[k])]
    assert [(c.kind, c.joint) for c in changes] == [("raised", 0), ("over", 0)]
    assert changes[0].time == pytest.approx(0.30)
    assert changes[1].time == pytest.approx(0.70)
    assert changes[1].peak == -12


def test_thresholds_are_shares_or_torques() -> None:
    largest = np.array([100.0, np.inf])
    assert threshold_of(largest).limits.tolist() == [10.0, np.inf]
    assert threshold_of(largest, share=0.5).limits.tolist() == [50.0, np.inf]
    assert threshold_of(largest, absolute=3.0).limits.tolist() == [3.0, 3.0]
    found = threshold_of(largest, absolute=(3.0, 4.0), duration=1.0)
    assert (found.limits.tolist(), found.duration) == ([3.0, 4.0], 1.0)
    for wrong, sentence in [
        ({"share": 0.0}, "share is 0, expected more than 0"),
        ({"share": 0.1, "absolute": 1.0}, "share and absolute are both given"),
        ({"absolute": (1.0, 2.0, 3.0)}, "absolute has shape (3,), expected one number or 2"),
        ({"absolute": -1.0}, "absolute has a number that is not above zero"),
        ({"duration": -1.0}, "duration is -1 s, expected 0 to 60"),
    ]:
        with pytest.raises(InputError) as caught:
            threshold_of(largest, **wrong)
        assert str(caught.value).startswith(sentence)


def test_largest_torques_come_from_limits_or_motors() -> None:
    lola = ad.load("lola15")
    limits = effort_limits(lola, ad.Dynamics(lola))
    assert limits[0] == pytest.approx(120 * 17.8)
    ur5 = ad.load("ur5")
    assert effort_limits(ur5, ad.Dynamics(ur5)).tolist() == [150, 150, 150, 28, 28, 28]
    planar = ad.load("planar2")
    assert np.isinf(effort_limits(planar, ad.Dynamics(planar))).all()
