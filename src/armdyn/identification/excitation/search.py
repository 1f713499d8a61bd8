"""The search for the most exciting motion: from the best of many random ones downhill, in stages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InfeasibleError
from armdyn.identification.excitation.bases import Basis
from armdyn.identification.excitation.course import Course
from armdyn.identification.excitation.criterion import (
    CriterionName,
    condition_number,
    quality,
    smooth_quality,
)
from armdyn.identification.excitation.descent import Step, descend
from armdyn.identification.excitation.draws import Drawn, draw
from armdyn.identification.excitation.experiment import Experiment
from armdyn.identification.excitation.limits import Limits
from armdyn.identification.excitation.objective import Objective, Stage
from armdyn.scalars import Array

PER_WAVE = 20
"""Instants of the search's grid for each wave of the quickest function."""
FINER = 10
"""How much finer the grid is on which limits are kept and results are counted."""
BETWEEN = 0.999
"""Share of the limits that is used on that grid: between its instants a wave rises by 1 - cos(pi/200)."""
STAGES = (Stage(1e-1, 1, 0.1), Stage(1e-2, 3, 0.05), Stage(1e-3, 5, 0.02))
GAIN = 1e-3
"""A stage is over when ten steps make the criterion better by less than this."""
INSIDE = 0.97
"""What a search starts from keeps that far off the limits: on a limit the barrier is infinite."""
SCREEN = 6
"""Doublings of the power means that random motions are compared by first: within log(b)/64."""
AT_ONCE = 250
"""Random motions at once."""
ROUNDS = 20
"""So many times more are drawn at most, where few keep all limits."""
RANDOM = 0.1
"""Share of the work that random motions are."""
SHRINKING = 40
"""Halvings in the search for the share of a motion that keeps all limits."""


@dataclass(frozen=True, eq=False)
class Candidate:
    """A motion that keeps all limits, and how exciting it is."""

    course: Course
    value: float
    """Of the criterion: the lower the better"""
    condition_number: float


@dataclass(frozen=True, eq=False)
class Found:
    """What a search has found."""

    best: Candidate
    random: Candidate
    """The best of the random motions"""
    drawn: int
    """How many random motions there were"""
    finished: bool
    """False if it was stopped before its end"""


@dataclass(frozen=True, eq=False)
class Search:
    """What is searched for, and how long."""

    experiment: Experiment
    limits: Limits
    basis: Basis
    criterion: CriterionName
    random: int
    """Motions that are drawn"""
    starts: int
    """Of them, from how many to go downhill"""
    steps: int
    """At most, in each stage"""
    seed: int

    @property
    def grid(self) -> Array:
        """(t) instants of the search, with rows enough for all parameters [s]."""
        rows = 2 * len(self.experiment.base) // self.experiment.arm.dyn.n
        return np.linspace(0.0, self.basis.duration, max(PER_WAVE * self.basis.waves, rows) + 1)

    @property
    def fine_grid(self) -> Array:
        """(t) instants on which limits are kept [s]."""
        return np.linspace(0.0, self.basis.duration, FINER * (len(self.grid) - 1) + 1)

    def run(self, progress: Callable[[str, float], None], stopped: Callable[[], bool]) -> Found:
        """Search; once stopped, what has been found until then."""
        drawn, values = self._drawn(progress, stopped)
        order = np.argsort(values, kind="stable")
        random = best = self._first(drawn, order)
        for k, start in enumerate(order[: self.starts].tolist()):
            if stopped():
                break

            def seen(stage: int, step: Step, k: int = k) -> bool:  # told of every step
                share = (k + (stage + step.number / self.steps) / len(STAGES)) / self.starts
                progress(f"start {k + 1} of {self.starts}", RANDOM + (1 - RANDOM) * share)
                return stopped()

            found = self._downhill(drawn.course(start), drawn.centres[start], seen)
            best = min((best, *found), key=lambda candidate: candidate.value)
        return Found(best, random, len(values), not stopped())

    # Random motions -------------------------------------------------------------------------

    def _drawn(
        self, progress: Callable[[str, float], None], stopped: Callable[[], bool]
    ) -> tuple[Drawn, Array]:
        """Random motions, and the criterion of each: exact for the best, a bound for the others."""
        rng = np.random.default_rng(self.seed)
        parts, informations, have = list[Drawn](), list[Array](), 0
        grid = self.grid
        phi = self.basis.at(grid)
        for _ in range(ROUNDS * (1 + self.random // AT_ONCE)):
            part = draw(self.limits, self.basis, grid, min(AT_ONCE, self.random), rng)
            q, qd, qdd = np.einsum("dts,csn->dctn", phi, part.coefficients)
            parts.append(part)
            informations.append(self.experiment.information(q, qd, qdd))
            have += len(part.centres)
            progress("random motions", RANDOM * min(have / self.random, 1.0))
            if have >= self.random or (have and stopped()):
                break
        if not have:
            raise _no_room(self.limits)
        coefficients = np.concatenate([part.coefficients for part in parts])[: self.random]
        centres = np.concatenate([part.centres for part in parts])[: self.random]
        A = np.concatenate(informations)[: self.random]
        return Drawn(self.basis, coefficients, centres), self._compared(A)

    def _compared(self, A: Array) -> Array:
        """(count) the criterion, bounded from above by power means for all that cannot be the best."""
        values = np.asarray(smooth_quality(self.criterion, A, SCREEN)[0])
        near = values <= values.min() + np.log(A.shape[-1]) / 2**SCREEN
        values[near] = quality(self.criterion, A[near])
        return values

    def _first(self, drawn: Drawn, order: NDArray[np.intp]) -> Candidate:
        """The best random motion that keeps the limits on the fine grid, made a little smaller if need be."""
        for k in order.tolist():
            found = self.within(drawn.course(k), drawn.centres[k])
            if found is not None:
                return found
        raise _no_room(self.limits)

    # Downhill -------------------------------------------------------------------------------

    def _downhill(self, course: Course, centre: Array, seen: Callable[[int, Step], bool]) -> list[Candidate]:
        """The motion after each stage, as far as it keeps the limits on the fine grid."""
        objective = Objective(
            self.experiment, self.limits, self.basis, self.criterion, self.grid, self.limits.usable
        )
        x = objective.variables(course.shrunk(INSIDE, centre))
        if not np.isfinite(objective.value(x, STAGES[0])):
            return []
        found: list[Candidate | None] = []
        for number, stage in enumerate(STAGES):
            last = descend(
                partial(objective.value, stage=stage),
                partial(objective.gradient, stage=stage),
                x,
                self.steps,
                GAIN,
                partial(seen, number),
            )
            x = last.x
            course = objective.course(x)
            found.append(self.within(course, course.at(self.grid)[0].mean(axis=0)))
        return [candidate for candidate in found if candidate is not None]

    def within(self, course: Course, centre: Array) -> Candidate | None:
        """The largest share of a motion, shrunk towards a posture, that keeps all limits; None if none."""
        if self._keeps(course):
            return self._candidate(course)
        low, high = 0.0, 1.0
        for _ in range(SHRINKING):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self._keeps(course.shrunk(middle, centre)) else (low, middle)
            if low and high - low < 1e-6:
                break
        return self._candidate(course.shrunk(low, centre)) if low > 0 else None

    def _keeps(self, course: Course) -> bool:
        return bool(self.limits.largest(*course.at(self.fine_grid)).max() <= BETWEEN * self.limits.usable)

    def _candidate(self, course: Course) -> Candidate:
        A = self.experiment.information(*course.at(self.fine_grid))
        return Candidate(course, float(quality(self.criterion, A)), float(condition_number(A)))


def _no_room(limits: Limits) -> InfeasibleError:
    worst = limits.others[0].quantity if limits.others else "position"
    return InfeasibleError(
        f"no motion keeps all limits: wherever the arm can rest, the least motion exceeds {worst} limits; "
        "give wider ones, or a longer duration",
        quantity=worst,
    )
