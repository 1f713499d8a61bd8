"""What a quotient of sums of waves does not exceed over a box, starting from what it is known to attain."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from armdyn.extremes.boxes import Boxes, search, whole
from armdyn.extremes.climbing import climbed
from armdyn.extremes.quotient import Quotient, rounding
from armdyn.scalars import Array

Progress = Callable[[float], None]
MARGINS = 8
"""A point must be higher by so many margins of rounding to count as a better one."""
WITHIN = 1 - 1e-6
"""Of the resolution is used, so that a posture's value may round."""


@dataclass(frozen=True, eq=False)
class Best:
    """The highest value found, where, and what no value exceeds."""

    value: float
    q: Array
    """(n)"""
    bound: float = inf


def bounded(
    f: Quotient, box: Array, start: Best, resolution: float, effort: int, progress: Progress | None = None
) -> Best:
    """A bound of f over a box: (n, 2), and what is better than the start where the search meets it.

    max N/D <= t where N - t D <= 0 in the whole box, D being above 0 (Dinkelbach): t is the value found and
    the resolution; where a better value is met, t rises, and boxes that are settled stay so.
    """
    if f.floor <= 0:
        return Best(start.value, start.q, inf)
    if not len(box):  # a constant
        return Best(start.value, start.q, start.value + _margin(f, box, start.value) / f.floor)
    best, bound, left, boxes = start, -inf, effort, whole(box)
    report = _reported(boxes.volume, progress)
    while True:
        level = best.value + WITHIN * resolution
        margin = _margin(f, box, level)
        aim = MARGINS * margin - WITHIN * resolution * f.floor
        found = search(f.above(level), boxes, -margin, aim, left, report)
        highest = float(found.open.bound.max(initial=found.settled))
        bound = max(bound, f.beyond(level, found.settled + margin))
        boxes, left = found.open, left - found.looked
        if found.better is None:
            return Best(best.value, best.q, max(bound, f.beyond(level, highest + margin)))
        value, q = climbed(f, box, found.better[None])
        best = Best(value, q) if value > best.value else best


def _margin(f: Quotient, box: Array, level: float) -> float:
    """By how much bounds of N - level D are widened."""
    return rounding(f.numerator, box) + abs(level) * rounding(f.denominator, box)


def _reported(volume: float, progress: Progress | None) -> Callable[[Boxes], None] | None:
    """Told the open boxes, tells the share of the volume that is settled."""
    return None if progress is None else lambda boxes: progress(1 - boxes.volume / volume)
