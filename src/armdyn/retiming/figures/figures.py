"""The figures of a retimed motion, one by one or on one sheet."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from armdyn.motion.planned import Plan
from armdyn.report.drawing import PLAIN, check_figure, drawing, new_figure, save
from armdyn.report.pictures import WIDTH, Picture
from armdyn.report.wording import seconds_text
from armdyn.retiming.figures import factors, multiples, phase_plane, shares
from armdyn.retiming.figures.tracks import demand_of, given_plan, moves, tracks_of
from armdyn.retiming.held_back import held_back
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.retime import Retimed
from armdyn.retiming.uniform import Uniform

SHARES = "shares"


def figure(retimed: Retimed) -> Any:
    """The main picture: speed below the limit curve, and what the way of retiming adds to it."""
    every = list(pictures(retimed))
    drawn = [each for each in every if each.key != SHARES] or every
    with drawing(f"retiming {retimed.mode}", PLAIN):
        sheet = new_figure((WIDTH, sum(each.height for each in drawn) + 0.3))
        heights = [each.height for each in drawn]
        parts: Any = sheet.subfigures(len(drawn), 1, squeeze=False, height_ratios=heights)[:, 0]
        for part, each in zip(parts, drawn, strict=True):
            each.draw(part)
            part.suptitle(each.title, fontsize=10, x=0.01, ha="left", fontweight="bold")
    return sheet


def write_figure(retimed: Retimed, path: str | os.PathLike[str]) -> None:
    """Write the main picture: .svg, .png or .pdf, all of the file or nothing."""
    check_figure(path)
    with drawing(f"retiming {retimed.mode}", PLAIN):
        save(figure(retimed), Path(path))


def pictures(retimed: Retimed) -> Iterator[Picture]:
    """All of them, the most telling first."""
    given = given_plan(retimed)
    if moves(retimed.plan):
        yield _phase_plane(retimed, given)
    match retimed.found:
        case Uniform() as found:
            yield _multiples(retimed, found)
        case PerMove() as found:
            yield _factors(retimed, found, given)
        case _:
            pass
    yield _shares(retimed, given)


def _phase_plane(retimed: Retimed, given: Plan | None) -> Picture:
    held, tracks = held_back(retimed), tracks_of(retimed, given)
    numbers = "lines of the program" if any(move.line for move in retimed.plan.moves) else "moves"
    return Picture(
        "plane",
        "Speed along the path",
        f"Numbers above: {numbers}. Above the limit curve no acceleration along the path keeps all limits; "
        "below it a motion must still be able to brake before the curve falls. Coloured stretches and the "
        "bars below say which limit the motion is at.",
        phase_plane.plane_height(retimed, held),
        lambda figure: phase_plane.draw_phase_plane(figure, retimed, tracks, held),
    )


def _multiples(retimed: Retimed, found: Uniform) -> Picture:
    chosen = found.demand.plan.duration / retimed.duration
    return Picture(
        "multiples",
        "The whole motion at one multiple of its speed",
        "Each line is the largest share that any joint or motor needs at any instant.",
        multiples.HEIGHT + 0.4,
        lambda figure: multiples.draw_multiples(figure, found, chosen),
    )


def _factors(retimed: Retimed, found: PerMove, given: Plan | None) -> Picture:
    return Picture(
        "factors",
        "Move by move",
        "1 is as programmed. Lines that are executed more than once have one factor for all times.",
        2 * factors.HEIGHT + 0.3,
        lambda figure: factors.draw_factors(figure, found.moves, given, retimed.plan),
    )


def _shares(retimed: Retimed, given: Plan | None) -> Picture:
    after = shares.share_map(retimed.verification.demand)
    drawn, titles = [after], [f"Retimed: {seconds_text(retimed.duration)}"]
    if given is not None:
        drawn = [shares.share_map(demand_of(retimed, given)), after]
        titles = [f"As given: {seconds_text(given.duration)}", *titles]
    return Picture(
        SHARES,
        "Limits over time",
        "Of motor torques the share of the torque-speed envelope.",
        shares.map_height(drawn),
        lambda figure: shares.draw_shares(figure, drawn, titles),
    )
