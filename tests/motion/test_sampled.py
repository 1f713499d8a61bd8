"""Plans from sampled motions: samples as they are, or interpolated; moves by lines; clear refusals."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.errors import ArmdynError, InputError, ShapeError
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
    assert (move.kind, move.line, move.start, move.stops) == ("samples", 0, 0.0, True)
    assert move.end == found.duration == found.time[-1] == pytest.approx(0.4)
    assert set(found.move) == {1}
    assert [(phase.robot, phase.first, phase.last) for phase in found.phases] == [(PLANAR2, 0, 101)]
    assert found.notes == ()


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
    np.testing.assert_allclose(found.q, exact, atol=1e-4)  # a cubic through samples about 8 ms apart
    np.testing.assert_allclose(found.q[-1], motion.q[-1], atol=ROUNDING)
    assert (
        found.notes[-1]
        == f"samples interpolated every {found.cycle:g} s by a monotone cubic spline through q"
    )


def test_interpolation_does_not_overshoot() -> None:
    motion = waving(np.arange(4.0))
    motion = replace(motion, q=np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 1.0]]))
    found = plan_of_motion(PLANAR2, motion, cycle=0.01)
    assert found.q.min() >= 0.0
    assert found.q.max() <= 1.0


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
