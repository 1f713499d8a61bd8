"""Figures of a study of servos: damping, and the velocity gain that keeps it, over one joint."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.magnitudes import LOADS
from armdyn.studies.loads.rows import Curve, Picture
from armdyn.studies.loads.servo_gains import Servo
from armdyn.studies.loads.sweeps import Lines, curves

MOST = 8
"""Curves in one figure; where there are more, every joint has figures of its own."""


def pictures(loaded: Sequence[Arm], servos: Sequence[Servo], drawn: Lines) -> tuple[Picture, ...]:
    """Damping at fixed gains, and the velocity gains against those at the nominal inertia."""
    if len(loaded) * len(servos) * len(drawn.postures) <= MOST:
        return _pair(loaded, servos, drawn, "", "")
    return tuple(
        picture
        for one in servos
        for picture in _pair(loaded, [one], drawn, f"_{one.joint + 1}", f" at joint {one.joint + 1}")
    )


def _pair(
    loaded: Sequence[Arm], servos: Sequence[Servo], drawn: Lines, suffix: str, where: str
) -> tuple[Picture, Picture]:
    over, label = f"over_q{drawn.over + 1}", f"over joint {drawn.over + 1}"

    def damping(one: Servo, inertia: Array) -> Array:
        return one.damping(inertia)

    def schedule(one: Servo, inertia: Array) -> Array:
        return one.velocity_gain(inertia) / one.velocity_gain(one.nominal)

    return (
        Picture(
            f"damping{suffix}_{over}",
            f"Damping{where} at fixed gains, {label}",
            drawn.label,
            "damping",
            _curves(loaded, servos, drawn, damping),
            caption="1 is critical; below it a servo overshoots.",
        ),
        Picture(
            f"velocity_gain{suffix}_{over}",
            f"Velocity gain{where} that keeps the damping, {label}",
            drawn.label,
            "gain / that at nominal inertia",
            _curves(loaded, servos, drawn, schedule),
            caption="The gain rises with the square root of the inertia.",
        ),
    )


def _curves(
    loaded: Sequence[Arm], servos: Sequence[Servo], drawn: Lines, function: Callable[[Servo, Array], Array]
) -> tuple[Curve, ...]:
    labels = dict(LOADS)
    found: list[Curve] = []
    for one in servos:
        for arm in loaded:
            load = f", {labels[arm.load]}" if len(loaded) > 1 else ""
            felt = one.felt(arm)
            found += curves(
                drawn, lambda q, felt=felt, one=one: function(one, felt(q)), f"joint {one.joint + 1}{load}"
            )
    return tuple(found)
