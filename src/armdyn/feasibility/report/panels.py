"""What is plotted over time: panels of curves with their limits, grouped by axis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from armdyn.feasibility.actuators import NO_LIMIT
from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report.parts import by_part
from armdyn.feasibility.verification import Verification
from armdyn.feasibility.violations import Quantity
from armdyn.report.decimation import bucket_size, decimated, step_of
from armdyn.report.numbers import rounded
from armdyn.report.wording import DEGREES, MILLI, RPM, amount
from armdyn.scalars import Array

Role = Literal["programmed", "achieved", "upper", "lower"]
MOST_POINTS = 8000
"""Of one curve."""
ALL_POINTS, LEAST_POINTS, PER_VIOLATION = 200_000, 60_000, 40
"""Of all curves, fewer for every violation that is listed: what keeps a report below 5 MB."""
IN_SIGHT = 4.0
"""Limits farther than so many times the curves are out of sight."""


@dataclass(frozen=True)
class Curve:
    """One value a sample."""

    role: Role
    values: Array


@dataclass(frozen=True)
class Panel:
    """Curves of one quantity over time."""

    title: str
    unit: str
    curves: tuple[Curve, ...]
    band: tuple[float, float] | None = None
    """Limits that do not change"""
    exceeded: tuple[tuple[float, float], ...] = ()
    """Stretches of time in which too much is asked for"""

    @property
    def seen_band(self) -> tuple[float, float] | None:
        """The limits that are in sight, inf for one that is not; None if none is."""
        if self.band is None:
            return None
        reach = IN_SIGHT * max(float(np.abs(self._drawn).max(initial=0.0)), 1e-12)
        lower, upper = (x if abs(x) <= reach else np.copysign(np.inf, x) for x in self.band)
        return None if np.isinf(lower) and np.isinf(upper) else (float(lower), float(upper))

    @property
    def range(self) -> tuple[float, float]:
        """What the vertical axis shows."""
        band = self.seen_band or ()
        shown = np.concatenate([self._drawn, [x for x in band if np.isfinite(x)]])
        low, high = float(shown.min()), float(shown.max())
        margin = 0.06 * (high - low) or 0.1 * abs(high) or 1.0
        return low - margin, high + margin

    @property
    def _drawn(self) -> Array:
        """All values that must be seen: curves, and changing limits near them."""
        main = np.concatenate([c.values for c in self.curves if c.role in ("programmed", "achieved")])
        reach = IN_SIGHT * float(np.abs(main).max(initial=0.0))
        bounds = [c.values for c in self.curves if c.role in ("upper", "lower")]
        near = [x[np.abs(x) <= reach] for x in bounds]
        return np.concatenate([main, *near])

    @property
    def limit_text(self) -> str:
        """The limits in words."""
        if self.band is None:
            return ""
        lower, upper = self.band
        both = f"±{amount(upper)}" if lower == -upper else f"{amount(lower)} to {amount(upper)}"
        return f"limit {both} {self.unit}"


@dataclass(frozen=True)
class Group:
    """Panels of one axis, or of the tool."""

    anchor: str
    title: str
    panels: tuple[Panel, ...]


def groups(findings: Findings) -> list[Group]:
    """The tool's panels and those of every axis."""
    return [_tool(findings), *_axes(findings)]


# The tool -------------------------------------------------------------------------------------


def _tool(findings: Findings) -> Group:
    verification = findings.verification
    speeds = (
        Curve("programmed", _tool_speed(verification, verification.programmed_tool) * MILLI),
        Curve("achieved", _tool_speed(verification, verification.achieved_tool) * MILLI),
    )
    distance = (Curve("achieved", verification.tool_distance * MILLI),)
    panels = (
        Panel("Tool speed", "mm/s", speeds),
        Panel("Distance from the programmed path", "mm", distance),
    )
    return Group("tool", "Tool", panels)


def _tool_speed(verification: Verification, points: Array) -> Array:
    """How fast the tool reaches each sample; a change of the tool is no motion."""
    speed = np.zeros(len(points))
    for _, part in verification.parts(len(points)):
        speed[part][1:] = np.linalg.norm(np.diff(points[part], axis=0), axis=1) / verification.plan.cycle
    return speed


# The axes -------------------------------------------------------------------------------------


def _axes(findings: Findings) -> Iterator[Group]:
    verification = findings.verification
    names, motors = verification.plan.robot.joint_names, verification.arms[0].actuators.names
    turning = achieved_speed(verification)
    for j, (name, k) in enumerate(zip(names, findings.motor_of, strict=True)):
        moved = f", moved by motor {k + 1} ({motors[k]})" if findings.geared else ""
        panels = (
            _torque(findings, j, k),
            *_motor_speed(findings, j, k, turning),
            _joint_speed(findings, j),
            *_acceleration(findings, j),
            *_joint_torque(findings, j),
            _position(findings, j),
        )
        yield Group(f"axis-{j + 1}", f"Axis {j + 1}: {name}{moved}", panels)


def achieved_speed(verification: Verification) -> Array:
    """(t, n) of the motors in the run [rad/s]."""
    run = verification.run
    return by_part(verification, len(run.q), lambda arm, part: arm.speed(run.q[part], run.qd[part]))


def _torque(findings: Findings, j: int, k: int) -> Panel:
    verification = findings.verification
    curves = _both(verification.demand.torque[:, k], verification.run.torque[:, k])
    unit, _ = findings.motor_units(k)
    actuators = verification.arms[0].actuators
    band = None
    if actuators.known[k] and actuators.steady:
        lower, upper = (float(x[k]) for x in actuators.limits(verification.demand.speed))
        band = (lower, upper)
    elif actuators.known[k]:
        lower, upper = (x[:, k] for x in actuators.limits(verification.demand.speed))
        curves = (*curves, Curve("lower", lower), Curve("upper", upper))
    title = "Motor torque" if findings.geared else "Joint torque"
    return Panel(title, unit, curves, _possible(band), _exceeded(findings, j, "motor_torque"))


def _motor_speed(findings: Findings, j: int, k: int, turning: Array) -> Iterator[Panel]:
    if not findings.geared:
        return
    verification = findings.verification
    curves = _both(verification.demand.speed[:, k] * RPM, turning[:, k] * RPM)
    limit = float(verification.arms[0].actuators.speed_limits[k]) * RPM
    yield Panel("Motor speed", "rpm", curves, _symmetric(limit), _exceeded(findings, j, "motor_speed"))


def _joint_speed(findings: Findings, j: int) -> Panel:
    verification = findings.verification
    limit = verification.plan.robot.joints[j].limits.velocity or None
    curves = _both(verification.demand.qd[:, j], verification.run.qd[:, j])
    unit = "m/s" if findings.prismatic(j) else "rad/s"
    return Panel("Joint speed", unit, curves, _symmetric(limit), _exceeded(findings, j, "joint_speed"))


def _acceleration(findings: Findings, j: int) -> Iterator[Panel]:
    """Only where it is exceeded."""
    exceeded = _exceeded(findings, j, "joint_acceleration")
    if exceeded:
        verification = findings.verification
        limit = verification.plan.robot.joints[j].limits.acceleration
        curves = _both(verification.demand.qdd[:, j], verification.run.qdd[:, j])
        unit = "m/s²" if findings.prismatic(j) else "rad/s²"
        yield Panel("Joint acceleration", unit, curves, _symmetric(limit), exceeded)


def _joint_torque(findings: Findings, j: int) -> Iterator[Panel]:
    """Only where it is exceeded."""
    exceeded = _exceeded(findings, j, "joint_torque")
    if exceeded:
        verification = findings.verification
        limit = verification.plan.robot.joints[j].limits.effort or None
        curves = (Curve("programmed", verification.demand.joint_torque[:, j]),)
        unit = "N" if findings.prismatic(j) else "N m"
        yield Panel("Joint torque", unit, curves, _symmetric(limit), exceeded)


def _position(findings: Findings, j: int) -> Panel:
    verification = findings.verification
    slides = findings.prismatic(j)
    scale, unit = (MILLI, "mm") if slides else (DEGREES, "°")
    curves = _both(verification.plan.q[:, j] * scale, verification.run.q[:, j] * scale)
    limits = verification.plan.robot.joints[j].limits.position
    band = None if limits is None else (limits[0] * scale, limits[1] * scale)
    return Panel("Position", unit, curves, band, _exceeded(findings, j, "position"))


def _both(programmed: Array, achieved: Array) -> tuple[Curve, ...]:
    return Curve("programmed", programmed), Curve("achieved", achieved)


def _symmetric(limit: float | None) -> tuple[float, float] | None:
    return _possible(None if not limit else (-limit, limit))


def _possible(band: tuple[float, float] | None) -> tuple[float, float] | None:
    """The band, unless it binds nothing."""
    return None if band is None or max(abs(x) for x in band) >= NO_LIMIT else band


def _exceeded(findings: Findings, j: int, quantity: Quantity) -> tuple[tuple[float, float], ...]:
    return tuple(
        violation.time
        for violation in findings.verification.violations
        if violation.joint == j + 1 and violation.quantity == quantity
    )


# As data --------------------------------------------------------------------------------------


def panels_document(shown: Sequence[Group], cycle: float) -> list[dict[str, Any]]:
    """Panels as data for the page, curves short enough."""
    panels = [panel for group in shown for panel in group.panels]
    violations = sum(len(panel.exceeded) for panel in panels)
    points = max(LEAST_POINTS, ALL_POINTS - PER_VIOLATION * violations)
    points = min(MOST_POINTS, points // max(1, sum(len(panel.curves) for panel in panels)))
    return [
        {
            "unit": panel.unit,
            "range": rounded(panel.range),
            "curves": [_curve_document(curve, points, cycle) for curve in panel.curves],
        }
        for panel in panels
    ]


def _curve_document(curve: Curve, points: int, cycle: float) -> dict[str, Any]:
    size = bucket_size(len(curve.values), points)
    return {
        "role": curve.role,
        "step": cycle * step_of(size),
        "values": rounded(decimated(curve.values, size)),
    }
