"""[Bejczy1974] VII.D: the constants b1 .. b20 and d1 .. d4, with and without load, and Tables 3 and 4."""

from __future__ import annotations

from functools import cache

from bejczy1974_arm import formula, parameters, value
from bejczy1974_data import FACTORS, KG, KG_M2
from bejczy1974_numbers import Number, by_formula, number, values
from verdicts import Claim, proven

TIP = "m6 r6 (r6 + 2 z6)"
FIRST = "m5 z5 + m6 (z6 + r6)"
CONSTANT = "I1 + m1 k122 + 2 m2 y2 r2 + (m2 + m3 + m4 + m5) r2^2"
LOST = "half of it, and with the z6 of the empty hand"
LIGHTER = "(70) has 0.061"
UP = "Appendix B has 0.0003, rounded from 0.049 oz in s²"

# name, formula, unit, printed without load, with load (none: the load changes nothing), reason
Constant = tuple[str, str, str, str, str, str]
CONSTANTS: tuple[Constant, ...] = (
    ("b1", f"{CONSTANT} + 1/2 (m2 k211 + m2 k233)", "kg m²", "1.423", "", ""),
    ("b2", "m3 k322", "kg m²", "2.51", "2.51", ""),
    ("b3", "2 (m3 z3 - m4 y4)", "kg m", "-5.49", "-5.49", ""),
    ("b4", "m3 + m4 + m5 + m6", "kg", "6.48", "8.27", ""),
    ("b5", f"2 ({FIRST})", "kg m", "0.232", "0.396", LOST),
    ("b6", "m6 (r6 + z6)", "kg m", "0.08", "0.523", ""),
    ("b7", "m4 z4", "kg m", "-0.006", "-0.006", ""),
    ("b8", "m5 z5", "kg m", "0.036", "0.036", ""),
    ("b9", TIP, "kg m²", "0.008", "0.118", ""),
    ("b10", f"2 r2 ({FIRST})", "kg m²", "0.038", "0.181", ""),
    ("b11", "2 m4 z4 r2", "kg m²", "-0.002", "-0.002", ""),
    ("b12", "m6 r2^2", "kg m²", "0.013", "0.059", LIGHTER),
    ("b13", "I2 + m2 k222 + m3 k311", "kg m²", "4.72", "", ""),
    ("b14", "I4 + m4 k422", "kg m²", "0.107", "", ""),
    ("b15", f"m5 k511 + m6 k611 + {TIP}", "kg m²", "0.015", "0.127", ""),
    ("b16", "m5 k533 + m6 k633", "kg m²", "0.001", "0.002", ""),
    ("b17", "I5 + m5 k522", "kg m²", "0.099", "", ""),
    ("b18", f"m6 k611 + {TIP}", "kg m²", "0.013", "0.125", ""),
    ("b19", "I6", "kg m²", "0.02", "", ""),
    ("b20", "m6 k633", "kg m²", "0.0004", "0.002", UP),
    ("d1", "m2 z2 + m3 z3 - m4 y4", "kg m", "-2.788", "-2.788", ""),
    ("d2", "m3 + m4 + m5 + m6", "kg", "6.47", "8.28", ""),
    ("d3", FIRST, "kg m", "0.116", "0.566", ""),
    ("d4", "m4 z4", "kg m", "-0.006", "-0.006", ""),
)
TABLE_4 = (
    ("b1", "1.423", "201.5"),
    ("b2", "2.51", "355.5"),
    ("b3", "-5.49", "-19.75"),
    ("b4", "6.48", "0.592"),
    ("b5", "0.232", "0.834"),
    ("b13", "4.72", "668"),
    ("b14", "0.107", "15.17"),
    ("b15", "0.015", "2.19"),
    ("b17", "0.099", "14.01"),
    ("b18", "0.013", "1.81"),
    ("b19", "0.02", "2.81"),
    ("b20", "0.0004", "0.05"),
    ("d1", "-2.788", "-10.03"),
)
OUNCES = {"kg m²": (FACTORS[KG_M2], "oz in s²"), "kg": (FACTORS[KG], "oz s²/in"), "kg m": (0.278, "oz s²")}


def numbers() -> list[Number]:
    """Every b and d of VII.D."""
    found = [
        by_formula("b1, constant parts of D11", "1.319", CONSTANT),
        by_formula("b1, `1/2 (m2 k211 + m2 k233)`", "0.104", "1/2 (m2 k211 + m2 k233)"),
    ]
    for name, text, unit, empty, load, why in CONSTANTS:
        label = f"{name} = `{text}`" if len(text) < 45 else name
        first = why if why == UP else ""
        found.append(by_formula(f"{label}, no load" if load else label, empty, text, unit=unit, reason=first))
        if load:
            found.append(
                by_formula(
                    f"{name}, load", load, text, unit=unit, reason=why if not first else "", loaded=True
                )
            )
    held = {**parameters(True), "z6": parameters()["z6"]}
    proven("b5 with load: half, z6 not updated", abs(float(formula(FIRST, held)) - 0.396) < 2e-3)
    return found


def table_4() -> list[Number]:
    """Every number of Table 4."""
    formulas = {name: (text, unit) for name, text, unit, *_ in CONSTANTS}
    found: list[Number] = []
    for name, si, ounces in TABLE_4:
        text, unit = formulas[name]
        factor, other = OUNCES[unit]
        found += [
            by_formula(name, si, text, unit=unit, reason=UP if name == "b20" else ""),
            number(name, ounces, values(text) / factor, other),
        ]
    share = value(FIRST) / value(f"2 ({FIRST})")
    return [*found, Number("d3/b5", "0.05", share, reason="a digit too many: d3 = 0.5 b5")]


@cache
def printed(loaded: bool) -> dict[str, float]:
    """b and d as printed."""
    return {name: float(load if loaded and load else empty) for name, _, _, empty, load, _ in CONSTANTS}


@cache
def right(loaded: bool) -> dict[str, float]:
    """b and d as the data give them."""
    return {name: float(value(text, loaded=loaded)) for name, text, *_ in CONSTANTS}


def table_3_claims() -> list[Claim]:
    """What Table 3 prints other than the equations it collects."""
    b, d = right(False), right(True)
    return [
        Claim("Table 3, D4", "g d3 s2 c4 s4", "(130) has g d3 s2 c4 s5", "**wrong in print**: ends in s5"),
        Claim(
            "Table 3, D33",
            "b4",
            f"b4 = {b['b4']:.2f} kg; with the input mass {b['b4'] + parameters()['I3']:.2f} kg, as in (79)",
            "the links alone, while D11 to D66 beside it have their input inertias",
        ),
        Claim(
            "VII.D, functional form",
            "b4, b5, b15, b18, b20, d2, d3 depend on the load",
            f"so do b6, b9, b10, b12, b16 of (119) to (123); e.g. b9 {b['b9']:.3f}, {d['b9']:.3f} kg m²",
            proven(
                "confirmed", *(abs(b[n] - d[n]) > 1e-4 for n in ("b4", "b5", "b15", "b18", "b20", "d2", "d3"))
            ),
        ),
    ]
