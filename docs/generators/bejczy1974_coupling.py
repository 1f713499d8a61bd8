"""[Bejczy1974] V and VII.C: the arm with its wrist locked, a1 .. a9, R1 .. R4 and their maxima."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from bejczy1974_arm import R3_MAX, RANGE_OF, arm, formula
from bejczy1974_grid import grid, sure
from bejczy1974_numbers import Number, by_formula
from verdicts import Claim, proven

import armdyn as ad
from armdyn.studies.loads.coupling import coupling as study_coupling
from armdyn.studies.loads.rows import Study

LENGTHS = (1.118, 0.813, 0.508)
"""Of the boom, in the figures [m]: 111.8, 81.3, 50.8 cm."""
WRIST_AT: dict[int | str, float] = {4: 0.0, 5: 0.0, 6: 0.0}
"""In line with the boom."""
MASS, MOMENT = "(m3 + m4 + m5 + m6)", "(m3 z3 - m4 y4 + m5 z5 + m6 (z6 + r6))"
"""m3* and m3* z3*: boom and wrist in line with it."""
TIP = "m6 r6 (r6 + 2 z6)"
WRIST = "the wrist's m5 z5 + m6 (z6 + r6) is left out"
CONSTANTS: tuple[tuple[str, str, str, str, str], ...] = (
    ("a1", "1.334", f"I1 + m1 k122 + m2 r2 (2 y2 + r2) + {MASS} r2^2", "kg m²", ""),
    ("a2", "2.635", f"m2 k211 + m3 k322 + m4 k433 + m5 k522 + m6 k622 + {TIP}", "kg m²", ""),
    ("a3", "-5.5", f"2 {MOMENT}", "kg m", WRIST),
    ("a4", "6.474", MASS, "kg", ""),
    ("a5", "0.108", "m2 k233 + m3 k333 + m4 k422 + m5 k533 + m6 k633", "kg m²", ""),
    ("a6", "-0.453", f"r2 (m2 z2 + {MOMENT})", "kg m²", WRIST),
    ("a7", "1.05", f"{MASS} r2", "kg m", ""),
    ("a8", "4.74", f"I2 + m2 k222 + m3 k311 + m4 k411 + m5 k511 + m6 k611 + {TIP}", "kg m²", ""),
    ("a9", "7.26", f"I3 + {MASS}", "kg", ""),
)
D11 = "a1 + (a2 + a3 r3 + a4 r3^2) s2^2 + a5 c2^2"
RATIOS = {
    "R1": f"-(a6 + a7 r3) c2/({D11})",
    "R2": f"-a7 s2/({D11})",
    "R3": "-(a6 + a7 r3) c2/(a8 + a3 r3 + a4 r3^2)",
    "R4": "-a7 s2/a9",
}
"""(104) to (107), (107) with a9 in place of a4."""
ELEMENTS = {"R1": (0, 1, 0), "R2": (0, 2, 0), "R3": (0, 1, 1), "R4": (0, 2, 2)}
"""D_ij/D_kk"""


def constants() -> list[Number]:
    """a1 to a9."""
    return [by_formula(name, p, text, unit=unit, reason=why) for name, p, text, unit, why in CONSTANTS]


@cache
def printed_constants() -> dict[str, float]:
    """As the report has them."""
    return {name: float(printed) for name, printed, *_ in CONSTANTS}


@cache
def right_constants() -> dict[str, float]:
    """As the data give them."""
    return {number.where: number.ours for number in constants()}


@cache
def locked(drives: bool = True) -> ad.Dynamics:
    """The arm whose hand stands still in line with the boom."""
    return ad.Dynamics(arm().locked(WRIST_AT), "reflected" if drives else "none", friction=False)


def ratio(name: str, theta2: Any, r3: Any) -> np.ndarray:
    """R1 to R4 by armdyn [SI]."""
    theta2, r3 = np.broadcast_arrays(np.asarray(theta2, dtype=float), np.asarray(r3, dtype=float))
    H = locked().mass_matrix(np.stack([np.zeros_like(theta2), theta2, r3], axis=-1))
    i, j, k = ELEMENTS[name]
    return H[..., i, j] / H[..., k, k]


def by_constants(name: str, a: dict[str, float], theta2: Any, r3: Any) -> np.ndarray:
    """R1 to R4 by their formulas [SI]."""
    return np.asarray(formula(RATIOS[name], {**a, "s2": np.sin(theta2), "c2": np.cos(theta2), "r3": r3}))


# Maxima ---------------------------------------------------------------------------------------

DOWN, LEVEL = 0.0, np.pi / 2


def maxima() -> list[Number]:
    """(108) to (111) at the report's postures, and what is said about them."""
    r1, r3 = (abs(float(ratio(name, DOWN, R3_MAX))) for name in ("R1", "R3"))
    r2, r4 = (abs(float(ratio(name, LEVEL, 0.508))) for name in ("R2", "R4"))
    return [
        Number("(108) R1, theta2 = 0, r3 = 111.76 cm; printed as a second (105)", "0.5", r1),
        Number(
            "(109) R2, theta2 = 90°, r3 = 50.8 cm",
            "0.0037",
            r2 / 100,
            "1/cm",
            reason="from the wrong a3",
        ),
        Number("(110) R3, theta2 = 0, r3 = 111.76 cm", "0.11", r3),
        Number("(111) R4, theta2 = 90°", "14.45", 100 * r4, "cm"),
        Number("after (115), largest R4", "16.19", 100 * r4, "cm", reason="(107) divides by a4, (111) by a9"),
        Number("after (113), R2 r3dd/theta1dd at 12.7 cm/s², 0.5 rad/s²", "0.1", r2 * 0.127 / 0.5),
        Number(
            "after (115), R4 theta1dd/r3dd at 0.5 rad/s², 12.8 cm/s²",
            "0.67",
            r4 * 0.5 / 0.128,
            reason="from 16.19 cm; 14.45 cm gives little more than a half",
        ),
    ]


ROWS = {"R1": "H12/H11", "R2": "H13/H11", "R3": "H21/H22", "R4": "H31/H33"}


@cache
def study() -> Study:
    """All ratios of the arm with its wrist locked, over theta2 and r3."""
    return study_coupling(arm().locked(WRIST_AT), "reflected", ranges={k: RANGE_OF[k] for k in (1, 2, 3)})


def largest(name: str) -> dict[str, Any]:
    """The row of a ratio: `largest` of either sign, `largest_bound`, `q_largest`, `certified`."""
    return next(row.document() for row in study().rows if row.quantity == ROWS[name])


def certified_table() -> str:
    """The largest ratios over the workspace, attained and bounded."""
    rows = []
    for name, (scale, unit) in SCALES.items():
        row = largest(name)
        theta2, r3 = row["q_largest"][1:]
        where = (f"{acute(theta2):.1f}°", "any" if name == "R4" else f"{100 * r3:.1f} cm")
        sizes = (f"{scale * row[key]:.4g}{unit}" for key in ("largest", "largest_bound"))
        rows.append((f"{name} = {ROWS[name].replace('H', 'D')}", *sizes, *where, sure(row["certified"])))
    return grid("ratio | largest | bound | theta2 | r3 | certified", rows)


SCALES = {"R1": (1.0, ""), "R2": (0.01, " 1/cm"), "R3": (1.0, ""), "R4": (100.0, " cm")}


def acute(theta2: float) -> float:
    """The angle between 0 and 90 degrees that stands as steep."""
    return float(np.degrees(np.arcsin(min(1.0, abs(np.sin(theta2))))))


def claims() -> list[Claim]:
    """What the text says about where the maxima are, and how R1 and R3 compare."""
    best = {name: largest(name) for name in RATIOS}
    theta2 = np.radians(np.linspace(60, 90, 61))
    apart = max(float(np.abs(ratio("R1", theta2, r) - ratio("R3", theta2, r)).max()) for r in LENGTHS)
    r2, (_, turned, at) = best["R2"]["largest"], best["R2"]["q_largest"]
    r1, r3 = (float(ratio(name, np.radians(60), LENGTHS[0])) for name in ("R1", "R3"))
    again = {name: by_constants(name, right_constants(), 0.7, 0.6) for name in RATIOS}
    exact = max(abs(float(again[name] - ratio(name, 0.7, 0.6))) for name in RATIOS)
    return [
        Claim(
            "VII.C, R1 and R3 largest at theta2 = 0 and r3 = 111.76 cm",
            "0.5, 0.11",
            f"over all theta2 and r3: {best['R1']['largest']:.4f} and {best['R3']['largest']:.4f}",
            proven(
                "confirmed",
                *(acute(best[n]["q_largest"][1]) < 0.1 for n in ("R1", "R3")),
                *(abs(best[n]["q_largest"][2] - R3_MAX) < 1e-6 for n in ("R1", "R3")),
            ),
        ),
        Claim(
            "VII.C, R2 largest at theta2 = 90°, r3 = 50.8 cm",
            "0.0037 1/cm",
            f"{r2 / 100:.5f} 1/cm at r3 = {100 * at:.0f} cm, theta2 = {acute(turned):.0f}°",
            proven(
                "**no**: near r3 = -a3/(2 a4), where D11 is smallest, and not quite at 90°",
                abs(at - 0.4073) < 2e-3,
                80 < acute(turned) < 85,
                r2 > 1.02 * abs(float(ratio("R2", LEVEL, 0.508))),
            ),
        ),
        Claim(
            "VII.C, R1 and R3 for theta2 from 60° to 90°",
            "nearly equal",
            f"apart by up to {apart:.3f}; at 60° and 111.8 cm {abs(r1):.3f} and {abs(r3):.3f}",
            proven("confirmed, if such differences are small", apart < 0.03),
        ),
        Claim(
            "(104)-(106), and (107) with a9",
            "formulas of the wrist in line with the boom",
            f"with the right a: {exact:.0e} from armdyn's locked arm at theta2 = 0.7, r3 = 0.6",
            proven("exact but for m4 z4 across the boom, which (36) and (42) leave out", 1e-6 < exact < 5e-3),
        ),
    ]
