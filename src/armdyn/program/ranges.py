"""Which numbers options and statements take."""

from __future__ import annotations

import math
from typing import NamedTuple

LONGEST_WAIT = 3600.0
"""[s]"""


class Range(NamedTuple):
    """Numbers above (or from) one bound up to another, and how a message says it."""

    lower: float
    open: bool
    upper: float
    expected: str


_ABOVE_ZERO = (0.0, True, math.inf)
RANGES = {
    "speed": Range(*_ABOVE_ZERO, "mm/s above 0"),
    "acc": Range(*_ABOVE_ZERO, "mm/s2 above 0"),
    "acc_ori": Range(*_ABOVE_ZERO, "deg/s2 above 0"),
    "speed_ptp": Range(0.0, True, 1.0, "a share of the joints' speed limits above 0, at most 1"),
    "acc_ptp": Range(0.0, True, 1.0, "a share of the joints' acceleration limits above 0, at most 1"),
    "c_cp": Range(0.0, False, math.inf, "mm, 0 or more"),
    "wait": Range(0.0, False, LONGEST_WAIT, f"seconds from 0 to {LONGEST_WAIT:g}"),
    "step": Range(*_ABOVE_ZERO, "a number above 0; downto counts down"),
    "mass": Range(*_ABOVE_ZERO, "kg above 0; release empties the hands"),
}


def outside(word: str, value: float) -> str | None:
    """What to say of a number that this word does not take, or None."""
    rule = RANGES[word]
    inside = (rule.lower < value if rule.open else rule.lower <= value) and value <= rule.upper
    return None if inside else f"{word} is {value:.12g}, expected {rule.expected}"
