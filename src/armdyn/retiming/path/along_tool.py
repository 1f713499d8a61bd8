"""Joint motions along the pieces of a tool path."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from armdyn.errors import PlanError
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.motion.legs import why_lost
from armdyn.motion.path.pieces import Part, Piece, Rounding
from armdyn.retiming.path.least_motion import least_motion
from armdyn.retiming.path.traced import Postures, Traced, traced
from armdyn.scalars import Array

STEP = 0.02
"""[rad or m] In which an arm with joints to spare is followed: it then knows its direction to 1e-5."""
APART = 1e-9
"""[m or rad] Ways that are nearer are one."""


def tool_breaks(piece: Piece) -> list[float]:
    """Ways between the ends of a piece at which its curvature or its move changes."""
    length = piece.profile.length
    if isinstance(piece, Rounding):
        return [length / 2]
    if not isinstance(piece, Part):
        return []
    entering = piece.entering.reach if piece.entering is not None else 0.0
    leaving = piece.leaving.reach if piece.leaving is not None else 0.0
    both = (entering - piece.start, piece.curve.length - leaving - piece.start)
    return sorted(way for way in both if APART < way < length - APART)


@dataclass(frozen=True, eq=False)
class Followed:
    """A piece of a tool path, as an arm follows it in a plan."""

    kinematics: InverseKinematics
    piece: Piece
    ways: Array
    """(m) along the piece at which the plan has postures,"""
    length: float
    """and how far these are in joint space from the first to the last [rad or m]"""
    line: int
    """Of the program"""

    def traced(self, ways: Array, q: Array) -> Iterator[Traced | None]:
        """What lies between ways (k), from a posture on; None where nothing moves."""
        for start, end in pairwise(ways.tolist()):
            found = traced(self._postures(q), start, end)
            if found is not None:
                q = found.by_way.q[-1]
            yield found

    def _postures(self, start: Array) -> Postures:
        """The arm's along the piece, from one at the first way on."""
        spare = least_motion(self.kinematics.robot)

        def beside(ways: Array) -> Array:
            """Through the plan's postures, too: where they are close the arm moves fast."""
            inside = (self.ways > ways[0]) & (self.ways < ways[-1])
            every = np.union1d(ways, self.ways[inside])
            found = self.kinematics.follow(_poses(self.piece, every), start)
            self._check(found.q, found.lost, every, start)
            return found.q[np.searchsorted(every, ways)]

        def in_steps(ways: Array) -> Array:
            parts = max(1, int(np.ceil(2 * self.length / ((len(ways) - 1) * STEP))))
            places = np.linspace(0.0, len(ways) - 1.0, parts * (len(ways) - 1) + 1)
            every = np.interp(places, np.arange(len(ways)), ways)
            q, lost = spare.follow(_poses(self.piece, every), start)
            self._check(q, lost, every, start)
            return q[::parts]

        return in_steps if spare.redundant else beside

    def _check(self, q: Array, lost: int | None, ways: Array, start: Array) -> None:
        if lost is None:
            return
        pose = _poses(self.piece, ways[lost : lost + 1])[0]
        reason = why_lost(self.kinematics, pose, q[lost - 1] if lost else start)
        raise PlanError(f"the tool path cannot be followed between two samples: {reason}", line=self.line)


def _poses(piece: Piece, ways: Array) -> Array:
    poses = np.zeros((len(ways), 4, 4))
    poses[:, 3, 3] = 1.0
    poses[:, :3, 3], poses[:, :3, :3] = piece.place(ways)
    return poses
