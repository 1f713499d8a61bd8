"""[Bejczy1974] VII.A: total inertias at joints 3 to 6, part by part, and what is said about all of them."""

from __future__ import annotations

import numpy as np
from bejczy1974_arm import dynamics, states, value
from bejczy1974_inertia import BENT, FULL, at, net, parts, ratio
from bejczy1974_numbers import Number, by_formula
from verdicts import EQUAL, Claim, proven


def joints_3_to_6() -> list[Number]:
    """(79) to (91)."""
    hand = "m6 k611 + m6 r6 (2 z6 + r6)"
    return [
        at(3, "(79) D33, no load", "7.257", FULL),
        at(3, "(80) D33, load", "9.057", FULL, loaded=True),
        ratio(3, "(80) D33, load/no load", "1.25", FULL, FULL, loaded=True),
        *parts("D44, constant", [("I4", "0.106"), ("m4 k422", "0.001"), ("I4 + m4 k422", "0.107")]),
        *parts(
            "D44, largest, no load",
            [
                ("m5 k511", "0.003"),
                ("m6 k611", "0.005"),
                ("m6 r6 (2 z6 + r6)", "0.008"),
                (f"m5 k511 + {hand}", "0.016"),
            ],
        ),
        at(4, "(81) D44, largest, no load", "0.123", BENT),
        *parts(
            "D44, largest, load",
            [("m6 k611", "0.006"), ("m6 r6 (2 z6 + r6)", "0.118"), (hand, "0.124")],
            loaded=True,
        ),
        by_formula("D44, largest, no load, what the load changes", "0.013", hand),
        net("D44, what the load adds", "0.111", 4, BENT),
        at(4, "(82) D44, largest, load", "0.234", BENT, loaded=True),
        *parts(
            "D44, smallest",
            [("m5 k533", "0.0004"), ("m6 k633", "0.0003"), ("m5 k533 + m6 k633", "0.001")],
        ),
        at(4, "(83) D44, smallest, no load", "0.108", FULL),
        ratio(4, "(84) D44, largest/smallest, no load", "1.14", BENT, FULL),
        ratio(4, "(85) D44, largest with load/smallest", "2.17", BENT, FULL, loaded=True),
        by_formula("D44 = a s5² + b c5² + c, `a`", "0.015", f"m5 k511 + {hand}"),
        by_formula("D44 = a s5² + b c5² + c, `b`", "0.001", "m5 k533 + m6 k633"),
        by_formula("D44 = a s5² + b c5² + c, `c`", "0.107", "I4 + m4 k422"),
        at(4, "D44, smallest, `b + c`", "0.108", FULL),
        at(4, "D44, largest, `a + c`", "0.123", BENT),
        *parts(
            "D55, no load",
            [
                ("I5", "0.098", "Appendix B has 0.097"),
                ("m5 k522", "0.003"),
                ("m6 k611", "0.005"),
                ("m6 r6 (2 z6 + r6)", "0.008"),
            ],
        ),
        at(5, "(86) D55, no load", "0.114", FULL),
        *parts(
            "D55, load",
            [("m6 k611", "0.006"), ("m6 r6 (2 z6 + r6)", "0.118"), (hand, "0.124")],
            loaded=True,
        ),
        net("D55, what the load adds", "0.111", 5, FULL),
        at(5, "(87) D55, load", "0.225", FULL, loaded=True),
        ratio(5, "(88) D55, load/no load", "2.0", FULL, FULL, loaded=True),
        *parts("D66, no load", [("I6", "0.02"), ("m6 k633", "0.0003")]),
        at(6, "(89) D66, no load", "0.02", FULL),
        *parts("D66, load", [("m6 k633", "0.002")], loaded=True),
        net("D66, what the load adds", "0.002", 6, FULL),
        at(6, "(90) D66, load", "0.022", FULL, loaded=True),
        ratio(6, "(91) D66, load/no load", "1.09", FULL, FULL, loaded=True),
    ]


def claims() -> list[Claim]:
    """What the text says about which joints matter."""
    q = states()[:1000]
    H = dynamics().mass_matrix(q)
    turned = q.copy()
    turned[:, 5] = 0.0
    still = np.abs(dynamics().mass_matrix(turned)[:, 3, 3] - H[:, 3, 3]).max()
    upright = q.copy()
    upright[:, 1] = 0.0
    longer = upright.copy()
    longer[:, 2] = 0.5
    same = np.abs(dynamics().mass_matrix(upright)[:, 0, 0] - dynamics().mass_matrix(longer)[:, 0, 0]).max()
    constant = max(float(np.ptp(H[:, i, i])) for i in (2, 4, 5))
    unchanged = abs(value("m6 z6") - value("m6 z6", loaded=True))
    return [
        Claim(
            "after (69) and (74), load",
            "2 m6 z6 (r3 + r6) does not change",
            "m6 z6 is the same with the load, whose centre is the hand's origin",
            proven("confirmed", unchanged < EQUAL),
        ),
        Claim(
            "before (71)",
            "theta2 = 0 makes D11 independent of r3",
            "at 1000 random states: equal, to 1e-10",
            proven("confirmed", float(same) < EQUAL),
        ),
        Claim(
            "VII.A.4, VII.A.5",
            "D44 does not depend on theta6; D33, D55, D66 are constant, since k611 = k622",
            "at 1000 random states: equal, to 1e-10",
            proven("confirmed", float(still) < EQUAL, constant < EQUAL),
        ),
    ]
