"""How position servos behave as the inertia they move changes over the workspace ([Bejczy1974] II)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, Literal

import numpy as np

from armdyn.errors import InputError
from armdyn.extremes import Extremes
from armdyn.extremes.extremes import RESOLUTION
from armdyn.extremes.workspace import JointKey, Ranges, chosen, workspace
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.studies.loads.arms import Arm, arms
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.search import EFFORT, EXACT, Progress, Search, mapped
from armdyn.studies.loads.servo_gains import Gains, Nominal, Servo, gains_for
from armdyn.studies.loads.servo_pictures import pictures
from armdyn.studies.loads.settings import common_settings
from armdyn.studies.loads.sweeps import lines, most_telling
from armdyn.studies.loads.units import damping_unit
from armdyn.studies.loads.words import posture_text

Others = Literal["locked", "free"]
POSTURES = 512
"""In which the range of an inertia is looked at before its extremes are searched for."""
FINER = 0.4
"""By which those fall short of the range."""
MEANING = (
    "natural_frequency: sqrt(kp/J); damping: kv/(2 sqrt(kp J)); velocity_gain: the one that gives the "
    "damping asked for, 2 damping sqrt(kp J), at the inertia J that the joint feels"
)


def servo(
    robot: Robot,
    motors: MotorModel | None = None,
    *,
    natural_frequency: Any = None,
    gains: tuple[Any, Any] | None = None,
    damping: float = 1.0,
    nominal: Nominal = "smallest",
    others: Others = "locked",
    joints: Iterable[JointKey] | None = None,
    ranges: Ranges | None = None,
    over: JointKey | None = None,
    at: Mapping[JointKey, Sequence[float]] | None = None,
    posture: Mapping[JointKey, float] | None = None,
    effort: int = EFFORT,
    progress: Progress | None = None,
) -> Study:
    """Natural frequency and damping of joint servos, and the velocity gains that keep their damping.

    Args:
        robot: with or without payload; a payload gives rows without and with it.
        motors: how much of the drives the equations see, by default the best their data support.
        natural_frequency: [rad/s] of a servo at its nominal inertia: one number, n numbers, or
            joint -> number for all joints that are asked for.
        gains: position gains kp [N m/rad or N/m] and velocity gains kv [N m s/rad or N s/m] instead, each
            likewise.
        damping: that a servo is to have; 1 is critical.
        nominal: the inertia that gains are chosen for, without load: the `smallest`, or that at `home`.
        others: whether the other joints are held (`locked`: J = H_ii) or give no torque (`free`:
            J = 1/(H^-1)_ii, which has no bounds).
        joints: which ones, all by default.
        ranges: joint -> (lower, upper) [rad or m], by default the joints' limits.
        over: the joint that curves are drawn over, by default the one that changes inertias most.
        at: joint -> values, a curve for each of their combinations.
        posture: joint -> where it stands for the curves, home by default.
        effort: boxes that a search for one extreme may look at.
        progress: called with what is being looked for and the share that is done.

    Returns:
        Rows `natural_frequency`, `damping` and `velocity_gain`.
    """
    if others not in ("locked", "free"):
        raise InputError(f'others "{others}", expected "locked" or "free"')
    space, asked = workspace(robot, ranges), chosen(robot, joints)
    asked_for = Gains.of(robot, asked, natural_frequency, gains, damping, nominal)
    loaded = arms(robot, motors)
    search = Search(space, len(loaded) * len(asked), effort, progress)
    servos: list[Servo] = []
    rows: list[Row] = []
    for i in asked:
        found = [(arm, _inertia(search, arm, i, others)) for arm in loaded]
        servos.append(gains_for(asked_for, loaded[0], i, others == "free", found[0][1].minimum.value))
        for arm, e in found:
            _check_inertia(robot, i, e)
            rows += _rows(robot, servos[-1], arm, e)
    drawn = lines(space, over, at, posture) if over is not None else None
    if drawn is None:
        functions = [one.felt(arm) for one in servos for arm in loaded[:1]]
        drawn = lines(space, most_telling(space, functions, posture) + 1, at, posture)
    return Study(
        "servo",
        robot,
        tuple(rows),
        common_settings(space, loaded, asked, effort, others=others, **asked_for.document()),
        pictures(loaded, servos, drawn),
        (MEANING, *space.notes, *search.notes),
    )


def _inertia(search: Search, arm: Arm, i: int, others: Others) -> Extremes:
    """The extremes of the inertia that a servo moves."""
    name = f"inertia at joint {i + 1}"
    if others == "free":
        return search.attained(name, arm.free_inertia(i))
    return search.extremes(name, arm, arm.H[i][i], resolution=_resolution(search, arm, i))


def _resolution(search: Search, arm: Arm, i: int) -> float | None:
    """How near the inertia's bounds must be for those of 1/sqrt(J), which is steepest where J is smallest."""
    box = search.space.box
    q = np.random.default_rng(0).uniform(box[:, 0], box[:, 1], (POSTURES, len(box)))
    J = arm.at(arm.H[i][i], q)
    low, high = float(J.min()), float(J.max())
    if low <= 0 or high <= low * (1 + EXACT):
        return None
    steepness = (high / low - 1) / (2 * (1 - sqrt(low / high)))
    return FINER * RESOLUTION * (high - low) / steepness


def _check_inertia(robot: Robot, i: int, inertia: Extremes) -> None:
    """Refuse a joint that moves nothing: with no inertia there is no frequency and no damping."""
    low = inertia.minimum
    where = posture_text(low.q.tolist())
    if low.value <= EXACT * inertia.maximum.value:
        raise InputError(
            f'joint {i + 1} ("{robot.joints[i].name}") feels no inertia at q = ({where}), a servo needs '
            "some everywhere; give its bodies mass or its drive a rotor, change the ranges, or leave the "
            "joint out (joints)"
        )


def _rows(robot: Robot, one: Servo, arm: Arm, inertia: Extremes) -> list[Row]:
    """[Bejczy1974] II: frequency and damping fall with sqrt(J); kv must rise with it."""
    frequencies = mapped(inertia, one.natural_frequency, rising=False)
    dampings = mapped(inertia, one.damping, rising=False)
    velocity_gains = mapped(inertia, one.velocity_gain)
    more = {"position_gain": one.kp, "velocity_gain": one.kv, "nominal_inertia": one.nominal}
    variation = sqrt(inertia.maximum.value / inertia.minimum.value)
    unit = damping_unit(robot.joints[one.joint])
    return [
        Row(one.joint + 1, quantity, arm.load, unit, e, variation, more)
        for quantity, unit, e in (
            ("natural_frequency", "rad/s", frequencies),
            ("damping", "1", dampings),
            ("velocity_gain", unit, velocity_gains),
        )
    ]
