"""What `Dynamics` says about tasks: the equations of motion in operational space."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.lost_directions import LOST, Directions, Scale, damped_inverse
from armdyn.dynamics.operational_space import OperationalSpace
from armdyn.dynamics.quantities.operational_space import RESULTS, TOOL, task_scale
from armdyn.dynamics.running import count_lost
from armdyn.errors import InputError, counted
from armdyn.mechanics.task import task_axes
from armdyn.scalars import Array
from armdyn.scalars.batch import Losses

LEAST_DAMPING = 10 * LOST
AFFECTED = ("inertia", "inverse", "coriolis", "gravity", "contact")
"""Results that have the inverse of the mobility in them."""


class OperationalMethods(Evaluating):
    """Methods on tasks; `Dynamics` has them all."""

    def operational_space(
        self,
        q: ArrayLike,
        qd: ArrayLike | None = None,
        wrench: ArrayLike | None = None,
        *,
        task: str | Sequence[str] = "pose",
        frame: str | None = None,
        at: ArrayLike | None = None,
        angles: Literal["zyx", "zyz"] | None = None,
        axes: str | None = None,
        damping: float | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        threads: int | None = None,
        losses: Losses | None = None,
    ) -> OperationalSpace:
        """The equations of motion in the coordinates of a task ([Siciliano2009] 7.8), friction left out.

        Args:
            q: (..., n) joint positions [rad or m].
            qd: (..., n) joint velocities; at rest by default.
            wrench: (..., 6) force and moment that the tool exerts on its surroundings, base axes, at its
                origin.
            task: "pose", "position", "orientation", or some axes: "x,y", ("x", "z", "ry").
            frame: whose motion it is: the tool's by default, or that of a body's frame.
            at: (..., 3) a point in that frame's coordinates [m]; by default its origin.
            angles: None for the geometric Jacobian, whose turning axes are rx, ry, rz; "zyx" or "zyz" for
                the analytical one of these Euler angles (yaw, pitch, roll; phi, theta, psi).
            axes: in which axes a geometric task is measured: those of the base by default, of the "tool", or
                of a body's frame.
            damping: None gives NaN where a direction is lost (a singular value below 1e-6, lengths divided
                by the arm's reach); a number, as 0.05, damps directions whose singular value is below it.
            base: (..., 12) how the base moves, as for `inverse`.
            added: (..., 10 bodies) inertial parameters added to those of the bodies, as for `inverse`.
            threads: how many share the batch.
            losses: counts the states that have no answer.

        Returns:
            The parts of the equations, methods for torques and accelerations, and the directions of the task.
        """
        self._check_damping(damping)
        names, options, scale = self._task(task, frame, angles, axes, damping is not None)
        if at is not None and np.ndim(at) == 0:
            raise InputError(f"at is {at!r}, expected a point (..., 3) in the frame's coordinates")
        rates = np.zeros(self._traced.n) if qd is None else qd
        given = {"q": q, "qd": rates, "wrench": wrench, "at": at, "base": base, "added": added}
        found = self._traced.results("operational_space", options, {"threads": threads}, **given)
        parts = dict(zip(RESULTS, found, strict=True))
        singular = _mended(parts, scale, damping)
        carried = [parts.pop(f"{name}_torque") for name in ("velocity", "gravity", "contact")]
        inputs = {name: np.asarray(x, dtype=float) for name, x in given.items() if x is not None}
        count_lost(losses, inputs, parts["inertia"])

        def of_motion() -> tuple[Array, Array]:
            run: Any = {"threads": threads}
            (C,) = self._traced.results("coriolis_matrix", ("christoffel",), run, q=q, qd=rates, added=added)
            (Jdot,) = self._traced.results("task_jacobian_rate", options, run, q=q, qd=rates, at=at)
            return C, Jdot

        return OperationalSpace(
            names,
            **parts,
            bias=sum(carried[1:], carried[0]),
            damping=damping,
            scale=scale,
            singular=singular,
            angles=angles,
            rates=of_motion,
        )

    @cached_property
    def _tasks(self) -> dict[Any, tuple[tuple[str, ...], tuple[Any, ...], Scale]]:
        """Tasks that have been checked: axes, options of the quantity, scale."""
        return {}

    def _task(
        self,
        task: str | Sequence[str],
        frame: str | None,
        angles: str | None,
        axes: str | None,
        damped: bool,
    ) -> tuple[tuple[str, ...], tuple[Any, ...], Scale]:
        """The axes of a task, refused if there is none such, or so few joints cannot do it."""
        for name, value in (("frame", frame), ("angles", angles), ("axes", axes)):
            if not (value is None or isinstance(value, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise InputError(f"{name} is {value!r}, expected a name")
        key = (task, frame, angles, axes, damped) if isinstance(task, str) else None
        if key is not None and key in self._tasks:
            return self._tasks[key]
        names = task_axes(task, angles)
        robot, n = self._traced.robot, self._traced.n
        if axes is not None:
            if angles is not None:
                raise InputError(f'angles "{angles}" are those in base axes, expected no axes beside them')
            self._traced.frame(None if axes == TOOL else axes, {})
        if not damped and len(names) > n:
            raise InputError(
                f'the task has {len(names)} axes ({", ".join(names)}), robot "{robot.name}" has '
                f'{counted(n, "joint")}; ask for at most {n}, as task="{",".join(names[:n])}", or for damping'
            )
        found = names, (",".join(names), frame, angles, axes), task_scale(self._traced, names, frame)
        if key is not None:
            self._tasks[key] = found
        return found

    def _check_damping(self, damping: Any) -> None:
        known = isinstance(damping, int | float | np.number)
        if damping is None or (known and LEAST_DAMPING <= damping < math.inf):
            return
        raise InputError(f"damping is {damping!r}, expected a number of {LEAST_DAMPING:g} or more, or None")


def _mended(parts: dict[str, Array], scale: Scale, damping: float | None) -> Any:
    """(...) which states lose a direction; their results become NaN, or damped ones, in place."""
    J = parts["jacobian"]
    least = LOST if damping is None else damping
    doubtful: Any = np.asarray(~(parts.pop("tightness") * (least * least) < 1))
    singular = np.zeros(doubtful.shape, dtype=bool)
    if not doubtful.any():
        return singular
    singular[doubtful] = Directions.of(scale, J[doubtful]).values[..., -1] < LOST
    if damping is None:
        for name in AFFECTED:
            parts[name][singular] = np.nan
    else:
        inertia = damped_inverse(scale, J[doubtful], parts["mobility"][doubtful], damping)
        inverse = parts["freed"][doubtful] @ inertia
        parts["inertia"][doubtful], parts["inverse"][doubtful] = inertia, inverse
        pulled = (inertia @ parts["drift"][doubtful][..., None])[..., 0]
        parts["coriolis"][doubtful] = _through(inverse, parts["velocity_torque"][doubtful]) - pulled
        for name in ("gravity", "contact"):
            parts[name][doubtful] = _through(inverse, parts[f"{name}_torque"][doubtful])
    return singular


def _through(inverse: Array, torque: Array) -> Array:
    """Jbar^T tau."""
    return (np.swapaxes(inverse, -1, -2) @ torque[..., None])[..., 0]
