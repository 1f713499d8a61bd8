"""[Bejczy1974] VII.E: gravity against inertia, K1 .. K4, with the load in the hand."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from bejczy1974_arm import RANGES, arm, gravity, inertia, states
from bejczy1974_constants import printed, right
from bejczy1974_grid import grid, sure
from bejczy1974_numbers import Number
from bejczy1974_shortened import NAMES, quantity
from bejczy1974_simplified import FORMS
from verdicts import Claim, proven

import armdyn as ad
from armdyn.extremes import Bound, ratio_extremes
from armdyn.extremes.of_harmonics import terms_of

JOINTS = {"K1": 2, "K2": 3, "K3": 4, "K4": 5}
SHORT = {"K1": ("128", "122"), "K2": ("131", ""), "K3": ("130", "124"), "K4": ("132", "125")}
"""(133) to (136): the equations whose ratio is formed; D33 of (62) leaves out the input mass."""
BENDS = (90.0, 30.0)
"""theta5 of Fig. 10 [deg]: the print says two values, and the figure is lost."""
MOON, MARS, EARTH = 1.62, 3.72, 9.81


def along(theta2: Any, r3: float = 0.965, theta4: float = 0.0, theta5: float = 0.0) -> np.ndarray:
    """(.., 6) postures over theta2 [rad], the others in metres and degrees."""
    theta2 = np.asarray(theta2, dtype=float)
    q = np.zeros((*theta2.shape, 6))
    q[..., 1], q[..., 2], q[..., 3], q[..., 4] = theta2, r3, np.radians(theta4), np.radians(theta5)
    return q


def ratio(name: str, q: Any) -> np.ndarray:
    """K by armdyn, load in the hand, input inertias included [per unit acceleration, SI]."""
    i = JOINTS[name]
    return np.asarray(gravity(i, q, True) / inertia(i, q, True))


def short(name: str, q: Any, constants: dict[str, float]) -> np.ndarray:
    """K by the simplified equations."""
    top, bottom = SHORT[name]
    below = FORMS[bottom].value(constants, q) if bottom else constants["b4"]
    return np.asarray(FORMS[top].value(constants, q) / below)


def numbers() -> list[Number]:
    """What the text prints about K1."""
    q = along(np.radians(60), 0.965)
    k1, theirs = abs(float(ratio("K1", q))), float(short("K1", q, printed(True)))
    reasons = [
        proven(
            f"(137) with the printed constants gives {theirs / a:.1f}, b5 among them wrong",
            6.4 < theirs < 6.6,
        )
        for a in (0.5, 2.0)
    ]
    return [
        Number("after (137), K1/0.5 rad/s², theta2 = 60°, r3 = 96.5 cm", "14", k1 / 0.5, reason=reasons[0]),
        Number("after (137), K1/2 rad/s², same posture", "3.5", k1 / 2, reason=reasons[1]),
    ]


@cache
def extremes(name: str) -> Bound:
    """The largest K over the workspace, attained and bounded; the smallest is its negative."""
    i = JOINTS[name]
    above, below = (terms_of(quantity(symbol, True), NAMES) for symbol in (f"D{i}", f"D{i}{i}"))
    found = ratio_extremes(above, below, RANGES)
    proven(f"{name}: as far either way", abs(found.minimum.value + found.maximum.value) < 1e-6)
    return found.maximum


def largest(name: str, size: float = EARTH) -> float:
    """The largest K under some gravity."""
    return extremes(name).value * size / EARTH


def certified_table() -> str:
    """The largest K over the workspace on Earth, and by proportion on the Moon and on Mars."""
    rows = []
    for name, i in JOINTS.items():
        found, unit = extremes(name), "m/s²" if i == 3 else "rad/s²"
        elsewhere = (f"{largest(name, g):.2f}" for g in (MOON, MARS))
        sizes = (f"{found.value:.2f} {unit}", f"{found.bound:.2f}")
        rows.append((f"{name} = D{i}/D{i}{i}", *sizes, sure(found.certified), *elsewhere))
    return grid(f"ratio | largest | bound | certified | Moon, {MOON} m/s² | Mars, {MARS} m/s²", rows)


def claims() -> list[Claim]:
    """(137) to (140), their errors, and gravity elsewhere."""
    q = along(np.radians(np.linspace(0, 180, 181)), 0.813)
    k2, mass = float(np.abs(ratio("K2", q)).max()), right(True)["b4"]
    errors = {name: _mean_error(name) for name in JOINTS}
    moon = ad.Dynamics(arm(True).with_gravity((0, 0, -MOON)), "none", friction=False)
    scaled = np.abs(moon.gravity(states()[:100]) * EARTH / MOON + _signed(states()[:100])).max()
    k1, k4 = largest("K1"), largest("K4")
    return [
        Claim(
            "(138) K2",
            "g c2, largest 9.81 m/s²",
            f"{k2:.3f} m/s²: with the input mass {mass:.2f}/{mass + 0.782:.2f} of it",
            proven(
                "**leaves out the input mass** of joint 3, 0.782 kg",
                abs(k2 - EARTH * mass / (mass + 0.782)) < 1e-9,
            ),
        ),
        Claim(
            "after (139), Figs. 8 and 10",
            "gravity can be more predominant at joint 4 than at joint 2",
            f"largest K3 {largest('K3'):.1f}, largest K1 {k1:.1f} per rad/s²",
            proven("confirmed", largest("K3") > k1),
        ),
        Claim(
            "after (140), Figs. 8 and 11",
            "K1 and K4 can be nearly equal",
            f"largest K1 {k1:.1f}, K4 {k4:.1f}, K3 {largest('K3'):.1f} per rad/s²",
            proven("**no**: K3 and K4 are, Figs. 10 and 11", k4 > 3 * k1, abs(k4 / largest("K3") - 1) < 0.05),
        ),
        Claim(
            "footnote to VII.E, error of the ratios",
            "on average below 8 to 10 %",
            "mean error over mean value, printed constants: "
            + ", ".join(f"{name} {100 * x:.1f} %" for name, x in errors.items()),
            proven("holds, K2 at its edge", *(x < 0.105 for x in errors.values())),
        ),
        Claim(
            "VII.E, Moon and Mars",
            "the ratios decrease in proportion to g",
            f"g(q) on the Moon times {EARTH}/{MOON}: Earth's, to 1e-09 N m at 100 random states",
            proven("confirmed", float(scaled) < 1e-9),
        ),
    ]


def _signed(q: np.ndarray) -> np.ndarray:
    """-g(q) with the load, on Earth."""
    return np.stack([np.asarray(gravity(i, q, True)) for i in range(1, 7)], axis=-1)


def _mean_error(name: str) -> float:
    """Mean |error|/mean |K| of the simplified ratio over the random states."""
    true = ratio(name, states())
    return float(np.abs(short(name, states(), printed(True)) - true).mean() / np.abs(true).mean())
