"""How well an arm can move and accelerate its tool over the workspace ([Siciliano2009] 7.9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import inf, isfinite, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.extremes import Bound, Extremes
from armdyn.extremes.workspace import Ranges, workspace
from armdyn.manipulability.measures import MEASURES, measure
from armdyn.mechanics.task import is_linear
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm, arms
from armdyn.studies.loads.manipulability_cells import Cells, best_postures
from armdyn.studies.loads.manipulability_options import (
    axes_of,
    cells_of,
    cut_of,
    default_cut,
    limits_known,
    limits_note,
    measures_of,
)
from armdyn.studies.loads.manipulability_pictures import Mapped, pictures
from armdyn.studies.loads.manipulability_search import attained_extremes, ratio, with_common_zeros
from armdyn.studies.loads.manipulability_waves import squared_manipulability
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.search import EFFORT, Progress, Search, mapped
from armdyn.studies.loads.settings import common_settings

PATIENT = 100_000
BEST = 5
"""Postures that are told of each map."""
MEANING = (
    "manipulability: sqrt det J J^T; least_velocity, isotropy: smallest radius of the velocity ellipsoid, "
    "and smallest over largest; dynamic: of the acceleration ellipsoid of unit torques; acceleration: what "
    "torque limits leave in every direction against gravity, negative where they cannot hold the arm; best: "
    "over the cells of the map, of the best posture found at each"
)
FEW = "no posture was found at the centre of any of its cells, which takes as many joints as it has axes"
UNPROVED = (
    "extremes without a bound are the most extreme ones found; a smallest value of less than a millionth of "
    "the largest is told as 0"
)
KINEMATIC = ("manipulability", "isotropy", "least_velocity")
"""Measures that no load changes."""


def manipulability(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    task: str | Sequence[str] | None = None,
    frame: str | None = None,
    measures: str | Sequence[str] | None = None,
    cut: Mapping[str, float] | None = None,
    volume: bool = False,
    cells: int | None = None,
    limits: ArrayLike | None = None,
    ranges: Ranges | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Study:
    """Measures of manipulability over the joints' ranges, and the best posture for every place.

    Args:
        robot: with or without payload; a payload gives rows without and with it.
        motors: how much of the drives the equations see, by default the best their data support.
        task: axes that count, "position" by default, without those along which the arm never moves.
        frame: the body whose frame is moved; the tool by default.
        measures: which ones are mapped; by default `manipulability`, and `acceleration` where torque limits
            are known, else `dynamic_manipulability`.
        cut: axis -> where the slice is [m]; by default y = 0, or the plane in which a planar arm moves.
        volume: map the whole workspace instead of a slice.
        cells: along the longer side, by default 40 of a slice and 14 of a volume.
        limits: (n) joint torques, or (2, n) least and largest; by default those of motors or joints.
        ranges: joint -> (lower, upper) [rad or m], by default the joints' limits.
        effort: boxes that a search for a proved extreme may look at; below 100 000 all searches are shorter.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows of every measure over the ranges, rows `best_*` over the map, the maps, and best postures.
    """
    space = workspace(robot, ranges)
    loaded = arms(robot, motors)
    axes, notes = axes_of(loaded[0], space.box, task, frame)
    options = {"task": axes, "frame": frame}
    known = limits_known(loaded[0], limits)
    asked = measures_of(measures, known)
    wanted, count = cut_of(cut, volume), cells_of(cells, volume)
    look = [
        (name, arm)
        for name in MEASURES
        for arm in (loaded[:1] if name in KINEMATIC else loaded)
        if known or name != "acceleration"
    ]
    drawn = [(name, arm) for name, arm in look if name in asked]
    _function(loaded[0], "manipulability", limits, options)(np.array([robot.home]))  # refuses a wrong task
    search = Search(space, len(look) + len(drawn), effort, progress)
    maps: list[Mapped] = []
    for name, arm in drawn:
        function = _function(arm, name, limits, options)
        share = _share(search, f"map of {name}")
        chosen = wanted if wanted is not None else default_cut(arm, space.box, frame)
        best = best_postures(
            arm.dynamics, space.box, function, frame, chosen, count, share, **_patience(effort)
        )
        search.done += 1
        if best.reached.any():
            maps.append(Mapped(name, arm.load, _unit(name, axes, robot), best, arm.dynamics, frame))
        else:
            notes = [*notes, f"no map of {name}: {FEW}"]
    functions = [_function(arm, name, limits, options) for name, arm in look]
    found = [
        _extremes(search, arm, name, function, axes, frame)
        for (name, arm), function in zip(look, functions, strict=True)
    ]
    rows = [
        Row(0, name, arm.load, _unit(name, axes, robot), one, ratio(one))
        for (name, arm), one in zip(look, _with_zeros(look, found, functions), strict=True)
    ]
    everything = tuple(range(robot.n))
    more = {
        "task": ",".join(axes),
        "frame": frame,
        "slice": maps[0].cells.fixed if maps else None,
        "cells": count,
    }
    return Study(
        "manipulability",
        robot,
        (*rows, *map(_map_row, maps)),
        common_settings(space, loaded, everything, effort, **more),
        pictures(maps),
        (MEANING, UNPROVED, *notes, *limits_note(robot, known), *space.notes, *search.notes),
        {"maps": [_document(one) for one in maps]},
    )


# Extremes -------------------------------------------------------------------------------------


def _function(
    arm: Arm, name: str, limits: ArrayLike | None, options: Mapping[str, Any]
) -> Callable[[Array], Array]:
    return lambda q: measure(arm.dynamics, q, name, limits, **options)


def _extremes(
    search: Search,
    arm: Arm,
    name: str,
    function: Callable[[Array], Array],
    axes: tuple[str, ...],
    frame: str | None,
) -> Extremes:
    """Proved for manipulability, whose square is a sum of waves, where that has few terms."""
    square = squared_manipulability(arm, axes, frame) if name == "manipulability" else None
    if square is not None:
        found = search.extremes(name, arm, square)
        return mapped(found, lambda x: sqrt(max(x, 0.0)))
    found = attained_extremes(function, search.space.box, _patience(search.effort)["samples"] - 1)
    if not isfinite(found.maximum.value):
        raise InputError(
            f'robot "{search.space.robot.name}": {name} is no number in any posture; the mass matrix is '
            "singular in all of them, give the bodies mass"
        )
    search.done += 1
    _share(search, name)(0.0)
    return found


def _with_zeros(
    look: Sequence[tuple[str, Arm]], found: Sequence[Extremes], functions: Sequence[Callable[[Array], Array]]
) -> list[Extremes]:
    """All but acceleration vanish together, where a direction is lost, whatever the load."""
    zeros = [k for k, (name, _) in enumerate(look) if name != "acceleration"]
    lowered = with_common_zeros([found[k] for k in zeros], [functions[k] for k in zeros])
    known = dict(zip(zeros, lowered, strict=True))
    return [known.get(k, one) for k, one in enumerate(found)]


def _patience(effort: int) -> dict[str, int]:
    """Postures to begin with, as a power of 2, and rounds; fewer for a quick look."""
    return {"samples": 14, "rounds": 100} if effort >= PATIENT else {"samples": 11, "rounds": 30}


def _share(search: Search, what: str) -> Callable[[float], None]:
    def report(share: float) -> None:
        if search.progress is not None:
            search.progress(what, min((search.done + share) / search.steps, 1.0))

    return report


def _unit(name: str, axes: tuple[str, ...], robot: Robot) -> str:
    """In m and rad; of mixed tasks and joints there is no one unit."""
    linear = {is_linear(axis) for axis in axes}
    turning = all(joint.kind == "revolute" for joint in robot.joints)
    if "isotropy" in name:
        return "1"
    if len(linear) > 1:
        return "SI"
    if name == "acceleration":
        return "m/s2" if linear == {True} else "rad/s2"
    power = f"{len(axes)}" if len(axes) > 1 and name != "least_velocity" else ""
    if name in KINEMATIC:
        return f"m{power}" if linear == {True} and turning else "1" if turning else "SI"
    if not turning:
        return "SI"
    return f"1/(kg m){power}" if linear == {True} else f"1/(kg m2){power}"


# Maps -----------------------------------------------------------------------------------------


def _map_row(one: Mapped) -> Row:
    """The best values of the cells: where the arm can do least, and most."""
    found: Cells = one.cells
    places = np.argwhere(found.reached)
    values = found.values[found.reached]
    low, high = (tuple(int(i) for i in places[k]) for k in (int(values.argmin()), int(values.argmax())))
    extremes = Extremes(
        Bound(float(values.min()), found.q[low], -inf, certified=False),
        Bound(float(values.max()), found.q[high], inf, certified=False),
    )
    more = {
        "place_minimum": found.place(low),
        "place_maximum": found.place(high),
        "reached_share": float(found.reached.mean()),
        "best": [
            {"place": found.place(k), "value": float(found.values[k]), "q": found.q[k].tolist()}
            for k in found.best(BEST)
        ],
    }
    return Row(0, f"best_{one.name}", one.load, one.unit, extremes, ratio(extremes), more)


def _document(one: Mapped) -> dict[str, Any]:
    found = one.cells
    return {
        "measure": one.name,
        "load": one.load,
        "unit": one.unit,
        "axes": list(found.axes),
        "centres": [c.tolist() for c in found.centres],
        "slice": found.fixed,
        "values": np.where(found.reached, found.values, np.nan).tolist(),
        "q": np.where(found.reached[..., None], found.q, np.nan).tolist(),
    }
