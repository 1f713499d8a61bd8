"""The tables of a study on a terminal: extremes, bounds, shares, postures, candidates."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from armdyn.cli.output import print_line, print_table, shown
from armdyn.extremes import Bound
from armdyn.report.wording import percent
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.words import (
    LOADS,
    VERDICTS,
    grouped,
    plain_columns,
    posture_text,
    shown_ends,
    title_of,
)

WIDEST = 100
"""Columns of a terminal that a table may take."""
MOST_CANDIDATES = 40
"""Up to so many are all printed; of more only the smallest that suffice."""

LIMITS = {
    "peak_share": "peak",
    "rms_share": "rms",
    "speed_share": "speed",
    "rated_speed_share": "rated speed",
}
"""Shares that decide whether a candidate suffices, and their columns; the last where it is known."""

Column = tuple[str, list[Any]]


def print_study(found: Study, *, postures: bool) -> None:
    """Print a table for each quantity, then what to know."""
    settings = found.settings
    gravity = ", ".join(f"{x:.4g}" for x in settings["gravity"])
    mass = math.fsum(payload["mass"] for payload in settings["payloads"])
    load = f"payload {mass:.4g} kg" if settings["payloads"] else "no payload"
    print_line(
        f"{found.robot.name}, {found.kind}: motors {settings['motors']}, {load}, gravity ({gravity}) m/s2"
    )
    for title, rows, many in grouped(found.rows):
        _print_rows(title, rows, many)
        if postures:
            _print_postures(title, rows, many)
    _print_best(found.rows)
    _print_candidates(found.rows)
    _print_certainty(found.rows)
    for note in found.notes:
        print_line(f"note: {note}")


# Extremes -------------------------------------------------------------------------------------


def _print_rows(title: str, rows: Sequence[Row], many: bool) -> None:
    """Extremes, bounds where they are not certified, and shares: in two tables if one would be too wide."""
    units = {row.unit for row in rows}
    unit = f" [{rows[0].unit}]" if len(units) == 1 and units != {"1"} else ""
    whose = _whose(rows, many)
    found = _known(
        rows,
        ("unit", lambda row: row.unit if len(units) > 1 else None),
        ("smallest", lambda row: _short(shown_ends(row)[0])),
        ("largest", lambda row: _short(shown_ends(row)[1])),
        ("ratio", lambda row: _short(row.ratio)),
        ("certified", _certified),
    )
    more = _known(
        rows,
        ("not below", lambda row: _open(row.extremes.minimum)),
        ("not above", lambda row: _open(row.extremes.maximum)),
        *((name, _field(key)) for key, name in plain_columns(rows) if key != "nominal_inertia"),
    )
    if _width([*whose, *found, *more]) <= WIDEST:
        _print(f"{title}{unit}", [*whose, *found, *more])
    else:
        _print(f"{title}{unit}", [*whose, *found])
        _print(f"{title}, further", [*whose, *more])


def _field(key: str) -> Callable[[Row], Any]:
    """What a row has beside its extremes."""
    return lambda row: _more(key, row.more.get(key))


def _whose(rows: Sequence[Row], many: bool) -> list[Column]:
    """What a row is about."""
    return _known(
        rows,
        ("quantity", lambda row: title_of(row.quantity) if many else None),
        ("joint", lambda row: row.joint or None),
        ("load", lambda row: LOADS[row.load] if any(r.load != "none" for r in rows) else None),
    )


def _known(rows: Sequence[Row], *columns: tuple[str, Callable[[Row], Any]]) -> list[Column]:
    """The columns of which anything is known."""
    filled = [(name, [field(row) for row in rows]) for name, field in columns]
    return [(name, cells) for name, cells in filled if any(cell not in (None, "") for cell in cells)]


def _width(columns: Sequence[Column]) -> int:
    """How wide a table of these columns is printed."""
    return sum(max(len(name), *(len(shown(cell)) for cell in cells)) + 3 for name, cells in columns)


def _print(title: str, columns: Sequence[Column]) -> None:
    names, cells = zip(*columns, strict=True)
    print_table(title, names, zip(*cells, strict=True))


def _print_postures(title: str, rows: Sequence[Row], many: bool) -> None:
    body: list[tuple[Any, ...]] = []
    for row in rows:
        for end, bound in (("smallest", row.extremes.minimum), ("largest", row.extremes.maximum)):
            if len(bound.q):
                name = f"{title_of(row.quantity)}, {end}" if many else end
                whose = row.joint or "-"
                body.append((whose, LOADS[row.load], name, posture_text(bound.q.tolist(), "  ")))
    if body:
        print_table(f"{title}: where [rad, m]", ("joint", "load", "extreme", "posture"), body)


def _print_best(rows: Sequence[Row]) -> None:
    """The best postures of maps, where there are any."""
    for row in rows:
        body = [
            (_short(one["value"]), posture_text(one["place"], "  "), posture_text(one["q"], "  "))
            for one in row.more.get("best", ())
        ]
        if body:
            title = f"{title_of(row.quantity)}, {LOADS[row.load]}: best places and postures [m; rad, m]"
            print_table(title, ("value", "x y z", "posture"), body)


def _print_candidates(rows: Sequence[Row]) -> None:
    """Which motors suffice: all that were tried where they are few, the smallest of each drive."""
    tried = [row for row in rows if row.more.get("candidates") is not None]
    if not tried:
        return
    shown = [(row, fit) for row in tried for fit in row.more["candidates"]]
    title = "candidates: shares of their limits"
    if len(shown) > MOST_CANDIDATES:
        title = "smallest candidates that suffice: shares of their limits"
        shown = [
            (row, fit)
            for row, fit in shown
            if row.more["smallest"] == {"name": fit["name"], "gear": fit["gear"]}
        ]
    rated = any(fit["rated_speed_share"] is not None for _, fit in shown)
    limits = {key: name for key, name in LIMITS.items() if rated or key != "rated_speed_share"}
    body = [
        (
            row.more["drive"],
            LOADS[row.load],
            fit["name"],
            _short(fit["gear"]),
            *(_percent(fit[key]) for key in limits),
            VERDICTS[fit["suffices"]],
        )
        for row, fit in shown
    ]
    print_table(title, ("drive", "load", "motor", "gear", *limits.values(), "suffices"), body)
    for row in tried:
        print_line(f"smallest for {row.more['drive']}, {LOADS[row.load]}: {_said(row.more['smallest'])}")


def _said(smallest: dict[str, Any] | None) -> str:
    """Which motor it is; a gear that changes with the posture has no number."""
    if smallest is None:
        return "none suffices"
    name, gear = smallest["name"], smallest["gear"]
    return name if gear is None else f"{name}, gear {gear:.4g}"


def _print_certainty(rows: Sequence[Row]) -> None:
    ends = [bound for row in rows for bound in (row.extremes.minimum, row.extremes.maximum)]
    certified = sum(bound.certified for bound in ends)
    if certified:
        print_line(f"{certified} of {len(ends)} extremes are certified: bounds within 0.1 % of the range")


def _certified(row: Row) -> str:
    low, high = row.extremes.minimum, row.extremes.maximum
    if low.certified and high.certified:
        return "yes"
    return "no" if math.isfinite(low.bound) or math.isfinite(high.bound) else ""


def _open(bound: Bound) -> float | None:
    """A bound that is another number than the value."""
    return None if bound.certified or not math.isfinite(bound.bound) else _short(bound.bound)


def _more(key: str, value: Any) -> Any:
    if isinstance(value, float):
        return percent(value) if key.endswith("share") else _short(value)
    return value


def _percent(share: float | None) -> str:
    return "-" if share is None else percent(share)


def _short(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.4g}")
