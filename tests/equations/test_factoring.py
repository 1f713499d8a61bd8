"""Factoring keeps values, finds common factors, and never takes more operations."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.equations.expression import Monomial, Number, Sum, Symbol, evaluate, expanded, operations
from armdyn.equations.factoring import factored

SYMBOLS = [Symbol(name) for name in ("a", "b", "c", "d", "m1", "m2")]
a, b, c, d, m1, m2 = SYMBOLS


def polynomial(*terms):
    """(coefficient, "a a b") as a polynomial."""
    found = {}
    for coefficient, names in terms:
        atoms = [Symbol(name) for name in names.split()]
        found[tuple((atom, atoms.count(atom)) for atom in SYMBOLS if atom in atoms)] = coefficient
    return found


@pytest.mark.parametrize(
    ("terms", "expected"),
    [
        ([], Number(0.0)),
        ([(3.0, "")], Number(3.0)),
        ([(-2.0, "a b")], -2 * a * b),
        ([(2.0, "a"), (2.0, "b")], 2 * (a + b)),
        ([(2.0, "a"), (-2.0, "b")], 2 * (a - b)),
        ([(-2.0, "a"), (2.0, "b")], 2 * (b - a)),
        ([(-1.0, "a"), (-1.0, "b")], -a - b),
        ([(1.0, ""), (-1.0, "a a")], 1 - a**2),
        ([(0.3, "a"), (0.7, "b"), (0.3, "c")], 0.7 * b + 0.3 * (a + c)),
        ([(1.0, "a b"), (1.0, "a c")], a * (b + c)),
        ([(2.0, "a b c c"), (1.0, "a a c c")], a * c**2 * (a + 2 * b)),
        ([(1.0, "a c"), (1.0, "a d"), (-1.0, "b c"), (-1.0, "b d")], (c + d) * (a - b)),
        ([(1.0, "a a a"), (1.0, "a")], a * (1 + a**2)),
    ],
)
def test_small_sums(terms, expected):
    found = factored(polynomial(*terms))
    assert operations(found) == operations(expected)
    values = {symbol.name: 0.3 + 0.1 * i for i, symbol in enumerate(SYMBOLS)}
    assert evaluate(found, values) == pytest.approx(evaluate(expected, values), rel=1e-14)


def test_masses_are_collected_outermost_in_the_given_order():
    terms = polynomial((1.0, "a m2"), (1.0, "b m2"), (-1.0, "a m1"), (1.0, "c"), (1.0, "a d"))
    found = factored(terms, [m1, m2])
    assert isinstance(found, Sum)
    assert found.terms[:2] == (-(m1 * a), m2 * (a + b))


def test_what_all_masses_have_in_common_stands_before_them():
    terms = polynomial((1.0, "a m1"), (1.0, "b m1"), (2.0, "a m2"), (2.0, "b m2"))
    assert factored(terms, [m1, m2]) == (a + b) * (m1 + 2 * m2)


def test_a_sum_in_some_masses_only_does_not_tear_them_apart():
    terms = polynomial((1.0, "a m1"), (1.0, "b m1"), (1.0, "a c m2"), (1.0, "b c m2"), (1.0, "d"))
    assert factored(terms, [m1, m2]) == total_of(m1 * (a + b), m2 * c * (a + b), d)


def total_of(*terms):
    return Sum(tuple(terms))


def test_reciprocals_are_factors_of_their_own():
    terms = {((a, -1), (b, 1)): 1.0, ((a, -1), (c, 1)): 1.0, ((a, 1),): 1.0}
    assert operations(factored(terms)).total == 3
    values = {"a": 0.7, "b": 0.2, "c": 0.4}
    assert evaluate(factored(terms), values) == pytest.approx(0.6 / 0.7 + 0.7)


def test_sums_can_stand_in_the_place_of_atoms():
    u = a + b
    terms = {((c, 1), (u, 2)): 1.0, ((d, 1), (u, 2)): 2.0}
    assert factored(terms) == (c + 2 * d) * u**2 or factored(terms) == u**2 * (c + 2 * d)


polynomials = st.dictionaries(
    st.dictionaries(st.sampled_from(SYMBOLS), st.sampled_from([1, 1, 2, 3, -1]), max_size=4).map(
        lambda powers: tuple((atom, powers[atom]) for atom in SYMBOLS if atom in powers)
    ),
    st.sampled_from([1.0, -1.0, 2.0, -2.0, 0.5]) | st.floats(0.1, 3.0),
    max_size=40,
)


@given(polynomials, st.integers(0, 1000), st.booleans())
def test_values_are_kept_and_no_operation_is_added(terms, seed, collected):
    found = factored(terms, [m1, m2] if collected else ())
    rng = np.random.default_rng(seed)
    values = {symbol.name: rng.uniform(0.5, 1.5) for symbol in SYMBOLS}
    size = sum(abs(evaluate(expanded({powers: x}), values)) for powers, x in terms.items())
    assert abs(evaluate(found, values) - evaluate(expanded(terms), values)) <= 1e-12 * (size + 1)
    if all(n > 0 for powers in terms for _, n in powers):  # c/a + c is shorter than c (1/a + 1)
        assert operations(found).total <= operations(expanded(terms)).total


def test_the_same_polynomial_gives_the_same_form_in_any_order():
    rng = np.random.default_rng(3)
    keys = [
        tuple((s, int(n)) for s, n in zip(SYMBOLS, row, strict=True) if n)
        for row in rng.integers(0, 3, (30, 6))
    ]
    terms: dict[Monomial, float] = {
        key: float(x) for key, x in zip(keys, rng.choice([1, 2, -1, 0.25], 30), strict=True)
    }
    backwards = dict(reversed(list(terms.items())))
    assert factored(terms) == factored(backwards)
