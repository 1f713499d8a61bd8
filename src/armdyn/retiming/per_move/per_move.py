"""A program slowed just enough, move by move, and written back.

Every statement that moves has two factors in (0, 1], of its speed and of its acceleration: one that stands in
a loop has the same ones each time. They are looked for so that the program lasts as briefly as can be and
asks nothing impossible: blocks of moves that are not possible are slowed by a common share first, then time is
won back factor by factor, the largest gain first, until none can be raised, nor one be given for another.
"""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError
from armdyn.feasibility import Verification, planned
from armdyn.formats.motion_tables import SUFFIXES
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.planned import Plan
from armdyn.motion.targets import Status
from armdyn.program import ParsedProgram, Program, program_file, read_program, run_program
from armdyn.program.rewriting import rewritten
from armdyn.program.settings import Setting, settings_of
from armdyn.retiming.per_move.blocks import Block, blocks_of
from armdyn.retiming.per_move.conditions import Conditions
from armdyn.retiming.per_move.impossible import check_possible
from armdyn.retiming.per_move.problem import Factors, Problem
from armdyn.retiming.per_move.result import MoveFactors, PerMove
from armdyn.retiming.per_move.search import mended, shortest
from armdyn.retiming.per_move.trials import Trials, sample_shares
from armdyn.robot import Robot

TRIES = 12
"""Rounds in which what the written program still exceeds is given more room."""
ROOM = 3e-4
"""A little more than that, relative."""

Progress = Callable[[float], None]


def per_move(
    file: str | os.PathLike[str],
    robot: Robot | None = None,
    *,
    start: ArrayLike | None = None,
    cycle: float | None = None,
    jerk: float | None = None,
    status: Status = "ignore",
    turn_acceleration: float | None = None,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
    margin: float = 0.0,
    progress: Progress | None = None,
) -> PerMove:
    """Speeds and accelerations of a program's moves with which it is feasible, with the least loss of time.

    Args:
        file: a robot program (.lirl), or the name of an example.
        robot: what moves; by default the robot that the program names.
        start: as for `feasibility.planned`.
        cycle: likewise.
        jerk: likewise.
        status: likewise.
        turn_acceleration: likewise.
        motors: as for `verify`.
        friction: likewise.
        wrench: likewise.
        at: likewise.
        margin: share of every limit that is left free, 0 or more and below 1.
        progress: told the share of the work that is done, 0 to 1, again and again.

    Raises:
        NoSpeedHelpsError: a posture is impossible, or the motors cannot hold the arm.
    """
    path = _program(file)
    if not 0 <= margin < 1:
        raise InputError(f"margin is {margin:g}, expected a share of the limits from 0 to below 1")
    work = planned(
        path, robot, start=start, cycle=cycle, jerk=jerk, status=status, turn_acceleration=turn_acceleration
    )
    plan = work.plan
    conditions = Conditions(
        plan.robot, start, plan.cycle, jerk, status, turn_acceleration, motors, friction, wrench, at
    )
    parsed = read_program(path)
    task = _Task(parsed, run_program(parsed, plan.robot), conditions, plan, margin)
    found = task.done(conditions.verified(work), progress)
    if _has_mark(path):
        found = replace(found, text=f"\ufeff{found.text}")
    if progress is not None:
        progress(1.0)
    return found


def _program(file: str | os.PathLike[str]) -> Path:
    path = program_file(file)
    if path.suffix.lower() in SUFFIXES:
        raise InputError(
            f"{path}: joint samples have no moves whose speeds could be changed, expected a program (.lirl)"
        )
    return path


def _has_mark(path: Path) -> bool:
    """Whether a file begins with the mark of UTF-8, which is no part of the program."""
    with path.open("rb") as opened:
        return opened.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8


@dataclass(frozen=True, eq=False)
class _Task:
    """One program to be slowed."""

    parsed: ParsedProgram
    program: Program
    conditions: Conditions
    plan: Plan
    """As programmed"""
    margin: float

    @cached_property
    def _settings(self) -> tuple[Setting, ...]:
        return settings_of(self.parsed, self.program)

    @cached_property
    def _blocks(self) -> tuple[Block, ...]:
        return blocks_of(self.program.steps, self.plan)

    def done(self, verification: Verification, progress: Progress | None) -> PerMove:
        """The program with factors; as it is where nothing is wrong with it."""
        factors: Factors = (1.0,) * len(self._settings)
        text, watched = self.parsed.source, set[int]()
        allowed = [1.0] * (len(self.plan.moves) + 1)
        trials = Trials(self.conditions, self.margin)
        if not self._fits(verification):
            check_possible(verification, self.margin)
        for k in range(TRIES):
            if self._fits(verification):
                return self._result(factors, text, verification)
            exceeding = self._exceeding(verification)
            fresh = self._with_shared_statements(watched | exceeding.keys()) - watched
            for block in exceeding.keys() & watched:
                for move, share in exceeding[block].items():
                    allowed[move] *= (1 - ROOM) / share
            watched |= fresh
            problem = self._problem(sorted(watched), allowed, trials)
            if fresh:
                factors = shortest(problem, factors, _part(progress, k))
            else:
                factors = mended(problem, factors)
            text = self._text(factors)
            verification = self.conditions.verified(self.conditions.work(text))
        raise InputError(f"no feasible speeds found in {TRIES} rounds; a margin, as 0.01, may help")

    def _fits(self, verification: Verification) -> bool:
        shares = sample_shares(verification.demand, self.margin)
        return not verification.plan.problems and bool((shares <= 1).all())

    def _exceeding(self, verification: Verification) -> dict[int, dict[int, float]]:
        """The blocks in which limits are exceeded, and the most that which of their moves need."""
        plan, shares = verification.plan, sample_shares(verification.demand, self.margin)
        found: dict[int, dict[int, float]] = {}
        for sample in np.flatnonzero(shares > 1).tolist():
            time, share = float(plan.time[sample]), float(shares[sample])
            for k, block in enumerate(self._blocks):
                first, last = block.time(plan)
                if first - plan.cycle < time < last + plan.cycle:
                    most = found.setdefault(k, {})
                    near = plan.move[max(sample - 1, 0) : sample + 2].clip(
                        block.numbers[0], block.numbers[-1]
                    )
                    for number in near.tolist():
                        most[number] = max(most.get(number, 0.0), share)
        return found

    def _with_shared_statements(self, watched: set[int]) -> set[int]:
        """These blocks, and those in which the same statements are executed."""
        places = [{self.program.places[step] for step in block.steps} for block in self._blocks]
        while True:
            concerned = set[object]().union(*(places[k] for k in watched))
            more = {k for k, mine in enumerate(places) if mine & concerned}
            if more == watched:
                return watched
            watched = more

    def _problem(self, watched: Sequence[int], allowed: Sequence[float], trials: Trials) -> Problem:
        blocks = tuple(self._blocks[k] for k in watched)
        return Problem(
            self._settings,
            blocks,
            trials,
            tuple(tuple(allowed[number] for number in block.numbers) for block in blocks),
        )

    def _text(self, factors: Factors) -> str:
        pairs = zip(self._settings, factors, strict=True)
        return rewritten(self.parsed, self.program, {(s.place, s.aspect): factor for s, factor in pairs})

    def _result(self, factors: Factors, text: str, verification: Verification) -> PerMove:
        speeds = zip(self._settings[::2], factors[::2], strict=True)
        accelerations = zip(self._settings[1::2], factors[1::2], strict=True)
        moves = tuple(
            MoveFactors(
                *speed.place,
                speed.kind,
                len(speed.steps),
                speed.values[0],
                speed.with_factor(r)[0],
                acceleration.values[0],
                acceleration.with_factor(s)[0],
            )
            for (speed, r), (acceleration, s) in zip(speeds, accelerations, strict=True)
        )
        return PerMove(
            moves, self.plan.duration, verification.plan.duration, text, verification, verification.notes
        )


def _part(progress: Progress | None, k: int) -> Progress:
    """Tells the share of one round, each of which is as long as all that may follow."""
    return lambda share: None if progress is None else progress(1 - 0.5**k * (1 - share / 2))
