"""3x3 matrices under rotation beside NumPy's products, over every kind of scalar, and what they cost."""

from typing import Any

import numpy as np
import pytest

from armdyn.scalars import Tally
from armdyn.scalars.symbolic import symengine
from armdyn.spatial.rotation import about_z, from_rpy
from armdyn.spatial.symmetric import any_turned, any_turned_about_z, symmetric, turned, turned_about_z
from armdyn.spatial.vector import matrix

ROUNDING = 1e-14
"""Sums of nine products of numbers below one."""

ANY = matrix(np.random.default_rng(1).uniform(-1, 1, (3, 3)).tolist())
SYMMETRIC = symmetric(lambda i, j: ANY[i][j])
ANGLE = 0.7
TURN = (float(np.cos(ANGLE)), float(np.sin(ANGLE)))


def array(m: Any) -> np.ndarray:
    return np.array(m, dtype=float)


def sandwich(r: Any, m: Any) -> np.ndarray:
    return array(r) @ array(m) @ array(r).T


def test_of_elements_the_upper_triangle_is_asked_for():
    asked = []

    def element(i: int, j: int) -> float:
        asked.append((i, j))
        return ANY[i][j]  # pyright: ignore[reportReturnType]

    m = array(symmetric(element))
    assert (m == m.T).all()
    assert (np.triu(m) == np.triu(array(ANY))).all()
    assert sorted(asked) == [(i, j) for i in range(3) for j in range(i, 3)]


@pytest.mark.parametrize(("turn", "m"), [(turned, SYMMETRIC), (any_turned, SYMMETRIC), (any_turned, ANY)])
def test_turned_by_any_rotation(turn, m):
    r = from_rpy(0.3, -0.8, 1.9)
    assert array(turn(r, m)) == pytest.approx(sandwich(r, m), abs=ROUNDING)


ABOUT_Z = [(turned_about_z, SYMMETRIC), (any_turned_about_z, SYMMETRIC), (any_turned_about_z, ANY)]


@pytest.mark.parametrize(("turn", "m"), ABOUT_Z)
@pytest.mark.parametrize(("c", "s"), [TURN, (1, 0), (0, 1), (-1, 0), (0, -1), (1.0, 0.0)])
def test_turned_about_z(turn, m, c, s):
    """Right angles too, whose cosines and sines are whole numbers."""
    assert array(turn(c, s, m)) == pytest.approx(sandwich(about_z(c, s), m), abs=ROUNDING)


@pytest.mark.parametrize(("turn", "m"), ABOUT_Z)
def test_about_z_over_symbols(turn, m):
    angle = symengine.Symbol("a")
    found = turn(symengine.cos(angle), symengine.sin(angle), m)
    values = [[float(symengine.sympify(e).subs({angle: ANGLE})) for e in row] for row in found]
    assert array(values) == pytest.approx(sandwich(about_z(*TURN), m), abs=ROUNDING)


def products(turn: Any, m: Any) -> int:
    """Multiplications of a turn about z."""
    tally = Tally()
    c, s = (tally.number(x) for x in TURN)
    turn(c, s, matrix([tally.number(e) for e in row] for row in m))
    return tally.multiplications


def test_a_turn_about_z_shares_its_products():
    """4 in the upper block, 4 beside it, 4 below it if the matrix is not symmetric; none for no turn."""
    assert products(turned_about_z, SYMMETRIC) == 8
    assert products(any_turned_about_z, ANY) == 12
    tally = Tally()
    counted = matrix([tally.number(e) for e in row] for row in array(ANY).tolist())
    assert turned_about_z(1, 0, counted) is counted
    assert any_turned_about_z(1, 0, counted) is counted
    assert tally == Tally()
