"""What gravity asks of every joint and motor over the workspace ([Bejczy1974] VII.B, Table 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from armdyn.extremes import Extremes
from armdyn.extremes.workspace import JointKey, Ranges, chosen, workspace
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.scalars.harmonic import Harmonic
from armdyn.studies.loads.arms import Arm, arms
from armdyn.studies.loads.gears import Geared, geared
from armdyn.studies.loads.magnitudes import bars, magnitude_rows, relative_notes
from armdyn.studies.loads.rows import Picture, Row, Study
from armdyn.studies.loads.search import EFFORT, Progress, Search, scaled
from armdyn.studies.loads.settings import common_settings
from armdyn.studies.loads.units import torque_unit

TORQUES = ("stall", "peak", "rated")
"""What a motor gives standing still: under its full voltage, for a moment, without end."""


def gravity(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    ranges: Ranges | None = None,
    joints: Iterable[JointKey] | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Study:
    """The extremes of g_i at every joint, and at its motor.

    Args:
        robot: with or without payload; a payload gives rows without and with it. Its gravity may be another
            planet's (`Robot.with_gravity`).
        motors: how much of the drives the equations see, by default the best their data support.
        ranges: joint -> (lower, upper) [rad or m], by default the joints' limits.
        joints: which ones, all by default.
        effort: boxes that a search for one extreme may look at.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows `gravity` and `motor_gravity` with the largest magnitude, gear, and the share of what joint and
        motor can give; bars of those shares.
    """
    space, asked = workspace(robot, ranges), chosen(robot, joints)
    loaded = arms(robot, motors)
    drives, gear_notes = geared(space)
    drives = tuple(motor for motor in drives if motor.joint in asked)
    coupled = sum(not motor.alone for motor in drives)
    search = Search(space, len(loaded) * (len(asked) + coupled), effort, progress)
    rows: list[Row] = []
    for i in asked:
        joint, effort_limit = robot.joints[i], robot.joints[i].limits.effort
        found = [(arm, _extremes(search, f"g{i + 1}", arm, np.eye(robot.n)[i])) for arm in loaded]
        limit = {} if effort_limit is None else {"effort_limit": effort_limit}
        shares = {"effort_share": effort_limit}
        rows += magnitude_rows("gravity", i, torque_unit(joint), found, limit, shares)
        for motor in drives:
            if motor.joint == i:
                side = [(arm, _at_motor(search, arm, motor, at_joint)) for arm, at_joint in found]
                rows += magnitude_rows("motor_gravity", i, "N m", side, *_motor(motor))
    return Study(
        "gravity",
        robot,
        tuple(rows),
        common_settings(space, loaded, asked, effort),
        _pictures(rows),
        (*relative_notes(robot), *space.notes, *gear_notes, *search.notes),
    )


def _at_motor(search: Search, arm: Arm, motor: Geared, at_joint: Extremes) -> Extremes:
    """w . g; that of a motor that drives its joint alone is g_i/k."""
    if motor.alone:
        return scaled(at_joint, 1.0 / motor.ratio)
    what = f"gravity at {motor.drive.name}"
    if motor.weights is None:
        dyn = arm.dynamics
        return search.attained(what, lambda q: dyn.motor_torque(q, dyn.gravity(q))[..., motor.place])
    return _extremes(search, what, arm, motor.weights)


def _extremes(search: Search, what: str, arm: Arm, weights: Array) -> Extremes:
    """The extremes of weights . g.

    Gravity is a(q) . g_base with an a whose length depends on the outer joints alone: no torque is beyond
    |a| |g_base|, however the inner joints turn it.
    """
    square: Harmonic = arm.setting.ring.constant(0.0)
    for row in arm.gravity_arms:
        square = square + arm.combined(weights, row) ** 2
    base: Array = np.array(arm.robot.gravity, dtype=float)
    return search.extremes(
        what, arm, arm.combined(weights, arm.g), magnitude=(square * float(base @ base)).pruned()
    )


def _motor(motor: Geared) -> tuple[dict[str, Any], dict[str, float | None]]:
    """What a motor is, and what it can give standing still by the names of the shares in it."""
    can = motor.drive.motor
    torques = dict(zip(TORQUES, (can.stall_torque, can.peak_torque, can.rated_torque), strict=True))
    more = {"drive": motor.drive.name, "gear": motor.ratio}
    given = {f"{name}_torque": torque for name, torque in torques.items() if torque is not None}
    return {**more, **given}, {f"{name}_share": torque for name, torque in torques.items()}


def _pictures(rows: Sequence[Row]) -> tuple[Picture, ...]:
    """Bars of the largest torque of every joint, and of the share of what its motor can give."""
    found = Picture(
        "gravity",
        "Largest gravity load at the joints",
        "joint",
        "N m (N where the joint slides)",
        bars([row for row in rows if row.quantity == "gravity"], "largest"),
        "bars",
        "Largest magnitude of the gravity load at every joint over the workspace.",
    )
    at_motors = [row for row in rows if row.quantity == "motor_gravity"]
    return (found, *(_shares(at_motors, name) for name in TORQUES if bars(at_motors, f"{name}_share")))


def _shares(at_motors: Sequence[Row], name: str) -> Picture:
    return Picture(
        f"gravity_{name}_share",
        f"Gravity against the motors' {name} torque",
        "joint",
        f"share of the {name} torque",
        bars(at_motors, f"{name}_share"),
        "bars",
        f"Largest gravity torque at every motor's shaft, against its {name} torque.",
    )
