"""Limits of an excitation and weights of its torques: as given, of the robot, or assumed and said so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.extremes.workspace import (
    LARGEST,
    NARROWEST,
    JointKey,
    Ranges,
    by_joint,
    per_joint,
    workspace,
)
from armdyn.feasibility.arm import Arm
from armdyn.identification.base_parameters import BaseParameters
from armdyn.identification.excitation.experiment import Experiment
from armdyn.identification.excitation.limits import Limits
from armdyn.mechanics.motor_limits import bounds
from armdyn.motion.joint_limits import RAMP, speed_of_drive
from armdyn.robot import Robot
from armdyn.scalars import Array

PerJoint = float | ArrayLike | Mapping[JointKey, float]
"""One number for all joints, one each, or some by number or name."""
SPEEDS = {"revolute": 2.0, "prismatic": 0.5}
"""[rad/s or m/s] Assumed where nothing is known: what most arms can do."""
FAINTEST, STRONGEST = 1e-60, 1e60
"""What a column is at least and at most: the squares of squares of such numbers are numbers."""
SMALLEST_SHARE = 1e-6
"""Of limits: with less a motion is rounding."""
STATES = 2000
"""Random states over the whole range, for what torques and columns usually are."""


# Limits ---------------------------------------------------------------------------------------


def limits_of(
    arm: Arm,
    ranges: Ranges | None,
    velocity: PerJoint | None,
    acceleration: PerJoint | None,
    room: ArrayLike | None,
    share: float,
) -> Limits:
    """All that limits an arm, or a share of it."""
    robot = arm.dyn.robot
    if not SMALLEST_SHARE <= share <= 1:
        expected = f"a number above 0, at most 1, and {SMALLEST_SHARE:g} or more"
        raise InputError(f"share of the limits is {share:g}, expected {expected}")
    space = workspace(robot, ranges)
    low, high = space.box.T
    for j in np.flatnonzero(high <= low).tolist():
        raise InputError(f"joint {j + 1} stands at {low[j]:g} and has no range to move in; lock it instead")
    speeds, speed_notes = _speeds(robot, velocity)
    ramps, ramp_notes = _accelerations(robot, acceleration, speeds)
    box = None if room is None else _box(room)
    notes = [*space.notes, *speed_notes, *ramp_notes, *_unlimited(arm)]
    if box is not None:
        notes += _outside(arm, box)
    return Limits(arm, low, high, speeds, ramps, box, tuple(notes), share)


def _speeds(robot: Robot, given: PerJoint | None) -> tuple[Array, list[str]]:
    known: list[float | None] = [
        joint.limits.velocity or speed_of_drive(robot, joint) for joint in robot.joints
    ]
    derived = [j for j, joint in enumerate(robot.joints) if known[j] and not joint.limits.velocity]
    assumed = [SPEEDS[joint.kind] for joint in robot.joints]
    values, by_hand = _given_or(
        robot, "velocity", given, [x or y for x, y in zip(known, assumed, strict=True)]
    )
    missing = [j for j, speed in enumerate(known) if not speed and j not in by_hand]
    derived = [j for j in derived if j not in by_hand]
    notes = [
        _of_joints(derived, "speed limits {} are their motors' largest speeds over the gear ratios"),
        _of_joints(
            missing,
            f"speed limits {{}} are unknown, {SPEEDS['revolute']:g} rad/s and {SPEEDS['prismatic']:g} m/s "
            "are assumed; give velocity",
        ),
    ]
    return values, [note for note in notes if note]


def _accelerations(robot: Robot, given: PerJoint | None, speeds: Array) -> tuple[Array, list[str]]:
    known = [joint.limits.acceleration or None for joint in robot.joints]
    usual = [a or v / RAMP for a, v in zip(known, speeds.tolist(), strict=True)]
    values, by_hand = _given_or(robot, "acceleration", given, usual)
    missing = [j for j, a in enumerate(known) if a is None and j not in by_hand]
    note = _of_joints(
        missing,
        f"acceleration limits {{}} are unknown, full speed in {RAMP:g} s is assumed; give acceleration",
    )
    return values, [note] if note else []


def _given_or(robot: Robot, name: str, given: PerJoint | None, usual: list[float]) -> tuple[Array, set[int]]:
    """(n) what is given, what is usual where nothing is; and for which joints it is given."""
    if given is None:
        return per_joint(robot, f"{name} limit", usual, positive=True), set()
    if isinstance(given, Mapping):
        by_hand = set(by_joint(robot, name, given))
        whole: Any = {**given, **{j + 1: usual[j] for j in range(robot.n) if j not in by_hand}}
        return per_joint(robot, name, whole, positive=True), by_hand
    return per_joint(robot, name, given, positive=True), set(range(robot.n))


def _of_joints(joints: list[int], sentence: str) -> str:
    """A sentence about joints; nothing if there are none."""
    if not joints:
        return ""
    whose = f"of joint{'s' * (len(joints) > 1)} {', '.join(str(j + 1) for j in joints)}"
    return sentence.format(whose)


def _unlimited(arm: Arm) -> list[str]:
    """That some torques have no limit."""
    actuators = arm.actuators
    unknown = sorted(actuators.joints[k] for k in np.flatnonzero(~np.asarray(actuators.known)).tolist())
    efforts = [bool(joint.limits.effort) for joint in arm.dyn.robot.joints]
    free = [j for j in unknown if not (actuators.geared and efforts[j])]
    return [note] if (note := _of_joints(free, "torque limits {} are unknown, any torque is taken")) else []


def _box(room: ArrayLike) -> Array:
    """(3, 2) where the tool may be."""
    try:
        box = np.array(room, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(
            "workspace is not an array of numbers, expected (low, high) of x, y and z"
        ) from error
    if box.shape != (3, 2):
        raise InputError(f"workspace has shape {box.shape}, expected (3, 2): (low, high) of x, y and z [m]")
    for axis, (low, high) in zip("xyz", box.tolist(), strict=True):
        if not (-LARGEST <= low < high <= LARGEST and high - low >= NARROWEST):
            raise InputError(
                f"workspace: {axis} is from {low:g} to {high:g} m, expected finite numbers, low below high, "
                f"{NARROWEST:g} m or more apart, {LARGEST:g} m from 0 at most"
            )
    return box


def _outside(arm: Arm, box: Array) -> list[str]:
    x, y, z = arm.dyn.pose(np.array(arm.dyn.robot.home))[:3, 3].tolist()
    inside = all(low <= value <= high for value, (low, high) in zip((x, y, z), box.tolist(), strict=True))
    if inside:
        return []
    return [f"at home the tool is outside of the workspace, at ({x:.3g}, {y:.3g}, {z:.3g}) m"]


# Weights --------------------------------------------------------------------------------------


def experiment_of(
    arm: Arm, base: BaseParameters, limits: Limits, noise: PerJoint | None, *, scaled: bool
) -> tuple[Experiment, list[str]]:
    """The weighted base regressor of an arm, and what was assumed for its weights."""
    rng = np.random.default_rng(0)
    shape = (STATES, arm.dyn.n)
    q = rng.uniform(limits.low, limits.high, shape)
    qd = rng.uniform(-limits.velocity, limits.velocity, shape)
    qdd = rng.uniform(-limits.acceleration, limits.acceleration, shape)
    scale, notes = _torque_scale(arm, (q, qd, qdd), noise)
    plain = Experiment(arm, base, scale, np.ones(len(base)))
    with np.errstate(all="ignore"):  # what is no number is refused below
        W = plain.weighted(plain.regressor(q, qd, qdd))
        columns = np.sqrt((W**2).sum(axis=1).mean(axis=0))
    _check_columns(base, columns)
    return Experiment(arm, base, scale, columns) if scaled else plain, notes


def _check_columns(base: BaseParameters, columns: Array) -> None:
    """Refuse parameters that show so much or so little that their squares are no numbers."""
    beyond = ~((columns >= FAINTEST) & (columns <= STRONGEST))
    if beyond.any():
        k = int(np.argmax(beyond))
        raise InputError(
            f"{base.short_names[k]} shows as {columns[k]:g} of the torques that count, over the whole range, "
            f"expected {FAINTEST:g} to {STRONGEST:g}; give other limits or another noise, or leave it out "
            "(among)"
        )


def _torque_scale(
    arm: Arm, states: tuple[Array, Array, Array], noise: PerJoint | None
) -> tuple[Array, list[str]]:
    if noise is not None:
        return per_joint(arm.dyn.robot, "noise", noise, positive=True), []
    tables = [[T for T, _ in bounds(motor)] for motor in arm.actuators.motors]
    usual = np.sqrt((arm.torque(*states) ** 2).mean(axis=0))
    floor = max(float(usual.max()), 1.0) * 1e-6  # of a joint that feels nothing
    scale = [min(table) if table else max(x, floor) for table, x in zip(tables, usual.tolist(), strict=True)]
    unknown = [arm.actuators.joints[k] for k, table in enumerate(tables) if not table]
    note = _of_joints(
        sorted(unknown), "torques {} are weighted by their root mean square over the range; or give noise"
    )
    return np.array(scale), [note] if note else []
