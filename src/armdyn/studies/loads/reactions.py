"""What bearings carry: forces and moments that every joint passes on over the workspace.

Each joint's parent body exerts a force and a moment on what it carries, at the origin of the joint's frame:
across the axis (radial force, bending moment), and along it (axial force, moment about the axis, which of a
turning joint the drive gives).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np

from armdyn.extremes import Extremes
from armdyn.extremes.workspace import JointKey, Ranges, chosen, per_joint, workspace
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.studies.loads.arms import arms
from armdyn.studies.loads.magnitudes import bars, magnitude_rows, relative_notes
from armdyn.studies.loads.reactions_in_motion import Motion, Moving, moving_extremes
from armdyn.studies.loads.reactions_parts import PARTS, Carrying, Part
from armdyn.studies.loads.rows import Curve, Picture, Row, Study
from armdyn.studies.loads.search import EFFORT, Progress, Search, mapped, tolerance
from armdyn.studies.loads.settings import common_settings

NOTHING = 1e-9
"""[N or N m] What is less is rounding."""
MEANING = (
    "forces and moments are what the parent body exerts at the origin of the joint's frame; "
    "at rest gravity alone acts"
)
MOVING = (
    "rows in_motion: the most extreme values found with speeds and accelerations up to those given, "
    "in either direction of every joint; they have no bounds"
)


def reactions(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    ranges: Ranges | None = None,
    joints: Iterable[JointKey] | None = None,
    velocity: Any = None,
    acceleration: Any = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Study:
    """The extremes of what every joint's bearings carry, at rest and, where speeds are given, in motion.

    Args:
        robot: with or without payload; a payload gives rows without and with it.
        motors: how much of the drives the equations see, by default the best their data support.
        ranges: joint -> (lower, upper) [rad or m], by default the joints' limits.
        joints: which ones, all by default.
        velocity: the largest speed of every joint: one number, n numbers, or joint -> number with 0 for the
            others; signs do not matter.
        acceleration: the largest acceleration of every joint, likewise.
        effort: boxes that a search for one extreme may look at.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows `radial_force`, `axial_force`, `bending_moment`, `axis_moment`, and the same with `_in_motion`.
    """
    space, asked = workspace(robot, ranges), chosen(robot, joints)
    loaded = [Carrying(arm) for arm in arms(robot, motors)]
    motion = _motion(robot, velocity, acceleration)
    search = Search(
        space, len(loaded) * len(asked) * len(PARTS) * (1 if motion is None else 2), effort, progress
    )
    rows: list[Row] = []
    for i in asked:
        for part in PARTS:
            found = [(one.arm, _resting(search, one, i, part)) for one in loaded]
            rows += magnitude_rows(part.name, i, part.unit, found, {}, {})
        if motion is not None:
            rows += _moving_rows(search, loaded, i, motion)
    more: dict[str, Any] = {} if motion is None else motion.document()
    moving = () if motion is None else (MOVING,)
    notes = (MEANING, *moving, *relative_notes(robot), *space.notes, *search.notes)
    return Study(
        "reactions",
        robot,
        tuple(rows),
        common_settings(space, [one.arm for one in loaded], asked, effort, **more),
        tuple(picture for part in PARTS if _shows(picture := _picture(part, rows))),
        tuple(dict.fromkeys(notes)),
    )


def _motion(robot: Robot, velocity: Any, acceleration: Any) -> Motion | None:
    if velocity is None and acceleration is None:
        return None
    qd, qdd = (
        np.zeros(robot.n) if values is None else np.abs(per_joint(robot, name, values))
        for name, values in (("velocity", velocity), ("acceleration", acceleration))
    )
    return Motion(qd, qdd)


# At rest --------------------------------------------------------------------------------------


def _resting(search: Search, one: Carrying, i: int, part: Part) -> Extremes:
    """The extremes at rest: of a component as it is, of a length by its square."""
    what = f"{part.title} of joint {i + 1}"
    arm, f = one.arm, one.at_rest(i, part)
    found = search.extremes(what, arm, f)
    if not part.length:
        return found
    roots = rooted(found)
    if roots.minimum.certified:
        return roots
    # near zero a root needs a closer bound of the square than its maximum does:
    # m - b <= d, where m^2 - b^2 <= 2 m d - d^2
    m, d = roots.minimum.value, tolerance(roots.minimum, roots.maximum)
    return rooted(search.closer_minimum(arm, f, found, 2 * m * d - d * d))


def rooted(squares: Extremes) -> Extremes:
    """The extremes of a length from those of its square; no length is below zero."""
    low = squares.minimum
    floored = Extremes(replace(low, bound=max(low.bound, 0.0)), squares.maximum)
    return mapped(floored, lambda square: sqrt(max(square, 0.0)))


# In motion ------------------------------------------------------------------------------------


def _moving_rows(search: Search, loaded: Sequence[Carrying], i: int, motion: Motion) -> list[Row]:
    rows: list[Row] = []
    for part in PARTS:
        found = [(one.arm, _moving(search, one, i, part, motion)) for one in loaded]
        plain = magnitude_rows(
            f"{part.name}_in_motion", i, part.unit, [(arm, e.extremes) for arm, e in found], {}, {}
        )
        rows += [
            Row(
                row.joint,
                row.quantity,
                row.load,
                row.unit,
                row.extremes,
                row.ratio,
                {**row.more, **e.motions},
            )
            for row, (_, e) in zip(plain, found, strict=True)
        ]
    return rows


def _moving(search: Search, one: Carrying, i: int, part: Part, motion: Motion) -> Moving:
    found = moving_extremes(one, search.space.box, i, part, motion)
    search.done += 1
    if search.progress is not None:
        search.progress(f"{part.title} of joint {i + 1} in motion", search.done / search.steps)
    return found


def _shows(picture: Picture) -> bool:
    """Whether there is anything to see but rounding."""
    return any(abs(y) > NOTHING for curve in picture.curves for y in curve.y)


def _picture(part: Part, rows: Sequence[Row]) -> Picture:
    """Bars of the largest magnitudes of one part."""
    curves: list[Curve] = []
    for suffix, how in (("", "at rest"), ("_in_motion", "in motion")):
        mine = [row for row in rows if row.quantity == part.name + suffix]
        curves += [Curve(f"{how}, {bar.label}", bar.x, bar.y) for bar in bars(mine, "largest")]
    return Picture(
        part.name,
        f"Largest {part.title}",
        "joint",
        f"{part.title} [{part.unit}]",
        tuple(curves),
        "bars",
        f"Largest {part.title} that every joint passes on over the workspace.",
    )
