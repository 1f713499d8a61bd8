"""A controller in operational space: errors of a task decay, the rest of the arm follows a posture.

With the equations of a task ([Siciliano2009] 7.8) the torques

    tau = J^T (B_A a + C_A xd + g_A) + (1 - J^T Jbar^T) tau_0      (7.141)
    a   = xdd_r + kv (xd_r - xd) + kp e,   tau_0 = H qdd_0 + bias

make errors of the task decay each for itself, and what the task leaves free accelerates by qdd_0. They are
the inverse dynamics of qdd = Jbar (a - Jdot qd) + (1 - Jbar J) qdd_0, which is how they are computed, viscous
friction included. Where the task loses a direction its inverse is damped, and the posture takes it over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError, counted
from armdyn.mechanics.task import task_axes, task_rows
from armdyn.scalars import Array
from armdyn.simulation.acting import Law
from armdyn.simulation.control.compensation import without_dry_friction
from armdyn.simulation.control.controllers import Tracking
from armdyn.simulation.control.gains import gain, task_gain
from armdyn.simulation.control.references import Reference

DAMPING = 0.02
"""Singular values of a task below this are damped: a fiftieth of the reach for a turn of one rad."""
Place = Callable[[float], tuple[ArrayLike, ArrayLike, ArrayLike]]
"""Time -> pose (4, 4), twist (6) and acceleration (6) of the frame, base axes."""


@dataclass(frozen=True, eq=False)
class OperationalSpaceControl(Tracking):
    """Inverse dynamics of a task; kp and kv have one element for each of its axes."""

    name = "operational-space controller"
    axes: tuple[str, ...]
    frame: str | None
    damping: float
    posture_kp: Array
    """(n) [1/s2] of the posture"""
    posture_kv: Array
    """(n) [1/s]"""
    model: Dynamics
    place: Place | None

    @property
    def needs_derivatives(self) -> bool:
        """Always."""
        return True

    @cached_property
    def _inside(self) -> Dynamics:
        return without_dry_friction(self.model)

    def between(self, start: float, end: float) -> Law:
        """tau = inverse(q, qd, Jbar (a - Jdot qd) + (1 - Jbar J) qdd_0)."""
        wanted, inside = self.reference.between(start, end), self._inside
        inverse, rows = inside.of_one_state("inverse"), list(task_rows(self.axes))
        options: dict[str, Any] = {"task": self.axes, "frame": self.frame, "damping": self.damping}

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            r, rd, rdd = wanted(t)
            pose, twist, acceleration = self._wanted_place(t, r, rd, rdd)
            error = pose_error(inside.pose(q, self.frame), pose)[..., rows]
            found = inside.operational_space(q, qd, **options)
            a = acceleration[rows] + self.kv * (twist[rows] - found.velocity) + self.kp * error
            free = rdd + self.posture_kv * (rd - qd) + self.posture_kp * (r - q)
            return inverse(q, qd, found.joint_acceleration(a, free)), z

        return law

    def _wanted_place(self, t: float, r: Array, rd: Array, rdd: Array) -> tuple[Array, Array, Array]:
        """Where the frame shall be and how it shall move."""
        if self.place is None:
            dyn, frame = self._inside, self.frame
            return dyn.pose(r, frame), dyn.twist(r, rd, frame), dyn.acceleration(r, rd, rdd, frame)
        parts = tuple(np.asarray(part, dtype=float) for part in self.place(t))
        for name, part, shape in zip(
            ("pose", "twist", "acceleration"), parts, ((4, 4), (6,), (6,)), strict=True
        ):
            if part.shape != shape:
                raise ShapeError(f"the place's {name}", part.shape, f"at {t:g} s", f"{shape}")
        return parts[0], parts[1], parts[2]


def pose_error(T: Array, T_wanted: Array) -> Array:
    """(..., 6) from poses (..., 4, 4) to the wanted one: the way, and the rotation vector of R_wanted R^T."""
    way = T_wanted[..., :3, 3] - T[..., :3, 3]
    R = T_wanted[..., :3, :3] @ np.swapaxes(T[..., :3, :3], -1, -2)
    axis = np.stack(
        [R[..., 2, 1] - R[..., 1, 2], R[..., 0, 2] - R[..., 2, 0], R[..., 1, 0] - R[..., 0, 1]], axis=-1
    )
    sine = 0.5 * np.linalg.norm(axis, axis=-1)
    angle = np.arctan2(sine, 0.5 * (np.trace(R, axis1=-2, axis2=-1) - 1))
    # angle/sine goes to 1 for small turns; at a half turn, where it has no end, the error is bounded
    factor = np.where(sine > 1e-9, angle / np.where(sine > 1e-9, sine, 1.0), 1.0)
    return np.concatenate([way, 0.5 * factor[..., None] * axis], axis=-1)


def operational_space(
    dyn: Dynamics,
    reference: Reference,
    *,
    kp: ArrayLike,
    kv: ArrayLike,
    task: str | Sequence[str] = "pose",
    frame: str | None = None,
    place: Place | None = None,
    posture_kp: ArrayLike | None = None,
    posture_kv: ArrayLike | None = None,
    damping: float = DAMPING,
    model: Dynamics | None = None,
) -> OperationalSpaceControl:
    """Inverse dynamics of a task, [Siciliano2009] (7.141); what it leaves free follows the reference.

    Args:
        dyn: what is controlled.
        reference: of the joints: the task follows what it makes of the frame, the posture the joints.
        kp: [1/s2], w^2 of the task's errors; a number, or one for each axis.
        kv: [1/s], 2 zeta w of them.
        task: "pose", "position", "orientation", or some axes, as "x,y,rz".
        frame: the body whose frame is moved; the tool by default.
        place: where the frame shall be instead: time -> pose (4, 4), twist (6), acceleration (6).
        posture_kp: [1/s2] of the joints, in what the task leaves free; a number or (n), by default the
            largest kp.
        posture_kv: [1/s], by default the largest kv.
        damping: singular values of the task below which directions are damped.
        model: what the controller takes the arm for; by default dyn.
    """
    axes = task_axes(task)
    used = dyn if model is None else model
    if used.n != dyn.n:
        has = f'the model "{used.robot.name}" has {counted(used.n, "joint")}'
        raise InputError(f'{has}, robot "{dyn.robot.name}" has {dyn.n}; expected as many')
    home = np.array(used.robot.home, dtype=float)
    used.operational_space(home, task=axes, frame=frame, damping=damping)  # refuses what there is not
    stiff, damped = task_gain(len(axes), "kp", kp), task_gain(len(axes), "kv", kv)
    return OperationalSpaceControl(
        dyn,
        reference,
        stiff,
        damped,
        axes,
        frame,
        damping,
        gain(dyn, "posture_kp", stiff.max() if posture_kp is None else posture_kp),
        gain(dyn, "posture_kv", damped.max() if posture_kv is None else posture_kv),
        used,
        place,
    )
