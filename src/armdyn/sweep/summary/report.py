"""A summary as one HTML page: no other files, no network, the same bytes for the same rows."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib import resources
from typing import Any

from armdyn.report.markup import Markup, element, row, table
from armdyn.report.pages import fact_list, page, write_page
from armdyn.report.pictures import shown
from armdyn.report.wording import amount, percent
from armdyn.sweep.axes import Axis
from armdyn.sweep.summary.figures import labelled, pictures, title_of
from armdyn.sweep.summary.numbers import QUANTILES, Described, Extreme
from armdyn.sweep.summary.sentences import Sentence
from armdyn.sweep.summary.summary import SHOWN_SENTENCES, Summary

ASKED = "What do the rows of this sweep say together?"
MOST_VALUES = 8
"""Listed values of an axis that are all written."""


def write_report(summary: Summary, path: str | os.PathLike[str]) -> None:
    """Write the report, all of the file or nothing."""
    write_page(report(summary), path)


def report(summary: Summary) -> str:
    """The report as text."""
    style = (resources.files("armdyn.studies.loads") / "report.css").read_text(encoding="utf-8")
    head = ("settings", "Study", fact_list(facts(summary)))
    return page(f"Sweep of {title_of(summary)}", ASKED, head, _sections(summary), style)


def facts(summary: Summary) -> Iterator[tuple[str, str]]:
    """Name and value of what was swept."""
    study = summary.study
    yield "Robot", study.robot
    yield "Quantity", study.quantity
    yield "Design", f"{study.design.kind}, {summary.total} rows, seed {study.seed}"
    missing = f"; {summary.missing} are not there yet" if summary.missing else ""
    yield "Rows", f"{summary.rows} of {summary.total}{missing}"
    yield "Without an answer", str(summary.without_answer)
    for axis in study.axes:
        yield f"Axis {axis.name}", _axis_words(axis)
    if study.options:
        yield "Options", ", ".join(f"{name} = {value}" for name, value in study.options.items())
    yield "Versions", ", ".join(f"{name} {version}" for name, version in summary.versions.items())


def _axis_words(axis: Axis) -> str:
    if axis.values is not None:
        listed = [value if isinstance(value, str) else amount(value) for value in axis.values]
        more = f", .. ({len(listed)} values)" if len(listed) > MOST_VALUES else ""
        return f"{', '.join(listed[:MOST_VALUES])}{more}"
    if axis.distribution != "uniform":
        spread = f"deviation {amount(axis.deviation or 0.0)}"
        return f"{axis.distribution} around {amount(axis.mean or 0.0)}, {spread}"
    ends = f"{amount(axis.low or 0.0)} to {amount(axis.high or 0.0)}"
    return f"{ends}, {axis.n} values" if axis.n else ends


def _sections(summary: Summary) -> Iterator[tuple[str, str, Markup]]:
    numbers = [one for one in summary.results if not one.is_truth]
    truths = [one for one in summary.results if one.is_truth]
    if truths:
        yield "truths", "Yes and no", _truths(truths)
    if numbers:
        yield "extremes", "Extremes", _extremes(numbers)
        yield "spread", "Mean and quantiles", _spread(numbers)
    drawn = [shown(one, f"sweep {summary.study.quantity}") for one in pictures(summary)]
    if drawn:
        yield "figures", "Figures", element("div", *drawn)
    for name, found in summary.words.items():
        yield f"words-{name}", name, _sentences(name, found)
    if summary.sentences:
        yield "errors", "Rows without an answer", _sentences("Why", summary.sentences)
    if summary.notes:
        yield "notes", "Notes", element("ul", *(element("li", note) for note in summary.notes))


def _truths(found: list[Described]) -> Markup:
    body = [
        row(one.name, one.count, percent(one.mean or 0.0), _first(one.maximum, 1.0), _first(one.minimum, 0.0))
        for one in found
    ]
    return table("Share of rows", ("Result", "Rows", "Yes", "First yes", "First no"), body)


def _first(one: Extreme | None, value: float) -> Markup:
    if one is None or one.value != value:
        return element("td", "none")
    return element("td", element("small", f"row {one.index}: {_at(one)}"))


def _extremes(found: list[Described]) -> Markup:
    body = [
        row(labelled(one.name, one.unit), one.count, _end(one.minimum), _end(one.maximum)) for one in found
    ]
    return table("Smallest and largest, and where", ("Result", "Rows", "Smallest", "Largest"), body)


def _end(one: Extreme | None) -> Markup:
    if one is None:
        return element("td", "none")
    value = element("span", amount(one.value), class_="value")
    return element("td", value, element("small", f" row {one.index}: {_at(one)}"))


def _at(one: Extreme) -> str:
    return ", ".join(f"{axis} = {_said(value)}" for axis, value in one.at.items())


def _said(value: Any) -> str:
    return amount(value) if isinstance(value, float) else str(value)


def _spread(found: list[Described]) -> Markup:
    shares = [share for share in QUANTILES if any(one.quantiles for one in found)]
    body = [
        row(
            labelled(one.name, one.unit),
            *(_number(value) for value in (one.mean, one.deviation)),
            *(_number(one.quantiles.get(share)) for share in shares),
        )
        for one in found
    ]
    head = ("Result", "Mean", "Deviation", *(percent(share) for share in shares))
    exact = all(one.exact for one in found)
    said = "quantiles are exact" if exact else "quantiles to a 2048th of the span"
    return table(f"Mean, standard deviation and quantiles ({said})", head, body)


def _number(value: float | None) -> str:
    return "-" if value is None else amount(value)


def _sentences(title: str, found: tuple[Sentence, ...]) -> Markup:
    body = [row(one.text, one.rows, one.first) for one in found[:SHOWN_SENTENCES]]
    left = sum(one.rows for one in found[SHOWN_SENTENCES:])
    more = [row("others", left, "")] if left else []
    return table(title, ("Text, numbers left aside", "Rows", "First row"), [*body, *more])
