"""A run with an adaptive integrator, from one event to the next.

Between two events every friction point keeps its way, and the equations are smooth. A step that leaves this
behind is cut where the first way ends: at that instant it is decided anew, for all points together, what
friction holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.dynamics.fixed_step import State
from armdyn.dynamics.quantities.steps import FASTEST
from armdyn.scalars import Array
from armdyn.simulation.events import beyond_limits, joint_of_point, joint_ranges, limit_events, point_events
from armdyn.simulation.failures import (
    Stopped,
    no_acceleration,
    step_too_small,
    too_fast,
    too_many_events,
)
from armdyn.simulation.integration.course import Course, Watch
from armdyn.simulation.plant import Stretch

METHODS = {"dop853": "DOP853", "lsoda": "LSODA"}
"""The integrators of SciPy by armdyn's names."""
LOOKS = (0.5, 1.0)
"""Where in a step events are looked for."""
AT_ONCE = 100
"""Events at one instant, after which there is no end to them."""
INSTANT = 1e-13
"""Times that are closer, relative to the time itself and at least to a second, are one instant."""


def advance(course: Course, until: float, watch: Watch) -> None:
    """Go on until a time, recording the samples on the way, that at the end not included."""
    stretches = course.stretches(until)
    crowd = Crowd(course)
    while course.now.t < until:
        end = stretches.end_of(course.now.t)
        segment = Segment(course, stretches.around(0.5 * (course.now.t + end)), end)
        if not course.now.decided and not segment.holds():
            segment.decide(course.now.t, course.now.x, {})
        segment.run(watch, crowd)


def sample(course: Course, stretch: Stretch) -> None:
    """Record where the run is."""
    Segment(course, stretch, course.now.t).sample(course.now.t, course.now.x)


@dataclass(frozen=True)
class Found:
    """The first way that ends in a step."""

    t: float
    point: int
    way: float
    """In which it slips, 0 if it comes to rest"""


class Crowd:
    """The ways that end at one instant, one after another."""

    def __init__(self, course: Course) -> None:
        """None yet."""
        self._course, self._t, self._count = course, course.now.t, 0
        self.slipping: dict[int, float] = {}
        """Points that have begun to move at this instant, and which way"""

    def join(self, found: Found) -> None:
        """One more; without end they are refused."""
        if found.t - self._t > INSTANT * max(1.0, found.t):
            self._t, self._count = found.t, 0
            self.slipping.clear()
        self._count += 1
        if self._count > AT_ONCE:
            dyn = self._course.plant.dyn
            raise Stopped(too_many_events(found.t, dyn.robot, joint_of_point(dyn, found.point)))
        if found.way:
            self.slipping[found.point] = found.way
        else:
            self.slipping.pop(found.point, None)


class Segment:
    """A stretch of time in which friction points keep their ways."""

    def __init__(self, course: Course, stretch: Stretch, end: float) -> None:
        """From where the course is to the end of the stretch."""
        self.course, self.plant, self.stretch, self.end = course, course.plant, stretch, end
        self.dyn, self.points = course.plant.dyn, course.plant.points
        self._ranges = joint_ranges(self.dyn)
        self._beyond = course.now.beyond

    # Ways ---------------------------------------------------------------------------------------

    def decide(self, t: float, x: State, slipping: Mapping[int, float]) -> None:
        """The run is at x: which points friction holds, and which way the others move.

        Points that are known to slip do: at the edge of what friction holds nothing else decides it.
        """
        course, ways = self.course, self.course.now.ways
        if self.points.count:
            ways = self.points.ways(x.qd, self._accelerations(t, x))
            for point, way in slipping.items():
                ways[point] = ways[point] or way
        course.note(point_events(self.dyn, t, course.now.ways, ways))
        course.reach(t=t, x=x, ways=ways, beyond=self._beyond, decided=True)

    def _accelerations(self, t: float, x: State) -> Array:
        """Accelerations with what sticks decided for all points together."""
        tau, _ = self.stretch.torque(t, x)
        outside: Any = dict(zip(self.plant.given, self.stretch.outside(t), strict=True))
        qdd = self.dyn.forward(x.q, x.qd, tau, **outside)
        if not np.isfinite(qdd).all():
            raise Stopped(no_acceleration(t, self.dyn.robot, x.q, x.qd))
        return qdd

    def holds(self) -> bool:
        """Whether the ways that points have hold under what acts from now on: all of them are clear."""
        now, dry = self.course.now, self.points.dry
        moving = dry & (now.ways != 0)
        rates = self.points.rates(now.x.qd)
        if not (now.ways * rates > 0)[moving].all() or (rates != 0)[dry & ~moving].any():
            return False
        *_, excess, _ = self.stretch.in_ways(now.t, now.x, now.ways)
        return bool((excess[dry] < 0).all())

    # Integration --------------------------------------------------------------------------------

    def run(self, watch: Watch, crowd: Crowd) -> None:
        """Integrate to the end of the stretch, or to the first way that ends."""
        course, begin = self.course, self.course.now
        armed = begin.ways * self.points.rates(begin.x.qd) > 0
        self._check_start(begin.t, begin.x)
        solver = self._solver()
        while solver.status == "running":
            with np.errstate(over="ignore", invalid="ignore"):  # what is no number is told in a sentence
                message: str | None = solver.step()
            if message is not None:
                raise Stopped(self._too_small(message, float(solver.t)))
            self._check_speed(float(solver.t), self._split(solver.y))
            path = solver.dense_output()
            found, armed = self._first_end(path, float(solver.t_old), float(solver.t), armed)
            if found is None:
                self._record(path, float(solver.t))
                x = self._split(solver.y)
                course.reach(t=float(solver.t), x=x, beyond=self._beyond, decided=True)
                watch(course.now.t)
                continue
            crowd.join(found)
            if found.t <= solver.t_old and begin.ways[found.point] != 0:  # it has never begun to move
                ways = np.where(np.arange(self.points.count) == found.point, 0.0, begin.ways)
                course.note(point_events(self.dyn, found.t, begin.ways, ways))
                course.reach(ways=ways)
                return
            self._record(path, found.t)
            self._stop_at(found, self._split(path(found.t)), crowd)
            return
        course.reach(t=self.end, decided=False)  # what acts may jump here

    def _stop_at(self, found: Found, x: State, crowd: Crowd) -> None:
        """What sticks, and what has just come to rest, stands still; then all is decided anew."""
        ways = self.course.now.ways
        resting = self.points.dry & (ways == 0)
        if found.way == 0:
            resting[found.point] = True
            qdd, *_ = self.stretch.in_ways(found.t, x, ways)
            rates, changes = self.points.rates(x.qd), self.points.rates(qdd)
            soon = AT_ONCE * INSTANT * max(1.0, found.t)  # those that stop at the same instant stop, too
            resting |= (ways != 0) & (changes * ways < 0) & (np.abs(rates) <= soon * np.abs(changes))
        still = State(x.q, self.points.stopped(x.q, x.qd, resting), x.z)
        self.decide(found.t, still, crowd.slipping)

    def _solver(self) -> Any:
        integrate: Any = import_module("scipy.integrate")  # slow to import
        now, settings = self.course.now, self.course.settings
        make = getattr(integrate, METHODS[settings.integrator])
        longest = max(min(settings.dt, self.end - now.t), np.spacing(self.end))
        precise = {"rtol": settings.rtol, "atol": settings.atol}
        return make(self._derivative, now.t, np.concatenate(now.x), self.end, max_step=longest, **precise)

    def _derivative(self, t: float, y: Array) -> Array:
        x = self._split(y)
        qdd, zd, *_ = self.stretch.in_ways(t, x, self.course.now.ways)
        return np.concatenate([x.qd, qdd, zd])

    def _split(self, y: Array) -> State:
        n = self.dyn.n
        return State(y[:n], y[n : 2 * n], y[2 * n :])

    def _check_start(self, t: float, x: State) -> None:
        """Stop what is thrown: an integrator may look for a first step without end."""
        self._check_speed(t, x)
        qdd, *_ = self.stretch.in_ways(t, x, self.course.now.ways)
        self._check_speed(t, x._replace(qd=x.qd + INSTANT * qdd))

    def _check_speed(self, t: float, x: State) -> None:
        """Stop what is faster than anything: it would take ever smaller steps, and never arrive."""
        if not np.abs(x.qd).max() < FASTEST:
            raise Stopped(too_fast(t, self.dyn.robot, x.qd))

    def _too_small(self, message: str, t: float) -> str:
        course = self.course
        sentence = step_too_small(t, self.dyn.robot, course.settings.integrator, course.now.x.qd)
        return sentence if "step size" in message else f"{sentence} ({message})"

    # Events -------------------------------------------------------------------------------------

    def _first_end(self, path: Any, begin: float, end: float, armed: Any) -> tuple[Found | None, Any]:
        """The first way that ends in a step, if any does, and which points have really begun to move."""
        last, before = begin, self._moving(path, begin)
        for share in LOOKS:
            t = begin + share * (end - begin)
            after, excess = self._moving(path, t), np.empty(0)
            for look in (*_lowest(last, before, t, after), t):
                excess = self._excess(path, look) if self.points.count else excess
                if (excess > 0).any():
                    found = self._found(path, last, look, np.flatnonzero(excess > 0), armed)
                    self._note_limits(path, last, found.t)
                    return found, armed
            armed = armed | ((self.course.now.ways != 0) & (excess < 0)) if len(excess) else armed
            self._note_limits(path, last, t)
            last, before = t, after
        return None, armed

    def _found(self, path: Any, before: float, after: float, ending: Any, armed: Any) -> Found:
        """Which of the ways that end between two instants does so first."""
        ways = self.course.now.ways
        times = [self._end_of_way(path, before, after, int(k), bool(armed[k])) for k in ending]
        first = min(times)
        k = int(ending[times.index(first)])
        if ways[k] != 0:
            return Found(first, k, 0.0)
        x = self._split(path(first))
        _, _, taken, _, _ = self.stretch.in_ways(first, x, ways)
        return Found(first, k, float(self.points.shaft_ways(x.q, np.sign(taken))[k]))

    def _moving(self, path: Any, t: float) -> tuple[Array, Array]:
        """(points) the rates along their ways of those that move, and how these change."""
        if not self.points.count:
            return np.empty(0), np.empty(0)
        x, ways = self._split(path(t)), self.course.now.ways
        qdd, *_ = self.stretch.in_ways(t, x, ways)
        return ways * self.points.rates(x.qd), ways * self.points.rates(qdd)

    def _excess(self, path: Any, t: float) -> Array:
        """(points) positive where a way has ended.

        Points that hold the same joints between them share what they hold by no law: of these it ends where
        the joints start, however much one of the points is asked for.
        """
        x, ways = self._split(path(t)), self.course.now.ways
        *_, excess, _ = self.stretch.in_ways(t, x, ways)
        doubtful = self.points.redundant & (ways == 0) & (excess > 0)
        if not doubtful.any():
            return excess
        still = State(x.q, self.points.stopped(x.q, x.qd, self.points.dry & (ways == 0)), x.z)
        starts = self.points.rates(self._accelerations(t, still)) != 0
        return np.where(doubtful & ~starts, -excess, excess)

    def _end_of_way(self, path: Any, before: float, after: float, k: int, armed: bool) -> float:
        """When the way of a point ends; at once where it has never begun to move."""
        start = before
        if self._excess(path, start)[k] >= 0:
            start = before + 1e-6 * (after - before)
            if not armed and self._excess(path, start)[k] >= 0:
                return before
        return _just_after(lambda t: float(self._excess(path, t)[k]), start, after)

    def _note_limits(self, path: Any, before: float, after: float) -> None:
        """Joints that leave their ranges, or come back into them, and when."""
        known = self._beyond
        beyond = beyond_limits(self.dyn, self._split(path(after)).q)
        for j in np.flatnonzero(beyond != known):
            edge = self._ranges[0 if -1 in (beyond[j], known[j]) else 1][j]
            t = _root(lambda t, j=j, edge=edge: float(path(t)[j] - edge), before, after)
            self.course.note(limit_events(t, known, np.where(np.arange(self.dyn.n) == j, beyond, known)))
        self._beyond = beyond

    # Samples ------------------------------------------------------------------------------------

    def _record(self, path: Any, end: float) -> None:
        """The samples until the end of a step, that at its end not included: what acts may jump there."""
        course, settings = self.course, self.course.settings
        while (t := settings.sample_time(course.record.count)) < end:
            self.sample(t, self._split(path(t)) if t > course.now.t else course.now.x)

    def sample(self, t: float, x: State) -> None:
        """Record one."""
        qdd, _, _, _, tau = self.stretch.in_ways(t, x, self.course.now.ways)
        self.course.record.add(t, x, qdd, tau, self.stretch.acting_outside(t))


def _root(f: Callable[[float], float], a: float, b: float) -> float:
    """Where f changes its sign; an end where it does not."""
    optimize: Any = import_module("scipy.optimize")
    if f(a) * f(b) > 0 or a == b:
        return b
    return float(optimize.brentq(f, a, b, xtol=1e-15, rtol=8.9e-16))


def _just_after(f: Callable[[float], float], a: float, b: float) -> float:
    """Where f has become positive: where it jumps, the side on which it is."""
    t = _root(f, a, b)
    return t if f(t) > 0 else min(t + 4 * float(np.spacing(abs(t))) + 1e-15, b)


def _lowest(a: float, before: tuple[Array, Array], b: float, after: tuple[Array, Array]) -> list[float]:
    """Where rates fall and rise again between two instants: there they may have been below zero.

    The lowest point of the cubic through both rates and their changes; none where it is clearly above zero.
    """
    found: list[float] = []
    h = b - a
    for r0, s0, r1, s1 in zip(*before, *after, strict=True):
        if not (r0 > 0 and r1 > 0 and s0 < 0 < s1):
            continue
        c, d = 3 * (r1 - r0) - h * (2 * s0 + s1), 2 * (r0 - r1) + h * (s0 + s1)
        root = np.sqrt(max(c * c - 3 * d * h * s0, 0.0))
        share = float(np.clip(-h * s0 / (c + root), 0.0, 1.0)) if c + root else 0.5
        if r0 + share * (h * s0 + share * (c + share * d)) < 0.1 * min(r0, r1):
            found.append(a + share * h)
    return sorted(found)
