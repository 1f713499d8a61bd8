"""Harmonics: equal things have equal terms, whatever way they were computed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.scalars import cos, reciprocal, sin, sqrt
from armdyn.scalars.harmonic import Harmonic, Ring

VALUES = {"q1": 0.3, "q2": -1.1, "x": 0.7, "m": 2.5}


@pytest.fixture
def ring() -> Ring:
    return Ring()


def _random(ring: Ring, numbers: list[int]) -> Harmonic:
    """Some harmonic that the numbers choose."""
    q1, q2, x, m = (ring.symbol(name) for name in VALUES)
    pieces = [sin(q1), cos(q1), sin(q1 + q2), cos(2 * q2 + 0.4), x, m, x * x - m, ring.constant(1.5)]
    total = ring.constant(0.0)
    for k in range(0, len(numbers) - 1, 2):
        total = total + pieces[numbers[k] % 8] * pieces[numbers[k + 1] % 8] * (numbers[k] - 4)
    return total


def _value(h: Harmonic, **changes: float) -> float:
    return float(h.evaluate({**VALUES, **changes}))


def test_identities_need_no_rules(ring: Ring) -> None:
    a, b = ring.symbol("a"), ring.symbol("b")
    assert (sin(a) * sin(a) + cos(a) * cos(a) - 1).terms == {}
    assert (2 * sin(a) * cos(a) - sin(2 * a)).terms == {}
    assert (sin(a) * cos(b) + cos(a) * sin(b) - sin(a + b)).terms == {}
    assert len((sin(a) ** 2).terms) == 3


@given(
    st.lists(st.integers(0, 15), min_size=2, max_size=8), st.lists(st.integers(0, 15), min_size=2, max_size=8)
)
def test_values_follow_the_arithmetic(one: list[int], other: list[int]) -> None:
    ring = Ring()
    a, b = _random(ring, one), _random(ring, other)
    x, y = _value(a), _value(b)
    scale = 1 + abs(x) + abs(y) + abs(x * y)
    for got, expected in (
        (a + b, x + y),
        (a - b, x - y),
        (a * b, x * y),
        (-a, -x),
        (3 - a, 3 - x),
        (a / 4, x / 4),
    ):
        assert abs(_value(got) - expected) <= 1e-12 * scale * 100


@given(st.lists(st.integers(0, 15), min_size=2, max_size=8))
def test_derivatives_are_those_of_differences(numbers: list[int]) -> None:
    h, step = _random(Ring(), numbers), 1e-6
    for name, at in VALUES.items():
        slope = _value(h.derivative(name))
        up, down = (_value(h, **{name: at + s * step}) for s in (1, -1))
        assert slope == pytest.approx((up - down) / (2 * step), rel=1e-6, abs=1e-5)


def test_opaque_functions_keep_definition_and_slope(ring: Ring) -> None:
    q1, x = ring.symbol("q1"), ring.symbol("x")
    length = sqrt(2 + cos(q1) * x)
    assert sqrt(2 + cos(q1) * x).terms == length.terms, "the same again for the same argument"
    h = sin(q1) / length + reciprocal(3 + x)
    expected = math.sin(0.3) / math.sqrt(2 + 0.7 * math.cos(0.3)) + 1 / 3.7
    assert _value(h) == pytest.approx(expected, rel=1e-14)
    for name in ("q1", "x"):
        up, down = (_value(h, **{name: VALUES[name] + s * 1e-6}) for s in (1, -1))
        assert _value(h.derivative(name)) == pytest.approx((up - down) / 2e-6, rel=1e-8)


def test_angles_may_turn_at_any_rate(ring: Ring) -> None:
    q1 = ring.symbol("q1")
    h = cos(76.8 * q1) * sin(q1 * 3)
    assert _value(h) == pytest.approx(math.cos(76.8 * 0.3) * math.sin(0.9), rel=1e-12)
    assert _value(h.derivative("q1")) == pytest.approx(
        -76.8 * math.sin(76.8 * 0.3) * math.sin(0.9) + 3 * math.cos(76.8 * 0.3) * math.cos(0.9), rel=1e-12
    )
    with pytest.raises(ValueError, match="not linear"):
        sin(q1 * q1)


def test_real_terms_and_collecting(ring: Ring) -> None:
    q1, q2, m = ring.symbol("q1"), ring.symbol("q2"), ring.symbol("m")
    h = m * m * cos(q1 - q2) + 3 * sin(q2) + m * 0.5
    (term,) = [t for t in h.real_terms() if t.powers == (("m", 2),)]
    assert (dict(term.frequencies), term.cosine, term.sine) == ({"q1": 1, "q2": -1}, 1.0, 0.0)
    (wave,) = [t for t in h.real_terms() if dict(t.frequencies) == {"q2": 1}]
    assert (wave.cosine, wave.sine) == (0.0, 3.0)
    groups = h.collected({"m"})
    assert set(groups) == {(("m", 2),), (), (("m", 1),)}
    assert _value(groups[("m", 2),]) == pytest.approx(math.cos(0.3 + 1.1))


def test_batches(ring: Ring) -> None:
    q1, q2, x = ring.symbol("q1"), ring.symbol("q2"), ring.symbol("x")
    h = x**2 * sin(q1 + 2 * q2) + cos(q2)
    batch = h.evaluate({"x": np.array([0.7, 0.1]), "q1": np.array([0.3, 2.0]), "q2": -1.1})
    assert batch == pytest.approx([_value(h), _value(h, x=0.1, q1=2.0)], rel=1e-14)


def test_negative_powers(ring: Ring) -> None:
    x, m = ring.symbol("x"), ring.symbol("m")
    assert _value((x * m) ** -2) == pytest.approx((0.7 * 2.5) ** -2, rel=1e-14)
    assert _value((x + m) ** -1 * 2) == pytest.approx(2 / 3.2, rel=1e-14)


def test_fast_angles_do_not_spill_into_others(ring: Ring) -> None:
    q1, q2 = ring.symbol("q1"), ring.symbol("q2")
    h, rates = ring.constant(1.0), (500, 500, 499, 500, 777, 500, 500, 1000)
    for rate in rates:
        h = h * (cos(q1 * rate) + sin(q2))
    expected = np.prod([np.cos(0.3 * rate) + np.sin(-1.1) for rate in rates])
    assert _value(h) == pytest.approx(expected, abs=1e-10), "angles of 1500 rad are rounded"


def test_angles_that_follow_a_root(ring: Ring) -> None:
    """As of a joint behind a ball screw: the angle is a multiple of an opaque symbol."""
    q1 = ring.symbol("q1")
    h = sin(sqrt(3 + cos(q1)) * 10.5)
    assert _value(h) == pytest.approx(math.sin(10.5 * math.sqrt(3 + math.cos(0.3))), rel=1e-12)


def test_pruning_keeps_what_other_symbols_make_large(ring: Ring) -> None:
    x, q1 = ring.symbol("x"), ring.symbol("q1")
    h = 1e6 * sin(q1) + 1e-8 * x * cos(q1)
    assert len(h.pruned().terms) == 4
    assert len((h + 1e-9 * sin(2 * q1)).pruned().terms) == 4, "rounding beside the terms of its kind"


def test_two_rings_do_not_mix(ring: Ring) -> None:
    with pytest.raises(ValueError, match="two rings"):
        _ = ring.symbol("a") + Ring().symbol("a")
