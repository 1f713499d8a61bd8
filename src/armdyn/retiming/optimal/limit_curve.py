"""The maximum velocity curve: the squared rates above which no acceleration keeps the limits of a place.

At a given x every share of a limit is a chain of straight lines over u. The set of u that keep all limits, if
there is any, ends where some share is 1 or -1; so it is looked for at these u only.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from armdyn.retiming.limits import Limits
from armdyn.retiming.optimal.grid import Grid
from armdyn.scalars import Array
from armdyn.scalars.forms import Form

FASTEST = 1e12
"""Squared rates that are looked at where no speed limits them; what is possible beyond is not limited."""
SLOWEST = 1e-14
"""The least that is looked at, relative to the largest."""
RATIO = 0.75
"""Of a squared rate that is looked at to the one before."""
HALVINGS = 52
"""By which the largest is found between two of them."""
ROUNDING = 1e-11
"""By which a share may exceed a limit that it just reaches."""
FLAT = 1e-300
"""A slope that is none."""


def limit_curve(grid: Grid) -> Array:
    """(N) the largest x at which some u keeps all limits at the start of each interval.

    Speeds count. It is inf where nothing limits x, and 0 where no x will do. What is possible need not be one
    stretch from rest on, with viscous friction and friction under load: squared rates are looked at from the
    largest down.
    """
    limits = grid.starts
    cap = limits.largest_rate**2
    top = np.minimum(cap, FASTEST)
    low, high = np.zeros(limits.count), top.copy()
    found = _possible(limits, top)
    low[found] = top[found]
    x = top
    while not found.all() and (x[~found] > SLOWEST * top[~found]).any():
        above, x = x, RATIO * x
        here = _possible(limits, x) & ~found
        low, high = np.where(here, x, low), np.where(here, above, high)
        found |= here
    high = np.where(found, high, 0.0)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        kept = _possible(limits, middle)
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return np.where(low >= FASTEST, cap, low)


def _possible(limits: Limits, x: Array) -> NDArray[np.bool_]:
    """(N) whether some u keeps all shares at x."""
    u = _ends(limits, x)
    kept = np.ones(u.shape, dtype=bool)
    for limit in limits.shares:
        kept &= np.abs(limit.share.at(u, x)) <= 1 + ROUNDING
    return np.asarray(kept.any(axis=0))


def _ends(limits: Limits, x: Array) -> Array:
    """(m, N) the u at which the u that keep all limits may end; 0 stands where there are fewer."""
    straight = [limit.share for limit in limits.shares if not limit.share.sizes]
    bent = [limit.share for limit in limits.shares if limit.share.sizes]
    turns = Turns(x)
    found = [np.zeros((1, len(x))), *_innermost(straight, x)]
    for share in bent:
        between = turns.of(share)
        found.append(_sorted([turns.reaching(share, between, level) for level in (1.0, -1.0)]))
    u = np.concatenate(found)
    return np.where(np.isfinite(u), u, 0.0)


def _innermost(straight: Sequence[Form], x: Array) -> list[Array]:
    """Two rows (1, N) between which all shares without sizes are kept, if anywhere."""
    if not straight:
        return []
    value, slope, _ = zip(*(share.slopes(np.zeros_like(x), x) for share in straight), strict=True)
    values, slopes = np.stack(value), np.stack(slope)
    steep = np.abs(slopes) > FLAT
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ends = (np.array([-1.0, 1.0])[:, None, None] * np.sign(slopes) - values) / slopes
    first = np.where(steep, ends[0], -np.inf).max(axis=0)
    last = np.where(steep, ends[1], np.inf).min(axis=0)
    return [first[None], last[None]]


# Chains of straight lines ---------------------------------------------------------------------


class Turns:
    """Where forms at x (N) go over from one straight line over u to another; each is looked at once."""

    def __init__(self, x: Array) -> None:
        """Of forms at these x."""
        self._x = x
        self._known: dict[int, tuple[Form, Array]] = {}

    def of(self, form: Form) -> Array:
        """(m, N) increasing u between which the form is straight, inf where there are fewer."""
        return _sorted([np.zeros((0, len(self._x))), *(self._ends(inside) for _, inside in form.sizes)])

    def _ends(self, inside: Form) -> Array:
        """(m, N) where the size of a form turns: where the form does, and where it is 0."""
        if id(inside) not in self._known:  # with the form itself: its id stays its own
            own = self.of(inside)
            self._known[id(inside)] = inside, _sorted([own, self.reaching(inside, own, 0.0)])
        return self._known[id(inside)][1]

    def reaching(self, form: Form, turns: Array, level: float) -> Array:
        """(m + 1, N) the u at which a form with these turns is at a level, inf where there is none."""
        ends = np.full((1, len(self._x)), np.inf)
        low, high = np.concatenate([-ends, turns]), np.concatenate([turns, ends])
        u = _between(low, high)
        value, slope, _ = form.slopes(u, np.broadcast_to(self._x, u.shape))
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            at = u + (level - value) / slope
            near = ROUNDING * (1 + np.abs(at))
            return np.where((at >= low - near) & (at <= high + near), at, np.inf)


def _between(low: Array, high: Array) -> Array:
    """Some u between ends of which one or both may be infinite."""
    below, above = np.isfinite(low), np.isfinite(high)
    with np.errstate(invalid="ignore"):
        beside = np.where(below, low + 1 + np.abs(low), np.where(above, high - 1 - np.abs(high), 0.0))
        return np.where(below & above, 0.5 * (low + high), beside)


def _sorted(parts: Sequence[Array]) -> Array:
    """(m, N) all u of parts (., N) in order, without rows that say nothing."""
    u = np.sort(np.concatenate(parts), axis=0)
    return u[np.isfinite(u).any(axis=1)]
