"""Poses as they come in: checked, and with rotations that are exact to rounding."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array

WRITTEN = 1e-6
"""How far the rotations of poses may be from orthonormal: numbers of a file have six digits or more."""
EXACT = 1e-14
FARTHEST = 1e9
"""[m] Where no tool is: squares of places up to there still have digits to spare."""


def poses_of(values: ArrayLike, dimensions: int | None = None) -> Array:
    """Poses (..., 4, 4), of so many dimensions, rotations made orthonormal.

    NaN stays, and what is infinite or farther than anything becomes NaN: nobody reaches it.
    """
    poses = np.asarray(values, dtype=float)
    expected = {None: "(..., 4, 4)", 2: "(4, 4)", 3: "(t, 4, 4)"}[dimensions]
    if poses.shape[-2:] != (4, 4) or dimensions not in (None, poses.ndim):
        raise ShapeError("pose", poses.shape, "a pose is a 4x4 matrix", expected)
    if (np.abs(poses) > FARTHEST).any():
        poses = np.where(np.abs(poses) > FARTHEST, np.nan, poses)
    if (np.abs(poses[..., 3, :] - (0.0, 0.0, 0.0, 1.0)) > WRITTEN).any():
        raise InputError("pose: its last row is not (0, 0, 0, 1), expected a rotation and a place, no scale")
    excess = _excess(poses[..., :3, :3])
    worst = float(np.fmax.reduce(np.abs(excess), axis=None, initial=0.0))
    if not worst < WRITTEN:
        raise InputError(
            f"pose: its rotation is {worst:.1e} from orthonormal, expected less than {WRITTEN:g}; "
            "write it with more digits"
        )
    if (_triple(poses[..., :3, :3]) < 0).any():
        raise InputError("pose: its rotation mirrors (determinant -1), expected right-handed axes")
    return poses if worst < EXACT else _orthonormal(poses, excess)


def pose_of(value: ArrayLike) -> Array:
    """One pose (4, 4) of numbers."""
    pose = poses_of(value, dimensions=2)
    if np.isnan(pose).any():
        given = np.asarray(value, dtype=float).tolist()
        raise InputError(f"pose is {given}, expected finite numbers, {FARTHEST:g} at most")
    return pose


def _excess(R: Array) -> Array:
    """R^T R - 1."""
    return np.swapaxes(R, -1, -2) @ R - np.eye(3)


def _triple(R: Array) -> Array:
    """x . (y x z) of the rows."""
    (a, b, c), (d, e, f), (g, h, i) = np.moveaxis(R, (-2, -1), (0, 1))
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)


def _orthonormal(poses: Array, excess: Array) -> Array:
    """The nearest rotations, R (R^T R)^(-1/2) = R (1 - e/2 + ..) in two steps."""
    mended = poses.copy()
    for _ in range(2):
        mended[..., :3, :3] = mended[..., :3, :3] @ (np.eye(3) - excess / 2)
        excess = _excess(mended[..., :3, :3])
    return mended
