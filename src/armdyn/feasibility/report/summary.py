"""The head of the report: verdict, cycle times, path deviation, and what was verified."""

from __future__ import annotations

import math
from collections.abc import Iterator

from armdyn.feasibility.findings import Findings
from armdyn.report.markup import Markup, element, joined
from armdyn.report.wording import FINEST, MILLI, MODELS, amount, percent, seconds, seconds_text


def summary(findings: Findings) -> Markup:
    """Verdict first, then the great numbers, then the conditions."""
    feasible = findings.verification.feasible
    verdict = element(
        "div",
        element("span", "✓" if feasible else "✗", class_="sign", aria_hidden="true"),
        element("p", findings.verdict, class_="sentence"),
        element("p", details, class_="details") if (details := findings.verdict_details) else "",
        class_="verdict good" if feasible else "verdict bad",
        role="status",
    )
    figures = element("dl", *(_figure(*figure) for figure in _figures(findings)), class_="figures")
    return joined([verdict, figures, _conditions(findings)])


def _figure(name: str, value: str, unit: str, remark: str) -> Markup:
    number = element("dd", value, element("span", f" {unit}", class_="unit") if unit else "", class_="number")
    return element("div", element("dt", name), number, element("dd", remark, class_="remark"))


def _figures(findings: Findings) -> Iterator[tuple[str, str, str, str]]:
    """Name, value, unit and remark of each great number."""
    verification = findings.verification
    programmed, achieved = verification.plan.duration, verification.achieved_time
    yield "Programmed cycle time", seconds(programmed), "s", "what the program asks for"
    if achieved is None:
        yield "Achieved cycle time", "never", "", _never(findings)
    else:
        yield "Achieved cycle time", seconds(achieved), "s", _compared(programmed, achieved)
    deviation = verification.deviation
    far = deviation.maximum * MILLI
    if far < FINEST:
        yield "Largest path deviation", "none", "", "the tool stays on its programmed path"
    else:
        where = findings.place(deviation.line, findings.move_at(deviation.time))
        yield "Largest path deviation", amount(far, 3), "mm", f"at {seconds(deviation.time)} s, {where}"


def _compared(programmed: float, achieved: float) -> str:
    later = achieved - programmed
    if later < 0.0005:
        return "as programmed"
    share = f" ({percent(later / programmed)})" if programmed else ""
    return f"{seconds(later)} s longer{share}"


def _never(findings: Findings) -> str:
    """Why there is no cycle time."""
    verification = findings.verification
    last = float(verification.time[-1])
    if verification.follow == "velocity":
        return "the arm does not arrive: what lags stays behind (follow velocity)"
    return f"the arm has not arrived after {seconds_text(last)}: the motors cannot bring or hold it there"


def _conditions(findings: Findings) -> Markup:
    rows = [element("div", element("dt", name), element("dd", value)) for name, value in _facts(findings)]
    return element("dl", *rows, class_="facts")


def _facts(findings: Findings) -> Iterator[tuple[str, str]]:
    verification = findings.verification
    robot, arm = verification.plan.robot, verification.arms[0]
    yield "Robot", f"{robot.name}: {robot.description}" if robot.description else robot.name
    yield "Motor model", MODELS[verification.motors]
    yield "Friction", "included" if arm.dyn.friction else "left out"
    yield "Wrench at the tool", _wrench(findings)
    yield "Payload", _payloads(findings)
    yield "Interpolation cycle", f"{amount(verification.plan.cycle * MILLI)} ms"
    yield "Moves", f"{len(verification.moves)}, in {len(verification.plan.time)} samples"


def _wrench(findings: Findings) -> str:
    arm = findings.verification.arms[0]
    if arm.wrench is None or not arm.wrench.any():
        return "none"
    numbers = [amount(x) for x in arm.wrench.tolist()]
    where = "at the tool's origin"
    if arm.at is not None:
        where = f"at ({', '.join(amount(x * MILLI) for x in arm.at.tolist())}) mm of the tool's body"
    return f"force ({', '.join(numbers[:3])}) N, moment ({', '.join(numbers[3:])}) N m, base axes, {where}"


def _payloads(findings: Findings) -> str:
    """What is held from phase to phase."""
    plan = findings.verification.plan
    masses = [math.fsum(payload.inertia.mass for payload in phase.robot.payloads) for phase in plan.phases]
    if not any(masses):
        return "none"
    steps = [
        f"{amount(mass)} kg from {seconds(phase.first * plan.cycle)} s"
        for k, (mass, phase) in enumerate(zip(masses, plan.phases, strict=True))
        if k == 0 or mass != masses[k - 1]
    ]
    return f"{amount(masses[0])} kg" if len(steps) == 1 else ", ".join(steps)
