"""What is said first of a verification: verdict, times, details."""

from __future__ import annotations

from typing import TypedDict

from armdyn.feasibility.findings import Findings
from armdyn.report.wording import percent, seconds_text
from armdyn.studio.messages.run import RetimedScene

WAYS = {
    "uniform": "at one speed for all",
    "per-move": "move by move",
    "optimal": "as fast as motors and joints allow",
}


class Said(TypedDict):
    """The fields of a run that say it."""

    verdict: str
    times: str
    details: str


def said(findings: Findings, retimed: RetimedScene | None = None) -> Said:
    """Of a program, or of a retimed motion that no program text gives: that must not pass for the program."""
    details = " ".join(filter(None, [findings.verdict_details, _most_used(findings)]))
    if retimed is None or retimed.text is not None:
        return Said(verdict=findings.verdict, times=findings.times, details=details)
    before = "" if retimed.before is None else f", {seconds_text(retimed.before)} as programmed"
    return Said(
        verdict=f"Not the program, but a retimed motion on its path, {WAYS[retimed.mode]}.",
        times=f"Cycle time {seconds_text(retimed.after)}{before}.",
        details=f"No program text moves so: export the run to use it. {details}".strip(),
    )


def _most_used(findings: Findings) -> str:
    """How much a feasible motion leaves of the motor that it uses most."""
    if not findings.verification.feasible:
        return ""
    uses = [
        (share, k, what)
        for k, use in enumerate(findings.verification.utilisation)
        for share, what in ((use.peak, "torque"), (use.speed, "speed"))
        if share is not None
    ]
    if not uses:
        return ""
    share, k, what = max(uses)
    return f"The most used is {findings.motor(k)}, with {percent(share)} of its {what} limit."
