"""The closed forms of an arm, exact to rounding and checked against its own kinematics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.motion.inverse_kinematics.arms import GeneralArm
from armdyn.motion.inverse_kinematics.geometry import Axes, axes_of, is_chain
from armdyn.motion.inverse_kinematics.polish import polished
from armdyn.motion.inverse_kinematics.spherical_wrist import SphericalWrist
from armdyn.motion.inverse_kinematics.three_parallel import ThreeParallel
from armdyn.scalars import Array

TURNS = np.array([sign * k * np.pi / 64 for k in range(1, 65) for sign in (1, -1)])
"""[rad] By which a free angle is turned where it does not reach a pose as it is, the least first."""

Form = SphericalWrist | ThreeParallel


@dataclass(frozen=True)
class ClosedForm:
    """A closed form and the arm that it must agree with."""

    form: Form
    dynamics: Dynamics

    @classmethod
    def of(cls, dynamics: Dynamics) -> ClosedForm | None:
        """That of an arm, if it has one."""
        if dynamics.n != 6 or not is_chain(dynamics.robot):
            return None
        axes: Axes = axes_of(dynamics)
        form = SphericalWrist.of(axes) or ThreeParallel.of(axes)
        return None if form is None else cls(form, dynamics)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each branch is."""
        return self.form.names

    @cached_property
    def labelled(self) -> bool:
        """Whether each branch is one choice of signs, and not the k-th root of a polynomial."""
        return not (isinstance(self.form, SphericalWrist) and isinstance(self.form.arm, GeneralArm))

    def all(self, poses: Array, free: Array) -> Array:
        """Every branch (..., B, n) of poses (..., 4, 4); what a singularity leaves free is as in `free` (n).

        Where the last of three parallel axes lines up with axis 6 the angle that is left free turns the
        elbow's triangle, which does not close for all: then the nearest value with which it does is taken.
        """
        branches = np.arange(len(self.names))
        q = polished(
            self.dynamics, poses[..., None, :, :], self.form.solve(poses[..., None, :, :], branches, free)
        )
        lost = np.isnan(q[..., 0])
        if isinstance(self.form, ThreeParallel) and lost.any():
            undecided = self.form.solve(poses[..., None, :, :], branches, np.full(len(free), np.nan))
            self._turn_last(poses, q, np.nonzero(lost & np.isnan(undecided[..., 5])), free)
        return q

    def _turn_last(self, poses: Array, q: Array, where: tuple[Any, ...], free: Array) -> None:
        """Fill branches that the free last angle reaches with other values only: with the nearest of many."""
        if not len(where[0]):
            return
        *rows, branches = where
        some = poses[(*rows, None)] if rows else np.broadcast_to(poses, (len(branches), 1, 4, 4))
        tried = np.tile(free, (len(TURNS), 1))
        tried[:, 5] += TURNS
        found = polished(self.dynamics, some, self.form.solve(some, branches[:, None], tried))
        nearest = np.argmin(np.isnan(found[..., 0]), axis=1)  # the first that is a number
        q[where] = found[np.arange(len(branches)), nearest]

    def along(self, poses: Array, branch: int, start: Array) -> Array:
        """One branch (t, n) along poses (t, 4, 4); what a singularity leaves free stays as it was."""
        q = self.form.solve(poses, branch, np.full_like(start, np.nan))
        undecided = np.isnan(q).any(axis=-1)
        if undecided.any():
            before = np.maximum.accumulate(np.where(undecided, -1, np.arange(len(q))))[undecided]
            kept = np.where((before < 0)[:, None], start, q[before])
            q[undecided] = self.form.solve(poses[undecided], branch, kept)
        return polished(self.dynamics, poses, q)
