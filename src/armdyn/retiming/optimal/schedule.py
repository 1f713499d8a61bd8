"""A path in time: where the arm is at every instant, and the plan that this is."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from math import ceil

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.motion.assembly import line_numbers, move_numbers
from armdyn.motion.legs import ON_GRID, sample_times
from armdyn.motion.planned import Phase, Plan, PlannedMove
from armdyn.motion.problems import position_problems
from armdyn.motion.walk import MOST_SAMPLES
from armdyn.retiming.optimal.grid import Grid
from armdyn.retiming.optimal.passes import Profile
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Schedule:
    """A profile along the intervals (N) of a path, with the waits between them."""

    grid: Grid
    profile: Profile

    @cached_property
    def _durations(self) -> Array:
        """(N) of the intervals [s], inf where the speeds are too small for a number."""
        with np.errstate(divide="ignore"):
            return 2 * self.grid.step / (np.sqrt(self.profile.x) + np.sqrt(self.profile.z))

    @cached_property
    def begins(self) -> Array:
        """(N) when each interval begins [s]."""
        waits = np.zeros(len(self.grid.step))
        waits[self._lasts] = [part.piece.wait for part in self.grid.parts]
        ends = np.cumsum(self._durations + waits)
        return self.grid.path.wait_before + np.append(0.0, ends[:-1])

    @cached_property
    def ends(self) -> Array:
        """(N) when each interval ends, before any wait [s]."""
        return self.begins + self._durations

    @property
    def duration(self) -> float:
        """Of the whole [s], the last wait included."""
        return float(self.ends[-1]) + self.grid.parts[-1].piece.wait

    @property
    def part_ends(self) -> Array:
        """(parts) when each part ends, before any wait [s]."""
        return self.ends[self._lasts]

    @cached_property
    def _lasts(self) -> NDArray[np.intp]:
        """The last interval of each part."""
        return np.cumsum([part.count for part in self.grid.parts]) - 1

    def at(self, time: Array) -> tuple[Array, Array, Array]:
        """q, qd and qdd (t, n) at instants (t); at rest in waits, and before and after the motion.

        Where the motion ends without stopping it goes on as it is.
        """
        k = np.clip(np.searchsorted(self.begins, time, side="right") - 1, 0, None)
        since = time - self.begins[k]
        lasting = self._durations[k]
        under_way = (since >= 0) & (since <= lasting)
        tau = np.clip(since, 0.0, lasting)
        u, y = self.profile.u[k], np.sqrt(self.profile.x[k])
        rate = np.maximum(y + u * tau, 0.0)
        way = np.clip((y + 0.5 * u * tau) * tau, 0.0, self.grid.step[k])
        q, qd, qdd = self._along(k, way, np.where(under_way, rate, 0.0), np.where(under_way, u, 0.0))
        beyond = np.flatnonzero((time > self.ends[-1]) & ~self.grid.rests_after[-1])
        if len(beyond):
            qd[beyond] = self._along(k[beyond], way[beyond], rate[beyond], u[beyond])[1]
            q[beyond] += (time[beyond] - self.ends[-1])[:, None] * qd[beyond]
        return q, qd, qdd

    def _along(self, k: NDArray[np.intp], way: Array, rate: Array, u: Array) -> tuple[Array, Array, Array]:
        """q, qd, qdd at a way into intervals."""
        n = self.grid.path.robot.n
        q, first, second = (np.empty((len(k), n)) for _ in range(3))
        offsets = np.append(0, self._lasts[:-1] + 1)
        for number, part in enumerate(self.grid.parts):
            mine = np.flatnonzero(self.grid.part_of[k] == number)
            if len(mine):
                p = np.clip(part.p[k[mine] - offsets[number]] + way[mine], 0.0, part.piece.curve.length)
                q[mine], first[mine], second[mine] = part.piece.curve.at(p)
        return q, first * rate[:, None], first * u[:, None] + second * (rate * rate)[:, None]

    # As a plan ------------------------------------------------------------------------------

    def plan(self, cycle: float) -> Plan:
        """The motion sampled every cycle."""
        path = self.grid.path
        if self.duration / cycle > MOST_SAMPLES:
            raise InputError(
                f"the motion lasts {self.duration:g} s, more than {MOST_SAMPLES} samples of {cycle:g} s; "
                "use a longer cycle"
            )
        count = ceil(self.duration / cycle - ON_GRID) + 1
        time = sample_times(count, cycle)
        q, _, _ = self.at(time)
        moves = self._moves()
        move = move_numbers(moves, count, cycle)
        return Plan(
            path.robot,
            cycle,
            time,
            q,
            move,
            line_numbers(moves, move),
            moves,
            self._phases(count, cycle),
            tuple(position_problems(path.robot, cycle, q, move, moves)),
            self.duration,
            path.notes,
            self._first_velocity,
        )

    @property
    def _first_velocity(self) -> Array | None:
        """(n) with which the motion begins, None at rest."""
        first = self.grid.parts[0]
        return first.first[0] * float(np.sqrt(self.profile.x[0])) if self.profile.x[0] > 0 else None

    def _moves(self) -> tuple[PlannedMove, ...]:
        """The moves of the path one behind the other; those without a way of their own are waits."""
        moves: list[PlannedMove] = []
        start, q = 0.0, self.grid.parts[0].q[0]
        for number, move in enumerate(self.grid.path.moves, 1):
            mine = [k for k, part in enumerate(self.grid.parts) if part.piece.move == number]
            end, stops = start + move.wait, True
            if mine:
                last = self.grid.parts[mine[-1]]
                end, q, stops = float(self.ends[self._lasts[mine[-1]]]), last.q[-1], last.piece.stops
            moves.append(PlannedMove(move.line, move.kind, start, end, q, stops))
            start = end
        return (*moves[:-1], replace(moves[-1], end=self.duration))

    def _phases(self, count: int, cycle: float) -> tuple[Phase, ...]:
        """Stretches of samples with one tool and payload each."""
        phases: list[Phase] = []
        for robot, group in groupby(enumerate(self.grid.parts), key=lambda each: each[1].piece.robot):
            number, _ = list(group)[-1]
            end = float(self.ends[self._lasts[number]])
            first = phases[-1].last if phases else 0
            last = min(ceil(end / cycle - ON_GRID), count)
            if last > first:
                phases.append(Phase(robot, first, last))
        phases[-1] = Phase(phases[-1].robot, phases[-1].first, count)
        return tuple(phases)
