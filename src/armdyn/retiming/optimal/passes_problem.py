"""What both ways of making the passes share: the problem, the outcome, and how exact is exact enough."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from armdyn.scalars import Array

ROUNDING = 4e-15
"""Share of its terms by which each limit gives way in the backward pass: what roundings amount to, so that a
steep line, which they shift most, does not hide the others."""
SLACKS = (1e-14, 1e-13, 1e-12, 1e-11, 1e-10)
"""The same in the forward pass: the first, and the next ones where roundings of both passes leave nothing."""
CLOSE = 1e-12
"""The same where otherwise no speed is possible: a set that is empty by less is not."""
NEGLIGIBLE = 1e-14
"""Share of c below which a u, for every u that the caps leave, does not count: such a row bounds x alone."""
TINIEST = 1e-150
"""Share of 1 + |b| + |c| below which a is zero: quotients by it could not be multiplied by HUGE."""
HUGE = 1e150
"""A squared speed that stands for infinity."""
ENDLESS = 1e140
"""From here on a squared speed is not limited by anything."""
ROUNDS = 1000
"""Steps of Newton's method at most; as many as there are limits are possible, three or four are usual."""


class Ending(IntEnum):
    """How the passes end."""

    DONE = 0
    NOT_CONTROLLABLE = 1
    STUCK = 2
    UNLIMITED = 3
    NO_NUMBER = 4


@dataclass(frozen=True, eq=False)
class Problem:
    """Intervals whose caps are finite, and the ranges at both ends of the path."""

    step: Array
    ratio: Array
    a: Array
    b: Array
    c: Array
    start_cap: Array
    end_cap: Array
    start: tuple[float, float]
    end: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What the passes found."""

    ending: Ending
    interval: int
    """Where they ended early."""
    table: Array
    """(5, N): x, u, z, lowest, highest; NaN where they did not come."""
