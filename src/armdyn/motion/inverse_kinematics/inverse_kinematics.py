"""InverseKinematics(robot): postures for poses of the tool."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.motion.inverse_kinematics.closed_form import ClosedForm
from armdyn.motion.inverse_kinematics.following import Followed, follow_branch, follow_numerically
from armdyn.motion.inverse_kinematics.numerical import Search
from armdyn.motion.inverse_kinematics.poses import pose_of, poses_of
from armdyn.motion.inverse_kinematics.spherical_wrist import SphericalWrist
from armdyn.motion.inverse_kinematics.turns import Turns
from armdyn.motion.inverse_kinematics.unreachable import UnreachableError, outside, unreachable
from armdyn.motion.moves import FARTHEST
from armdyn.robot import Robot
from armdyn.scalars import Array

Kind = Literal["spherical wrist", "three parallel axes", "numerical"]

MANY = 200
"""Seeds from which all solutions of an arm without a closed form are looked for."""
SOME = 32
"""Seeds for one solution, or for samples of the many of an arm with joints to spare."""


@dataclass(frozen=True, eq=False)
class Solution:
    """One posture for a pose."""

    name: str
    """Of its branch"""
    q: Array
    """(n)"""
    within_limits: bool
    distance: float
    """The largest difference of any joint from where the arm was [rad or m]"""


class InverseKinematics:
    """Postures of one arm for poses T_base_tool.

    Six joints whose last three axes meet, or whose second, third and fourth are parallel and last two meet,
    are solved in closed form, all branches; any other arm by damped Newton steps.
    """

    def __init__(self, robot: Robot) -> None:
        """Look at the structure of the arm."""
        self.robot = robot
        self._dynamics = Dynamics(robot, motors="none")
        self._turns = Turns.of(robot)
        self._closed = ClosedForm.of(self._dynamics)
        search = Search(self._dynamics, self._turns)
        wrist = self._closed.form if self._closed is not None else None
        self._search = search.about(wrist.point) if isinstance(wrist, SphericalWrist) else search

    def __repr__(self) -> str:
        return f"InverseKinematics({self.robot.name}, {self.kind})"

    @property
    def kind(self) -> Kind:
        """How this arm is solved."""
        if self._closed is None:
            return "numerical"
        spherical = isinstance(self._closed.form, SphericalWrist)
        return "spherical wrist" if spherical else "three parallel axes"

    @property
    def branch_names(self) -> tuple[str, ...]:
        """What each branch of the closed form is; none of a numerical arm.

        Front is the side of axis 1 on which the wrist is at q = 0, an elbow is up where it lies towards the
        direction of axis 1 from the line between shoulder and wrist, and in a plain wrist axis 6 is turned
        from axis 4 by less than half a turn in the positive sense of axis 5.
        """
        return () if self._closed is None else self._closed.names

    def branches(self, pose: ArrayLike) -> Array:
        """Every posture for a pose.

        Args:
            pose: (..., 4, 4) T_base_tool; of a numerical arm one (4, 4) only.

        Returns:
            (..., B, n) joint positions, angles in (-pi, pi], limits not looked at; NaN rows where a branch
            does not exist. Branch k is always the same choice of shoulder, elbow and wrist. Of a numerical
            arm: the B solutions found from many seeds, the same in every run.
        """
        poses = poses_of(pose)
        if self._closed is not None:
            return self._turns.principal(self._closed.all(poses, np.zeros(self.robot.n)))
        if poses.ndim != 2:
            raise ShapeError("pose", poses.shape, f'robot "{self.robot.name}" has no closed form', "(4, 4)")
        seeds = self._search.seeds(SOME if self._search.redundant else MANY)
        return self._search.solutions(pose_of(poses), seeds)

    def solutions(self, pose: ArrayLike, q: ArrayLike) -> tuple[Solution, ...]:
        """Every posture for one pose (4, 4), its angles shifted by whole turns to lie nearest q (n).

        Raises:
            UnreachableError: if there is none; what is outside the limits is among them, and says so.
        """
        target, start = pose_of(pose), self._posture(q)
        found = self.branches(target) if self._closed is None else self._closed.all(target, start)
        near = self._turns.beside_inside(found, start)
        existing = np.flatnonzero(~np.isnan(near).any(axis=-1))
        if not len(existing):
            raise unreachable(self._search, self.robot, target)
        names = self.branch_names or tuple(f"solution {k + 1}" for k in range(len(near)))
        inside: Any = self._turns.inside(near).all(axis=-1)
        return tuple(
            Solution(names[k], near[k], bool(inside[k]), float(np.abs(near[k] - start).max()))
            for k in existing
        )

    def nearest(self, pose: ArrayLike, q: ArrayLike, branch: int | None = None) -> Array:
        """The posture (n) for a pose (4, 4) that is nearest to q (n), by the largest difference of any joint.

        Angles are shifted by whole turns to lie nearest q inside the limits. Where the wrist's axes line up,
        its first angle stays as in q.

        Args:
            pose: (4, 4) T_base_tool.
            q: (n) where the arm is, or would like to be.
            branch: which branch, counted from 1 as in `branch_names`; by default any.

        Raises:
            UnreachableError: if there is no such posture, or none inside the limits.
        """
        target, start = pose_of(pose), self._posture(q)
        chosen = self._branch(branch)
        if self._closed is None:
            return self._nearest_numerically(target, start)
        candidates = self._closed.all(target, start)
        existing = ~np.isnan(candidates[:, 0])
        if not existing.any():
            raise unreachable(self._search, self.robot, target)
        if chosen is not None and not existing[chosen]:
            raise self._no_branch(chosen, existing)
        return self._best(candidates[existing] if chosen is None else candidates[chosen : chosen + 1], start)

    def _best(self, candidates: Array, q: Array) -> Array:
        """Of the candidates (k, n) the one nearest to q inside the limits."""
        near = self._turns.beside_inside(candidates, q)
        inside = self._turns.inside(near)
        apart = np.abs(near - q).max(axis=-1)
        allowed = inside.all(axis=-1)
        if not allowed.any():
            k = int(np.argmin(apart))
            raise outside(self.robot, near[k], inside[k])
        return near[int(np.argmin(np.where(allowed, apart, np.inf)))]

    def _nearest_numerically(self, pose: Array, q: Array) -> Array:
        direct = self._search.near(pose, q)
        if direct is not None and self._search.redundant and self._turns.inside(direct).all():
            return direct
        seeds = np.vstack([q, *self._search.seeds(SOME)])
        found = self._search.solutions(pose, seeds)
        if direct is not None:
            found = np.vstack([direct, found])
        if not self._turns.inside(self._turns.beside_inside(found, q)).all(axis=-1).any():
            found = np.vstack([self._search.solutions(pose, seeds, inside=True), found])
        if not len(found):
            raise unreachable(self._search, self.robot, pose)
        return self._best(found, q)

    def follow(self, poses: ArrayLike, q: ArrayLike) -> Followed:
        """A continuous motion along poses (t, 4, 4), beginning next to q (n).

        The branch is kept, angles do not jump by whole turns, and limits are not looked at. Where a path
        goes straight through a singularity of the wrist the motion goes through, too.
        """
        targets, start = poses_of(poses, dimensions=3), self._posture(q)
        if self._closed is not None:
            motion, lost = follow_branch(self._closed, self._turns, targets, start)
        else:
            motion, lost = follow_numerically(self._search, targets, start)
        return Followed(motion, lost, self._search.conditioning)

    def _posture(self, q: ArrayLike) -> Array:
        posture = np.asarray(q, dtype=float)
        n = self.robot.n
        if posture.shape != (n,):
            raise ShapeError("q", posture.shape, f'robot "{self.robot.name}" has {n} joints', f"({n},)")
        if not (np.abs(posture) <= FARTHEST).all():
            raise InputError(f"q is {posture.tolist()}, expected {n} finite numbers, {FARTHEST:g} at most")
        return posture

    def _branch(self, branch: int | None) -> int | None:
        """Counted from 0, checked."""
        count = len(self.branch_names)
        if branch is None:
            return None
        if not count:
            raise InputError(
                f'branch is {branch}, but robot "{self.robot.name}" is solved numerically and has no '
                "numbered branches; leave it out"
            )
        if not 1 <= branch <= count:
            raise InputError(f'branch is {branch}, expected 1 to {count} for robot "{self.robot.name}"')
        return branch - 1

    def _no_branch(self, branch: int, existing: Array) -> UnreachableError:
        others = ", ".join(str(k + 1) for k in np.flatnonzero(existing))
        return UnreachableError(
            f'robot "{self.robot.name}" does not reach this pose on branch {branch + 1} '
            f"({self.branch_names[branch]}); choose one of {others}"
        )
