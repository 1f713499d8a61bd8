"""Time-optimal motion along a path, beside toppra on the same grid, on one core.

Random splines through five postures around home. toppra's limits hold at both ends of each interval, as ours
do (`DiscretizationType.Interpolation`), and its torques come from armdyn's own inverse dynamics, one state
after the other, as toppra asks for them. Parts: "limits" is what limits the motion at every place, "speeds"
the fastest motion under these, "all" both. Of ours "passes" is the two passes over the grid alone, once;
where friction depends on the speed or on the load speeds take several rounds of them.
"""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.feasibility.arm import Arm
from armdyn.retiming.optimal.grid import Grid, grid_of
from armdyn.retiming.optimal.passes import Intervals, Profile, fastest
from armdyn.retiming.optimal.rounds import Found, assembled, durations, solve
from armdyn.retiming.optimal.rows import rows
from armdyn.retiming.path.curve import SplineCurve
from armdyn.retiming.path.joint_path import JointPath, PathMove, Piece
from armdyn.robot import Joint, Limits, Robot
from armdyn.studies.speed.timing import FULL, Call, take_turns

INTERVALS = (100, 1000, 5000)
POSTURES = 5
REACH = 0.5
"""How far joints are from home in these [rad]."""
ACCELERATION = 8.0
"""Of the UR5's joints, which its file does not limit [rad/s2]."""
AT_REST = (0.0, 0.0)
CLOSE = 1e-3
"""Relative, by which durations of ours and theirs may differ."""
EITHER_WAY = np.array([-1.0, 1.0])


def run() -> list[dict[str, Any]]:
    """Rows of problem, intervals, part, ours_ms, peer, peer_ms, ratio, duration_s; the best of many runs."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        return [
            row for name, arm in _arms().items() for count in INTERVALS for row in _rows(name, arm, count)
        ]
    finally:
        os.sched_setaffinity(0, cores)


def _arms() -> dict[str, Arm]:
    ur5 = ad.load("ur5")
    kinematic = _limited(ur5, lambda limits: replace(limits, acceleration=ACCELERATION, effort=None))
    return {
        "ur5: joint speed and acceleration": Arm(ad.Dynamics(kinematic)),
        "ur5: joint speed and torque": Arm(ad.Dynamics(ur5)),
        "lola15: everything": Arm(ad.Dynamics(ad.load("lola15"))),
    }


def _limited(robot: Robot, change: Callable[[Limits], Limits]) -> Robot:
    def changed(joint: Joint) -> Joint:
        return replace(joint, limits=change(joint.limits))

    bodies = [
        replace(body, joint=changed(body.joint)) if body.joint.independent else body for body in robot.bodies
    ]
    return replace(robot, bodies=tuple(bodies))


def _rows(name: str, arm: Arm, count: int) -> list[dict[str, Any]]:
    ours = Ours(arm, count)
    theirs = None if arm.dyn.friction else _theirs(ours)
    duration = float(durations(ours.grid, ours.found.profile).sum())
    if theirs is not None:
        assert abs(theirs.duration / duration - 1) < CLOSE, "toppra solves another problem"
    return [
        {"problem": name, "intervals": len(ours.grid.step), "part": part, **_times(part, ours, theirs)}
        | {"duration_s": duration, "rounds": ours.found.rounds}
        for part in ("limits", "passes", "speeds", "all")
    ]


def _times(part: str, ours: "Ours", theirs: "Theirs | None") -> dict[str, Any]:
    calls = [Call("armdyn", ours, part)]
    if theirs is not None and hasattr(theirs, part):
        calls.append(Call("toppra", theirs, part))
    for call in calls:
        call.once()
    best = [times.best / 1e6 for times in take_turns(calls, FULL)]
    if len(best) == 1:
        return {"ours_ms": best[0], "peer": None, "peer_ms": None, "ratio": None}
    return {"ours_ms": best[0], "peer": "toppra", "peer_ms": best[1], "ratio": best[1] / best[0]}


@dataclass(frozen=True)
class Ours:
    """A path of an arm in so many intervals."""

    arm: Arm
    count: int

    @cached_property
    def curve(self) -> SplineCurve:
        """Through random postures."""
        robot = self.arm.dyn.robot
        away = np.random.default_rng(1).uniform(-REACH, REACH, (POSTURES, robot.n))
        return SplineCurve(np.linspace(0.0, 1.0, POSTURES), np.array(robot.home) + away, 3)

    @cached_property
    def path(self) -> JointPath:
        """One move along it."""
        robot = self.arm.dyn.robot
        return JointPath(robot, (Piece(self.curve, robot, 1, 0, "ptp", True),), (PathMove(0, "ptp", robot),))

    @cached_property
    def grid(self) -> Grid:
        """With its limits."""
        return self.limits()

    @cached_property
    def found(self) -> Found:
        """The fastest motion."""
        return self.speeds()

    @cached_property
    def intervals(self) -> Intervals:
        """The first round's."""
        none = np.zeros(len(self.grid.step))
        each = (self.grid.starts, self.grid.ends, self.grid.breakaway)
        return assembled(self.grid, *(rows(limits, none, none) for limits in each))

    def limits(self) -> Grid:
        """The intervals, and what limits the motion at both ends of each."""
        grid = grid_of(self.path, lambda _: self.arm, self.count)
        _ = grid.starts, grid.ends, grid.breakaway
        return grid

    def passes(self) -> Profile:
        """Backward and forward."""
        return fastest(self.intervals, AT_REST, AT_REST)

    def speeds(self) -> Found:
        """Rows, and passes, until speeds no longer change."""
        return solve(self.grid)

    def all(self) -> Found:
        """From the path to the speeds."""
        return solve(grid_of(self.path, lambda _: self.arm, self.count))


@dataclass(frozen=True)
class Theirs:
    """The same path and grid in toppra."""

    algorithm: Any
    """toppra.algorithm"""
    constraints: list[Any]
    path: Any
    places: np.ndarray

    @cached_property
    def solver(self) -> Any:
        """With its limits."""
        return self.limits()

    @cached_property
    def duration(self) -> float:
        """[s]."""
        rates = self.speeds()[1]
        return float((2 * np.diff(self.places) / (rates[1:] + rates[:-1])).sum())

    def limits(self) -> Any:
        """A solver, which evaluates its constraints when it is made."""
        return self.algorithm.TOPPRA(
            self.constraints, self.path, gridpoints=self.places, solver_wrapper="seidel"
        )

    def speeds(self) -> Any:
        """Both passes."""
        return self.solver.compute_parameterization(0.0, 0.0)

    def all(self) -> Any:
        """From the path to the speeds."""
        return self.limits().compute_parameterization(0.0, 0.0)


def _theirs(ours: Ours) -> Theirs | None:
    try:
        toppra: Any = import_module("toppra")
    except ImportError:
        return None
    toppra.setup_logging("ERROR")
    kinds: Any = import_module("toppra.constraint")
    (part,) = ours.grid.parts
    path = toppra.SplineInterpolator(ours.curve.p, ours.curve.q)
    return Theirs(import_module("toppra.algorithm"), _their_limits(ours.arm, kinds), path, part.p)


def _their_limits(arm: Arm, kinds: Any) -> list[Any]:
    """Of the limits that all joints have."""
    n, both_ends = arm.dyn.n, kinds.DiscretizationType.Interpolation
    limits = [joint.limits for joint in arm.dyn.robot.joints]
    found = [kinds.JointVelocityConstraint(_ranges([each.velocity for each in limits]))]
    if all(each.acceleration for each in limits):
        ranges = _ranges([each.acceleration for each in limits])
        found.append(kinds.JointAccelerationConstraint(ranges, discretization_scheme=both_ends))
    if all(each.effort for each in limits):
        ranges = _ranges([each.effort for each in limits])

        def inverse(q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> np.ndarray:
            return arm.dyn.inverse(q, qd, qdd)  # looked up at every call: it becomes faster with use

        torque = kinds.JointTorqueConstraint(inverse, ranges, np.zeros(n), discretization_scheme=both_ends)
        found.append(torque)
    return found


def _ranges(limits: list[float | None]) -> np.ndarray:
    return np.outer(np.array(limits, dtype=float), EITHER_WAY)
