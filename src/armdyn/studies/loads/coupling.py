"""How much of a joint's load is other joints' motion and gravity ([Bejczy1974] VII.C, E, Figs. 4 to 11)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from armdyn.errors import InputError
from armdyn.extremes.workspace import LARGEST, SMALLEST, JointKey, Ranges, chosen, number, workspace
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm, arms
from armdyn.studies.loads.coupling_pictures import pictures
from armdyn.studies.loads.given import or_default
from armdyn.studies.loads.magnitudes import magnitude_rows, relative_notes
from armdyn.studies.loads.ratios import Ratio, acceleration_ratios, gravity_ratios, velocity_ratios
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.search import EFFORT, Progress, Search, largest
from armdyn.studies.loads.settings import common_settings
from armdyn.studies.loads.speeds import Speeds, border, directed, speeds
from armdyn.studies.loads.sweeps import lines

BORDER = 0.1
"""Share of the inertia torque from which on velocity torques make a motion a dynamically fast one."""
ACCELERATION = 1.0
"""[rad/s2 or m/s2] At which torques are compared where none is given."""
MEANING = (
    "H12/H11: torque at joint 1 for an acceleration of joint 2, against its own; g2/H22: the acceleration "
    "that takes as much torque as gravity; C1/H11: Coriolis and centrifugal against inertia torque",
    "share: the largest magnitude as a share of the joint's inertia torque, at the accelerations given",
)
NO_VELOCITY = (
    "no Coriolis and centrifugal torques: not every joint has a velocity limit and no velocity is given"
)


def coupling(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    joints: Iterable[JointKey] | None = None,
    ranges: Ranges | None = None,
    velocity: Any = None,
    acceleration: Any = ACCELERATION,
    share: float = BORDER,
    over: JointKey | None = None,
    at: Mapping[JointKey, Sequence[float]] | None = None,
    posture: Mapping[JointKey, float] | None = None,
    effort: int = EFFORT // 10,
    progress: Progress | None = None,
) -> Study:
    """What acts at every joint against its own inertia torque: other joints, gravity, velocities.

    Args:
        robot: with or without payload; a payload gives rows without and with it.
        motors: how much of the drives the equations see, by default the best their data support.
        joints: which ones, and whose couplings, all by default.
        ranges: joint -> (lower, upper) [rad or m], by default the joints' limits.
        velocity: of all joints, with their signs: one number, n numbers, or joint -> number with 0 for the
            others; by default the joints' limits in whichever directions are worst.
        acceleration: of all joints, magnitudes that torques are compared at: one number, n numbers, or
            joint -> number; what is not given is 1 rad/s2 or m/s2.
        share: of the inertia torque, at which a motion begins to be dynamically fast.
        over: the joint that moves along the curves' axis; without it there are bars only.
        at: joint -> values, a curve for each of their combinations.
        posture: joint -> where it stands for the curves, home by default.
        effort: boxes that a search for one extreme may look at.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows `H12/H11`, `g2/H22`, `C1/H11` and so on with their largest magnitudes; the rows of velocities
        have the scale of the velocities at which they reach the share.
    """
    space, asked = workspace(robot, ranges), chosen(robot, joints)
    drawn = None if over is None else lines(space, over, at, posture)
    if drawn is None and (at or posture):
        raise InputError("at or posture is given without over, expected the joint that curves are drawn over")
    if not SMALLEST <= (share := number("share", share)) <= LARGEST:
        raise InputError(f"share is {share:g}, expected a number above 0, at most {LARGEST:g}, such as 0.1")
    qdd = or_default(robot, "acceleration", acceleration, ACCELERATION)
    rates, loaded = speeds(robot, velocity), arms(robot, motors)
    ratios = [*acceleration_ratios(robot, asked, qdd), *gravity_ratios(robot, asked, qdd)]
    if rates is not None:
        velocities = {arm.load: directed(space, arm, rates) for arm in loaded}
        ratios += velocity_ratios(robot, asked, qdd, velocities)
    search = Search(space, len(loaded) * len(ratios), effort, progress)
    rows = [row for ratio in ratios for row in _rows(search, ratio, loaded, share)]
    settings = {"acceleration": qdd.tolist(), "velocity": _given(rates and rates.qd), "share": share}
    return Study(
        "coupling",
        robot,
        tuple(rows),
        common_settings(space, loaded, asked, effort, **settings),
        pictures(loaded, ratios, rows, drawn),
        (*MEANING, *relative_notes(robot), *_velocity_notes(rates, rows), *space.notes, *search.notes),
    )


def _rows(search: Search, ratio: Ratio, loaded: Sequence[Arm], share: float) -> list[Row]:
    i = ratio.joint
    found = [(arm, search.ratio(ratio.name, arm, ratio.torque(arm), arm.H[i][i])) for arm in loaded]
    rows = magnitude_rows(ratio.name, i, ratio.unit, found, {}, {"share": 1.0 / ratio.share})
    if ratio.velocity is None:
        return rows
    return [
        replace(row, more={**row.more, **border(largest(row.extremes), share, ratio.velocity[row.load])})
        for row in rows
    ]


def _velocity_notes(rates: Speeds | None, rows: Sequence[Row]) -> list[str]:
    """Which velocities, and up to which scale of them motion is dynamically slow at every joint."""
    if rates is None:
        return [NO_VELOCITY]
    scales = [row.more["border_scale"] for row in rows if row.more.get("border_scale")]
    if not scales:
        return [rates.note]
    return [rates.note, f"dynamically slow at every joint up to {min(scales):.3g} times these velocities"]


def _given(values: Array | None) -> list[float] | None:
    return None if values is None else values.tolist()
