"""The closed forms of an arm, exact to rounding and checked against its own kinematics."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.motion.inverse_kinematics.arms import GeneralArm
from armdyn.motion.inverse_kinematics.geometry import Axes, axes_of, is_chain
from armdyn.motion.inverse_kinematics.polish import polished
from armdyn.motion.inverse_kinematics.spherical_wrist import SphericalWrist
from armdyn.motion.inverse_kinematics.three_parallel import ThreeParallel
from armdyn.scalars import Array

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
        """Every branch (..., B, n) of poses (..., 4, 4); what a singularity leaves free is as in `free`."""
        branches = np.arange(len(self.names))
        q = self.form.solve(poses[..., None, :, :], branches, free)
        return polished(self.dynamics, poses[..., None, :, :], q)

    def along(self, poses: Array, branch: int, start: Array) -> Array:
        """One branch (t, n) along poses (t, 4, 4); what a singularity leaves free stays as it was."""
        q = self.form.solve(poses, branch, np.full_like(start, np.nan))
        undecided = np.isnan(q).any(axis=-1)
        if undecided.any():
            before = np.maximum.accumulate(np.where(undecided, -1, np.arange(len(q))))[undecided]
            kept = np.where((before < 0)[:, None], start, q[before])
            q[undecided] = self.form.solve(poses[undecided], branch, kept)
        return polished(self.dynamics, poses, q)
