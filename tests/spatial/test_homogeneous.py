"""4x4 matrices beside NumPy's: placements, their derivatives, pseudo-inertias."""

from typing import Any

import numpy as np
import pytest

from armdyn.scalars import Tally
from armdyn.scalars.symbolic import symbols, symengine
from armdyn.spatial import Inertia, Moments, Transform
from armdyn.spatial.homogeneous import (
    NOTHING,
    UNIT,
    block,
    column,
    homogeneous,
    multiplied,
    pseudo_inertia,
    scaled,
    summed,
    trace,
    transposed,
)
from armdyn.spatial.rotation import about_z, from_rpy
from armdyn.spatial.vector import ZERO, diagonal

ROUNDING = 1e-14
"""Sums of four products of numbers of order one."""


def array(m: Any) -> np.ndarray:
    return np.array(m, dtype=float)


def random(seed: int) -> Any:
    return tuple(tuple(row) for row in np.random.default_rng(seed).uniform(-1, 1, (4, 4)).tolist())


A, B = random(1), random(2)


def test_algebra_is_that_of_matrices():
    assert array(multiplied(A, B)) == pytest.approx(array(A) @ array(B), abs=ROUNDING)
    assert array(transposed(A)) == pytest.approx(array(A).T)
    assert trace(A, B) == pytest.approx(np.trace(array(A) @ array(B).T), abs=ROUNDING)
    assert array(scaled(2.5, A)) == pytest.approx(2.5 * array(A))
    assert array(summed(A, B)) == pytest.approx(array(A) + array(B))
    assert multiplied(A, UNIT) == A == multiplied(UNIT, A)
    assert summed(A, NOTHING) == A


def test_placements_compose_as_transforms_do():
    """[[R, p], [0, 1]]: block and column give the parts back."""
    one, other = (
        Transform(from_rpy(0.1, 0.2, 0.3), (1.0, 2.0, 3.0)),
        Transform(from_rpy(-0.4, 0.5, 0.6), (0.4, 0.5, 0.6)),
    )
    both = multiplied(*(homogeneous(T.rotation, T.translation, 1) for T in (one, other)))
    expected = one @ other
    assert array(block(both)) == pytest.approx(array(expected.rotation), abs=ROUNDING)
    assert array(column(both)) == pytest.approx(array(expected.translation), abs=ROUNDING)
    assert both[3] == (0, 0, 0, 1)


def test_a_derivative_has_no_corner():
    """d/da of a turn and a shift along with it, beside symengine's derivative of the placement."""
    (a,) = symbols("a", 1)
    c, s = symengine.cos(a), symengine.sin(a)
    T = homogeneous(about_z(c, s), (a, 0, 2 * a), 1)
    slope = homogeneous(((-s, -c, 0), (c, -s, 0), ZERO), (1, 0, 2), 0)
    for row, derived in zip(T, slope, strict=True):
        assert all(symengine.sympify(x).diff(a) == y for x, y in zip(row, derived, strict=True))


def test_pseudo_inertia_is_that_of_the_body():
    """[[S, h], [h^T, m]], and the energy of a turn 1/2 Trace(U J U^T) = 1/2 Izz."""
    body = Inertia(2.0, (0.1, -0.2, 0.3), diagonal(0.3, 0.4, 0.5))
    J = pseudo_inertia(Moments.of(body))
    assert array(J) == pytest.approx(array(body.pseudo))
    assert (array(J) == array(J).T).all()
    U = homogeneous(((0, -1, 0), (1, 0, 0), ZERO), ZERO, 0)
    assert trace(multiplied(U, J), U) == pytest.approx(body.tensor_about_origin[2][2], abs=ROUNDING)


def test_structure_costs_nothing():
    """The zeros and the one of a placement: 9 + 3 products of 3 each, and sums of as many."""
    tally = Tally()
    R, p = [[tally.number(0.5) for _ in range(3)] for _ in range(3)], [tally.number(0.5) for _ in range(3)]
    T = homogeneous(R, p, 1)  # pyright: ignore[reportArgumentType]
    multiplied(T, T)
    assert tally == Tally(multiplications=36, additions=27)
    multiplied(T, UNIT)
    assert tally == Tally(multiplications=36, additions=27)
