"""Ellipsoids: the image of a unit ball under a linear map, moved to a centre."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.manipulability.vectors import directions, task_vectors, two_axes
from armdyn.scalars import Array

FLAT = 1e-12
"""A radius that is smaller than the largest by this is none."""
LEAST = 4
"""Points of an outline that is one: the last is the first."""


@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """{c + sum_k r_k u_k d_k : |u| <= 1} of a task's m axes, at states (...)."""

    axes: tuple[str, ...]
    centre: Array
    """c (..., m)"""
    radii: Array
    """r (..., m), the largest first; NaN where nothing bounds it"""
    directions: Array
    """d (..., m, m), one column for each radius"""

    @classmethod
    def image(cls, axes: tuple[str, ...], map_: Array, centre: Array) -> Ellipsoid:
        """Of the unit ball under a map (..., m, k)."""
        usable: Any = np.isfinite(map_).all(axis=(-2, -1))
        U, s, _ = np.linalg.svd(np.where(usable[..., None, None], map_, 0.0))
        missing = np.zeros((*s.shape[:-1], U.shape[-1] - s.shape[-1]))
        radii = np.where(usable[..., None], np.concatenate([s, missing], axis=-1), np.nan)
        return cls(axes, centre, radii, np.where(usable[..., None, None], U, np.nan))

    @property
    def shape(self) -> Array:
        """The matrix A, (..., m, m), with which (x - c)^T A^-1 (x - c) <= 1 for x in it."""
        return (self.directions * (self.radii**2)[..., None, :]) @ np.swapaxes(self.directions, -1, -2)

    @property
    def core(self) -> Array:
        """A^-1 (..., m, m), as [Siciliano2009] (7.148) has it; NaN where the ellipsoid is flat."""
        flat: Any = self.radii <= FLAT * self.radii[..., :1]
        inverse = np.where(flat, np.nan, 1 / np.where(flat, 1.0, self.radii) ** 2)
        return (self.directions * inverse[..., None, :]) @ np.swapaxes(self.directions, -1, -2)

    @property
    def measure(self) -> Array:
        """(...) the product of the radii: sqrt det A, a measure of manipulability."""
        return np.prod(self.radii, axis=-1)

    @property
    def volume(self) -> Array:
        """(...) of the ellipsoid; for two axes its area, for one its length."""
        m = len(self.axes)
        return self.measure * math.pi ** (m / 2) / math.gamma(m / 2 + 1)

    @property
    def isotropy(self) -> Array:
        """(...) smallest over largest radius: 1 for a sphere, 0 where a direction is lost."""
        large = self.radii[..., 0]
        return np.where(large > 0, self.radii[..., -1] / np.where(large > 0, large, 1.0), large)

    def support(self, direction: ArrayLike) -> Array:
        """(...) how far it extends along directions (..., m): max of u . x over all its x."""
        u = task_vectors(self.axes, direction)
        spread = self.radii * np.einsum("...mk,...m->...k", self.directions, u)
        return np.einsum("...m,...m->...", self.centre, u) + np.linalg.norm(spread, axis=-1)

    def along(self, direction: ArrayLike) -> Array:
        """(...) how far its surface is from the origin along directions (..., m); NaN where it is not met.

        [Siciliano2009] 7.9: the acceleration that can be given to the end effector along a direction.
        """
        u = directions(self.axes, direction)
        flat: Any = self.radii <= FLAT * self.radii[..., :1]
        size = np.where(flat, 1.0, self.radii)
        a, c = (np.einsum("...mk,...m->...k", self.directions, x) / size for x in (u, self.centre))
        # |t a - c| = 1: the larger root
        aa, ac, cc = (np.einsum("...k,...k->...", x, y) for x, y in ((a, a), (a, c), (c, c)))
        with np.errstate(invalid="ignore", divide="ignore"):
            far = (ac + np.sqrt(ac * ac - aa * (cc - 1))) / aa
        far = np.where(far < 0, np.nan, far)
        stays: Any = ((np.abs(a) <= FLAT) | ~flat).all(axis=-1)
        return np.where(stays, far, np.where((flat & (np.abs(c) > FLAT)).any(axis=-1), np.nan, 0.0))

    def contains(self, points: ArrayLike, tolerance: float = 1e-9) -> Any:
        """(...) whether points (..., m) lie in it, within a tolerance relative to its size."""
        x = task_vectors(self.axes, points) - self.centre
        local = np.einsum("...mk,...m->...k", self.directions, x)
        size = self.radii + tolerance * self.radii[..., :1]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.einsum("...k,...k->...", local / size, local / size) <= 1 + tolerance

    def points(self, first: str | None = None, second: str | None = None, count: int = 181) -> Array:
        """(..., count, 2) the outline of what it looks like along all axes but two, as a closed line.

        Args:
            first: name of the axis to the right, by default the first.
            second: name of the axis upwards, by default the second.
            count: points, the last one the same as the first.
        """
        seen = two_axes(self.axes, first, second)
        if not (isinstance(count, int) and count >= LEAST):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"count is {count!r}, expected a whole number of {LEAST} or more")
        A = self.shape[..., seen, :][..., seen]
        values, vectors = np.linalg.eigh(A)
        half = vectors * np.sqrt(np.maximum(values, 0.0))[..., None, :]
        angle = np.linspace(0.0, 2 * np.pi, count)
        circle = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        return self.centre[..., None, seen] + circle @ np.swapaxes(half, -1, -2)
