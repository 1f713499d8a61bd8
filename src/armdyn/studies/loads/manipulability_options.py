"""What a study of manipulability is asked for: axes, measures, the slice, its cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, MissingDataError, counted, suggestion
from armdyn.extremes.workspace import number
from armdyn.manipulability.limits import torque_range
from armdyn.manipulability.measures import MEASURES
from armdyn.mechanics.task import task_axes
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.manipulability_cells import AXES

SLICE_CELLS, VOLUME_CELLS, MOST_CELLS = 40, 14, 400
GIVE = "give limits (command line: --limits)"
STILL = 1e-9
"""An axis whose row of the Jacobian is everywhere less than this, relative to the others, does not move."""


def axes_of(
    arm: Arm, box: Array, task: str | Sequence[str] | None, frame: str | None
) -> tuple[tuple[str, ...], list[str]]:
    """The axes of the task; by default those of the position along which the arm moves, at most n."""
    if task is not None:
        return task_axes(task), []
    rng = np.random.default_rng(0)
    q = rng.uniform(box[:, 0], box[:, 1], (64, len(box)))
    J = arm.dynamics.jacobian(q, frame)[:, :3]
    sizes = np.abs(J).max(axis=(0, 2))
    largest = max(sizes.max(), 1e-300)
    moving = tuple(axis for axis, size in zip(AXES, sizes, strict=True) if size > STILL * largest)
    if not moving:
        raise InputError(
            f'robot "{arm.robot.name}": no joint moves the position of the frame, expected a task that it '
            'can do; give one, as task="orientation"'
        )
    n = arm.robot.n
    chosen = moving if len(moving) <= n else _independent(J, moving, n)
    if chosen == AXES:
        return chosen, []
    still = ", ".join(axis for axis in AXES if axis not in moving)
    why = [f"the arm does not move along {still}"] if still else []
    why += [f"{counted(n, 'joint')} cannot move {len(moving)} axes"] if chosen != moving else []
    return chosen, [f"{', and '.join(why)}: the task is {', '.join(chosen)}"]


def _independent(J: Array, moving: tuple[str, ...], count: int) -> tuple[str, ...]:
    """So many of the axes, those that joints move best, in the mean over postures: J (N, 3, n)."""

    def size(chosen: tuple[str, ...]) -> float:
        radii = np.linalg.svd(J[:, [AXES.index(axis) for axis in chosen]], compute_uv=False)
        return float(np.prod(radii, axis=-1).mean())

    return max(combinations(moving, count), key=size)


def limits_known(arm: Arm, limits: ArrayLike | None) -> bool:
    """Whether torque limits are known."""
    home = np.array(arm.robot.home, dtype=float)
    try:
        torque_range(arm.dynamics, home, 0 * home, limits)
    except MissingDataError:
        return False
    return True


def limits_note(robot: Robot, known: bool) -> list[str]:
    """That acceleration is left out, where it is."""
    said = f'robot "{robot.name}" does not tell its torque limits: acceleration is left out; {GIVE}'
    return [] if known else [said]


def measures_of(measures: str | Sequence[str] | None, known: bool) -> tuple[str, ...]:
    """The measures that are mapped."""
    if measures is None:
        return ("manipulability", "acceleration" if known else "dynamic_manipulability")
    if not isinstance(measures, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"measures is {measures!r}, expected names of {', '.join(MEASURES)}")
    names = [name.strip() for name in measures.split(",")] if isinstance(measures, str) else list(measures)
    for name in names:
        if name not in MEASURES:
            near = suggestion(str(name), MEASURES)
            raise InputError(f'no measure "{name}"; {near}expected of {", ".join(MEASURES)}')
        if name == "acceleration" and not known:
            raise MissingDataError(f"measure acceleration needs torque limits, which are not known; {GIVE}")
    if not names:
        raise InputError("measures is empty, expected one at least (leave it out for two)")
    return tuple(dict.fromkeys(names))


def cut_of(cut: Mapping[str, float] | None, volume: bool) -> dict[str, float] | None:
    """Where the slice is: none by default, empty for the volume."""
    if volume:
        if cut:
            raise InputError("a slice and the volume are both asked for, expected one of them")
        return {}
    if cut is None:
        return None
    if not isinstance(cut, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cut is a {type(cut).__name__}, expected a mapping from axis to place")
    for axis in cut:
        if axis not in AXES:
            raise InputError(f'the slice has no axis "{axis}", expected one of {", ".join(AXES)}')
    if len(cut) != 1:
        raise InputError(f"the slice is at {len(cut)} axes, expected one, as y = 0")
    return {axis: number(f"the slice {axis}", value) for axis, value in cut.items()}


def default_cut(arm: Arm, box: Array, frame: str | None) -> dict[str, float]:
    """Through the base at y = 0; none where the arm moves in a plane of its own."""
    rng = np.random.default_rng(0)
    q = rng.uniform(box[:, 0], box[:, 1], (64, len(box)))
    places = arm.dynamics.pose(q, frame)[:, :3, 3]
    span = np.ptp(places, axis=0)
    return {} if (span <= STILL * span.max()).any() else {"y": 0.0}


def cells_of(cells: int | None, volume: bool) -> int:
    """How many cells there are along the longer side."""
    if cells is None:
        return VOLUME_CELLS if volume else SLICE_CELLS
    if not (isinstance(cells, int) and 2 <= cells <= MOST_CELLS):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"cells is {cells}, expected a whole number from 2 to {MOST_CELLS}")
    return cells
