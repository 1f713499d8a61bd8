"""Compiled programs against NumPy's evaluation of them, bit by bit where bits are promised."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import armdyn as ad
from armdyn.native.kernel import Kernel
from armdyn.native.processor import Processor, host
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, Program, program, select, sin, sqrt
from armdyn.scalars.batch import Losses, run_all, run_batch

WIDTHS = (1, 2, 4, 8)
ROUNDING = 1e-12
"""Kernels and NumPy differ by roundings: fused products, other sines."""


def compiled(traced: Program, inputs: int = 3, **how) -> Kernel:
    return Kernel(Signature((("x", inputs),), ((len(traced.outputs),),)), lambda: traced, **how)


def wild() -> Program:
    """Every operation there is."""
    x, y, z = Graph().inputs("x", 3)
    outputs = [
        x * y + z,
        x / (y * y + 1.0) - z,
        sin(x + 0.3) * sqrt(y * y + z * z + 0.5),
        select(x, y, -z) - x * y,
        select(y - z, sin(y * sin(x)), 2.0),
        -z,
        z * 0 + 4.0,
    ]
    return program(outputs)


@pytest.fixture(scope="module")
def states():
    return np.random.default_rng(0).uniform(-3, 3, (1000, 3))


# Right ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_agrees_with_numpy(states, width):
    expected = run_batch(wild(), {"x": states}, (7,))
    found = run_batch(compiled(wild(), width=width), {"x": states}, (7,))
    assert found == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING)


def test_runs_without_fused_multiply_add_or_avx(states):
    if "sse2" not in host().features:
        pytest.skip("only x86 processors may lack fused multiply-add")
    old = Processor("x86-64", "", 2, fused=False)
    expected = run_batch(wild(), {"x": states}, (7,))
    assert run_batch(compiled(wild(), processor=old), {"x": states}, (7,)) == pytest.approx(
        expected, rel=ROUNDING
    )


@settings(max_examples=30)
@given(st.integers(1, 13), st.integers(1, 13), st.integers(1, 40), st.integers(0, 2**32 - 1))
def test_any_number_of_inputs_and_outputs_and_rows(inputs, outputs, rows, seed):
    """Rows of every length go through the transposes and back."""
    generator = np.random.default_rng(seed)
    x = Graph().inputs("x", inputs)
    weights = generator.normal(size=(outputs, inputs)).round(3)
    traced = program([sum(float(w) * e for w, e in zip(row, x, strict=True)) for row in weights])
    given_rows = generator.normal(size=(rows, inputs))
    for width in (2, 4, 8):
        found = run_batch(compiled(traced, inputs, width=width), {"x": given_rows}, (outputs,))
        assert found == pytest.approx(given_rows @ weights.T, rel=ROUNDING, abs=ROUNDING)


def test_several_results_of_several_shapes(states):
    x, y, z = Graph().inputs("x", 3)
    traced = program([x, y, z, x * y, y * z, x + z, x - y])
    kernel = Kernel(Signature((("x", 3),), ((2, 2), (), (2,))), lambda: traced)
    matrix, number, pair = run_all(kernel, {"x": states}, kernel.signature.results)
    x, y, z = states.T
    assert np.array_equal(matrix, np.stack([x, y, z, x * y], axis=-1).reshape(-1, 2, 2))
    assert np.array_equal(number, y * z)
    assert np.array_equal(pair, np.stack([x + z, x - y], axis=-1))


# Bits -----------------------------------------------------------------------------------------


def test_bits_do_not_depend_on_width_batch_position_or_threads(states):
    reference = run_batch(compiled(wild(), width=1), {"x": states}, (7,))
    for width in WIDTHS[1:]:
        kernel = compiled(wild(), width=width)
        assert np.array_equal(run_batch(kernel, {"x": states}, (7,)), reference)
        for threads in (2, 3, 7):
            assert np.array_equal(run_batch(kernel, {"x": states}, (7,), threads=threads), reference)
        for start, rows in ((0, 1), (5, 3), (17, 9), (100, 31), (1, 998)):
            part = slice(start, start + rows)
            assert np.array_equal(run_batch(kernel, {"x": states[part]}, (7,)), reference[part])


# Rows that are no numbers ---------------------------------------------------------------------


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("element", [0, 1, 2])
def test_what_is_not_a_number_stays_in_its_row(states, bad, element):
    kernel = compiled(wild())
    good = run_batch(kernel, {"x": states}, (7,))
    for row in (0, 3, 500, 992, 999):
        mixed = states.copy()
        mixed[row, element] = bad
        found = run_batch(kernel, {"x": mixed}, (7,))
        assert np.isnan(found[row]).all()
        others = np.arange(len(states)) != row
        assert np.array_equal(found[others], good[others])


def test_an_input_nobody_reads_is_watched_too(states):
    x, _, _ = Graph().inputs("x", 3)
    kernel = compiled(program([x * 2.0, 1.0]))
    mixed = states.copy()
    mixed[7, 2] = np.nan
    assert np.flatnonzero(np.isnan(run_batch(kernel, {"x": mixed}, (2,))).all(axis=-1)).tolist() == [7]


def test_divisions_by_zero_are_counted_and_give_no_number(states):
    x, y, z = Graph().inputs("x", 3)
    kernel = compiled(program([x / y, z]))
    mixed = states.copy()
    mixed[[3, 8, 901], 1] = 0.0
    mixed[5, 0] = np.nan
    losses = Losses()
    (found,) = run_all(kernel, {"x": mixed}, ((2,),), losses=losses)
    assert np.flatnonzero(np.isnan(found).all(axis=-1)).tolist() == [3, 5, 8, 901]
    assert losses.rows == 3


# Arrays ---------------------------------------------------------------------------------------


def test_every_kind_of_array_gives_the_same(states):
    kernel = compiled(wild())
    whole = np.round(states * 4) / 4  # exact in every type
    expected = run_batch(kernel, {"x": whole}, (7,))
    wide = np.zeros((1000, 9))
    wide[:, 2:5] = whole
    stepped = np.zeros((1000, 6))
    stepped[:, ::2] = whole
    raw = np.zeros(1000 * 24 + 1, dtype=np.uint8)[1:].view(np.float64).reshape(1000, 3)
    raw[...] = whole
    kinds = {
        "slice": wide[:, 2:5],
        "columns": np.asfortranarray(whole),
        "stepped": stepped[:, ::2],
        "unaligned": raw,
        "float32": whole.astype(np.float32),
        "float16": whole.astype(np.float16),
        "swapped": whole.astype(">f8"),
        "longdouble": whole.astype(np.longdouble),
        "read-only": np.frombuffer(whole.tobytes()).reshape(1000, 3),
    }
    for name, array in kinds.items():
        assert np.array_equal(run_batch(kernel, {"x": array}, (7,)), expected), name
    backwards = run_batch(kernel, {"x": whole[::-1]}, (7,))
    assert np.array_equal(backwards[::-1], expected)


def test_partial_broadcasts(states):
    graph = Graph()
    (x,), (y,) = graph.inputs("x", 1), graph.inputs("y", 1)
    traced = program([x * y, x - y])
    kernel = Kernel(Signature((("x", 1), ("y", 1)), ((2,),)), lambda: traced)
    a, b = np.arange(40.0).reshape(40, 1, 1), np.arange(30.0).reshape(1, 30, 1)
    found = run_batch(kernel, {"x": a, "y": b}, (2,))
    assert found.shape == (40, 30, 2)
    assert np.array_equal(found[..., 0], (a * b)[..., 0])
    assert np.array_equal(run_batch(kernel, {"x": a[:, 0], "y": np.array([2.0])}, (2,))[:, 1], a[:, 0, 0] - 2)


def test_empty_batches(states):
    kernel = compiled(wild())
    assert run_batch(kernel, {"x": states[:0]}, (7,)).shape == (0, 7)
    assert run_batch(kernel, {"x": states[:0].reshape(0, 5, 3)}, (7,)).shape == (0, 5, 7)


def test_out_may_overlap_an_input(states):
    x, y, z = Graph().inputs("x", 3)
    kernel = compiled(program([y, z, x]))
    expected = run_batch(kernel, {"x": states}, (3,))
    place = states.copy()
    assert run_batch(kernel, {"x": place}, (3,), out=place) is place
    assert np.array_equal(place, expected)
    shifted = np.zeros((1001, 3))
    shifted[:1000] = states
    run_batch(kernel, {"x": shifted[:1000]}, (3,), out=shifted[1:])
    assert np.array_equal(shifted[1:], expected)


def test_out_with_gaps(states):
    kernel = compiled(wild())
    wide = np.zeros((1000, 10))
    run_batch(kernel, {"x": states}, (7,), out=wide[:, 1:8])
    assert np.array_equal(wide[:, 1:8], run_batch(kernel, {"x": states}, (7,)))
    assert not wide[:, [0, 8, 9]].any()


# Many -----------------------------------------------------------------------------------------


def test_threads_of_the_caller_share_a_kernel(states):
    kernel = compiled(wild())
    expected = run_batch(compiled(wild()), {"x": states}, (7,))
    found: list[bool] = []

    def work() -> None:
        answers = [run_batch(kernel, {"x": states}, (7,), threads=2) for _ in range(20)]
        found.extend(np.array_equal(answer, expected) for answer in answers)

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [True] * 80


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_forked_process_can_use_threads(states):
    kernel = compiled(wild())
    expected = run_batch(kernel, {"x": states}, (7,), threads=2)
    child = os.fork()
    if child == 0:
        same = np.array_equal(run_batch(kernel, {"x": states}, (7,), threads=2), expected)
        os._exit(0 if same else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_forked_while_another_thread_compiles():
    """It finds no lock held: neither LLVM's nor the kernel's."""
    code = """
import os, threading, time
import numpy as np, armdyn as ad
from armdyn.studies.growth import random_chain
os.environ["ARMDYN_CACHE_LIMIT"] = "0"
busy = ad.Dynamics(random_chain(8), "none")
worker = threading.Thread(target=busy.forward_derivatives, args=[np.zeros(8)] * 3)
worker.start()
for _ in range(4):
    time.sleep(0.05)
    child = os.fork()
    if child == 0:
        ad.Dynamics(ad.load("pendulum")).gravity(np.zeros(1))
        busy.gravity(np.zeros(8))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
worker.join()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


def test_what_becomes_of_a_row_does_not_depend_on_its_neighbours():
    """One result overflows, another has a division: alone, in a batch, beside NaN."""
    x, y, z = Graph().inputs("x", 3)
    kernel = compiled(program([x * x, y / z]))
    rows = np.ones((5000, 3))
    rows[0, 0] = 1e200
    alone = run_batch(kernel, {"x": rows}, (2,))[0]
    rows[7, 1] = np.nan
    for threads in (1, 2):
        assert np.array_equal(run_batch(kernel, {"x": rows}, (2,), threads=threads)[0], alone, equal_nan=True)


@pytest.mark.slow
def test_ten_million_random_states():
    """No crash, no row that differs from the same row alone or from NumPy."""
    generator = np.random.default_rng(0)
    for name in ("ur5", "panda", "lola15"):
        dyn = ad.Dynamics(ad.load(name))
        q, qd, qdd = generator.uniform(-3, 3, (3, 10_000_000 // 3, dyn.n))
        tau = dyn.inverse(q, qd, qdd, threads=2)
        assert np.isfinite(tau).all()
        for row in generator.integers(0, len(q), 200):
            assert np.array_equal(dyn.inverse(q[row], qd[row], qdd[row]), tau[row])
