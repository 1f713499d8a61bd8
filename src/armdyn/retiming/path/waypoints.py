"""Paths through given postures."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError, counted
from armdyn.motion.moves import FARTHEST
from armdyn.retiming.path.curve import RESTS, Curve, CutCurve, SplineCurve, StraightCurve, distances
from armdyn.retiming.path.joint_path import MOVE_ENDS, JointPath, PathMove, Piece, with_corners
from armdyn.robot import Robot
from armdyn.scalars import Array

WaypointKind = Literal["spline", "straight"]
NEAR = 1e-9
"""[rad or m] Waypoints nearer to one another are one."""
TURNED = -1 + 1e-6
"""Cosine of the angle between two ways above which the second leads back along the first."""
LOOKS = 33
"""Places between two waypoints at which the spline is looked at for where it stands still."""


def path_through(robot: Robot, waypoints: ArrayLike, kind: WaypointKind = "spline") -> JointPath:
    """A path through postures, from rest to rest; every way between two of them is a move.

    Args:
        robot: what moves.
        waypoints: (m, n) joint positions [rad or m], two or more; equal ones that follow one another are one.
        kind: "spline": one natural cubic spline (no curvature at both ends) over the distance between the
            waypoints, on which the arm need not stop but where it turns back; "straight": straight lines,
            with a stop at every corner.
    """
    if kind not in ("spline", "straight"):
        raise InputError(f'kind is "{kind}", expected "spline" or "straight"')
    q, notes = _distinct(_postures(robot, waypoints))
    curves = _straight(q) if kind == "straight" else _splines(q)
    pieces = [Piece(curve, robot, k + 1, 0, "samples") for k, curve in enumerate(curves)]
    pieces, said = with_corners([*pieces[:-1], pieces[-1].stopped(MOVE_ENDS)])
    moves = tuple(PathMove(0, "samples", robot) for _ in pieces)
    return JointPath(robot, pieces, moves, (*notes, *said))


def _postures(robot: Robot, waypoints: ArrayLike) -> Array:
    """The waypoints, checked."""
    try:
        q = np.array(waypoints, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"waypoints are no array of numbers, expected (m, {robot.n})") from error
    if q.ndim != 2 or q.shape[1] != robot.n:
        reason = f'robot "{robot.name}" has {counted(robot.n, "joint")}'
        raise ShapeError("waypoints", q.shape, reason, f"(m, {robot.n})")
    if len(q) < 2:
        raise InputError(f"{counted(len(q), 'waypoint')}, expected two or more")
    wrong = ~(np.abs(q) <= FARTHEST)
    if wrong.any():
        k, j = np.argwhere(wrong)[0].tolist()
        expected = f"expected numbers up to {FARTHEST:g} rad or m"
        raise InputError(f"waypoint {k + 1} has {q[k, j]:g} for joint {j + 1}, {expected}")
    return q


def _distinct(q: Array) -> tuple[Array, list[str]]:
    """The waypoints without those that are where the one before is."""
    kept = [0]
    for k in range(1, len(q)):
        if np.linalg.norm(q[k] - q[kept[-1]]) > NEAR:
            kept.append(k)
    if len(kept) < 2:
        raise InputError(f"all {len(q)} waypoints are the same, expected two or more that are apart")
    left = sorted(set(range(len(q))) - set(kept))
    note = f"waypoints that are where the one before is count once: {', '.join(str(k + 1) for k in left)}"
    return q[kept], [note] if left else []


def _straight(q: Array) -> list[Curve]:
    return [StraightCurve(start, end) for start, end in pairwise(q)]


def _splines(q: Array) -> list[Curve]:
    """A spline through each stretch on which the path does not turn back, cut at the waypoints."""
    ways = np.diff(q, axis=0)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    back = np.flatnonzero(np.einsum("ki,ki->k", ways[1:], ways[:-1]) < TURNED) + 1
    bounds = [0, *back.tolist(), len(q) - 1]
    return [curve for first, last in pairwise(bounds) for curve in _spline(q[first : last + 1], first)]


def _spline(q: Array, first: int) -> list[Curve]:
    """One spline, cut at its waypoints; `first` is the number of its first waypoint, from 0."""
    if len(q) == 2:
        return [StraightCurve(q[0], q[1])]
    spline = SplineCurve(distances(q), q, 3, natural=True)
    _check_moving(spline, first)
    return [CutCurve(spline, start, end) for start, end in pairwise(spline.p.tolist())]


def _check_moving(spline: SplineCurve, first: int) -> None:
    """Refuse a spline that stands still on its way: it has no direction there."""
    between: Array = np.linspace(spline.p[:-1], spline.p[1:], LOOKS, axis=1)
    for k, places in enumerate(between):
        slopes = np.linalg.norm(spline.at(places)[1], axis=1)
        if slopes.min() < RESTS:
            raise InputError(
                f"the spline stands still between waypoints {first + k + 1} and {first + k + 2}; "
                'move them, or use kind "straight"'
            )
