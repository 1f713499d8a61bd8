"""Poses as a page takes them: x, y, z and a quaternion."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.scalars import Array


def as_rows(T: Array) -> Array:
    """Placements (..., 4, 4) as (..., 7): x, y, z, qx, qy, qz, qw."""
    return np.concatenate([T[..., :3, 3], quaternions(T[..., :3, :3])], axis=-1)


def quaternions(R: Array) -> Array:
    """Rotations (..., 3, 3) as (..., 4): x, y, z, w with w >= 0; the largest row of 4 u u^T is along u."""
    lead = R.shape[:-2]
    outer = R.reshape(*lead, 9) @ _LINEAR + _CONSTANT
    largest: Any = outer[..., ::5].argmax(axis=-1)
    u = np.take_along_axis(outer.reshape(*lead, 4, 4), largest[..., None, None], axis=-2)[..., 0, :]
    return u / np.copysign(np.sqrt((u * u).sum(axis=-1, keepdims=True)), u[..., 3:])


def _outer_product(R: Array) -> Array:
    """4 u u^T (16) of the quaternion u of a rotation (3, 3): linear in it, but for a constant."""
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = R
    rows = [
        [1 + xx - yy - zz, xy + yx, xz + zx, zy - yz],
        [xy + yx, 1 - xx + yy - zz, yz + zy, xz - zx],
        [xz + zx, yz + zy, 1 - xx - yy + zz, yx - xy],
        [zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz],
    ]
    return np.array(rows).ravel()


_CONSTANT = _outer_product(np.zeros((3, 3)))
_LINEAR = np.array([_outer_product(unit.reshape(3, 3)) - _CONSTANT for unit in np.eye(9)])


def bodies_and_tool(dyn: Dynamics, q: Array) -> Array:
    """(..., bodies + 1, 7) at postures (..., n)."""
    return as_rows(np.concatenate([dyn.body_poses(q), dyn.pose(q)[..., None, :, :]], axis=-3))


def roll_pitch_yaw(R: Array) -> list[float]:
    """Of R = Rz(yaw) Ry(pitch) Rx(roll); where the tool points straight up or down, roll is 0."""
    flat = float(np.hypot(R[0, 0], R[1, 0]))
    pitch = float(np.arctan2(-R[2, 0], flat))
    if flat < 1e-9:
        return [0.0, pitch, float(np.arctan2(-R[0, 1], R[1, 1]))]
    return [float(np.arctan2(R[2, 1], R[2, 2])), pitch, float(np.arctan2(R[1, 0], R[0, 0]))]
