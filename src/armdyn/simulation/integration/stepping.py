"""A run with a fixed step."""

from __future__ import annotations

import numpy as np

from armdyn.dynamics.fixed_step import STEPS, State
from armdyn.dynamics.quantities.steps import FASTEST
from armdyn.scalars import Array
from armdyn.simulation.events import beyond_limits, limit_events, point_events
from armdyn.simulation.failures import Stopped, step_too_large
from armdyn.simulation.friction_points import captured
from armdyn.simulation.integration.course import Course, Watch
from armdyn.simulation.plant import Stretch


def advance(course: Course, until: float, watch: Watch) -> None:
    """Go on until a time, recording the samples on the way, that at the end not included."""
    settings, points, dt = course.settings, course.plant.points, course.settings.dt
    one, last = STEPS[settings.integrator], round(until / dt)
    stretches = course.stretches(last * dt)
    rates = points.rates(course.now.x.qd)
    while (now := course.now).step < last:
        stretch = stretches.around(now.t + 0.5 * dt)
        if now.step % settings.every == 0:
            sample(course, stretch)
        x = one(stretch.of_step(), now.t, dt, now.x)
        t = (now.step + 1) * dt
        if not np.abs(x.qd).max() < FASTEST:
            raise Stopped(step_too_large(t, course.plant.dyn.robot, settings.integrator, dt, x.qd))
        qd, rates = captured(points, rates, x.q, x.qd)
        ways, beyond = np.sign(rates), beyond_limits(course.plant.dyn, x.q)
        came = _note_ways(course, t, ways)
        if (beyond != now.beyond).any():
            course.note(limit_events(t, now.beyond, beyond))
        course.reach(t=t, step=now.step + 1, x=State(x.q, qd, x.z), ways=ways, came=came, beyond=beyond)
        watch(t)


def sample(course: Course, stretch: Stretch) -> None:
    """Record where the run is."""
    now = course.now
    qdd, _ = stretch.rates(now.t, now.x)
    tau, _ = stretch.torque(now.t, now.x)
    course.record.add(now.t, now.x, qdd, tau, stretch.acting_outside(now.t))


def _note_ways(course: Course, t: float, ways: Array) -> Array:
    """What friction points did in a step, at the end t of which they have these ways (points).

    One that has come to rest in a step sticks if it still rests after the next, and has turned round if it
    then moves the other way: events are told one step later. Returns the ways of those that have just come.
    """
    now = course.now
    if not now.came.any() and (ways == now.ways).all():
        return now.came
    resting = now.ways == 0
    course.note(point_events(course.plant.dyn, now.t, now.came, np.where(resting, ways, 0.0)))
    before = np.where(resting, ways, now.ways)
    stopping = (before != 0) & (ways == 0)
    course.note(point_events(course.plant.dyn, t, before, np.where(stopping, before, ways)))
    return np.where(stopping, before, 0.0)
