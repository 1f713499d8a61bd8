"""The tables of the report: what holds the motion back, stops, moves."""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.report.markup import Markup, element, row, table
from armdyn.report.wording import amount, percent, seconds
from armdyn.retiming.held_back import Held, numbered_lines
from armdyn.retiming.optimal.optimal import Stop
from armdyn.retiming.per_move.result import MoveFactors
from armdyn.retiming.report.words import share_of_time
from armdyn.retiming.retime import Retimed


def held_table(retimed: Retimed, held: Sequence[Held]) -> Markup:
    """A row for each limit that the motion reaches."""
    if not held:
        return element("p", "Nothing: the motion reaches no limit.")
    head = ("Limit", "At it for [s]", "Of the time", "Times", "First at [s]", "Lines")
    rows = [
        row(
            each.name,
            seconds(each.time),
            share_of_time(each, retimed),
            str(len(each.stretches)),
            seconds(each.stretches[0].time),
            numbered_lines(each.lines) or "-",
        )
        for each in held
    ]
    return table("Limits that the motion is at, the longest first", head, rows, class_="held")


def stops_table(stops: Sequence[Stop]) -> Markup:
    """A row for each place where the arm rests."""
    if not stops:
        return element("p", "None: the arm does not stop on its way.")
    rows = [
        row(seconds(stop.time), str(stop.line or "-"), stop.reason, seconds(stop.wait) if stop.wait else "-")
        for stop in stops
    ]
    return table("Where the arm rests, and why", ("At [s]", "Line", "Why", "Waits [s]"), rows, class_="stops")


def factors_table(moves: Sequence[MoveFactors]) -> Markup:
    """A row for each statement that moves."""
    head = ("Line", "Kind", "Executions", "Speed", "becomes", "factor", "Acceleration", "becomes", "factor")
    rows = [
        row(
            element("a", str(move.line), href=f"#L{move.line}"),
            move.kind,
            str(move.executions),
            amount(move.speed_before),
            amount(move.speed_after),
            percent(move.speed_factor),
            amount(move.acceleration_before),
            amount(move.acceleration_after),
            percent(move.acceleration_factor),
        )
        for move in moves
    ]
    caption = (
        "Speeds and accelerations of the moves; of ptp shares of the joints' limits, of others mm/s and mm/s²"
    )
    return table(caption, head, rows)
