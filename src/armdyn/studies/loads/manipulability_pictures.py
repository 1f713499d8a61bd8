"""Maps of the workspace: the best value at each place, and the arm in its best posture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.manipulability.figures import arm_line
from armdyn.scalars import Array
from armdyn.studies.loads.magnitudes import LOADS
from armdyn.studies.loads.manipulability_cells import AXES, Cells
from armdyn.studies.loads.rows import Curve, Field, Picture

TITLES = {
    "manipulability": "Manipulability",
    "isotropy": "Isotropy of velocities",
    "least_velocity": "Least velocity of unit rates",
    "dynamic_manipulability": "Dynamic manipulability",
    "dynamic_isotropy": "Isotropy of accelerations",
    "acceleration": "Acceleration in every direction",
}


@dataclass(frozen=True, eq=False)
class Mapped:
    """A measure over a slice or a volume, under one load."""

    name: str
    load: str
    unit: str
    cells: Cells
    dyn: Dynamics
    frame: str | None


def pictures(maps: Sequence[Mapped]) -> tuple[Picture, ...]:
    """A picture of each slice; of a volume one along each axis."""
    return tuple(picture for one in maps for picture in _pictures(one))


def _pictures(one: Mapped) -> list[Picture]:
    found, names = one.cells, dict(LOADS)
    loaded = f", {names[one.load]}" if one.load != "none" else ""
    axes = range(len(found.axes))
    drawn: list[Picture] = []
    for i, j in combinations(axes, 2) if len(found.axes) > 1 else [(0, 0)]:
        beyond = tuple(k for k in axes if k not in (i, j))
        seen = _seen(found.values, beyond)
        where = ", ".join(f"{a} = {x:g} m" for a, x in found.fixed.items())
        along = f"best along {found.axes[beyond[0]]}" if beyond else where
        drawn.append(
            Picture(
                f"{one.name}_{found.axes[i]}{found.axes[j]}",
                f"{TITLES[one.name]}{loaded}, {along}",
                f"{found.axes[i]} [m]",
                f"{found.axes[j]} [m]",
                (_arm(one, i, j),),
                "map",
                "Best posture found at every place; no posture was found for white places. The line is the "
                "arm where it is best.",
                Field(_edges(found.centres[i]), _edges(found.centres[j]), _rows(seen, i, j), _label(one)),
            )
        )
    return drawn


def _seen(values: Array, beyond: tuple[int, ...]) -> Array:
    """The largest along axes that are looked along; NaN where nothing is reached."""
    if not beyond:
        return values
    largest = np.where(np.isfinite(values), values, -np.inf).max(axis=beyond)
    return np.where(np.isfinite(largest), largest, np.nan)


def _rows(seen: Array, i: int, j: int) -> tuple[tuple[float, ...], ...]:
    """Row by row upwards."""
    square = seen[:, None] if i == j else seen
    return tuple(tuple(float(x) for x in row) for row in square.T)


def _label(one: Mapped) -> str:
    return one.name.replace("_", " ") + (f" [{one.unit}]" if one.unit != "1" else "")


def _edges(centres: Array) -> tuple[float, ...]:
    half = 0.5 * float(centres[1] - centres[0]) if len(centres) > 1 else 0.01
    return (*(float(c) - half for c in centres), float(centres[-1]) + half)


def _arm(one: Mapped, i: int, j: int) -> Curve:
    """The arm in its best posture: origins of the bodies' frames on the way to the tool."""
    best = one.cells.q[one.cells.best(1)[0]]
    line = arm_line(one.dyn, best, one.frame)
    places = [AXES.index(one.cells.axes[k]) for k in (i, j)]
    x, y = (tuple(float(v) for v in line[:, k]) for k in places)
    return Curve("arm in its best posture", x, y)
