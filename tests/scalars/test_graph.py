"""The expression graph: what simplifies, what stays, and exact derivatives."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.scalars import (
    Graph,
    Node,
    cos,
    cos_sin,
    exact_cos_sin,
    program,
    quarter_turns,
    select,
    sign,
    sin,
    sqrt,
)
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import forward, jacobian, reverse

numbers = st.floats(-3, 3, allow_nan=False)


def operations(*outputs):
    """Names of the operations a program needs, leaves left out."""
    return [op[0] for op in program(outputs).operations if op[0] not in ("const", "input")]


@pytest.fixture
def xy():
    return Graph().inputs("x", 2)


def test_zeros_and_ones_disappear(xy):
    x, y = xy
    negative = -x
    assert operations(x + 0, x - 0.0, 1 * x, x * 1.0, x / 1, -negative) == []
    assert operations(x * 0 + y * 0.0) == []
    assert operations(0 - x) == ["neg"]


def test_the_same_operation_is_the_same_node(xy):
    x, y = xy
    assert (x + y).index == (y + x).index
    assert (x * y).index == (y * x).index
    assert operations(x - y, y - x) == ["sub", "neg"]


def test_signs_move_outwards(xy):
    x, y = xy
    assert operations((-x) * (-y)) == ["mul"]
    assert operations(-x + y) == ["sub"]
    assert operations((-3) * x, 3 * x) == ["mul", "neg"]
    assert operations(sin(-x), sin(x)) == ["sin", "neg"]
    assert (cos(-x)).index == cos(x).index


def test_like_terms_merge(xy):
    x, _ = xy
    assert operations(x + x) == ["mul"]
    assert operations(3 * x - 2 * x) == []
    assert operations(x - x) == []
    assert operations(2 * (3 * x)) == ["mul"]


def test_right_angles_are_exact(xy):
    x, _ = xy
    assert exact_cos_sin(math.pi / 2) == (0.0, 1.0)
    assert exact_cos_sin(-math.pi) == (-1.0, 0.0)
    assert quarter_turns(1.5707963) is None
    assert quarter_turns(math.inf) is None
    assert operations(*cos_sin(x, math.pi / 2)) == ["cos", "sin", "neg"]


def test_graphs_do_not_mix(xy):
    with pytest.raises(ValueError, match="two graphs"):
        _ = xy[0] + Graph().inputs("x", 1)[0]


def formula(x, y):
    """Every operation at once."""
    return select(x - y, sin(x) * y / (2 + cos(y)), sqrt(3 + x) - y * y) + sign(y) * x


@given(numbers, numbers)
def test_evaluation_equals_floats(a, b):
    x, y = Graph().inputs("x", 2)
    out = run_batch(program([formula(x, y)]), {"x": np.array([a, b])}, ())
    expected = formula(a, b) if a >= -3 else math.nan
    assert float(out) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@given(numbers.filter(lambda v: abs(v) > 1e-3), numbers.filter(lambda v: abs(v) > 1e-3))
def test_forward_and_reverse_agree_with_differences(a, b):
    x, y = Graph().inputs("x", 2)
    f = formula(x, y)
    rows = [jacobian([f], [x, y])[0], [forward([f], [(v, 1)])[0] for v in (x, y)], reverse([f], [1], [x, y])]
    values = run_batch(program([e for row in rows for e in row]), {"x": np.array([a, b])}, (3, 2))
    step = 1e-6
    if abs(a - b) < 1e-3 or a < -2.9:
        return  # differences across the jump of select say nothing
    numeric = [
        (formula(a + step, b) - formula(a - step, b)) / (2 * step),
        (formula(a, b + step) - formula(a, b - step)) / (2 * step),
    ]
    assert values[0] == pytest.approx(numeric, rel=1e-7, abs=1e-7)  # central differences, no better
    assert values[1] == pytest.approx(values[0], rel=1e-13, abs=1e-13)
    assert values[2] == pytest.approx(values[0], rel=1e-13, abs=1e-13)


def test_derivative_of_what_does_not_depend_is_zero(xy):
    x, y = xy
    assert jacobian([sin(x), 3.0], [y]) == [[0], [0]]


def test_constants_only():
    assert run_batch(program([1.5, 2]), {"x": np.zeros((4, 1))}, (2,)).tolist() == [[1.5, 2.0]] * 4
    node = Graph().constant(2.0)
    assert isinstance(node * 3, Node)
    assert operations(node * 3, sqrt(node), sin(node)) == []


def test_the_side_not_taken_leaves_no_trace_in_forward_derivatives():
    """The root of a negative number is no number, but nobody asked for it."""
    (x,) = Graph().inputs("x", 1)
    slope = program(forward([select(x, sqrt(x), 3 * x)], [(x, 1)]))
    assert run_batch(slope, {"x": np.array([[-1.0], [4.0]])}, ()).tolist() == [3.0, 0.25]
