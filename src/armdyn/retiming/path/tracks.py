"""The legs of a walk by their geometry: curves where a leg moves alone, places in time where two overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from armdyn.errors import PlanError
from armdyn.motion.jerk_limited import JerkLimited
from armdyn.motion.legs import SAME, PathMotion
from armdyn.motion.path.pieces import Piece
from armdyn.motion.point_to_point import JointMotion
from armdyn.retiming.path.along_tool import APART, Followed, tool_breaks
from armdyn.retiming.path.curve import Curve, StraightCurve, distances
from armdyn.retiming.path.least_motion import least_motion
from armdyn.retiming.path.traced import Traced
from armdyn.scalars import Array

STRAYED = 1e-6
"""[rad or m] As far from where the plan ends the arm has taken another way."""
NOWHERE = 1e-9
"""[rad or m] A shorter curve is none."""


class Track(Protocol):
    """One leg."""

    @property
    def end(self) -> Array:
        """(n) where it ends [rad or m]."""
        ...

    @property
    def curves(self) -> Sequence[tuple[Curve, int]]:
        """What it moves along alone, and which of the leg's moves each belongs to, from 0."""
        ...

    def at(self, time: Array) -> Array:
        """(t, n) positions at instants (t) of the leg while it overlaps with another."""
        ...

    def kinks(self) -> Array:
        """Instants at which it is not smooth [s]."""
        ...


@dataclass(frozen=True, eq=False)
class JointTrack:
    """Straight in joint space."""

    motion: JointMotion
    alone: tuple[float, float]
    """From when to when it does not overlap with others [s]"""

    @property
    def end(self) -> Array:
        """(n) where it ends."""
        return self.motion.end

    @property
    def curves(self) -> Sequence[tuple[Curve, int]]:
        """One line, or none where nothing is left."""
        start, end = self.at(np.array(self.alone))
        curve: Curve = StraightCurve(start, end)
        return [(curve, 0)] if curve.length > NOWHERE and self.alone[1] > self.alone[0] else []

    def at(self, time: Array) -> Array:
        """(t, n) positions at instants (t)."""
        return self.motion.at(time)

    def kinks(self) -> Array:
        """Where pieces of constant jerk meet."""
        way = self.motion.way
        return way.instants if isinstance(way, JerkLimited) else np.empty(0)


@dataclass(frozen=True, eq=False)
class _Span:
    """A stretch of a piece of the tool path."""

    piece: Piece
    begins: float
    """When the piece does [s]"""
    ways: tuple[float, float]
    """From where to where on the piece"""
    traced: Traced | None
    """None where the joints do not move"""
    move: int
    alone: bool


@dataclass(frozen=True, eq=False)
class ToolTrack:
    """Along a tool path."""

    start: Array
    end: Array
    spans: tuple[_Span, ...]

    @property
    def curves(self) -> Sequence[tuple[Curve, int]]:
        """Its stretches but for those that overlap."""
        alone = (span for span in self.spans if span.alone)
        return [(span.traced.curve, span.move) for span in alone if span.traced is not None]

    def at(self, time: Array) -> Array:
        """(t, n) positions at instants (t)."""
        q = np.empty((len(time), len(self.start)))
        q[:] = self.start
        for span in self.spans:  # later ones replace what earlier ones have left at their ends
            if span.traced is None:
                continue
            way = span.piece.profile.at(time - span.begins)[0]
            reached = (time >= span.begins) & (way >= span.ways[0])
            q[reached] = span.traced.at(np.minimum(way[reached], span.ways[1]))
        return q

    def kinks(self) -> Array:
        """Where its stretches meet."""
        return np.array([span.begins + _when(span.piece, way) for span in self.spans for way in span.ways])


def joint_track(motion: JointMotion, q: Array, alone: tuple[float, float]) -> JointTrack:
    """A point-to-point motion from where the leg before has come to."""
    return JointTrack(JointMotion(q, motion.end, motion.way), alone)


def tool_track(motion: PathMotion, q: Array, alone: tuple[float, float], lines: Sequence[int]) -> ToolTrack:
    """A motion along a tool path, from a posture; `lines` are those of its moves."""
    path, spans, here = motion.path, list[_Span](), q
    for piece, begins in zip(path.pieces, path.starts.tolist(), strict=True):
        length = piece.profile.length
        if length <= APART:
            continue
        inside = [t - begins for t in alone if SAME < t - begins < piece.profile.duration - SAME]
        cuts = [float(piece.profile.at(t)[0]) for t in inside]
        ways = _apart(np.array([0.0, *sorted([*tool_breaks(piece), *cuts]), length]))
        middles = [begins + _when(piece, float(way)) for way in (ways[1:] + ways[:-1]) / 2]
        moves: list[int] = path.move_at(np.array(middles)).tolist()
        for k, curve in enumerate(_followed(motion, piece, begins, lines[moves[0]]).traced(ways, here)):
            here = here if curve is None else curve.by_way.q[-1]
            is_alone = alone[0] < middles[k] < alone[1]
            between = float(ways[k]), float(ways[k + 1])
            spans.append(_Span(piece, begins, between, curve, moves[k], is_alone))
    _check_end(motion, here, lines[-1])
    return ToolTrack(q, here, tuple(spans))


def _followed(motion: PathMotion, piece: Piece, begins: float, line: int) -> Followed:
    """A piece with the plan's postures along it."""
    inside = (motion.instants >= begins) & (motion.instants <= begins + piece.profile.duration)
    ways = piece.profile.at(motion.instants[inside] - begins)[0]
    length = float(distances(motion.known[inside])[-1]) if inside.any() else 0.0
    return Followed(motion.kinematics, piece, ways, length, line)


def _check_end(motion: PathMotion, end: Array, line: int) -> None:
    """Refuse a path that does not end where the plan does: its samples know less than the path."""
    spare = least_motion(motion.kinematics.robot).redundant
    if not spare and not np.abs(end - motion.end).max() < STRAYED:
        raise PlanError(
            "the tool passes a singular posture so closely that the joints of the plan leap over it; "
            "lead it elsewhere, or past it point to point",
            line=line,
        )


def _apart(ways: Array) -> Array:
    """The ways, increasing, without those that are as good as the one before; both ends stay."""
    kept = [0.0]
    for way in ways[1:-1].tolist():
        if way - kept[-1] > APART and ways[-1] - way > APART:
            kept.append(way)
    return np.array([*kept, float(ways[-1])])


def _when(piece: Piece, way: float) -> float:
    """How long after its start a piece has come that far [s]."""
    profile = piece.profile
    if way <= 0 or way >= profile.length:
        return 0.0 if way <= 0 else profile.duration
    optimize: Any = import_module("scipy.optimize")  # slow to import: only where it is needed

    def beyond(time: float) -> float:
        return float(profile.at(time)[0]) - way

    return float(optimize.brentq(beyond, 0.0, profile.duration, xtol=1e-15))
