"""A retimed motion in words: the verdict, what it is due to, and how it was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from armdyn.errors import counted
from armdyn.feasibility.findings import Findings
from armdyn.report.wording import amount, percent, seconds_text
from armdyn.retiming.held_back import Held
from armdyn.retiming.optimal.optimal import Optimal
from armdyn.retiming.per_move import PerMove
from armdyn.retiming.retime import Mode, Retimed
from armdyn.retiming.uniform import Uniform

ASKED: dict[Mode, str] = {
    "uniform": "How fast can all of the motion run, at one multiple of its speed?",
    "per-move": "Which moves must be slower, and by how much, so that the program is feasible?",
    "optimal": "How fast can the arm go along the path?",
}
LITTLE = 0.01
SAME = 1e-9
"""Durations that differ by less, relative, are the same."""


def verdict(retimed: Retimed, held: Sequence[Held]) -> str:
    """What becomes of the duration and why, in one sentence."""
    return f"{_durations(retimed)}: {_reason(retimed, held)}."


def _durations(retimed: Retimed) -> str:
    after = seconds_text(retimed.duration)
    if retimed.before is None:
        return f"The path takes {after}"
    if is_same(retimed):
        return f"{after} as before"
    return f"{seconds_text(retimed.before)} becomes {after}"


def is_same(retimed: Retimed) -> bool:
    """Whether the duration is what it was."""
    before = retimed.before
    return before is not None and abs(retimed.duration - before) <= SAME * before


def _reason(retimed: Retimed, held: Sequence[Held]) -> str:
    match retimed.found:
        case Uniform(demand=demand):
            r = demand.plan.duration / retimed.duration
            most = f", the most that {held[0].name} allows" if held else ""
            return f"all of it runs at {amount(r, 6)} times its speed{most}"
        case PerMove(moves=moves):
            slower = sum(move.speed_factor < 1 or move.acceleration_factor < 1 for move in moves)
            if not slower:
                return "nothing needs to be slower"
            return f"{slower} of {counted(len(moves), 'move')} {'is' if slower == 1 else 'are'} slower"
        case Optimal():
            most = (
                f", held back by {held[0].name} for {share_of_time(held[0], retimed)} of the time"
                if held
                else ""
            )
            return f"the fastest motion found along the path{most}"


def share_of_time(held: Held, retimed: Retimed) -> str:
    """How much of the motion is at a limit; of an instant only that it is little."""
    share = held.time / retimed.duration if retimed.duration else 1.0
    return percent(share) if share >= LITTLE else f"under {percent(LITTLE)}"


def checked(retimed: Retimed) -> str:
    """What the feasibility check says of the samples."""
    return Findings(retimed.verification).verdict.replace(" as programmed", " when checked sample by sample")


def compared(retimed: Retimed) -> str:
    """The duration beside what it was."""
    if retimed.before is None:
        return "a path without times"
    if is_same(retimed):
        return "as before"
    later = retimed.duration - retimed.before
    longer = "longer" if later > 0 else "shorter"
    share = f" ({percent(abs(later) / retimed.before)})" if retimed.before else ""
    return f"{seconds_text(abs(later))} {longer}{share}"


def ways(retimed: Retimed) -> Iterator[str]:
    """How it was found, in a few sentences."""
    match retimed.found:
        case Uniform():
            yield (
                "At a multiple r of the speed inertia and velocity terms of the torques go with r², viscous "
                "friction with r, gravity and Coulomb friction do not change, and friction under load has "
                "pieces; the largest r that keeps every limit at every sample is exact ([Siciliano2009] 7.7)."
            )
        case PerMove():
            yield (
                "Speeds and accelerations of single moves were lowered, never raised, with as little loss of "
                "time as was found; the program was planned and checked again with them."
            )
        case Optimal(margin=margin):
            yield (
                "Between two neighbouring places of a grid the acceleration along the path is constant; at "
                "both of them all limits are kept, motor torques with coupled gears and friction included."
            )
            yield (
                "The lower bound holds for every motion of that kind on the same grid; where friction under "
                "load or viscous friction bends limits, they are replaced by looser ones."
            )
            if margin:
                yield (
                    f"Up to {amount(100 * margin, 2)} % of the limits is left free at some places, so that "
                    "samples keep them, too."
                )
    yield (
        "The limit curve is the largest speed at each place of the path at which some acceleration along it "
        "keeps all limits."
    )
