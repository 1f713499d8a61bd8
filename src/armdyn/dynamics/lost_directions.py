"""Directions in which an arm cannot move its task, and results that stay finite near them.

A task's axes are lengths and angles, and so are joints: to compare them, a turn counts as the way that it
makes at the arm's reach L,

    J_s = R J S,    R = 1/L for a length, 1 for an angle;    S = L for a sliding joint, 1 for a turning one.

The singular values of J_s are numbers of the size of one; a direction is lost where one of them is less than
LOST. Nearly all states need no decomposition to tell that they lose none (`mechanics`: tightness).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.scalars import Array

LOST = 1e-6
"""Beneath it an inverse of the mobility, its square, has few digits left, if any."""


@dataclass(frozen=True, eq=False)
class Scale:
    """What makes a Jacobian a matrix of plain numbers."""

    rows: Array
    """R (m)"""
    columns: Array
    """S (n)"""

    def jacobian(self, J: Array) -> Array:
        """J_s of J (..., m, n)."""
        return self.rows[:, None] * J * self.columns


@dataclass(frozen=True, eq=False)
class Directions:
    """Directions of a task, from the one in which it moves most to that in which it moves least."""

    values: Array
    """(..., m) singular values of J_s; 0 beyond the number of joints"""
    vectors: Array
    """(..., m, m) the directions, as columns, of length one with lengths divided by the reach"""

    @classmethod
    def of(cls, scale: Scale, J: Array) -> Directions:
        """Of Jacobians (..., m, n); NaN where these are."""
        m, n = J.shape[-2:]
        usable: Any = np.isfinite(J).all(axis=(-2, -1))
        U, s, _ = np.linalg.svd(scale.jacobian(np.where(usable[..., None, None], J, 0.0)))
        values = np.concatenate([s, np.zeros((*s.shape[:-1], max(m - n, 0)))], axis=-1)
        return cls(np.where(usable[..., None], values, np.nan), np.where(usable[..., None, None], U, np.nan))


def damped_inverse(scale: Scale, J: Array, mobility: Array, damping: float) -> Array:
    """(J H^-1 J^T + what damps)^-1, (..., m, m).

    What damps is a mobility in the directions whose singular value s is less than the damping, of the size
    damping^2 - s^2: it begins softly, and keeps the inertia finite where a direction is lost.
    """
    found = Directions.of(scale, J)
    W: Any = scale.rows[:, None] * mobility * scale.rows
    total = np.einsum("...i,...i->...", found.values, found.values)
    light = np.trace(W, axis1=-2, axis2=-1) / np.where(total > 0, total, 1.0)
    light = np.where(light > 0, light, 1.0)
    added = np.maximum(damping * damping - found.values * found.values, 0.0) * light[..., None]
    whole = W + np.einsum("...ik,...k,...jk->...ij", found.vectors, added, found.vectors)
    usable: Any = np.isfinite(whole).all(axis=(-2, -1))[..., None, None]
    inverse = np.linalg.inv(np.where(usable, whole, np.eye(whole.shape[-1])))
    return np.where(usable, scale.rows[:, None] * inverse * scale.rows, np.nan)
