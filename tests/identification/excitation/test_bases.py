"""The functions that excitations are made of."""

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.identification.excitation.bases import Fourier, Polynomials
from armdyn.identification.excitation.course import Course

BASES = [Fourier(10.0), Fourier(3.0, 2), Polynomials(10.0), Polynomials(4.0, 1), Polynomials(2.5, 7)]
DIFFERENCE = 1e-5
NUMERICAL = 2e-8
"""Of central differences over 1e-5 s, in parts of the largest value: their error is of its square."""


@pytest.mark.parametrize("basis", BASES, ids=repr)
def test_everything_rests_at_both_ends(basis):
    _, speed, acceleration = basis.at(np.array([0.0, basis.duration]))
    near = basis.at(np.array([1e-9, basis.duration - 1e-9]))
    assert not speed.any()
    assert not acceleration.any()
    scale = np.abs(basis.at(np.linspace(0, basis.duration, 100))).max(axis=(1, 2))
    assert np.abs(near[1]).max() < 1e-6 * scale[1]  # not only to the letter
    assert np.abs(near[2]).max() < 1e-6 * scale[2]


@pytest.mark.parametrize("basis", BASES, ids=repr)
def test_derivatives_are_derivatives(basis):
    time = np.linspace(0.05, basis.duration - 0.05, 40)
    before, here, after = (basis.at(time + step) for step in (-DIFFERENCE, 0.0, DIFFERENCE))
    for k in (0, 1):
        slope = (after[k] - before[k]) / (2 * DIFFERENCE)
        assert np.abs(slope - here[k + 1]).max() < NUMERICAL * np.abs(here[k + 1]).max()


@pytest.mark.parametrize("basis", BASES, ids=repr)
def test_constants_are_among_them_and_no_function_is_one_of_the_others(basis):
    phi = basis.at(np.linspace(0.0, basis.duration, 200))
    assert phi.shape == (3, 200, basis.size)
    assert phi[0] @ basis.one == pytest.approx(np.ones(200))
    assert np.linalg.matrix_rank(phi[0]) == basis.size


def test_a_series_is_the_one_that_is_written():
    basis, rng = Fourier(7.0, 4), np.random.default_rng(1)
    coefficients = rng.normal(size=(basis.size, 3))
    form, w = basis.series(coefficients), 2 * np.pi / 7
    a, b, t = form["a"], form["b"], np.linspace(0.1, 6.9, 30)
    assert a.sum(axis=0) == pytest.approx(0, abs=1e-14)
    assert np.arange(1, 5) @ b == pytest.approx(0, abs=1e-14)
    q = form["q0"] + sum(
        np.outer(np.sin(w * l * t), a[l - 1] / (w * l)) - np.outer(np.cos(w * l * t), b[l - 1] / (w * l))
        for l in range(1, 5)  # noqa: E741  as it is written
    )
    assert Course(basis, coefficients).at(t)[0] == pytest.approx(q)


def test_polynomials_are_of_degree_five_between_their_knots():
    basis = Polynomials(3.0, 3)
    inside = basis.at(np.linspace(1.01, 1.99, 12))[0]
    assert np.abs(np.diff(inside, 6, axis=0)).max() < 1e-12
    assert np.abs(np.diff(inside, 5, axis=0)).max() > 1e-6


def test_a_motion_shrinks_towards_a_posture():
    course = Course(Polynomials(2.0, 4), np.random.default_rng(0).normal(size=(5, 2)))
    time, posture = course.grid(10), np.array([0.3, -1.0])
    assert course.shrunk(0.5, posture).at(time)[0] == pytest.approx(0.5 * (course.at(time)[0] + posture))
    assert course.shrunk(0.5, posture).at(time)[2] == pytest.approx(0.5 * course.at(time)[2])


@pytest.mark.parametrize("duration", [0.0, -1.0, float("nan"), float("inf"), 1e9])
def test_a_time_in_which_nothing_can_be_done_is_refused(duration):
    for basis in (Fourier, Polynomials):
        with pytest.raises(InputError, match=r"^duration is .* s, expected 0.01 s to"):
            basis(duration)


def test_too_few_functions_are_refused():
    with pytest.raises(InputError, match="1 harmonics, expected 2 to 1000"):
        Fourier(10.0, 1)
    with pytest.raises(InputError, match="0 pieces, expected 1 to 1000"):
        Polynomials(10.0, 0)
