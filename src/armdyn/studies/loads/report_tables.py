"""The tables of a study's report: extremes with bounds and postures, and candidates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from armdyn.extremes import Bound
from armdyn.report.markup import Markup, element, joined, row, table
from armdyn.report.wording import amount, percent
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.words import (
    LOADS,
    capital,
    grouped,
    plain_columns,
    posture_text,
    shown_ends,
    title_of,
)


def tables(study: Study) -> Markup:
    """A table for each quantity, or one for all where there are many."""
    return joined(_table(title, rows, many) for title, rows, many in grouped(study.rows))


def _table(title: str, rows: Sequence[Row], many: bool) -> Markup:
    ratio = any(found.ratio is not None for found in rows)
    extra = plain_columns(rows)
    bounded = any(_is_bounded(found) for found in rows)
    head = [
        *(("Quantity",) if many else ()),
        "Joint",
        "Load",
        "Smallest",
        "Largest",
        *(("Ratio",) if ratio else ()),
        *(capital(name) for _, name in extra),
        *(("Certified",) if bounded else ()),
    ]
    keys = [key for key, _ in extra]
    return table(capital(title), head, [_row(found, many, ratio, keys, bounded) for found in rows])


def _row(found: Row, many: bool, ratio: bool, extra: Sequence[str], bounded: bool) -> Markup:
    low, high = found.extremes.minimum, found.extremes.maximum
    least, most = shown_ends(found)
    first = (title_of(found.quantity), found.joint) if many else (found.joint,)
    return row(
        *first,
        element("td", LOADS[found.load], class_="value"),
        _end(least, low, found.unit, "not below"),
        _end(most, high, found.unit, "not above"),
        *((_number(found.ratio),) if ratio else ()),
        *(_cell(key, found.more.get(key)) for key in extra),
        *((_certified(low, high),) if bounded else ()),
    )


def _is_bounded(found: Row) -> bool:
    """Whether there is a bound."""
    return any(math.isfinite(end.bound) for end in (found.extremes.minimum, found.extremes.maximum))


def _end(value: float, bound: Bound, unit: str, beyond: str) -> Markup:
    """A value with its unit, its posture, and its bound where that is another number."""
    shown = f"{amount(value)} {unit}" if unit != "1" else amount(value)
    parts = [element("span", shown, class_="value")]
    if not bound.certified and math.isfinite(bound.bound):
        parts.append(element("small", f"{beyond} {amount(bound.bound)}"))
    if len(bound.q):
        parts.append(element("small", f"at ({posture_text(bound.q.tolist())})"))
    return element("td", *parts)


def _certified(low: Bound, high: Bound) -> Markup:
    if low.certified and high.certified:
        return element("td", element("span", "✓", class_="good", aria_hidden="true"), " yes")
    known = math.isfinite(low.bound) or math.isfinite(high.bound)
    return element("td", "no, bound shown" if known else "no bound")


def _number(value: float | None) -> str:
    return "-" if value is None else amount(value)


def _cell(key: str, value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, float):
        return percent(value) if key.endswith("share") else amount(value)
    return str(value)


# Candidates -----------------------------------------------------------------------------------


def candidate_tables(study: Study) -> Markup:
    """For each drive and load the candidates, what each would have to give, and the smallest that can."""
    return joined(_candidates(found) for found in study.rows if found.more.get("candidates") is not None)


def _candidates(found: Row) -> Markup:
    smallest = found.more["smallest"]
    said = (
        "none suffices"
        if smallest is None
        else f"the smallest that suffices is {smallest['name']} at gear {amount(smallest['gear'])}"
    )
    caption = f"{found.more['drive']} (joint {found.joint}), {LOADS[found.load]}: {said}"
    head = ("Motor", "Gear", "Peak torque [N m]", "Rms torque [N m]", "Speed [rad/s]", "Suffices")
    return table(caption, head, [_candidate(fit) for fit in found.more["candidates"]])


def _candidate(fit: dict[str, Any]) -> Markup:
    good = fit["suffices"]
    sign = element("span", "✓" if good else "✗", class_="good" if good else "bad", aria_hidden="true")
    return row(
        fit["name"],
        amount(fit["gear"]),
        *(
            _with_share(fit[value], fit[share])
            for value, share in (
                ("peak_torque", "peak_share"),
                ("rms_torque", "rms_share"),
                ("speed", "speed_share"),
            )
        ),
        element("td", sign, " yes" if good else " no"),
    )


def _with_share(value: float, share: float | None) -> str:
    return f"{amount(value)} ({percent(share)})" if share is not None else amount(value)
