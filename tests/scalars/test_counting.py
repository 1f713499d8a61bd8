"""Counted numbers count what is written."""

from armdyn.scalars import Tally, cos, select, sin, sqrt


def test_every_operation_is_counted():
    tally = Tally()
    x, y = tally.number(2.0), tally.number(3.0)
    result = (x * y + x - 1.5) / y + sin(x) * cos(y) - sqrt(x)
    assert tally == Tally(multiplications=2, additions=4, divisions=1, trigonometric=2, square_roots=1)
    assert float(result) == (2.0 * 3.0 + 2.0 - 1.5) / 3.0 + float(sin(2.0)) * float(cos(3.0)) - 2.0**0.5


def test_literal_zeros_and_ones_cost_nothing():
    tally = Tally()
    x = tally.number(2.0)
    assert x + 0 is x
    assert x * 1 is x
    assert 0 * x == 0
    assert float(0 - x) == -2.0
    assert float(-1 * x) == -2.0
    assert tally == Tally()


def test_a_parameter_that_is_zero_counts():
    tally = Tally()
    x, zero = tally.number(2.0), tally.number(0.0)
    assert float(x * zero + zero) == 0.0
    assert tally == Tally(multiplications=1, additions=1)


def test_reflected_operators_and_select():
    tally = Tally()
    x = tally.number(2.0)
    assert float(1 / x) == 0.5
    assert float(5.0 - x) == 3.0
    assert select(x, 1, 2) == 1
    assert select(-x, 1, 2) == 2
