"""Plans from sampled motions: what another system has exported, as if a program had asked for it."""

from __future__ import annotations

from importlib import import_module
from math import ceil
from typing import Any

import numpy as np

from armdyn.errors import InputError, ShapeError
from armdyn.formats.motions import Motion
from armdyn.motion.assembly import line_numbers, move_numbers
from armdyn.motion.legs import ON_GRID, sample_times
from armdyn.motion.planned import Phase, Plan, PlannedMove
from armdyn.motion.planner import CYCLE, check_times
from armdyn.motion.problems import position_problems
from armdyn.motion.walk import MOST_SAMPLES
from armdyn.robot import Robot
from armdyn.scalars import Array

EVEN = 1e-6
"""Instants that are off an even grid by less than this share of its step are on it."""
LONGEST_CYCLE = 1.0
"""[s]"""


def plan_of_motion(robot: Robot, motion: Motion, cycle: float | None = None) -> Plan:
    """A sampled motion as a plan that begins at time 0.

    Even instants are the samples as they are. Others, or where another cycle is asked for, are interpolated
    by a monotone cubic spline, which goes no further than the samples do. Where the file says lines or
    moves, every stretch of one is a move.

    Args:
        robot: what moves.
        motion: as `formats.motions.read_motion` gives it.
        cycle: [s] between two samples, above 0, at most 1; by default that of an even motion, or 10 ms.
    """
    _check(robot, motion)
    if cycle is not None:
        check_times(cycle, None)
    step = _even_step(motion.time)
    kept = step is not None and (cycle is None or abs(cycle - step) <= EVEN * step)
    step = step if step is not None and kept else cycle or CYCLE
    since = motion.time - motion.time[0]
    duration = float(since[-1])
    if duration / step > MOST_SAMPLES:
        raise InputError(
            f"the motion lasts {duration:g} s, more than {MOST_SAMPLES} samples of {step:g} s; "
            "use a longer cycle"
        )
    time = sample_times(len(since) if kept else ceil(duration / step - ON_GRID) + 1, step)
    q = np.array(motion.q) if kept else _interpolated(since, motion.q, np.minimum(time, duration))
    note = () if kept else (f"samples interpolated every {step:g} s by a monotone cubic spline through q",)
    moves = _moves(motion, time if kept else since)
    move = move_numbers(moves, len(time), step)
    return Plan(
        robot,
        step,
        time,
        q,
        move,
        line_numbers(moves, move),
        moves,
        (Phase(robot, 0, len(time)),),
        tuple(position_problems(robot, time, q, move, moves)),
        moves[-1].end,
        (*motion.notes, *note),
    )


def _check(robot: Robot, motion: Motion) -> None:
    t, n = len(motion.time), robot.n
    if motion.q.shape != (t, n):
        reason = f'the motion has {t} instants and robot "{robot.name}" {n} joints'
        raise ShapeError("q", motion.q.shape, reason, f"({t}, {n})")
    if t < 2 or not np.all(np.diff(motion.time) > 0):
        raise InputError("the motion's instants do not increase, expected two or more that do")
    if not np.isfinite(motion.q).all() or not np.isfinite(motion.time).all():
        raise InputError("the motion has numbers that are not finite, expected finite ones")


def _even_step(time: Array) -> float | None:
    """The step of an even grid that could be a cycle; None if it is uneven or too coarse."""
    step = float(time[-1] - time[0]) / (len(time) - 1)
    off = np.abs(time - time[0] - np.arange(len(time)) * step)
    return step if step <= LONGEST_CYCLE and off.max() <= EVEN * step else None


def _interpolated(time: Array, q: Array, wanted: Array) -> Array:
    interpolate: Any = import_module("scipy.interpolate")  # slow to import: only where it is needed
    return interpolate.PchipInterpolator(time, q)(wanted)


def _moves(motion: Motion, time: Array) -> tuple[PlannedMove, ...]:
    """One move for every stretch of one line and one move in the file, or one in all."""
    labels = [motion.columns[name] for name in ("line", "move") if name in motion.columns]
    changes = [np.flatnonzero(np.diff(label)) + 1 for label in labels]
    firsts = np.unique(np.concatenate([[0], *changes])).astype(int)
    ends = [*firsts[1:], len(time) - 1]
    lines = motion.columns.get("line", np.zeros(len(time)))
    last = len(time) - 1
    return tuple(
        PlannedMove(
            int(lines[first]),
            "samples",
            float(time[first]),
            float(time[end]),
            motion.q[end].copy(),
            bool(end == last or not motion.qd[end].any()),
        )
        for first, end in zip(firsts, ends, strict=True)
    )
