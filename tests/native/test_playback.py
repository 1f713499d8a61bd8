"""Tapes: the same bits as straight-line code, whatever the program, the width and the rows."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import armdyn as ad
from armdyn.dynamics.traced import Traced
from armdyn.formats import catalog
from armdyn.native import cache, kernel
from armdyn.native.encoding import encoded
from armdyn.native.kernel import LONGEST, Kernel
from armdyn.native.llvm import NativeError
from armdyn.native.playback import grouping
from armdyn.native.processor import Processor, host
from armdyn.native.signature import Signature
from armdyn.native.tape import Tape
from armdyn.scalars import Graph, Program, program, select, sin, sqrt
from armdyn.scalars.batch import Losses, run_all, run_batch
from armdyn.studies.growth import random_chain

WIDTHS = (1, 2, 4, 8)
NEVER = 10**9
ROWS = (1, 2, 3, 5, 17, 33, 64, 71)
"""Whole blocks, vectors that are left over, and less than a vector."""


def wild() -> Program:
    """Every operation there is, an input that nobody reads, a result twice, constants among them."""
    x, y, z, _ = Graph().inputs("x", 4)
    outputs = [
        x * y + z,
        x * y - z * x,
        z - x * y * 3.0,
        x / (y * y + 1.0) - z,
        sin(x + 0.3) * sqrt(y * y + z * z + 0.5),
        select(x, y, -z) - x * y,
        select(y - z, sin(y * sin(x)), 2.0),
        -z,
        7.0 / (x * x + 1.0),
        1.0 - x,
        x * y + 0.25,
        -z,
        z * 0 + 4.0,
    ]
    return program(outputs)


def kernels(traced: Program, signature: Signature, **how) -> list[Kernel]:
    """The same program as a tape and as straight-line code."""
    return [Kernel(signature, lambda: traced, longest=longest, **how) for longest in (0, NEVER)]


def pair(traced: Program, inputs: int, **how) -> list[Kernel]:
    return kernels(traced, Signature((("x", inputs),), ((len(traced.outputs),),)), **how)


@pytest.fixture(scope="module")
def states():
    found = np.random.default_rng(0).uniform(-3, 3, (ROWS[-1], 4))
    found[5, 0] = 1e9  # its sine is the C library's
    found[8] = 0.0  # signs of zeros
    return found


def bits(array: np.ndarray) -> np.ndarray:
    return array.view(np.int64)


# Bits -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("width", WIDTHS)
def test_bits_are_those_of_straight_code(states, width):
    tape, code = pair(wild(), 4, width=width)
    for rows in ROWS:
        found, expected = (run_batch(k, {"x": states[:rows]}, (13,)) for k in (tape, code))
        assert np.array_equal(bits(found), bits(expected)), rows


def test_a_processor_without_fused_multiply_add(states):
    if "sse2" not in host().features:
        pytest.skip("only x86 processors may lack fused multiply-add")
    tape, code = pair(wild(), 4, processor=Processor("x86-64", "", 2, fused=False))
    found, expected = (run_batch(k, {"x": states}, (13,)) for k in (tape, code))
    assert np.array_equal(bits(found), bits(expected))


STEP = st.tuples(st.sampled_from("+-*/snq?"), st.integers(0, 99), st.integers(0, 99))


@settings(max_examples=20)
@given(st.lists(STEP, min_size=1, max_size=60), st.integers(1, 9))
def test_random_programs(steps, results):
    values = [*Graph().inputs("x", 4), 0.5]
    for kind, a, b in steps:
        x, y = values[a % (len(values) - 1)], values[b % len(values)]
        made = {
            "+": lambda x=x, y=y: x + y,
            "-": lambda x=x, y=y: x - y,
            "*": lambda x=x, y=y: x * y,
            "/": lambda x=x, y=y: x / (y * y + 1.0),
            "s": lambda x=x: sin(x),
            "n": lambda x=x: -x,
            "q": lambda x=x: sqrt(x * x),
            "?": lambda x=x, y=y: select(x, y, 1.5),
        }[kind]()
        values.insert(-1, made)
    tape, code = pair(program(values[-1 - results :]), 4, width=4)
    rows = np.random.default_rng(len(steps)).normal(size=(23, 4))
    shape = (len(tape.program.outputs),)
    assert np.array_equal(*(run_batch(k, {"x": rows}, shape) for k in (tape, code)), equal_nan=True)


@pytest.mark.parametrize("name", catalog())
def test_every_catalog_robot(name):
    """Drives, friction, couplings and all: both strategies, alone and in a batch."""
    traced = Traced(ad.load(name), None, None)
    for quantity in ("inverse", "forward"):
        signature = traced.signature(quantity)
        given = {k: np.random.default_rng(1).uniform(-1, 1, (19, size)) for k, size in signature.inputs}
        tape, code = kernels(traced.program(quantity), signature)
        found, expected = (run_all(k, given, signature.results) for k in (tape, code))
        alone = run_all(tape, {k: x[3:4] for k, x in given.items()}, signature.results)
        for a, b, c in zip(found, expected, alone, strict=True):
            assert np.array_equal(a, b, equal_nan=True), quantity
            assert np.array_equal(a[3:4], c, equal_nan=True), quantity


# What users rely on ---------------------------------------------------------------------------


def test_bad_rows_stay_alone_and_are_counted(states):
    x, y, z, _ = Graph().inputs("x", 4)
    tape, code = pair(program([x / y, z]), 4)
    mixed = np.where(states == 0, 1.0, states)
    mixed[[3, 9, 70], 1] = 0.0
    mixed[5, 3] = np.nan  # an input that nobody reads
    for kernel_ in (tape, code):
        losses = Losses()
        (found,) = run_all(kernel_, {"x": mixed}, ((2,),), losses=losses)
        assert np.flatnonzero(np.isnan(found).all(axis=-1)).tolist() == [3, 5, 9, 70]
        assert losses.rows == 3


def test_the_methods_of_dynamics_take_tapes_as_they_are(monkeypatch):
    """Single calls through builtins, batches, threads, out=, an option, a second result."""
    arm = random_chain(5)
    q, qd, qdd = np.random.default_rng(2).uniform(-1, 1, (3, 5000, 5))
    straight = ad.Dynamics(arm, "none")
    expected, slopes = straight.inverse(q, qd, qdd), straight.inverse_derivatives(q, qd, qdd)
    monkeypatch.setattr(kernel, "LONGEST", 0)
    taped = ad.Dynamics(arm, "none")
    out = np.empty_like(q)
    for _ in range(2):  # the second time through builtins
        assert np.array_equal(taped.inverse(q, qd, qdd), expected)
        assert np.array_equal(taped.inverse(q[7], qd[7], qdd[7]), expected[7])
        assert np.array_equal(taped.inverse(q[:50], qd[:50], qdd[:50]), expected[:50])
    assert taped.inverse(q, qd, qdd, out=out, threads=2) is out
    assert np.array_equal(out, expected)
    assert all(map(np.array_equal, taped.inverse_derivatives(q, qd, qdd), slopes))
    assert taped._traced.kernel("inverse").is_taped
    assert not straight._traced.kernel("inverse").is_taped


def test_a_tape_is_found_again_without_tracing(tmp_path, monkeypatch):
    monkeypatch.setenv("ARMDYN_CACHE", str(tmp_path))
    signature = Signature((("x", 4),), ((13,),))
    rows = np.ones((40, 4))
    first = run_batch(Kernel(signature, wild, "recipe", longest=0), {"x": rows}, (13,))
    assert len(cache.entries()) == 2  # the player and its tape

    def trace() -> Program:
        pytest.fail("traced although its tape is on disk")

    again = Kernel(signature, trace, "recipe", longest=0)
    assert np.array_equal(run_batch(again, {"x": rows}, (13,)), first)


# Tapes ----------------------------------------------------------------------------------------


def test_to_bytes_and_back():
    tape = encoded(wild(), Signature((("x", 4),), ((13,),)))
    again = Tape.from_bytes(tape.to_bytes())
    for field in dataclasses.fields(Tape):
        assert np.array_equal(getattr(again, field.name), getattr(tape, field.name))


def test_slots_are_used_again():
    """A long chain of operations on one value needs no more slots than a short one."""
    x, y = Graph().inputs("x", 2)
    for k in range(1000):
        x = x * y + float(k)
    assert encoded(program([x]), Signature((("x", 2),), ((1,),))).slots < 10


def test_slots_that_would_leave_the_cache_or_the_stack_hold_less():
    def found(slots: int, width: int) -> tuple[int, int]:
        return grouping(Tape(np.zeros(2, np.int32), np.ones(1), slots), width)

    assert found(100, 1) == (1, 1)
    assert [found(slots, 4) for slots in (100, 4000, 20_000, 200_000)] == [(4, 4), (4, 2), (4, 1), (1, 1)]
    with pytest.raises(NativeError, match=r"keeps 1000000 values .* ARMDYN_NATIVE=0"):
        found(10**6, 4)


def test_shorter_vectors_give_the_same_bits(states, monkeypatch):
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "0")
    tape, code = pair(wild(), 4, width=8)
    monkeypatch.setattr("armdyn.native.playback.STACK", 8 * 2 * (encoded(wild(), tape.signature).slots + 12))
    found, expected = (run_batch(k, {"x": states}, (13,)) for k in (tape, code))
    assert np.array_equal(bits(found), bits(expected))


def test_long_programs_are_taped_and_can_be_interrupted():
    x, y = Graph().inputs("x", 2)
    for _ in range(3 * LONGEST // 2):
        x = x * x + y
    signature = Signature((("x", 2),), ((1,),))
    long = Kernel(signature, lambda: program([x]))
    assert long.is_taped
    assert long.piece < Kernel(signature, lambda: program([y])).piece
