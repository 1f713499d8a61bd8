"""Figures of a study of couplings: bars of the largest ratios, and ratios over one joint."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.magnitudes import LOADS, bars
from armdyn.studies.loads.ratios import Ratio
from armdyn.studies.loads.rows import Curve, Picture, Row
from armdyn.studies.loads.sweeps import Lines, curves

FASTEST = 2.0
"""Times the lowest border, up to where velocity torques are drawn."""


def pictures(
    loaded: Sequence[Arm], ratios: Sequence[Ratio], rows: Sequence[Row], drawn: Lines | None
) -> tuple[Picture, ...]:
    """What there is to draw."""
    by_name = {ratio.name: ratio for ratio in ratios}
    found = [_couplings(by_name, rows, load, label) for load, label in LOADS]
    found += [_gravity(rows), _border(rows)]
    if drawn is not None:
        found += [_over(loaded, ratio, drawn) for ratio in ratios]
    return tuple(picture for picture in found if picture is not None and picture.curves)


def _couplings(by_name: dict[str, Ratio], rows: Sequence[Row], load: str, label: str) -> Picture | None:
    """Bars of H_ij/H_ii at the accelerations given, a colour for the joint j that accelerates."""
    mine = [row for row in rows if row.load == load and by_name[row.quantity].other is not None]
    others = sorted({other for row in mine if (other := by_name[row.quantity].other) is not None})
    found: list[Curve] = []
    for j in others:
        of_j = [row for row in mine if by_name[row.quantity].other == j]
        x, y = (float(row.joint) for row in of_j), (float(row.more["share"]) for row in of_j)
        found.append(Curve(f"acceleration of joint {j + 1}", tuple(x), tuple(y)))
    return Picture(
        "coupling" if load == "none" else f"coupling_{load}",
        f"Acceleration of other joints, {label}",
        "joint",
        "share of its inertia torque",
        tuple(found),
        "bars",
        "Largest torque at every joint due to the acceleration of another, against that of its own.",
    )


def _gravity(rows: Sequence[Row]) -> Picture:
    return Picture(
        "gravity_ratio",
        "Gravity against inertia",
        "joint",
        "share of its inertia torque",
        bars([row for row in rows if row.quantity.startswith("g")], "share"),
        "bars",
        "Largest gravity torque at every joint, against its inertia torque at the acceleration given.",
    )


def _border(rows: Sequence[Row]) -> Picture | None:
    """Velocity torques grow with the square of speed: where they cross the share, fast motion begins."""
    mine = [row for row in rows if row.more.get("border_scale")]
    if not mine:
        return None
    lowest = min(float(row.more["border_scale"]) for row in mine)
    scales: Array = np.linspace(0.0, FASTEST * lowest, 101)
    share = float(mine[0].more["border_share"])
    x = tuple(scales.tolist())
    names = dict(LOADS)
    found = [
        Curve(f"joint {row.joint}, {names[row.load]}", x, tuple((row.more["largest"] * scales**2).tolist()))
        for row in mine
    ]
    return Picture(
        "border",
        "Dynamically slow and fast motion",
        "scale of the velocities",
        "largest velocity torque / inertia torque",
        (*found, Curve(f"border: {share:.0%}", x, (share,) * len(x))),
        caption="Largest Coriolis and centrifugal torque at every joint, against its inertia torque.",
    )


def _over(loaded: Sequence[Arm], ratio: Ratio, drawn: Lines) -> Picture | None:
    """Magnitudes of a ratio over one joint, as [Bejczy1974] Figs. 4 to 11 draw them."""
    labels = dict(LOADS) if len(loaded) > 1 else {"none": ""}
    found: list[Curve] = []
    for arm in loaded:
        found += curves(drawn, lambda q, arm=arm: np.abs(ratio.at(arm, q)), labels[arm.load])
    if not any(y for curve in found for y in curve.y):
        return None
    unit = "" if ratio.unit == "1" else f" [{ratio.unit}]"
    return Picture(
        f"{ratio.name.replace('/', '_').replace(',', '_')}_over_q{drawn.over + 1}",
        f"|{ratio.name}| over joint {drawn.over + 1}",
        drawn.label,
        f"|{ratio.name}|{unit}",
        tuple(found),
    )
