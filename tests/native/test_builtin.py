"""Single calls: the compiled builtin, and the checks that decide whether it may be used."""

import gc
import os
import subprocess
import sys
import threading
import weakref
from typing import Any

import numpy as np
import pytest

from armdyn.native import entry, interpreter
from armdyn.native.kernel import Kernel
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, program, sin

pytestmark = pytest.mark.skipif(interpreter.layout() is None, reason="this Python is not one for builtins")


def single(kernel: Kernel, otherwise: Any) -> Any:
    kernel.run({name: np.ones((1, size)) for name, size in kernel.signature.inputs}, *one_row(kernel))
    assert kernel.has_builtin(one_state=True)
    return kernel.builtin("call", "A docstring.", otherwise, one_state=True)


def one_row(kernel: Kernel) -> list[np.ndarray]:
    return [np.empty((1, size)) for size in kernel.signature.sizes]


class Otherwise:
    """Notes the calls that the builtin leaves to it."""

    def __init__(self):
        self.calls = []

    def __call__(self, *args, **options):
        self.calls.append((args, options))
        return "otherwise"


@pytest.fixture(scope="module")
def kernel():
    graph = Graph()
    (a, b), (c,) = graph.inputs("x", 2), graph.inputs("y", 1)
    traced = program([a * b + c, sin(a), c / b])
    return Kernel(Signature((("x", 2), ("y", 1)), ((3,),)), lambda: traced)


@pytest.fixture
def otherwise():
    return Otherwise()


@pytest.fixture
def call(kernel, otherwise):
    return single(kernel, otherwise)


X, Y = np.array([2.0, 3.0]), np.array([5.0])


def test_exact_arrays_never_reach_python(call, otherwise):
    found = call(X, Y)
    assert type(found) is np.ndarray
    assert found == pytest.approx([11.0, np.sin(2.0), 5.0 / 3.0], rel=1e-15)
    assert found.flags.owndata
    assert found.flags.writeable
    assert otherwise.calls == []
    assert call.__name__ == "call"
    assert call.__doc__ == "A docstring."


class Subclass(np.ndarray):
    pass


ODD = {
    "list": ([2.0, 3.0], Y),
    "none": (None, Y),
    "number": (X, 5.0),
    "float32": (X.astype(np.float32), Y),
    "integers": (X.astype(np.int64), Y),
    "swapped": (X.astype(">f8"), Y),
    "subclass": (X.view(Subclass), Y),
    "masked": (np.ma.masked_array(X), Y),
    "every other": (np.arange(4.0)[::2], Y),
    "backwards": (X[::-1], Y),
    "too long": (np.arange(3.0), Y),
    "too short": (np.arange(1.0), Y),
    "empty": (np.arange(0.0), Y),
    "zero dimensions": (np.array(1.0), Y),
    "two dimensions": (X[None], Y[None]),
    "unequal dimensions": (X[None], Y),
    "objects": (X.astype(object), Y),
    "records": (np.zeros(2, dtype=[("a", "f8")]), Y),
    "not a number": (np.array([np.nan, 1.0]), Y),
    "infinite": (X, np.array([np.inf])),
    "divided by zero": (np.array([1.0, 0.0]), Y),
}


@pytest.mark.parametrize("name", ODD)
def test_everything_else_goes_to_python(call, otherwise, name):
    arguments = ODD[name]
    assert call(*arguments) == "otherwise"
    ((args, options),) = otherwise.calls
    assert all(a is b for a, b in zip(args, arguments, strict=True))
    assert options == {}


def test_unaligned_arrays_go_to_python(call, otherwise):
    raw = np.zeros(17, dtype=np.uint8)[1:].view(np.float64)
    assert call(raw, Y) == "otherwise"


def test_wrong_numbers_of_arguments_and_keywords_go_to_python(call, otherwise):
    for args in ((), (X,), (X, Y, Y)):
        assert call(*args) == "otherwise"
    assert call(X, Y, out=None) == "otherwise"
    assert call(X, y=Y) == "otherwise"
    assert [(len(args), options) for args, options in otherwise.calls[-2:]] == [
        (2, {"out": None}),
        (1, {"y": Y}),
    ]


def test_an_error_of_python_comes_through(kernel):
    def refuse(*_args, **_options):
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        single(kernel, refuse)(X)


def test_read_only_and_contiguous_views_are_fine(call, otherwise):
    read_only = X.copy()
    read_only.flags.writeable = False
    table = np.array([[0.0, 1.0], [2.0, 3.0]])
    assert call(read_only, Y).tolist() == call(table[1], Y).tolist() == call(X, Y).tolist()
    assert otherwise.calls == []


# Small batches --------------------------------------------------------------------------------


def test_small_batches_never_reach_python(kernel, otherwise):
    call = single(kernel, otherwise)
    x, y = np.random.default_rng(0).uniform(1, 2, (100, 2)), np.ones((100, 1))
    out = np.empty((100, 3))
    kernel.run({"x": x, "y": y}, out)
    assert np.array_equal(call(x, y), out)
    assert otherwise.calls == []
    assert np.array_equal(call(x[0], y[0]), out[0])
    for odd in ((x[:, :1], y), (x, y[:50]), (x[:2], y[:2]), (x[::2], y[::2]), (x, y[0])):
        assert call(*odd) == "otherwise"
    large = np.ones((entry.SMALL + 1, 2))
    assert call(large, large[:, :1].copy()) == "otherwise"
    x[50, 1] = np.nan
    assert call(x, y) == "otherwise"


def test_code_for_batches_alone_makes_a_builtin_too(otherwise):
    x, y = Graph().inputs("x", 2)
    traced = program([x * y])
    kernel = Kernel(Signature((("x", 2),), ((1,),)), lambda: traced)
    rows = np.ones((20, 2))
    kernel.run({"x": rows}, np.empty((20, 1)))
    assert kernel.has_builtin(one_state=False)
    assert not kernel.has_builtin(one_state=True)
    call = kernel.builtin("call", "", otherwise, one_state=False)
    assert call(rows).tolist() == [[1.0]] * 20
    assert otherwise.calls == []
    assert call(X) == "otherwise"


# An array to fill -----------------------------------------------------------------------------


def test_out_is_filled_without_python(kernel, call, otherwise):
    out = np.zeros(3)
    before = sys.getrefcount(out)
    assert call(X, Y, out=out) is out
    assert np.array_equal(out, call(X, Y))
    x, y = np.random.default_rng(0).uniform(1, 2, (100, 2)), np.ones((100, 1))
    rows = np.empty((100, 3))
    kernel.run({"x": x, "y": y}, rows)
    filled = np.zeros((100, 3))
    assert call(x, y, out=filled) is filled
    assert np.array_equal(filled, rows)
    assert otherwise.calls == []
    assert sys.getrefcount(out) == before


def test_any_other_out_goes_to_python(call, otherwise):
    memory = np.zeros(6)
    read_only = np.zeros(3)
    read_only.flags.writeable = False
    odd = [
        None,
        [0.0] * 3,
        np.zeros(4),
        np.zeros((1, 3)),
        np.zeros(3, np.float32),
        np.zeros(6)[::2],
        read_only,
    ]
    for out in odd:
        assert call(X, Y, out=out) == "otherwise"
    for x, out in ((memory[:2], memory[:3]), (memory[2:4], memory[:3]), (memory[:2], memory[1:4])):
        assert call(x, Y, out=out) == "otherwise"
    assert call(X, Y, out=np.zeros(3), threads=2) == "otherwise"
    assert call(X, Y, result=np.zeros(3)) == "otherwise"
    out = None
    otherwise.calls.clear()
    before = sys.getrefcount(memory)
    assert call(np.array([np.nan, 1.0]), Y, out=memory[:3]) == "otherwise"
    otherwise.calls.clear()
    assert sys.getrefcount(memory) == before
    apart = np.array([2.0, 3.0, 0.0, 0.0, 0.0])
    assert np.array_equal(call(apart[:2], Y, out=apart[2:]), call(X, Y))


# Several results ------------------------------------------------------------------------------


def test_several_results_come_as_a_tuple(otherwise):
    x, y = Graph().inputs("x", 2)
    traced = program([x, y, x + y, x * y, x - y])
    kernel = Kernel(Signature((("x", 2),), ((2, 2), ())), lambda: traced)
    matrix, number = single(kernel, otherwise)(X)
    assert matrix.tolist() == [[2.0, 3.0], [5.0, 6.0]]
    assert number.shape == ()
    assert float(number) == -1.0


# Lifetime -------------------------------------------------------------------------------------


def test_nothing_leaks_and_nothing_is_freed_too_early(call, otherwise):
    bad = np.array([np.nan, 1.0])
    dtype = np.dtype(np.float64)
    for argument in (X, bad, [1.0, 2.0]):
        before = [sys.getrefcount(thing) for thing in (argument, Y, dtype, otherwise)]
        for _ in range(1000):
            call(argument, Y)
        otherwise.calls.clear()
        assert [sys.getrefcount(thing) for thing in (argument, Y, dtype, otherwise)] == before
    kept = [call(X, Y) for _ in range(1000)]
    assert {sys.getrefcount(one) for one in kept} == {3}  # the list, the loop's variable, the argument
    assert len({one.ctypes.data for one in kept}) == 1000


def test_the_builtin_keeps_its_code_alive(otherwise):
    x, y = Graph().inputs("x", 2)
    traced = program([x * y])
    kernel = Kernel(Signature((("x", 2),), ((1,),)), lambda: traced)
    rows = np.ones((20, 2))
    kernel.run({"x": rows}, np.empty((20, 1)))
    call, gone = single(kernel, otherwise), weakref.ref(kernel)
    del kernel
    gc.collect()
    assert call(X).tolist() == [6.0]
    assert call(rows).tolist() == [[1.0]] * 20
    del call
    gc.collect()
    assert gone() is None


GRAPHS = """
import gc, random
import numpy as np, armdyn as ad

class Box:
    pass

arm, q = ad.load("planar2"), np.zeros(2)
for seed in range(60):
    rng = random.Random(seed)
    boxes = [Box() for _ in range(8)]
    for box in boxes:
        if rng.random() < 0.5:
            box.dyn = ad.Dynamics(arm)
            box.dyn.gravity(q)
            box.call = box.dyn.gravity
        box.other = rng.choice(boxes)
    del boxes, box
    gc.collect()
"""


def test_the_collector_may_clear_cycles_in_any_order():
    """Freed memory is overwritten, so that a look at it would be the last."""
    settings = {**os.environ, "PYTHONMALLOC": "malloc", "MALLOC_PERTURB_": "255", "ARMDYN_NATIVE": "1"}
    subprocess.run([sys.executable, "-c", GRAPHS], env=settings, check=True)


def test_threads_may_call_at_once(call):
    expected = call(X, Y).tolist()
    found: list[bool] = []

    def work() -> None:
        found.extend([call(X, Y).tolist() == expected for _ in range(5000)])

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [True] * 20000


# The guard ------------------------------------------------------------------------------------


@pytest.fixture
def fresh_layout():
    interpreter.layout.cache_clear()
    yield
    interpreter.layout.cache_clear()


@pytest.mark.parametrize("field", interpreter.FIELDS)
def test_another_array_layout_is_noticed(monkeypatch, fresh_layout, field):
    assert interpreter.layout() is not None
    interpreter.layout.cache_clear()
    monkeypatch.setitem(interpreter.FIELDS, field, interpreter.FIELDS[field] + 8)
    assert interpreter.layout() is None


def test_another_numpy_table_is_noticed(monkeypatch, fresh_layout):
    monkeypatch.setitem(interpreter.NUMPY_FUNCTIONS, "PyArray_Type", 3)
    assert interpreter.layout() is None
    interpreter.layout.cache_clear()
    monkeypatch.setattr(interpreter, "_numpy_table", lambda: None)
    assert interpreter.layout() is None


def test_another_python_is_noticed(monkeypatch, fresh_layout):
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    assert interpreter.layout() is None
    monkeypatch.undo()
    interpreter.layout.cache_clear()
    monkeypatch.setattr(sys, "getobjects", list, raising=False)
    assert interpreter.layout() is None


def test_without_a_known_layout_there_is_no_builtin(monkeypatch, fresh_layout, otherwise):
    monkeypatch.setattr(interpreter, "_numpy_table", lambda: None)
    x, y = Graph().inputs("x", 2)
    traced = program([x - y])
    kernel = Kernel(Signature((("x", 2),), ((1,),)), lambda: traced)
    out = np.empty((1, 1))
    kernel.run({"x": X[None]}, out)
    assert not kernel.has_builtin(one_state=True)
    assert out.tolist() == [[-1.0]]
