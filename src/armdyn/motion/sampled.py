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
SUDDEN, SLOW = 1.1, 1e-6
"""Samples begin in motion if their first speed is more than so many times the largest change of speed from
cycle to cycle, and more than so much [rad/s or m/s]."""
LONGEST_CYCLE = 1.0
"""[s]"""


def plan_of_motion(robot: Robot, motion: Motion, cycle: float | None = None) -> Plan:
    """A sampled motion as a plan that begins at time 0.

    Even instants are the samples as they are. Others, or where another cycle is asked for, are interpolated
    by a cubic spline through q with the velocities qd at both ends: accelerations, and with them torques, do
    not jump, but around a rest the spline may swing a little beyond the samples. Joints that never move stay
    where they are. Where the file says lines or moves, every stretch of one is a move.

    The arm starts from rest; samples that begin or end in motion get a note, and the arm need not stop at the
    end of these.

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
    q = np.array(motion.q) if kept else _interpolated(since, motion, time)
    begins, ends = _edge_speeds(q, step)
    notes = [] if kept else [f"samples interpolated every {step:g} s by a cubic spline through q"]
    notes += _in_motion(robot, begins, ends)
    moves = _moves(motion, time if kept else since, stops=not ends.any())
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
        tuple(position_problems(robot, step, q, move, moves)),
        moves[-1].end,
        (*motion.notes, *notes),
    )


def _check(robot: Robot, motion: Motion) -> None:
    t, n = len(motion.time), robot.n
    if motion.q.shape != (t, n):
        reason = f'the motion has {t} instants and robot "{robot.name}" {n} joints'
        raise ShapeError("q", motion.q.shape, reason, f"({t}, {n})")
    if t < 2 or not np.all(np.diff(motion.time) > 0):
        raise InputError("the motion's instants do not increase, expected two or more that do")
    if motion.qd.shape != (t, n):
        raise ShapeError("qd", motion.qd.shape, f"q has shape {motion.q.shape}", f"({t}, {n})")
    if not all(np.isfinite(values).all() for values in (motion.time, motion.q, motion.qd)):
        raise InputError("the motion has numbers that are not finite, expected finite ones")


def _even_step(time: Array) -> float | None:
    """The step of an even grid that could be a cycle; None if it is uneven or too coarse."""
    step = float(time[-1] - time[0]) / (len(time) - 1)
    off = np.abs(time - time[0] - np.arange(len(time)) * step)
    return step if step <= LONGEST_CYCLE and off.max() <= EVEN * step else None


def _interpolated(time: Array, motion: Motion, wanted: Array) -> Array:
    """Positions at the instants wanted; right behind the end they go on with the last velocity."""
    interpolate: Any = import_module("scipy.interpolate")  # slow to import: only where it is needed
    ends = ((1, motion.qd[0]), (1, motion.qd[-1]))
    sentence = "the motion cannot be interpolated, its steps of time are too small or its values too large"
    try:
        with np.errstate(all="ignore"):  # what is not finite is refused
            q: Array = interpolate.CubicSpline(time, motion.q, bc_type=ends)(np.minimum(wanted, time[-1]))
    except ValueError as error:
        raise InputError(sentence) from error
    if not np.isfinite(q).all():
        raise InputError(sentence)
    q += np.maximum(wanted - time[-1], 0.0)[:, None] * motion.qd[-1]
    still = (motion.q == motion.q[0]).all(axis=0)
    q[:, still] = motion.q[0, still]
    return q


# Samples in motion ----------------------------------------------------------------------------


def _edge_speeds(q: Array, step: float) -> tuple[Array, Array]:
    """(n) speeds of the joints in the first and in the last cycle, 0 where the motion begins or ends at rest.

    It does if reaching that speed at once takes no more than SUDDEN of what its speed changes by elsewhere.
    """
    v = np.diff(q, axis=0) / step
    usual = np.abs(np.diff(v, axis=0)).max(axis=0, initial=0.0)
    found = [np.where(np.abs(edge) > np.maximum(SUDDEN * usual, SLOW), edge, 0.0) for edge in (v[0], v[-1])]
    return found[0], found[1]


def _in_motion(robot: Robot, begins: Array, ends: Array) -> list[str]:
    """What to say about samples that begin or end in motion."""
    both = (
        ("begin", begins, "the arm is taken to start there from rest"),
        ("end", ends, "how the arm comes to rest there is not verified"),
    )
    notes: list[str] = []
    for verb, speeds, consequence in both:
        if speeds.any():
            j = int(np.argmax(np.abs(speeds)))
            unit = "m/s" if robot.joints[j].kind == "prismatic" else "rad/s"
            notes.append(
                f"the samples {verb} in motion, joint {j + 1} at {speeds[j]:.3g} {unit}: {consequence}"
            )
    return notes


def _moves(motion: Motion, time: Array, *, stops: bool) -> tuple[PlannedMove, ...]:
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
            stops if end == last else not motion.qd[end].any(),
        )
        for first, end in zip(firsts, ends, strict=True)
    )
