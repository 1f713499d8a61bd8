"""A page about one document: what it prints, what armdyn computes, and the verdict.

A verdict is a sentence that a check stands behind: where the check fails, no page is written.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

EQUAL = 1e-10
"""What counts as equal, relative to the largest element (at least 1)."""
DIFFERENT = 1e-3
"""What counts as different, in the same measure."""


@dataclass(frozen=True)
class Claim:
    """One printed result or claim beside armdyn's value."""

    where: str
    printed: str
    ours: str
    verdict: str


def table(claims: Iterable[Claim]) -> str:
    """The claims as a Markdown table."""
    rows = ["| where | printed | armdyn | verdict |", "|---|---|---|---|"]
    rows += [f"| {c.where} | {c.printed} | {c.ours} | {c.verdict} |" for c in claims]
    return "\n".join(rows) + "\n"


# Checks ---------------------------------------------------------------------------------------


def array(values: Any) -> np.ndarray:
    """As floats."""
    return np.array(values, dtype=float)


def gap(ours: Any, reference: Any) -> float:
    """The largest difference, relative to the largest element (at least 1)."""
    ours, reference = array(ours), array(reference)
    return float(np.abs(ours - reference).max() / max(1.0, np.abs(reference).max()))


def proven(verdict: str, *checks: bool | np.bool_) -> str:
    """The verdict; a page that says so is not written if a check fails."""
    if not checks or not all(checks):
        raise AssertionError(f"{verdict}: checks are {[bool(x) for x in checks]}, expected all to hold")
    return verdict


def agreeing(gaps: Iterable[float], what: str = "equal") -> str:
    """That all gaps are rounding; a page that says so is not written if they are not."""
    worst = max(gaps)
    if not worst < EQUAL:
        raise AssertionError(f"{what}: differs by {worst:g}, expected less than {EQUAL:g}")
    return f"{what}, to {EQUAL:.0e}"


def differing(gaps: Iterable[float], what: str) -> str:
    """How far a printed form is off; it must be."""
    worst = max(gaps)
    if not worst > DIFFERENT:
        raise AssertionError(f"{what}: differs by {worst:g}, expected more than {DIFFERENT:g}")
    return f"{what} up to {worst:.2g} times the largest"
