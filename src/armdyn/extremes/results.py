"""What is known about the extremes of a function: values that it takes, and what it does not go beyond."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Bound:
    """An extreme, from both sides."""

    value: float
    """Attained"""
    q: Array
    """(n) where"""
    bound: float
    """Nothing in the box is beyond it"""
    certified: bool
    """Whether value and bound agree within the resolution"""


@dataclass(frozen=True, eq=False)
class Extremes:
    """The lowest and the highest of a function over a box."""

    minimum: Bound
    maximum: Bound
