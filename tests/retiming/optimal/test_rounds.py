"""Laws of the fastest motion along a path, whatever the friction."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import INTERVALS, grid_of
from armdyn.retiming.optimal.rounds import KEPT, Found, durations, shares, solve
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.path.curve import StraightCurve
from armdyn.retiming.path.joint_path import JointPath
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from curved_paths import Stretch, grid_along, onward_bend, path_along, random_bend
from limited_arms import (
    arm_of,
    hurried,
    just_able,
    steady_irb6,
    stronger,
    times,
    unhurried,
    used,
    with_friction,
    with_limits,
    with_motors,
)
from random_robots import Features, robots

BETWEEN = 1e-3
"""By which a limit may be exceeded between the places of the grid, where it is not looked at."""
ROUNDED = 1e-9
"""Of durations that are the same but for rounding, relative."""
GRID = 2e-3
"""Of durations, relative: what the grid, and where it has its places, may change."""
ACTIVE = 1e-6
"""Of a share: so near its limit a limit is reached."""
FINE = np.linspace(1e-6, 1 - 1e-6, 11)
"""Shares of an interval: a ten times finer grid, both ends seen from inside."""

FRICTION: dict[str, Callable[[], Robot]] = {
    "lola15": lambda: load("lola15"),
    "lola15, motors": lambda: with_limits(load("lola15"), acceleration=None, velocity=None),
    "lola15, all friction": lambda: with_friction(
        unhurried(load("lola15")), Friction(20.0, 30.0, 60.0, 0.2), Friction(0.002, 0.2, 0.3, 0.1)
    ),
    "irb6": lambda: load("irb6"),
    "irb6, torques": lambda: unhurried(load("irb6")),
    "ur5": lambda: with_limits(load("ur5"), acceleration=12.0),
    "ur5, all friction": lambda: with_friction(
        unhurried(load("ur5")), Friction(10.0, 8.0, 12.0, 0.2, load_includes_friction=True)
    ),
    "panda, torques": lambda: unhurried(load("panda")),
}


# What every motion keeps to -------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FRICTION)
def test_no_limit_is_broken_on_a_ten_times_finer_grid(name: str, seed: int) -> None:
    arm, tool_speed = arm_of(FRICTION[name](), friction=True), 1.8
    grid = grid_along(arm, random_bend(arm.dyn.robot, seed), count=INTERVALS, tool_speed=tool_speed)
    found = solve(grid)
    assert found.largest_share <= 1 + KEPT
    assert _used_at_most(found, arm, tool_speed) <= 1 + BETWEEN


@pytest.mark.parametrize("name", ["lola15", "irb6", "ur5, all friction"])
def test_a_margin_keeps_every_limit_between_the_places_of_the_grid(name: str) -> None:
    arm = arm_of(FRICTION[name](), friction=True)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 0), count=INTERVALS, margin=BETWEEN)
    assert 0.99 < _used_at_most(solve(grid), arm) <= 1


@pytest.mark.parametrize("name", ["irb6", "ur5, all friction", "lola15, all friction"])
def test_it_starts_against_starting_friction(name: str) -> None:
    arm = arm_of(FRICTION[name](), friction=True)
    schedule = _schedule(solve(grid_along(arm, onward_bend(arm.dyn.robot, 0))))
    q, qd, qdd = schedule.at(np.zeros(1))
    assert not qd.any()
    assert max(used(arm, q, qd, qdd).values()) <= 1 + KEPT


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", FRICTION)
def test_some_limit_is_reached_all_the_way(name: str, seed: int) -> None:
    """But for the few intervals in which the motion turns from speeding up to slowing down, or back."""
    arm = arm_of(FRICTION[name](), friction=True)
    found = solve(grid_along(arm, random_bend(arm.dyn.robot, seed), count=INTERVALS))
    idle = np.flatnonzero(_most_used(found) < 1 - ACTIVE)
    assert len(idle) <= 0.01 * INTERVALS
    assert not (np.diff(idle) == 1).any()


@settings(max_examples=12)
@given(
    robots(Features(bodies=4, fixed=False, coupled=False, nonlinear=False, friction=True)),
    st.integers(0, 2**32 - 1),
)
def test_random_robots_keep_their_limits(robot: Robot, seed: int) -> None:
    bend = (random_bend if robot.n > 1 else onward_bend)(robot, seed)  # one joint must not turn back
    arm = just_able(robot, bend)
    found = solve(grid_along(arm, bend, count=INTERVALS))
    assert found.profile.lost is None
    assert found.largest_share <= 1 + KEPT
    assert _used_at_most(found, arm) <= 1 + BETWEEN
    assert (_most_used(found) < 1 - ACTIVE).mean() < 0.05


# What makes it faster or slower ---------------------------------------------------------------


@pytest.mark.parametrize("limit", ["velocity", "acceleration", "effort"])
def test_a_higher_limit_makes_it_faster(limit: str) -> None:
    robot = with_limits(load("ur5"), acceleration=10.0, effort=times(0.6), velocity=times(0.5))
    raised = with_limits(robot, **{limit: times(1.1)})
    assert _duration(arm_of(raised), 2) < _duration(arm_of(robot), 2)


@pytest.mark.parametrize("name", ["lola15, motors", "irb6", "ur5, all friction"])
def test_stronger_motors_make_it_faster(name: str) -> None:
    robot = FRICTION[name]()
    raised = with_limits(with_motors(robot, lambda motor: stronger(motor, 1.1)), effort=times(1.1))
    lasting = [_duration(arm_of(each, friction=True), 0) for each in (robot, raised)]
    assert lasting[1] < lasting[0]


@pytest.mark.parametrize("name", FRICTION)
def test_k_times_as_fast_takes_the_kth_part(name: str) -> None:
    """Torques, accelerations, gravity and dry friction k^2, speeds and viscous friction k times: T / k."""
    k = 1.7
    robot = FRICTION[name]()
    lasting = [_duration(arm_of(each, friction=True), 1) for each in (robot, hurried(robot, k))]
    assert lasting[1] == pytest.approx(lasting[0] / k, rel=ROUNDED)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", ["ur5", "panda", "lola15", "irb6"])
def test_the_way_back_takes_as_long_without_friction(name: str, seed: int) -> None:
    robot = steady_irb6() if name == "irb6" else load(name)
    arm, there = arm_of(robot, friction=False), random_bend(robot, seed)
    back = Stretch(there, 0.0, there.length, -1.0)
    lasting = [_time(solve(grid_along(arm, curve))) for curve in (there, back)]
    assert lasting[1] == pytest.approx(lasting[0], rel=1e-3)


def test_friction_makes_the_way_back_another_matter() -> None:
    """Downhill gravity and friction work against one another."""
    robot = with_friction(unhurried(load("ur5")), Friction(coulomb=20.0))
    arm, there = arm_of(robot, friction=True), onward_bend(robot, 0)
    back = Stretch(there, 0.0, there.length, -1.0)
    lasting = [_time(solve(grid_along(arm, curve))) for curve in (there, back)]
    assert abs(lasting[1] / lasting[0] - 1) > 0.005


@pytest.mark.parametrize("name", ["ur5", "lola15, all friction", "irb6"])
def test_the_parameter_does_not_matter(name: str) -> None:
    arm = arm_of(FRICTION[name](), friction=True)
    whole = random_bend(arm.dyn.robot, 1)
    once = _time(solve(grid_along(arm, whole)))
    stretched = _time(solve(grid_along(arm, Stretch(whole, 0.0, 1.0, 250.0))))
    parts = _time(solve(grid_along(arm, Stretch(whole, 0.0, 0.37, 3.0), Stretch(whole, 0.37, 1.0, 0.2))))
    assert stretched == pytest.approx(once, rel=1e-6)
    assert parts == pytest.approx(once, rel=GRID)


def test_a_stop_on_the_way_costs_time() -> None:
    arm = arm_of(load("ur5"))
    whole = random_bend(arm.dyn.robot, 1)
    halves = Stretch(whole, 0.0, 0.4), Stretch(whole, 0.4, 1.0)
    path = path_along(arm.dyn.robot, *halves, stops=[True, True])
    found = solve(grid_of(path, lambda _: arm, 1000))
    alone = sum(_time(solve(grid_along(arm, half, count=500))) for half in halves)
    assert _time(found) > 1.05 * _time(solve(grid_along(arm, *halves)))
    assert _time(found) == pytest.approx(alone, rel=GRID)


@pytest.mark.parametrize("name", ["ur5", "lola15", "irb6, torques", "ur5, all friction"])
def test_finer_grids_come_nearer(name: str) -> None:
    arm = arm_of(FRICTION[name](), friction=True)
    bend = random_bend(arm.dyn.robot, 0)
    coarse, middle, fine, finest = (
        _time(solve(grid_along(arm, bend, count=count))) for count in (125, 500, 2000, 8000)
    )
    assert abs(middle - finest) < 0.6 * abs(coarse - finest)
    assert abs(fine - finest) < 0.6 * abs(middle - finest)
    assert fine == pytest.approx(finest, rel=2 * GRID)


def test_it_starts_and_ends_in_motion() -> None:
    arm = arm_of(FRICTION["lola15, all friction"](), friction=True)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 0))
    free = solve(grid, (0.0, np.inf), (0.0, np.inf)).profile
    start, end = 0.5 * free.x[0], 0.5 * free.z[-1]
    moving = solve(grid, (start, start), (end, end))
    assert moving.profile.x[0] == pytest.approx(start)
    assert moving.profile.z[-1] == pytest.approx(end)
    assert _time(moving) < _time(solve(grid))


# What cannot be -------------------------------------------------------------------------------


def test_where_the_arm_cannot_lift_its_load_is_where_it_is_lost() -> None:
    """Swung up from hanging to level, where it stops: from there on it is too heavy to be lifted."""
    arm = _weightlifter(0.7)
    found = solve(grid_of(_lifting(arm), lambda _: arm, 400))
    assert found.profile.lost == found.grid.parts[0].count
    assert {(found.rows[k].quantity, found.rows[k].joint) for k in found.profile.rows} <= {
        ("motor_torque", 1)
    }
    assert found.profile.rows
    assert np.isnan(found.largest_share)


def test_what_is_lost_with_too_heavy_a_load_is_found_with_a_lighter_one() -> None:
    arm = _weightlifter(1.1)
    assert solve(grid_of(_lifting(arm), lambda _: arm, 400)).profile.lost is None


def _weightlifter(strength: float) -> Arm:
    """A planar arm with a load, its joints so many times as strong as gravity is where the arm is level."""
    robot = replace(load("planar2"), drives=()).with_payload(mass=20.0, com=(0.5, 0.0, 0.0))
    weight = float(np.abs(arm_of(robot).dyn.gravity(np.zeros(2))).max())
    return arm_of(with_limits(robot, effort=strength * weight), friction=False)


def _lifting(arm: Arm) -> JointPath:
    hanging, level, above = (np.array([angle, 0.0]) for angle in (-np.pi / 2, 0.0, 0.5))
    ways = StraightCurve(hanging, level), StraightCurve(level, above)
    return path_along(arm.dyn.robot, *ways, stops=[True, True])


# How it is measured ---------------------------------------------------------------------------


def _schedule(found: Found) -> Schedule:
    assert found.profile.lost is None
    return Schedule(found.grid, found.profile)


def _time(found: Found) -> float:
    assert found.profile.lost is None
    return float(durations(found.grid, found.profile).sum())


def _duration(arm: Arm, seed: int) -> float:
    return _time(solve(grid_along(arm, random_bend(arm.dyn.robot, seed), count=400)))


def _used_at_most(found: Found, arm: Arm, tool_speed: float = np.inf) -> float:
    """The largest share of any limit on a ten times finer grid."""
    schedule = _schedule(found)
    within = (schedule.ends - schedule.begins)[:, None]
    time = (schedule.begins[:, None] + FINE * within).ravel()
    return max(used(arm, *schedule.at(time), tool_speed).values())


def _most_used(found: Found) -> Array:
    """(N) the largest share of any limit at the ends of each interval."""
    grid, profile = found.grid, found.profile
    most = np.abs(shares(grid, profile)).max(axis=1, initial=0.0)
    for limits, x in ((grid.starts, profile.x), (grid.ends, profile.z)):
        most = np.maximum(most, np.sqrt(x) / limits.largest_rate)
    for limit in grid.breakaway.shares:
        starting = np.abs(limit.share.at(profile.u, np.zeros_like(profile.x)))
        most = np.maximum(most, np.where(grid.from_rest, starting, 0.0))
    return most


# Where rounds have a hard time ------------------------------------------------------------------


def test_a_start_as_fast_as_can_be_under_strong_viscous_friction() -> None:
    """What is found with a free start is possible from there: viscous friction is added bit by bit."""
    arm = arm_of(with_friction(unhurried(load("ur5")), Friction(30.0)), friction=True)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 38), count=80)
    free = solve(grid, (0.0, np.inf), (0.0, 0.0))
    x = float(free.profile.x[0])
    fixed = solve(grid, (x, x), (0.0, 0.0))
    assert fixed.profile.lost is None
    assert fixed.profile.x[0] == pytest.approx(x)
    assert durations(grid, fixed.profile).sum() < 1.01 * durations(grid, free.profile).sum()


def test_what_cannot_be_held_is_lost_whatever_the_rounds() -> None:
    arm = arm_of(with_friction(load("panda"), Friction(30.0, 8.0, None, 0.5)), friction=True)
    for seed in range(16, 20):
        found = solve(grid_along(arm, random_bend(arm.dyn.robot, seed), count=60))
        assert found.profile.lost is not None or found.largest_share <= 1 + KEPT
