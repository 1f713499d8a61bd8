"""At which even rates forms leave their limits: u = 0, y = r, x = r^2, r the same all along.

A form is then a quadratic c_x r^2 + c_y r + c_1 wherever the insides of its sizes keep their signs, and the
insides are forms themselves. So it passes a limit at roots of quadratics, and between two roots next to one
another it is beyond the limit at all rates or at none.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array
from armdyn.scalars.forms import Form, X

SLOWEST, FASTEST = 1e-9, 1e6
"""Rates that are looked at: below there is rest, and what is possible above is limited by rounding only."""
EXCESS = 2e-13
"""By how much rounding may exceed a limit in the middle of an interval, and up to 4 times as much in it."""
SLACK = 1e-12
"""How far, relative, a root may be beside the piece that it is of, and how long a gap must be to be one."""


def allowed(outside: Sequence[Array]) -> tuple[tuple[float, float], ...]:
    """The closed intervals that open ones (m, 2) leave: from 0 where from rest, to inf where without end."""
    taken = np.concatenate([np.zeros((0, 2)), *outside])
    taken = taken[np.argsort(taken[:, 0])]
    low = np.maximum.accumulate(np.append(SLOWEST, taken[:, 1]))
    high = np.append(taken[:, 0], FASTEST)
    free = high - low > SLACK * high
    return tuple(
        (0.0 if a == SLOWEST else a, np.inf if b == FASTEST else b)
        for a, b in zip(low[free].tolist(), high[free].tolist(), strict=True)
    )


class Kinks:
    """Where forms at places (t) change from one quadratic to another; each form is looked at once."""

    def __init__(self, places: int) -> None:
        """Of forms at so many places."""
        self._places = places
        self._zeros: dict[int, tuple[Form, Array]] = {}

    def of(self, form: Form) -> Array:
        """(t, m) increasing rates between which the form is one quadratic, FASTEST where there are fewer."""
        return _sorted([np.zeros((self._places, 0)), *(self._turns(inside) for _, inside in form.sizes)])

    def _turns(self, inside: Form) -> Array:
        """(t, m) where the size of a form changes: at the form's own kinks, and where it is 0."""
        if id(inside) not in self._zeros:  # with the form itself: its id stays its own
            kinks = self.of(inside)
            self._zeros[id(inside)] = inside, _sorted([kinks, *_crossings(inside, kinks, 0.0)])
        return self._zeros[id(inside)][1]


def beyond(share: Form, kinks: Kinks) -> tuple[Array, NDArray[np.intp]]:
    """The intervals (m, 2) of rates at which a share is above 1 or below -1, and the place (m) of each."""
    between = kinks.of(share)
    edges = _sorted([between, *_crossings(share, between, 1.0), *_crossings(share, between, -1.0)])
    low, high = _cells(edges)
    middle = 0.5 * (low + high)
    inside = np.abs(_value(_quadratic(share, middle), middle)) <= 1 + EXCESS  # what is no number is not
    found = ~inside & (low < high)
    return np.stack([low[found], high[found]], axis=1), np.nonzero(found)[0]


def too_fast(share: Array) -> Array:
    """The intervals (m, 2) of rates at which share (t) r is above 1."""
    low = np.maximum(1 / share[share * FASTEST > 1], SLOWEST)
    return np.stack([low, np.full(len(low), FASTEST)], axis=1)


# Pieces ---------------------------------------------------------------------------------------


def _cells(edges: Array) -> tuple[Array, Array]:
    """(t, m + 1) where what lies between edges (t, m) begins and ends."""
    ends = np.ones((len(edges), 1))
    return np.hstack([SLOWEST * ends, edges]), np.hstack([edges, FASTEST * ends])


def _quadratic(form: Form, r: Array) -> Array:
    """(3, t, m) c_x, c_y, c_1 of what the form is around rates (t, m)."""
    piece = np.broadcast_to(form.terms[X:, :, None], (3, *r.shape))
    for w, inside in form.sizes:
        part = _quadratic(inside, r)
        piece = piece + np.where(_value(part, r) < 0, -w[:, None], w[:, None]) * part
    return piece


def _value(quadratic: Array, r: Array) -> Array:
    a, b, c = quadratic
    return (a * r + b) * r + c


def _crossings(form: Form, kinks: Array, level: float) -> Array:
    """(2, t, m) the rates at which a form with these kinks passes a level, FASTEST where there are fewer."""
    low, high = _cells(kinks)
    a, b, c = _quadratic(form, 0.5 * (low + high))
    roots = _roots(a, b, c - level)
    inside = (roots >= low * (1 - SLACK)) & (roots <= high * (1 + SLACK))
    return np.where(inside, np.clip(roots, low, high), FASTEST)


def _roots(a: Array, b: Array, c: Array) -> Array:
    """(2, ...) the real roots of a r^2 + b r + c, without cancellation; NaN or inf where there are fewer."""
    with np.errstate(all="ignore"):
        far = -0.5 * (b + np.copysign(np.sqrt(b * b - 4 * a * c), b))
        return np.stack([far / a, c / far])


def _sorted(parts: Sequence[Array]) -> Array:
    """(t, m) all rates of parts (t, .) in order, without columns that say nothing."""
    rates = np.sort(np.hstack(parts), axis=1)
    return rates[:, (rates < FASTEST).any(axis=0)]
