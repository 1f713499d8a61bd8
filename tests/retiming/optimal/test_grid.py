"""Paths cut into intervals, and what limits the motion at both ends of each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import FEWEST, GRADED, Grid, grid_of
from armdyn.retiming.path.curve import StraightCurve
from armdyn.retiming.path.joint_path import JointPath
from armdyn.robot import Friction
from armdyn.scalars import Array
from curved_paths import Bend, Stretch, grid_along, path_along, random_bend
from limited_arms import arm_of, with_friction

AGREEMENT = 1e-9
"""Of shares: torques as forms and torques themselves."""


def _rates(arm: Arm, q: Array, first: Array) -> Array:
    """(t, points) d theta/dp of the friction points."""
    return np.einsum("tpj,tj->tp", arm.dyn.friction_gradients(q), first)


# Intervals ------------------------------------------------------------------------------------


def test_intervals_cover_the_path() -> None:
    arm = arm_of(load("ur5"))
    grid = grid_along(arm, random_bend(arm.dyn.robot, 0), count=250)
    (part,) = grid.parts
    assert len(grid.step) == part.count == 250 + 2 * len(GRADED)
    assert (part.p[0], part.p[-1]) == (0.0, part.piece.curve.length)
    assert grid.step.sum() == pytest.approx(part.piece.curve.length)
    for ours, theirs in zip((part.q, part.first, part.second), part.piece.curve.at(part.p), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_long_curves_have_more_intervals_than_short_ones() -> None:
    arm = arm_of(load("ur5"))
    start = np.array(arm.dyn.robot.home)
    ways = [StraightCurve(start, start + far) for far in (0.3, 0.1, 1e-4)]
    counts = [part.count for part in grid_along(arm, *ways, count=400).parts]
    assert counts == [300 + len(GRADED), 100, FEWEST + len(GRADED)]  # shorter ones next to rest


@pytest.mark.parametrize("name", ["lola15", "irb6", "panda"])
def test_nothing_turns_back_inside_an_interval(name: str) -> None:
    arm = arm_of(load(name), friction=True)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 3), count=60)
    (part,) = grid.parts
    assert part.count > 60 + 2 * len(GRADED)
    for share in (0.01, 0.3, 0.7, 0.99):
        q, first, _ = part.piece.curve.at(part.p[:-1] + share * np.diff(part.p))
        np.testing.assert_array_equal(np.sign(_rates(arm, q, first)), part.ways)


def test_what_does_not_move_has_no_way() -> None:
    arm = arm_of(load("lola15"))
    home = np.array(arm.dyn.robot.home)
    grid = grid_along(arm, StraightCurve(home, home + np.array([0.0, 0.0, 0.0, 0.0, 0.5, 0.0])))
    moving = _rates(arm, home[None], np.eye(6)[4][None])[0] != 0
    np.testing.assert_array_equal(grid.parts[0].ways != 0, np.broadcast_to(moving, grid.parts[0].ways.shape))
    assert not moving.all()


def test_where_the_parameter_changes_squared_rates_do() -> None:
    arm = arm_of(load("ur5"))
    whole = random_bend(arm.dyn.robot, 0)
    grid = grid_along(arm, Stretch(whole, 0.0, 0.5, 3.0), Stretch(whole, 0.5, 1.0, 0.5), count=200)
    last = grid.parts[0].count - 1
    # dq/dt = dq/dp y is the same on both sides: y is 6 times smaller behind
    assert grid.ratio[last] == pytest.approx(1 / 36)
    np.testing.assert_array_equal(np.delete(grid.ratio, last), 1.0)


@pytest.mark.parametrize("at_rest", [True, False])
def test_rests_are_where_pieces_stop(at_rest: bool) -> None:
    arm = arm_of(load("ur5"))
    whole = random_bend(arm.dyn.robot, 0)
    thirds = [Stretch(whole, begins, begins + 1 / 3) for begins in (0.0, 1 / 3, 2 / 3)]
    path = path_along(arm.dyn.robot, *thirds, stops=[True, False, True])
    grid = grid_of(path, lambda _: arm, 90, starts_at_rest=at_rest)
    first, second, third = np.cumsum([part.count for part in grid.parts]) - 1
    assert np.flatnonzero(grid.rests_after).tolist() == [first, third]
    assert second not in np.flatnonzero(grid.rests_after)
    assert np.flatnonzero(grid.from_rest).tolist() == ([0] if at_rest else []) + [first + 1]


# Limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lola15", "irb6", "panda", "ur5"])
def test_limits_are_those_of_the_equations_of_motion(name: str) -> None:
    arm = arm_of(load(name), friction=True)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 2), count=100)
    rng = np.random.default_rng(0)
    u, x = rng.normal(size=len(grid.step)), rng.uniform(0.1, 2.0, len(grid.step))
    (part,) = grid.parts
    inside = 1e-7 * grid.step  # where a friction point turns its direction is that of the interval
    for limits, p in ((grid.starts, part.p[:-1] + inside), (grid.ends, part.p[1:] - inside)):
        q, first, second = part.piece.curve.at(p)
        qd, qdd = first * np.sqrt(x)[:, None], first * u[:, None] + second * x[:, None]
        used = arm.actuators.share(arm.speed(q, qd), arm.torque(q, qd, qdd))
        for k, joint in enumerate(arm.actuators.joints):
            mine = [
                np.abs(limit.share.at(u, x))
                for limit in limits.shares
                if (limit.quantity, limit.joint) == ("motor_torque", joint + 1)
            ]
            np.testing.assert_allclose(np.max(mine, axis=0), used[:, k], rtol=1e-4, atol=1e-4)
        speeds = np.abs(arm.speed(q, first)) / arm.actuators.speed_limits
        ours = [limit.share for limit in limits.speeds if limit.quantity == "motor_speed"]
        if ours:
            np.testing.assert_allclose(np.max(ours, axis=0), speeds.max(axis=1), rtol=1e-4)


def test_each_piece_is_limited_with_its_own_payload() -> None:
    """Limits of a path are those of its pieces alone."""
    empty = load("ur5")
    loaded = empty.with_payload(mass=4.0, com=(0.0, 0.0, 0.1))
    arms = {robot: arm_of(robot) for robot in (empty, loaded)}
    whole = random_bend(empty, 0)
    curves = [Stretch(whole, 0.0, 0.3), Stretch(whole, 0.3, 0.6), Stretch(whole, 0.6, 1.0)]
    path = path_along(empty, *curves, stops=[True, True, True])
    carried = [empty, loaded, empty]
    pieces = tuple(replace(piece, robot=robot) for piece, robot in zip(path.pieces, carried, strict=True))
    grid = grid_of(replace(path, pieces=pieces), arms.__getitem__, 120)
    u, x = np.full(len(grid.step), 0.4), np.full(len(grid.step), 0.9)
    for number, piece in enumerate(pieces):
        mine = grid.part_of == number
        alone = Grid(JointPath(empty, (piece,), path.moves), [arms[piece.robot]], [grid.parts[number]])
        for ours, theirs in zip(grid.starts.shares, alone.starts.shares, strict=True):
            assert (ours.quantity, ours.joint) == (theirs.quantity, theirs.joint)
            expected = theirs.share.at(u[mine], x[mine])
            np.testing.assert_allclose(ours.share.at(u, x)[mine], expected, rtol=0, atol=AGREEMENT)
        np.testing.assert_allclose(grid.starts.largest_rate[mine], alone.starts.largest_rate, rtol=AGREEMENT)


def test_starting_takes_more_only_where_starting_friction_does() -> None:
    robot = load("ur5")
    bend = Bend(random_bend(robot, 0).points)
    same, more = (
        arm_of(with_friction(robot, Friction(coulomb=5.0, starting=starting)), friction=True)
        for starting in (5.0, 9.0)
    )
    assert not grid_along(same, bend).breakaway.shares
    grid = grid_along(more, bend, count=50)
    q, first, _ = bend.at(np.zeros(1))
    needed = more.actuators.share(0 * q, more.torque(q, 0 * q, 0.5 * first))[0]
    shares = [limit.share.at(0.5, 0.0)[0] for limit in grid.breakaway.shares]
    np.testing.assert_allclose(np.abs(shares[: robot.n]), needed, rtol=AGREEMENT)
