"""A simulation that can be stopped and continued."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.dynamics.fixed_step import STEPS, State
from armdyn.errors import ArmdynError, SimulationError
from armdyn.scalars import Array
from armdyn.simulation.changes import Change, Grasp, robots_after
from armdyn.simulation.events import Event, beyond_limits, limit_events
from armdyn.simulation.failures import Stopped, ends_early
from armdyn.simulation.integration import adaptive, stepping
from armdyn.simulation.integration.course import Course, Now, Record, Settings, Stretches, Watch
from armdyn.simulation.plant import BALANCE, Plant
from armdyn.simulation.results import Checkpoint, Phase, Simulation

ROUNDING = 1e-12
"""Times that differ by less, relative to their size, are the same."""
ON_GRID = 1e-6
"""Times that are off a multiple of a step by less than this share of it are on it."""


@dataclass(frozen=True)
class _Part:
    """A plant that is there until a time."""

    plant: Plant
    start: float
    end: float
    change: Change | None
    """What it begins with"""


@dataclass(frozen=True)
class Earlier:
    """A run that came to an end, or was stopped, before another one."""

    checkpoint: Checkpoint
    time: Array
    """(t)"""
    q: Array
    """(t, n)"""
    qd: Array
    qdd: Array
    tau: Array
    z: Array
    """(t, m) states of the controller, work, what friction took, what was exerted"""
    outside: Array
    """(t, k) the wrench and the motion of the base, those that there were"""
    events: tuple[Event, ...]


class Run:
    """A simulation that can be stopped and continued.

    Args:
        plant: the arm and what acts on it.
        settings: how it is integrated.
        q: (n) where it starts.
        qd: (n) how fast.
        duration: [s]
        changes: what happens to the hand.
        notes: what the result is to say.
        watch: told the time reached, again and again.
    """

    def __init__(
        self,
        plant: Plant,
        settings: Settings,
        q: Array,
        qd: Array,
        duration: float,
        changes: Sequence[Change] = (),
        notes: Sequence[str] = (),
        watch: Watch | None = None,
    ) -> None:
        """At time 0."""
        self._watch = watch or _look_away
        self.settings, self.duration, self.notes = settings, duration, tuple(notes)
        known, self._short = _known(plant, duration)
        self._parts = list(_parts(plant, changes, known, settings))
        self._firsts = [0]
        z = np.zeros(plant.acting.states + BALANCE)
        ways = np.sign(plant.points.rates(qd))
        beyond = beyond_limits(plant.dyn, q)
        now = Now(0.0, 0, State(q, qd, z), ways, 0 * ways, beyond, decided=False)
        self.course = Course(plant, settings, now, Record(plant.dyn.n, len(z), plant.width_outside))
        self.course.note(limit_events(0.0, 0 * beyond, beyond))
        self.course.reach()

    @property
    def changes(self) -> int:
        """How often the hand takes something or lets it go."""
        return len(self._parts) - 1

    def go_on(self, earlier: Earlier) -> None:
        """Continue an earlier run: its samples, and from where it came to."""
        saved, course = earlier.checkpoint, self.course
        kept: Any = earlier.time < saved.t * (1 - ROUNDING)
        columns = (earlier.time, earlier.q, earlier.qd, earlier.qdd, earlier.tau, earlier.z, earlier.outside)
        course.record.extend(*(column[kept] for column in columns))
        course.events = list(earlier.events)
        changed = [event.time for event in earlier.events if event.kind in ("grasp", "release")]
        self._firsts = [0, *np.searchsorted(earlier.time[kept], changed).tolist()]
        arrays = {name: np.array(getattr(saved, name)) for name in ("q", "qd", "z", "ways", "came", "beyond")}
        x = State(arrays.pop("q"), arrays.pop("qd"), arrays.pop("z"))
        course.plant = self._parts[len(self._firsts) - 1].plant
        course.reach(t=saved.t, step=saved.step, x=x, decided=saved.decided, **arrays)

    def go(self, watch: Watch | None = None) -> Simulation:
        """Run to the end, or go on to it; a failure is a `SimulationError` that keeps what there is."""
        self._forget_now()
        try:
            self._go(watch or self._watch)
        except Stopped as stopped:
            raise SimulationError(str(stopped), self.result(str(stopped))) from stopped.__cause__
        except ArmdynError as error:
            raise SimulationError(str(error), self.result(str(error))) from error
        if self._short:
            raise SimulationError(self._short, self.result(self._short))
        return self.result()

    def _forget_now(self) -> None:
        """Samples of where the run is, and those that an interrupted step had begun to record."""
        course = self.course
        time, *_ = course.record.columns(course.now.samples)
        course.record.count = int(np.searchsorted(time, course.now.t * (1 - ROUNDING)))
        del course.events[course.now.happened :]

    def _go(self, watch: Watch) -> None:
        course = self.course
        motion = stepping if self.settings.integrator in STEPS else adaptive
        for part in self._parts[len(self._firsts) - 1 :]:
            if part.plant is not course.plant:
                course.plant = part.plant
                self._firsts.append(course.record.count)
                kind = "grasp" if isinstance(part.change, Grasp) else "release"
                course.note([Event(course.now.t, None, kind)])
                course.reach(decided=False)
            motion.advance(course, part.end, watch)
        last = self._parts[-1]
        motion.sample(course, Stretches(course.plant, last.start, last.end).around(last.end))
        course.reach()

    def result(self, failure: str | None = None) -> Simulation:
        """What there is so far."""
        course, now = self.course, self.course.now
        time, q, qd, qdd, tau, z, outside = course.record.columns(now.samples)
        m = z.shape[1] - BALANCE
        plant = course.plant
        ends = [*self._firsts[1:], len(time)]
        phases = tuple(
            Phase(part.plant.dyn, first, end)
            for part, first, end in zip(self._parts, self._firsts, ends, strict=False)
        )
        return Simulation(
            phases=phases,
            integrator=self.settings.integrator,
            dt=self.settings.dt,
            time=time,
            q=q,
            qd=qd,
            qdd=qdd,
            tau=tau,
            states=z[:, :m],
            work=z[:, m],
            dissipated=z[:, m + 1],
            exerted=z[:, m + 2],
            wrench=None if plant.wrench is None else outside[:, : plant.wrench.width],
            at=plant.at,
            base=None if plant.base is None else outside[:, -plant.base.width :],
            events=tuple(sorted(course.events[: now.happened], key=lambda event: event.time)),
            notes=self.notes,
            failure=failure,
            checkpoint=_checkpoint(now),
        )


def _look_away(_: float) -> None:
    """Nobody watches."""


def _checkpoint(now: Now) -> Checkpoint:
    x = now.x
    arrays = {"q": x.q, "qd": x.qd, "z": x.z, "ways": now.ways, "came": now.came, "beyond": now.beyond}
    plain = {name: tuple(float(v) for v in values) for name, values in arrays.items()}
    return Checkpoint(now.t, now.step, **plain, decided=now.decided)


def _known(plant: Plant, duration: float) -> tuple[float, str | None]:
    """How long the run can last, and why it cannot last to its end."""
    end, source = min(plant.ends)
    if end >= duration * (1 - ROUNDING):
        return duration, None
    return end, ends_early(source, end, duration)


def _parts(plant: Plant, changes: Sequence[Change], duration: float, settings: Settings) -> Iterator[_Part]:
    """The plants one after another; a fixed step sees a change at its nearest end."""
    dyn, step = plant.dyn, settings.dt if settings.integrator in STEPS else None
    if step is not None:
        duration = math.floor(duration / step * (1 + ON_GRID)) * step
    following = robots_after(dyn.robot, changes, duration)
    times = [change.time for change, _ in following]
    if step is not None:
        times = [min(round(time / step) * step, duration) for time in times]
    plants = [plant]
    for _, robot in following:
        plants.append(replace(plant, dyn=Dynamics(robot, dyn.motors, dyn.friction, dyn.method)))
    starts, ends = [0.0, *times], [*times, duration]
    since: list[Change | None] = [None, *(change for change, _ in following)]
    for one, start, end, change in zip(plants, starts, ends, since, strict=True):
        yield _Part(one, start, end, change)
