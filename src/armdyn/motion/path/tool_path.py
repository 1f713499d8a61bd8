"""Chains of path moves as one motion of the tool in time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.errors import InputError, ShapeError
from armdyn.motion.lines import at_line
from armdyn.motion.moves import PathMove
from armdyn.motion.path.corner import Corner
from armdyn.motion.path.curve import Curve
from armdyn.motion.path.junctions import Junction, junctions_between
from armdyn.motion.path.pieces import Part, Piece, Rounding, Turn
from armdyn.motion.path.speeds import junction_speeds
from armdyn.motion.path.stretch import Stretch, stretch_of
from armdyn.motion.path.turning import Passage
from armdyn.motion.profile import Trapezoid
from armdyn.scalars import Array

ORIENTATION_SPEED = math.radians(90)
"""With which the tool turns on the spot [rad/s]."""
ORIENTATION_ACCELERATION = 2.0
"""With which it begins and ends that [rad/s2]."""


@dataclass(frozen=True, eq=False)
class ToolPath:
    """The tool's motion along a chain of path moves, from rest to rest."""

    pieces: tuple[Piece, ...]
    starts: Array
    """(pieces) when each piece begins [s]"""
    duration: float
    """[s]"""
    ends: tuple[float, ...]
    """When each move ends [s]; one that runs into the next in the middle of the corner"""
    notes: tuple[str, ...]
    """What is otherwise than programmed, "line 12: ..." each"""

    @property
    def accelerating(self) -> float:
        """How long the first ramp takes [s]."""
        return next((piece.profile.accelerating for piece in self.pieces if piece.profile.length > 0), 0.0)

    @property
    def decelerating(self) -> float:
        """How long the last ramp takes [s]."""
        last = reversed(self.pieces)
        return next((piece.profile.decelerating for piece in last if piece.profile.length > 0), 0.0)

    def poses(self, time: ArrayLike) -> Array:
        """T_base_tool (t, 4, 4) at instants (t), 0 at the start; before and after it the tool rests."""
        t = self._instants(time)
        poses = np.zeros((len(t), 4, 4))
        poses[:, 3, 3] = 1.0
        for piece, chosen, since in self._visited(t):
            s, _, _ = piece.profile.at(since)
            poses[chosen, :3, 3], poses[chosen, :3, :3] = piece.place(s)
        return poses

    def speeds(self, time: ArrayLike) -> Array:
        """The tool's speed along its path (t) [m/s] at instants (t)."""
        t = self._instants(time)
        speeds = np.zeros(len(t))
        for piece, chosen, since in self._visited(t):
            speeds[chosen] = piece.profile.at(since)[1] if piece.travels else 0.0
        return speeds

    def move_at(self, time: ArrayLike) -> NDArray[np.intp]:
        """Which move the tool is in (t), from 0, at instants (t)."""
        moves = np.searchsorted(np.array(self.ends), self._instants(time), side="right")
        return np.minimum(moves, len(self.ends) - 1)

    def _instants(self, time: ArrayLike) -> Array:
        t = np.asarray(time, np.float64)
        if t.ndim != 1:
            raise ShapeError("time", t.shape, "a tool path is asked at a row of instants", "(t,)")
        return t

    def _visited(self, t: Array) -> list[tuple[Piece, NDArray[np.intp], Array]]:
        """The pieces in which instants lie, which instants, and how long each piece has then lasted."""
        of = np.maximum(np.searchsorted(self.starts, t, side="right") - 1, 0)
        order = np.argsort(of, kind="stable")
        visited, firsts = np.unique(of[order], return_index=True)
        chosen = zip(visited, np.split(order, firsts[1:]), strict=True)
        return [(self.pieces[k], which, t[which] - self.starts[k]) for k, which in chosen]


def tool_path(
    T_start: ArrayLike, moves: Sequence[PathMove], turn_acceleration: float | None = None
) -> ToolPath:
    """Plan a chain of path moves that follow one another, from rest to rest; it may stop in between.

    Args:
        T_start: (4, 4) T_base_tool where the chain begins.
        moves: one or more.
        turn_acceleration: with which the tool's turning changes where one move that has none of its own runs
            on as another [rad/s2]; by default it changes at once, every move turning in proportion to its
            length.
    """
    T = np.array(T_start, np.float64)
    if T.shape != (4, 4):
        raise ShapeError("T_start", T.shape, "a pose is a homogeneous matrix", "(4, 4)")
    if not moves:
        raise InputError("a tool path has no moves, expected one or more")
    stretches = _stretches(T, moves)
    junctions = junctions_between(stretches, turn_acceleration)
    pieces, ends = _in_time(stretches, junctions)
    durations = [piece.profile.duration for piece in pieces]
    starts = np.concatenate([[0.0], np.cumsum(durations)])
    return ToolPath(
        pieces=tuple(pieces),
        starts=starts[:-1],
        duration=float(starts[-1]),
        ends=tuple(float(starts[k] + share * durations[k]) for k, share in ends),
        notes=tuple(_notes(stretches, junctions)),
    )


def _stretches(T: Array, moves: Sequence[PathMove]) -> list[Stretch]:
    """The moves one after the other, each from where and as the one before ends."""
    stretches: list[Stretch] = []
    point, rotation = T[:3, 3], T[:3, :3]
    for move in moves:
        stretches.append(stretch_of(move, point, rotation))
        point, rotation = stretches[-1].end, stretches[-1].last_rotation
    return stretches


def _in_time(
    stretches: Sequence[Stretch], junctions: Sequence[Junction]
) -> tuple[list[Piece], list[tuple[int, float]]]:
    """The pieces one after the other; and in which of them, after what share of it, each move ends."""
    ends = _ends(stretches, junctions)
    pieces: list[Piece] = []
    ended: list[tuple[int, float]] = []
    for stretch, start, end in zip(stretches, ends[:-1], ends[1:], strict=True):
        pieces.append(_turn(stretch) if stretch.curve is None else _part(stretch, stretch.curve, start, end))
        if end.corner is not None:
            pieces.append(_rounding(end, end.corner, stretch.move.acceleration))
        ended.append((len(pieces) - 1, 1.0 if end.corner is None else 0.5))
    return pieces, ended


@dataclass(frozen=True, eq=False)
class _End:
    """One end of a move: how fast, how much of the move its corner takes, and how the turning runs over."""

    speed: float = 0.0
    taken: float = 0.0
    corner: Corner | None = None
    passage: Passage | None = None


def _ends(stretches: Sequence[Stretch], junctions: Sequence[Junction]) -> list[_End]:
    """The start of the chain, its junctions, and its end."""
    taken = [0.0, *(junction.reach if junction.corner else 0.0 for junction in junctions), 0.0]
    lengths = [max(s.length - taken[k] - taken[k + 1], 0.0) for k, s in enumerate(stretches)]
    accelerations = [stretch.move.acceleration for stretch in stretches]
    speeds = junction_speeds(lengths, accelerations, [junction.speed for junction in junctions])
    pairs = zip(itertools.pairwise(stretches), junctions, speeds, strict=True)
    inner = [
        _End(speed, junction.reach if junction.corner else 0.0, junction.corner, _passage(a, b, junction))
        for (a, b), junction, speed in pairs
    ]
    return [_End(), *inner, _End()]


def _turn(stretch: Stretch) -> Turn:
    profile = Trapezoid.of(stretch.angle, ORIENTATION_SPEED, ORIENTATION_ACCELERATION)
    return Turn(profile, stretch.start, stretch.turning)


def _part(stretch: Stretch, curve: Curve, start: _End, end: _End) -> Part:
    move = stretch.move
    length = max(curve.length - start.taken - end.taken, 0.0)
    with at_line(move.line):
        profile = Trapezoid.of(length, move.speed, move.acceleration, start=start.speed, end=end.speed)
    entering, leaving = (None if e.corner else e.passage for e in (start, end))
    return Part(profile, curve, stretch.turning, start.taken, entering, leaving)


def _rounding(end: _End, corner: Corner, acceleration: float) -> Rounding:
    assert end.passage is not None
    steady = Trapezoid(corner.length, end.speed, acceleration, acceleration, end.speed, end.speed)
    return Rounding(steady, corner, end.passage)


def _passage(before: Stretch, after: Stretch, junction: Junction) -> Passage | None:
    """How the tool's turning runs over at a junction, None where it stops or changes at once."""
    if junction.reach == 0:
        return None
    return Passage(before.turning, before.length, after.turning, junction.reach)


def _notes(stretches: Sequence[Stretch], junctions: Sequence[Junction]) -> list[str]:
    """What to say about the moves and their ends, with the lines."""
    ends = [*(junction.notes for junction in junctions), _end_of_chain(stretches[-1].move)]
    both = zip(stretches, ends, strict=True)
    return [f"line {s.move.line}: {note}" for s, notes in both for note in (*s.notes, *notes)]


def _end_of_chain(last: PathMove) -> tuple[str, ...]:
    if not (last.keep_speed or last.corner) or last.blend:
        return ()
    return ("the tool stops, no path move follows at once",)
