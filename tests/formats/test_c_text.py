"""Names, numbers and comments of C."""

import math
import re
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats.c_text import LONGEST, c_comment, c_name, c_number, c_string, is_reserved


@given(st.text())
def test_any_text_gives_a_name(text: str) -> None:
    name = c_name(text)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name, re.ASCII)
    assert len(name) <= LONGEST
    assert not is_reserved(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ur5", "ur5"),
        ("6 axis", "robot_6_axis"),
        ("double", "double_1"),
        ("sinf", "sinf_1"),
        ("Größe", "Groe"),
    ],
)
def test_names(text: str, name: str) -> None:
    assert c_name(text) == name


@given(st.text(alphabet=st.one_of(st.sampled_from('*/?\\\n"%'), st.characters())))
def test_no_text_ends_a_comment_or_a_string(text: str) -> None:
    for safe in (c_comment(text), c_string(text)[1:-1]):
        assert safe.isascii()
        assert safe.isprintable()
        for bad in ("*/", "/*", "//", "??", "\\"):
            assert bad not in safe
    assert '"' not in c_string(text)[1:-1]


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_are_the_same_again(value: float) -> None:
    assert float(c_number(value)) == value
    assert re.search(r"[.e]", c_number(value))


@given(st.floats(allow_nan=False, width=32, allow_infinity=False))
def test_floats_are_the_same_again(value: float) -> None:
    text = c_number(value, single=True)
    assert text.endswith("f")
    assert struct.unpack("f", struct.pack("f", float(text[:-1])))[0] == value


def test_what_no_number_is() -> None:
    assert c_number(math.inf) == "HUGE_VAL"
    assert c_number(-math.inf, single=True) == "-HUGE_VALF"
    assert c_number(1e300, single=True) == "HUGE_VALF"
    assert c_number(math.nan) == "(HUGE_VAL - HUGE_VAL)"
