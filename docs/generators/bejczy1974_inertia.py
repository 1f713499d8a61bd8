"""[Bejczy1974] VII.A: total inertias at the joints, part by part, Table 1 and Fig. 3."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from bejczy1974_arm import inertia, posture
from bejczy1974_numbers import Number, by_formula, number, values
from bejczy1974_print import DIAGONAL
from verdicts import proven

FULL, VERTICAL, BENT = posture(90), posture(0, theta5=90), posture(0, 0.425, theta5=90)
"""The boom horizontal and stretched out; vertical, the hand bent; at the r3 of the smallest D22."""


def total(i: int, q: Any, loaded: bool = False) -> np.ndarray:
    """D_ii at a posture with the data and with each moved: armdyn's, and that of the mended formula."""
    found = values(f"I{i} + {DIAGONAL[i - 1].right}", q, loaded=loaded)
    proven(f"D{i}{i} at the posture", abs(found[0] - float(inertia(i, q, loaded))) < 1e-12)
    return found


def at(
    i: int,
    where: str,
    printed: str,
    q: Any,
    *,
    reason: str = "",
    loaded: bool = False,
    unit: str = "",
    scale: float = 1.0,
) -> Number:
    """D_ii at a posture."""
    unit = unit or ("kg" if i == 3 else "kg m²")
    return number(where, printed, scale * total(i, q, loaded), unit, reason)


# Parts ----------------------------------------------------------------------------------------

Part = tuple[str, ...]
"""(formula, printed value, reason why it is wrong)"""


def parts(where: str, rows: Iterable[Part], *, loaded: bool = False) -> list[Number]:
    """The parts of a sum, each by its formula."""
    found = []
    for text, printed, *reason in rows:
        label = f"{where}, `{text}`"
        found.append(
            by_formula(label, printed, text, FULL, reason=reason[0] if reason else "", loaded=loaded)
        )
    return found


def net(where: str, printed: str, i: int, q: Any) -> Number:
    """What the load adds to D_ii."""
    return number(where, printed, total(i, q, True) - total(i, q))


def ratio(
    i: int, where: str, printed: str, q: Any, smallest: Any, *, loaded: bool = False, reason: str = ""
) -> Number:
    """Largest over smallest, the smallest without load."""
    return number(where, printed, total(i, q, loaded) / total(i, smallest), "", reason)


def joint_1() -> list[Number]:
    """(69) to (73)."""
    constant = "I1 + m1 k122 + 2 m2 y2 r2 + (m2 + m3 + m4 + m5) r2^2"
    lighter = "m6 k622 + m6 (r6 + r3)^2 + m6 r2^2"
    return [
        *parts(
            "D11, constant",
            [
                ("I1", "0.953"),
                ("m1 k122", "0.255"),
                ("2 m2 y2 r2", "-0.192"),
                ("(m2 + m3 + m4 + m5) r2^2", "0.320", "digits swapped, the total has 0.302"),
                (constant, "1.318"),
            ],
        ),
        *parts(
            "D11, largest, no load",
            [
                ("m2 k211", "0.108"),
                ("m3 k322", "2.51"),
                ("m3 r3 (2 z3 + r3)", "-0.815"),
                (
                    "m4 k433",
                    "0.0002",
                    "m4 (-k411 + k422 + k433)/2, by the wrong m4 terms of (58); the right ones leave m4 k433",
                ),
                ("m4 r3 (r3 - 2 y4)", "1.332"),
                ("m5 k522", "0.003"),
                ("m5 r3 (2 z5 + r3)", "0.87"),
                ("m6 k622", "0.005"),
                ("m6 r2^2", "0.013"),
                ("m6 (r6 + r3)^2", "0.961"),
                ("2 m6 z6 (r3 + r6)", "-0.13"),
            ],
        ),
        number("D11, largest, no load, sum", "4.857", total(1, FULL) - values(constant)),
        at(1, "(69) D11, largest, no load", "6.176", FULL),
        *parts(
            "D11, largest, load",
            [
                ("m6 k622", "0.006"),
                ("m6 (r6 + r3)^2", "4.307"),
                ("m6 r2^2", "0.061"),
                (lighter, "4.374"),
            ],
            loaded=True,
        ),
        by_formula("D11, largest, no load, what the load changes", "0.979", lighter, FULL),
        net("D11, what the load adds", "3.395", 1, FULL),
        at(1, "(70) D11, largest, load", "9.57", FULL, loaded=True),
        *parts(
            "D11, smallest",
            [
                ("m2 k233", "0.1"),
                ("m3 k333", "0.006"),
                ("m4 k422", "0.001"),
                ("m5 k511", "0.003"),
                ("-2 m5 z5 r2", "-0.012"),
                ("m6 k611", "0.005"),
                ("m6 (r6 - r2)^2", "0.004"),
                ("2 m6 z6 (r6 - r2)", "-0.008"),
            ],
        ),
        number("D11, smallest, sum", "0.099", total(1, VERTICAL) - values(constant)),
        number(
            "(71), the same sum",
            "0.009",
            total(1, VERTICAL) - values(constant),
            reason="a digit lost, the line above and the result have 0.099",
        ),
        at(1, "(71) D11, smallest, no load", "1.417", VERTICAL),
        ratio(1, "(72) D11, largest/smallest, no load", "4.36", FULL, VERTICAL),
        ratio(1, "(73) D11, largest with load/smallest", "6.75", FULL, VERTICAL, loaded=True),
    ]


def joint_2() -> list[Number]:
    """(74) to (78)."""
    constant = "I2 + m2 k222 + m3 k311"
    heavier = "m6 k611 + m6 r3 (2 r6 + r3) + m6 r6^2"
    A, B = "m3 + m4 + m5 + m6", "m3 z3 - m4 y4 + m5 z5"
    hand = "B counts m5 z5, which c5 = 0 takes away; without it r3 = 42.5 cm"
    return [
        *parts(
            "D22, constant", [("I2", "2.193"), ("m2 k222", "0.018"), ("m3 k311", "2.51"), (constant, "4.721")]
        ),
        *parts(
            "D22, largest, no load",
            [
                ("m3 r3 (2 z3 + r3)", "-0.815"),
                ("m4 k411", "0.002"),
                ("m4 r3 (r3 - 2 y4)", "1.332"),
                ("m5 k511", "0.003"),
                ("m5 r3 (r3 + 2 z5)", "0.87"),
                ("m6 k611", "0.005"),
                ("m6 r3 (2 r6 + r3)", "0.929"),
                ("m6 r6^2", "0.032"),
                ("2 m6 z6 (r3 + r6)", "-0.13"),
            ],
        ),
        number("D22, largest, no load, sum", "2.228", total(2, FULL) - values(constant)),
        at(2, "(74) D22, largest, no load", "6.949", FULL),
        *parts(
            "D22, largest, load",
            [
                ("m6 k611", "0.006"),
                ("m6 r3 (2 r6 + r3)", "4.165"),
                ("m6 r6^2", "0.142"),
                (heavier, "4.313"),
            ],
            loaded=True,
        ),
        by_formula("D22, largest, no load, what the load changes", "0.965", heavier, FULL),
        net("D22, what the load adds", "3.348", 2, FULL),
        at(2, "(75) D22, largest, load", "10.297", FULL, loaded=True),
        *parts(
            "D22, smallest",
            [
                ("m4 k411", "0.002"),
                ("m5 k533", "0.0004"),
                ("m6 k633", "0.0003"),
                ("m4 k411 + m5 k533 + m6 k633", "0.003"),
            ],
        ),
        by_formula("D22, smallest, `A`", "6.474", A, unit="kg"),
        by_formula("D22, smallest, `B`", "-2.71", B, unit="kg m"),
        by_formula("D22, smallest, r3 = `-B/A`", "41.9", f"-100 ({B})/({A})", unit="cm"),
        by_formula("D22, smallest, `-B^2/A`", "-1.135", f"-({B})^2/({A})"),
        at(2, "(76) D22, smallest, no load", "3.589", BENT, reason=hand),
        ratio(2, "(77) D22, largest/smallest, no load", "1.95", FULL, BENT),
        ratio(2, "(78) D22, largest with load/smallest", "2.9", FULL, BENT, loaded=True),
    ]
