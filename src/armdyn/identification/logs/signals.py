"""What signals give away: joints at rest, channels that are dead, units that cannot be."""

from __future__ import annotations

from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.motion_columns import OF_MOTORS
from armdyn.robot import Robot
from armdyn.scalars import Array

REST = 1e-3
"""[rad or m] A joint whose positions stay within so much never moves: a few steps of a coarse encoder."""
BEYOND = 0.5
"""How far beyond its range, as a share of it, a joint is not expected to be."""
PERIODS = (1e-5, 0.2)
"""[s] How far apart samples are expected to be."""
TURNS = 8 * np.pi
"""[rad] A joint without limits is not expected to turn further."""


def notes_on_positions(q: Array, robot: Robot) -> list[str]:
    """What to say of joints that never move, and of positions that cannot be in the units they are in."""
    named = [f'joint {k + 1} ("{name}")' for k, name in enumerate(robot.joint_names)]
    still = [
        f"{named[k]} never moves: what acts on it alone cannot be told" for k in np.flatnonzero(resting(q))
    ]
    return [*still, *(note for k in range(robot.n) if (note := _beyond(q[:, k], robot, k, named[k])))]


def notes_on_time(time: Array) -> list[str]:
    """What to say of instants that cannot be in s."""
    period = float(np.median(np.diff(time)))
    if PERIODS[0] <= period <= PERIODS[1]:
        return []
    return [f"samples are {period:.3g} s apart; if time is not in s, say so: time[ms] or time[ns]"]


def resting(q: Array) -> Any:
    """(n) which joints never move."""
    return np.ptp(q, axis=0) < REST


def check_efforts(effort: Array, kind: str, q: Array, robot: Robot, file: str) -> None:
    """Refuse a torque or current that never changes while what it drives moves: a dead channel."""
    dead = np.ptp(effort, axis=0) == 0
    moving = ~resting(q)
    for k in np.flatnonzero(dead):
        if moving[_driven(kind, int(k), robot)].any():
            raise InputError(
                f"{file}: {kind}{k + 1} is {effort[0, k]:g} throughout while the arm moves, "
                "expected a signal; is its channel dead?"
            )


def _driven(kind: str, k: int, robot: Robot) -> list[int]:
    """Positions in q of the joints that an effort drives; a joint that no drive moves is passive."""
    drives = [[robot.positions[joint] for joint, _ in drive.coupling.weights] for drive in robot.drives]
    if kind in OF_MOTORS:
        return drives[k]
    return [k] if not drives or any(k in joints for joints in drives) else []


def _beyond(q: Array, robot: Robot, k: int, name: str) -> str | None:
    """What to say of positions far from any that the joint should have."""
    joint = robot.joints[k]
    unit, other = ("rad", "deg") if joint.kind == "revolute" else ("m", "mm")
    furthest = float(q[np.argmax(np.abs(q))])
    if joint.limits.position is not None:
        lower, upper = joint.limits.position
        margin = BEYOND * (upper - lower)
        if lower - margin <= q.min() and q.max() <= upper + margin:
            return None
        outside = q.max() if q.max() - upper > lower - q.min() else q.min()
        expected = f"its range is {lower:.4g} to {upper:.4g}"
    elif unit == "rad" and abs(furthest) > TURNS:
        outside, expected = furthest, f"that is {abs(furthest) / (2 * np.pi):.0f} turns"
    else:
        return None
    return f"{name} goes to {outside:.4g} {unit}, {expected}; if it is in {other}, say so: q{k + 1}[{other}]"
