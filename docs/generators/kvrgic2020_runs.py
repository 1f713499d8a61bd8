"""The program of Lola 15 verified, for the page about [Kvrgic2020]; how its numbers are written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np

import armdyn as ad
from armdyn.feasibility import Verification, planned, verify
from armdyn.feasibility.following import Follow
from armdyn.feasibility.verify import Work
from armdyn.program import example_program
from armdyn.robot import Robot

CYCLES = (0.01, 0.005, 0.001)
"""[s]; the document's is the first."""
SERBIAN, ENGLISH = -150.0, 150.0
"""f_ez [N] of the report and of the paper."""
TURNING = 2.0
"""[rad/s2] with which the tool's turning changes, where it does not jump."""
ROUGH = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


def wrench(f_ez: float = SERBIAN) -> list[float]:
    """What the tool exerts on its surroundings, sec. 8."""
    return [100.0, 100.0, f_ez, 0.0, 0.0, 0.0]


def lola15() -> Robot:
    """The robot of the catalog."""
    return ad.load("lola15")


@cache
def work(cycle: float = CYCLES[0], turning: float | None = None) -> Work:
    """The plan of the mended program."""
    return planned(example_program("lola15"), cycle=cycle, turn_acceleration=turning)


@cache
def verified(
    cycle: float = CYCLES[0],
    *,
    f_ez: float = SERBIAN,
    follow: Follow = "position",
    printed: bool = False,
    turning: float | None = None,
    friction: bool | None = None,
) -> Verification:
    """What the arm makes of it."""
    return verify(
        work(cycle, turning), wrench=wrench(f_ez), follow=follow, printed=printed, friction=friction
    )


# What a run says ------------------------------------------------------------------------------


def shares(run: Verification) -> np.ndarray:
    """(t, n) torque of each motor over its limit, in what the arm does."""
    arm = run.arms[0]
    _, upper = arm.actuators.limits(arm.speed(run.run.q, run.run.qd))
    return np.abs(run.run.torque) / upper


def lag(run: Verification) -> np.ndarray:
    """(t, n) how far each joint is from where it is programmed to be, while the program runs [rad]."""
    return np.abs(run.run.q[: len(run.plan.q)] - run.plan.q)


def saturated_time(run: Verification) -> float:
    """For how long some motor gives its limit [s]."""
    return run.plan.cycle * int((run.run.saturated != 0).any(axis=1).sum())


def too_much(run: Verification) -> np.ndarray:
    """(t, n) where the program asks a motor for more than it has."""
    demand = run.demand
    return np.abs(demand.torque) > demand.torque_limit * (1 + 1e-9)


def tool_speed(points: np.ndarray, cycle: float) -> np.ndarray:
    """(t - 1) of positions (t, 3) [m/s]."""
    return np.linalg.norm(np.diff(points, axis=0), axis=1) / cycle


def turning_rate(plan: Any) -> np.ndarray:
    """(t - 1, 3) angular velocity of the tool from sample to sample [rad/s]."""
    R = plan.poses()[:, :3, :3]
    step = np.einsum("tij,tkj->tik", R[1:], R[:-1])
    axial = np.stack(
        [step[:, 2, 1] - step[:, 1, 2], step[:, 0, 2] - step[:, 2, 0], step[:, 1, 0] - step[:, 0, 1]], -1
    )
    return axial / (2 * plan.cycle)


# How numbers are written ----------------------------------------------------------------------


def shown(value: float, digits: int = 3) -> str:
    """With so many significant digits, in plain notation."""
    if value == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(value)) + 1e-12))
    return f"{round(value, digits - 1 - math.floor(math.log10(abs(value)))):.{decimals}f}"


def row(values: Iterable[float], digits: int = 3) -> str:
    """Side by side."""
    return ", ".join(shown(float(x), digits) for x in values)


def over(value: float) -> str:
    """A bound well below the value: what a motion that amplifies rounding still shows on another machine."""
    bounds = [x for x in ROUGH if value > 1.5 * x]
    return f"over {bounds[-1]:g}" if bounds else f"below {1.5 * ROUGH[0]:g}"


def listed(names: Iterable[Any]) -> str:
    """One, two and three."""
    words = [str(name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def rows(header: Iterable[str], body: Iterable[Iterable[Any]]) -> str:
    """A Markdown table."""
    head = list(header)
    lines = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    lines += [f"| {' | '.join(str(cell) for cell in cells)} |" for cells in body]
    return "\n".join(lines) + "\n"
