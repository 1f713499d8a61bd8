"""One sum of waves over another one that is above 0: what is searched; a plain sum is over 1."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.extremes.models import highest, model
from armdyn.extremes.terms import Terms
from armdyn.scalars import Array

ROUNDING = 1e-12
"""By this share of the sum of the terms' largest sizes bounds are widened: many times what a sum rounds."""
ANGLE_ROUNDING = 1e-15
"""And by this share for every radian of their angles."""


@dataclass(frozen=True)
class Quotient:
    """N/D, where D lies between floor > 0 and ceiling over the whole box."""

    numerator: Terms
    denominator: Terms
    floor: float
    ceiling: float

    @classmethod
    def plain(cls, f: Terms) -> Quotient:
        """The function itself."""
        return cls(f, Terms.constant(1.0, f.n), 1.0, 1.0)

    def __call__(self, q: Array) -> Array:
        """(...) the values at q: (..., n)."""
        return self.numerator(q) / self.denominator(q)

    def __neg__(self) -> Quotient:
        """Minus this."""
        return Quotient(-self.numerator, self.denominator, self.floor, self.ceiling)

    def above(self, level: float) -> Terms:
        """N - level D, which is above 0 where the quotient is above the level."""
        return (self.numerator - level * self.denominator).merged()

    def beyond(self, level: float, excess: float) -> float:
        """What the quotient does not exceed where N - level D does not exceed an excess."""
        return level + excess / (self.floor if excess > 0 else self.ceiling)


def rounding(f: Terms, box: Array) -> float:
    """By how much bounds of f over a box: (n, 2) are widened."""
    turned = np.abs(f.frequencies) @ np.abs(box).max(axis=1, initial=0.0)  # far angles are rounded themselves
    return float(f.sizes(box) @ (ROUNDING + ANGLE_ROUNDING * turned))


def upper_bound(f: Terms, box: Array) -> float:
    """What f does not exceed over a box: (n, 2), as far as one look tells."""
    centre, half = box.mean(axis=1)[None], (box[:, 1] - box[:, 0])[None] / 2
    return float(highest(model(f, centre, half), half)[0][0]) + rounding(f, box)
