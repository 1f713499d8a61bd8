"""Plans from sampled motions: samples as they are, or interpolated; moves by lines; clear refusals."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, InputError, ShapeError
from armdyn.feasibility.following import programmed_acceleration, programmed_velocity
from armdyn.formats import load
from armdyn.formats.motions import Motion
from armdyn.motion import plan_of_motion

PLANAR2 = load("planar2")
ROUNDING = 1e-12
"""[s or rad]"""


def waving(time: Any, **columns: Any) -> Motion:
    t = np.array(time, dtype=float)
    q = np.column_stack([np.sin(t), 1 - np.cos(t)])
    qd = np.column_stack([np.cos(t), np.sin(t)])
    return Motion(t, q, qd, np.zeros_like(q), {name: np.array(x, dtype=float) for name, x in columns.items()})


def test_even_samples_are_kept_as_they_are() -> None:
    motion = waving(5.0 + 0.004 * np.arange(101))
    found = plan_of_motion(PLANAR2, motion)
    assert found.cycle == pytest.approx(0.004, rel=ROUNDING)
    np.testing.assert_array_equal(found.q, motion.q)
    np.testing.assert_allclose(found.time, motion.time - 5.0, atol=ROUNDING)
    (move,) = found.moves
    assert (move.kind, move.line, move.start) == ("samples", 0, 0.0)
    assert move.end == found.duration == found.time[-1] == pytest.approx(0.4)
    assert set(found.move) == {1}
    assert [(phase.robot, phase.first, phase.last) for phase in found.phases] == [(PLANAR2, 0, 101)]
    assert found.notes[2:] == ()  # it begins and ends in motion


def test_the_motions_own_cycle_may_be_named() -> None:
    motion = waving(0.004 * np.arange(101))
    np.testing.assert_array_equal(plan_of_motion(PLANAR2, motion, cycle=0.004).q, motion.q)


@pytest.mark.parametrize("cycle", [None, 0.01, 0.003])
def test_uneven_samples_are_interpolated(cycle: float | None) -> None:
    rng = np.random.default_rng(1)
    motion = waving(np.sort(rng.uniform(0.0, 3.0, 400)))
    found = plan_of_motion(PLANAR2, motion, cycle)
    assert found.cycle == (cycle or 0.01)
    span = motion.time[-1] - motion.time[0]
    assert found.duration == pytest.approx(span, abs=ROUNDING)
    assert found.time[-2] < found.duration <= found.time[-1]
    exact = waving(np.minimum(found.time, span) + motion.time[0]).q
    exact[-1] += (found.time[-1] - span) * motion.qd[-1]  # right behind the end
    np.testing.assert_allclose(found.q, exact, atol=1e-6)  # a cubic through samples about 8 ms apart
    assert f"samples interpolated every {found.cycle:g} s by a cubic spline through q" in found.notes


def swinging(time: Any) -> Motion:
    """From rest to rest in one second, without jerk at the ends, and back in another one."""
    t = np.array(time, dtype=float)
    s = 1 - np.abs(1 - t)
    q = np.outer(10 * s**3 - 15 * s**4 + 6 * s**5, [0.8, -1.1])
    qd = np.outer(np.sign(1 - t) * 30 * s**2 * (1 - s) ** 2, [0.8, -1.1])
    return Motion(t, q, qd, np.zeros_like(q), {})


@pytest.mark.parametrize(
    ("time", "cycle"),
    [
        (0.01 * np.arange(201), 0.004),
        (0.01 * np.arange(201), 0.001),
        (np.sort(np.r_[0.0, 2.0, np.random.default_rng(2).uniform(0.0, 2.0, 150)]), None),
    ],
)
def test_interpolation_takes_the_torques_that_the_motion_takes(time: Any, cycle: float | None) -> None:
    """A spline whose accelerations jumped from sample to sample would take far more."""
    found = plan_of_motion(PLANAR2, swinging(time), cycle)
    dyn = Dynamics(PLANAR2)

    def torques(q: Any) -> Any:
        qd = programmed_velocity(q, found.cycle)
        return dyn.inverse(q, qd, programmed_acceleration(qd, found.cycle))

    exact = torques(swinging(np.minimum(found.time, 2.0)).q)
    assert np.abs(torques(found.q) - exact).max() <= 0.02 * np.abs(exact).max()
    assert found.moves[-1].stops
    assert not any("in motion" in note for note in found.notes)


def test_the_ends_have_the_velocities_of_the_file() -> None:
    """Positions alone, 0.5 s apart, would say little about how the motion begins."""
    found = plan_of_motion(PLANAR2, swinging(0.5 * np.arange(5)), cycle=0.01)
    first, last = found.q[1] - found.q[0], found.q[-1] - found.q[-2]
    assert np.abs(np.r_[first, last]).max() < 0.002
    moving = plan_of_motion(PLANAR2, waving(0.5 * np.arange(7)), cycle=0.001)
    assert (moving.q[1] - moving.q[0]) / 0.001 == pytest.approx([1.0, 0.0], abs=0.005)


def test_joints_that_never_move_stay_exactly_where_they_are() -> None:
    motion = waving(np.sort(np.random.default_rng(3).uniform(0.0, 3.0, 50)))
    motion.q[:, 1] = 0.1
    found = plan_of_motion(PLANAR2, motion)
    assert (found.q[:, 1] == 0.1).all()
    assert np.ptp(found.q[:, 0]) > 0.5


def test_samples_that_cannot_be_interpolated() -> None:
    motion = replace(waving([0.0, 1e-9, 2.0]), q=np.array([[0.0, 0.0], [1e300, 0.0], [0.0, 0.0]]))
    with pytest.raises(InputError, match="cannot be interpolated"):
        plan_of_motion(PLANAR2, motion)


def positions(q: Any, step: float) -> Motion:
    """Positions (t, n) at even instants, with what velocities their differences say."""
    time: Any = step * np.arange(len(q))
    qd: Any = np.gradient(q, step, axis=0)
    return Motion(time, q, qd, np.zeros_like(q), {})


def test_samples_that_begin_or_end_in_motion_say_so() -> None:
    found = plan_of_motion(PLANAR2, waving(0.01 * np.arange(151)))
    assert found.notes == (
        "the samples begin in motion, joint 1 at 1 rad/s: the arm is taken to start there from rest",
        "the samples end in motion, joint 2 at 0.997 rad/s: how the arm comes to rest there is not verified",
    )
    assert not found.moves[-1].stops
    slides = load("scara")
    q = np.zeros((11, 4))
    q[:, 2] = np.linspace(0.1, 0.2, 11)
    assert "joint 3 at 0.1 m/s" in plan_of_motion(slides, positions(q, 0.1)).notes[0]


@pytest.mark.parametrize("duration", [0.5, 0.47, 0.473])
def test_motions_from_rest_to_rest_do_not_begin_in_motion(duration: float) -> None:
    """Constant acceleration and braking, sampled at instants that need not fall on their end."""
    t = np.minimum(0.01 * np.arange(np.ceil(duration / 0.01) + 1), duration)
    way = np.where(t < duration / 2, 2 * (t / duration) ** 2, 1 - 2 * (1 - t / duration) ** 2)
    q = np.outer(way, [0.5, 0.0])
    found = plan_of_motion(PLANAR2, positions(q, 0.01))
    assert found.notes == ()
    assert found.moves[-1].stops


def test_an_end_between_two_cycles_brakes_no_harder() -> None:
    """The last sample lies behind the end: a motion that is still on its way there must not seem to stop."""
    motion = waving(0.01 * np.arange(48))  # ends at 0.47 s, the samples at 0.472 s
    found = plan_of_motion(PLANAR2, motion, cycle=0.004)
    assert np.abs(np.diff(found.q, 2, axis=0)).max() / 0.004**2 == pytest.approx(1.0, abs=0.02)
    assert not found.moves[-1].stops


def test_moves_that_the_motion_passes_do_not_stop() -> None:
    motion = swinging(0.25 * np.arange(9))
    found = plan_of_motion(PLANAR2, replace(motion, columns={"line": np.array([1, 1, 2, 2, 3, 3, 3, 3, 3])}))
    assert [move.stops for move in found.moves] == [False, True, True]


def test_coarse_samples_are_interpolated() -> None:
    found = plan_of_motion(PLANAR2, waving([0.0, 2.0, 4.0]))
    assert (found.cycle, len(found.time)) == (0.01, 401)


def test_lines_and_moves_make_moves() -> None:
    motion = waving(0.1 * np.arange(8), line=[3, 3, 3, 4, 4, 4, 4, 4], move=[1, 1, 1, 2, 2, 5, 5, 5])
    found = plan_of_motion(PLANAR2, motion)
    assert [(m.line, round(m.start, 9), round(m.end, 9)) for m in found.moves] == [
        (3, 0.0, 0.3),
        (4, 0.3, 0.5),
        (4, 0.5, 0.7),
    ]
    assert found.move.tolist() == [1, 1, 1, 2, 2, 3, 3, 3]
    assert found.line.tolist() == [3, 3, 3, 4, 4, 4, 4, 4]
    np.testing.assert_array_equal(found.moves[0].q_end, motion.q[3])
    finer = plan_of_motion(PLANAR2, motion, cycle=0.05)
    assert finer.move.tolist() == [1] * 6 + [2] * 4 + [3] * 5


def test_positions_outside_of_the_range_are_reported() -> None:
    motion = waving(0.1 * np.arange(21), line=[7] * 10 + [8] * 11)
    found = plan_of_motion(PLANAR2, replace(motion, q=motion.q * 5))
    assert [(p.line, p.joint, p.quantity) for p in found.problems] == [(8, 1, "position"), (8, 2, "position")]


@pytest.mark.parametrize(
    ("change", "cycle", "error", "sentence"),
    [
        ({"q": np.zeros((3, 6))}, None, ShapeError, r"q has shape \(3, 6\); .*, expected \(3, 2\)"),
        ({"time": np.array([0.0, 1.0, 1.0])}, None, InputError, "the motion's instants do not increase"),
        ({"q": np.full((3, 2), np.nan)}, None, InputError, "not finite"),
        ({"qd": np.full((3, 2), np.inf)}, None, InputError, "not finite"),
        ({"qd": np.zeros((3, 1))}, None, ShapeError, r"qd has shape \(3, 1\); .*, expected \(3, 2\)"),
        ({}, 0.0, InputError, "cycle is 0 s"),
        (
            {"time": np.array([0.0, 1.0, 1e6])},
            None,
            InputError,
            "the motion lasts 1e[+]06 s, more than 5000000",
        ),
    ],
)
def test_motions_that_cannot_be(
    change: dict[str, Any], cycle: float | None, error: type[ArmdynError], sentence: str
) -> None:
    with pytest.raises(error, match=sentence):
        plan_of_motion(PLANAR2, replace(waving([0.0, 0.1, 0.2]), **change), cycle)
