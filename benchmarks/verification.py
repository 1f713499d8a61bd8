"""Verification of the Lola 15 program: how much faster than the arm itself, on one core.

From the program's text to the verdict: read, plan, verify. Compiled code is there already, as it is from the
second run on; every run plans and verifies anew.
"""

import os
import time
from collections.abc import Callable
from typing import Any

from armdyn.feasibility import Verification, planned, verify
from armdyn.formats import load
from armdyn.program import example_program, read_program

FORCE = [100.0, 100.0, -150.0, 0.0, 0.0, 0.0]
REPEATS = 50


def run() -> list[dict[str, Any]]:
    """Rows of part, ours_ms, real_time_s and times_real_time; the best of many runs."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        return [row for cycle in (0.01, 0.001) for row in _rows(cycle)]
    finally:
        os.sched_setaffinity(0, cores)


def _rows(cycle: float) -> list[dict[str, Any]]:
    program, robot = example_program("lola15"), load("lola15")
    work = planned(program, robot, cycle=cycle)
    parts: dict[str, Callable[[], Any]] = {
        "read": lambda: read_program(program),
        "read and plan": lambda: planned(program, robot, cycle=cycle),
        "verify, the verdict": lambda: _verdict(verify(work, wrench=FORCE)),
        "all, the verdict": lambda: _verdict(verify(planned(program, robot, cycle=cycle), wrench=FORCE)),
        "all, everything in the report": lambda: verify(
            planned(program, robot, cycle=cycle), wrench=FORCE
        ).document(),
    }
    duration = work.plan.duration
    rows: list[dict[str, Any]] = []
    for name, part in parts.items():
        best = min(_timed(part) for _ in range(REPEATS))
        rows.append(
            {
                "part": name,
                "cycle_s": cycle,
                "ours_ms": 1e3 * best,
                "real_time_s": duration,
                "times_real_time": duration / best,
            }
        )
    return rows


def _verdict(found: Verification) -> tuple[bool, Any]:
    """Feasible or not, and what the arm does."""
    return found.feasible, found.run


def _timed(part: Callable[[], Any]) -> float:
    start = time.perf_counter()
    part()
    return time.perf_counter() - start
