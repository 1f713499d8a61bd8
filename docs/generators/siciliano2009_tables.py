"""Printed beside computed, for the page about [Siciliano2009]: rows that are checked, numbers written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from verdicts import DIFFERENT, EQUAL, array, gap

Pair = tuple[Any, Any]
"""The value of a printed formula, and armdyn's."""
Row = list[str]

HEADER = ("where", "printed", "its value", "armdyn", "apart", "verdict")
NOTHING = 1e-9
"""What is written as 0."""
TIE = 1e-8
"""Numbers are taken larger by this share, so that rounding does not decide how 24.525 is written."""


def equal(where: str, formula: str, pairs: Iterable[Pair], verdict: str = "right") -> Row:
    """A formula that gives armdyn's value in all pairs, the first of which is shown."""
    cases = list(pairs)
    worst = max(gap(ours, printed) for printed, ours in cases)
    if not worst < EQUAL:
        raise AssertionError(f"{where}, {formula}: differs by {worst:g}, expected less than {EQUAL:g}")
    return _row(where, formula, cases, "none", verdict)


def unequal(where: str, formula: str, pairs: Iterable[Pair], verdict: str) -> Row:
    """A formula that does not; the largest difference is written."""
    cases = list(pairs)
    worst = max(gap(ours, printed) for printed, ours in cases)
    if not worst > DIFFERENT:
        raise AssertionError(f"{where}, {formula}: differs by {worst:g}, expected more than {DIFFERENT:g}")
    apart = max(float(np.abs(array(ours) - array(printed)).max()) for printed, ours in cases)
    return _row(where, formula, cases, f"up to {shown(apart)}", verdict)


def _row(where: str, formula: str, cases: Sequence[Pair], difference: str, verdict: str) -> Row:
    printed, ours = cases[0]
    return [where, formula, written(printed), written(ours), difference, verdict]


def rows(header: Sequence[str], body: Iterable[Sequence[Any]]) -> str:
    """A Markdown table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    lines += ["| " + " | ".join(str(cell) for cell in cells) + " |" for cells in body]
    return "\n".join(lines) + "\n"


def shown(value: float, digits: int = 4) -> str:
    """With so many significant digits, in plain notation and without zeros at the end."""
    if abs(value) < NOTHING:
        return "0"
    value = float(value) * (1 + TIE)
    decimals = digits - 1 - math.floor(math.log10(abs(value)))
    text = f"{round(value, decimals):.{max(0, decimals)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def span(values: np.ndarray, digits: int = 4) -> str:
    """From the least to the largest; 0 is what is small beside both."""
    small = 1e-6 * float(np.abs(values).max())
    ends = [shown(0.0 if abs(x) < small else float(x), digits) for x in (values.min(), values.max())]
    return ends[0] if ends[0] == ends[1] else f"{ends[0]} to {ends[1]}"


def written(value: Any, digits: int = 4) -> str:
    """A number, a vector or a matrix."""
    values = array(value)
    if values.ndim == 0:
        return shown(float(values), digits)
    if values.ndim == 1:
        return f"({', '.join(shown(float(x), digits) for x in values)})"
    return f"[{', '.join(written(part, digits) for part in values)}]"
