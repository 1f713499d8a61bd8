"""The head of the report: the verdict, warnings, and the numbers that matter most."""

from __future__ import annotations

from collections.abc import Iterator

from armdyn.identification.identified import Identified
from armdyn.identification.quality import known
from armdyn.identification.report.settings import condition_text
from armdyn.identification.report.words import is_good, knowledge, verdict
from armdyn.report.markup import Markup, element, joined


def summary(found: Identified) -> Markup:
    """Verdict first, then warnings, then the great numbers."""
    good = is_good(found)
    head = element(
        "div",
        element("span", "✓" if good else "✗", class_="sign", aria_hidden="true"),
        element("p", verdict(found), class_="sentence"),
        element("p", knowledge(found), class_="details"),
        class_="verdict good" if good else "verdict bad",
        role="status",
    )
    figures = element("dl", *(_figure(*figure) for figure in _figures(found)), class_="figures")
    return joined([head, _warnings(found), figures])


def _warnings(found: Identified) -> Markup:
    if not found.warnings:
        return Markup("")
    each = [element("li", warning) for warning in found.warnings]
    return element(
        "div", element("h2", "Before you trust it"), element("ul", *each), class_="warnings", role="alert"
    )


def _figure(name: str, value: str, remark: str) -> Markup:
    number = element("dd", value, class_="number")
    return element("div", element("dt", name), number, element("dd", remark, class_="remark"))


def _figures(found: Identified) -> Iterator[tuple[str, str, str]]:
    """Name, value and remark of each great number."""
    each = known(found)
    yield "Known well", f"{each.count('well')} of {len(each)}", "base parameters"
    yield "Essential", str(len(found.essential)), "base parameters"
    yield "Samples", str(len(found.observations)), "after filtering and thinning out"
    yield "Condition number", condition_text(found), "of the weighted regressor, columns of one size"
