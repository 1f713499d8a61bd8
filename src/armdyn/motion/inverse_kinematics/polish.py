"""How far a posture is from a pose, and the Newton steps that take it there."""

from __future__ import annotations

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.scalars import Array

EXACT = 1e-13
"""Postures nearer to their pose than this [m, or in elements of R] are left alone."""
REPRODUCED = 1e-9
"""Postures farther from it than this are no solutions."""
NEAR = 1e-2
STEPS = 2


def deviation(poses: Array, reached: Array) -> Array:
    """The largest difference of two poses (...), element by element."""
    return np.abs(reached - poses).max(axis=(-1, -2))


def twist_to(poses: Array, reached: Array) -> Array:
    """What takes `reached` to `poses`: (..., 6) translation [m] and rotation vector [rad], base axes."""
    E = poses[..., :3, :3] @ np.swapaxes(reached[..., :3, :3], -1, -2)
    axis = 0.5 * np.stack(
        [E[..., 2, 1] - E[..., 1, 2], E[..., 0, 2] - E[..., 2, 0], E[..., 1, 0] - E[..., 0, 1]], axis=-1
    )
    sine = np.linalg.norm(axis, axis=-1)
    angle = np.arctan2(sine, 0.5 * (np.trace(E, axis1=-2, axis2=-1) - 1))
    stretch = np.where(sine > 1e-6, angle / np.where(sine > 1e-6, sine, 1.0), 1.0)
    return np.concatenate([poses[..., :3, 3] - reached[..., :3, 3], stretch[..., None] * axis], axis=-1)


def damped_step(J: Array, error: Array, damping: Array | float) -> Array:
    """dq = J^T (J J^T + damping)^-1 error, of least norm: (..., n) of J (..., 6, n).

    Directions in which the arm cannot move are left out.
    """
    U, s, Vt = np.linalg.svd(J, full_matrices=False)
    able = s > 1e-10 * s[..., :1]
    gain = np.where(able, s, 0.0) / np.where(able, s * s + np.asarray(damping)[..., None], 1.0)
    return np.einsum("...ki,...k->...i", Vt, gain * np.einsum("...ik,...i->...k", U, error))


def polished(dynamics: Dynamics, poses: Array, q: Array) -> Array:
    """The postures q (..., n), exact to rounding; NaN where they do not reproduce their poses (..., 4, 4)."""
    shape, poses = q.shape, np.broadcast_to(poses, (*q.shape[:-1], 4, 4)).reshape(-1, 4, 4)
    q = q.reshape(-1, shape[-1])
    error = deviation(poses, dynamics.pose(q))
    for _ in range(STEPS):
        rough = np.flatnonzero((error > EXACT) & (error < NEAR))
        if not rough.size:
            break
        better, smaller = _stepped(dynamics, poses[rough], q[rough])
        improved = smaller < error[rough]
        q[rough[improved]], error[rough[improved]] = better[improved], smaller[improved]
    q[~(error < REPRODUCED)] = np.nan
    return q.reshape(shape)


def _stepped(dynamics: Dynamics, poses: Array, q: Array) -> tuple[Array, Array]:
    """One Newton step, and the deviation after it."""
    better = q + damped_step(dynamics.jacobian(q), twist_to(poses, dynamics.pose(q)), 0.0)
    return better, deviation(poses, dynamics.pose(better))
