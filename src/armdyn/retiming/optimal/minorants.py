"""Lines c_u u + c_x x + c_1 that are nowhere above a form, for all u and x that are possible at a place.

The rate y = sqrt(x) is concave: not below its chord between the least and the largest x, and not above any
tangent. A size is convex: not below its inside with either sign, and not above its chord between the least
and the largest value of the inside. What is inside of a size is a form again.
"""

from __future__ import annotations

import numpy as np

from armdyn.retiming.optimal.room import Line, Room
from armdyn.scalars import Array
from armdyn.scalars.forms import Form

NEAREST = 1e-6
"""Share of the largest x below which no tangent of y is taken: it would be too steep."""


class Minorants:
    """Lines below forms in a room; what the insides of sizes can be is looked for once."""

    def __init__(self, room: Room) -> None:
        """With nothing looked for yet."""
        self._room = room
        self._ranges: dict[int, tuple[Form, Array, Array]] = {}

    def below(self, form: Form, u: Array, x: Array) -> Line:
        """The line below a form that is near to it at u and x (N)."""
        c_u, c_x, c_y, c_1 = np.broadcast_to(form.terms, (4, len(x)))
        by_x, constant = _rate(c_y, self._room.low, self._room.high, x)
        line = c_u, c_x + by_x, c_1 + constant
        for w, inside in form.sizes:
            line = _sum(line, self._size(np.broadcast_to(w, x.shape), inside, u, x))
        return line

    def _size(self, w: Array, inside: Form, u: Array, x: Array) -> Line:
        """The line below w |inside|."""
        least, most = self._range(inside, u, x)
        sign = np.where(inside.at(u, x) < 0, -1.0, 1.0)
        sign = np.where(least >= 0, 1.0, np.where(most <= 0, -1.0, sign))
        slope, offset = _chord(least, most)
        factor, constant = np.where(w > 0, w * sign, w * slope), np.where(w > 0, 0.0, w * offset)
        c_u, c_x, c_1 = self.below(inside * factor, u, x)
        endless = np.isinf(constant)
        return (
            np.where(endless, 0.0, c_u),
            np.where(endless, 0.0, c_x),
            np.where(endless, -np.inf, c_1 + constant),
        )

    def _range(self, inside: Form, u: Array, x: Array) -> tuple[Array, Array]:
        """(N) numbers between which the inside of a size is."""
        if id(inside) not in self._ranges:  # with the form itself: its id stays its own
            least = -self._room.most(_minus(self.below(inside, u, x)))
            most = self._room.most(_minus(self.below(-inside, u, x)))
            self._ranges[id(inside)] = inside, np.minimum(least, most), most
        return self._ranges[id(inside)][1:]


def _rate(c_y: Array, low: Array, high: Array, x: Array) -> tuple[Array, Array]:
    """Slope and constant (N) of the line below c_y y: the chord where c_y > 0, else the tangent at x."""
    first, last = np.sqrt(low), np.sqrt(high)
    touched = np.sqrt(np.clip(x, NEAREST * high, high))
    moves = last > 0  # else y is 0
    chord = 1 / np.where(moves, first + last, 1.0)
    tangent = 0.5 / np.where(moves, touched, 1.0)
    slope = np.where(moves, np.where(c_y > 0, chord, tangent), 0.0)
    return c_y * slope, c_y * np.where(c_y > 0, first * last * slope, 0.5 * touched)


def _chord(least: Array, most: Array) -> tuple[Array, Array]:
    """Slope and constant (N) of the chord of |f| between two values of f."""
    wide = most > least
    with np.errstate(invalid="ignore"):
        slope = (np.abs(most) - np.abs(least)) / np.where(wide, most - least, 1.0)
        offset = np.abs(most) - np.where(wide, slope, 0.0) * most
    unknown = np.isinf(least) | np.isinf(most)
    slope = np.where(wide & ~unknown, slope, 0.0)
    return slope, np.where(unknown, np.inf, offset)


def _sum(first: Line, second: Line) -> Line:
    return first[0] + second[0], first[1] + second[1], first[2] + second[2]


def _minus(line: Line) -> Line:
    return -line[0], -line[1], -line[2]
