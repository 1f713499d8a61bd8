"""A time law made shorter by linear programs, each about the motion that the last one gave.

A joint's jerk divided by the mean rate ds/t of a step, which goes with the root of x, is linear in u and x,
and only the right side is not,

    q''' x + 3 q'' u + q' (u' - u)/ds <= J t/ds;

it is convex in x: its tangent is below, and what keeps it keeps the limit. Other limits are taken by their
tangents. Whatever comes out is held to the limits themselves, and slowed where it must be.
"""

from __future__ import annotations

import numpy as np

from armdyn.retiming.optimal.jerk_program import Places, Program
from armdyn.retiming.optimal.rows import rows
from armdyn.retiming.optimal.smoothing import JerkLimit, kept, used
from armdyn.retiming.optimal.stretches import Stretch
from armdyn.retiming.optimal.time_law import TimeLaw
from armdyn.retiming.torques import Course
from armdyn.scalars import Array

ROUNDS = 16
BOLD = 4
"""Rounds after which only half of what a program proposes is done."""
PATIENCE = 2
"""Further rounds that gain nothing before no more are made."""
SETTLED = 5e-4
"""By which the duration, relative, changes from one round to the next if another is worth it."""
TANGENTS = np.array([0.35, 0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 2.0, 2.8])
"""Multiples of x at which the duration of a step, which is convex, is taken by its tangents."""
JERK_AT, LIMITS_AT = (0.01, 0.99), (0.01, 0.34, 0.67, 0.99)
"""Shares of a step at which the program keeps limits."""
TIGHTEST = 0.3
"""Share of the limits that is left free in a step at most."""
NEAR = 0.6
"""Share of a limit that is left where the program does not look at it."""


def shortened(stretch: Stretch, law: TimeLaw, jerk: JerkLimit) -> TimeLaw:
    """The law, or one that is shorter; it keeps the limits as `kept` looks at them."""
    where, _ = jerk.jolts(stretch)
    places, best = Places.of(law.with_steps_at(law.when(where))), law
    tightened = np.zeros(len(places.t))
    gained = 0
    for k in range(ROUNDS):
        following = _proposed(stretch, places, jerk, tightened) if places.moves else None
        if following is None:
            break
        if k >= BOLD:  # programs that take turns come together
            following = places.halfway(following)
        proposed = following.law(stretch.length)
        found = kept(stretch, proposed, jerk)
        if found is not None and found.duration < best.duration:
            gained = k if found.duration < (1 - SETTLED) * best.duration else gained
            best = found
        settled = abs(following.t.sum() / places.t.sum() - 1) < SETTLED
        places = following
        if settled and found is not None and found.duration < (1 + SETTLED) * proposed.duration:
            break
        if k >= max(gained + PATIENCE, BOLD):
            break
        if settled:  # what is exceeded between the instants that the program looks at
            tightened = np.clip(tightened + used(stretch, proposed) - 1, 0.0, TIGHTEST)
    return best


# The limits as rows ---------------------------------------------------------------------------


def _proposed(stretch: Stretch, places: Places, jerk: JerkLimit, tightened: Array) -> Places | None:
    """The shortest motion as the linear program sees it, or None if it sees none."""
    program = Program(places)
    for part in TANGENTS:  # t relative to what it was: x^-1/2 by its tangents
        most = np.full(program.count, -1.5 * part**-0.5)
        program.add(-0.5 * part**-1.5 * program.mean, 0 * program.u[0], -program.one_t, most)
    for share in JERK_AT:
        _add_jerk(program, stretch, share, jerk.joints)
    _add_jolts(program, *jerk.jolts(stretch))
    _add_limits(program, stretch, tightened)
    return program.solved()


def _add_jerk(program: Program, stretch: Stretch, share: float, jerk: Array) -> None:
    """Limits of the jerk at a share of every step."""
    here, places = program.between(share), program.places
    _, *slopes = stretch.at(here.s)
    rate = places.way / places.t
    step = program.u[1] - program.u[0]
    for first, second, third, limit in zip(*(slope.T for slope in slopes), jerk, strict=True):
        by_u = program.scaled(first * rate / (limit * places.way), step)
        by_u = by_u + program.scaled(3 * second * rate / limit, here.by_u)
        by_x = program.scaled(third * rate / limit, here.by_x)
        for side in (1, -1):  # the root of x on the right by its tangent
            most = np.full(program.count, 1.5)
            program.add(side * by_x + 0.5 * program.mean, side * by_u, program.no_t, most)


def _add_jolts(program: Program, places: Array, most: Array) -> None:
    """Limits of x where the curvature jumps, at the nearest ends of steps."""
    s = program.places.s[1:]
    step = np.array([np.argmin(np.abs(s - place)) for place in places], dtype=np.intp)
    by_u, by_t = 0 * program.u[1][step], program.no_t[step]
    program.add(program.scaled(1 / most, program.x[1][step]), by_u, by_t, np.ones(len(step)))


def _add_limits(program: Program, stretch: Stretch, tightened: Array) -> None:
    """All other limits at some instants of every step, torques and accelerations by their tangents."""
    every = [program.between(share) for share in LIMITS_AT]
    s, u, x = (
        np.concatenate(values) for values in zip(*((here.s, here.u, here.x) for here in every), strict=True)
    )
    q, first, second, _ = stretch.at(s)
    limits = stretch.limits(Course(q, first, first, second))
    less = np.tile(tightened, len(every))
    a, b, c = rows(limits, u, x)
    a, b, c = (np.column_stack(both) for both in ((a, 0 * x), (b, limits.largest_rate**-2), (c, 0 * x + 1)))
    by_x, by_u = (
        program.stacked([here.by_x for here in every]),
        program.stacked([here.by_u for here in every]),
    )
    for of_u, of_x, most in zip(a.T, b.T, c.T, strict=True):
        near = np.flatnonzero(of_u * u + of_x * x > most - NEAR)
        no_t = program.no_t[near % program.count]
        program.add(
            program.scaled(of_x[near], by_x[near]),
            program.scaled(of_u[near], by_u[near]),
            no_t,
            (most - less)[near],
        )
