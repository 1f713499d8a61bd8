"""How much of each motor the program uses, as bars."""

from __future__ import annotations

from armdyn.feasibility.findings import Findings
from armdyn.feasibility.results import Utilisation
from armdyn.report.markup import Markup, element, row, table
from armdyn.report.wording import RPM, amount, percent

WIDEST = 1.5
"""The share at which a bar ends; beyond it only the number tells."""


def utilisation_table(findings: Findings) -> Markup:
    """A row for each motor: peak, rms and speed as shares of what it has."""
    motors = findings.verification.arms[0].actuators.motors
    rated = [motor.rated_torque is not None for motor in motors]
    mean = (
        "RMS torque of rated"
        if all(rated)
        else "RMS torque of rated or peak"
        if any(rated)
        else "RMS of peak torque"
    )
    what = "Motor" if findings.geared else "Joint"
    rows = [_row(findings, k, use) for k, use in enumerate(findings.verification.utilisation)]
    caption = "What the program requires, as shares of what each motor has; the mark is 100 %"
    return table(caption, (what, "Peak of its envelope", mean, "Speed"), rows, class_="use")


def _row(findings: Findings, k: int, use: Utilisation) -> Markup:
    torque, speed = findings.motor_units(k)
    fast = f"{amount(use.peak_speed * RPM)} rpm" if findings.geared else f"{amount(use.peak_speed)} {speed}"
    return row(
        f"{k + 1} ({use.motor})",
        _bar(use.peak, f"{amount(use.peak_torque)} {torque}"),
        _bar(use.rms, f"{amount(use.rms_torque)} {torque}"),
        _bar(use.speed, fast),
    )


def _bar(share: float | None, value: str) -> Markup:
    if share is None:
        return element("td", f"{value} (limit unknown)")
    over = share > 1 + 1e-9
    filled = element(
        "span",
        class_="fill over" if over else "fill",
        style=f"width:{100 * min(share, WIDEST) / WIDEST:.1f}%",
    )
    bar = element("span", filled, element("span", class_="full"), class_="bar", aria_hidden="true")
    number = element("strong", f"{percent(share)}, too much") if over else percent(share)
    return element("td", bar, number, element("small", value))
