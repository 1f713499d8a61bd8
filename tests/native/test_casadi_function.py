"""Programs in CasADi's scalars: every operation, matrices row by row, sides of `select` not taken."""

import math
import sys

import casadi
import numpy as np
import pytest

from armdyn.errors import MissingDataError
from armdyn.native.casadi_function import casadi_function, imported_casadi, matrix_shape
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, cos, program, select, sin, sqrt


def test_every_operation_is_the_one_of_the_program() -> None:
    x, y, z = Graph().inputs("x", 3)
    kinds = [x + y, x - y, x * y, x / y, -x, sin(x), cos(x), sqrt(y), select(z, x, y), 3.5]
    traced = program(kinds)
    function = casadi_function("all_kinds", traced, Signature((("x", 3),), ((len(kinds),),)), ["r"])
    states = np.array([[0.3, 1.7, 2.0], [-0.4, 0.2, -1.0], [1.1, 5.0, 0.0], [0.5, 0.5, math.nan]])
    expected = np.empty((len(states), len(kinds)))
    traced.run({"x": states}, expected)
    found = np.array([np.array(function(state)).ravel() for state in states])
    assert np.array_equal(found, expected)


def test_results_are_matrices_row_by_row() -> None:
    x = Graph().inputs("x", 6)
    signature = Signature((("x", 6),), ((2, 3), (6,), (), (1, 2, 3), (0, 4)))
    function = casadi_function("shapes", program([*x, *x, x[4], *x]), signature, list("abcde"))
    a, b, c, d, e = function(range(6))
    assert np.array_equal(np.array(a), [[0, 1, 2], [3, 4, 5]])
    assert np.array_equal(np.array(b), [[0], [1], [2], [3], [4], [5]])
    assert float(c) == 4
    assert np.array_equal(np.array(d), [[0, 1, 2, 3, 4, 5]])
    assert e.shape == (0, 4)
    assert [matrix_shape(shape) for shape in signature.results] == [(2, 3), (6, 1), (1, 1), (1, 6), (0, 4)]


def test_a_side_that_is_not_taken_does_not_matter() -> None:
    (x,) = Graph().inputs("x", 1)
    chosen = select(x, x * x, math.inf)
    function = casadi_function("chosen", program([chosen]), Signature((("x", 1),), ((),)), ["y"])
    assert (float(function(3)), float(function(-1)), float(function(0))) == (9, math.inf, math.inf)
    slope = function.factory("slope", ["x"], ["jac:y:x"])
    assert float(slope(3)) == 6


def test_it_works_in_graphs_of_matrices() -> None:
    (x,) = Graph().inputs("x", 1)
    inner = casadi_function("inner", program([select(x, x, -x)]), Signature((("x", 1),), ((),)), ["y"])
    v = casadi.MX.sym("v")
    outer = casadi.Function("outer", [v], [inner(v) + 1, casadi.jacobian(inner(v), v)])
    assert [float(y) for y in outer(-2)] == [3, -1]


def test_a_missing_casadi_is_one_sentence_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "casadi", None)
    with pytest.raises(MissingDataError, match=r"pip install 'armdyn\[casadi\]'"):
        imported_casadi()
