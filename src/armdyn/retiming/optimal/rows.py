"""Limits as rows a u + b x <= c: each by its tangent where it would be reached at the speeds of a last guess.

A limit |share| <= 1 is a curve in the plane of u and x: straight without viscous friction and without
friction under load, otherwise bent or broken. At x as guessed the u is looked for at which the share is 1, by
Newton's method, and the share is replaced by its tangent there. Where the guess is right the row is exact.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.retiming.limits import Limits, Quantity
from armdyn.scalars import Array
from armdyn.scalars.forms import Form, Y

STEPS = 6
"""Of Newton's method for u; pieces of a share are few."""
REACHED = 1e-13
"""How near to 1 a share is that is there."""
FLAT = 1e-12
"""A slope by u that is none: shares are of the size of 1."""


@dataclass(frozen=True)
class RowOf:
    """Which limit a row stands for."""

    quantity: Quantity
    joint: int
    side: int
    """1: the upper one, -1: the lower one"""
    at_end: bool
    """Whether it holds at the end of the interval"""


Rows = tuple[Array, Array, Array]
"""a, b, c (N, m)"""


def labels(limits: Limits, *, at_end: bool) -> list[RowOf]:
    """Which limits the rows of `rows` stand for."""
    return [RowOf(limit.quantity, limit.joint, side, at_end) for limit in limits.shares for side in (1, -1)]


def rows(limits: Limits, u: Array, x: Array, viscous: float = 1.0) -> Rows:
    """The limits at places (N) as rows in u and x there, near u and x as guessed.

    Where x is 0 the arm rests, and viscous friction is left out; elsewhere a share of it may count.
    """
    columns = [_tangent(limit.share, side, u, x, viscous) for limit in limits.shares for side in (1, -1)]
    if not columns:
        none = np.empty((len(x), 0))
        return none, none, none
    a, b, c = (np.stack([column[k] for column in columns], axis=1) for k in range(3))
    return a, b, c


def is_straight(limits: Limits) -> bool:
    """Whether all limits are straight lines: rows do not depend on a guess."""
    return not any(limit.share.sizes or limit.share.terms[Y].any() for limit in limits.shares)


def _tangent(share: Form, side: int, u: Array, x: Array, viscous: float) -> tuple[Array, Array, Array]:
    """a, b, c (N) of side * share <= 1."""
    form = side * share.without_rate(x <= 0, viscous)
    u = reached(form, u, x)
    value, by_u, by_x = form.slopes(u, x)
    return by_u, by_x, 1 - value + by_u * u + by_x * x


def reached(form: Form, u: Array, x: Array) -> Array:
    """The u at which a form with sizes is 1 at x, looked for from u on; of one without any u will do."""
    for _ in range(STEPS if form.sizes else 0):
        value, by_u, _ = form.slopes(u, x)
        steep = np.abs(by_u) > FLAT * (1 + np.abs(value))
        if (~steep | (np.abs(1 - value) < REACHED)).all():
            break
        u = u + np.where(steep, (1 - value) / np.where(steep, by_u, 1.0), 0.0)
    return u
