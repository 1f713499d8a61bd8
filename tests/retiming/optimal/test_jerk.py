"""Motions of limited jerk, beside ruckig where it can say what is best, and looked at closely everywhere."""

from __future__ import annotations

import numpy as np
import pytest

from armdyn.errors import InputError, ShapeError
from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.motion.jerk_limited import JerkLimited
from armdyn.retiming.optimal.grid import Grid, grid_of
from armdyn.retiming.optimal.jerk import SmoothSchedule, limited_jerk
from armdyn.retiming.optimal.rounds import solve
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.path.curve import CutCurve, SplineCurve, StraightCurve
from armdyn.robot import Robot
from curved_paths import Bend, grid_along, path_along, random_bend
from limited_arms import arm_of, with_limits

KEPT = 1.001
"""Largest share of any limit at instants that are ten times closer than the steps."""
BEST = 0.005
"""How much longer than ruckig's answer, which is the best there is, ours may be."""
NEVER = 1e-4
"""By how much it may seem to be shorter: the limits are looked at in instants."""


def hinge(velocity: float = 2.0, acceleration: float = 5.0) -> Robot:
    """One joint that torque does not limit."""
    return with_limits(load("pendulum"), velocity=velocity, acceleration=acceleration, effort=1e6)


def largest_shares(
    arm: Arm, schedule: SmoothSchedule, jerk: float, close: int = 10, jumps: float = -1.0
) -> dict[str, float]:
    """Of all limits, of the jerk by differences of the accelerations between close instants of one step.

    The acceleration may jump at one instant.
    """
    robot = arm.dyn.robot
    assert len(schedule.laws) == 1
    instants = schedule.laws[0].instants + schedule.begins[0]
    steps = np.diff(instants)[:, None]
    time = instants[:-1, None] + steps * np.linspace(1e-6, 1 - 1e-6, close)
    q, qd, qdd = (values.reshape(*time.shape, robot.n) for values in schedule.at(time.ravel()))
    jerks = np.diff(qdd, axis=1) / np.diff(time, axis=1)[..., None]
    jerks[(time[:, :-1] <= jumps) & (jumps <= time[:, 1:])] = 0.0
    known = [joint.limits for joint in robot.joints]
    speeds, accelerations = (
        np.array([getattr(limits, name) or np.inf for limits in known])
        for name in ("velocity", "acceleration")
    )
    motors = arm.actuators
    return {
        "torque": float(motors.share(arm.speed(q, qd), arm.torque(q, qd, qdd)).max()),
        "motor speed": float((np.abs(arm.speed(q, qd)) / motors.speed_limits).max()),
        "speed": float((np.abs(qd) / speeds).max()),
        "acceleration": float((np.abs(qdd) / accelerations).max()),
        "jerk": float(np.abs(jerks).max() / jerk),
    }


def fastest(grid: Grid) -> float:
    return Schedule(grid, solve(grid).profile).duration


# Beside ruckig --------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [0.05, 0.5, 3.0])
@pytest.mark.parametrize("jerk", [10.0, 50.0, 1000.0])
def test_one_joint_is_as_fast_as_ruckig(length: float, jerk: float) -> None:
    grid = grid_along(arm_of(hinge()), StraightCurve(np.zeros(1), np.full(1, length)), count=300)
    best = JerkLimited.of(2.0 / length, 5.0 / length, 5.0 / length, jerk / length).duration
    ours = limited_jerk(solve(grid), jerk).duration
    assert best * (1 - NEVER) <= ours <= best * (1 + BEST)


# Limits ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "jerk"), [("ur5", 30.0), ("ur5", 3000.0), ("irb6", 300.0), ("lola15", 30.0)]
)
def test_all_limits_are_kept(name: str, jerk: float) -> None:
    robot = load(name)
    arm = arm_of(robot)
    grid = grid_along(arm, random_bend(robot, 0), count=300)
    schedule = limited_jerk(solve(grid), jerk, steps=150)
    shares = largest_shares(arm, schedule, jerk)
    assert max(shares.values()) <= KEPT, shares
    assert schedule.duration > fastest(grid)


@pytest.mark.slow
def test_a_generous_limit_costs_little() -> None:
    robot = load("lola15")
    grid = grid_along(arm_of(robot), random_bend(robot, 0), count=300)
    assert limited_jerk(solve(grid), 3000.0).duration == pytest.approx(fastest(grid), rel=0.02)


def test_a_joint_with_its_own_limit() -> None:
    robot = load("ur5")
    grid = grid_along(arm_of(robot), random_bend(robot, 1), count=200)
    loose, tight = [1000.0] * 6, [1000.0, 20.0, 1000.0, 1000.0, 1000.0, 1000.0]
    found = solve(grid)
    assert (
        limited_jerk(found, tight, steps=100).duration > 1.2 * limited_jerk(found, loose, steps=100).duration
    )


# From rest to rest ----------------------------------------------------------------------------


def test_path_and_ends() -> None:
    robot = load("ur5")
    curve = random_bend(robot, 2)
    grid = grid_along(arm_of(robot), curve, count=200)
    schedule = limited_jerk(solve(grid), 200.0, steps=100)
    q, qd, qdd = schedule.at(np.array([-1.0, 0.0, schedule.duration, schedule.duration + 1]))
    np.testing.assert_allclose(q, curve.at(np.array([0.0, 0.0, 1.0, 1.0]))[0], atol=1e-12)
    assert not qd.any()
    assert not qdd.any()
    # just inside: rest is left and reached without a jolt
    inside = schedule.at(np.array([1e-6, schedule.duration - 1e-6]))
    assert np.abs(inside[2]).max() < 1e-3
    # intervals meet their places in time
    for instants, places in ((schedule.begins, slice(0, -1)), (schedule.ends, slice(1, None))):
        np.testing.assert_allclose(schedule.at(instants)[0], grid.parts[0].q[places], atol=1e-9)
    rates = np.linalg.norm(schedule.at(schedule.begins)[1], axis=1)
    slopes = np.linalg.norm(grid.parts[0].first[:-1], axis=1)
    np.testing.assert_allclose(np.sqrt(schedule.profile.x) * slopes, rates, atol=1e-6)


def test_stops_and_waits() -> None:
    robot = hinge()
    there, back = StraightCurve(np.zeros(1), np.ones(1)), StraightCurve(np.ones(1), np.zeros(1))
    arm = arm_of(robot)
    path = path_along(robot, there, back, stops=[True, True], waits=[0.5, 0.0])
    schedule = limited_jerk(solve(grid_of(path, lambda _: arm, 200)), 50.0)
    once = JerkLimited.of(2.0, 5.0, 5.0, 50.0).duration
    assert schedule.duration == pytest.approx(2 * once + 0.5, rel=BEST)
    q, qd, _ = schedule.at(np.array([schedule.laws[0].duration + 0.2]))
    assert q[0, 0] == pytest.approx(1.0)
    assert not qd.any()
    planned = schedule.plan(0.01)
    assert planned.duration == schedule.duration
    assert planned.q[-1, 0] == pytest.approx(0.0)
    assert len(planned.moves) == 2


@pytest.mark.slow
def test_smooth_pieces_are_passed_without_a_stop() -> None:
    robot = load("ur5")
    whole = Bend(random_bend(robot, 3).points[:4])
    arm = arm_of(robot)
    cut = path_along(robot, CutCurve(whole, 0.0, 0.4), CutCurve(whole, 0.4, 1.0))
    found = solve(grid_of(cut, lambda _: arm, 200))
    schedule = limited_jerk(found, 300.0, steps=150)
    assert len(schedule.laws) == 1
    together = limited_jerk(solve(grid_along(arm, whole, count=200)), 300.0, steps=150)
    assert schedule.duration == pytest.approx(together.duration, rel=0.01)
    assert max(largest_shares(arm, schedule, 300.0).values()) <= KEPT


def kinked() -> tuple[Arm, Grid]:
    """A straight line that runs into a circle."""
    angle = np.linspace(0.0, 1.0, 12)
    round_ = SplineCurve(angle, np.stack([np.sin(angle), 1 - np.cos(angle)], axis=1))
    straight = StraightCurve(np.array([-1.0, 0.0]), np.zeros(2))
    limited = with_limits(load("planar2"), velocity=2.0, acceleration=5.0, effort=1e5)
    arm = arm_of(limited)
    return arm, grid_of(path_along(limited, straight, round_), lambda _: arm, 200)


def test_the_arm_stops_where_curvature_jumps() -> None:
    _, grid = kinked()
    schedule = limited_jerk(solve(grid), 100.0, steps=150)
    assert len(schedule.laws) == 2
    assert "curvature jumps" in schedule.plan(0.01).notes[-1]
    assert not schedule.at(np.array([schedule.laws[0].duration]))[1].any()


def test_a_cycle_in_which_accelerations_may_jump() -> None:
    arm, grid = kinked()
    jerk, cycle = 100.0, 0.01
    stopping = limited_jerk(solve(grid), jerk, steps=150)
    schedule = limited_jerk(solve(grid), jerk, cycle=cycle, steps=150)
    assert len(schedule.laws) == 1
    assert fastest(grid) < schedule.duration < 0.95 * stopping.duration
    # the second joint's acceleration jumps by the curvature, 1/rad, times the square of the rate
    first = grid.parts[0].count
    assert schedule.profile.x[first] <= jerk * cycle * (1 + 1e-3)
    assert max(largest_shares(arm, schedule, jerk, jumps=schedule.begins[first]).values()) <= KEPT


# Refused --------------------------------------------------------------------------------------


def test_refused() -> None:
    found = solve(grid_along(arm_of(hinge()), StraightCurve(np.zeros(1), np.ones(1)), count=50))
    with pytest.raises(InputError, match="jerk is -1, expected limits above 0"):
        limited_jerk(found, -1.0)
    with pytest.raises(InputError, match="cycle is 0 s, expected a finite number above 0"):
        limited_jerk(found, 1.0, cycle=0.0)
    with pytest.raises(ShapeError, match="jerk has shape"):
        limited_jerk(found, [1.0, 2.0])


def test_moving_ends_are_refused() -> None:
    robot = hinge()
    arm = arm_of(robot)
    path = path_along(robot, StraightCurve(np.zeros(1), np.ones(1)), stops=[False])
    found = solve(grid_of(path, lambda _: arm, 50), end=(0.25, 0.25))
    with pytest.raises(InputError, match="expected rest at both ends"):
        limited_jerk(found, 10.0)


def test_no_motion_at_all() -> None:
    weak = with_limits(load("pendulum"), velocity=1.0, acceleration=1.0, effort=1e-3)
    found = solve(grid_along(arm_of(weak), StraightCurve(np.full(1, 0.3), np.full(1, 1.3)), count=50))
    with pytest.raises(InputError, match="there is no motion along the path"):
        limited_jerk(found, 10.0)
