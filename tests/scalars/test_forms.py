"""Forms: whatever is made of them has the value that the same equation has on numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.scalars import Array, absolute, cos, reciprocal, select, sign, sin, sqrt
from armdyn.scalars.forms import ZERO, Form

T = 6
SAME = 1e-12
"""Relative to the sum of all sizes that occur."""


def random_form(rng: np.random.Generator) -> Form:
    """Any form without sizes."""
    return Form.of(*rng.normal(0, 2, (4, T)))


def motion(rng: np.random.Generator) -> tuple[Array, Array]:
    """u and x."""
    return rng.normal(0, 2, T), rng.uniform(0.01, 4, T)


# Values ---------------------------------------------------------------------------------------


def test_a_form_is_a_sum_of_its_terms() -> None:
    form = Form.of(u=[1.0, 2.0], x=3.0, y=-1.0, constant=0.5)
    assert form.at([2.0, 1.0], [4.0, 9.0]) == pytest.approx([2 + 12 - 2 + 0.5, 2 + 27 - 3 + 0.5])
    assert (form.at(np.ones((3, 2)), 4.0) == form.at(1.0, 4.0)).all()


STEPS: list[Callable[[Any, Any, Any, Callable[[Any], Any]], Any]] = [
    lambda a, b, _, __: a + b,
    lambda a, b, _, __: b - a,
    lambda a, _, k, __: 1.5 - a * k,
    lambda a, _, k, size: k * a + size(a),
    lambda a, b, _, size: size(b + 0.3 * a),
    lambda a, _, k, __: k * a - a / 2,
    lambda a, _, __, ___: -a,
]
"""What may be done to a form a with another one b, a number k at each place, and sizes."""


@given(st.integers(0, 10_000), st.lists(st.sampled_from(STEPS), min_size=1, max_size=12))
def test_sums_and_products_and_sizes_have_the_value_of_their_equation(seed: int, steps: list[Any]) -> None:
    rng = np.random.default_rng(seed)
    u, x = motion(rng)
    form = random_form(rng)
    value, largest = form.at(u, x), 10.0
    for step in steps:
        other, factor = random_form(rng), rng.normal(0, 1, T)
        form = step(form, other, Form.of(constant=factor), absolute)
        value = step(value, other.at(u, x), factor, np.abs)
        largest = 5 * largest + 10
        assert np.abs(form.at(u, x) - value).max() <= SAME * largest


@given(st.integers(0, 10_000))
def test_slopes_are_those_of_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    inner = absolute(random_form(rng)) * rng.normal(0, 1, T) + random_form(rng)
    form = random_form(rng) + absolute(inner) * rng.normal(0, 1, T)
    u, x = motion(rng)
    x, h = x + 0.1, 1e-6
    value, by_u, by_x = form.slopes(u, x)
    assert value == pytest.approx(form.at(u, x), rel=1e-12, abs=1e-12)
    # where a size turns between the two sides their difference has no meaning
    sides = [np.sign(size.at(u + a * h, x + b * h)) for size in sizes(form) for a in (-1, 1) for b in (-1, 1)]
    smooth = np.all([side == sides[4 * (k // 4)] for k, side in enumerate(sides)], axis=0)
    assert smooth.any()
    for slope, (du, dx) in ((by_u, (h, 0.0)), (by_x, (0.0, h))):
        difference = (form.at(u + du, x + dx) - form.at(u - du, x - dx)) / (2 * h)
        assert np.abs(difference - slope)[smooth].max() < 1e-6


def sizes(form: Form) -> list[Form]:
    """All insides of sizes."""
    return [each for _, inside in form.sizes for each in (inside, *sizes(inside))]


def test_at_an_edge_the_slope_is_that_of_the_positive_side() -> None:
    form = absolute(Form.of(u=1.0, x=1.0, constant=-1.0))
    _, by_u, by_x = form.slopes(np.zeros(1), np.ones(1))
    assert (by_u, by_x) == (1.0, 1.0)


def test_equal_sizes_are_one() -> None:
    one = absolute(Form.of(u=1.0, constant=-1.0))
    assert len((one + 2 * one - one / 2).sizes) == 1
    assert (one + 2 * one).at(3.0, 1.0) == pytest.approx(6.0)


def test_a_form_spread_over_more_places_is_nothing_elsewhere() -> None:
    form = Form.of(u=[1.0, 2.0]) + absolute(Form.of(x=1.0, constant=-1.0))
    assert form.spread(np.array([2, 0]), 4).at(1.0, 3.0).tolist() == [4.0, 0.0, 3.0, 0.0]


def test_without_rate_what_goes_with_it_is_left_out_inside_sizes_too() -> None:
    form = Form.of(x=1.0, y=[5.0, 5.0]) + absolute(Form.of(y=[3.0, 3.0], constant=-1.0))
    assert form.without_rate(np.array([True, False])).at(0.0, 1.0).tolist() == [2.0, 8.0]


# Signs ----------------------------------------------------------------------------------------


def test_the_sign_is_known_of_what_has_one_term() -> None:
    form = Form(np.diag([2.0, -3.0, 4.0, -5.0]))
    assert form.sign().tolist() == [1, -1, 1, -1]
    assert sign(form).constant.tolist() == [1, -1, 1, -1]
    assert ZERO.sign() == 0
    assert np.isnan((form + 1.0).sign()).tolist() == [True, True, True, False]


def test_a_size_is_a_term_of_its_own_only_where_its_sign_is_not_known() -> None:
    size = absolute(Form.of(u=[0.0, 1.0], x=[-2.0, 1.0]))
    ((weight, _),) = size.sizes
    assert weight.tolist() == [0.0, 1.0]
    assert size.terms[:, 0].tolist() == [0.0, 2.0, 0.0, 0.0]
    assert size.at([5.0, -3.0], 2.0) == pytest.approx([4.0, 1.0])
    assert np.array_equal(size.sign(), [1.0, 1.0])


def test_a_choice_is_made_place_by_place() -> None:
    condition = Form.of(y=[1.0, -1.0, 0.0], constant=0.0)
    chosen = select(condition, Form.of(u=1.0), 7)
    assert chosen.at(3.0, 1.0).tolist() == [3.0, 7.0, 7.0]


def test_what_hangs_on_an_unknown_sign_has_no_number() -> None:
    chosen = select(Form.of(u=[1.0, 0.0], x=[1.0, 1.0]), 1, 2)
    assert np.array_equal(chosen.at(1.0, 1.0), [np.nan, 1.0], equal_nan=True)
    assert chosen * 0.0 is ZERO


# Products and functions -----------------------------------------------------------------------


def test_a_product_of_rates_goes_with_their_square() -> None:
    square = Form.of(y=[2.0, 3.0]) * Form.of(y=[4.0, -1.0])
    assert square.terms.tolist() == [[0.0, 0.0], [8.0, -3.0], [0.0, 0.0], [0.0, 0.0]]


def test_other_products_are_refused() -> None:
    for a, b in (
        ({"u": 1.0}, {"y": 1.0}),
        ({"x": 1.0}, {"x": 1.0}),
        ({"y": 1.0, "constant": 1.0}, {"y": 1.0}),
    ):
        with pytest.raises(TypeError, match="no multiples of the rate"):
            _ = Form.of(**a) * Form.of(**b)
    with pytest.raises(TypeError, match="used as a number"):
        _ = 1 / Form.of(u=1.0)


@pytest.mark.parametrize(
    ("function", "numbers"), [(sin, np.sin), (cos, np.cos), (sqrt, np.sqrt), (reciprocal, np.reciprocal)]
)
def test_functions_of_constants(function: Callable[[Any], Any], numbers: Callable[[Array], Array]) -> None:
    values = np.array([0.3, 1.7])
    assert (function(Form.of(constant=values)).constant == numbers(values)).all()
    with pytest.raises(TypeError, match="used as a number"):
        function(Form.of(x=values))


def test_arrays_leave_products_to_forms() -> None:
    factor = np.array([2.0, -1.0])
    assert isinstance(factor * Form.of(u=1.0), Form)
    assert (factor * Form.of(u=1.0)).at(3.0, 1.0).tolist() == [6.0, -3.0]
    assert (np.ones(2) - Form.of(u=1.0)).at(3.0, 1.0).tolist() == [-2.0, -2.0]


def test_a_part_of_a_constant_is_the_same_constant() -> None:
    assert Form.of(constant=2.0).part(slice(3, None)).at(np.zeros(2), np.ones(2)).tolist() == [2, 2]
