"""Fresh processes with a folder of their own for compiled kernels: first calls, and instructions executed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any, Literal

STATES = 10_000
REPEATS = 300
"""Batches whose instructions are counted: enough to drown what two starts of Python differ by."""
PROCESSES = 3
_STEADY = {"PYTHONHASHSEED": "0", "OPENBLAS_NUM_THREADS": "1", "ARMDYN_THREADS": "1"}
"""Settings under which two starts of Python differ least."""

Tool = Literal["perf", "valgrind"]


# First calls ----------------------------------------------------------------------------------


def first_calls(wanted: Iterable[tuple[str, str]]) -> list[dict[str, Any]]:
    """What the first call of a robot's quantity takes, new and compiled before: best of some [ns]."""
    return [
        {"robot": robot, "quantity": quantity, **_best_first_call(robot, quantity)}
        for robot, quantity in wanted
    ]


def _best_first_call(robot: str, quantity: str) -> dict[str, int]:
    new: list[tuple[int, int]] = []
    before: list[tuple[int, int]] = []
    for _ in range(PROCESSES):
        with tempfile.TemporaryDirectory() as folder:
            for times in (new, before):
                library, taken = map(int, _process([], folder, robot, quantity).stdout.split())
                times.append((library, taken))
    library = min(library for library, _ in (*new, *before))
    first, cached = (min(taken for _, taken in times) for times in (new, before))
    return {"library_ns": library, "first_call_ns": first, "cached_ns": cached}


# Instructions ---------------------------------------------------------------------------------


def instruction_tool() -> Tool | None:
    """What can count instructions here: perf where the processor lets it, else valgrind."""
    perf = shutil.which("perf")
    if perf is not None:
        command = [*_PREFIX["perf"], sys.executable, "-c", "pass"]
        said = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if said.returncode == 0 and perf_count(said.stderr) is not None:
            return "perf"
    return None if shutil.which("valgrind") is None else "valgrind"


def instruction_counts(robots: Iterable[str], quantities: Sequence[str], tool: Tool) -> list[dict[str, Any]]:
    """Instructions of all kinds that a batch takes for one state.

    The difference of a process that evaluates the batch often and one that does so once. Valgrind
    shows its programs a processor without the widest vectors: its counts are of narrower kernels.
    """
    return [
        {"robot": robot, "quantity": quantity, "tool": tool, "instructions": _counted(tool, robot, quantity)}
        for robot in robots
        for quantity in quantities
    ]


_PREFIX: dict[Tool, list[str]] = {
    "perf": ["perf", "stat", "-x", ",", "-e", "instructions:u"],
    "valgrind": ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"],
}


def _counted(tool: Tool, robot: str, quantity: str) -> float:
    with tempfile.TemporaryDirectory() as folder:
        _, once, often = (  # the first process compiles, those that are compared do not
            _instructions(tool, _process(_PREFIX[tool], folder, robot, quantity, repeats).stderr)
            for repeats in (1, 1, 1 + REPEATS)
        )
    return (often - once) / (REPEATS * STATES)


def _instructions(tool: Tool, text: str) -> int:
    count = perf_count(text) if tool == "perf" else valgrind_count(text)
    assert count is not None, f"{tool} counted nothing"
    return count


def perf_count(text: str) -> int | None:
    """From a line as `123456,,instructions:u,...`."""
    numbers = [line.split(",")[0] for line in text.splitlines() if "instructions" in line]
    return int(numbers[0]) if numbers and numbers[0].isdecimal() else None


def valgrind_count(text: str) -> int | None:
    """From a line as `==12== I refs:  123,456`."""
    numbers = [line.split(":")[1].replace(",", "").strip() for line in text.splitlines() if "refs:" in line]
    return int(numbers[0]) if numbers else None


def _process(
    prefix: Sequence[str], cache: str, robot: str, quantity: str, repeats: int = 0
) -> subprocess.CompletedProcess[str]:
    command = [*prefix, sys.executable, "-m", "armdyn.studies.speed.first_call", robot, quantity]
    environment = {**os.environ, "ARMDYN_CACHE": cache, **_STEADY}
    return subprocess.run(  # noqa: S603  our own interpreter
        [*command, str(STATES), str(repeats)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
