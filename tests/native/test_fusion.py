"""Products that join sums."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.native.fusion import fused
from armdyn.scalars import Graph, Program, program


def kinds(made: Program) -> list[str]:
    return [operation[0] for operation in made.operations if operation[0] not in ("input", "const")]


def test_a_product_joins_the_sum_that_needs_it():
    x, y, z = Graph().inputs("x", 3)
    assert kinds(fused(program([x * y + z]))) == ["fma"]
    assert kinds(fused(program([x * y - z]))) == ["fms"]
    x, y, z = Graph().inputs("x", 3)  # in the graph above this is a difference already known, negated
    assert kinds(fused(program([z - x * y]))) == ["fnma"]


def test_a_sum_takes_one_of_two_products():
    x, y, z = Graph().inputs("x", 3)
    assert kinds(fused(program([x * y + y * z]))) == ["mul", "fma"]


def test_a_product_that_several_sums_need_joins_all_or_none():
    x, y, z = Graph().inputs("x", 3)
    assert kinds(fused(program([x * y + z, x * y - z]))) == ["fma", "fms"]
    kept = kinds(fused(program([x * y + z, x * y])))
    assert kept == ["mul", "add"]


@given(
    st.lists(
        st.tuples(st.sampled_from("+-*"), st.integers(0, 99), st.integers(0, 99)), min_size=1, max_size=40
    )
)
def test_fusing_changes_rounding_only(steps):
    values = list(Graph().inputs("x", 3))
    for kind, a, b in steps:
        left, right = values[a % len(values)], values[b % len(values)]
        values.append({"+": left + right, "-": left - right, "*": left * right}[kind])
    plain = program(values[-4:])
    joined = fused(plain)
    inputs = {"x": np.array([[3.0, -2.0, 5.0], [1.0, 4.0, -1.0]])}  # small whole numbers: no rounding at all
    expected, found = np.empty((2, len(plain.outputs))), np.empty((2, len(plain.outputs)))
    plain.run(inputs, expected)
    run_fused(joined, inputs, found)
    finite = np.abs(expected) < 2.0**50
    assert np.array_equal(found[finite], expected[finite])
    assert len(kinds(joined)) <= len(kinds(plain))


def run_fused(joined: Program, inputs: dict[str, np.ndarray], out: np.ndarray) -> None:
    """Evaluate with each fused operation taken apart again."""
    apart: list[tuple] = []
    position: dict[int, int] = {}
    for index, (kind, *arguments) in enumerate(joined.operations):
        if kind in ("fma", "fms", "fnma"):
            a, b, c = (position[k] for k in arguments)
            apart.append(("mul", a, b))
            product = len(apart) - 1
            last = {"fma": ("add", product, c), "fms": ("sub", product, c), "fnma": ("sub", c, product)}
            apart.append(last[kind])
        elif kind in ("input", "const"):
            apart.append((kind, *arguments))
        else:
            apart.append((kind, *(position[k] for k in arguments)))
        position[index] = len(apart) - 1
    Program(tuple(apart), tuple(position[k] for k in joined.outputs)).run(inputs, out)


def test_what_is_an_output_stays():
    x, y, z = Graph().inputs("x", 3)
    made = fused(program([x * y, z]))
    assert kinds(made) == ["mul"]
    assert [made.operations[k][0] for k in made.outputs] == ["mul", "input"]
