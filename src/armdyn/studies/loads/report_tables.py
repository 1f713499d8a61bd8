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
    VERDICTS,
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
    joint = found.joint or "all"
    first = (title_of(found.quantity), joint) if many else (joint,)
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


# Best postures --------------------------------------------------------------------------------


def best_tables(study: Study) -> Markup:
    """For each map the best places, with the posture that is best there."""
    return joined(_best(found) for found in study.rows if found.more.get("best"))


def _best(found: Row) -> Markup:
    caption = f"{capital(title_of(found.quantity))}, {LOADS[found.load]}"
    unit = f" [{found.unit}]" if found.unit != "1" else ""
    body = [
        row(amount(one["value"]), posture_text(one["place"]), posture_text(one["q"]))
        for one in found.more["best"]
    ]
    return table(caption, (f"Value{unit}", "Place [m]", "Posture [rad, m]"), body)


# Candidates -----------------------------------------------------------------------------------

RATED = "rated_speed_share"
LIMITED = (
    ("peak_torque", "peak_share", "Peak torque [N m]"),
    ("rms_torque", "rms_share", "Rms torque [N m]"),
    ("speed", "speed_share", "Speed [rad/s]"),
    ("rms_speed", RATED, "Rms speed [rad/s]"),
)
"""What a motor has to give, its share of the limit, and the column; the last where a rated speed is known."""


def candidate_tables(study: Study) -> Markup:
    """For each drive and load the candidates, what each would have to give, and the smallest that can."""
    return joined(_candidates(found) for found in study.rows if found.more.get("candidates") is not None)


def _candidates(found: Row) -> Markup:
    smallest = found.more["smallest"]
    said = (
        "none suffices"
        if smallest is None
        else f"the smallest that suffices is {smallest['name']}{_at_gear(smallest['gear'])}"
    )
    caption = f"{found.more['drive']} (joint {found.joint}), {LOADS[found.load]}: {said}"
    fits = found.more["candidates"]
    columns = [
        column for column in LIMITED if column[1] != RATED or any(fit[RATED] is not None for fit in fits)
    ]
    head = ("Motor", "Gear", *(name for *_, name in columns), "Suffices")
    return table(caption, head, [_candidate(fit, columns) for fit in fits])


def _at_gear(gear: float | None) -> str:
    return "" if gear is None else f" at gear {amount(gear)}"


def _candidate(fit: dict[str, Any], columns: Sequence[tuple[str, str, str]]) -> Markup:
    return row(
        fit["name"],
        _number(fit["gear"]),
        *(_with_share(fit[value], fit[share]) for value, share, _ in columns),
        _suffices(fit["suffices"]),
    )


def _suffices(good: bool | None) -> Markup:
    if good is None:
        return element("td", VERDICTS[good])
    sign = element("span", "✓" if good else "✗", class_="good" if good else "bad", aria_hidden="true")
    return element("td", sign, f" {VERDICTS[good]}")


def _with_share(value: float, share: float | None) -> str:
    return f"{amount(value)} ({percent(share)})" if share is not None else amount(value)
