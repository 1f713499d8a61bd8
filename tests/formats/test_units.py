"""Units: SI once, the right dimension, and nothing evaluated."""

import contextlib
import math
import subprocess
import sys
from typing import Any

import pint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InputError
from armdyn.formats.units import COMMON, SI, to_si

PINT = pint.UnitRegistry()
ROUNDING = 1e-14
"""Relative: one multiplication with a factor that is itself rounded."""


@pytest.mark.parametrize(
    ("text", "quantity", "expected"),
    [
        ("200 mm", "length", 0.2),
        ("2.5e2mm", "length", 0.25),
        ("-.5 m", "length", -0.5),
        ("10 inch", "length", 0.254),
        ("12 µm", "length", 12e-6),
        ("90 deg", "angle", math.pi / 2),
        ("-90°", "angle", -math.pi / 2),
        ("0.25 turn", "angle", math.pi / 2),
        ("1500 g", "mass", 1.5),
        ("10 lb", "mass", 4.5359237),
        ("42 kg*cm^2", "inertia", 42e-4),
        ("42 kg cm^2", "inertia", 42e-4),
        ("42 kg*cm**2", "inertia", 42e-4),
        ("3150 rpm", "angular velocity", 3150 * 2 * math.pi / 60),
        ("180 deg/s", "angular velocity", math.pi),
        ("2 turn/s", "angular velocity", 4 * math.pi),
        ("30 rev/min", "angular velocity", math.pi),
        ("250 mm/s", "velocity", 0.25),
        ("90 deg/s^2", "angular acceleration", math.pi / 2),
        ("35 mN*m", "torque", 0.035),
        ("35 N m", "torque", 35.0),
        ("100 ozf*inch", "torque", 100 * 0.028349523125 * 9.80665 * 0.0254),
        ("1 kgf*m", "torque", 9.80665),
        ("12 kN", "force", 12e3),
        ("2 N*m*s/rad", "viscous friction", 2.0),
        ("3 N*s/m", "linear viscous friction", 3.0),
        ("2 turn/mm", "screw ratio", 4000 * math.pi),
        ("450 mm^2", "area", 450e-6),
        ("5 mN*m/mA", "torque constant", 5.0),
        ("0.1 V*s/rad", "back-EMF constant", 0.1),
        ("0.1 V s/rad", "back-EMF constant", 0.1),
        ("10 V/krpm", "back-EMF constant", 0.3 / math.pi),
        ("10 mV/rpm", "back-EMF constant", 0.3 / math.pi),
        ("2 mV*min/turn", "back-EMF constant", 0.06 / math.pi),
        ("30 mV*s/deg", "back-EMF constant", 5.4 / math.pi),
        ("700 mohm", "resistance", 0.7),
        ("2 Ω", "resistance", 2.0),
        ("1200 mA", "current", 1.2),
        ("0.4 kV", "voltage", 400.0),
    ],
)
def test_a_unit_becomes_si(text: str, quantity: str, expected: float) -> None:
    assert to_si(text, quantity) == pytest.approx(expected, rel=ROUNDING)


@pytest.mark.parametrize("quantity", SI)
def test_a_plain_number_is_si_already(quantity: str) -> None:
    assert to_si(3, quantity) == 3.0
    assert to_si(-0.5, quantity) == -0.5


@pytest.mark.parametrize("quantity", [quantity for quantity, unit in SI.items() if unit])
def test_every_quantity_knows_its_own_unit(quantity: str) -> None:
    assert to_si(f"3 {SI[quantity]}", quantity) == pytest.approx(3.0, rel=ROUNDING)


@pytest.mark.parametrize(
    ("text", "quantity", "sentence"),
    [
        ("3 kg", "length", '"3 kg" is not a length, expected a length in m or a string with a unit'),
        ("3 m", "mass", '"3 m" is not a mass, expected a mass in kg or a string with a unit'),
        ("3 N", "torque", '"3 N" is not a torque, expected a torque in N*m'),
        ("3 m/s", "length", '"3 m/s" is not a length'),
        ("3 m", "screw ratio", '"3 m" is not a screw ratio'),
        ("3 foo", "length", '"3 foo": unknown unit "foo", expected a length in m'),
        (
            "3 V",
            "back-EMF constant",
            '"3 V" is not a back-EMF constant, expected a back-EMF constant in V*s/rad',
        ),
        ("3 V/Hz", "back-EMF constant", '"3 V/Hz" is not a back-EMF constant'),
        ("3 mm", "ratio", '"3 mm" is not a quantity, expected a plain number'),
        ("3", "length", '"3" is not a quantity, expected a length in m or a string with a unit'),
        ("", "length", '"" is not a quantity'),
        ("mm", "length", '"mm" is not a quantity'),
        ("3 degC", "length", '"3 degC" is not a length'),
        ("3 m^0", "length", '"3 m^0"'),
    ],
)
def test_a_wrong_unit_is_refused_with_what_is_expected(text: str, quantity: str, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        to_si(text, quantity)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("quantity", ["angle", "inertia", "angular velocity", "acceleration", "area"])
def test_sentences_are_english(quantity: str) -> None:
    with pytest.raises(InputError, match=rf'^"3 A" is not an {quantity}, expected an {quantity} in '):
        to_si("3 A", quantity)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (True, "True is not a number, expected a length in m"),
        (None, "None is not a number"),
        ([1.0], "[1.0] is not a number"),
        ({"m": 1}, "{'m': 1} is not a number"),
        (math.nan, "nan is not a finite number"),
        (math.inf, "inf is not a finite number"),
        (-math.inf, "-inf is not a finite number"),
        ("1e999 m", "1e999 m is not a finite number"),
        ("nan m", '"nan m" is not a quantity'),
        ("inf m", '"inf m" is not a quantity'),
    ],
)
def test_what_is_no_finite_number_is_refused(value: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        to_si(value, "length")
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("digits", [400, 5000])
def test_a_whole_number_beyond_all_floats_is_refused_in_a_line_one_can_read(digits: int) -> None:
    with pytest.raises(InputError, match="is not a finite number") as caught:
        to_si(10**digits, "length")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "text",
    [
        "1**9**9**9 m",
        "9**9**9**9**9",
        "1 m**9**9**9**9",
        "1 m^99999999",
        "1 m^-99",
        "__import__('os').system('true') m",
        "1 __class__",
        "1 m.__class__",
        "1 (m)",
        "1 " + "(" * 50 + "m" + ")" * 50,
        "1 " + "m*" * 40 + "m",
        "1 " + "m" * 100_000,
        "1" * 100_000 + " m",
        "1 m" + " " * 100_000,
        "1 lambda: m",
        "1 m; import os",
        "1 m\x00",
        "1 {m}",
        "0x10 m",
        "1_000 m",
        "1 exit",
        "1 quit",
    ],
    ids=lambda text: text[:24],
)
def test_a_hostile_string_is_refused_and_not_evaluated(text: str) -> None:
    """Evaluated, the towers of powers would take hours and the test would not end."""
    with pytest.raises(InputError) as caught:
        to_si(text, "length")
    assert len(str(caught.value)) < 250


@given(text=st.text(max_size=120), quantity=st.sampled_from(sorted(SI)))
def test_any_text_is_a_number_or_refused(text: str, quantity: str) -> None:
    with contextlib.suppress(InputError):
        assert math.isfinite(to_si(text, quantity))


factors = st.sampled_from(
    ["m", "s", "kg", "rad", "deg", "mm", "N", "foo", "rpm", "degC", "dB", "A", "e", "K"]
)
powers = st.sampled_from(["", "^0", "^1", "^-1", "**2", "^9", "**-9"])
joints = st.sampled_from(["*", "/", " ", " / "])


@given(
    unit=st.lists(st.tuples(joints, factors, powers), min_size=1, max_size=6),
    quantity=st.sampled_from(sorted(SI)),
)
def test_any_unit_is_a_number_or_refused(unit: list[tuple[str, str, str]], quantity: str) -> None:
    text = "2 " + "".join(part for triple in unit for part in triple).lstrip("*/ ")
    with contextlib.suppress(InputError):
        assert math.isfinite(to_si(text, quantity))


@pytest.mark.parametrize(
    ("text", "quantity"),
    [("50 Hz", "angular velocity"), ("1 kHz", "angular velocity"), ("2 percent", "angle"), ("3 dB", "angle")],
)
def test_what_is_no_angle_is_not_taken_for_one(text: str, quantity: str) -> None:
    with pytest.raises(InputError, match=f'"{text}" is not an {quantity}'):
        to_si(text, quantity)


@pytest.mark.parametrize(("quantity", "unit"), COMMON)
def test_common_units_are_those_of_pint(quantity: str, unit: str) -> None:
    exact = PINT.Quantity(1.0, unit).to(SI[quantity]).magnitude
    assert COMMON[quantity, unit] == exact


def test_robots_of_the_catalog_need_no_pint() -> None:
    said = (
        "import sys, armdyn as ad; [ad.load(name) for name in ad.catalog()]; sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", said], check=False).returncode == 0
