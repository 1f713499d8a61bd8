"""Each motor in the plane of speed and torque, inside what it can do."""

from __future__ import annotations

import math

import numpy as np

from armdyn.feasibility.findings import Findings
from armdyn.feasibility.report.panels import IN_SIGHT, achieved_speed
from armdyn.mechanics.motor_limits import speed_limit, torque_limits
from armdyn.report.markup import Markup, element, joined
from armdyn.report.numbers import round_ticks
from armdyn.report.wording import RPM, amount
from armdyn.robot import Motor
from armdyn.scalars import Array

WIDTH, HEIGHT, LEFT, BOTTOM, MARGIN = 360.0, 270.0, 52.0, 36.0, 10.0
OUTSIDE = 1 + 1e-9
GRIDS = (0.5, 1.0, 2.0, 3.0, 4.0)
"""[px]"""
MOST_PLACES = 3000
CROSS = 3.5
"""Half the size of a cross [px]."""


class _Plane:
    """Where speeds and torques are; both axes are symmetric about zero."""

    def __init__(self, reach: float, height: float) -> None:
        self.reach, self.height = reach, height

    def x(self, speed: Array) -> Array:
        return LEFT + (WIDTH - LEFT - MARGIN) * (0.5 + 0.5 * speed / self.reach)

    def y(self, torque: Array) -> Array:
        return MARGIN + (HEIGHT - BOTTOM - MARGIN) * (0.5 - 0.5 * torque / self.height)

    def places(self, speed: Array, torque: Array) -> list[tuple[float, float]]:
        """Where points are drawn, each place once, on a grid so coarse that there are not too many."""
        inside = np.stack([self.x(speed), self.y(torque)], axis=1)
        kept = inside
        for grid in GRIDS:
            kept = np.unique(np.round(inside / grid), axis=0) * grid
            if len(kept) <= MOST_PLACES:
                break
        return [(x, y) for x, y in kept.tolist()]


def scatters(findings: Findings) -> Markup:
    """A picture for each motor."""
    verification = findings.verification
    turning = achieved_speed(verification)
    actuators = verification.arms[0].actuators
    pictures = [
        _scatter(findings, k, name, motor, turning[:, k])
        for k, (name, motor) in enumerate(zip(actuators.names, actuators.motors, strict=True))
    ]
    return element("div", *pictures, class_="scatters")


def _scatter(findings: Findings, k: int, name: str, motor: Motor, turning: Array) -> Markup:
    verification = findings.verification
    demand, run = verification.demand, verification.run
    speed, torque = demand.speed[:, k], demand.torque[:, k]
    fastest = speed_limit(motor) if findings.geared else math.inf
    plane = _plane(motor, fastest, [speed, turning], [torque, run.torque[:, k]])
    beyond = (demand.share[:, k] > OUTSIDE) | (np.abs(speed) > fastest * OUTSIDE)
    count = int(np.count_nonzero(beyond))
    used = f"{count} of {len(speed)} samples beyond" if count else "all samples inside"
    known = verification.arms[0].actuators.known[k] or fastest < math.inf
    what = f"Motor {k + 1} ({name})" if findings.geared else f"Joint {k + 1} ({name})"
    drawing = element(
        "svg",
        *_envelope(motor, fastest, plane),
        _axes(findings, k, plane),
        element("path", class_="dots programmed", d=_dots(plane.places(speed[~beyond], torque[~beyond]))),
        element("path", class_="dots achieved", d=_dots(plane.places(turning, run.torque[:, k]))),
        element("path", class_="crosses", d=_crosses(plane.places(speed[beyond], torque[beyond]))),
        viewBox=f"0 0 {WIDTH:g} {HEIGHT:g}",
        role="img",
        aria_label=f"{what}: torque over speed, {used}",
    )
    note = used if known else "no limit is known"
    caption = element(
        "figcaption", element("b", what), element("span", f" {note}", class_="bad" if count else None)
    )
    return element("figure", caption, drawing, class_="scatter")


def _plane(motor: Motor, fastest: float, speeds: list[Array], torques: list[Array]) -> _Plane:
    reach = _reach([float(np.abs(x).max()) for x in speeds], [fastest])
    limits = torque_limits(motor, np.linspace(-reach, reach, 101))
    momentary = np.minimum(np.abs(limits[0]), np.abs(limits[1]))  # braking at full voltage has no end
    return _Plane(reach, _reach([float(np.abs(x).max()) for x in torques], momentary.tolist()))


def _reach(peaks: list[float], limits: list[float]) -> float:
    peak = max(peaks)
    sight = IN_SIGHT * peak if peak else math.inf
    return 1.08 * max([peak, *(x for x in limits if x <= sight and math.isfinite(x))]) or 1.0


def _envelope(motor: Motor, fastest: float, plane: _Plane) -> list[Markup]:
    """What the motor can do, as far as it is in sight."""
    most = min(plane.reach, fastest)
    w = np.linspace(-most, most, 201)
    lower, upper = torque_limits(motor, w)
    possible = lower <= upper
    far = 2 * plane.height
    held = [np.clip(x, -plane.height, plane.height) for x in (lower, upper)]
    if not possible.any() or (np.abs(upper).min() > far and fastest > plane.reach):
        return []
    points = [*zip(plane.x(w), plane.y(held[1]), strict=True)]
    points += [*zip(plane.x(w)[::-1], plane.y(held[0])[::-1], strict=True)]
    return [element("polygon", class_="envelope", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in points))]


def _axes(findings: Findings, k: int, plane: _Plane) -> Markup:
    torque, speed = findings.motor_units(k)
    scale, unit = (RPM, "rpm") if findings.geared else (1.0, speed)
    bottom, right = HEIGHT - BOTTOM, WIDTH - MARGIN
    middle = (float(plane.x(np.array(0.0))), float(plane.y(np.array(0.0))))
    zero = f"M{middle[0]:.1f} {MARGIN:g}V{bottom:g}M{LEFT:g} {middle[1]:.1f}H{right:g}"
    parts = [
        element("rect", class_="frame", x=LEFT, y=MARGIN, width=right - LEFT, height=bottom - MARGIN),
        element("path", class_="zero", d=zero),
    ]
    for value in round_ticks(-plane.reach * scale, plane.reach * scale, 5):
        x = float(plane.x(np.array(value / scale)))
        parts.append(element("text", amount(value), x=f"{x:.1f}", y=bottom + 14, class_="time"))
    for value in round_ticks(-plane.height, plane.height, 6):
        y = float(plane.y(np.array(value)))
        parts.append(element("text", amount(value), x=LEFT - 5, y=f"{y + 3.5:.1f}", class_="value"))
    force = f"{'force' if torque == 'N' else 'torque'} [{torque}]"
    parts += [
        element("text", f"speed [{unit}]", x=right, y=HEIGHT - 4, class_="value"),
        element("text", force, x=12, y=MARGIN, class_="value", transform=f"rotate(-90 12 {MARGIN:g})"),
    ]
    return joined(parts)


def _dots(places: list[tuple[float, float]]) -> str:
    return "".join(f"M{x:g} {y:g}h0" for x, y in places)


def _crosses(places: list[tuple[float, float]]) -> str:
    size = 2 * CROSS
    return "".join(
        f"M{x - CROSS:g} {y - CROSS:g}l{size:g} {size:g}m0-{size:g}l-{size:g} {size:g}" for x, y in places
    )
