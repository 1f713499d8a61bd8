"""The tables of the report: moves, violations, joint reactions."""

from __future__ import annotations

import math

from armdyn.errors import counted
from armdyn.feasibility.findings import NOTHING_LEFT, Findings
from armdyn.feasibility.results import MoveResult
from armdyn.feasibility.violations import Violation
from armdyn.report.markup import Markup, element, joined, row, table
from armdyn.report.wording import amount, percent, seconds

OPEN_AT_MOST = 60
"""More violations than so many are folded up, move by move."""


def line_link(line: int, move: int, listed: bool) -> Markup:
    """The line or the move, as a link where the program is listed."""
    shown = str(line) if line else f"move {move}" if move else "-"
    return element("a", shown, href=f"#L{line}") if line and listed else element("span", shown)


# Moves ----------------------------------------------------------------------------------------


def moves_table(findings: Findings, listed: bool) -> Markup:
    """One row for each move."""
    head = (
        "Move",
        "Line",
        "Kind",
        "Starts [s]",
        "Programmed [s]",
        "Achieved [s]",
        "Feasible",
        "Worst",
        "Largest feasible speed",
    )
    rows = [_move_row(findings, k, move, listed) for k, move in enumerate(findings.verification.moves, 1)]
    if not rows:
        return element("p", "The program has no moves.")
    moves = table("Moves, programmed and achieved", head, rows, class_="moves")
    return joined([moves, element("p", advice) if (advice := findings.speed_advice) else ""])


def _move_row(findings: Findings, number: int, move: MoveResult, listed: bool) -> Markup:
    found = findings.by_move.get(number, [])
    achieved = "never" if move.achieved is None else seconds(move.achieved)
    later = move.achieved is None or abs(move.achieved - move.programmed) >= 0.0005
    worst = element("a", findings.said(findings.worst(found)), href=f"#move-{number}") if found else "-"
    return row(
        str(number),
        line_link(move.line, 0, listed),
        move.kind,
        element(
            "a", seconds(move.start), href="#plots", data_from=seconds(move.start), data_to=seconds(move.end)
        ),
        seconds(move.programmed),
        element("strong", achieved) if later else achieved,
        _answer(move.feasible),
        worst,
        findings.speed_hint(move),
        class_=None if move.feasible else "bad",
    )


def _answer(yes: bool) -> Markup:
    sign = element("span", "✓" if yes else "✗", class_="good" if yes else "bad", aria_hidden="true")
    return element("td", sign, " yes" if yes else " no")


# Violations -----------------------------------------------------------------------------------


def violation_tables(findings: Findings, listed: bool) -> Markup:
    """A table for each move that asks for too much, none left out."""
    if not findings.by_move:
        return element("p", "None: nothing is required that is not possible.")
    unfolded = len(findings.verification.violations) <= OPEN_AT_MOST
    return joined(
        _violations_of(findings, move, found, listed, unfolded) for move, found in findings.by_move.items()
    )


def _violations_of(
    findings: Findings, move: int, found: list[Violation], listed: bool, unfolded: bool
) -> Markup:
    place = findings.place(found[0].line, move)
    also = f", move {move}" if found[0].line and move else ""
    kind = f" ({findings.verification.plan.moves[move - 1].kind})" if move else ""
    title = f"{place[0].upper()}{place[1:]}{also}{kind}"
    worst = findings.said(findings.worst(found))
    summary = element(
        "summary",
        element("strong", title),
        f": {counted(len(found), 'violation')}, worst: {worst}",
    )
    times = ("From [s]", "To [s]", "Worst [s]")
    head = ("Line", "Joint", "Quantity", *times, "Required", "Limit", "Of the limit", "Margin")
    rows = [_violation_row(findings, violation, listed) for violation in found]
    body = table(f"Violations in {place}{also}", head, rows, class_="violations")
    return element("details", summary, body, id=f"move-{move}", open=unfolded)


def _violation_row(findings: Findings, violation: Violation, listed: bool) -> Markup:
    share = findings.share(violation)
    begin, end = violation.time
    anchor = f"#axis-{violation.joint}" if violation.joint else "#plots"
    joint = "all" if violation.joint is None else f"{violation.joint} ({findings.subject_name(violation)})"
    shown = "-" if share is None else percent(share) if math.isfinite(share) else "no torque left"
    # the plots show the stretch with something around it
    around = max(end - begin, 10 * findings.verification.plan.cycle)
    instant = element(
        "a",
        seconds(begin),
        href=anchor,
        data_from=amount(max(0.0, begin - around), 6),
        data_to=amount(end + around, 6),
    )
    return row(
        line_link(violation.line, violation.move, listed),
        joint,
        findings.quantity(violation),
        instant,
        seconds(end),
        seconds(violation.worst_time),
        _value(findings, violation, violation.required),
        _value(findings, violation, 0.0 if abs(violation.limit) < NOTHING_LEFT else violation.limit),
        shown,
        _value(findings, violation, violation.margin),
    )


def _value(findings: Findings, violation: Violation, value: float) -> Markup:
    """A value in SI and, below it, in the units of data sheets."""
    other = findings.in_shop_units(violation, value)
    small = element("small", other) if other else ""
    return joined([f"{amount(value)} {findings.unit(violation)}".rstrip(), small])


# Joint reactions ------------------------------------------------------------------------------


def reactions_table(findings: Findings) -> Markup:
    """The greatest force and moment that each joint carries."""
    head = ("Body", "Force [N]", "at [s]", "in", "Moment [N m]", "at [s]", "in")
    rows = [
        row(
            found.body,
            amount(found.force),
            seconds(found.force_time),
            findings.place_at(found.force_time),
            amount(found.moment),
            seconds(found.moment_time),
            findings.place_at(found.moment_time),
        )
        for found in findings.verification.reactions
    ]
    return table("Largest reactions in the joint that carries each body, achieved motion", head, rows)
