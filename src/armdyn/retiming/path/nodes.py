"""Sampled motions as nodes in time: postures, the moves they belong to, and where the arm rests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.formats.motions import REST, Motion
from armdyn.motion.planned import Plan
from armdyn.retiming.path.joint_path import PathMove
from armdyn.robot import Robot
from armdyn.scalars import Array

DWELL = 2.0
"""The arm waits where it rests for so many of the usual steps of time, or more."""
STEPS = 10
"""Over which noise is told from a motion."""
SAME_INSTANT = 1e-9
"""[s] Instants this near are one."""


@dataclass(frozen=True, eq=False)
class Nodes:
    """A motion in samples."""

    time: Array
    """(t) increasing [s]"""
    q: Array
    """(t, n) [rad or m]"""
    moves: tuple[PathMove, ...]
    ends: NDArray[np.intp]
    """(moves) at which node each move ends"""
    stops: NDArray[np.bool_]
    """(moves) whether the arm is meant to rest there"""

    def move_of(self, node: float) -> int:
        """Which move, from 0, is under way behind a node."""
        return int(np.minimum(np.searchsorted(self.ends, node, side="right"), len(self.moves) - 1))


@dataclass(frozen=True)
class Rest:
    """Nodes at which the arm rests, from the first to the last."""

    first: int
    last: int
    wait: float
    """[s]"""


def nodes_of_motion(robot: Robot, motion: Motion) -> Nodes:
    """The samples of a motion; every stretch of one line and one move in the file is a move."""
    labels = [motion.columns[name] for name in ("line", "move") if name in motion.columns]
    changes = [np.flatnonzero(np.diff(label)) + 1 for label in labels]
    firsts = np.unique(np.concatenate([[0], *changes])).astype(int)
    ends = np.array([*firsts[1:], len(motion.time) - 1], dtype=np.intp)
    lines = motion.columns.get("line", np.zeros(len(motion.time)))
    moves = tuple(PathMove(int(lines[first]), "samples", robot) for first in firsts)
    stops = np.logical_not(np.any(motion.qd[ends] != 0, axis=1))
    return Nodes(motion.time, motion.q, moves, ends, stops)


def nodes_of_plan(plan: Plan) -> Nodes:
    """The samples of a plan, and the ends of its moves, which are known exactly."""
    instants = np.array([move.end for move in plan.moves])
    before = plan.time < plan.duration - SAME_INSTANT
    near = np.abs(plan.time[:, None] - instants).min(axis=1) < SAME_INSTANT if len(instants) else ~before
    kept = before & ~near
    time = np.concatenate([plan.time[kept], instants])
    q = np.concatenate([plan.q[kept], [move.q_end for move in plan.moves]])
    time, unique = np.unique(np.round(time / SAME_INSTANT), return_index=True)
    ends = np.searchsorted(time, np.round(instants / SAME_INSTANT))
    robots = _robots(plan)
    moves = tuple(PathMove(m.line, m.kind, robot) for m, robot in zip(plan.moves, robots, strict=True))
    stops = np.array([move.stops for move in plan.moves])
    return Nodes(time * SAME_INSTANT, q[unique], moves, ends, stops)


def _robots(plan: Plan) -> Iterator[Robot]:
    """With which tool and payload each move is done."""
    for move in plan.moves:
        middle = min(int((move.start + move.end) / 2 / plan.cycle), len(plan.time) - 1)
        yield next(phase.robot for phase in plan.phases if phase.first <= middle < phase.last)


def rests(nodes: Nodes) -> list[Rest]:
    """Where the arm waits, and where it stops at the end of a move, in their order."""
    found = _programmed(nodes)
    for rest in _standing(nodes):
        if not any(rest.first < other.last and other.first < rest.last for other in found):
            found.append(rest)
    for node in nodes.ends[nodes.stops].tolist():
        if not any(rest.first <= node <= rest.last for rest in found):
            found.append(Rest(node, node, 0.0))
    return sorted(found, key=lambda rest: rest.first)


def _programmed(nodes: Nodes) -> list[Rest]:
    """The moves that are waits, those that follow one another as one."""
    found: list[Rest] = []
    for move, first, last in zip(
        nodes.moves, [0, *nodes.ends[:-1].tolist()], nodes.ends.tolist(), strict=True
    ):
        if move.kind != "wait":
            continue
        since = found.pop().first if found and found[-1].last == first else first
        found.append(Rest(since, last, float(nodes.time[last] - nodes.time[since])))
    return found


def _standing(nodes: Nodes) -> list[Rest]:
    """Where the arm stands still for a while."""
    steps = np.diff(nodes.time)
    speeds = np.linalg.norm(np.diff(nodes.q, axis=0), axis=1) / steps
    if not speeds.any():
        raise InputError("nothing moves in the samples, expected a motion")
    still = (speeds <= REST * speeds.max()) | _staying(nodes, REST * float(speeds.max()))
    edges = np.flatnonzero(np.diff(np.concatenate([[0], still, [0]])))
    runs = [(int(first), int(last)) for first, last in edges.reshape(-1, 2)]
    waits = [Rest(a, b, float(nodes.time[b] - nodes.time[a])) for a, b in runs]
    return [wait for wait in waits if wait.wait >= (DWELL - 1e-6) * float(np.median(steps))]


def _staying(nodes: Nodes, speed: float) -> NDArray[np.bool_]:
    """(t - 1) in which steps the arm stays about where it is, slower than a speed over several of them."""
    count = len(nodes.time) - STEPS
    still = np.zeros(len(nodes.time) - 1, dtype=bool)
    if count < 1:
        return still
    apart = [np.linalg.norm(nodes.q[k : k + count] - nodes.q[:count], axis=1) for k in range(1, STEPS + 1)]
    lasting = nodes.time[STEPS:] - nodes.time[:count]
    near = np.max(apart, axis=0) <= speed * lasting
    for k in range(STEPS):
        still[k : k + count] |= near
    return still


def stretches(found: Sequence[Rest], count: int) -> list[tuple[int, int, Rest | None]]:
    """Between rests: from which node to which the arm moves, and the rest behind it."""
    between: list[tuple[int, int, Rest | None]] = []
    since = 0
    for rest in found:
        if rest.first > since:
            between.append((since, rest.first, rest))
        since = rest.last
    return [*between, (since, count - 1, None)] if since < count - 1 else between
