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
    """Rotations (..., 3, 3) as (..., 4): x, y, z, w with w >= 0.

    The matrix 4 u u^T of a quaternion u is linear in R; its largest row, brought to length one, is u.
    """
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = np.moveaxis(R, (-2, -1), (0, 1))
    rows = [
        [1 + xx - yy - zz, xy + yx, xz + zx, zy - yz],
        [xy + yx, 1 - xx + yy - zz, yz + zy, xz - zx],
        [xz + zx, yz + zy, 1 - xx - yy + zz, yx - xy],
        [zy - yz, xz - zx, yx - xy, 1 + xx + yy + zz],
    ]
    outer = np.moveaxis(np.array(rows), (0, 1), (-2, -1))
    largest: Any = np.argmax(np.diagonal(outer, axis1=-2, axis2=-1), axis=-1)
    u = np.take_along_axis(outer, largest[..., None, None], axis=-2)[..., 0, :]
    return u / np.linalg.norm(u, axis=-1, keepdims=True) * np.where(u[..., 3:] < 0, -1.0, 1.0)


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
