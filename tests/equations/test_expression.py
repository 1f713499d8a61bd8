"""Expressions keep their form, count what it takes to evaluate them, and have values."""

import numpy as np
import pytest

from armdyn.equations.expression import (
    Cosine,
    Number,
    Operations,
    Power,
    Product,
    Sine,
    Sum,
    Symbol,
    evaluate,
    expanded,
    is_negative,
    operations,
    order,
    power,
    product,
    total,
    walk,
)

a, b, c = Symbol("a"), Symbol("b"), Symbol("c")
s2, c23 = Sine((("q2", 1),)), Cosine((("q2", 1), ("q3", 1)))


@pytest.mark.parametrize(
    ("expression", "multiplications", "additions"),
    [
        (a, 0, 0),
        (Number(3.0), 0, 0),
        (a * b, 1, 0),
        (-a * b, 1, 0),
        (2 * a * b, 2, 0),
        (a**2, 1, 0),
        (a**3, 2, 0),
        (a**4, 2, 0),
        (a**-1, 1, 0),
        (a * b**-1, 1, 0),
        (a * b**-2, 2, 0),
        (-(a**-1), 1, 0),
        (a**-1 * b**-1, 2, 0),
        (a + b - c, 0, 2),
        (-a - b, 0, 1),
        (a * (2 * b + a) * s2**2, 4, 1),
        (2 * (3 * a), 1, 0),  # numbers are folded
        ((a + b) ** 2, 1, 1),
    ],
)
def test_operations_are_those_of_the_form_as_written(expression, multiplications, additions):
    assert operations(expression) == Operations(multiplications, additions)
    assert operations(expression).total == multiplications + additions


def test_what_is_nothing_is_left_out():
    assert total(()) == Number(0.0)
    assert total((a, Number(0.0))) == a
    assert product((a, Number(1.0))) == a
    assert product((a, Number(0.0))) == Number(0.0)
    assert power(a, 0) == Number(1.0)
    assert power(a, 1) == a


def test_numbers_are_folded_and_nests_of_one_kind_taken_apart():
    assert 2 * (3 * a) == Product((Number(6.0), a))
    assert (a + 1) + (b + 2) == Sum((a, Number(3.0), b))
    assert power(power(a, 2), -3) == Power(a, -6)
    assert power(Number(2.0), 3) == Number(8.0)


def test_equal_expressions_are_equal_and_can_be_looked_up():
    assert a * b + s2 == Symbol("a") * Symbol("b") + Sine((("q2", 1),))
    assert len({a * b, a * b, b * a}) == 2


def test_order_is_natural():
    names = [Symbol(name) for name in ("q10", "q2", "k4xx", "k10xx")]
    assert sorted(names) == [Symbol(name) for name in ("k4xx", "k10xx", "q2", "q10")]
    mixed = [a + b, a * b, c23, s2, s2**2, a, Number(1.0)]
    assert sorted(mixed, key=order) == [Number(1.0), a, s2, s2**2, c23, a * b, a + b]


def test_a_minus_in_front():
    assert is_negative(-a)
    assert is_negative(Number(-2.0))
    assert is_negative(-2 * a * b)
    assert not is_negative(b - a)


def test_walk_meets_every_part_before_the_whole():
    met = list(walk(a * (b + s2)))
    assert met[-1] == a * (b + s2)
    assert {a, b, s2, b + s2} <= set(met)


def test_values_over_arrays():
    rng = np.random.default_rng(1)
    values = {name: rng.uniform(0.5, 2, 7) for name in ("a", "b", "q2", "q3")}
    expression = 2 * a * (b - s2) ** 2 - c23 * b**-1 + 3
    x, y, q2, q3 = values.values()
    expected = 2 * x * (y - np.sin(q2)) ** 2 - np.cos(q2 + q3) / y + 3
    np.testing.assert_allclose(evaluate(expression, values), expected, rtol=1e-15)


def test_angles_have_whole_factors():
    angle = Sine((("q1", 2), ("q2", -1)))
    assert evaluate(angle, {"q1": 0.3, "q2": 0.1}) == pytest.approx(np.sin(0.5), abs=1e-16)


def test_expanded_is_the_sum_of_monomials_in_order():
    polynomial = {((b, 1),): -1.0, ((a, 2), (b, 1)): 2.0, (): 3.0}
    assert expanded(polynomial) == Sum((Number(3.0), 2 * a**2 * b, -b))
