"""Time laws of limited jerk: the fastest motion smoothed over a while, and as fast as all limits then allow.

A mean over a while of the fastest motion's rate moves along the same path, and its jerk is the less the
longer the while is. A joint moves with

    q''' y^3 + 3 q'' y u + q' j

if the motion along the path has the rate y, the acceleration u and the jerk j.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from armdyn.retiming.intervals import Kinks, allowed, beyond, too_fast
from armdyn.retiming.limits import Limits
from armdyn.retiming.optimal.stretches import Stretch
from armdyn.retiming.optimal.time_law import TimeLaw
from armdyn.retiming.torques import Course
from armdyn.scalars import Array

LOOKS, CLOSE_LOOKS = 5, 41
"""Instants of each step, both of its ends among them, at which limits are looked at; in the end many."""
JERK_LOOKS = 8
"""As many times more at which the jerk is: d3q/ds3 may jump anywhere."""
BACK = 1e-9
"""Share of the largest rate that a motion may go back by: rounding."""
WHILES = np.geomspace(0.01, 1.5, 10)
"""Over which the motion is smoothed, as shares of its duration."""
CLOSER = 4
"""Steps towards the best that lies between them."""
GOLDEN = 0.5 * (5**0.5 - 1)


@dataclass(frozen=True, eq=False)
class JerkLimit:
    """The largest jerks of the joints."""

    joints: Array
    """(n) [rad/s3 or m/s3]"""
    cycle: float | None = None
    """In which an acceleration may change all at once as much as the jerk allows it to [s]; None: never"""

    def jolts(self, stretch: Stretch) -> tuple[Array, Array]:
        """(m) where on a stretch the curvature jumps, and the largest x there."""
        places, jumps = stretch.jumps
        if self.cycle is None:
            return np.empty(0), np.empty(0)
        with np.errstate(divide="ignore"):
            return places, (self.joints * self.cycle / jumps).min(axis=1)


@dataclass(frozen=True, eq=False)
class Fastest:
    """The fastest motion along a stretch without regard to jerk."""

    time: Array
    """(m) increasing instants from 0 on [s]"""
    rate: Array
    """(m) ds/dt there, straight between them"""

    def over(self, lasting: float, count: int, length: float) -> TimeLaw:
        """Smoothed over a while, in so many steps."""
        instants: Array = np.linspace(0.0, float(self.time[-1]) + lasting, count + 1)
        # the mean's slope: the difference of the rates at both ends of the while
        later, earlier = (
            np.interp(instants - by, self.time, self.rate, left=0.0, right=0.0) for by in (0.0, lasting)
        )
        acceleration = (later - earlier) / lasting
        steps = np.diff(instants)
        return TimeLaw.ending(steps, np.diff(acceleration) / steps, length)


def smoothed(stretch: Stretch, fastest: Fastest, count: int, jerk: JerkLimit) -> TimeLaw | None:
    """The shortest of the laws that come of smoothing, None if none keeps the limits at any speed."""

    def tried(share: float) -> tuple[float, TimeLaw | None]:
        law = kept(stretch, fastest.over(share * float(fastest.time[-1]), count, stretch.length), jerk)
        return (np.inf if law is None else law.duration), law

    found = {share: tried(share) for share in WHILES.tolist()}
    k = int(np.argmin([lasting for lasting, _ in found.values()]))
    low, high = np.log(WHILES[max(k - 1, 0)]), np.log(WHILES[min(k + 1, len(WHILES) - 1)])
    for _ in range(CLOSER):  # golden section
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        for each in (a, b):
            found.setdefault(float(np.exp(each)), tried(float(np.exp(each))))
        if found[float(np.exp(a))][0] <= found[float(np.exp(b))][0]:
            high = b
        else:
            low = a
    return min(found.values(), key=lambda each: each[0])[1]


def kept(stretch: Stretch, law: TimeLaw, jerk: JerkLimit, looks: int = LOOKS) -> TimeLaw | None:
    """A law at the largest multiple of its speed that keeps all limits; None if there is none."""
    _, y, _, _ = seen = _looked_at(law, looks)
    if y.min() < -BACK * y.max():
        return None
    shares = _jerk_share(stretch, *_looked_at(law, JERK_LOOKS * looks), jerk.joints)
    places, most = jerk.jolts(stretch)
    at_jolts = np.maximum(law.at(law.when(places))[1], 0.0) / np.sqrt(most)
    rates = allowed([*_outside(stretch, *seen), too_fast(np.cbrt(shares)), too_fast(at_jolts)])
    return law.at_speed(rates[-1][1]) if rates else None


def _looked_at(law: TimeLaw, looks: int) -> tuple[Array, Array, Array, Array]:
    """s, y, u and j (t) at so many instants of every step."""
    step = np.repeat(np.arange(len(law.steps)), looks)
    s, y, u = law.within(step, np.tile(np.linspace(0.0, 1.0, looks), len(law.steps)) * law.steps[step])
    return s, y, u, law.jerk[step]


def used(stretch: Stretch, law: TimeLaw, looks: int = LOOKS) -> Array:
    """(M) the largest share of any limit other than that of the jerk in each step."""
    s, y, u, _ = _looked_at(law, looks)
    limits = _limits(stretch, s, np.maximum(y, 0.0), u)
    shares = [np.abs(limit.share.at(0.0, 1.0)) for limit in limits.shares]
    every = [
        np.broadcast_to(share, y.shape) for share in (*shares, *(limit.share for limit in limits.speeds))
    ]
    return np.max(every, axis=0, initial=0.0).reshape(-1, looks).max(axis=1)


def _outside(stretch: Stretch, s: Array, y: Array, u: Array, _: Array) -> Iterator[Array]:
    """Intervals (m, 2) of multiples of the speed at which a limit other than that of the jerk is not kept."""
    moving = y > 0
    limits = _limits(stretch, s[moving], y[moving], u[moving])
    kinks = Kinks(limits.count)
    for limit in limits.shares:
        yield beyond(limit.share, kinks)[0]
    for limit in limits.speeds:
        yield too_fast(limit.share)


def _limits(stretch: Stretch, s: Array, y: Array, u: Array) -> Limits:
    """What limits multiples of the speed of a motion."""
    q, first, second, _ = stretch.at(np.clip(s, 0.0, stretch.length))
    y, u = y[:, None], u[:, None]
    return stretch.limits(Course(q, first * y, np.zeros_like(q), first * u + second * y * y))


def _jerk_share(stretch: Stretch, s: Array, y: Array, u: Array, j: Array, jerk: Array) -> Array:
    """(t) how much of their jerks the joints take, the largest share of all."""
    _, first, second, third = stretch.at(np.clip(s, 0.0, stretch.length))
    y, u, j = (values[:, None] for values in (y, u, j))
    return (np.abs(third * y**3 + 3 * second * y * u + first * j) / jerk).max(axis=1)
