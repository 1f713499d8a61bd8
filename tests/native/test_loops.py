"""Machine code written as expressions, variables and loops, against NumPy."""

from itertools import count

import numpy as np
import pytest

from armdyn.native import cache, routine
from armdyn.native.loops import Code, Module, Variable
from armdyn.native.processor import Processor, host
from armdyn.native.values import (
    NOTHING,
    POINTER,
    WHOLE,
    any_of,
    as_double,
    as_whole,
    choose,
    counted,
    everywhere,
    is_nan,
    larger,
    least_of,
    smaller,
)

WIDTHS = [width for width in (2, 4, 8) if width <= host().width]
_names = count()


def compiled(write, width=WIDTHS[-1]):
    """A function of a whole number and two arrays; `write` writes its body and returns what it gives back."""
    name = f"trial{next(_names)}"

    def ir(width):
        made = Module(width)
        code = made.function(name, WHOLE, [WHOLE, POINTER, POINTER], internal=False)
        code.end(write(code, *code.arguments))
        return made.text()

    processor = Processor(host().name, host().features, width, host().fused)
    return routine.routine(name, ir, (int, np.ndarray, np.ndarray), processor)


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ARMDYN_CACHE", str(tmp_path))


@pytest.mark.parametrize("width", WIDTHS)
def test_the_least_of_a_vector_and_its_place(width):
    """Where LLVM 22 once compared the wrong lanes, see `least_of`."""

    def body(code: Code, n, a, out):
        least, place = least_of(code.load_vector(a), counted(n, width))
        code.store(least, out)
        return place

    find = compiled(body, width)
    rng = np.random.default_rng(0)
    for _ in range(200):
        values, out = rng.normal(size=width), np.zeros(1)
        assert find(100, values, out) == 100 + np.argmin(values)
        assert out[0] == values.min()


@pytest.mark.parametrize("width", WIDTHS)
def test_arithmetic_rounds_as_numpy_does(width):
    def body(code: Code, n, a, out):
        x, y = code.load_vector(a), code.load_vector(a, n)
        results = (x * y + 0.1, (x - y) / 3.0, -abs(x) * code.load(a), smaller(x, y), larger(x, 0.25))
        for k, result in enumerate(results):
            code.store(result, out, k * width)
        return n

    values, out = np.random.default_rng(1).normal(size=2 * width), np.zeros((5, width))
    assert compiled(body, width)(width, values, out) == width
    x, y = values[:width], values[width:]
    expected = (x * y + 0.1, (x - y) / 3, -abs(x) * x[0], np.minimum(x, y), np.maximum(x, 0.25))
    assert np.array_equal(out, expected)


def test_comparisons_with_nan_are_false():
    def body(code: Code, _n, a, out):
        x = code.load_vector(a)
        one = everywhere(code.number(1.0), code.width)
        for k, flags in enumerate((x < 1.0, x >= 1.0, is_nan(x), ~(x > 1.0) & (x <= 2.0))):
            code.store(choose(flags, one, 0.0), out, k * code.width)
        return as_whole(any_of(x > 5.0))

    values = np.zeros(host().width)
    values[:2] = np.nan, 1.0
    out = np.zeros((4, len(values)))
    assert compiled(body)(0, values, out) == 0
    expected = (values < 1, values >= 1, np.isnan(values), ~(values > 1) & (values <= 2))
    assert np.array_equal(out, expected)
    values[1] = 6.0
    assert compiled(body)(0, values, out) == 1


def test_loops_and_branches():
    """The sum of numbers up to the first negative one, and how many they are."""

    def body(code: Code, n, a, out):
        total, number = Variable(code.number(0.0)), Variable(code.whole(0))
        with code.loop(n) as loop:
            x = code.load(a, loop.index)
            loop.leave(x < 0.0)
            total.value += x
            number.value += 1
        with code.when(number.value >= n):
            code.store(code.number(-1.0), out)
            code.end(code.whole(-1))
        code.store(total.value, out)
        code.store(as_double(number.value), out, 1)
        return as_whole(total.value)

    add, out = compiled(body), np.zeros(2)
    assert add(4, np.array([1.5, 2.25, -1.0, 7.0]), out) == 3
    assert out.tolist() == [3.75, 2]
    assert add(2, np.array([1.5, 2.25]), out) == -1
    assert add(0, np.zeros(0), out) == -1


def test_functions_call_one_another():
    def ir(width):
        made = Module(width)
        twice = made.function("twice", NOTHING, [POINTER])
        twice.store(twice.load(twice.arguments[0]) * 2.0, twice.arguments[0])
        twice.end()
        code = made.function("eightfold", WHOLE, [WHOLE, POINTER], internal=False)
        with code.loop(code.arguments[0]):
            code.call(twice, code.arguments[1])
        code.end(code.arguments[0])
        return made.text()

    value = np.array([0.75])
    assert routine.routine("eightfold", ir, (int, np.ndarray), host())(3, value) == 3
    assert value[0] == 6


def test_a_routine_is_compiled_once(monkeypatch):
    def ir(width):
        made = Module(width)
        code = made.function("same", WHOLE, [WHOLE], internal=False)
        code.end(code.arguments[0])
        return made.text()

    def never(_width):
        raise AssertionError

    monkeypatch.setattr(routine, "_made", {})
    first = routine.routine("same", ir, (int,), host())
    assert routine.routine("same", never, (int,), host()) is first
    assert len(cache.entries()) == 1
    monkeypatch.setattr(routine, "_made", {})
    assert routine.routine("same", never, (int,), host())(42) == 42
