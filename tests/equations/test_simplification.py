"""Short expressions with a known error: what is dropped, merged, fitted and measured."""

import math
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import armdyn as ad
from armdyn.equations.expression import Cosine, Monomial, Number, Sine, evaluate, operations, walk
from armdyn.equations.simplification import Simplified, simplify, trade_off
from armdyn.equations.simplification.arguments import question
from armdyn.equations.simplification.dictionary import dictionary
from armdyn.equations.simplification.fitting import Fit, fit, sorted_structure
from armdyn.equations.simplification.refining import refined
from armdyn.equations.simplification.sampling import Sample, sample
from armdyn.equations.simplification.waves import terms
from armdyn.errors import InputError, ShapeError
from armdyn.mechanics import composite_body
from armdyn.mechanics.tree import tree
from armdyn.scalars import cos, sin
from armdyn.scalars.harmonic import Harmonic, Ring

ROUNDING = 1e-12
"""Relative to values: two ways to compute the same in double precision."""
TURN = (-np.pi, np.pi)
NAMES = ("q1", "q2")
BOX = np.array([TURN, TURN])


def joints(n: int = 2) -> list[Harmonic]:
    return Ring().symbols("q", n)


def values(q: np.ndarray) -> dict[str, np.ndarray]:
    return {f"q{j + 1}": q[..., j] for j in range(q.shape[-1])}


def left(case: Harmonic, result: Simplified, q: np.ndarray, number: int = 0) -> np.ndarray:
    return np.abs(case.evaluate(values(q)) - evaluate(result.expressions[number], values(q)))


def number(result: Simplified) -> float:
    (expression,) = result.expressions
    assert isinstance(expression, Number)
    return expression.value


# What comes out --------------------------------------------------------------------------------


def test_nearly_equal_squares_become_a_constant():
    q1, _ = joints()
    case = 2.00 * sin(q1) * sin(q1) + 2.04 * cos(q1) * cos(q1)
    result = simplify([case], NAMES, BOX, tolerance=0.01)
    assert number(result) == pytest.approx(2.02)
    assert result.operations.total == 0
    (errors,) = result.errors
    assert errors.maximum == pytest.approx(0.02)
    assert errors.bound == pytest.approx(0.02, abs=1e-4)
    assert errors.certified


def test_a_term_is_replaced_by_its_mean():
    q1, q2 = joints()
    case = 5 * cos(q1) + 0.1 * cos(q1) * sin(q2) * sin(q2)
    (c,) = simplify([case], NAMES, BOX, operations=1).parameters
    assert c.factor == Cosine((("q1", 1),))
    assert c.values == pytest.approx((5.05,), rel=1e-3)


def test_near_coefficients_become_one():
    q1, q2 = joints()
    case = 3.00 * sin(q1) + 3.01 * cos(q2)
    result = simplify([case], NAMES, BOX, tolerance=0.01)
    assert result.operations == (1, 1)
    assert [len(p.values) for p in result.parameters] == [1]


def test_one_structure_for_all_cases_and_what_changes_is_told():
    q1, q2 = joints()
    cases = [2 * sin(q1) + m * cos(q2) + 0.001 * cos(q1) * cos(q2) for m in (1.0, 3.0)]
    result = simplify(cases, NAMES, BOX, tolerance=0.01)
    assert result.operations == (2, 1)
    assert {p.factor: p.changes for p in result.parameters} == {
        Sine((("q1", 1),)): False,
        Cosine((("q2", 1),)): True,
    }


def test_no_tolerance_is_exact():
    q1, q2 = joints()
    case = (1 + 2 * sin(q1)) * (0.5 + cos(q2)) * cos(q2)
    result = simplify([case], NAMES, BOX, tolerance=0.0)
    assert result.exact
    assert result.operations.total <= 6
    q = np.random.default_rng(3).uniform(-np.pi, np.pi, (1000, 2))
    assert left(case, result, q).max() < 10 * ROUNDING


def test_a_wide_tolerance_leaves_a_constant():
    q1, q2 = joints()
    result = simplify([10 + sin(q1) + cos(q2)], NAMES, BOX, tolerance=2.0)
    assert result.operations.total == 0
    assert result.errors[0].maximum <= 12


def test_lengths_stand_in_powers():
    q1, q2 = joints()
    case = 2 + 3 * q2 + 4 * q2 * q2 + 0.01 * q2 * q2 * sin(q1)
    result = simplify([case], NAMES, [TURN, (0.2, 1.0)], tolerance=0.01)
    assert result.operations == (2, 2)
    assert result.errors[0].relative_mean < 0.01


@pytest.mark.parametrize("value", [0.0, 2.5])
def test_a_constant_stays_what_it_is(value: float):
    result = simplify([value], NAMES, BOX, tolerance=0.0)
    assert result.expressions == (Number(value),)
    assert result.exact
    assert [p.operations.total for p in trade_off([value], NAMES, BOX)] == [0]


def test_a_case_that_is_nothing_beside_one_that_is_not():
    q1, _ = joints()
    result = simplify([0.0, 2 * sin(q1)], NAMES, BOX, tolerance=0.0)
    assert result.exact
    assert result.expressions[0] == Number(0.0)


def test_a_locked_joint_is_a_number():
    q1, q2 = joints()
    case = sin(q1) * cos(q2) + q2 * cos(q1)
    result = simplify([case], NAMES, [TURN, (0.5, 0.5)], tolerance=0.0)
    assert result.operations == (2, 1)
    q = np.array([[0.3, 0.5], [1.2, 0.5]])
    assert left(case, result, q).max() < ROUNDING


def test_everything_locked_is_a_constant():
    q1, q2 = joints()
    result = simplify([sin(q1) * q2], NAMES, [(0.3, 0.3), (0.5, 0.5)], tolerance=0.0)
    assert number(result) == pytest.approx(0.5 * math.sin(0.3))


def test_parallel_axes_give_sums_of_angles():
    q1, q2 = joints()
    case = 2 * cos(q1 + q2) + 1.5 * cos(q1)
    apart = simplify([case], NAMES, BOX, tolerance=0.0)
    together = simplify([case], NAMES, BOX, tolerance=0.0, parallel=[NAMES])
    assert together.operations == (2, 1)
    assert together.operations.total < apart.operations.total


def test_double_angles_on_request():
    q1, _ = joints()
    case = 2 * sin(q1) * cos(q1)
    assert simplify([case], NAMES, BOX, tolerance=0.0).operations.total == 2
    doubled = simplify([case], NAMES, BOX, tolerance=0.0, double_angles=True)
    assert doubled.operations.total == 0
    assert Sine((("q1", 2),)) in set(walk(doubled.expressions[0]))


def test_measured_by_the_range_the_largest_error_stays_below():
    q1, q2 = joints()
    case = 3 * sin(q1) + 0.2 * cos(q2) * cos(q2) * cos(q2) + 0.05 * cos(q1) * sin(q2)
    result = simplify([case], NAMES, BOX, tolerance=0.05, measure="range")
    assert not result.exact
    (errors,) = result.errors
    assert errors.maximum <= 0.05 * 6.5
    assert errors.relative_range <= 0.05 * (1 + 1e-3)


# The curve -------------------------------------------------------------------------------------


def arm_case(name: str, i: int, j: int) -> tuple[Harmonic, tuple[str, ...], np.ndarray]:
    arm = ad.load(name)
    H = composite_body.mass_matrix(tree(arm), Ring().symbols("q", arm.n))
    return H[i][j], tuple(f"q{k + 1}" for k in range(arm.n)), np.array([TURN] * arm.n)


def test_the_curve_falls_from_a_constant_to_exact():
    case, names, box = arm_case("ur5", 1, 1)
    curve = trade_off([case], names, box, parallel=[("q2", "q3", "q4")], tried=300)
    assert curve[0].operations.total == 0
    assert curve[-1].exact
    for shorter, longer in pairwise(curve):
        assert shorter.operations.total < longer.operations.total
        assert shorter.relative_mean > longer.relative_mean
    q = np.random.default_rng(8).uniform(-np.pi, np.pi, (2000, 6))
    size = np.abs(case.evaluate(values(q))).mean()
    for point in curve:
        errors = left(case, point, q)
        assert errors.mean() == pytest.approx(point.errors[0].mean, rel=0.15, abs=1e-12 * size)
        assert errors.max() <= point.errors[0].bound + ROUNDING * size


def test_every_point_of_the_curve_can_be_certified():
    q1, q2 = joints()
    case = 2 + sin(q1) + 0.3 * cos(q2) * sin(q1) + 0.1 * cos(q2)
    for point in trade_off([case], NAMES, BOX, certify=True):
        assert point.errors[0].certified


def test_the_same_seed_gives_the_same_and_progress_is_told():
    case, names, box = arm_case("puma560", 1, 1)
    told: list[float] = []
    first, again = (
        simplify([case], names, box, tolerance=0.02, seed=5, tried=200, progress=told.append) for _ in "ab"
    )
    assert first.expressions == again.expressions
    assert first.errors[0].mean == again.errors[0].mean
    half = told[: told.index(1.0) + 1]
    assert half == sorted(half)
    assert half[0] >= 0


def random_waves(count: int, n: int) -> Harmonic:
    rng = np.random.default_rng(4)
    q = joints(n)
    case = q[0].ring.constant(3.0)
    for _ in range(count):
        k = rng.integers(-2, 3, n)
        case = case + float(rng.normal()) * cos(
            sum((int(a) * x for a, x in zip(k, q, strict=True)), 0 * q[0])
        )
    return case


def check_more_waves_than_monomials(count: int, n: int, monomials: int) -> None:
    names = tuple(f"q{i + 1}" for i in range(n))
    curve = trade_off([random_waves(count, n)], names, [TURN] * n, tried=10)
    assert f"chose among {monomials} monomials" in curve[0].note
    assert curve[-1].exact
    assert not curve[-1].note


def test_more_waves_than_monomials_is_said(monkeypatch: pytest.MonkeyPatch):
    module = import_module("armdyn.equations.simplification.dictionary")
    monkeypatch.setattr(module, "MOST_MONOMIALS", 20)
    monkeypatch.setattr(module, "MOST_CANDIDATES", 60)
    check_more_waves_than_monomials(count=10, n=3, monomials=20)


@pytest.mark.slow
def test_more_waves_than_monomials_is_said_of_many():
    check_more_waves_than_monomials(count=150, n=5, monomials=700)


# Errors ----------------------------------------------------------------------------------------


def test_one_box_does_not_certify():
    case, names, box = arm_case("puma560", 1, 1)
    result = simplify([case], names, box, operations=6, tried=100, effort=1)
    (errors,) = result.errors
    assert errors.bound > errors.maximum
    assert not errors.certified
    q = np.random.default_rng(1).uniform(-np.pi, np.pi, (20_000, len(names)))
    assert left(case, result, q).max() <= errors.bound


def test_errors_are_those_of_other_postures():
    q1, q2 = joints()
    case = sin(q1) ** 4 + 0.3 * cos(q1 + q2)
    result = simplify([case], NAMES, BOX, operations=0)
    (errors,) = result.errors
    q = np.random.default_rng(2).uniform(-np.pi, np.pi, (200_000, 2))
    sampled = left(case, result, q)
    assert errors.mean == pytest.approx(sampled.mean(), rel=0.01)
    assert errors.p95 == pytest.approx(np.quantile(sampled, 0.95), rel=0.01)
    assert np.quantile(sampled, 0.9) < 0.95 * errors.p95  # the two are told apart
    assert errors.relative_mean == pytest.approx(
        sampled.mean() / np.abs(case.evaluate(values(q))).mean(), rel=0.01
    )


def test_errors_are_measured_where_nothing_was_fitted(monkeypatch: pytest.MonkeyPatch):
    module = import_module("armdyn.equations.simplification.simplify")
    taken: list[Sample] = []

    def remembered(*arguments: Any) -> Sample:
        taken.append(sample(*arguments))
        return taken[-1]

    monkeypatch.setattr(module, "sample", remembered)
    q1, q2 = joints()
    simplify([sin(q1) + 0.1 * cos(q2)], NAMES, BOX, operations=1)
    fresh, fitted = taken
    assert (len(fresh.q), len(fitted.q)) == (100_000, 4096)
    assert not {*map(tuple, fresh.q.tolist())} & {*map(tuple, fitted.q.tolist())}


def least_squares(case: Harmonic, monomials: Sequence[Monomial]) -> tuple[Fit, Sample]:
    """A quantity fitted with some monomials, and the postures to refine the fit on."""
    asked = question([case], NAMES, BOX, ())
    book = dictionary(asked.cases, asked.joints, asked.groups, ("sines", "cosines"), monomials)
    found = fit(sorted_structure([((book.monomials.index(m), 1.0),) for m in monomials]), book)
    assert found is not None
    return found, sample([terms(case_, asked.joints) for case_ in asked.cases], asked.joints, 4096, 0)


def test_a_constant_is_refined_to_the_median_or_to_the_middle():
    # cos^4 has the mean 3/8, the median cos^4 (pi/4) = 1/4, and lies between 0 and 1
    found, postures = least_squares(cos(joints()[0]) ** 4, [()])
    assert found.coefficients == pytest.approx(3 / 8)
    assert refined(found, postures, "mean") == pytest.approx(1 / 4, abs=0.01)
    assert refined(found, postures, "range") == pytest.approx(1 / 2, abs=0.01)


def test_refining_lowers_what_it_is_about():
    q1, q2 = joints()
    s1, c2 = (Sine((("q1", 1),)), 1), (Cosine((("q2", 1),)), 1)
    case = (1 + 0.5 * sin(q1) + 0.4 * cos(q2)) ** 4
    found, postures = least_squares(case, [(), (s1,), (c2,), (s1, c2)])
    X = postures.columns([found.dictionary.monomials[group[0][0]] for group in found.structure])
    plain, mean, largest = (
        np.abs(postures.values - X @ c)
        for c in (found.coefficients, refined(found, postures, "mean"), refined(found, postures, "range"))
    )
    assert mean.mean() < 0.97 * plain.mean()
    assert largest.max() < 0.8 * plain.max()


@settings(max_examples=max(1, settings().max_examples // 20), deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-3, 3), st.integers(0, 2), st.integers(-2, 2), st.integers(0, 1)),
        min_size=1,
        max_size=5,
    ),
    st.floats(0.001, 0.3),
)
def test_tolerance_and_bound_hold(parts: list[tuple[float, int, int, int]], tolerance: float):
    q1, q2, r = Ring().symbols("q", 3)
    case = 0 * q1 + 1.0
    for c, a, b, p in parts:
        case = case + c * sin(a * q1 + b * q2 + 0.5) * r**p
    box = np.array([(-1.0, 2.0), TURN, (0.1, 0.8)])
    result = simplify([case], ("q1", "q2", "q3"), box, tolerance=tolerance, tried=30, effort=2_000)
    q = np.random.default_rng(0).uniform(box[:, 0], box[:, 1], (5000, 3))
    (errors,) = result.errors
    size = max(1.0, np.abs(case.evaluate(values(q))).max())
    assert result.exact or errors.relative_mean <= tolerance
    assert left(case, result, q).max() <= errors.bound + 1e-9 * size
    assert max(errors.mean, errors.p95) <= errors.maximum <= errors.bound
    if not result.exact:
        assert np.mean(left(case, result, q) <= errors.p95) == pytest.approx(0.95, abs=0.02)
    assert errors.maximum == pytest.approx(
        float(left(case, result, errors.q).max()), rel=1e-6, abs=1e-9 * size
    )
    assert result.operations == max((operations(e) for e in result.expressions), key=lambda o: o.total)


# What is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "neither of tolerance and operations given"),
        ({"tolerance": 0.1, "operations": 3}, "both of tolerance and operations given"),
        ({"tolerance": -0.1}, "tolerance is -0.1, expected a fraction of 0 or more"),
        ({"tolerance": math.nan}, "tolerance is nan"),
        ({"operations": -1}, "operations is -1, expected 0 or more"),
        ({"tolerance": 0.1, "parallel": [("q1", "q7")]}, 'parallel has "q7", expected joints among q1, q2'),
    ],
)
def test_bad_aims_are_refused(options: dict, words: str):
    q1, _ = joints()
    with pytest.raises(InputError, match=words):
        simplify([sin(q1)], NAMES, BOX, **options)


def test_bad_boxes_and_cases_are_refused():
    q1, _ = joints()
    with pytest.raises(ShapeError, match=r"box has shape \(1, 2\); .* 2 joints, expected \(2, 2\)"):
        simplify([sin(q1)], NAMES, [TURN], tolerance=0.1)
    with pytest.raises(InputError, match=r"box of joint 2 is .* expected the lower end first"):
        simplify([sin(q1)], NAMES, [TURN, (1, 0)], tolerance=0.1)
    with pytest.raises(InputError, match=r"box of joint 1 is .* expected finite numbers"):
        simplify([sin(q1)], NAMES, [(0, math.inf), TURN], tolerance=0.1)
    with pytest.raises(InputError, match="no case"):
        simplify([], NAMES, BOX, tolerance=0.1)
    with pytest.raises(InputError, match="m1"):
        simplify([sin(q1) * q1.ring.symbol("m1")], NAMES, BOX, tolerance=0.1)
    with pytest.raises(InputError, match="not finite"):
        simplify([math.nan], NAMES, BOX, tolerance=0.1)
