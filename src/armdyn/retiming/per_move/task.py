"""One program to be slowed: from its verification to new factors, its new text, and their verification."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armdyn.errors import InputError
from armdyn.feasibility import Verification
from armdyn.motion.moves import PathMove
from armdyn.motion.planned import Plan
from armdyn.program import ParsedProgram, Program
from armdyn.program.rewriting import rewritten
from armdyn.program.settings import Setting, settings_of
from armdyn.report.wording import percent
from armdyn.retiming.per_move.blocks import Block, blocks_of
from armdyn.retiming.per_move.conditions import Conditions
from armdyn.retiming.per_move.problem import Factors, Problem
from armdyn.retiming.per_move.result import MoveFactors, PerMove
from armdyn.retiming.per_move.search import mended, shortest
from armdyn.retiming.per_move.trials import Trials
from armdyn.retiming.sample_shares import sample_shares
from armdyn.retiming.uniform import uniform

TRIES = 12
"""Rounds in which what the written program still exceeds is given more room."""
ROOM = 3e-4
"""A little more than that, relative."""
CREEPING = 0.1
"""A move so much slower than programmed is worth a note."""

Progress = Callable[[float], None]


@dataclass(frozen=True, eq=False)
class Task:
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
            _check_possible(verification, self.margin)
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
            told = _part(progress, k)
            factors = shortest(problem, factors, told) if fresh else mended(problem, factors)
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
                    near = plan.move[max(sample - 1, 0) : sample + 2]
                    for number in near.clip(block.numbers[0], block.numbers[-1]).tolist():
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
        each = tuple(tuple(allowed[number] for number in block.numbers) for block in blocks)
        return Problem(self._settings, blocks, trials, each)

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
        notes = (*verification.notes, *self._notes(factors, moves))
        return PerMove(moves, self.plan, text, verification, notes)

    def _notes(self, factors: Factors, moves: Sequence[MoveFactors]) -> Iterator[str]:
        """What to say about the factors."""
        for setting, factor in zip(self._settings, factors, strict=True):
            if factor < 1 and len(set(setting.values)) > 1 and not setting.is_scaled:
                yield f"line {setting.place.line}: {setting.option} had several values, now it has one"
        if all(step.turn_acceleration for step in self.program.steps if isinstance(step, PathMove)):
            return
        for move in moves:
            if move.kind != "ptp" and move.speed_factor < CREEPING:
                yield (
                    f"line {move.line}: slowed to {percent(move.speed_factor)} of its speed; if that is "
                    "where the tool's turning jumps between moves, acc_ori or a turn acceleration spreads it"
                )


def _part(progress: Progress | None, k: int) -> Progress:
    """Tells the share of one round, each of which is as long as all that may follow."""
    return lambda share: None if progress is None else progress(1 - 0.5**k * (1 - share / 2))


def _check_possible(verification: Verification, margin: float) -> None:
    """Refuse a program that no speed makes possible."""
    for hindrance in uniform(verification.demand, margin=margin).hindrances:
        if hindrance.relief is None or hindrance.relief > 1:  # at its own speed the program passes the others
            raise hindrance.error()
