"""Ellipsoids of velocity, force and acceleration of a task ([Siciliano2009] 7.9, and 3.9 for the first two).

    velocity:      {J qd : |qd| <= 1}
    force:         {f : |J^T f| <= 1}
    acceleration:  {J H^-1 (tau - C qd - g) + Jdot qd : |tau| <= 1}

The last is the exact image of the torque sphere, with the core (J H^-1 H^-T J^T)^-1. [Siciliano2009] (7.148)
asks for accelerations of least norm on top, and has the core J^+T H^T H J^+: the same for a square Jacobian,
inside the exact one for any other.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.manipulability.ellipsoid import Ellipsoid
from armdyn.manipulability.limits import torque_range
from armdyn.scalars import Array

UNBOUNDED = 1e-12
"""A map that shrinks a direction by more than this, relative to the largest, bounds nothing along it."""
Weights = ArrayLike | Literal["limits"] | None


def velocity_ellipsoid(dyn: Dynamics, q: ArrayLike, *, rates: Weights = None, **task: Any) -> Ellipsoid:
    """Velocities of a task that joint rates of unit norm give.

    Args:
        dyn: whose arm it is.
        q: (..., n) joint positions.
        rates: (n) what each rate counts as one of, 1 by default; "limits": the joints' velocity limits.
        **task: `task` ("position" by default), `frame`, `at`, `angles`, `axes` as for `operational_space`.
    """
    J, axes = _jacobian(dyn, q, task)
    scaled = J * _rates(dyn, rates)
    return Ellipsoid.image(axes, scaled, np.zeros(J.shape[:-1]))


def force_ellipsoid(dyn: Dynamics, q: ArrayLike, *, torques: Weights = None, **task: Any) -> Ellipsoid:
    """Forces that joint torques of unit norm balance, the arm's own weight apart.

    Args:
        dyn: whose arm it is.
        q: (..., n) joint positions.
        torques: (n) what each torque counts as one of, 1 by default; "limits": half the range of each.
        **task: as for `velocity_ellipsoid`.

    Returns:
        The ellipsoid; its radius is NaN along a direction that the arm cannot move in: nothing bounds it.
    """
    J, axes = _jacobian(dyn, q, task)
    T = _torques(dyn, q, torques)
    return _preimage(axes, np.swapaxes(J / T[..., None, :], -1, -2), np.zeros(J.shape[:-1]))


def acceleration_ellipsoid(
    dyn: Dynamics,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    wrench: ArrayLike | None = None,
    *,
    torques: Weights = None,
    gravity: bool = True,
    form: Literal["exact", "least_norm"] = "exact",
    **task: Any,
) -> Ellipsoid:
    """The dynamic manipulability ellipsoid: accelerations of a task that torques of unit norm give.

    Args:
        dyn: whose arm it is, with its payload.
        q: (..., n) joint positions.
        qd: (..., n) joint velocities; at rest by default.
        wrench: (..., 6) what the tool exerts on its surroundings; nothing by default.
        torques: (n) what each joint torque counts as one of, 1 N m by default; "limits": what motors or
            joints can give at this state, about the middle of their ranges.
        gravity: whether it moves the centre, by -J H^-1 g.
        form: "exact" image of the torques, or with accelerations of "least_norm", [Siciliano2009] (7.148).
        **task: as for `velocity_ellipsoid`.
    """
    if form not in ("exact", "least_norm"):
        raise InputError(f'form "{form}", expected "exact" or "least_norm"')
    found = dyn.operational_space(q, qd, wrench, **asked(task))
    state = np.asarray(q, dtype=float)
    rates = np.zeros(dyn.n) if qd is None else np.asarray(qd, dtype=float)
    carried = found.bias if gravity else found.bias - dyn.gravity(state)
    ball, given = _torque_ball(dyn, state, rates, torques)
    through = np.swapaxes(found.freed, -1, -2)
    centre = found.drift - (through @ (carried - given)[..., None])[..., 0]
    if form == "exact":
        return Ellipsoid.image(found.axes, through @ ball, centre)
    least: Any = np.linalg.pinv(_finite(found.jacobian))
    weights: Any = np.linalg.inv(ball)
    needed: Any = weights @ dyn.mass_matrix(state) @ least
    known: Any = ~found.singular & np.isfinite(found.jacobian).all(axis=(-2, -1))
    return _preimage(found.axes, np.where(known[..., None, None], needed, np.nan), centre)


def _torque_ball(dyn: Dynamics, q: Array, qd: Array, torques: Weights) -> tuple[Array, Array]:
    """What makes joint torques of the unit ball (..., n, k), and what is in its middle (..., n)."""
    if not isinstance(torques, str):
        weights = np.ones(dyn.n) if torques is None else _weights(dyn, "torques", torques)
        return np.diag(weights), np.zeros(dyn.n)
    _limits_only(torques)
    batch = np.broadcast_shapes(q.shape, qd.shape)
    able = torque_range(dyn, np.broadcast_to(q, batch), np.broadcast_to(qd, batch))
    return able.to_joints * able.half[..., None, :], (able.to_joints @ able.middle[..., None])[..., 0]


def _preimage(axes: tuple[str, ...], K: Array, centre: Array) -> Ellipsoid:
    """{x : |K (x - c)| <= 1} of K (..., n, m); NaN radii where nothing bounds x, or K is not known."""
    usable: Any = np.isfinite(K).all(axis=(-2, -1))
    _, s, V = np.linalg.svd(np.where(usable[..., None, None], K, 0.0))
    m = K.shape[-1]
    s = np.concatenate([s, np.zeros((*s.shape[:-1], m - s.shape[-1]))], axis=-1)
    bound: Any = usable[..., None] & (s > UNBOUNDED * s[..., :1])
    radii = np.where(bound, 1 / np.where(bound, s, 1.0), np.nan)[..., ::-1]  # the largest first
    return Ellipsoid(axes, centre, radii, np.swapaxes(V, -1, -2)[..., ::-1])


def _finite(J: Array) -> Array:
    return np.where(np.isfinite(J), J, 0.0)


def _jacobian(dyn: Dynamics, q: ArrayLike, task: dict[str, Any]) -> tuple[Array, tuple[str, ...]]:
    found = dyn.operational_space(q, **asked(task))
    return found.jacobian, found.axes


def asked(task: dict[str, Any]) -> dict[str, Any]:
    """Options of a task, the position by default."""
    known = ("task", "frame", "at", "angles", "axes")
    if unknown := [name for name in task if name not in known]:
        raise InputError(f"unknown argument {unknown[0]}, expected {', '.join(known)}")
    return {"task": "position", **task}


# Weights --------------------------------------------------------------------------------------


def _rates(dyn: Dynamics, rates: Weights) -> Array:
    if isinstance(rates, str):
        _limits_only(rates)
        limits = [joint.limits.velocity for joint in dyn.robot.joints]
        for joint, limit in zip(dyn.robot.joints, limits, strict=True):
            if not limit:
                raise MissingDataError(
                    f'robot "{dyn.robot.name}": no velocity limit is known of joint "{joint.name}"; describe '
                    "it, or give rates"
                )
        return np.array(limits, dtype=float)
    return np.ones(dyn.n) if rates is None else _weights(dyn, "rates", rates)


def _torques(dyn: Dynamics, q: ArrayLike, torques: Weights) -> Array:
    """(n), or (..., n) at the joints where gears are in between."""
    if isinstance(torques, str):
        state = np.asarray(q, dtype=float)
        _limits_only(torques)
        able = torque_range(dyn, state, np.zeros_like(state))
        if able.of == "motors" and np.count_nonzero(able.to_joints[(0,) * (state.ndim - 1)]) > dyn.n:
            raise InputError(
                f'torques "limits" of robot "{dyn.robot.name}": its gears couple joints, so that a joint has '
                "no limit of its own; give torques (n)"
            )
        return (np.abs(able.to_joints) @ able.half[..., None])[..., 0]
    return np.ones(dyn.n) if torques is None else _weights(dyn, "torques", torques)


def _limits_only(word: str) -> None:
    if word != "limits":
        raise InputError(f'"{word}" says no weights, expected "limits", or numbers for all joints')


def _weights(dyn: Dynamics, name: str, values: ArrayLike) -> Array:
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers, expected shape ({dyn.n},)") from error
    if numbers.shape not in ((), (dyn.n,)):
        has = f'robot "{dyn.robot.name}" has {dyn.n} joints'
        raise ShapeError(name, numbers.shape, has, f"({dyn.n},)")
    if not (np.isfinite(numbers).all() and (numbers > 0).all()):
        raise InputError(f"{name} are {numbers.tolist()}, expected finite numbers above 0")
    return np.broadcast_to(numbers, (dyn.n,)).copy()
