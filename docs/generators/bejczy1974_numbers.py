"""A printed number beside armdyn's, judged by the digits printed and by those of the data behind it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from bejczy1974_arm import angles, data, formula, symbols
from bejczy1974_data import doubts, last_digit
from verdicts import Claim

AGREES = "agrees"
LAST_DIGIT = "agrees but for the last digit"


@dataclass(frozen=True)
class Number:
    """A number of the report, and armdyn's."""

    where: str
    printed: str
    ours: float
    unit: str = ""
    reason: str = ""
    """Why the print is wrong; a number that agrees must have none."""
    slack: float = 0.0
    """How far ours moves, at most, if every number of Appendix B moves within its digits."""

    def claim(self) -> Claim:
        """The row of the page; no difference without a reason, no reason without a difference."""
        verdict = judged(self.printed, self.ours, self.slack)
        if (verdict == AGREES) if self.reason else not verdict:
            raise AssertionError(
                f"{self.where}: {self.printed}, ours {self.ours:.6g} +- {self.slack:.2g}: "
                f"{verdict or 'apart'}, reason: {self.reason or 'none'}"
            )
        unit = f" {self.unit}" if self.unit else ""
        return Claim(
            self.where,
            f"{self.printed}{unit}",
            f"{shown(self.ours, self.printed)}{unit}",
            f"**wrong in print**: {self.reason}" if self.reason else verdict,
        )


def judged(printed: str, ours: float, slack: float = 0.0) -> str:
    """The verdict by digits; none where they are apart."""
    apart = abs(float(printed) - ours)
    if apart <= 0.5 * last_digit(printed) * (1 + 1e-6):
        return AGREES
    if apart < 1.5 * last_digit(printed) and last_digit(printed) < 0.2 * abs(ours):
        return LAST_DIGIT
    if apart <= slack + 0.5 * last_digit(printed):
        return f"agrees within the digits of the data (± {shown(slack, printed)})"
    return ""


def shown(ours: float, printed: str) -> str:
    """With one digit more than printed, and no minus before zero."""
    _, _, decimals = printed.partition(".")
    text = f"{ours:.{len(decimals) + 1}f}"
    return text.removeprefix("-") if float(text) == 0 else text


# By formula -----------------------------------------------------------------------------------


@cache
def moved(loaded: bool) -> tuple[Mapping[str, float], ...]:
    """The symbols with the numbers of the arm, then with each of them moved as far as its digits allow."""
    numbers = data()
    changes: list[dict[str, float]] = [
        {},
        *({name: numbers[name] + x} for name, x in doubts(numbers).items()),
    ]
    return tuple(symbols({**numbers, **change}, loaded) for change in changes)


def values(text: str, q: Any = None, *, loaded: bool = False) -> np.ndarray:
    """A formula's value with the numbers of the arm, then with each of them moved."""
    at = {} if q is None else angles(q)
    return np.array([float(formula(text, {**names, **at})) for names in moved(loaded)])


def number(where: str, printed: str, found: np.ndarray, unit: str = "kg m²", reason: str = "") -> Number:
    """A printed number beside such values."""
    return Number(where, printed, float(found[0]), unit, reason, float(np.abs(found[1:] - found[0]).sum()))


def by_formula(
    where: str,
    printed: str,
    text: str,
    q: Any = None,
    *,
    unit: str = "kg m²",
    reason: str = "",
    loaded: bool = False,
) -> Number:
    """A printed number beside the value of a formula."""
    return number(where, printed, values(text, q, loaded=loaded), unit, reason)
