"""[Kvrgic2020] sec. 8 and Appendix E: limits of joints and motors, for the page about the document."""

from __future__ import annotations

import math

import numpy as np
from kvrgic2020_program import move_text
from kvrgic2020_runs import TURNING, lola15, rows, shown, verified
from verdicts import proven

from armdyn.feasibility import Verification
from armdyn.robot import Robot


def _needed(robot: Robot) -> list[tuple[float, float, float]]:
    """Of every axis: gear, printed limit of its joint [rad/s], limit of its motor [rpm]."""
    found = []
    for joint, drive in zip(robot.joints, robot.drives, strict=True):
        weights = dict(drive.coupling.weights)
        speed, motor = joint.limits.velocity, drive.motor.maximum_speed
        if speed is None or motor is None:
            raise AssertionError(f"{joint.name}: no limit of the speed")
        found.append((float(weights[joint.name]), speed, motor * 30 / math.pi))
    return found


def speed_table() -> str:
    """Joint speed limits beside motor speed over gear."""
    asked = np.abs(verified().demand.qd).max(axis=0)
    verdicts = (
        ("3500 rpm, not 3150", lambda rpm, most: 3480 < rpm < 3510 and rpm > most),
        ("**too fast for its motor**", lambda rpm, most: rpm > 1.3 * most),
        ("3500 rpm, not 3150", lambda rpm, most: 3480 < rpm < 3510 and rpm > most),
        *(3 * [("motor speed over gear", lambda rpm, most: 0.99 < rpm / most < 1.01)]),
    )
    body = []
    for k, ((gear, speed, rpm), (verdict, holds)) in enumerate(zip(_needed(lola15()), verdicts, strict=True)):
        needed = speed * gear * 30 / math.pi
        body.append(
            [
                k + 1,
                f"{speed:.2f}",
                f"{rpm:.0f}",
                shown(gear, 4),
                shown(rpm * math.pi / 30 / gear, 4),
                f"{needed:.0f}",
                shown(asked[k], 3),
                proven(verdict, holds(needed, rpm)),
            ]
        )
    header = (
        "axis",
        "printed [rad/s]",
        "motor [rpm]",
        "gear",
        "motor / gear [rad/s]",
        "printed limit needs [rpm]",
        "program asks [rad/s]",
        "the printed limit is",
    )
    return rows(header, body)


def acceleration_table() -> str:
    """Where the program asks for more than the printed joint accelerations, by line."""
    plain, gradual = verified(), verified(turning=TURNING)
    worst = [_worst(run) for run in (plain, gradual)]
    body = [
        [f"{line}, {move_text(line)}", *(found.get(line, "inside") for found in worst)]
        for line in sorted(set(worst[0]) | set(worst[1]))
    ]
    header = ("line", "turning jumps", f"turning changes with {TURNING:g} rad/s2")
    return rows(header, body)


def _worst(run: Verification) -> dict[int, str]:
    """Of every line that goes beyond: for how long, and the worst joint."""
    limits = np.array([joint.limits.acceleration for joint in run.plan.robot.joints], dtype=float)
    share = np.abs(run.demand.qdd) / limits
    found: dict[int, str] = {}
    for line in np.unique(run.plan.line):
        of_line = share[run.plan.line == line]
        # a planner on the very limit is inside it
        beyond = (of_line > 1.001).any(axis=1)
        if beyond.any():
            joint = int(of_line.max(axis=0).argmax())
            found[int(line)] = (
                f"{run.plan.cycle * beyond.sum():.2f} s; joint {joint + 1} {shown(of_line.max(), 2)} times"
            )
    return found
