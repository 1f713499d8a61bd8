"""What would make a motion feasible, each to be done with one click, what costs least first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from armdyn.errors import counted
from armdyn.feasibility import Verification
from armdyn.feasibility.findings import Findings
from armdyn.program.gradual_turning import turn_option
from armdyn.report.wording import seconds
from armdyn.retiming.uniform import uniform
from armdyn.studio.digests import text_digest
from armdyn.studio.messages.run import Suggestion

LATER = "how long it takes is known when it has been computed"
LARGEST = 6000
"""Samples of a motion for which ways are tried: each takes up to as long as the verification."""


@dataclass(frozen=True)
class Remedy:
    """Lines at a share of their speed, and a turn acceleration, that make a program feasible once written."""

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
    tried = sorted(remedies, key=lambda remedy: remedy.cycle_time)
    return [*(_tried(remedy, found) for remedy in tried), *_retimed(found)]


def _retimed(found: Verification) -> Iterator[Suggestion]:
    if found.source:
        yield Suggestion(
            label="Slow every move just enough", action="retime", mode="per-move", cost=f"searched; {LATER}"
        )
    lasting = _uniform_time(found)
    yield Suggestion(
        label="Slow the whole motion just enough",
        action="retime",
        mode="uniform",
        cycle_time=lasting,
        cost=LATER if lasting is None else _instead(lasting, found),
    )
    label = "As fast as motors and joints allow on this path"
    yield Suggestion(label=label, action="retime", mode="optimal", cost=f"{LATER}; no program text moves so")


def _uniform_time(found: Verification) -> float | None:
    """How long the motion takes at the one multiple of its speed that is possible [s], of short motions."""
    if len(found.plan.time) > LARGEST:
        return None
    r = uniform(found.demand).r
    return None if r is None or math.isinf(r) else found.plan.duration / r


def _instead(cycle_time: float, found: Verification) -> str:
    return f"{seconds(cycle_time)} s instead of {seconds(found.plan.duration)} s"


def _tried(remedy: Remedy, found: Verification) -> Suggestion:
    """A way that was verified."""
    turning, cost = remedy.turn_acceleration, _instead(remedy.cycle_time, found)
    if turning is not None:
        cost += f"; the program says {turn_option(turning)}"
    return Suggestion(
        label=_label(remedy),
        action="slow",
        shares={str(line): share for line, share in remedy.shares.items()},
        turn_acceleration=turning,
        program=text_digest(found.source),
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
