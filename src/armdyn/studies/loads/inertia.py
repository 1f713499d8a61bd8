"""How much inertia every joint and motor feels over the workspace ([Bejczy1974] VII.A, Table 1, Fig. 3)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from armdyn.extremes import Extremes
from armdyn.extremes.workspace import JointKey, Ranges, chosen, workspace
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.studies.loads.arms import Arm, arms
from armdyn.studies.loads.gears import Geared, geared
from armdyn.studies.loads.magnitudes import LOADS
from armdyn.studies.loads.rows import Curve, Picture, Row, Study
from armdyn.studies.loads.search import EFFORT, Progress, Search, scaled
from armdyn.studies.loads.settings import common_settings
from armdyn.studies.loads.units import inertia_unit

RELATIVE = (
    "ratio: largest over smallest; with payload, largest with it over smallest without "
    "([Bejczy1974] Table 1: relative)"
)


def inertia(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    ranges: Ranges | None = None,
    joints: Iterable[JointKey] | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Study:
    """The extremes of H_ii at every joint, and at its motor.

    Args:
        robot: with or without payload; a payload gives rows without and with it.
        motors: how much of the drives the equations see, by default the best their data support.
        ranges: joint -> (lower, upper) [rad or m], by default the joints' limits.
        joints: which ones, all by default.
        effort: boxes that a search for one extreme may look at.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows `inertia` and `motor_inertia`, and bars of the largest inertias against the smallest.
    """
    space, asked = workspace(robot, ranges), chosen(robot, joints)
    loaded = arms(robot, motors)
    drives, gear_notes = geared(space)
    drives = tuple(motor for motor in drives if motor.joint in asked)
    coupled = sum(not motor.alone for motor in drives)
    search = Search(space, len(loaded) * (len(asked) + coupled), effort, progress)
    rows: list[Row] = []
    for i in asked:
        found = [(arm, search.extremes(f"H{i + 1}{i + 1}", arm, arm.H[i][i])) for arm in loaded]
        rows += _rows("inertia", i, inertia_unit(robot.joints[i]), found, {})
        for motor in drives:
            if motor.joint == i:
                side = [(arm, _at_motor(search, arm, motor, at_joint)) for arm, at_joint in found]
                rows += _rows(
                    "motor_inertia", i, "kg m2", side, {"drive": motor.drive.name, "gear": motor.ratio}
                )
    return Study(
        "inertia",
        robot,
        tuple(rows),
        common_settings(space, loaded, asked, effort),
        (_bars(rows),),
        (RELATIVE, *space.notes, *gear_notes, *search.notes),
    )


def _at_motor(search: Search, arm: Arm, motor: Geared, at_joint: Extremes) -> Extremes:
    """H_a,dd = w^T H w; that of a motor that drives its joint alone is H_ii/k^2."""
    if motor.alone:
        return scaled(at_joint, 1.0 / motor.ratio**2)
    what = f"inertia at {motor.drive.name}"
    if motor.weights is None:
        return search.attained(what, lambda q: arm.dynamics.effective_inertia(q)[..., motor.place])
    halves = [arm.combined(motor.weights, row) for row in arm.H]
    return search.extremes(what, arm, arm.combined(motor.weights, halves))


def _rows(
    quantity: str, i: int, unit: str, found: Sequence[tuple[Arm, Extremes]], more: dict[str, object]
) -> list[Row]:
    smallest = found[0][1].minimum.value
    return [
        Row(i + 1, quantity, arm.load, unit, e, e.maximum.value / smallest if smallest > 0 else None, more)
        for arm, e in found
    ]


def _bars(rows: Sequence[Row]) -> Picture:
    """[Bejczy1974] Fig. 3: the largest inertias against the smallest at the same joint."""
    bars = [Curve("smallest", *_points(rows, "none", smallest=True))]
    for load, label in LOADS:
        if any(row.load == load for row in rows):
            bars.append(Curve(f"largest, {label}", *_points(rows, load)))
    return Picture(
        "inertia",
        "Inertia at the joints, relative to the smallest",
        "joint",
        "relative inertia",
        tuple(bars),
        "bars",
        "Largest inertia at every joint over the workspace, against the smallest without load.",
    )


def _points(
    rows: Sequence[Row], load: str, *, smallest: bool = False
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    mine = [row for row in rows if row.quantity == "inertia" and row.load == load and row.ratio is not None]
    heights = (1.0 if smallest else row.ratio or 0.0 for row in mine)
    return tuple(float(row.joint) for row in mine), tuple(heights)
