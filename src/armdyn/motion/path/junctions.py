"""Where one move becomes the next: whether the tool stops, goes on, or rounds the corner, and how fast.

A move ends in a stop unless it has a corner distance (c_cp) or keeps its speed (c_speed). Then:

- Where the two curves are tangent nothing is rounded: points stay on line and circle. The tool's turning
  goes over from one rate to the other at once, each move turning in proportion to its length; or, if the
  move that ends there has a turn acceleration (acc_ori), or one is given for all that have none, within a
  distance w on either side: so wide that at the programmed speed it takes that acceleration, but at most
  half of either move.
- Elsewhere the corner is rounded within a distance d on either side: the programmed one, or, with c_speed
  alone, just as much as the programmed acceleration needs at the programmed speed. The tool takes it at one
  speed: the lower of the two moves', or less where the bend would need more than the lower acceleration.
  An arc's own bend is not held to the programmed acceleration, which is along the path; neither is as much
  of a rounded corner's.
- At a reversal, or next to one, it stops.

A move with corners at both ends shares its length between them; at least half of a move is left to a stop
at its other end, and an eighth to a passage of the orientation.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from armdyn.motion.path.corner import Corner
from armdyn.motion.path.curve import Curve
from armdyn.motion.path.stretch import Stretch
from armdyn.motion.vectors import cross
from armdyn.scalars import Array

TANGENT = 1e-3
"""Below this angle [rad] one curve goes on as the other."""
NARROWEST = math.cos(math.radians(85))
"""A corner narrower than one of 170 degrees between lines is a reversal."""
LEFT_TO_A_STOP, LEFT_TO_A_PASSAGE = 1 / 2, 1 / 8
"""Shares of a move that a corner at one end leaves to the other end."""
JUMP = 0.05
"""A jump of the tool's turning that motors feel [rad/s]."""
JUMPS = "the tool's turning jumps"
"""How the note of such a jump begins."""
ROUNDING, SLOWER = 1e-9, 1e-3
"""Shares by which a distance or a speed is below the programmed one before it is worth a note."""
ROUNDING_STEPS = 20
"""To find the distance within which a corner between arcs is rounded; between lines it is known."""


@dataclass(frozen=True, eq=False)
class Junction:
    """The end of one move and the start of the next."""

    kind: Literal["stop", "tangent", "corner"]
    reach: float = 0.0
    """So far before and behind it something changes: position at a corner, else orientation [m]"""
    speed: float = 0.0
    """The tool's at most [m/s]"""
    corner: Corner | None = None
    notes: tuple[str, ...] = ()


STOP = Junction("stop")


def junctions_between(
    stretches: Sequence[Stretch], turn_acceleration: float | None = None
) -> tuple[Junction, ...]:
    """The junctions of a chain of n moves, n - 1 of them.

    Args:
        stretches: the moves.
        turn_acceleration: of moves that have none of their own [rad/s2]; by default turning changes at once.
    """
    lengths = [stretch.length for stretch in stretches]
    pairs = list(itertools.pairwise(stretches))
    wanted = [_wanted(a, b, turn_acceleration) for a, b in pairs]
    while True:
        cut = _cut(_cut(wanted, lengths, "corner"), lengths, "tangent")
        found = [_rounded(a, b, junction) for (a, b), junction in zip(pairs, cut, strict=True)]
        narrow = {k for k, junction in enumerate(found) if junction.kind != wanted[k].kind}
        if not narrow:
            return tuple(_timed(a, b, junction) for (a, b), junction in zip(pairs, found, strict=True))
        # a corner that has become too narrow stops, which leaves other room to the others
        wanted = [found[k] if k in narrow else junction for k, junction in enumerate(wanted)]


# What each junction wants ---------------------------------------------------------------------


def _wanted(before: Stretch, after: Stretch, turn_acceleration: float | None) -> Junction:
    """What a junction would be if both moves were long."""
    move = before.move
    if not (move.keep_speed or move.corner):
        return STOP
    if before.curve is None or after.curve is None:
        return replace(STOP, notes=("the tool stops where it turns on the spot",))
    speed = min(move.speed, after.move.speed)
    if _angle(before.curve, after.curve) < TANGENT:
        change = after.turning.rate(0.0) - before.turning.rate(before.length)
        turning = turn_acceleration if move.turn_acceleration is None else move.turn_acceleration
        if turning is None:
            return Junction("tangent", 0.0, speed, notes=_jump(speed, change))
        return Junction("tangent", _passage(speed, change, turning), speed)
    room = min(before.length, after.length)
    reach = move.corner or _rounding(before.curve, after.curve, room, speed, _acceleration(before, after))
    if _too_narrow(Corner.between(before.curve, after.curve, min(reach, room))):
        return _reversal(before.curve, after.curve)
    return Junction("corner", reach, speed)


def _angle(before: Curve, after: Curve) -> float:
    """Between the tangents where one ends and the other begins [rad]."""
    t1, t2 = before.tangent(before.length), after.tangent(0.0)
    return math.atan2(float(np.linalg.norm(cross(t1, t2))), float(t1 @ t2))


def _jump(speed: float, change: Array) -> tuple[str, ...]:
    """What to say where the tool's turning changes at once, and by much."""
    jump = speed * float(np.linalg.norm(change))
    if jump < JUMP:
        return ()
    said = f"{JUMPS} by {jump:.2g} rad/s into the next move"
    return (f"{said}; acc_ori, or a turn acceleration for all moves, spreads it",)


def _passage(speed: float, change: Array, acceleration: float) -> float:
    """Half the way w on which the turning per length changes by (3) [rad/m]: alpha = v^2 |change| / 2 w."""
    return speed**2 * float(np.linalg.norm(change)) / (2 * acceleration)


def _rounding(before: Curve, after: Curve, room: float, speed: float, acceleration: float) -> float:
    """The distance d within which a corner is rounded for a speed and an acceleration, at most the room."""
    half = _angle(before, after) / 2
    # the parabola's sharpest bend is sin(angle/2) / (d cos^2(angle/2)), which times v^2 is the acceleration
    reach = min(speed**2 * math.sin(half) / (acceleration * max(math.cos(half), NARROWEST) ** 2), room)
    for _ in range(ROUNDING_STEPS if before.curvature or after.curvature else 0):
        too_much = speed**2 * _excess(Corner.between(before, after, reach)) / acceleration
        if too_much <= 1 or reach == room:
            break
        reach = min(reach * max(too_much, 1.01), room)
    return reach


def _acceleration(before: Stretch, after: Stretch) -> float:
    return min(before.move.acceleration, after.move.acceleration)


def _excess(corner: Corner) -> float:
    """By how much a corner bends more than the curves that it joins [rad/m]."""
    return max(corner.sharpest() - max(corner.before.curvature, corner.after.curvature), 0.0)


def _too_narrow(corner: Corner) -> bool:
    return corner.narrowest() < NARROWEST


def _reversal(before: Curve, after: Curve) -> Junction:
    degrees = math.degrees(_angle(before, after))
    return replace(
        STOP, notes=(f"the tool stops, a corner of {degrees:.3g} degrees is too sharp to be rounded",)
    )


# What it gets ---------------------------------------------------------------------------------


def _cut(junctions: Sequence[Junction], lengths: Sequence[float], kind: str) -> list[Junction]:
    """The junctions, those of one kind reaching no farther than the moves beside them have room."""
    ends = [STOP, *junctions, STOP]

    def reach(k: int, junction: Junction) -> float:
        behind, ahead = _room(kind, ends[k], lengths[k]), _room(kind, ends[k + 2], lengths[k + 1])
        return min(junction.reach, behind, ahead)

    return [replace(j, reach=reach(k, j)) if j.kind == kind else j for k, j in enumerate(junctions)]


def _room(kind: str, other: Junction, length: float) -> float:
    """What a move of a length gives to a junction of a kind at one end, with another at its other end."""
    if kind == "corner":
        return max(length / 2, length - _claim(other, length))
    return min(length / 2, length - other.reach) if other.kind == "corner" else length / 2


def _claim(junction: Junction, length: float) -> float:
    """What a junction needs of a move before a corner at the move's other end gets the rest."""
    if junction.kind == "stop":
        return LEFT_TO_A_STOP * length
    return junction.reach if junction.kind == "corner" else LEFT_TO_A_PASSAGE * length


def _rounded(before: Stretch, after: Stretch, junction: Junction) -> Junction:
    """The junction with its corner, if it has one, or a stop where it is too narrow."""
    if junction.kind != "corner":
        return junction
    assert before.curve is not None
    assert after.curve is not None
    corner = Corner.between(before.curve, after.curve, junction.reach)
    return _reversal(before.curve, after.curve) if _too_narrow(corner) else replace(junction, corner=corner)


def _timed(before: Stretch, after: Stretch, junction: Junction) -> Junction:
    """The junction with the speed that its corner allows, and what to say about it."""
    if junction.corner is None:
        return junction
    bend = _excess(junction.corner)
    allowed = math.sqrt(_acceleration(before, after) / bend) if bend > 0 else math.inf
    speed = min(junction.speed, allowed)
    move, notes = before.move, list[str]()
    if move.corner and junction.reach < move.corner * (1 - ROUNDING):
        cut = f"{1e3 * move.corner:.4g} to {1e3 * junction.reach:.4g} mm"
        notes.append(f"the corner distance is cut from {cut}, the moves beside it are not longer")
    if move.keep_speed and speed < junction.speed * (1 - SLOWER):
        slowed = f"{1e3 * speed:.4g} instead of {1e3 * junction.speed:.4g} mm/s"
        notes.append(f"the tool rounds the corner with {slowed}, the acceleration allows no more")
    return replace(junction, speed=speed, notes=tuple(notes))
