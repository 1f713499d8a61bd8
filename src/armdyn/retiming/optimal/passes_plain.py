"""The two passes in NumPy, interval by interval: for where there is no compiled code."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.retiming.optimal.passes_problem import (
    CLOSE,
    ENDLESS,
    NEGLIGIBLE,
    ROUNDING,
    ROUNDS,
    SLACKS,
    TINIEST,
    Ending,
    Outcome,
    Problem,
)
from armdyn.scalars import Array

Rows = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class _Lines:
    """The limits of one interval: u <= d + s x (above), -u <= d + s x (below), least <= x <= most.

    The rows divided by |a|, then one for the largest z (above) and one for the least (below).
    """

    d: Array
    s: Array
    above: NDArray[np.bool_]
    below: NDArray[np.bool_]
    least: float
    most: float
    rows: Rows
    """Where least and most stand, if in rows."""

    def at(self, x: float, slack: float) -> tuple[float, float, int, int]:
        """The largest and the least u at this x, with their lines, if each line gives way a little."""
        values = self.d + self.s * x + slack * (abs(self.d) + abs(self.s) * x)
        up, low = np.where(self.above, values, np.inf), np.where(self.below, values, np.inf)
        j, k = int(np.argmin(up)), int(np.argmin(low))
        return float(up[j]), -float(low[k]), j, k

    def room(self, j: int, k: int) -> tuple[float, float]:
        """d and s of the room d + s x between two lines, one above and one below."""
        return float(self.d[j] + self.d[k]), float(self.s[j] + self.s[k])


def solved(problem: Problem) -> Outcome:
    """What the passes find."""
    table = np.full((5, len(problem.step)), np.nan)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return _backward(problem, table) or _forward(problem, table)


def contradiction(problem: Problem, outcome: Outcome) -> Rows:
    """The rows that contradict each other where the passes ended early."""
    i, m = outcome.interval, problem.a.shape[1]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        lines = _lines(problem, i, _ends(problem, outcome.table, i))
    if outcome.ending is Ending.NOT_CONTROLLABLE:
        found = _lowest(lines, CLOSE)[1]
    elif outcome.ending is Ending.STUCK and i > 0:
        found = lines.at(problem.ratio[i - 1] * outcome.table[2, i - 1], SLACKS[-1])[2:]
    else:
        found = ()
    return tuple(row for row in found if row < m)


def _ends(problem: Problem, table: Array, i: int) -> tuple[float, float]:
    """The least and the largest z at the end of an interval from which the path can be finished."""
    low, high = problem.end if i + 1 == len(problem.step) else table[3:, i + 1]
    low, high = low / problem.ratio[i], min(high / problem.ratio[i], problem.end_cap[i])
    return (high if high < low <= high * (1 + CLOSE) else low), high


def _lines(problem: Problem, i: int, ends: tuple[float, float]) -> _Lines:
    a, b, c = problem.a[i], problem.b[i], problem.c[i]
    size, twice = np.abs(a), 2 * problem.step[i]
    reach = max(problem.start_cap[i], problem.end_cap[i]) / twice
    flat = (size <= TINIEST * (1 + np.abs(b) + np.abs(c))) | (size * reach <= NEGLIGIBLE * np.abs(c))
    d = np.append(np.where(flat, 0.0, c / size), (ends[1] / twice, -ends[0] / twice))
    s = np.append(np.where(flat, 0.0, -b / size), (-1 / twice, 1 / twice))
    above = np.append(~flat & (a > 0), (True, False))
    below = np.append(~flat & (a < 0), (False, True))
    low = np.where(flat & (b < 0), c / b, np.where(flat & (b == 0) & (c < 0), np.inf, 0.0))
    high = np.where(flat & (b > 0), c / b, np.inf)
    least, most = np.max(low, initial=0.0), np.min(high, initial=problem.start_cap[i])
    rows = [int(np.argmax(low))] if least > 0 else []
    rows += [int(np.argmin(high))] if most < problem.start_cap[i] else []
    return _Lines(d, s, above, below, float(least), float(most), tuple(rows))


def _backward(problem: Problem, table: Array) -> Outcome | None:
    """Fill lowest and highest from the last interval to the first."""
    for i in reversed(range(len(problem.step))):
        if np.isnan(problem.a[i] + problem.b[i] + problem.c[i]).any():
            return Outcome(Ending.NO_NUMBER, i, table)
        lines = _lines(problem, i, _ends(problem, table, i))
        lowest, _ = _lowest(lines, ROUNDING)
        if lowest is None:
            lowest, _ = _lowest(lines, CLOSE)
        if lowest is None:
            return Outcome(Ending.NOT_CONTROLLABLE, i, table)
        table[3:, i] = lowest, _highest(lines, lowest, ROUNDING)
    return None


def _lowest(lines: _Lines, slack: float) -> tuple[float | None, Rows]:
    """Newton's method from the left on the room between the lines, which is concave over x."""
    x = lines.least
    if x > lines.most * (1 + slack):
        return None, lines.rows
    for _ in range(ROUNDS):
        up, low, j, k = lines.at(x, slack)
        if up >= low:
            break
        d, s = lines.room(j, k)
        if s <= 0 or -d / s > lines.most * (1 + slack):
            return None, (j, k, *lines.rows[-1:])
        x = -d / s
    return min(x, lines.most), ()


def _highest(lines: _Lines, lowest: float, slack: float) -> float:
    """Newton's method from the right, not below what is known to be possible."""
    x = lines.most
    for _ in range(ROUNDS):
        up, low, j, k = lines.at(x, slack)
        d, s = lines.room(j, k)
        if x <= lowest or up >= low:
            break
        if s >= 0:
            return lowest if slack >= CLOSE else _highest(lines, lowest, CLOSE)
        x = -d / s
    return max(x, lowest)


def _forward(problem: Problem, table: Array) -> Outcome:
    """Fill x, u and z from the first interval to the last."""
    x = min(problem.start[1], table[4, 0])
    if max(problem.start[0], table[3, 0]) > x * (1 + CLOSE):
        return Outcome(Ending.STUCK, 0, table)
    for i, (step, ratio) in enumerate(zip(problem.step, problem.ratio, strict=True)):
        x = min(max(x, table[3, i]), table[4, i])
        ends = _ends(problem, table, i)
        lines = _lines(problem, i, ends)
        u = _acceleration(lines, x)
        if u is None:
            return Outcome(Ending.STUCK, i, table)
        z = min(max(x + 2 * step * u, ends[0]), ends[1])
        if max(x, z) >= ENDLESS:
            return Outcome(Ending.UNLIMITED, i, table)
        table[:3, i] = x, u, z
        x = ratio * z
    return Outcome(Ending.DONE, 0, table)


def _acceleration(lines: _Lines, x: float) -> float | None:
    """The largest u at x."""
    for slack in SLACKS:
        up, low, _, _ = lines.at(x, slack)
        if up >= low:
            return up
    return None
