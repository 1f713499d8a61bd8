"""The head of the report: the verdict, the durations, and under which conditions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armdyn.errors import counted
from armdyn.report.markup import Markup, element, joined
from armdyn.report.pages import fact_list
from armdyn.report.wording import MILLI, MODELS, amount, seconds, seconds_text
from armdyn.retiming.held_back import Held
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.report.words import checked, compared, verdict
from armdyn.retiming.retime import Retimed

REACHED = 1e-6
"""A bound that is less below a duration, relative, is reached."""


def summary(retimed: Retimed, held: Sequence[Held]) -> Markup:
    """Verdict first, then the great numbers, then the conditions."""
    feasible = retimed.verification.feasible
    head = element(
        "div",
        element("span", "✓" if feasible else "✗", class_="sign", aria_hidden="true"),
        element("p", verdict(retimed, held), class_="sentence"),
        element("p", checked(retimed), class_="details"),
        class_="verdict good" if feasible else "verdict bad",
        role="status",
    )
    figures = element("dl", *(_figure(*figure) for figure in _figures(retimed)), class_="figures")
    return joined([head, figures, fact_list(_facts(retimed))])


def _figure(name: str, value: str, unit: str, remark: str) -> Markup:
    number = element("dd", value, element("span", f" {unit}", class_="unit") if unit else "", class_="number")
    return element("div", element("dt", name), number, element("dd", remark, class_="remark"))


def _figures(retimed: Retimed) -> Iterator[tuple[str, str, str, str]]:
    """Name, value, unit and remark of each great number."""
    if retimed.before is not None:
        yield "Duration before", seconds(retimed.before), "s", "as given"
    yield "Duration", seconds(retimed.duration), "s", compared(retimed)
    if retimed.lower_bound is not None:
        yield (
            "Lower bound",
            seconds(retimed.lower_bound),
            "s",
            _nearness(retimed.duration, retimed.lower_bound),
        )


def _nearness(duration: float, bound: float) -> str:
    """How far a bound is below the duration."""
    share = (duration - bound) / duration if duration else 0.0
    return "reached" if share <= REACHED else f"{amount(100 * share, 2)} % below the duration"


def _facts(retimed: Retimed) -> Iterator[tuple[str, str]]:
    verification = retimed.verification
    robot, plan = verification.plan.robot, verification.plan
    yield "Robot", f"{robot.name}: {robot.description}" if robot.description else robot.name
    yield "Mode", retimed.mode
    yield "Motor model", MODELS[verification.motors]
    yield "Friction", "included" if verification.arms[0].dyn.friction else "left out"
    yield "Interpolation cycle", f"{amount(plan.cycle * MILLI)} ms"
    yield "Moves", f"{len(plan.moves)}, in {len(plan.time)} samples"
    if isinstance(retimed.found, Optimal):
        grid = retimed.found.schedule.grid
        yield (
            "Grid",
            f"{counted(len(grid.step), 'interval')} in {counted(len(grid.parts), 'piece')} of the path",
        )
        yield "Margin", f"{amount(100 * retimed.found.margin, 2)} % of the limits at most"
        if standing := sum(stop.wait for stop in retimed.found.stops) + retimed.found.wait_before:
            yield "Waits", f"{seconds_text(standing)} in all"
