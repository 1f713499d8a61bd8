"""What the machine can do at most, measured: fused multiply-adds and bytes copied, per second.

A kernel that reaches either is as fast as the machine; how near it comes is a share of the peak.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from armdyn.native.llvm import Loaded, object_code
from armdyn.native.processor import host
from armdyn.studies.speed.timing import best_time

ROUNDS = 40
ACCUMULATORS = 16
"""Sums that do not wait for one another: more than two units with a latency of four need."""
TURNS = 100_000
COPIED = 64 * 1024 * 1024
"""Bytes in each of the arrays that are copied."""

_WIDE = '"min-legal-vector-width"="512" "prefer-vector-width"="512"'


@dataclass(frozen=True)
class Peak:
    """The rates that so many threads reach together."""

    threads: int
    fma: float
    """Fused multiply-adds [1/s], every lane of a vector counted."""
    bandwidth: float
    """Bytes read and written [1/s]."""


def peaks(threads: Iterable[int], rounds: int = ROUNDS) -> dict[int, Peak]:
    """The peak for each number of threads."""
    return {count: Peak(count, fma_rate(count, rounds), bandwidth(count, rounds)) for count in threads}


def fma_rate(threads: int = 1, rounds: int = ROUNDS) -> float:
    """Fused multiply-adds per second, lane by lane, in vectors as wide as the processor has."""
    loop = _loop()
    taken = _together([lambda: loop(TURNS, 1e-3)] * threads, rounds)
    return threads * TURNS * ACCUMULATORS * host().width / taken


def bandwidth(threads: int = 1, rounds: int = ROUNDS) -> float:
    """Bytes read and written per second by a plain copy, each thread with its part."""
    source, target = (np.ones(COPIED // 8) for _ in range(2))
    parts = zip(np.array_split(target, threads), np.array_split(source, threads), strict=True)
    copies = [lambda to=to, what=what: np.copyto(to, what) for to, what in parts]
    return 2 * COPIED / _together(copies, rounds)


def _together(jobs: list[Callable[[], Any]], rounds: int) -> float:
    """Best time of running all jobs at once, a thread for each [s]."""
    if len(jobs) == 1:
        return best_time(jobs[0], rounds)
    with ThreadPoolExecutor(len(jobs)) as pool:

        def run() -> None:
            wait([pool.submit(job) for job in jobs])

        return best_time(run, rounds)


@cache
def _loop() -> Callable[[int, float], float]:
    """The compiled loop; it lets other threads run meanwhile."""
    code = Loaded(object_code(_loop_ir(host().width), host()), host())
    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64, ctypes.c_double)(code.function("peak"))
    return lambda turns, x, _code=code: function(turns, x)


def _loop_ir(width: int) -> str:
    """`turns` times s = s x + x for every accumulator s; their sum, so that none is idle."""
    vector, sums = f"<{width} x double>", range(ACCUMULATORS)
    fma = f"{vector} @llvm.fmuladd.v{width}f64"
    lines = [
        f"declare {fma}({vector}, {vector}, {vector})",
        f"define double @peak(i64 %turns, double %given) {_WIDE} {{",
        "entry:",
        f"  %one = insertelement {vector} poison, double %given, i32 0",
        f"  %x = shufflevector {vector} %one, {vector} poison, <{width} x i32> zeroinitializer",
        "  br label %loop",
        "loop:",
        "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]",
        *(f"  %s{i} = phi {vector} [ %x, %entry ], [ %t{i}, %loop ]" for i in sums),
        *(f"  %t{i} = call {fma}({vector} %s{i}, {vector} %x, {vector} %x)" for i in sums),
        "  %next = add i64 %k, 1",
        "  %more = icmp ult i64 %next, %turns",
        "  br i1 %more, label %loop, label %done",
        "done:",
        f"  %r0 = fadd {vector} %t0, zeroinitializer",
        *(f"  %r{i} = fadd {vector} %r{i - 1}, %t{i}" for i in sums[1:]),
        f"  %result = extractelement {vector} %r{ACCUMULATORS - 1}, i32 0",
        "  ret double %result",
        "}",
    ]
    return "\n".join(lines)
