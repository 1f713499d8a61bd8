"""How the report was computed, and what was assumed."""

from __future__ import annotations

from collections.abc import Iterator

from armdyn.feasibility.arrivals import ARRIVED
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.following import Follow
from armdyn.report.markup import Markup, element, joined
from armdyn.report.wording import MILLI, amount

FOLLOW: dict[Follow, str] = {
    "position": "Follow position: in every cycle the arm heads for the next programmed position, so what "
    "lags is caught up as fast as the motors allow.",
    "velocity": "Follow velocity: in every cycle the arm takes the programmed velocity, so what lags stays "
    "behind ([Kvrgic2020], Algorithm 1 as printed).",
    "unbraked": "Follow unbraked: in every cycle the arm heads for the next programmed position, whether or "
    "not its motors can brake in time, so it may shoot past the program.",
}
LIMITED = (
    "A motor that saturates gives its limit while the others still produce the accelerations that are asked "
    "of them; all motor torques stay inside their limits (after [Kvrgic2020], Algorithm 1)."
)
PRINTED = (
    "Saturated motors are treated as in step 6 of Algorithm 1 as printed: the torques that its accelerations "
    "take may exceed the limits."
)
ACHIEVED = (
    f"A move has been achieved when every joint is within {ARRIVED:g} rad (or m) of its end, not before its "
    "programmed end; where the motion runs on, when they are that near to the programmed motion again. A "
    "stop that the arm cuts short is never achieved, though later moves may be."
)
SPEED = (
    "The largest feasible speed of a move is the share of its programmed speed at which it alone would ask "
    "for nothing impossible: a hint, since neighbouring moves share their ends."
)
PAPER = "[Kvrgic2020]: V. Kvrgić and J. Vidaković, Efficient method for robot forward dynamics computation."


def method(findings: Findings, version: str) -> Markup:
    """Notes of the plan, then how verdict and motion were found."""
    notes = findings.verification.notes
    listed = element("ul", *(element("li", note) for note in notes)) if notes else element("p", "None.")
    ways = element("ul", *(element("li", sentence) for sentence in _ways(findings)))
    return joined(
        [
            element("h3", "Notes and assumptions"),
            listed,
            element("h3", "How it was computed"),
            ways,
            element("p", f"Computed with armdyn {version}.", class_="version"),
        ]
    )


def _ways(findings: Findings) -> Iterator[str]:
    verification = findings.verification
    cycle = f"{amount(verification.plan.cycle * MILLI)} ms"
    yield (
        f"Required is what following the program exactly would take, sample by sample every {cycle}: "
        "velocities and accelerations are differences of the programmed positions, torques come from inverse "
        f'dynamics with the motor model "{verification.motors}".'
    )
    yield "Feasible means that nothing required exceeds a limit; achieved is what the arm then really does."
    yield FOLLOW[verification.follow]
    yield PRINTED if verification.printed else LIMITED
    yield ACHIEVED
    yield SPEED
    yield PAPER
