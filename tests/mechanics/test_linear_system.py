"""H x = b beside NumPy's solution, over every kind of scalar; products with half a matrix."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics.linear_system import dot, solve, solve_unsymmetric, symmetric_times
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import symbols, symengine

# Relative, of matrices whose condition is below 1e4.
RELATIVE = 1e-11

sizes, seeds = st.integers(1, 7), st.integers(0, 10_000)


def system(n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite matrix, its diagonal raised, and a right side."""
    rng = np.random.default_rng(seed)
    root = rng.uniform(-1, 1, (n, n))
    return root @ root.T + 0.01 * np.eye(n), rng.uniform(-1, 1, n)


def close(ours: Any, reference: np.ndarray) -> None:
    scale = max(1.0, float(np.abs(reference).max()))
    assert np.array(ours, float) == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


# Products -------------------------------------------------------------------------------------


@given(sizes, seeds)
def test_products(n, seed):
    """Of the lower triangle alone, whatever stands above it, and of rows that end on the diagonal."""
    D, x = system(n, seed)
    close(dot(D[0].tolist(), x.tolist()), D[0] @ x)
    half = [row[: i + 1] for i, row in enumerate(D.tolist())]
    overwritten = (np.tril(D) + np.triu(np.full((n, n), np.nan), 1)).tolist()
    for lower in (half, D.tolist(), overwritten):
        close(symmetric_times(lower, x.tolist()), D @ x)


def test_a_product_reads_each_number_once():
    tally = Tally()
    D = [[tally.number(1.0) for _ in range(3)] for _ in range(3)]
    symmetric_times(D, [tally.number(1.0) for _ in range(3)])
    assert tally == Tally(multiplications=9, additions=6)
    assert symmetric_times([[0], [0, 0]], D[0][:2]) == [0, 0]  # a zero of the structure
    assert tally == Tally(multiplications=9, additions=6)


def test_products_must_fit():
    with pytest.raises(ValueError, match="zip"):
        dot([1.0], [1.0, 2.0])


# Solutions ------------------------------------------------------------------------------------


@given(sizes, seeds)
def test_solution_over_all_numbers(n, seed):
    H, b = system(n, seed)
    expected = np.linalg.solve(H, b)
    close(solve(H.tolist(), b.tolist()), expected)

    tally, graph = Tally(), Graph()
    counted = solve([[tally.number(e) for e in row] for row in H], [tally.number(e) for e in b])
    close([float(x) for x in counted], expected)
    assert tally.divisions == n

    flat = graph.inputs("H", n * n)
    traced = program(solve([flat[i * n : i * n + n] for i in range(n)], graph.inputs("b", n)))
    close(run_batch(traced, {"H": H.ravel(), "b": b}, (n,)), expected)


def test_arguments_stay_as_they_are():
    H, b = [[2.0, 1.0], [1.0, 3.0]], [1.0, 2.0]
    solve(H, b)
    assert (H, b) == ([[2.0, 1.0], [1.0, 3.0]], [1.0, 2.0])


def test_solution_over_symbols():
    """Of two unknowns, Cramer's."""
    a, c, d, u, v = (symengine.Symbol(name) for name in "acduv")
    x, y = solve([[a, c], [c, d]], [u, v])
    determinant = a * d - c * c
    values = {a: 2, c: symengine.Rational(1, 3), d: 5, u: 7, v: 11}
    for found, expected in ((x, (d * u - c * v) / determinant), (y, (a * v - c * u) / determinant)):
        assert found.subs(values) == expected.subs(values)
    one, zero, b = symengine.Integer(1), symengine.Integer(0), symbols("b", 2)
    assert solve([[one, zero], [zero, one]], b) == b
    singular = solve([[one, one], [one, one]], [symengine.Integer(1), symengine.Integer(2)])
    assert singular == [symengine.zoo, symengine.zoo]


def test_branches_cost_nothing_to_each_other():
    """H of two branches on one link: the zeros between them are structure, and none is filled."""
    tally = Tally()
    n = tally.number
    H = [[n(9.0), n(1.0), n(2.0)], [n(1.0), n(3.0), 0], [n(2.0), 0, n(4.0)]]
    x = solve(H, [n(1.0), n(2.0), n(3.0)])
    assert H[1][2] == 0
    expected = np.linalg.solve([[9, 1, 2], [1, 3, 0], [2, 0, 4]], [1, 2, 3])
    assert [float(e) for e in x] == pytest.approx(expected)
    assert tally == Tally(multiplications=11, additions=6, divisions=3)


@pytest.mark.parametrize("H", [[[0.0]], [[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_a_singular_system_has_no_finite_solution(H):
    """It says so by infinities and NaN: one singular state must not stop a batch of others."""
    b = [1.0] * len(H)
    assert not all(math.isfinite(x) for x in solve(H, b))
    tally = Tally()
    counted = solve([[tally.number(e) for e in row] for row in H], [tally.number(e) for e in b])
    assert not all(math.isfinite(float(x)) for x in counted)


def test_a_singular_state_of_a_batch_spoils_its_own_row_only():
    graph = Graph()
    a, c, d = graph.inputs("H", 3)
    traced = program(solve([[a, c], [c, d]], graph.inputs("b", 2)))
    states = np.array([[2.0, 1.0, 3.0], [1.0, 1.0, 1.0], [4.0, 0.0, 5.0]])
    with np.errstate(all="ignore"):
        found = run_batch(traced, {"H": states, "b": np.array([1.0, 2.0])}, (2,))
    assert not np.isfinite(found[1]).all()
    for k in (0, 2):
        p, r, s = states[k]
        assert found[k] == pytest.approx(np.linalg.solve([[p, r], [r, s]], [1.0, 2.0]))


# Unsymmetric ----------------------------------------------------------------------------------


@given(sizes, seeds)
def test_unsymmetric_systems_near_a_mass_matrix(n, seed):
    """Rows scaled apart, as friction under load does."""
    H, b = system(n, seed)
    A = np.random.default_rng(seed).uniform(0.2, 2.0, (n, 1)) * H
    close(solve_unsymmetric(A.tolist(), b.tolist()), np.linalg.solve(A, b))


def test_a_zero_pivot_gives_no_number():
    assert not np.isfinite(solve_unsymmetric([[1.0, 2.0], [3.0, 0.0]], [1.0, 1.0])).all()
