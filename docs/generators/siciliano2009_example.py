"""[Siciliano2009] Example 7.2 and Problem 7.7: what the motions take, in numbers."""

from __future__ import annotations

import numpy as np
from siciliano2009_motions import (
    Motion,
    different_duration,
    equal_duration,
    motions,
    planar2,
    straight_line,
)
from siciliano2009_tables import rows, shown, span
from verdicts import EQUAL, gap, proven

Array = np.ndarray
PRESSED = (500.0, 500.0, 0.0, 0.0, 0.0, 0.0)
"""The tip's force of Problem 7.7 as a wrench."""
FIRST = ("inertia 11", "inertia 12", "centrifugal 1", "Coriolis 1", "gravity 1")
SECOND = ("inertia 22", "inertia 21", "centrifugal 2", "Coriolis 2", "gravity 2")
"""Contributions to the torques of joints 1 and 2."""


def peak_table() -> str:
    """Durations, speeds, accelerations and torques of the motions."""
    turned = {
        "equal duration, both by +pi/2": equal_duration(),
        "equal duration, both by -pi/2": equal_duration(-1),
    }
    body = []
    for name, motion in {
        **turned,
        "different duration": different_duration(),
        "straight line": straight_line(),
    }.items():
        for j in range(2):
            duration = motion.durations[min(j, len(motion.durations) - 1)]
            body.append(
                [
                    name,
                    j + 1,
                    f"{duration:.4f}",
                    span(motion.q[:, j]),
                    span(motion.qd[:, j]),
                    span(motion.qdd[:, j]),
                    span(motion.torque[:, j]),
                    shown(float(np.abs(_motor_torque(motion)[:, j]).max())),
                ]
            )
    header = (
        "motion", "joint", "lasts [s]", "position [rad]", "velocity [rad/s]", "acceleration [rad/s2]",
        "torque [N m]", "motor [N m]",
    )  # fmt: skip
    return rows(header, body)


def _motor_torque(motion: Motion) -> Array:
    return planar2().motor_torque(motion.q, motion.torque)


def contribution_table() -> str:
    """The least and the largest of every contribution."""
    body = []
    for name in (*FIRST, *SECOND):
        kind, joint = name.split()
        due = f", acceleration of joint {joint[1]}" if kind == "inertia" else ""
        spans = [span(motion.contributions[name]) for motion in motions()]
        body.append([joint[0], f"{kind}{due}", *spans])
    proven("the contributions add up", *(_adds_up(motion) for motion in motions()))
    header = ("joint", "torque [N m]", *(motion.name for motion in motions()))
    return rows(header, body)


def _adds_up(motion: Motion) -> bool:
    sums = [sum(motion.contributions[name] for name in forms) for forms in (FIRST, SECOND)]
    return gap(np.stack(sums, axis=-1), motion.torque) < EQUAL


def pressed_table() -> str:
    """Problem 7.7: the torques while the tip presses, or is pressed."""
    body = []
    for motion in motions():
        on_surroundings, on_arm = (
            planar2().inverse(motion.q, motion.qd, motion.qdd, sign * np.array(PRESSED)) for sign in (1, -1)
        )
        for j in range(2):
            spans = [span(torque[:, j]) for torque in (motion.torque, on_surroundings, on_arm)]
            body.append([motion.name, j + 1, *spans])
    return rows(("motion", "joint", "no force [N m]", "tip exerts f [N m]", "f acts on the tip [N m]"), body)
