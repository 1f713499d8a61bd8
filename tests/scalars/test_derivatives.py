"""Gradients cost what depends on their inputs, however long the rest of the graph is."""

from armdyn.scalars import Graph, Node, program, select, sin
from armdyn.scalars.derivatives import forward, jacobian, reverse
from armdyn.scalars.program import Program


def long_sine(x: Node) -> Node:
    """A chain of a hundred operations that never becomes simple."""
    for k in range(50):
        x = sin(x * (1.0 + 0.1 * k))
    return x


def with_a_long_factor() -> tuple[Node, Node]:
    """y, and y y times what does not depend on it."""
    graph = Graph()
    (x,), (y,) = graph.inputs("x", 1), graph.inputs("y", 1)
    return y, long_sine(x) * y * y


def test_reverse_leaves_out_what_does_not_depend_on_the_inputs() -> None:
    y, product = with_a_long_factor()
    before = len(y.graph.operations)
    reverse([product], [1], [y])
    assert len(y.graph.operations) - before < 10


def test_forward_too() -> None:
    y, product = with_a_long_factor()
    before = len(y.graph.operations)
    forward([product], [(y, 1)])
    assert len(y.graph.operations) - before < 10


def test_what_depends_is_found_again_after_the_graph_has_grown() -> None:
    x, y = Graph().inputs("x", 2)
    assert counts(jacobian([x * y], [x])[0]) == 0
    later = sin(x) * y
    assert counts(jacobian([later], [x])[0]) == 2  # cos x y


def counts(outputs: list[Node]) -> int:
    made: Program = program(outputs)
    return made.counts()["multiplications"] + made.counts()["trigonometric"]


def test_a_condition_alone_has_no_slope() -> None:
    """It only chooses."""
    x, y = Graph().inputs("x", 2)
    assert reverse([select(sin(x), y, 2 * y)], [1], [x]) == [0]
    (slope,) = forward([select(sin(x), y, 2 * y)], [(x, 1)])
    assert slope == 0


def test_outputs_that_are_inputs_or_numbers() -> None:
    x, y = Graph().inputs("x", 2)
    for rows in (jacobian([x, 3.0], [x, y]), jacobian([x, 3.0, x], [x, y])):
        values = [value(element) for row in rows for element in row]
        assert values[:4] == [1.0, 0.0, 0.0, 0.0]


def value(element: Node | int) -> float:
    found = element.graph.value(element.index) if isinstance(element, Node) else float(element)
    assert found is not None
    return found


def test_outputs_are_weighted() -> None:
    x, y = Graph().inputs("x", 2)
    (gradient,) = reverse([x, x * y], [2.0, y], [x])
    assert repr(program([gradient])) == repr(program([2.0 + y * y]))
