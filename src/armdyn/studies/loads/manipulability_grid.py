"""Cells that are filled with the best posture found for each: a search in rounds, all cells at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.scalars import Array

ROUNDS = 100
WIDEST, NARROWEST = 0.25, 0.001
"""How far postures are disturbed, of the joints' ranges: more where that helped, less where not."""
MORE, LESS = 1.5, 0.85
STEPS = 12
"""Least squares steps to a place."""
NEAR = 1e-7
"""That far from its place, relative to the workspace, a posture counts as there."""
SOFT = 1e-4
"""Damping of the steps, relative to the Jacobian."""
Measure = Callable[[Array], Array]


@dataclass(frozen=True)
class Reach:
    """An arm whose tool is brought to places."""

    dyn: Dynamics
    frame: str | None
    box: Array
    """(n, 2) the joints' ranges"""
    size: float = 1.0
    """[m] of the workspace"""

    def places(self, q: Array) -> Array:
        """(..., 3) where the tool is."""
        return self.dyn.pose(q, self.frame)[..., :3, 3]

    def brought(self, q: Array, wanted: Array, rows: list[int]) -> tuple[Array, Any]:
        """Postures (N, n) whose coordinates `rows` are as wanted (N, rows), and whether they are."""
        low, high = self.box.T
        for _ in range(STEPS):
            error = wanted - self.places(q)[:, rows]
            J = self.dyn.jacobian(q, self.frame)[:, rows]
            plain = J @ np.swapaxes(J, -1, -2)
            soft = SOFT**2 * np.trace(plain, axis1=-2, axis2=-1) + 1e-300
            W: Array = plain + soft[:, None, None] * np.eye(len(rows))
            step = np.swapaxes(J, -1, -2) @ (np.linalg.inv(W) @ error[..., None])
            q = np.clip(q + step[..., 0], low, high)
        off = np.abs(wanted - self.places(q)[:, rows]).max(axis=-1)
        return q, off < NEAR * self.size


@dataclass(frozen=True, eq=False)
class Grid:
    """Cells that are being filled."""

    reach: Reach
    measure: Measure
    axes: tuple[str, ...]
    edges: list[Array]
    rows: list[int]
    """Coordinates that a posture must have: those of the cells, then those of the slice"""
    held: list[float]

    @property
    def centres(self) -> tuple[Array, ...]:
        """Along each axis."""
        return tuple(0.5 * (e[1:] + e[:-1]) for e in self.edges)

    @property
    def shape(self) -> tuple[int, ...]:
        """How many cells there are along each axis."""
        return tuple(len(e) - 1 for e in self.edges)

    def filled(
        self, q: Array, places: Array, rounds: int, progress: Callable[[float], None] | None
    ) -> tuple[Array, Array]:
        """Values and postures of all cells."""
        n = q.shape[1]
        count = int(np.prod(self.shape))
        values, best = np.full(count, np.nan), np.zeros((count, n))
        cell = self._cell(places)
        self._offer(values, best, cell, q)
        rng = np.random.default_rng(0)
        spans = self.reach.box[:, 1] - self.reach.box[:, 0]
        wide = np.full(count, WIDEST)
        for k in range(rounds):
            source = self._sources(values, rng)
            cells = np.flatnonzero(source >= 0)
            noise = rng.normal(size=(len(cells), n)) * wide[cells, None] * spans
            start = np.clip(best[source[cells]] + noise, *self.reach.box.T)
            before = values.copy()
            self._offer(values, best, cells, start)
            helped = values > before
            wide = np.where(helped, MORE * wide, np.where(np.isfinite(before), LESS * wide, wide))
            wide = np.clip(wide, NARROWEST, WIDEST)
            if progress is not None:
                progress((k + 1) / rounds)
        return values.reshape(self.shape), best.reshape(*self.shape, n)

    def _cell(self, places: Array) -> Any:
        """The number of the cell of each place (N, axes)."""
        cell = np.zeros(len(places), dtype=np.intp)
        for edges, place in zip(self.edges, places.T, strict=True):
            count = len(edges) - 1
            share = (place - edges[0]) / (edges[-1] - edges[0])
            cell = cell * count + np.clip(np.floor(share * count), 0, count - 1).astype(np.intp)
        return cell

    def _centre(self, cell: Any) -> Array:
        """(N, rows) what postures of these cells must have."""
        own: list[Array] = []
        for centres in reversed(self.centres):
            own.insert(0, centres[cell % len(centres)])
            cell = cell // len(centres)
        return np.stack([*own, *(np.full(len(own[0]), value) for value in self.held)], axis=-1)

    def _offer(self, values: Array, best: Array, cell: Any, q: Array) -> None:
        """Bring postures to the centres of their cells; keep those that are better than what is there."""
        if not len(cell):
            return
        moved, there = self.reach.brought(q, self._centre(cell), self.rows)
        moved, cell = moved[there], cell[there]
        if not len(cell):
            return
        offered = self.measure(moved)
        order = np.argsort(offered, kind="stable")  # of several for one cell the best is written last
        moved, cell, offered = moved[order], cell[order], offered[order]
        better: Any = np.isfinite(offered) & ~(offered <= values[cell])
        values[cell[better]] = offered[better]
        best[cell[better]] = moved[better]

    def _sources(self, values: Array, rng: np.random.Generator) -> Any:
        """For each cell the one whose posture is tried: itself, or one beside it; -1 where there is none.

        An empty cell beside others tries any of all.
        """
        known = np.where(np.isfinite(values), np.arange(len(values)), -1).reshape(self.shape)
        every = ways(known.ndim)
        beside = shifted(known, every[int(rng.integers(len(every)))], -1).ravel()
        own, filled = known.ravel(), np.flatnonzero(np.isfinite(values))
        if not len(filled):
            return own
        chosen = np.where(rng.random(len(own)) < 0.5, own, beside)
        other = np.where(rng.random(len(own)) < 0.5, beside, filled[rng.integers(len(filled), size=len(own))])
        return np.where(own >= 0, np.where(chosen < 0, own, chosen), np.where(beside < 0, -1, other))


def ways(dimensions: int) -> list[tuple[int, int]]:
    """To the cells beside one: axis, and -1 or 1."""
    return [(axis, way) for axis in range(dimensions) for way in (-1, 1)]


def shifted(values: Any, way: tuple[int, int], empty: float = -np.inf) -> Any:
    """The values of the cells beside, one way along an axis."""
    axis, by = way
    moved = np.roll(values, by, axis=axis)
    edge: list[Any] = [slice(None)] * values.ndim
    edge[axis] = 0 if by > 0 else -1
    moved[tuple(edge)] = empty
    return moved
