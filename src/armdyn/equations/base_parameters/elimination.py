"""Gauss-Jordan elimination of rows whose elements are harmonics.

Only elements that are one product of numbers and symbols are divided by: then nothing becomes a quotient.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from armdyn.scalars.harmonic import Harmonic

Row = Mapping[int, Harmonic]
"""Column -> element, where it is not zero; the sum over all columns is zero."""
ROUNDING = 1e-9
"""What is left of decimals that cancel (angles that are not right), beside what they were. The others are
halves, quarters .. of whole numbers, which floats hold exactly."""
NEGLIGIBLE = 1e-12
"""Coefficients below this, beside the largest, are what rounding left of a zero."""


def added(row: Row, other: Row, factor: Harmonic) -> Row:
    """row + factor other."""
    total = dict(row)
    for column, value in other.items():
        x = factor * value
        x = _sum(total[column], x) if column in total else x
        if x.terms:
            total[column] = x
        else:
            total.pop(column, None)
    return total


def _sum(a: Harmonic, b: Harmonic) -> Harmonic:
    terms = dict(a.terms)
    for key, c in b.terms.items():
        held = terms.pop(key, 0)
        if abs(held + c) > ROUNDING * max(abs(held), abs(c)):
            terms[key] = held + c
    return Harmonic(a.ring, terms)


def tidy(h: Harmonic, largest: float = 1.0) -> Harmonic:
    """Without the terms that are rounding beside the largest coefficient."""
    return Harmonic(h.ring, {key: c for key, c in h.terms.items() if abs(c) > NEGLIGIBLE * largest})


def solved(
    rows: Iterable[Row], unknown: Collection[int], rank: Callable[[int], Any]
) -> tuple[dict[int, Row], list[Row]]:
    """Rows with a 1 at one unknown each, which is in no other row; and the rows that are left.

    What is left has no unknown with an element that can be divided by. Unknowns of low rank come first.
    """
    left, found = [row for row in rows if row], dict[int, Row]()
    while True:
        choices = [
            (not _is_number(x), rank(column), len(row), i, column)
            for i, row in enumerate(left)
            for column, x in row.items()
            if column in unknown and _is_product(x)
        ]
        if not choices:
            return found, left
        *_, i, column = min(choices)
        pivot = left.pop(i)
        pivot = added({}, pivot, 1.0 / pivot[column])
        left = [row for row in (_without(column, row, pivot) for row in left) if row]
        found = {k: _without(column, row, pivot) for k, row in found.items()}
        found[column] = pivot


def _without(column: int, row: Row, pivot: Row) -> Row:
    return added(row, pivot, -row[column]) if column in row else row


def _is_product(x: Harmonic) -> bool:
    return len(x.terms) == 1 and not any(angle for _, angle, _ in x.ring.digits(next(iter(x.terms))))


def _is_number(x: Harmonic) -> bool:
    return set(x.terms) == {0}
