"""Lower bounds on the duration: below all that is possible, and near to what is found."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from armdyn.formats import load
from armdyn.retiming.limits import Limits
from armdyn.retiming.optimal.grid import Grid, grid_of
from armdyn.retiming.optimal.lower_bound import lower_bound
from armdyn.retiming.optimal.rounds import solve
from armdyn.retiming.optimal.schedule import Schedule
from armdyn.retiming.path.curve import SplineCurve, StraightCurve
from armdyn.robot import BASE, Body, Friction, Joint, Robot
from armdyn.robot.joint import Limits as JointLimits
from armdyn.scalars import Array
from armdyn.spatial import Inertia
from armdyn.spatial.vector import diagonal
from curved_paths import grid_along, path_along, random_bend
from limited_arms import arm_of, with_friction, with_limits
from random_robots import Features, robots

ROUNDING = 1e-8
"""By which a motion that is found may be shorter: it may exceed its limits by 1e-9."""
STRAIGHT = 1e-6
"""Gap, relative, where limits are straight; on its grid the motion found is not quite the fastest one."""
SMALL = 0.01
"""The gap that is allowed for arms as they are."""
SPEEDS = 160
"""That brute force tries at each place."""


def duration(grid: Grid) -> float:
    """Of the motion that is found; inf if none is."""
    found = solve(grid)
    if found.profile.lost is not None or found.largest_share > 1 + 1e-8:
        return math.inf
    return Schedule(grid, found.profile).duration


def sliding(friction: Friction, effort: float = 12.0, velocity: float | None = None) -> Robot:
    """1 kg that moves up and down."""
    limits = JointLimits(None, velocity, None, effort)
    joint = Joint("z", "prismatic", (0.0, 0.0, 1.0), friction=friction, limits=limits)
    inertia = Inertia(1.0, (0.0, 0.0, 0.0), diagonal(0.1, 0.1, 0.1))
    return Robot("slide", (Body("mass", joint, BASE, inertia),))


def by_brute_force(grid: Grid) -> float:
    """The shortest duration from rest to rest over all squares of rates out of SPEEDS at each place."""
    highest = np.append(solve(grid).profile.x, 0.0) * 1.5
    highest = np.where(highest > 0, highest, highest.max())
    levels = [np.zeros(1), *(np.linspace(0, each, SPEEDS) for each in highest[1:-1]), np.zeros(1)]
    least = np.zeros(1)
    for k, step in enumerate(grid.step):
        x, z = np.meshgrid(levels[k], levels[k + 1], indexing="ij")
        u = (z - x) / (2 * step)
        kept = _kept(grid.starts, k, u, x) & _kept(grid.ends, k, u, z)
        with np.errstate(divide="ignore"):
            lasting = np.where(kept, 2 * step / (np.sqrt(x) + np.sqrt(z)), np.inf)
        least = (least[:, None] + lasting).min(axis=0)
    return float(least[0])


def _kept(limits: Limits, k: int, u: Array, x: Array) -> NDArray[np.bool_]:
    """Whether limits are kept in interval k."""
    shape = (*u.shape, limits.count)
    values = [
        limit.share.at(np.broadcast_to(u[..., None], shape), np.broadcast_to(x[..., None], shape))[..., k]
        for limit in limits.shares
    ]
    return (np.abs(values) <= 1).all(axis=0) & (np.sqrt(x) <= limits.largest_rate[k])


# Never above ----------------------------------------------------------------------------------

RUBBING = robots(Features(bodies=3, friction=True, nonlinear=False, drives=False))


@settings(max_examples=20)
@given(RUBBING, st.integers(0, 2**32 - 1))
def test_no_motion_is_shorter(robot: Robot, seed: int) -> None:
    rng = np.random.default_rng(seed)
    some = with_limits(robot, effort=float(rng.uniform(60, 300)), velocity=float(rng.uniform(1, 10)))
    curve = SplineCurve(np.linspace(0, 1, 4), rng.uniform(-1, 1, (4, robot.n)))
    grid = grid_along(arm_of(some, friction=True), curve, count=20)
    assert lower_bound(grid) <= duration(grid) * (1 + ROUNDING)


@pytest.mark.parametrize("seed", range(4))
def test_brute_force_finds_nothing_shorter(seed: int) -> None:
    robot = with_limits(
        with_friction(load("planar2"), Friction(viscous=8.0, coulomb=4.0, load=0.3)),
        effort=2500.0,
        velocity=6.0,
    )
    curve = random_bend(robot, seed, points=3)
    grid = grid_along(arm_of(robot, friction=True), curve, count=4)
    bound, shortest = lower_bound(grid), by_brute_force(grid)
    assert 0 < bound <= shortest * (1 + ROUNDING)
    assert shortest < math.inf


def test_friction_that_helps_to_brake() -> None:
    # down is fast, and what holds the mass has little left for braking: without friction it would take longer
    curve = StraightCurve(np.array([1.0]), np.array([0.0]))
    rubbing = grid_along(arm_of(sliding(Friction(viscous=3.0)), friction=True), curve, count=400)
    smooth = grid_along(arm_of(sliding(Friction())), curve, count=400)
    assert duration(smooth) > 1.05 * duration(rubbing)
    assert lower_bound(rubbing) <= duration(rubbing) * (1 + ROUNDING)
    assert lower_bound(rubbing) == pytest.approx(duration(rubbing), rel=1e-3)


# Near to what is found ------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_straight_limits_leave_no_gap(seed: int) -> None:
    robot = load("ur5")
    grid = grid_along(arm_of(robot), random_bend(robot, seed), count=1000)
    found = duration(grid)
    assert lower_bound(grid) <= found * (1 + ROUNDING)
    assert lower_bound(grid) == pytest.approx(found, rel=STRAIGHT)


@pytest.mark.parametrize("name", ["lola15", "irb6"])
@pytest.mark.parametrize("seed", range(3))
def test_small_gap_with_friction(name: str, seed: int) -> None:
    robot = load(name)
    grid = grid_along(arm_of(robot), random_bend(robot, seed), count=500)
    found = duration(grid)
    assert (1 - SMALL) * found <= lower_bound(grid) <= found * (1 + ROUNDING)


def test_friction_under_load_without_speed_limits() -> None:
    curve = StraightCurve(np.array([0.0]), np.array([1.0]))
    robot = sliding(Friction(viscous=2.0, coulomb=0.5, load=0.3), effort=20.0)
    grid = grid_along(arm_of(robot, friction=True), curve, count=200)
    assert lower_bound(grid) == pytest.approx(duration(grid), rel=1e-3)


# Ends and waits -------------------------------------------------------------------------------


def test_waits_count() -> None:
    robot = load("ur5")
    half = StraightCurve(np.zeros(6), np.full(6, 0.3))
    back = StraightCurve(np.full(6, 0.3), np.zeros(6))
    path = path_along(robot, half, back, stops=[True, True], waits=[0.5, 0.25])
    arm = arm_of(robot)
    grid = grid_of(replace(path, wait_before=1.0), lambda _: arm, 100)
    assert lower_bound(grid) == pytest.approx(duration(grid), rel=1e-4)
    plain = grid_of(path_along(robot, half, back, stops=[True, True]), lambda _: arm, 100)
    assert lower_bound(grid) == pytest.approx(lower_bound(plain) + 1.75)


def test_from_moving_to_moving() -> None:
    robot = load("irb6")
    grid = replace(grid_along(arm_of(robot), random_bend(robot, 1), count=300), starts_at_rest=False)
    part = grid.parts[-1]
    grid = replace(grid, parts=[replace(part, piece=replace(part.piece, stops=False))])
    ends = (0.01, 0.01), (0.0, 0.01)
    found = solve(grid, *ends)
    assert found.profile.lost is None
    bound = lower_bound(grid, *ends)
    assert bound == pytest.approx(Schedule(grid, found.profile).duration, rel=SMALL)


def test_nothing_is_possible() -> None:
    curve = StraightCurve(np.array([0.0]), np.array([1.0]))
    assert lower_bound(grid_along(arm_of(sliding(Friction(), effort=9.0)), curve, count=20)) == math.inf
