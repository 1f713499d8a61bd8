"""Factoring keeps values and never adds an operation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.scalars import Graph, program
from armdyn.scalars.factoring import factored
from armdyn.scalars.graph import Node


def operations(p):
    counts = p.counts()
    return counts["multiplications"] + counts["additions"] + counts["divisions"]


def run(p, x):
    out = np.empty((len(x), len(p.outputs)))
    p.run({"x": x}, out)
    return out


@pytest.mark.parametrize(
    ("equations", "multiplications", "additions"),
    [
        (lambda a, b, c, d: [a * b + a * c], 1, 1),
        (lambda a, b, c, d: [a * b - a * c + d], 1, 2),
        (lambda a, b, c, d: [a * b + (c + a * d)], 1, 2),
        (lambda a, b, c, d: [a + b + c, a + d + b], 0, 3),
        (lambda a, b, c, d: [a - b + c, d + b - a], 0, 3),
        (lambda a, b, c, d: [-(a * b) - a * c], 1, 1),
        (lambda a, b, c, d: [a * b + a * c, a * b], 2, 1),  # a b is there already
        (lambda a, b, c, d: [a * b + c * d], 2, 1),
    ],
)
def test_small_sums(equations, multiplications, additions):
    p = factored(program(equations(*Graph().inputs("x", 4))))
    counts = p.counts()
    assert (counts["multiplications"], counts["additions"]) == (multiplications, additions)


@st.composite
def programs(draw):
    """Random polynomials: sums and products of whatever was there before."""
    graph = Graph()
    nodes = list(graph.inputs("x", 5))
    for kind in draw(st.lists(st.sampled_from(["add", "sub", "mul", "neg", "scale", "sin"]), max_size=60)):
        a, b = (nodes[draw(st.integers(0, len(nodes) - 1))] for _ in range(2))
        match kind:
            case "add":
                node = a + b
            case "sub":
                node = a - b
            case "mul":
                node = a * b
            case "neg":
                node = -a
            case "scale":
                node = 0.5 * a
            case _:
                node = Node(graph, graph.sin(a.index))
        nodes.append(node)
    return program(nodes[-6:])


@given(programs())
def test_values_stay_and_operations_do_not_grow(p):
    x = np.random.default_rng(3).uniform(-1, 1, (7, 5))
    light = factored(p)
    reference = run(p, x)
    scale = 1 + np.abs(reference)
    assert np.all(np.abs(run(light, x) - reference) <= 1e-9 * scale**2)
    assert operations(light) <= operations(p)


def test_a_term_that_stands_twice_in_a_sum():
    a, b, c, d = Graph().inputs("x", 4)
    p = factored(program([(a + b) + (a + c), a + b + d]))
    assert run(p, np.array([[1.0, 10.0, 100.0, 1000.0]])).tolist() == [[112.0, 1011.0]]


def test_outputs_that_are_inputs_or_constants():
    graph = Graph()
    (a,) = graph.inputs("x", 1)
    p = factored(program([a, 2.0, a, -a]))
    assert run(p, np.array([[3.0]])).tolist() == [[3.0, 2.0, 3.0, -3.0]]
