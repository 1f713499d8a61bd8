"""Polytopes of bounded torques: c + G t with every t_k between its limits.

Such a zonotope has facets whose normals are perpendicular to m - 1 of its generators, the columns of G, so
that all of them are known; a facet is again a zonotope, of the generators that lie in it, which gives the
vertices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.manipulability.vectors import directions, task_vectors, two_axes
from armdyn.scalars import Array

LEVEL = 1e-9
"""A generator whose share along a normal is smaller lies in the facet; a singular value so small is none."""


def cross_products(G: Array) -> Array:
    """(..., subsets, m) vectors perpendicular to m - 1 columns of G (..., m, k), for each choice of them."""
    m, k = G.shape[-2:]
    if m == 1:
        return np.ones((*G.shape[:-2], 1, 1))
    if m == 2:
        return np.stack([G[..., 1, :], -G[..., 0, :]], axis=-1)
    chosen = np.array(list(combinations(range(int(k)), int(m) - 1)), dtype=int).reshape(-1, m - 1)
    columns = np.swapaxes(G, -1, -2)
    if m == 3:
        return np.cross(columns[..., chosen[:, 0], :], columns[..., chosen[:, 1], :])
    picked = np.moveaxis(G[..., chosen], -3, -2)  # (..., subsets, m, m - 1)
    minors = [np.linalg.det(np.delete(picked, row, axis=-2)) * (-1) ** row for row in range(m)]
    return np.stack(minors, axis=-1)


def inner_distance(centre: Array, G: Array, lower: Array, upper: Array) -> Array:
    """(...) radius of the largest ball about the origin in c + G t, (..., m) and (..., m, k).

    Negative where the origin is outside; 0 or less where a direction is lost.
    """
    sizes = np.linalg.norm(G, axis=-2, keepdims=True)
    unit = G / np.where(sizes > 0, sizes, 1.0)
    normals = cross_products(unit)
    lengths = np.linalg.norm(normals, axis=-1, keepdims=True)
    known: Any = lengths[..., 0] > LEVEL
    normals = normals / np.where(lengths > LEVEL, lengths, 1.0)
    along = normals @ G
    c = (normals @ centre[..., None])[..., 0]
    low, high = lower[..., None, :], upper[..., None, :]
    most = np.maximum(along * low, along * high).sum(axis=-1)
    least = np.minimum(along * low, along * high).sum(axis=-1)
    distance: Array = np.where(known, np.minimum(c + most, -(c + least)), np.inf).min(axis=-1)
    far = np.linalg.norm(centre + (G @ (0.5 * (lower + upper))[..., None])[..., 0], axis=-1)
    return np.where(known.any(axis=-1), distance, -far)


@dataclass(frozen=True, eq=False)
class Zonotope:
    """{c + G t : lower <= t <= upper} of a task's m axes, at one state."""

    axes: tuple[str, ...]
    centre: Array
    """c (m): what no torques give"""
    generators: Array
    """G (m, k): what a unit of each torque adds"""
    lower: Array
    """(k) least torques"""
    upper: Array
    """(k) largest torques"""

    @cached_property
    def corners(self) -> Array:
        """(v, k) the torques of the vertices: at a limit each, or as near to 0 as can be without effect."""
        found = _corners(self._basis.T @ self._moving, range(self.generators.shape[1]))
        middle = np.clip(0.0, self.lower, self.upper)
        unique = sorted({tuple(signs.get(k, 0) for k in range(len(self.lower))) for signs in found})
        rows: Any = np.array(unique, dtype=float).reshape(len(unique), len(self.lower))
        return np.where(rows > 0, self.upper, np.where(rows < 0, self.lower, middle))

    @cached_property
    def vertices(self) -> Array:
        """(v, m) the vertices."""
        return self.centre + self.corners @ self.generators.T

    @cached_property
    def facets(self) -> tuple[Array, Array]:
        """Unit normals (f, m) and offsets (f): x is inside where normals x <= offsets.

        Where it is flat, both sides of what it lies in are among them.
        """
        B = self._basis
        inside = _normals(B.T @ self._moving) @ B.T if B.shape[1] else np.empty((0, len(self.axes)))
        rows = np.concatenate([inside, self._complement.T])
        both = np.concatenate([rows, -rows])
        return both, self.support(both)

    @property
    def rank(self) -> int:
        """Its dimension."""
        return self._basis.shape[1]

    @property
    def volume(self) -> float:
        """The volume (area, length) of it; 0 where it is flat.

        sum |det of m columns| times the ranges of their torques.
        """
        m, k = len(self.axes), len(self.lower)
        scaled = self.generators * (self.upper - self.lower)
        return math.fsum(abs(float(np.linalg.det(scaled[:, list(c)]))) for c in combinations(range(k), m))

    @property
    def inner_radius(self) -> float:
        """What is possible in every direction: the largest ball about the origin; negative outside."""
        return float(inner_distance(self.centre, self.generators, self.lower, self.upper))

    def support(self, direction: ArrayLike) -> Array:
        """(...) how far it extends along directions (..., m): max of u . x."""
        u = task_vectors(self.axes, direction)
        along = u @ self.generators
        return u @ self.centre + np.maximum(along * self.lower, along * self.upper).sum(axis=-1)

    def contains(self, points: ArrayLike, tolerance: float = 1e-9) -> Any:
        """(...) whether points (..., m) lie in it, within a tolerance relative to its size."""
        x = task_vectors(self.axes, points)
        normals, offsets = self.facets
        size = np.abs(self.generators @ np.diag(self.upper - self.lower)).sum() + np.abs(self.centre).max()
        return (x @ normals.T <= offsets + tolerance * size).all(axis=-1)

    def along(self, direction: ArrayLike) -> Array:
        """(...) how far its surface is from the origin along directions (..., m); NaN where it is not met."""
        u = directions(self.axes, direction)
        normals, offsets = self.facets
        rates = u @ normals.T
        size = np.abs(self.vertices).max(initial=1e-300)
        with np.errstate(divide="ignore", invalid="ignore"):
            ends = np.where(np.abs(rates) > LEVEL, offsets / rates, np.inf)
        far = np.where(rates > LEVEL, ends, np.inf).min(axis=-1)
        near = np.where(rates < -LEVEL, ends, -np.inf).max(axis=-1)
        missed: Any = ((np.abs(rates) <= LEVEL) & (offsets < -LEVEL * size)).any(axis=-1)
        missed = missed | (near > far + LEVEL * size) | (far < -LEVEL * size)
        return np.where(missed, np.nan, np.maximum(far, 0.0))

    def polygon(self, first: str | None = None, second: str | None = None) -> Array:
        """(v, 2) the outline of what it looks like along all axes but two, in order, as a closed line."""
        i, j = two_axes(self.axes, first, second)
        names, G = (self.axes[i], self.axes[j]), self.generators[[i, j]]
        points = Zonotope(names, self.centre[[i, j]], G, self.lower, self.upper).vertices
        around = points - points.mean(axis=0)
        ordered = points[np.argsort(np.arctan2(around[:, 1], around[:, 0]))]
        return np.concatenate([ordered, ordered[:1]])

    @cached_property
    def _moving(self) -> Array:
        """The generators, those without a range left out."""
        return self.generators * (self.upper > self.lower)

    @cached_property
    def _split(self) -> tuple[Array, int]:
        U, s, _ = np.linalg.svd(self.generators * (self.upper - self.lower))
        return U, int((s > LEVEL * max(s.max(initial=0.0), 1e-300)).sum())

    @property
    def _basis(self) -> Array:
        """(m, rank) what it extends along."""
        U, rank = self._split
        return U[:, :rank]

    @property
    def _complement(self) -> Array:
        U, rank = self._split
        return U[:, rank:]


def _normals(G: Array) -> Array:
    """(f, m) unit normals of the facets, one for each pair of opposite ones."""
    sizes = np.linalg.norm(G, axis=0)
    moving = G[:, sizes > LEVEL * sizes.max(initial=0.0)]
    found = cross_products(moving / np.linalg.norm(moving, axis=0))
    lengths = np.linalg.norm(found, axis=-1)
    unit = found[lengths > LEVEL] / lengths[lengths > LEVEL][:, None]
    signs = np.sign(unit[np.arange(len(unit)), np.argmax(np.abs(unit) > LEVEL, axis=1)])
    upwards: Any = unit * signs[:, None]
    first = np.unique(upwards.round(9), axis=0, return_index=True)[1]
    return upwards[np.sort(first)]


def _corners(G: Array, columns: Sequence[int]) -> list[dict[int, int]]:
    """Column -> which limit (1, -1) of every vertex; columns without effect are left out."""
    sizes = np.linalg.norm(G, axis=0)
    largest = sizes.max(initial=0.0)
    moving = [k for k in range(G.shape[1]) if largest > 0 and sizes[k] > LEVEL * largest]
    if not moving or not G.shape[0]:
        return [{}]
    unit, names = G[:, moving] / sizes[moving], [columns[k] for k in moving]
    if G.shape[0] == 1:
        up = {name: int(np.sign(g)) for name, g in zip(names, unit[0], strict=True)}
        return [up, {name: -sign for name, sign in up.items()}]
    found: list[dict[int, int]] = []
    for normal in _normals(unit):
        along = normal @ unit
        lying = np.abs(along) <= LEVEL
        beyond = {names[k]: int(np.sign(along[k])) for k in range(len(names)) if not lying[k]}
        plane = np.linalg.svd(normal[:, None])[0][:, 1:]
        rest = _corners(plane.T @ unit[:, lying], [names[k] for k in range(len(names)) if lying[k]])
        for other in rest:
            found += [{**beyond, **other}, {**{k: -s for k, s in beyond.items()}, **other}]
    return found
