"""The maximum velocity curve beside a search through the dynamics, and beside the speeds of motions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.limit_curve import limit_curve
from armdyn.retiming.optimal.rounds import solve
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from curved_paths import grid_along, onward_bend, random_bend
from limited_arms import arm_of, unhurried, with_friction, with_limits

NEAR = 2e-3
"""How far, relative, from the curve a place is looked at."""
RATES = np.concatenate([[1 + NEAR], np.geomspace(1.02, 30.0, 25)])
"""Multiples of the curve's x at which nothing must be possible."""
ACCELERATIONS = 1001
"""That are tried at each x."""
ZOOMS = 4
"""How often the best of them is looked at from nearer."""
ALL = Friction(viscous=0.4, coulomb=1.0, load=0.15)
ALL_AT_MOTORS = Friction(viscous=1e-4, coulomb=0.01, load=0.1)
COUNTED = Friction(viscous=0.3, coulomb=0.5, load=0.2, load_includes_friction=True)


def largest_share(arm: Arm, q: Array, first: Array, second: Array, u: Array, x: Array) -> Array:
    """Of any limit, in motions u and x (m) from one place, by the dynamics."""
    y = np.sqrt(x)
    posture = np.broadcast_to(q, (len(u), len(q)))
    qd, qdd = first * y[:, None], first * u[:, None] + second * x[:, None]
    torque, speed = arm.torque(posture, qd, qdd), arm.speed(posture, qd)
    shares = [arm.actuators.share(speed, torque), np.abs(speed) / arm.actuators.speed_limits]
    for j, joint in enumerate(arm.dyn.robot.joints):
        known = joint.limits
        shares += [np.abs(qd[:, j : j + 1]) / known.velocity] if known.velocity else []
        shares += [np.abs(qdd[:, j : j + 1]) / known.acceleration] if known.acceleration else []
        if known.effort and arm.actuators.geared:
            shares.append(np.abs(arm.joint_torque(posture, qd, qdd)[:, j : j + 1]) / known.effort)
    return np.concatenate(shares, axis=1).max(axis=1)


def least_share(arm: Arm, place: tuple[Array, Array, Array], x: float, reach: float) -> float:
    """The least that the largest share can be at x, looked for among accelerations up to a reach."""
    low, high, best = -reach, reach, np.inf
    for _ in range(ZOOMS):
        u = np.linspace(low, high, ACCELERATIONS)
        share = largest_share(arm, *place, u, np.full(len(u), x))
        k, step = int(np.argmin(share)), u[1] - u[0]
        best = min(best, float(share[k]))
        low, high = u[k] - 3 * step, u[k] + 3 * step
    return best


def places(grid: Grid, count: int) -> list[int]:
    """Some intervals at whose start everything that rubs moves."""
    (part,), (arm,) = grid.parts, grid.arms
    moving = np.ones(part.count, dtype=bool)
    if arm.dyn.friction_points:
        rates = (arm.dyn.friction_gradients(part.q) * part.first[:, None, :]).sum(axis=2)[:-1]
        moving = (np.abs(rates) > 1e-3 * np.abs(rates).max(axis=0)).all(axis=1)
    chosen = np.flatnonzero(moving)
    return chosen[:: max(len(chosen) // count, 1)].tolist()


def check_against_search(grid: Grid) -> None:
    curve, (part,), (arm,) = limit_curve(grid), grid.parts, grid.arms
    tried = places(grid, 8)
    assert tried
    for k in tried:
        place = part.q[k], part.first[k], part.second[k]
        x = float(curve[k])
        assert 0 < x < np.inf
        # beyond this reach one acceleration or torque alone is too much
        reach = 10.0
        far = np.array([-1.0, 1.0])
        while (largest_share(arm, *place, reach * far, np.array([x, x])) < 50).any():
            reach *= 2
        assert least_share(arm, place, (1 - NEAR) * x, reach) <= 1
        for rate in RATES:
            assert least_share(arm, place, float(rate) * x, 4 * rate * reach) > 1


ROBOTS: dict[str, Callable[[], Robot]] = {
    "lola15": lambda: load("lola15"),
    "lola15, torques only": lambda: unhurried(with_friction(load("lola15"), ALL, ALL_AT_MOTORS)),
    "lola15, load counts friction": lambda: unhurried(with_friction(load("lola15"), COUNTED, ALL_AT_MOTORS)),
    "irb6": lambda: with_friction(load("irb6"), ALL),
    "irb6, torques only": lambda: unhurried(with_friction(load("irb6"), ALL, ALL_AT_MOTORS)),
    "panda": lambda: with_friction(load("panda"), ALL),
    "panda, torques only": lambda: with_limits(with_friction(load("panda"), COUNTED), velocity=None),
}


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n == "irb6, torques only" else ()) for n in ROBOTS]
)
def test_the_curve_is_what_a_search_finds(name: str) -> None:
    robot = ROBOTS[name]()
    grid = grid_along(arm_of(robot, friction=True), onward_bend(robot, 5), count=60)
    assert any(limit.share.sizes for limit in grid.starts.shares), "friction under load counts"
    if name.endswith("only"):
        assert (limit_curve(grid) < grid.starts.largest_rate**2).all()
    check_against_search(grid)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["lola15", "irb6", "panda"])
def test_no_motion_is_above_the_curve(name: str, seed: int) -> None:
    robot = with_friction(load(name), ALL) if name == "panda" else load(name)
    grid = grid_along(arm_of(robot, friction=True), random_bend(robot, seed), count=200)
    profile = solve(grid).profile
    assert profile.lost is None
    assert (profile.x <= limit_curve(grid) * (1 + 1e-6)).all()


def test_a_margin_lowers_the_curve() -> None:
    robot = load("lola15")
    bend, arm = onward_bend(robot, 1), arm_of(robot)
    curve, lower = (limit_curve(grid_along(arm, bend, count=50, margin=margin)) for margin in (0.0, 0.2))
    assert (lower < curve).all()


def test_speeds_alone_are_exact() -> None:
    robot = unlimited(load("panda"), velocity=1.5)
    grid = grid_along(arm_of(robot), onward_bend(robot, 2), count=30)
    fastest = np.abs(grid.parts[0].first[:-1]).max(axis=1)
    np.testing.assert_allclose(limit_curve(grid), (1.5 / fastest) ** 2, rtol=1e-14)


def test_without_limits_there_is_no_curve() -> None:
    robot = unlimited(load("panda"), velocity=None)
    assert (limit_curve(grid_along(arm_of(robot), onward_bend(robot, 2), count=30)) == np.inf).all()


def test_what_gravity_alone_breaks_has_no_speed() -> None:
    robot = with_limits(load("panda"), effort=1e-3)
    assert (limit_curve(grid_along(arm_of(robot), onward_bend(robot, 2), count=30)) == 0).all()


def unlimited(robot: Robot, velocity: float | None) -> Robot:
    return with_limits(robot, effort=None, acceleration=None, velocity=velocity)
