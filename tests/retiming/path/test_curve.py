"""Curves: known ones exactly, splines by their own differences."""

import numpy as np
import pytest

from armdyn.retiming.path.curve import CutCurve, SplineCurve, StraightCurve, distances, ends_of
from armdyn.retiming.path.traced import traced
from armdyn.scalars import Array
from retiming.path.path_checks import check_derivatives

ROUNDING = 1e-12


def circle(angles: Array) -> Array:
    return np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])


def test_a_straight_curve() -> None:
    curve = StraightCurve(np.array([1.0, 2.0]), np.array([4.0, -2.0]))
    assert curve.length == pytest.approx(5.0, rel=ROUNDING)
    q, first, second = curve.at(np.array([0.0, 2.5, 5.0]))
    np.testing.assert_allclose(q, [[1, 2], [2.5, 0], [4, -2]], atol=ROUNDING)
    np.testing.assert_allclose(first, [[0.6, -0.8]] * 3, atol=ROUNDING)
    assert not second.any()
    assert not curve.third(np.array([0.0, 1.0])).any()


@pytest.mark.parametrize("count", [2, 3, 4, 5, 6, 9, 40])
def test_splines_through_few_and_many_points(count: int) -> None:
    angles = np.linspace(0.0, 1.0, count)
    curve = SplineCurve(angles, circle(angles))
    np.testing.assert_allclose(curve.at(angles)[0], circle(angles), atol=ROUNDING)
    check_derivatives(curve, 1e-6)
    assert curve.third(angles).shape == (count, 3)


def test_a_natural_spline_does_not_bend_at_its_ends() -> None:
    p = np.array([0.0, 1.0, 2.5])
    curve = SplineCurve(p, np.array([[0.0, 0], [1, 1], [0, 2]]), 3, natural=True)
    np.testing.assert_allclose(curve.at(p)[2][[0, -1]], 0.0, atol=ROUNDING)


def test_a_cut_curve_is_a_stretch_of_the_whole() -> None:
    whole = SplineCurve(np.linspace(0, 1, 9), circle(np.linspace(0, 1, 9)))
    cut = CutCurve(whole, 0.2, 0.7)
    assert cut.length == pytest.approx(0.5)
    p = np.array([0.0, 0.1, 0.5])
    for mine, its in zip(cut.at(p), whole.at(p + 0.2), strict=True):
        np.testing.assert_array_equal(mine, its)
    np.testing.assert_array_equal(cut.third(p), whole.third(p + 0.2))


def test_distances_and_ends() -> None:
    np.testing.assert_allclose(distances(np.array([[0.0, 0], [3, 4], [3, 5]])), [0, 5, 6])
    q, tangents = ends_of(StraightCurve(np.zeros(2), np.array([0.0, 2.0])))
    np.testing.assert_allclose(q, [[0, 0], [0, 2]])
    np.testing.assert_allclose(tangents, [[0, 1], [0, 1]])


# Traced ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [3.0, 0.3, 0.02, 2e-3, 1e-4])
def test_a_circle_is_traced(length: float) -> None:
    found = traced(circle, 0.5, 0.5 + length)
    assert found is not None
    curve = found.curve
    assert curve.length == pytest.approx(length, rel=1e-6)
    q, first, second = curve.at(np.linspace(0.0, curve.length, 101))
    np.testing.assert_allclose(np.hypot(q[:, 0], q[:, 1]), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1.0, atol=1e-6)
    noise = 1e-15 / length**2  # of rounding, in a polynomial through points so near to one another
    np.testing.assert_allclose(second, -q * [1, 1, 0], atol=1e-6 + 30 * noise)
    np.testing.assert_allclose(found.at(np.array([0.5, 0.5 + length])), q[[0, -1]], atol=1e-14)


def test_a_curve_that_rushes_is_traced_as_well_as_others() -> None:
    """One joint turns half round within a hundredth of the way, as next to a singular posture."""

    def rushing(x: Array) -> Array:
        return np.column_stack([x, np.arctan(x / 0.01), 0.3 * x**2])

    found = traced(rushing, -1.0, 1.0)
    assert found is not None
    x = np.linspace(-1.0, 1.0, 4001)
    np.testing.assert_allclose(found.at(x), rushing(x), atol=1e-10)
    slopes = np.linalg.norm(found.curve.at(np.linspace(0.0, found.curve.length, 4001))[1], axis=1)
    assert slopes.min() > 0.3
    assert slopes.max() <= 2.0 + 1e-6


def test_what_starts_from_rest_is_traced_over_the_distance() -> None:
    found = traced(lambda t: np.outer(t**2, [0.6, 0.8]), 0.0, 1.0)
    assert found is not None
    _, first, second = found.curve.at(np.linspace(0.0, found.curve.length, 101))
    np.testing.assert_allclose(first, [[0.6, 0.8]] * 101, atol=1e-9)
    np.testing.assert_allclose(second, 0.0, atol=1e-6)


def test_what_does_not_move_has_no_curve() -> None:
    assert traced(lambda t: np.ones((len(t), 2)), 0.0, 1.0) is None
    tiny = traced(lambda t: np.outer(t, [1e-7, 0.0]), 0.0, 1.0)
    assert tiny is not None
    assert tiny.curve.length == pytest.approx(1e-7)
