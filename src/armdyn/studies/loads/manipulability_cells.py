"""The best posture for every place of a slice or a volume of the workspace.

Places are the centres of equal cells. Postures all over the joints' ranges are brought into the slice and to
their cells by least squares steps of the tool's position; from there a search goes on in rounds: the best
posture of a cell, or of one beside it, is disturbed, less where that did not help, brought back to the cell's
centre, and kept where it is better. What is found is attained; that nothing is better is not proved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.extremes.climbing import spread_points
from armdyn.scalars import Array

SAMPLES = 14
"""2 to the power of this many postures are looked at first."""
ROUNDS = 100
WIDEST, NARROWEST = 0.25, 0.001
"""How far postures are disturbed, of the joints' ranges: more where that helped, less where not."""
MORE, LESS = 1.5, 0.85
STEPS = 12
"""Least squares steps to a place."""
NEAR = 1e-7
"""That far from its place, relative to the workspace, a posture counts as there."""
STILL = 1e-9
"""A coordinate that changes less, relative to the largest, does not change."""
SOFT = 1e-4
"""Damping of the steps, relative to the Jacobian."""
AXES = ("x", "y", "z")
Measure = Callable[[Array], Array]


@dataclass(frozen=True, eq=False)
class Cells:
    """The places of a slice or a volume, and the best posture at each."""

    axes: tuple[str, ...]
    """The axes along which there are cells, two or three of x, y, z"""
    centres: tuple[Array, ...]
    """Of the cells along each axis [m]"""
    fixed: dict[str, float]
    """Where the slice is [m]; a coordinate that the arm cannot change is there, too"""
    values: Array
    """(cells along the axes) the best value; NaN where no posture was found"""
    q: Array
    """(cells along the axes, n) the best posture"""

    @property
    def reached(self) -> Any:
        """(cells along the axes) whether a posture was found."""
        return np.isfinite(self.values)

    def place(self, index: tuple[int, ...]) -> list[float]:
        """x, y, z of a cell's centre [m]."""
        found = {a: float(c[i]) for a, c, i in zip(self.axes, self.centres, index, strict=True)}
        return [{**self.fixed, **found}[axis] for axis in AXES]

    def best(self, count: int) -> list[tuple[int, ...]]:
        """Cells whose value is no less than that of any beside them, the best first."""
        filled = np.where(self.reached, self.values, -np.inf)
        around = np.max([_shifted(filled, way) for way in _ways(filled.ndim)], axis=0)
        peaks: Any = np.argwhere(self.reached & (filled >= around))
        order = np.argsort([-filled[tuple(peak)] for peak in peaks], kind="stable")
        return [tuple(int(i) for i in peaks[k]) for k in order[:count]]


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


def best_postures(
    dyn: Dynamics,
    box: Array,
    measure: Measure,
    frame: str | None = None,
    cut: dict[str, float] | None = None,
    cells: int = 40,
    progress: Callable[[float], None] | None = None,
    samples: int = SAMPLES,
    rounds: int = ROUNDS,
) -> Cells:
    """The best posture for each cell of a slice, or of the whole volume.

    Args:
        dyn: whose arm it is.
        box: (n, 2) the joints' ranges.
        measure: of postures (N, n), (N) numbers; more is better.
        frame: the body whose frame is moved; the tool by default.
        cut: axis -> where [m]; none for the volume.
        cells: along the longer sides.
        progress: called with the share that is done.
        samples: 2 to the power of this many postures are looked at first.
        rounds: of the search.
    """
    reach = Reach(dyn, frame, box)
    q = spread_points(box, samples)
    places = reach.places(q)
    low, high = places.min(axis=0), places.max(axis=0)
    span = high - low
    size = float(span.max())
    if not size > 0:
        raise InputError(
            f'robot "{dyn.robot.name}": the position of the frame does not change in the ranges, expected '
            "one that does; widen the ranges, or choose another frame"
        )
    fixed = {a: float(low[i]) for i, a in enumerate(AXES) if span[i] <= STILL * size} | dict(cut or {})
    _check_cut(cut or {}, low, high, size)
    axes = tuple(axis for axis in AXES if axis not in fixed)
    if not axes:
        raise InputError(f"the slice {cut} leaves one place, expected at least one axis free")
    reach = Reach(dyn, frame, box, size)
    rows, held = (
        [AXES.index(a) for a in axes],
        [AXES.index(a) for a in cut or {} if span[AXES.index(a)] > STILL * size],
    )
    q = _into(reach, q, places, {i: fixed[AXES[i]] for i in held})
    places = reach.places(q)
    edges = _edges(places[:, rows], cells)
    grid = Grid(reach, measure, axes, edges, rows + held, [fixed[AXES[i]] for i in held])
    found = grid.filled(q, places[:, rows], rounds, progress)
    return Cells(axes, grid.centres, {a: fixed[a] for a in AXES if a in fixed}, *found)


def _check_cut(cut: dict[str, float], low: Array, high: Array, size: float) -> None:
    for axis, value in cut.items():
        i = AXES.index(axis)
        if not low[i] - STILL * size <= value <= high[i] + STILL * size:
            raise InputError(
                f"the slice {axis} = {value:g} m is outside the workspace, expected {axis} from "
                f"{low[i]:.4g} to {high[i]:.4g} m"
            )


def _into(reach: Reach, q: Array, places: Array, held: dict[int, float]) -> Array:
    """Postures brought into a slice, those that are nearest to it."""
    if not held:
        return q
    rows = list(held)
    wanted = np.array([held[i] for i in rows])
    away = np.abs(places[:, rows] - wanted).max(axis=-1)
    near = q[np.argsort(away, kind="stable")[: len(q) // 2]]
    moved, there = reach.brought(near, np.broadcast_to(wanted, (len(near), len(rows))), rows)
    return moved[there] if there.any() else near[:1]


def _edges(places: Array, cells: int) -> list[Array]:
    """Of cells of one size over all places, so many along the longest side."""
    low, high = places.min(axis=0), places.max(axis=0)
    size = float((high - low).max()) / cells or 1.0
    counts = np.maximum(np.ceil((high - low) / size - 1e-9).astype(int), 1)
    middle = 0.5 * (low + high)
    return [m + size * (np.arange(c + 1) - 0.5 * c) for m, c in zip(middle, counts, strict=True)]


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
        ways = _ways(known.ndim)
        beside = _shifted(known, ways[int(rng.integers(len(ways)))], -1).ravel()
        own, filled = known.ravel(), np.flatnonzero(np.isfinite(values))
        if not len(filled):
            return own
        chosen = np.where(rng.random(len(own)) < 0.5, own, beside)
        other = np.where(rng.random(len(own)) < 0.5, beside, filled[rng.integers(len(filled), size=len(own))])
        return np.where(own >= 0, np.where(chosen < 0, own, chosen), np.where(beside < 0, -1, other))


def _ways(dimensions: int) -> list[tuple[int, int]]:
    return [(axis, way) for axis in range(dimensions) for way in (-1, 1)]


def _shifted(values: Any, way: tuple[int, int], empty: float = -np.inf) -> Any:
    """The values of the cells beside, one way along an axis."""
    axis, by = way
    moved = np.roll(values, by, axis=axis)
    edge: list[Any] = [slice(None)] * values.ndim
    edge[axis] = 0 if by > 0 else -1
    moved[tuple(edge)] = empty
    return moved
