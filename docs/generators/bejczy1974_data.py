"""[Bejczy1974] Appendix B: the data of the arm as printed, in both systems of units."""

from __future__ import annotations

from collections.abc import Mapping

KG, KG_M, KG_M2, CM = "kg", "kg m", "kg m²", "cm"
FACTORS = {KG: 10.945, KG_M2: 0.00706, CM: 2.54}
"""Printed: 1 oz s²/in in kg, 1 oz in s² in kg m², 1 in in cm."""
OUNCES = {KG: "oz s²/in", KG_M2: "oz in s²", CM: "in"}
EXACT = {KG: 0.028349523125 * 9.80665 / 0.0254, KG_M2: 0.028349523125 * 9.80665 * 0.0254, CM: 2.54}

# name, SI, ounces, unit; J411 is m4 k411^2
PRINTED: tuple[tuple[str, str, str, str], ...] = (
    ("m1", "9.29", "0.849", KG),
    ("y1", "1.75", "0.69", CM),
    ("z1", "-11.05", "-4.35", CM),
    ("J111", "0.276", "39.1", KG_M2),
    ("J122", "0.255", "36.15", KG_M2),
    ("J133", "0.071", "10.03", KG_M2),
    ("m2", "5.505", "0.513", KG),
    ("y2", "-10.54", "-4.15", CM),
    ("z2", "-0.79", "-0.31", CM),
    ("J211", "0.108", "15.28", KG_M2),
    ("J222", "0.018", "2.49", KG_M2),
    ("J233", "0.1", "14.13", KG_M2),
    ("m3", "4.25", "0.388", KG),
    ("z3", "-64.47", "-25.38", CM),
    ("J311", "2.51", "355.5", KG_M2),
    ("J322", "2.51", "355.5", KG_M2),
    ("J333", "0.006", "0.854", KG_M2),
    ("m4", "1.08", "0.099", KG),
    ("y4", "0.92", "0.364", CM),
    ("z4", "-0.54", "-0.212", CM),
    ("J411", "0.002", "0.253", KG_M2),
    ("J422", "0.001", "0.167", KG_M2),
    ("J433", "0.001", "0.156", KG_M2),
    ("m5", "0.63", "0.058", KG),
    ("y5", "0.03", "0.01", CM),
    ("z5", "5.66", "2.23", CM),
    ("J511", "0.003", "0.385", KG_M2),
    ("J522", "0.003", "0.360", KG_M2),
    ("J533", "0.0004", "0.057", KG_M2),
    ("m6", "0.51", "0.047", KG),
    ("y6", "0.14", "0.057", CM),
    ("z6", "-9.22", "-3.63", CM),
    ("J611", "0.005", "0.667", KG_M2),
    ("J622", "0.005", "0.667", KG_M2),
    ("J633", "0.0003", "0.049", KG_M2),
    ("r2", "16.2", "6.375", CM),
    ("r6", "24.76", "9.75", CM),
    ("I1", "0.953", "135", KG_M2),
    ("I2", "2.193", "310.6", KG_M2),
    ("I3", "0.782", "0.07143", KG),
    ("I4", "0.106", "15", KG_M2),
    ("I5", "0.097", "13.7", KG_M2),
    ("I6", "0.02", "2.81", KG_M2),
)
DROPPED = ("y5", "y6")
"""Printed, and taken as zero."""


def last_digit(text: str) -> float:
    """One in the last digit printed."""
    return 10.0 ** -len(text.partition(".")[2])


def doubts(numbers: Mapping[str, float]) -> dict[str, float]:
    """How far each number [SI] may be off: the ounces, which have more digits or others, reach so far."""
    found = {"mL": 0.05}
    for name, metric, ounces, unit in PRINTED:
        if name in DROPPED:
            continue
        metre = 0.01 if unit == CM else 1.0
        near, half = FACTORS[unit] * float(ounces) * metre, FACTORS[unit] * last_digit(ounces) * metre / 2
        reach = abs(near - numbers[name]) + half
        found[name] = (
            reach if half < last_digit(metric) * metre / 2 else max(reach, last_digit(metric) * metre / 2)
        )
    return found
