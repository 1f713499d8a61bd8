"""The maximum velocity curve: the squared rates above which no acceleration keeps the limits of a place.

At a given x every share of a limit is a chain of straight lines over u, which turns where the inside of a
size is 0. Between two turns next to one another, of whatever shares, all shares are straight, and the u that
keep them all are what is common to as many stretches.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from armdyn.retiming.limits import Limits
from armdyn.retiming.optimal.grid import Grid
from armdyn.scalars import Array
from armdyn.scalars.forms import Form

FASTEST = 1e12
"""Squared rates that are looked at where no speed limits them; what is possible there is not limited."""
COARSE, COARSE_STEPS = 1 / 16, 14
"""Of a squared rate that is looked at to the one before it, and how many are."""
FINE, FINE_STEPS = 0.75, 9
"""The same between two of these."""
HALVINGS = 42
"""By which the largest is found between two that are next to one another."""
ROUNDING = 1e-12
"""By which a share that does not depend on u may exceed its limit."""


def limit_curve(grid: Grid) -> Array:
    """(N) the largest x at which some u keeps all limits at the start of each interval.

    Speeds count. It is inf where nothing limits x, and 0 where no x will do. With viscous friction and
    friction under load what is possible need not be one stretch from rest on: squared rates are looked at
    from the largest down.
    """
    limits = replace(grid, room=None).starts
    chains = Chains.of(limits)
    cap = limits.largest_rate**2
    top = np.minimum(cap, FASTEST)
    at_top = chains.possible(top)
    low, high = np.where(at_top, top, 0.0), top
    for ratio, steps in ((COARSE, COARSE_STEPS), (FINE, FINE_STEPS)):
        low, high = _scanned(chains, low, high, ratio, steps)
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        kept = chains.possible(middle)
        low, high = np.where(kept, middle, low), np.where(kept, high, middle)
    return np.where(at_top, cap, np.where(chains.possible(low), low, 0.0))


def _scanned(chains: Chains, low: Array, high: Array, ratio: float, steps: int) -> tuple[Array, Array]:
    """The largest of x = high ratio, high ratio^2, .. above low that is possible, and the one before it."""
    found = low >= high
    x = high
    for _ in range(steps):
        above, x = x, ratio * x
        here = ~found & (x > low) & chains.possible(x)
        low, high = np.where(here, x, low), np.where(here, above, high)
        found |= here
        if found.all():
            break
    return low, high


@dataclass(frozen=True, eq=False)
class Chains:
    """Shares (N) of limits, and the insides of their sizes."""

    count: int
    shares: tuple[Form, ...]
    levels: tuple[tuple[Form, ...], ...]
    """Insides without sizes, those with sizes of these, and so on"""

    @classmethod
    def of(cls, limits: Limits) -> Chains:
        """Those of limits."""
        shares = tuple(limit.share for limit in limits.shares)
        depths = _depths(shares)
        deepest = max((depth for _, depth in depths), default=-1)
        levels = (tuple(form for form, depth in depths if depth == level) for level in range(deepest + 1))
        return cls(limits.count, shares, tuple(levels))

    def possible(self, x: Array) -> NDArray[np.bool_]:
        """(N) whether some u keeps all shares at x."""
        turns = np.zeros((1, self.count))
        known: list[Form] = []
        for level in self.levels:
            known += level
            u = _with_ends(turns)
            values = _values(known, u, x)
            turns = _merged([turns, *(_zeros(u, values[id(form)]) for form in level)])
        u = _with_ends(turns)
        values = _values([*known, *self.shares], u, x)
        return _kept([values[id(share)] for share in self.shares], u.shape)


def _depths(forms: Iterable[Form]) -> list[tuple[Form, int]]:
    """The insides of sizes in forms, each once, and how deep the sizes in them are."""
    found: dict[int, tuple[Form, int]] = {}

    def depth(form: Form) -> int:
        return max((1 + of_inside(inside) for _, inside in form.sizes), default=0)

    def of_inside(inside: Form) -> int:
        if id(inside) not in found:
            found[id(inside)] = inside, depth(inside)
        return found[id(inside)][1]

    for form in forms:
        depth(form)
    return list(found.values())


# Chains of straight lines ---------------------------------------------------------------------


def _values(forms: Sequence[Form], u: Array, x: Array) -> dict[int, Array]:
    """(m, N) what forms are at u (m, N) and x (N), by id; insides come before those that they are in."""
    y = np.sqrt(x)
    values: dict[int, Array] = {}
    for form in forms:
        c_u, c_x, c_y, c_1 = form.terms
        value = c_u * u + (c_x * x + c_y * y + c_1)
        for w, inside in form.sizes:
            value = value + w * np.abs(values[id(inside)])
        values[id(form)] = value
    return values


def _with_ends(turns: Array) -> Array:
    """(m + 2, N) turns with a u before the first and one behind the last."""
    first, last = turns[:1], turns[-1:]
    return np.concatenate([first - 1 - np.abs(first), turns, last + 1 + np.abs(last)])


def _zeros(u: Array, value: Array) -> Array:
    """(m, N) where lines through values (m + 1, N) at u are 0, NaN where they are not; the outer go on."""
    change = np.diff(value, axis=0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        part = -value[:-1] / change
        low, high = _reach(len(part))
        inside = (part >= low) & (part <= high) & (change != 0)
        return np.where(inside, u[:-1] + part * np.diff(u, axis=0), np.nan)


def _kept(shares: Sequence[Array], shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """(N) whether all shares (m, N), straight from one row to the next, are within -1 and 1 somewhere."""
    low, high = (np.broadcast_to(end, (shape[0] - 1, shape[1])) for end in _reach(shape[0] - 1))
    for share in shares:
        first, change = share[:-1], np.diff(share, axis=0)
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            ends = (-1 - first) / change, (1 - first) / change
        flat = np.where(np.abs(first) <= 1 + ROUNDING, np.inf, -np.inf)
        low = np.maximum(low, np.where(change == 0, -flat, np.minimum(*ends)))
        high = np.minimum(high, np.where(change == 0, flat, np.maximum(*ends)))
    return np.asarray((low <= high).any(axis=0))


def _reach(count: int) -> tuple[Array, Array]:
    """(count, 1) between which shares of the way between rows lines are looked at."""
    low, high = np.zeros((count, 1)), np.ones((count, 1))
    low[0], high[-1] = -np.inf, np.inf
    return low, high


def _merged(parts: Sequence[Array]) -> Array:
    """(m, N) all u of parts (., N) in order, the last again where there are fewer."""
    u = np.sort(np.concatenate(parts), axis=0)
    return np.fmax.accumulate(u[~np.isnan(u).all(axis=1)], axis=0)
