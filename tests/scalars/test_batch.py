"""Running programs over arrays."""

import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.scalars import Graph, batch, program, sin
from armdyn.scalars.batch import FEWEST, run_batch


@pytest.fixture
def traced():
    x, y = Graph().inputs("x", 2)
    return program([sin(x) + y, x * y])


def test_batches_broadcast_and_keep_their_shape(traced):
    x = np.arange(12.0).reshape(2, 3, 2)
    result = run_batch(traced, {"x": x}, (2,))
    assert result.shape == (2, 3, 2)
    assert result[..., 1] == pytest.approx(x[..., 0] * x[..., 1])
    assert run_batch(traced, {"x": np.zeros((0, 2))}, (2,)).shape == (0, 2)


def test_threads_and_chunks_change_nothing(traced):
    x = np.random.default_rng(0).normal(size=(3 * traced.piece + 7, 2))
    one, four = (run_batch(traced, {"x": x}, (2,), threads=count) for count in (1, 4))
    assert np.array_equal(one, four)


def test_nan_stays_in_its_row(traced):
    x = np.ones((5, 2))
    x[2, 0] = np.nan
    assert np.isnan(run_batch(traced, {"x": x}, (2,))).any(-1).tolist() == [False, False, True, False, False]


def test_out_is_filled_or_refused(traced):
    out = np.empty((5, 2))
    assert run_batch(traced, {"x": np.ones((5, 2))}, (2,), out) is out
    with pytest.raises(InputError, match="out has shape"):
        run_batch(traced, {"x": np.ones((5, 2))}, (2,), np.empty((4, 2)))
    out.flags.writeable = False
    with pytest.raises(InputError, match="read-only"):
        run_batch(traced, {"x": np.ones((5, 2))}, (2,), out)
    not_an_array: Any = [0.0, 0.0]
    with pytest.raises(InputError, match="out is a list"):
        run_batch(traced, {"x": np.ones((5, 2))}, (2,), not_an_array)


def test_bad_thread_counts(traced, monkeypatch):
    with pytest.raises(InputError, match="threads is 0"):
        run_batch(traced, {"x": np.ones((5, 2))}, (2,), threads=0)
    monkeypatch.setenv("ARMDYN_THREADS", "many")
    with pytest.raises(InputError, match="ARMDYN_THREADS is many"):
        run_batch(traced, {"x": np.ones((5, 2))}, (2,))


def test_out_that_repeats_its_memory_is_refused(traced):
    repeated = np.lib.stride_tricks.as_strided(np.zeros(2), (5, 2), (0, 8))
    with pytest.raises(InputError, match="expected memory of its own"):
        run_batch(traced, {"x": np.ones((5, 2))}, (2,), repeated)


def test_an_interrupt_stops_all_threads(traced):
    done: list[slice] = []

    class Slow:
        piece, breaks = 1000, False

        def run(self, inputs, *results):
            done.append(slice(0))
            if len(done) == 3:
                raise KeyboardInterrupt
            return False

    with pytest.raises(KeyboardInterrupt):
        run_batch(Slow(), {"x": np.ones((10_000_000, 2))}, (2,), threads=2)
    assert len(done) < 9000


def test_a_row_that_is_not_a_number_is_none_even_where_nothing_depends_on_it():
    x, y = Graph().inputs("x", 2)
    constant = program([y * 2.0, 1.0 + 0 * x])
    values = run_batch(constant, {"x": np.array([[np.nan, 1.0], [0.0, 1.0], [np.inf, 1.0]])}, (2,))
    assert np.isnan(values).tolist() == [[True, True], [False, False], [True, True]]


# Threads that do not come ---------------------------------------------------------------------


class Doubling:
    """What doubles rows; another thread than the main one takes more time."""

    piece, breaks = FEWEST, False

    def run(self, inputs: Mapping[str, Any], *results: Any) -> bool:
        main = threading.current_thread() is threading.main_thread()
        threading.Event().wait(0.02 if main else 0.3)
        results[0][...] = 2 * inputs["x"]
        return False


class Failing(Doubling):
    def run(self, inputs: Mapping[str, Any], *results: Any) -> bool:
        raise RuntimeError("no")


@contextmanager
def no_more_threads() -> Iterator[None]:
    """A stack larger than any memory keeps threads from starting."""
    before = threading.stack_size(1 << 46)
    try:
        with pytest.raises(RuntimeError, match="can't start new thread"):
            threading.Thread(target=int).start()
        yield
    finally:
        threading.stack_size(before)


@pytest.mark.parametrize("there", [0, 1, 2])
def test_every_part_is_done_where_the_system_has_no_more_threads(there: int) -> None:
    """Some are there already, and idle or not; what they do is waited for."""
    batch._pool.cache_clear()
    for _ in range(there):
        batch._pool().submit(threading.Event().wait, 0.05)
    x = np.ones((8 * FEWEST, 1))
    with no_more_threads():
        for _ in range(2):
            out = np.full((8 * FEWEST, 1), np.nan)
            run_batch(Doubling(), {"x": x}, (1,), out, threads=4)
            assert (out == 2).all()
    batch._pool.cache_clear()


def test_an_error_in_a_thread_comes_through() -> None:
    with pytest.raises(RuntimeError, match=r"^no$"):
        run_batch(Failing(), {"x": np.ones((4 * FEWEST, 1))}, (1,), threads=2)


def test_batches_are_finished_while_the_interpreter_leaves() -> None:
    code = """
import atexit, numpy as np
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
x, y = Graph().inputs("x", 2)
traced, rows = program([x + y]), np.ones((9000, 2))
out = np.zeros((9000, 1))
run_batch(traced, {"x": rows}, (1,), threads=2)
atexit.register(lambda: print(run_batch(traced, {"x": rows}, (1,), out, threads=2).sum()))
"""
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, timeout=120
    )
    assert float(done.stdout) == 18000
