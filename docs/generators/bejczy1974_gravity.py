"""[Bejczy1974] VII.B: the largest gravity loads at the joints, part by part, and Table 2."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from bejczy1974_arm import arm, gravity, posture
from bejczy1974_numbers import Number, by_formula, number, values
from bejczy1974_print import GRAVITY, OFFSET_GRAVITY
from verdicts import Claim, proven

STRETCHED, UP, BENT, TURNED = posture(90), posture(0), posture(90, theta5=90), posture(90, theta4=90)
"""Boom horizontal, boom vertical, hand bent sideways, hand's roll a quarter turn."""
NEWTON_METRE, NEWTON, OUNCE_INCH, OUNCE = "N m", "N", "oz in", "oz"
PER_OUNCE_INCH, PER_OUNCE = 0.00706, 0.278
"""The report's factors: N m and N."""


def load(i: int, q: Any, loaded: bool = False) -> np.ndarray:
    """D_i at a posture, without sign, with the data and with each moved: armdyn's, and the formula's."""
    found = np.abs(values(GRAVITY[i - 1].right, q, loaded=loaded))
    proven(f"D{i} at the posture", abs(found[0] - abs(float(gravity(i, q, loaded)))) < 1e-12)
    return found


def parts(where: str, rows: Iterable[tuple[str, str]], *, loaded: bool = False) -> list[Number]:
    """First moments, each by its formula."""
    return [
        by_formula(f"{where}, `{text}`", printed, text, STRETCHED, unit="kg m", loaded=loaded)
        for text, printed in rows
    ]


def numbers() -> list[Number]:
    """(92) to (100), all numbers on the way."""
    wrist, total = "m5 z5 + m6 (z6 + r6)", "m3 + m4 + m5 + m6"
    first = "m2 z2 + m3 (z3 + r3) + m4 (r3 - y4) + m5 (z5 + r3) + m6 (z6 + r6) + m6 r3"
    held = [(wrist.split(" + ", 1)[1], "0.525")]
    return [
        Number("(92) D1", "0", float(load(1, STRETCHED)[0]), NEWTON_METRE),
        *parts(
            "D2, no load",
            [
                ("m2 z2", "-0.0445"),
                ("m3 (z3 + r3)", "2.0072"),
                ("m4 (r3 - y4)", "1.201"),
                ("m5 (z5 + r3)", "0.7423"),
                ("m6 (z6 + r6)", "0.0806"),
            ],
        ),
        by_formula("D2, no load, `m6 r3`, which is printed m6 r6", "0.5755", "m6 r3", STRETCHED, unit="kg m"),
        *parts("D2, no load", [(first, "4.562")]),
        number("(92a) D2, no load", "44.75", load(2, STRETCHED), NEWTON_METRE),
        *parts("D2, load", [("m6 (z6 + r6)", "0.5254")], loaded=True),
        by_formula(
            "D2, load, `m6 r3`, which is printed m6 r6",
            "2.5826",
            "m6 r3",
            STRETCHED,
            unit="kg m",
            loaded=True,
        ),
        *parts("D2, load", [(first, "7.011")], loaded=True),
        number("(93) D2, load", "68.77", load(2, STRETCHED, True), NEWTON_METRE),
        by_formula("D3, no load, mass", "6.474", total, unit="kg"),
        number("(94) D3, no load", "63.5", load(3, UP), NEWTON),
        by_formula("D3, load, mass", "8.274", total, unit="kg", loaded=True),
        number("(95) D3, load", "81.17", load(3, UP, True), NEWTON),
        *parts("D4, no load", [("m5 z5", "0.0359"), ("m6 (z6 + r6)", "0.0801"), (wrist, "0.116")]),
        number("(96) D4, no load", "1.138", load(4, BENT), NEWTON_METRE),
        *parts("D4, load", [*held, (wrist, "0.561")], loaded=True),
        number("(97) D4, load", "5.503", load(4, BENT, True), NEWTON_METRE),
        *parts("D5, no load", [("m5 z5", "0.0359"), ("m6 (z6 + r6)", "0.0801"), (wrist, "0.116")]),
        number("(98) D5, no load", "1.138", load(5, TURNED), NEWTON_METRE),
        *parts("D5, load", [*held, (wrist, "0.561")], loaded=True),
        number("(99) D5, load", "5.503", load(5, TURNED, True), NEWTON_METRE),
        Number("(100) D6", "0", float(load(6, STRETCHED)[0]), NEWTON_METRE),
        _offset(),
    ]


def claims(largest: dict[int, float]) -> list[Claim]:
    """What the text says about where loads vanish and which are equal; largest: joint -> D_i, no load."""
    nowhere = [float(load(2, posture(0, theta4=90))[0]), float(load(3, STRETCHED)[0]), float(load(4, UP)[0])]
    return [
        Claim(
            "after (93), (95), (97)",
            "D2 = 0 at theta2 = theta5 = 0, theta4 = 90°; D3 = 0 at theta2 = 90°; D4 = 0 at theta2 = 0",
            "0, to 1e-12",
            proven("confirmed", *(x < 1e-12 for x in nowhere)),
        ),
        Claim(
            "after (99)",
            "largest D4 = largest D5",
            f"{largest[4]:.4f} and {largest[5]:.4f} N m over the workspace, no load",
            proven("nearly: m4 z4, left out in (96), adds to D4", 0 < largest[4] - largest[5] < 0.01),
        ),
    ]


def _offset() -> Number:
    """After (100): D6 where the load stands an inch beside the hand's axis."""
    q = posture(0, theta4=90, theta5=90)
    q[5] = np.pi / 2
    text = OFFSET_GRAVITY[3].right.replace("x6", "0.0254").replace("y6", "0")
    return number(
        "after (100), D6 with x6 = 1 in, theta5 = 90°", "0.58", -values(text, q, loaded=True), "N m"
    )


# Table 2 --------------------------------------------------------------------------------------

# joint, posture, then without load and with it: at the joint, at the motor's shaft, in SI and in ounces
MOMENTS = {2: ("4.562", "7.011"), 3: ("6.474", "8.274"), 4: ("0.116", "0.561"), 5: ("0.116", "0.561")}
"""First moments [kg m] (mass [kg] of joint 3) that (92a) to (99) have, without load and with it."""
LOADS: tuple[
    tuple[int, np.ndarray, tuple[str, str], tuple[str, str], tuple[str, str], tuple[str, str]], ...
] = (
    (2, STRETCHED, ("45.1", "6384"), ("0.451", "63.84"), ("69.3", "9813"), ("0.693", "98.13")),
    (3, UP, ("63.94", "230"), ("", ""), ("81.73", "294"), ("", "")),
    (4, BENT, ("1.144", "162"), ("0.0159", "2.25"), ("5.54", "785"), ("0.077", "10.9")),
    (5, TURNED, ("1.144", "162"), ("0.0159", "2.25"), ("5.54", "785"), ("0.077", "10.9")),
)
# joint, stall torque, ounces, gear ratio
MOTORS = (
    (1, "0.918", "130", "100"),
    (2, "3.036", "430", "100"),
    (3, "98.7", "355", "1"),
    (4, "0.141", "20", "72"),
    (5, "0.141", "20", "72"),
    (6, "0.047", "7", "146"),
)


def table_2() -> list[Number]:
    """Every number of Table 2."""
    return [*_nothing(1), *_loads(), *_nothing(6)]


def _nothing(i: int) -> list[Number]:
    """Joints that feel no gravity."""
    return [
        Number(f"D{i}, {name}, at the joint and at the motor", "0", float(load(i, STRETCHED, held)[0]), "N m")
        for name, held in (("no load", False), ("load", True))
    ]


def _loads() -> list[Number]:
    found: list[Number] = []
    for i, q, *printed in LOADS:
        for k, (si, ounces) in enumerate(printed):
            if si:
                found += _pair(i, q, si, ounces, loaded=k >= 2, at_motor=k % 2 == 1)
    return found


def _pair(i: int, q: np.ndarray, si: str, ounces: str, *, loaded: bool, at_motor: bool) -> list[Number]:
    gear = ratio(i) if at_motor else 1.0
    size = load(i, q, loaded) / gear
    where = f"D{i}, {'load' if loaded else 'no load'}, at the {'motor' if at_motor else 'joint'}"
    unit, other, factor = (NEWTON, OUNCE, PER_OUNCE) if i == 3 else (NEWTON_METRE, OUNCE_INCH, PER_OUNCE_INCH)
    implied = float(si) * gear / float(MOMENTS[i][loaded])
    reason = proven("g = 9.88 m/s² here, 9.81 in (92a)-(99)", abs(implied - 9.88) < 0.06)
    return [number(where, si, size, unit, reason), number(where, ounces, size / factor, other, reason)]


def ratio(i: int) -> float:
    """The gear ratio of a joint's drive in the catalog."""
    return abs(dict(arm().drives[i - 1].coupling.weights)[arm().joint_names[i - 1]])


def motor_numbers() -> list[Number]:
    """Stall torques and gear ratios of Table 2 beside the catalog's."""
    found: list[Number] = []
    for i, si, ounces, gear in MOTORS:
        stall = float(arm().drives[i - 1].motor.stall_torque or 0.0)
        unit, other, factor = (
            (NEWTON, OUNCE, PER_OUNCE) if i == 3 else (NEWTON_METRE, OUNCE_INCH, PER_OUNCE_INCH)
        )
        found += [
            Number(f"motor {i}, stall torque", si, stall, unit),
            Number(f"motor {i}, stall torque", ounces, stall / factor, other),
            Number(f"motor {i}, gear ratio", gear, ratio(i)),
        ]
    return found
