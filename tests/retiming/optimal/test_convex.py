"""Time-optimal motions beside a convex program, with rows that come from the equations of motion themselves.

D. Verscheure et al., Time-optimal path tracking for robots: a convex optimization approach, IEEE T-AC 54,
2009:

    minimise sum 2 ds / (sqrt(x_i) + sqrt(x_i+1)),    tau = a u + b x + c,  u = (x_i+1 - x_i) / (2 ds),
    a = H q',  b = H q'' + C(q, q') q',  c = g + friction,

with torques limited at both ends of each interval. Friction that does not depend on the speed is part of c.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass

import cvxpy as cp
import numpy as np
import pytest

from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.rounds import durations, solve
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from curved_paths import grid_along, random_bend
from limited_arms import (
    arm_of,
    motor_gears,
    steady_irb6,
    torque_bounds,
    unhurried,
    with_friction,
    with_limits,
)

STOPS = 1e-6
"""How near the optimum the interior point method comes, and how near to its rows."""
SOLVED = 2e-5
"""What that makes of durations, relative."""
CLOSE = 2e-4
"""By which the two passes, which go as fast as they can from one interval to the next, miss the optimum of a
coarse grid: where a limit hardly depends on u a higher speed may leave less speed for the next interval."""
CLOSE_RUBBING = 1e-3
"""The same on a fine grid, where friction that turns makes limits jump."""


@dataclass(frozen=True, eq=False)
class Place:
    """The start or the end of every interval (N), and which way things move there."""

    q: Array
    first: Array
    second: Array
    way: Array
    """dq/dp in the middle of the interval"""


def least_duration(grid: Grid, arm: Arm, about: float) -> float:
    """The optimum of the convex program [s], from rest to rest; about so much is the unit of time."""
    unit = 1 / about**2
    x, u = cp.Variable(len(grid.step) + 1, nonneg=True), cp.Variable(len(grid.step))
    limits: list[cp.Constraint] = [x[0] == 0, x[-1] == 0, x[1:] == x[:-1] + cp.multiply(2 * grid.step, u)]
    for place, here in zip(_ends_of(grid), (x[:-1], x[1:]), strict=True):
        limits += _limits(arm, place, unit * u, unit * here)
    taken = cp.multiply(2 * grid.step, cp.inv_pos(cp.sqrt(x[1:]) + cp.sqrt(x[:-1])))
    problem = cp.Problem(cp.Minimize(cp.sum(taken)), limits)
    with warnings.catch_warnings():  # the status says it, too
        warnings.simplefilter("ignore", UserWarning)
        problem.solve(solver=cp.CLARABEL, tol_gap_abs=STOPS, tol_gap_rel=STOPS, tol_feas=STOPS)
    # inaccurate is short of STOPS, which is far below what is compared
    assert problem.status in (cp.OPTIMAL, cp.OPTIMAL_INACCURATE)
    return about * float(np.asarray(problem.value, dtype=float))


def _ends_of(grid: Grid) -> tuple[Place, Place]:
    (part,) = grid.parts
    way = part.piece.curve.at(0.5 * (part.p[1:] + part.p[:-1]))[1]
    starts, ends = slice(0, -1), slice(1, None)
    return (
        Place(part.q[starts], part.first[starts], part.second[starts], way),
        Place(part.q[ends], part.first[ends], part.second[ends], way),
    )


def _limits(arm: Arm, at: Place, u: cp.Expression, x: cp.Expression) -> list[cp.Constraint]:
    """Of all motors or joints at the places."""
    lower, upper = _torque_range(arm, at)
    a, b, c = (_at_motors(arm, at, torque) for torque in _torque(arm, at))
    rigid = [cp.multiply(a[:, k], u) + cp.multiply(b[:, k], x) + c[:, k] for k in range(arm.dyn.n)]
    found: list[cp.Constraint] = []
    for k, torque in enumerate(rigid):
        if np.isfinite(upper[:, k]).all():
            size = upper[:, k] - lower[:, k]
            found += [torque / size <= upper[:, k] / size, torque / size >= lower[:, k] / size]
    speeds = np.abs(arm.speed(at.q, at.first)) / arm.actuators.speed_limits
    for k, joint in enumerate(arm.dyn.robot.joints):
        if joint.limits.velocity is not None:
            speeds = np.column_stack([speeds, np.abs(at.first[:, k]) / joint.limits.velocity])
        if joint.limits.acceleration is not None:
            first, second = (
                at.first[:, k] / joint.limits.acceleration,
                at.second[:, k] / joint.limits.acceleration,
            )
            found.append(cp.abs(cp.multiply(first, u) + cp.multiply(second, x)) <= 1)
    return [*found, cp.multiply((speeds**2).max(axis=1), x) <= 1]


def _torque(arm: Arm, at: Place) -> tuple[Array, Array, Array]:
    """a, b, c (N, n) at the joints, those of Coulomb friction included."""
    dyn = arm.dyn
    H, C = dyn.mass_matrix(at.q), dyn.coriolis_matrix(at.q, at.first)
    a = np.einsum("tij,tj->ti", H, at.first)
    b = np.einsum("tij,tj->ti", H, at.second) + np.einsum("tij,tj->ti", C, at.first)
    dry = np.array([joint.friction.coulomb for joint in dyn.robot.joints])
    return a, b, dyn.gravity(at.q) + dry * np.sign(at.way) * dyn.friction


def _at_motors(arm: Arm, at: Place, torque: Array) -> Array:
    """tau = K^T tau_m."""
    K = motor_gears(arm, at.q)
    return np.asarray(np.linalg.solve(np.swapaxes(K, 1, 2), torque[..., None])[..., 0], dtype=float)


def _torque_range(arm: Arm, at: Place) -> tuple[Array, Array]:
    """(N, n) least and largest torque for the motion once the motors' friction has its share.

    A joint without gear that rubs under its load, s = sign(qd): |tau + s share |tau|| <= T is
    -T / (1 - s share) <= tau <= T / (1 + s share).
    """
    most, robot = torque_bounds(arm), arm.dyn.robot
    turning = np.sign(arm.speed(at.q, at.way)) * arm.dyn.friction
    if robot.drives:
        taken = turning * np.array([drive.friction.coulomb for drive in robot.drives])
        return -most - taken, most - taken
    share = turning * np.array([joint.friction.load for joint in robot.joints])
    return -most / (1 - share), most / (1 + share)


# Robots ---------------------------------------------------------------------------------------

SMOOTH: dict[str, Callable[[], Robot]] = {
    "ur5": lambda: with_limits(load("ur5"), acceleration=12.0),
    "panda, torques": lambda: with_friction(unhurried(load("panda")), Friction()),
    "lola15": lambda: with_friction(load("lola15"), Friction()),
    "lola15, torques": lambda: with_friction(unhurried(load("lola15")), Friction()),
    "irb6, torques": lambda: with_friction(unhurried(steady_irb6()), Friction()),
}
RUBBING: dict[str, Callable[[], Robot]] = {
    "ur5, dry": lambda: with_friction(unhurried(load("ur5")), Friction(coulomb=8.0)),
    "lola15, dry": lambda: with_friction(
        unhurried(load("lola15")), Friction(coulomb=60.0), Friction(coulomb=1.0)
    ),
    "irb6, dry": lambda: with_friction(unhurried(steady_irb6()), Friction(), Friction(coulomb=0.3)),
    "ur5, under load": lambda: with_friction(unhurried(load("ur5")), Friction(load=0.3)),
    "panda, under load": lambda: with_friction(unhurried(load("panda")), Friction(load=0.2)),
}


@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.parametrize("name", SMOOTH)
def test_it_takes_as_long_as_the_convex_program(name: str, seed: int) -> None:
    ours, least = _durations(SMOOTH[name](), seed, count=150)
    assert least * (1 - SOLVED) <= ours <= least * (1 + CLOSE)


@pytest.mark.parametrize("name", RUBBING)
def test_friction_takes_as_long_as_the_convex_program(name: str) -> None:
    ours, least = _durations(RUBBING[name](), 4, count=1000)
    assert least * (1 - SOLVED) <= ours <= least * (1 + CLOSE_RUBBING)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5, 10))
@pytest.mark.parametrize("name", SMOOTH | RUBBING)
def test_it_takes_as_long_as_the_convex_program_on_a_fine_grid(name: str, seed: int) -> None:
    ours, least = _durations((SMOOTH | RUBBING)[name](), seed, count=1000)
    assert least * (1 - SOLVED) <= ours <= least * (1 + CLOSE_RUBBING)


def _durations(robot: Robot, seed: int, count: int) -> tuple[float, float]:
    """Ours, and the least [s]."""
    arm = arm_of(robot, friction=True)
    grid = grid_along(arm, random_bend(robot, seed), count=count)
    found = solve(grid)
    assert found.profile.lost is None
    ours = float(durations(grid, found.profile).sum())
    return ours, least_duration(grid, arm, ours)
