"""Why there is no motion along a path."""

from __future__ import annotations

import numpy as np

from armdyn.errors import InfeasibleError
from armdyn.report.wording import listed
from armdyn.retiming.hindrances import Hindrance, cause_of, subject_of
from armdyn.retiming.limits import ShareLimit, SpeedLimit
from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.rounds import Found
from armdyn.retiming.torques import Course, torques

NAMES = {
    "motor_torque": "torque",
    "joint_torque": "torque",
    "joint_acceleration": "acceleration",
}


def infeasible(found: Found) -> InfeasibleError:
    """What hinders a motion: a limit that is broken at rest already, or limits that contradict each other."""
    return _at_rest(found.grid) or _in_motion(found)


def _at_rest(grid: Grid) -> InfeasibleError | None:
    """The limit that is broken most where the arm rests, if any."""
    still = np.zeros(len(grid.step))
    every = [*grid.starts.shares, *grid.breakaway.shares]
    starting = [still == 0] * len(grid.starts.shares) + [grid.from_rest] * len(grid.breakaway.shares)
    worst: tuple[float, int, int] = (1.0, 0, 0)  # share, limit, interval
    for k, (limit, places) in enumerate(zip(every, starting, strict=True)):
        share = np.where(places, np.abs(limit.share.at(still, still)), 0.0)
        interval = int(np.argmax(share))
        worst = max(worst, (float(share[interval]), k, interval))
    share, k, interval = worst
    if share <= 1:
        return None
    broken, part = every[k], int(grid.part_of[interval])
    breaking_away = k >= len(grid.starts.shares)
    piece, arm = grid.parts[part].piece, grid.arms[part]
    time, required = _time(grid, interval), _held(grid, interval, broken, breaking_away=breaking_away)
    hindrance = Hindrance(
        broken.quantity,
        broken.joint,
        subject_of(arm, broken.quantity, broken.joint),
        time,
        piece.line,
        piece.move,
        required=required,
        limit=abs(required) / share,
        cause=cause_of(arm),
    )
    return hindrance.error()


def _held(grid: Grid, interval: int, broken: ShareLimit, *, breaking_away: bool) -> float:
    """The torque that the slowest motion takes at the start of an interval, or breaking away [N m or N]."""
    number = int(grid.part_of[interval])
    part, arm = grid.parts[number], grid.arms[number]
    k = interval - int(np.flatnonzero(grid.part_of == number)[0])
    at = slice(k, k + 1)
    q, first, still = part.q[at], part.first[at], np.zeros_like(part.q[at])
    course = Course(q, still, first, still) if breaking_away else Course(q, first, first, part.second[at])
    needed = torques(arm, course, None if breaking_away else part.ways[at])
    if broken.quantity == "joint_torque":
        return float(needed.joints[broken.joint - 1].at(0.0, 0.0)[0])
    return float(needed.motors[arm.actuators.joints.index(broken.joint - 1)].at(0.0, 0.0)[0])


def _in_motion(found: Found) -> InfeasibleError:
    """Limits that contradict one another in motion: it begins or ends too fast for them."""
    grid, interval = found.grid, found.profile.lost or 0
    part = int(grid.part_of[interval])
    piece, arm = grid.parts[part].piece, grid.arms[part]
    labels = [found.rows[k] for k in found.profile.rows if k < len(found.rows)]
    limits = dict.fromkeys(
        f"{NAMES[row.quantity]} of {subject_of(arm, row.quantity, row.joint)}" for row in labels
    )
    what = f"the limits of the {listed(list(limits))} leave" if limits else "the limits of the speeds leave"
    place = f"line {piece.line}" if piece.line else f"move {piece.move}"
    time = _time(grid, interval)
    first = labels[0] if labels else _fastest_turning(grid, interval)
    when = "" if time is None else f", near {time:.3f} s"
    return InfeasibleError(
        f"{what} no motion along the path in {place}{when}; begin or end the motion slower",
        quantity=first.quantity,
        joint=first.joint,
        line=piece.line,
        time=time,
    )


def _fastest_turning(grid: Grid, interval: int) -> SpeedLimit | ShareLimit:
    """The limit of a speed that holds back most in an interval; without any, the first that there is."""
    every = max(grid.starts.speeds, key=lambda limit: limit.share[interval], default=None)
    return every or grid.starts.shares[0]


def _time(grid: Grid, interval: int) -> float | None:
    """When the motion as given is where an interval begins [s]; None where it has no times."""
    part = int(grid.part_of[interval])
    first = int(np.flatnonzero(grid.part_of == part)[0])
    q, piece, plan = grid.parts[part].q[interval - first], grid.parts[part].piece, grid.path.plan
    if plan is None:
        return None
    mine = (
        np.flatnonzero(plan.move == piece.move) if (plan.move == piece.move).any() else np.arange(len(plan.q))
    )
    return float(plan.time[mine[int(np.argmin(np.linalg.norm(plan.q[mine] - q, axis=1)))]])
