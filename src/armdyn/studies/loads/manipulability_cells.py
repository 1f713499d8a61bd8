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
from armdyn.studies.loads.manipulability_grid import ROUNDS, Grid, Measure, Reach, shifted, ways

SAMPLES = 14
"""2 to the power of this many postures are looked at first."""
STILL = 1e-9
"""A coordinate that changes less, relative to the largest, does not change."""
AXES = ("x", "y", "z")


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
        around = np.max([shifted(filled, way) for way in ways(filled.ndim)], axis=0)
        peaks: Any = np.argwhere(self.reached & (filled >= around))
        order = np.argsort([-filled[tuple(peak)] for peak in peaks], kind="stable")
        return [tuple(int(i) for i in peaks[k]) for k in order[:count]]


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
                f"the slice {axis} = {value:g} m is outside the workspace as far as was found, expected "
                f"{axis} from {low[i]:.4g} to {high[i]:.4g} m"
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
