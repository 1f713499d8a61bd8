"""What would make a motion feasible, each to be done with one click."""

from __future__ import annotations

import math

from armdyn.errors import counted
from armdyn.feasibility.findings import Findings
from armdyn.studio.messages.run import Suggestion


def suggestions(findings: Findings) -> list[Suggestion]:
    """For a motion that is not feasible, as far as speed helps."""
    found = findings.verification
    if found.feasible or any(move.impossible or not move.override for move in found.moves):
        return []
    slower = Suggestion(label="Slow the whole motion just enough", action="retime", mode="uniform")
    fastest = Suggestion(
        label="As fast as motors and joints allow on this path", action="retime", mode="optimal"
    )
    if not found.source:
        return [slower, fastest]
    each = Suggestion(label="Slow every move just enough", action="retime", mode="per-move")
    return [each, *_hints(findings), slower, fastest]


def _hints(findings: Findings) -> list[Suggestion]:
    """The largest speed of every line, each by itself: what moves do to their neighbours is not looked at."""
    shares: dict[int, float] = {}
    for move in findings.verification.moves:
        if move.override < 1:
            shares[move.line] = min(shares.get(move.line, 1.0), move.override)
    if not shares:
        return []
    rounded = {str(line): max(0.01, math.floor(100 * share) / 100) for line, share in shares.items()}
    if len(rounded) == 1:
        (line, share) = next(iter(rounded.items()))
        label = f"Run line {line} at {100 * share:.0f} % of its speed"
    else:
        label = f"Run {counted(len(rounded), 'line')} at their largest speeds"
    return [Suggestion(label=label, action="slow", shares=rounded)]
