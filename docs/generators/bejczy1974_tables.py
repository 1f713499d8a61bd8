"""[Bejczy1974] Table 1 and Fig. 3, and what the certified extremes over the workspace are."""

from __future__ import annotations

from functools import cache

import numpy as np
from bejczy1974_arm import RANGE_OF, arm
from bejczy1974_data import FACTORS, KG, KG_M2
from bejczy1974_grid import grid, sure
from bejczy1974_inertia import BENT, FULL, VERTICAL, at, ratio
from bejczy1974_numbers import Number
from verdicts import Claim, proven

from armdyn.extremes import Bound
from armdyn.studies.loads.gravity import gravity
from armdyn.studies.loads.inertia import inertia
from armdyn.studies.loads.rows import Row, Study
from armdyn.studies.loads.servo import servo

POSTURES = {
    1: (VERTICAL, FULL),
    2: (BENT, FULL),
    3: (FULL, FULL),
    4: (FULL, BENT),
    5: (FULL, FULL),
    6: (FULL, FULL),
}
"""Of the smallest and the largest, as the report chooses them."""
TABLE_1 = {
    1: (("1.417", "196"), ("6.176", "875"), "4.5", ("9.57", "1356"), "6.9"),
    2: (("3.59", "508"), ("6.95", "984"), "1.95", ("10.3", "1458"), "2.9"),
    3: (("7.257", "0.663"), ("7.257", "0.663"), "1", ("9.057", "0.827"), "1.25"),
    4: (("0.108", "15.27"), ("0.123", "17.36"), "1.15", ("0.234", "33.21"), "2.2"),
    5: (("0.114", "15.87"), ("0.114", "15.87"), "1", ("0.225", "31.72"), "2.0"),
    6: (("0.02", "2.86"), ("0.02", "2.86"), "1", ("0.022", "3.11"), "1.1"),
}
HAND = "B of (76) counts m5 z5"
REASONS = {
    (1, "smallest", "196"): "1.417 kg m² are 201 oz in s²",
    (1, "relative", "4.5"): "196 for 201 oz in s²; (72) has 4.36",
    (1, "relative, load", "6.9"): "196 for 201 oz in s²; (73) has 6.75",
    (2, "smallest", "3.59"): HAND,
    (2, "smallest", "508"): HAND,
}


def table_1() -> list[Number]:
    """Every number of Table 1, at the postures of the report."""
    found: list[Number] = []
    for i, (smallest, largest, empty, loaded, relative_load) in TABLE_1.items():
        low, high = POSTURES[i]
        for label, pair, q, load in (
            ("smallest", smallest, low, False),
            ("largest", largest, high, False),
            ("largest, load", loaded, high, True),
        ):
            unit = KG if i == 3 else KG_M2
            ounces = "oz s²/in" if i == 3 else "oz in s²"
            for text, scale, name in ((pair[0], 1.0, unit), (pair[1], 1 / FACTORS[unit], ounces)):
                why = REASONS.get((i, label, text), "")
                found.append(
                    at(i, f"D{i}{i}, {label}", text, q, reason=why, loaded=load, scale=scale, unit=name)
                )
        for label, text, load in (("relative", empty, False), ("relative, load", relative_load, True)):
            why = REASONS.get((i, label, text), "")
            found.append(ratio(i, f"D{i}{i}, {label}", text, high, low, loaded=load, reason=why))
    return found


# Over the workspace ---------------------------------------------------------------------------


@cache
def inertias() -> Study:
    """Extremes of every D_ii, input inertias included, with and without load."""
    return inertia(arm(True), "reflected", ranges=RANGE_OF)


@cache
def loads() -> Study:
    """Extremes of every gravity load, with and without load."""
    return gravity(arm(True), "reflected", ranges=RANGE_OF)


def inertia_table() -> str:
    """Extremes of D_ii over the workspace."""
    rows = []
    for i in range(1, 7):
        empty, loaded = (_row(inertias(), "inertia", i, load) for load in (False, True))
        low, high, most = empty.extremes.minimum, empty.extremes.maximum, loaded.extremes.maximum
        certified = all(bound.certified for bound in (low, high, most))
        without = (_bounded(low, "≥"), _posture(i, low), _bounded(high, "≤"), _posture(i, high))
        rows.append(
            (
                f"D{i}{i}",
                *without,
                f"{empty.ratio:.2f}",
                _bounded(most, "≤"),
                f"{loaded.ratio:.2f}",
                sure(certified),
            )
        )
    return grid(
        "inertia | smallest, no load (bound) | at | largest, no load (bound) | at | ratio "
        "| largest, load (bound) | ratio | certified",
        rows,
    )


def gravity_table() -> str:
    """The largest gravity loads over the workspace, at the joint and beside the motor's stall torque."""
    rows = []
    for i in range(2, 6):
        at_joint = [_row(loads(), "gravity", i, load).document() for load in (False, True)]
        at_motor = [_row(loads(), "motor_gravity", i, load).document() for load in (False, True)]
        cells = (f"{d['largest']:.4g} (≤ {d['largest_bound']:.4g}) {d['unit']}" for d in at_joint)
        shares = " and ".join(f"{100 * d['stall_share']:.0f} %" for d in at_motor)
        motor = (f"{d['largest']:.3g} N m" if i != 3 else "-" for d in at_motor)
        rows.append((f"D{i}", *cells, *motor, shares, sure(all(d["certified"] for d in at_joint))))
    return grid(
        "load | no load (bound) | 1.8 kg (bound) | at the motor, no load | 1.8 kg | of its stall torque "
        "| certified",
        rows,
    )


def largest_loads() -> dict[int, float]:
    """Joint -> the largest gravity load over the workspace, no load in the hand."""
    return {i: float(_row(loads(), "gravity", i, False).document()["largest"]) for i in range(1, 7)}


SEEN = {1: (2, 3, 4, 5), 2: (3, 4, 5), 4: (5,)}
"""The joints that D_ii depends on."""


def _posture(i: int, bound: Bound) -> str:
    """The joints that matter, in degrees and centimetres, one of the postures that are mirror images."""
    if i not in SEEN:
        return "any"
    sine, cosine = np.abs(np.sin(bound.q)), np.cos(bound.q)
    folded = {2: np.arcsin(sine[1]), 4: np.arcsin(sine[3]), 5: np.arccos(cosine[4])}
    upright = i == 1 and np.degrees(folded[2]) < 1  # the boom in axis 1: its length does not matter
    return ", ".join(
        f"r3 = {100 * bound.q[2]:.1f}" if k == 3 else f"theta{k} = {np.degrees(folded[k]):.0f}"
        for k in SEEN[i]
        if not (k == 3 and upright)
    )


def _bounded(bound: Bound, sign: str) -> str:
    return f"{bound.value:.4g} ({sign} {bound.bound:.4g})"


def servo_claim() -> Claim:
    """II: what a changing inertia does to a servo."""
    rows = servo(arm(True), "reflected", natural_frequency=10.0, joints=(1,), ranges=RANGE_OF).rows
    found = {(row.quantity, row.load): row.extremes for row in rows}
    damping, frequency = (found[x, "payload"] for x in ("damping", "natural_frequency"))
    n = float(_row(inertias(), "inertia", 1, True).ratio or np.nan)
    drop = 1.0 / damping.minimum.value
    return Claim(
        "II, critically damped servo with velocity feedback",
        "inertia down by n: damping and natural frequency up by the square root of n; "
        "velocity feedback down by it restores damping",
        f"joint 1, critical at its smallest inertia: n = {n:.2f}, damping and frequency at its largest "
        f"{drop:.2f} times smaller",
        proven(
            "confirmed (`armdyn study jpl_rrp servo`)",
            abs(drop - n**0.5) < 0.01,
            abs(10.0 / frequency.minimum.value - n**0.5) < 0.01,
        ),
    )


def _row(study: Study, quantity: str, i: int, loaded: bool) -> Row:
    load = "payload" if loaded else "none"
    return next(r for r in study.rows if (r.quantity, r.joint, r.load) == (quantity, i, load))


def relative(loaded: bool) -> tuple[list[float], list[float]]:
    """Largest over smallest of every joint over the workspace, and what Table 1 prints."""
    ours = [float(_row(inertias(), "inertia", i, loaded).ratio or np.nan) for i in range(1, 7)]
    return ours, [float(TABLE_1[i][4] if loaded else TABLE_1[i][2]) for i in range(1, 7)]
