"""Time-optimal motions beside toppra (H. Pham, Q.-C. Pham), on the same grid, where it knows the limits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import toppra
from toppra.algorithm import TOPPRA
from toppra.constraint import (
    DiscretizationType,
    JointAccelerationConstraint,
    JointVelocityConstraint,
    SecondOrderConstraint,
)

from armdyn.feasibility.arm import Arm
from armdyn.formats import load
from armdyn.retiming.optimal.grid import GRADED, Grid
from armdyn.retiming.optimal.rounds import durations, solve
from armdyn.retiming.path.curve import Curve
from armdyn.robot import Friction, Robot
from armdyn.scalars import Array
from curved_paths import grid_along, onward_bend, random_bend
from limited_arms import arm_of, steady_irb6, torque_bounds, unhurried, with_friction, with_limits

CLOSE = 1e-5
"""Of durations, relative; toppra leaves every speed some 1e-6 below its limit."""
COUNT = 150
EITHER_WAY = np.array([-1.0, 1.0])
UNKNOWN = 1e4
"""A limit that binds nothing."""

toppra.setup_logging("ERROR")


@dataclass(frozen=True)
class TheirPath(toppra.interpolator.AbstractGeometricPath):
    """A curve as toppra wants it."""

    curve: Curve
    n: int

    @property
    def dof(self) -> int:
        return self.n

    @property
    def path_interval(self) -> Array:
        return np.array([0.0, self.curve.length])

    @property
    def waypoints(self) -> None:
        return None

    def __call__(self, path_positions: Any, order: int = 0) -> Array:
        values = self.curve.at(np.atleast_1d(path_positions))[order]
        return values if np.ndim(path_positions) else values[0]


class TheirMotorSpeeds(JointVelocityConstraint):
    """Toppra's limit of joint speeds, of motors: their positions are a path, too."""

    def __init__(self, arm: Arm) -> None:
        super().__init__(np.outer(np.minimum(arm.actuators.speed_limits, UNKNOWN), EITHER_WAY))
        self.arm = arm

    def compute_constraint_params(self, path: Any, gridpoints: Array) -> tuple[Any, ...]:
        return super().compute_constraint_params(_Motors(self.arm, path), gridpoints)


@dataclass(frozen=True)
class _Motors:
    """A path of the joints as the motors' path, of which only the speed is asked for."""

    arm: Arm
    joints: Any

    @property
    def dof(self) -> int:
        return self.joints.dof

    def __call__(self, p: Array, order: int) -> Array:
        assert order == 1
        return self.arm.speed(self.joints(p), self.joints(p, 1))


def their_duration(grid: Grid, arm: Arm, smooth: Arm, start: float, end: float) -> float | None:
    """Toppra's shortest time [s] from and to rates of the path; None where it finds no motion.

    Friction is the difference of the arm to the smooth one, and depends on the direction only.
    """
    (part,) = grid.parts
    path = TheirPath(part.piece.curve, arm.dyn.n)
    solver = TOPPRA(_their_limits(arm, smooth), path, gridpoints=part.p, solver_wrapper="seidel")
    rates = solver.compute_parameterization(start, end)[1]
    return None if rates is None else float((2 * grid.step / (rates[1:] + rates[:-1])).sum())


def _their_limits(arm: Arm, smooth: Arm) -> list[Any]:
    robot, n = arm.dyn.robot, arm.dyn.n
    speeds, accelerations = (
        np.outer([getattr(joint.limits, name) or UNKNOWN for joint in robot.joints], EITHER_WAY)
        for name in ("velocity", "acceleration")
    )
    most = np.minimum(torque_bounds(arm), UNKNOWN)
    sides, bounds = np.vstack([np.eye(n), -np.eye(n)]), np.concatenate([most, most])
    still = np.zeros(n)

    def friction(path: Callable[..., Array], p: float) -> Array:
        q, rate = path(p), path(p, 1)
        return arm.torque(q, rate, still) - smooth.torque(q, rate, still)

    both_ends: Any = DiscretizationType.Interpolation
    return [
        JointVelocityConstraint(speeds),
        TheirMotorSpeeds(arm),
        JointAccelerationConstraint(accelerations, discretization_scheme=both_ends),
        SecondOrderConstraint(
            smooth.torque,
            lambda _: sides,
            lambda _: bounds,
            n,
            custom_term=None if arm is smooth else friction,
            discretization_scheme=both_ends,
        ),
    ]


# Robots ---------------------------------------------------------------------------------------

SMOOTH: dict[str, Callable[[], Robot]] = {
    "ur5, speed and acceleration": lambda: with_limits(load("ur5"), acceleration=8.0, effort=None),
    "ur5, torque": lambda: load("ur5"),
    "ur5, everything": lambda: with_limits(load("ur5"), acceleration=12.0),
    "panda, torque": lambda: load("panda"),
    "panda, everything": lambda: with_limits(load("panda"), acceleration=10.0),
    "lola15, everything": lambda: load("lola15"),
    "lola15, motors": lambda: with_limits(load("lola15"), acceleration=None),
    "irb6, motors": steady_irb6,
}
RUBBING: dict[str, Callable[[], Robot]] = {
    "ur5": lambda: with_friction(load("ur5"), Friction(coulomb=8.0)),
    "lola15, coupled gears": lambda: with_friction(
        load("lola15"), Friction(coulomb=60.0), Friction(coulomb=1.0)
    ),
    "irb6, ball screws": lambda: with_friction(steady_irb6(), Friction(), Friction(coulomb=0.3)),
}


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", SMOOTH)
def test_it_takes_as_long_as_toppra_says(name: str, seed: int) -> None:
    arm = arm_of(SMOOTH[name](), friction=False)
    grid = grid_along(arm, random_bend(arm.dyn.robot, seed), count=COUNT)
    expected = their_duration(grid, arm, arm, 0.0, 0.0)
    assert _ours(grid) == pytest.approx(expected, rel=CLOSE)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", RUBBING)
def test_dry_friction_takes_as_long_as_toppra_says(name: str, seed: int) -> None:
    """Where nothing turns back: there toppra takes the friction of one side on both."""
    robot = unhurried(RUBBING[name]())
    arm, smooth = arm_of(robot, friction=True), arm_of(robot, friction=False)
    bend = onward_bend(robot, seed)
    grid, without = (grid_along(each, bend, count=COUNT) for each in (arm, smooth))
    assert len(grid.step) == COUNT + 2 * len(GRADED)  # no more: nothing turns back
    expected = their_duration(grid, arm, smooth, 0.0, 0.0)
    assert _ours(grid) == pytest.approx(expected, rel=CLOSE)
    assert abs(_ours(grid) / _ours(without) - 1) > 0.002


@pytest.mark.parametrize(("first", "last"), [(0.7, 0.0), (0.0, 0.7), (0.9, 0.4)])
@pytest.mark.parametrize("name", ["ur5, everything", "lola15, motors", "irb6, motors"])
def test_it_starts_and_ends_in_motion_as_toppra_does(name: str, first: float, last: float) -> None:
    """At shares of the largest rates from which, and at which, the path can be gone at all."""
    arm = arm_of(SMOOTH[name](), friction=False)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 1), count=COUNT)
    free = solve(grid, (0.0, np.inf), (0.0, np.inf)).profile
    start, end = first * np.sqrt(free.highest[0]), last * np.sqrt(free.z[-1])
    expected = their_duration(grid, arm, arm, start, end)
    assert expected is not None
    assert _ours(grid, start, end) == pytest.approx(expected, rel=CLOSE)


def test_what_is_impossible_for_toppra_is_so_for_us() -> None:
    arm = arm_of(load("ur5"), friction=False)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 0), count=COUNT)
    too_fast = 1.01 * np.sqrt(solve(grid, (0.0, np.inf)).profile.highest[0])
    assert their_duration(grid, arm, arm, too_fast, 0.0) is None
    assert solve(grid, (too_fast**2, too_fast**2)).profile.lost == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", SMOOTH)
def test_it_takes_as_long_as_toppra_says_on_a_fine_grid(name: str) -> None:
    arm = arm_of(SMOOTH[name](), friction=False)
    grid = grid_along(arm, random_bend(arm.dyn.robot, 5), count=1000)
    expected = their_duration(grid, arm, arm, 0.0, 0.0)
    assert _ours(grid) == pytest.approx(expected, rel=CLOSE)


def _ours(grid: Grid, start: float = 0.0, end: float = 0.0) -> float:
    found = solve(grid, (start * start, start * start), (end * end, end * end))
    assert found.profile.lost is None
    return float(durations(grid, found.profile).sum())
