"""What would make a motion feasible, each to be done with one click, what costs least first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from armdyn.errors import counted
from armdyn.feasibility.findings import Findings
from armdyn.report.wording import seconds
from armdyn.studio.messages.run import Suggestion

LATER = "how long it takes is known when it has been computed"


@dataclass(frozen=True)
class Remedy:
    """Lines at a share of their speed, and a turn acceleration, with which a program was verified."""

    shares: Mapping[int, float]
    turn_acceleration: float | None
    """[rad/s2]"""
    cycle_time: float
    """[s]"""


def suggestions(findings: Findings, remedies: Sequence[Remedy] = ()) -> list[Suggestion]:
    """For a motion that is not feasible, as far as speed helps."""
    found = findings.verification
    if found.feasible or any(move.impossible or not move.override for move in found.moves):
        return []
    programmed = float(found.plan.time[-1])
    tried = sorted(remedies, key=lambda remedy: remedy.cycle_time)
    return [*(_tried(remedy, programmed) for remedy in tried), *_retimed(is_program=bool(found.source))]


def _retimed(*, is_program: bool) -> Iterator[Suggestion]:
    if is_program:
        yield Suggestion(
            label="Slow every move just enough", action="retime", mode="per-move", cost=f"searched; {LATER}"
        )
    yield Suggestion(label="Slow the whole motion just enough", action="retime", mode="uniform", cost=LATER)
    label = "As fast as motors and joints allow on this path"
    yield Suggestion(label=label, action="retime", mode="optimal", cost=f"{LATER}; no program text moves so")


def _tried(remedy: Remedy, programmed: float) -> Suggestion:
    """A way that was verified."""
    turning = remedy.turn_acceleration
    cost = f"{seconds(remedy.cycle_time)} s instead of {seconds(programmed)} s"
    if turning is not None:
        cost += f"; planned with a turn acceleration of {turning:g} rad/s²"
    return Suggestion(
        label=_label(remedy),
        action="slow",
        shares={str(line): share for line, share in remedy.shares.items()},
        turn_acceleration=turning,
        cycle_time=remedy.cycle_time,
        cost=cost,
    )


def _label(remedy: Remedy) -> str:
    slower = _slower(remedy.shares)
    if remedy.turn_acceleration is None:
        return slower[0].upper() + slower[1:]
    return "Turn the tool gradually between moves" + (f", {slower}" if remedy.shares else "")


def _slower(shares: Mapping[int, float]) -> str:
    if len(shares) == 1:
        ((line, share),) = shares.items()
        return f"run line {line} at {100 * share:.0f} % of its speed"
    return f"run {counted(len(shares), 'line')} slower"
