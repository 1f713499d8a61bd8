"""How operations grow: exact polynomials in the number of joints, and their fitted exponents."""

from fractions import Fraction

import pytest

from armdyn.errors import InputError
from armdyn.mechanics.methods import METHODS
from armdyn.studies.growth import Growth, growth, interpolated, polynomial_text, random_chain
from armdyn.studies.published import published

DEGREES = {
    ("newton_euler", "inverse", None): 1,
    ("newton_euler", "forward", None): 3,
    ("lagrange_euler", "forward", None): 4,
    ("lagrange_euler", "forward", "omission rule"): 3,
    ("dalembert", "forward", None): 3,
    ("newton_euler_base", "inverse", None): 1,
    ("newton_euler_base", "forward", None): 3,
    ("lagrange_euler", "inverse", None): 4,
    ("lagrange_euler", "inverse", "omission rule"): 3,
    ("dalembert", "inverse", None): 3,
    ("mrnea", "inverse", None): 2,
    ("mrnea", "forward", None): 3,
    ("composite_body", "forward", None): 3,
    ("articulated_body", "forward", None): 1,
    ("walker_orin1", "forward", None): 3,
    ("walker_orin2", "forward", None): 3,
}
"""Solving for accelerations takes n^3/3 operations, whoever made the mass matrix."""


@pytest.fixture(scope="module")
def curves():
    return {(c.formulation, c.quantity, c.variant): c for c in growth()}


def test_every_formulation_grows(curves):
    assert {formulation for formulation, _, _ in curves} == set(METHODS)
    assert set(curves) == set(DEGREES)


@pytest.mark.parametrize("key", DEGREES, ids=str)
def test_counts_are_polynomials_in_n(curves, key):
    curve = curves[key]
    assert curve.sizes == tuple(range(2, 11))
    assert curve.polynomial is not None
    assert len(curve.polynomial) - 1 == DEGREES[key]
    for n, count in zip(curve.sizes[1:], curve.operations[1:], strict=True):
        assert sum(c * n**k for k, c in enumerate(curve.polynomial)) == count


def test_exponents_are_ordered_as_the_formulations_are(curves):
    def exponent(*key):
        return curves[key].exponent

    assert 1.0 < exponent("newton_euler", "inverse", None) < 1.3
    assert 1.0 < exponent("articulated_body", "forward", None) < 1.3
    assert exponent("mrnea", "forward", None) > 1.6, "not O(n), as [Kvrgic2020] has it"
    assert exponent("lagrange_euler", "inverse", None) > exponent(
        "lagrange_euler", "inverse", "omission rule"
    )
    assert exponent("lagrange_euler", "inverse", None) > 3


def test_exponent_of_a_power():
    sizes = tuple(range(2, 11))
    assert Growth("mrnea", "forward", None, sizes, tuple(7 * n**3 for n in sizes)).exponent == pytest.approx(
        3
    )


def test_printed_counts_of_mrnea_grow_faster_than_linearly():
    """[Kvrgic2020] Table 1 says O(n)."""
    printed = [count for count in published(6) if count.table == "Table 1"]
    operations = tuple(count.multiplications + count.additions for count in printed)
    curve = Growth("mrnea", "forward", None, tuple(count.n for count in printed), operations)
    assert 2.4 < curve.exponent < 2.6


@pytest.mark.parametrize(
    ("sizes", "listed"),
    [((2, 3), "2, 3"), ((), ""), ((2, 4, 6, 8), "2, 4, 6, 8"), ((3, 4), "3, 4"), ((5, 4, 3), "5, 4, 3")],
)
def test_sizes_that_give_no_growth_are_refused(sizes, listed):
    sentence = rf"^sizes \({listed}\), expected consecutive numbers of joints, two or more of them from 4 on$"
    with pytest.raises(InputError, match=sentence):
        growth(["newton_euler"], sizes)


def test_progress_is_told_of_every_curve():
    seen = []

    def watch(steps):
        for step in steps:
            seen.append((step.quantity, step.method.name))
            yield step

    curves = growth(["newton_euler"], (4, 5), progress=watch)
    assert seen == [(curve.quantity, curve.formulation) for curve in curves]


def test_chains_are_the_same_for_the_same_seed():
    assert random_chain(3, 5) == random_chain(3, 5)
    assert random_chain(3, 5) != random_chain(3, 6)
    assert random_chain(4).n == 4


def test_interpolation_finds_the_lowest_degree():
    sizes = range(3, 11)
    assert interpolated(sizes, [5] * 8) == (5,)
    assert interpolated(sizes, [2 * n - 7 for n in sizes]) == (-7, 2)
    assert interpolated(sizes, [n * (n - 1) // 2 for n in sizes]) == (0, Fraction(-1, 2), Fraction(1, 2))
    assert interpolated(sizes, [2**n for n in sizes]) is None


def test_polynomials_read_well():
    assert polynomial_text((Fraction(-4), Fraction(111))) == "111 n - 4"
    assert polynomial_text((Fraction(0), Fraction(-1), Fraction(1, 2), Fraction(1))) == "n^3 + 1/2 n^2 - n"
    assert polynomial_text((Fraction(3),)) == "3"
    assert polynomial_text(()) == "0"
