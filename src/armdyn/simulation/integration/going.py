"""Many runs under way."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics.fixed_step import STEPS, Rates, State
from armdyn.dynamics.quantities.steps import FASTEST
from armdyn.scalars import Array
from armdyn.scalars.batch import Runner
from armdyn.simulation.acting import Law
from armdyn.simulation.friction_points import Flags, FrictionPoints, captured
from armdyn.simulation.integration.batch import Batch

WRENCH = 6
Numbers = NDArray[np.intp]
"""Which of the runs."""


class Going:
    """Runs under way, each with the ways of its friction points.

    A compiled step does all runs at once, each in its ways. Where a way does not hold any more, or is not
    known, the step is done again: what sticks is decided, and what has turned round comes to rest.
    """

    def __init__(self, batch: Batch, threads: int) -> None:
        """At time 0; so many threads share each step."""
        self._batch, self._dyn, self._points = batch, batch.dyn, FrictionPoints(batch.dyn)
        self._varied = dict(batch.arrays)
        q, qd = self._varied.pop("q").copy(), self._varied.pop("qd").copy()
        self._threads = {"threads": threads} if threads > 1 else {}
        self.x = State(q, qd, np.zeros((len(q), batch.acting.states)))
        self._spare = np.empty_like(q), np.empty_like(qd), np.empty((len(q), 1))
        self._ways = np.sign(self._points.rates(qd))
        self._known: Flags = (~self._points.dry | (self._ways != 0)).all(axis=-1)
        """(N) whether the ways of a run hold as far as anybody knows: what has just come to rest may not"""
        self._cuts = np.concatenate([[-math.inf], batch.breaks, [math.inf]])
        self._law: Law | None = None
        self._wrench: Callable[[float], Array] | None = None
        self._until = -math.inf
        self._done = 0

    def advance(self, steps: int) -> None:
        """Go on until so many steps are behind."""
        while self._done < steps:
            t = self._done * self._batch.dt
            if t + 0.5 * self._batch.dt >= self._until:
                self._enter(t + 0.5 * self._batch.dt)
            if self._compiled is None:
                self._decide(t, np.arange(len(self.x.q)), self.x, None)
            else:
                self._step(t, self._compiled)
            self._done += 1

    def _enter(self, t: float) -> None:
        """Choose the pieces of what acts around an instant."""
        k = int(np.searchsorted(self._cuts, t, side="right"))
        start, self._until = max(float(self._cuts[k - 1]), 0.0), float(self._cuts[k])
        end = self._until if math.isfinite(self._until) else 2 * t + 1
        self._law = self._batch.acting.between(start, end)
        self._wrench = None if self._batch.wrench is None else self._batch.wrench.between(start, end)

    def _torque(self, t: float, x: State) -> tuple[Array, Array]:
        assert self._law is not None
        return self._law(t, x.q, x.qd, x.z)

    # All runs at once ---------------------------------------------------------------------------

    @cached_property
    def _compiled(self) -> Runner | None:
        """The step as one quantity; none where it needs torques of states that are not known yet."""
        batch, dyn = self._batch, self._dyn
        if batch.integrator == "rk4" and not (batch.is_open and batch.wrench is None and dyn.steps_are_short):
            return None
        given = {"ways": bool(self._points.dry.any()), "wrench": batch.wrench is not None}
        return dyn.step(batch.integrator, *(name for name, there in given.items() if there), *self._varied)

    def _step(self, t: float, compiled: Runner) -> None:
        """One step of all runs, and once more of those in which a way has ended."""
        x, dt = self.x, self._batch.dt
        tau, rate = self._torque(t, x)
        torques = [_rows(tau, x.q.shape)]
        if self._batch.integrator == "rk4":
            torques += [_rows(self._torque(t + share * dt, x)[0], x.q.shape) for share in (0.5, 1.0)]
        inputs = {"q": x.q, "qd": x.qd, "dt": self._dt, "ways": self._ways, **self._varied}
        inputs |= zip(("tau", "tau_middle", "tau_end"), torques, strict=False)
        if self._wrench is not None:
            inputs["wrench"] = self._touching(t)
        q, qd, alarm = self._spare
        compiled.run(inputs, q, qd, alarm)
        self._spare, self.x = (x.q, x.qd, alarm), State(q, qd, x.z + rate * dt)
        quiet: Any = alarm[:, 0] <= 0
        quiet &= self._known
        if not quiet.all():
            again = np.flatnonzero(~quiet)
            self._decide(t, again, x, [torque[again] for torque in torques])

    @cached_property
    def _dt(self) -> Array:
        return np.full((len(self.x.q), 1), self._batch.dt)

    def _touching(self, t: float) -> Array:
        assert self._wrench is not None
        return _rows(self._wrench(t), (len(self.x.q), WRENCH))

    # Some runs, with decisions ------------------------------------------------------------------

    def _decide(self, t: float, runs: Numbers, before: State, torques: list[Array] | None) -> None:
        """One step of some runs, from the states before it.

        What sticks is decided in its first stage, and what has turned round at its end comes to rest. Torques
        of its beginning, middle and end are given, unless it is a step of all runs.
        """
        here = State(before.q[runs], before.qd[runs], before.z[runs])
        ways = self._ways[runs]
        with np.errstate(over="ignore", invalid="ignore"):  # runs that blow up
            after = STEPS[self._batch.integrator](
                self._rates(t, runs, ways, torques), t, self._batch.dt, here
            )
            wild = ~(np.abs(after.qd) < FASTEST).all(axis=-1)
        after.q[wild], after.qd[wild] = math.nan, math.nan
        started = self._points.rates(here.qd)
        added = self._varied["added"][runs] if "added" in self._varied else None
        qd, moving = captured(self._points, started, after.q, after.qd, added)
        self._known[runs] = ~(self._points.dry & (moving == 0) & (ways != 0)).any(axis=-1)
        self._ways[runs] = np.sign(moving)
        self.x.q[runs], self.x.qd[runs], self.x.z[runs] = after.q, qd, after.z

    def _rates(self, start: float, runs: Numbers, ways: Array, torques: list[Array] | None) -> Rates:
        """Accelerations in the stages of a step, ways changed to those that the first one decides."""
        stages = 0

        def rates(t: float, x: State) -> tuple[Array, Array]:
            nonlocal stages
            stages += 1
            if torques is None:
                tau, rate = self._torque(t, x)
            else:  # of one stage, or of the beginning, the middle and the end
                tau, rate = torques[min(round(2 * (t - start) / self._batch.dt), len(torques) - 1)], 0 * x.z
            options = self._options(t, runs)
            if not self._points.dry.any():
                return self._dyn.forward(x.q, x.qd, tau, **options), rate
            qdd, excess = self._in_ways(x, tau, ways, options)
            if stages == 1:
                some: Any = np.flatnonzero(~self._known[runs] | (excess > 0).any(axis=-1))
                options = {k: v if k == "threads" else v[some] for k, v in options.items()}
                part = State(x.q[some], x.qd[some], x.z[some])
                ways[some] = self._points.ways(
                    part.qd, self._dyn.forward(part.q, part.qd, tau[some], **options)
                )
                qdd[some] = self._in_ways(part, tau[some], ways[some], options)[0]
            return qdd, rate

        return rates

    def _in_ways(self, x: State, tau: Array, ways: Array, options: dict[str, Any]) -> tuple[Array, Array]:
        """Accelerations in given ways, and by how much more than friction can take what sticks is pulled."""
        shafts = self._points.shaft_ways(x.q, ways)
        qdd, _, excess = self._dyn.motion_in_ways(x.q, x.qd, tau, shafts, **options)
        sticking = self._points.dry & (ways == 0)
        return self._points.hold(qdd, ways), np.where(sticking, excess, 0.0)

    def _options(self, t: float, runs: Numbers) -> dict[str, Any]:
        """What else acts on some runs, and how they differ from the robot."""
        options: dict[str, Any] = {name: x[runs] for name, x in self._varied.items()} | self._threads
        return options if self._wrench is None else options | {"wrench": self._touching(t)[runs]}


def _rows(x: Array, shape: tuple[int, ...]) -> Array:
    """(N, ..) rows of doubles side by side, as compiled code reads them."""
    rows = np.broadcast_to(x, shape)
    return rows if rows.strides[-1] == rows.itemsize else np.ascontiguousarray(rows)
