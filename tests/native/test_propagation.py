"""What is watched, so that no row with something that is not finite slips through."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from armdyn.native.propagation import watched
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, program, select, sin

SIGNATURE = Signature((("x", 3),), ((1,),))


def test_one_result_stands_for_inputs_that_reach_all():
    x, y, z = Graph().inputs("x", 3)
    found = watched(program([x + y * z, sin(z) - y * x]), SIGNATURE)
    assert found.inputs == ()
    assert len(found.outputs) == 1


def test_what_does_not_reach_every_result_is_watched_itself():
    x, y, z = Graph().inputs("x", 3)
    assert watched(program([x + y, y]), SIGNATURE).inputs == (("x", 0), ("x", 2))
    assert watched(program([1.0]), SIGNATURE).inputs == (("x", 0), ("x", 1), ("x", 2))
    assert watched(program([x / y + z]), SIGNATURE).inputs == (("x", 1),)
    assert watched(program([select(x, y, z)]), SIGNATURE).inputs == (("x", 0), ("x", 1), ("x", 2))
    assert watched(program([select(x, y, y * y) + x]), SIGNATURE).inputs == (("x", 2),)


def test_results_of_divisions_are_all_watched():
    x, y, z = Graph().inputs("x", 3)
    found = watched(program([x / y, z, y / x]), SIGNATURE)
    assert len(found.outputs) == 3


OPERATIONS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "sin": lambda a, b: sin(a),
    "select": lambda a, b: select(a, b, 0.5),
}
STEP = st.tuples(st.sampled_from(list(OPERATIONS)), st.integers(0, 99), st.integers(0, 99))


@given(
    st.lists(STEP, min_size=1, max_size=25),
    st.lists(st.sampled_from([1.5, -0.5, 2.0, np.nan, np.inf, -np.inf]), min_size=3, max_size=3),
)
def test_no_bad_row_is_missed(steps, row):
    values = list(Graph().inputs("x", 3))
    for kind, a, b in steps:
        values.append(OPERATIONS[kind](values[a % len(values)], values[b % len(values)]))
    traced = program(values[-3:])
    look = watched(traced, SIGNATURE)
    shown = [*(("input", *element) for element in look.inputs)]
    out = np.empty((1, len(traced.operations)))
    every = type(traced)(traced.operations, tuple(range(len(traced.operations))))
    every.run({"x": np.array([row])}, out)
    seen = [row[k] for _, _, k in shown] + [out[0, position] for position in look.outputs]
    if not np.isfinite(row).all() or (traced.breaks and not np.isfinite(out[0, list(traced.outputs)]).all()):
        assert not np.isfinite(seen).all()
