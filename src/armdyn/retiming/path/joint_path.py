"""The geometry of a motion in joint space, without time: what retiming moves along."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np

from armdyn.motion.planned import MoveKind, Plan, Problem
from armdyn.motion.planner import CYCLE
from armdyn.retiming.path.curve import Curve, ends_of
from armdyn.robot import Robot
from armdyn.scalars import Array

SAME_DIRECTION = 1e-4
"""Unit tangents that differ by more are a corner, which no arm can take without a stop."""
BACK = 0.1
"""Unit tangents whose sum is below this are opposite: the arm turns back."""

MOVE_ENDS, CORNER, TURNS_BACK, WAITS, CHANGES = (
    "the move ends",
    "the path has a corner",
    "the path turns back",
    "the arm waits",
    "tool or payload change",
)
"""Why the arm stops."""


@dataclass(frozen=True, eq=False)
class Piece:
    """A smooth stretch of a path that belongs to one move; curvature may jump from one to the next."""

    curve: Curve
    robot: Robot
    """With the tool and the payload that it has then"""
    move: int
    """Number from 1"""
    line: int
    """Of the program, 0 if there is none"""
    kind: MoveKind
    stops: bool = False
    """Whether the arm must rest at the end"""
    wait: float = 0.0
    """How long it stands there [s]"""
    reason: str = ""
    """Why it stops"""

    def stopped(self, reason: str, wait: float = 0.0) -> Piece:
        """The piece with a stop at its end; a wait or a change says more than that the move ends."""
        known = reason if self.reason in ("", MOVE_ENDS) or reason == CHANGES else self.reason
        return replace(self, stops=True, wait=self.wait + wait, reason=known)


@dataclass(frozen=True, eq=False)
class PathMove:
    """A move of the program, with or without pieces: one where the arm waits or stays has none."""

    line: int
    kind: MoveKind
    robot: Robot
    """With the tool and the payload that it has then"""
    wait: float = 0.0
    """How long the arm stands in it [s], if it has no pieces: as much of the wait of the piece before it"""


@dataclass(frozen=True, eq=False)
class JointPath:
    """A motion's geometry: pieces one behind the other, and where the arm must rest between them."""

    robot: Robot
    """As given, before any change of tool or payload"""
    pieces: tuple[Piece, ...]
    """One or more"""
    moves: tuple[PathMove, ...]
    """In the order of the program; piece.move - 1 is an index of these"""
    notes: tuple[str, ...] = ()
    """What was assumed, chosen or left out"""
    wait_before: float = 0.0
    """How long the arm stands before it moves [s]"""
    first_rate: float = 0.0
    """dp/dt at the start: 0 at rest"""
    last_rate: float = 0.0
    """dp/dt at the end: 0 at rest"""
    duration: float | None = None
    """Of the motion as it was programmed or recorded [s]"""
    cycle: float = CYCLE
    """[s] between two samples of it, or by default"""
    problems: tuple[Problem, ...] = ()
    """Where it leaves what the joints can do, whatever the motors"""
    plan: Plan | None = None
    """The programmed motion, if there is one"""

    @cached_property
    def starts(self) -> Array:
        """(pieces + 1) where each piece begins, if all parameters are counted on, and the end."""
        return np.concatenate([[0.0], np.cumsum([piece.curve.length for piece in self.pieces])])

    @property
    def length(self) -> float:
        """Where the last piece ends, if all parameters are counted on."""
        return float(self.starts[-1])

    def at(self, p: Array) -> tuple[Array, Array, Array]:
        """p: (t) counted on over all pieces to q, dq/dp, d2q/dp2, (t, n) each; where two meet of the next."""
        values = np.zeros((3, len(p), self.robot.n))
        of = np.clip(np.searchsorted(self.starts, p, side="right") - 1, 0, len(self.pieces) - 1)
        for k in np.unique(of).tolist():
            mine = of == k
            values[:, mine] = self.pieces[int(k)].curve.at(p[mine] - self.starts[int(k)])
        return values[0], values[1], values[2]


def with_corners(pieces: Sequence[Piece]) -> tuple[tuple[Piece, ...], list[str]]:
    """The pieces with stops wherever the path has a corner, and what to say about it."""
    found: list[Piece] = []
    corners: dict[str, list[int]] = {CORNER: [], TURNS_BACK: []}
    turning = False
    for before, after in pairwise(pieces):
        reason = "" if before.stops else _corner(before.curve, after.curve)
        if reason:
            corners[reason].append(before.line)
            turning |= {before.kind, after.kind} <= {"lin", "circle"}
        found.append(before.stopped(reason) if reason else before)
    return (*found, *pieces[-1:]), _said(corners, turning=turning)


def _corner(before: Curve, after: Curve) -> str:
    """What is between two curves: a corner, a way back, or nothing."""
    leaving, entering = ends_of(before)[1][1], ends_of(after)[1][0]
    if np.linalg.norm(leaving - entering) <= SAME_DIRECTION:
        return ""
    return TURNS_BACK if np.linalg.norm(leaving + entering) < BACK else CORNER


def _said(corners: dict[str, list[int]], *, turning: bool) -> list[str]:
    notes: list[str] = []
    if corners[CORNER]:
        jumps = "those where the tool's turning jumps"
        rounds = f"; acc_ori, or a turn acceleration for all moves, rounds {jumps}" if turning else ""
        notes.append(
            f"{_lines(corners[CORNER])}: the joints' path has a corner, where the arm must stop{rounds}"
        )
    if corners[TURNS_BACK]:
        notes.append(f"{_lines(corners[TURNS_BACK])}: the joints' path turns back, where the arm must stop")
    return notes


def _lines(lines: Sequence[int]) -> str:
    """Where in the program."""
    known = [str(line) for line in dict.fromkeys(lines) if line]
    if not known:
        return f"at {len(lines)} places" if len(lines) > 1 else "at one place"
    return f"{'lines' if len(known) > 1 else 'line'} {', '.join(known)}"
