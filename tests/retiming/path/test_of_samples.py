"""Paths of sampled motions and plans: corners and rests found, waits kept, starts and ends in motion."""

from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError, ShapeError
from armdyn.feasibility import planned
from armdyn.formats import load
from armdyn.formats.motions import Motion, sampled_motion, write_motion
from armdyn.motion import ChangePayload, JointTarget, PointToPoint, Wait, plan, plan_of_motion
from armdyn.retiming.path import JointPath, path_of_motion, path_of_plan, path_of_program, path_of_work
from armdyn.retiming.path.joint_path import CHANGES, CORNER, MOVE_ENDS, WAITS
from armdyn.robot import Payload
from armdyn.scalars import Array
from armdyn.spatial import Inertia
from retiming.path.path_checks import check_derivatives, check_path, distance_to, ends

UR5, PLANAR2 = load("ur5"), load("planar2")
READY = (0.0, -1.5, 1.5, -1.5, -1.5, 0.0)
ASIDE = (0.8, -1.2, 1.3, -1.7, -1.5, 0.3)
THERE = (0.2, -0.9, 1.0, -1.2, -1.2, 0.8)


def to(q: Any, line: int = 1, **options: Any) -> PointToPoint:
    return PointToPoint(line, JointTarget(q), **options)


def planar(time: Any, q: Any, **columns: Any) -> Motion:
    found = sampled_motion(PLANAR2, time, q)
    return Motion(
        found.time, found.q, found.qd, found.qdd, {k: np.array(v, float) for k, v in columns.items()}
    )


def eased(t: Array) -> Array:
    """From 0 to 1 and from rest to rest."""
    s = np.clip(t, 0.0, 1.0)
    return s**3 * (10 - 15 * s + 6 * s**2)


def along(points: Any, t: Array) -> Array:
    """(t, n) a second from each point to the next, from rest to rest."""
    q = np.array(points, float)
    return q[0] + sum(np.outer(eased(t - k), q[k + 1] - q[k]) for k in range(len(q) - 1))


def path_of(time: Any, q: Any, **columns: Any) -> JointPath:
    path = path_of_motion(PLANAR2, planar(time, q, **columns))
    check_path(path)
    return path


# Recorded motions -----------------------------------------------------------------------------


def test_a_smooth_motion_begins_and_ends_in_motion() -> None:
    t = np.linspace(0.0, 2.0, 201)
    q = np.column_stack([np.sin(t), 1 - np.cos(t)])
    path = path_of(t, q)
    (piece,) = path.pieces
    assert not piece.stops
    assert (path.first_rate, path.last_rate) == (pytest.approx(1.0, rel=1e-4), pytest.approx(1.0, rel=1e-4))
    assert (path.duration, path.cycle) == (pytest.approx(2.0), pytest.approx(0.01))
    p = np.linspace(0.0, path.length, 77)
    at, first, second = path.at(p)
    np.testing.assert_allclose(np.hypot(at[:, 0], at[:, 1] - 1), 1.0, atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1.0, atol=1e-4)
    np.testing.assert_allclose(np.linalg.norm(second, axis=1), 1.0, atol=1e-2)
    check_derivatives(piece.curve, 1e-3)


def test_corners_are_found_where_no_sample_is() -> None:
    t = np.linspace(0.0, 3.0, 287)  # none at 1 s or 2 s
    path = path_of(t, along([[0, 0], [1, 0], [1, 1], [0.2, 1.4]], t))
    assert [p.reason for p in path.pieces] == [CORNER, CORNER, MOVE_ENDS]
    np.testing.assert_allclose(ends(path.pieces[0].curve)[0][1], [1, 0], atol=1e-6)
    np.testing.assert_allclose(ends(path.pieces[1].curve)[0][1], [1, 1], atol=1e-6)
    assert path.notes[-1] == "at 2 places: the joints' path has a corner, where the arm must stop"


def test_a_rest_without_a_corner_is_passed() -> None:
    t = np.linspace(0.0, 2.0, 203)
    path = path_of(t, along([[0, 0], [1, 0.5], [2, 1]], t))
    assert [p.reason for p in path.pieces] == [MOVE_ENDS]


@pytest.mark.parametrize("noise", [0.0, 1e-6])
def test_dwells_become_waits(noise: float) -> None:
    t = np.linspace(0.0, 4.0, 401)
    moving = np.where(
        t < 0.5, 0.0, np.where(t < 1.5, t - 0.5, np.where(t < 2.75, 1.0, np.minimum(t - 1.75, 2)))
    )
    shaking = np.random.default_rng(5).normal(0.0, noise, (len(t), 2))
    path = path_of(t, along([[0, 0], [1, 0], [1, 1]], moving) + shaking)
    assert path.wait_before == pytest.approx(0.5, abs=0.05)
    assert [p.reason for p in path.pieces] == [WAITS, WAITS]
    assert [p.wait for p in path.pieces] == pytest.approx([1.25, 0.25], abs=0.06)


def test_uneven_instants() -> None:
    t = np.sort(np.random.default_rng(3).uniform(0.0, 3.0, 400))
    q = np.column_stack([np.sin(2 * t), np.cos(t)])
    path = path_of(t, q)
    assert distance_to(list(path.pieces), q).max() < 1e-4
    assert path.pieces[-1].reason == ""


def test_slow_wide_bends_are_no_corners() -> None:
    t = np.linspace(0.0, 1.0, 40)
    path = path_of(t, np.column_stack([np.sin(6 * t), np.cos(6 * t)]))
    assert len(path.pieces) == 1


def test_lines_and_moves_of_the_file_are_moves() -> None:
    t = np.linspace(0.0, 2.0, 201)
    q = np.column_stack([np.sin(t), np.cos(t)])
    path = path_of(t, q, line=np.where(t < 0.7, 12, 14))
    assert [(p.move, p.line, p.stops) for p in path.pieces] == [(1, 12, False), (2, 14, False)]
    np.testing.assert_allclose(ends(path.pieces[0].curve)[0][1], q[70], atol=1e-9)


def test_a_file_of_samples(tmp_path: Any) -> None:
    t = np.linspace(0.0, 2.0, 201)
    file = tmp_path / "motion.csv"
    write_motion(file, t, {"q": along([[0, 0], [1, 0], [1, 1]], t)})
    path = path_of_work(planned(file, PLANAR2))
    assert [p.reason for p in path.pieces] == [CORNER, MOVE_ENDS]


# Plans ----------------------------------------------------------------------------------------


def test_a_plan_keeps_its_stops_waits_and_changes() -> None:
    held = Payload(UR5.tool.body, Inertia(2.0, (0.0, 0.0, 0.1), ((0, 0, 0), (0, 0, 0), (0, 0, 0))))
    steps = [to(ASIDE, 3, blend=True), to(THERE, 4), Wait(5, 0.237), ChangePayload(6, held), to(READY, 7)]
    exact = path_of_program(UR5, steps, READY)
    path = path_of_plan(plan(UR5, steps, READY))
    check_path(path)
    assert [(p.move, p.reason) for p in path.pieces] == [(1, ""), (2, CHANGES), (4, MOVE_ENDS)]
    assert path.pieces[1].wait == pytest.approx(0.237, abs=1e-8)
    assert [m.wait for m in path.moves] == pytest.approx([m.wait for m in exact.moves], abs=1e-8)
    assert [m.robot for m in path.moves] == [m.robot for m in exact.moves]
    assert path.length == pytest.approx(exact.length, rel=1e-4)
    places = exact.at(np.linspace(0.0, exact.length, 1001))[0]
    assert distance_to(list(path.pieces), places).max() < 1e-4


@pytest.mark.parametrize(("turn_acceleration", "stops"), [(None, 10), (2.0, 3)])
def test_lola15_from_its_samples(turn_acceleration: float | None, stops: int) -> None:
    exact = path_of_work(planned("lola15", turn_acceleration=turn_acceleration))
    assert exact.plan is not None
    from_plan = path_of_plan(exact.plan)
    from_samples = path_of_motion(exact.robot, sampled_motion(exact.robot, exact.plan.time, exact.plan.q))
    for path in (from_plan, from_samples):
        check_path(path)
        assert sum(p.stops for p in path.pieces) == stops
        assert path.length == pytest.approx(exact.length, rel=1e-4)


def test_a_plan_of_samples_that_end_in_motion() -> None:
    t = np.linspace(0.0, 1.0, 101)
    found = path_of_plan(plan_of_motion(PLANAR2, planar(t, np.column_stack([np.sin(t), np.cos(t)]))))
    assert (found.first_rate, found.last_rate) == (0.0, pytest.approx(1.0, rel=1e-3))
    assert not found.pieces[-1].stops


# Refusals -------------------------------------------------------------------------------------


def test_nothing_moves() -> None:
    with pytest.raises(InputError, match="nothing moves in the samples"):
        path_of_motion(PLANAR2, planar([0.0, 1.0, 2.0, 3.0], np.ones((4, 2))))


def test_wrong_arrays() -> None:
    good = planar([0.0, 1.0, 2.0, 3.0], [[0, 0], [1, 0], [2, 0], [3, 1]])
    with pytest.raises(ShapeError, match="q has shape"):
        path_of_motion(UR5, good)
    broken = Motion(good.time, good.q * np.nan, good.qd, good.qdd, {})
    with pytest.raises(InputError, match="not finite"):
        path_of_motion(PLANAR2, broken)
