"""The path of a sampled motion: what was recorded or exported, or a plan whose steps are not known.

Between rests and corners it is a cubic spline through the samples over the distance between them; samples
that crowd around a rest are left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.formats.motions import REST, Motion
from armdyn.motion.planned import Plan
from armdyn.motion.sampled import plan_of_motion
from armdyn.retiming.path.corners import SPARSE, smooth_stretches, thinned, usual_distance
from armdyn.retiming.path.curve import Curve, CutCurve, SplineCurve, StraightCurve, distances
from armdyn.retiming.path.joint_path import (
    CHANGES,
    MOVE_ENDS,
    WAITS,
    JointPath,
    PathMove,
    Piece,
    with_corners,
)
from armdyn.retiming.path.nodes import Nodes, nodes_of_motion, nodes_of_plan, rests, stretches
from armdyn.robot import Robot
from armdyn.scalars import Array

NOWHERE = 1e-9
"""[rad or m] A shorter curve is none."""
WORTH_SAYING = 1e-6
"""[rad or m] Samples that are farther from the path get a note."""


def path_of_motion(robot: Robot, motion: Motion, cycle: float | None = None) -> JointPath:
    """The path of a recorded or exported motion, as `formats.motions.read_motion` gives it.

    Where the arm rests for two of the usual steps of time or longer it waits as long on the path, too; where
    the direction changes at once it must stop; a line or a move of the file that ends at rest is a stop. What
    begins or ends in motion does so on the path. Noise is taken for motion: filter what was measured.

    Args:
        robot: what moves.
        motion: its samples.
        cycle: [s] as for `motion.plan_of_motion`, whose plan comes with the path.
    """
    plan = plan_of_motion(robot, motion, cycle)
    found = _laid(nodes_of_motion(robot, motion))
    fastest = float(np.linalg.norm(motion.qd, axis=1).max())
    first, last = (_rate(found.pieces, motion.qd[k], k, REST * fastest) for k in (0, -1))
    return _path(robot, found, plan, (first, last), motion.notes)


def path_of_plan(plan: Plan) -> JointPath:
    """The path of a plan, from its samples and the ends of its moves; `path_of_program` knows it exactly."""
    nodes = nodes_of_plan(plan)
    found = _laid(nodes)
    begins, last = plan.first_velocity, 0.0
    first = 0.0 if begins is None else _rate(found.pieces, begins, 0, 0.0)
    if plan.moves and not plan.moves[-1].stops:
        last = _rate(found.pieces, (nodes.q[-1] - nodes.q[-2]) / (nodes.time[-1] - nodes.time[-2]), -1, 0.0)
    return _path(plan.robot, found, plan, (first, last), plan.notes)


@dataclass(frozen=True, eq=False)
class _Laid:
    """The pieces through nodes, and what is known besides."""

    pieces: list[Piece]
    moves: tuple[PathMove, ...]
    wait_before: float
    missed: float
    """How far a node is from the path, at most [rad or m]"""


def _path(
    robot: Robot, found: _Laid, plan: Plan, rates: tuple[float, float], notes: Sequence[str]
) -> JointPath:
    first, last = (0.0 if found.wait_before else rates[0]), rates[1]
    end = found.pieces[-1]
    if not end.stops and not last:
        end = end.stopped(MOVE_ENDS)
    pieces, said = with_corners([*found.pieces[:-1], end])
    if found.missed > WORTH_SAYING:
        said.append(f"samples are up to {found.missed:.2g} rad or m from the path through most of them")
    return JointPath(
        robot,
        pieces,
        found.moves,
        (*notes, *said),
        found.wait_before,
        first,
        0.0 if end.stops else last,
        plan.duration,
        plan.cycle,
        plan.problems,
        plan,
    )


def _rate(pieces: Sequence[Piece], qd: Array, end: int, least: float) -> float:
    """dp/dt at one end, 0 if the arm is slower than `least` [rad/s or m/s] or rests there."""
    piece = pieces[end]
    slope = piece.curve.at(np.array([0.0, piece.curve.length]))[1][end]
    return max(float(qd @ slope / (slope @ slope)), 0.0) if float(np.linalg.norm(qd)) > least else 0.0


def _laid(nodes: Nodes) -> _Laid:
    """Pieces through the nodes, with stops where the arm rests."""
    resting = rests(nodes)
    least = SPARSE * usual_distance(nodes.q)
    pieces: list[Piece] = []
    missed, start = 0.0, nodes.q[0]
    for first, last, rest in stretches(resting, len(nodes.time)):
        q = np.concatenate([[start], nodes.q[first + 1 : last + 1]])
        if distances(q)[-1] < NOWHERE:
            continue
        start = q[-1]
        for numbers, through in smooth_stretches(q, thinned(q, least)):
            samples = _Samples(q, numbers, through)
            missed = max(missed, samples.missed())
            pieces += samples.pieces(nodes, first)
        if rest is not None:
            pieces[-1] = pieces[-1].stopped(WAITS if rest.wait else MOVE_ENDS, rest.wait)
    before = resting[0].wait if resting and resting[0].first == 0 else 0.0
    if not pieces:
        raise InputError("nothing moves in the samples, expected joints that go elsewhere")
    return _Laid(_with_changes(pieces), _waiting(nodes, pieces), before, missed)


class _Samples:
    """Postures of which some make a curve."""

    def __init__(self, q: Array, numbers: Array, through: Array) -> None:
        """All postures (t, n); the numbers (m) of those that are kept; and these (m, n)."""
        self._q, self._numbers, self._through = q, numbers, through
        self._along = distances(through)
        straight = len(through) == 2
        self._curve: Curve = StraightCurve(*through) if straight else SplineCurve(self._along, through, 3)

    def missed(self) -> float:
        """How far the postures that were left out are from the curve, at most."""
        first, last = float(self._numbers[0]), float(self._numbers[-1])
        left = np.setdiff1d(np.arange(ceil(first), floor(last) + 1), self._numbers)
        if not len(left):
            return 0.0
        p = self._parameters(left)
        at, slope, _ = self._curve.at(p)
        p = p + np.einsum("ki,ki->k", self._q[left] - at, slope) / np.einsum("ki,ki->k", slope, slope)
        nearest = self._curve.at(np.clip(p, 0.0, self._curve.length))[0]
        return float(np.linalg.norm(nearest - self._q[left], axis=1).max())

    def pieces(self, nodes: Nodes, first: int) -> list[Piece]:
        """The curve in pieces of one move each; `first` is the node of the first posture."""
        ends = nodes.ends - first
        inner = ends[(ends > self._numbers[0]) & (ends < self._numbers[-1])]
        places = [0.0, *self._parameters(inner).tolist(), self._curve.length]
        starts = [float(self._numbers[0]), *inner.tolist()]
        found: list[Piece] = []
        for number, (a, b) in zip(starts, pairwise(places), strict=True):
            if b - a > NOWHERE:
                k = nodes.move_of(first + number)
                move = nodes.moves[k]
                part = CutCurve(self._curve, a, b) if len(starts) > 1 else self._curve
                found.append(Piece(part, move.robot, k + 1, move.line, move.kind))
        return found

    def _parameters(self, numbers: NDArray[np.intp]) -> Array:
        """About where on the curve postures are."""
        last = len(self._along) - 1
        k = np.clip(np.searchsorted(self._numbers, numbers, side="right") - 1, 0, last)
        beyond = np.linalg.norm(self._q[numbers] - self._through[k], axis=1)
        return np.minimum(self._along[k] + beyond, self._along[np.minimum(k + 1, last)])


def _with_changes(pieces: Sequence[Piece]) -> list[Piece]:
    """The pieces, with stops where the robot's tool or payload changes behind them."""
    pairs = pairwise(pieces)
    return [*(a.stopped(CHANGES) if a.robot != b.robot else a for a, b in pairs), *pieces[-1:]]


def _waiting(nodes: Nodes, pieces: Sequence[Piece]) -> tuple[PathMove, ...]:
    """The moves, with how long those stand that have no pieces."""
    moving = {piece.move for piece in pieces}
    ends = nodes.time[nodes.ends]
    lasting = np.diff(ends, prepend=nodes.time[0]).tolist()
    return tuple(
        move if k + 1 in moving else replace(move, wait=lasting[k]) for k, move in enumerate(nodes.moves)
    )
