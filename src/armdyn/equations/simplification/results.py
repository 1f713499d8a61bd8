"""What a simplification gives back."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.equations.expression import Expression, Operations
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Errors:
    """What a simplified expression misses over the box: exact minus simplified, in the quantity's unit.

    There is no error relative to the value at a posture: near the quantity's zeros it would mean nothing.
    """

    mean: float
    """Mean |error|, postures uniform in the box."""
    p95: float
    """What 95 % of postures stay below."""
    maximum: float
    """The largest |error| found: it is attained."""
    q: Array
    """(n) the posture of the maximum"""
    bound: float
    """No posture in the box has a larger |error|."""
    certified: bool
    """Whether bound and maximum agree within 0.1 % of the quantity's range."""
    relative_mean: float
    """mean / mean |value|"""
    relative_range: float
    """maximum / (largest - smallest value); of a constant, / |value|"""


@dataclass(frozen=True)
class Parameter:
    """A coefficient of a simplified expression, and its value in each case."""

    factor: Expression
    """What it multiplies."""
    values: tuple[float, ...]
    changes: bool
    """Whether it depends on the case: an L parameter of [Bejczy1974] VII.D."""


@dataclass(frozen=True, eq=False)
class Simplified:
    """A short expression of one structure for all cases, with what it costs and what it misses."""

    expressions: tuple[Expression, ...]
    """One for each case."""
    parameters: tuple[Parameter, ...]
    operations: Operations
    """Of the longest case, sines and cosines given."""
    errors: tuple[Errors, ...]
    """One for each case."""
    exact: bool
    """Whether nothing but rounding is missing."""
    note: str = ""
    """What to know about the search; empty where there is nothing."""

    @property
    def relative_mean(self) -> float:
        """Mean |error| / mean |value| of the worst case."""
        return max(error.relative_mean for error in self.errors)

    @property
    def relative_range(self) -> float:
        """Largest |error| / range of the worst case."""
        return max(error.relative_range for error in self.errors)
