"""Running a program over arrays that broadcast, in chunks, on several threads."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.scalars.program import Array, Program

CHUNK = 8192
"""States evaluated together: few enough to stay in cache, many enough to amortise the loop."""


def run_batch(
    compiled: Program,
    inputs: Mapping[str, Array],
    shape: tuple[int, ...],
    out: Array | None = None,
    threads: int | None = None,
) -> Array:
    """Results (..., *shape) for inputs (..., size) whose leading axes broadcast."""
    count = thread_count(threads)
    batch = batch_shape(inputs)
    rows = int(np.prod(batch))
    flat = {
        k: np.broadcast_to(v, (*batch, v.shape[-1])).reshape((rows, v.shape[-1])) for k, v in inputs.items()
    }
    result = np.empty((rows, len(compiled.outputs)))

    def chunk(start: int) -> None:
        part = slice(start, start + CHUNK)
        compiled.run({k: v[part] for k, v in flat.items()}, result[part])

    starts = range(0, rows, CHUNK)
    if count > 1 and len(starts) > 1:
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(chunk, starts))
    else:
        for start in starts:
            chunk(start)
    return filled(result.reshape((*batch, *shape)), out)


def batch_shape(inputs: Mapping[str, Array]) -> tuple[int, ...]:
    """The common batch of arrays (..., size)."""
    try:
        return np.broadcast_shapes(*(x.shape[:-1] for x in inputs.values()))
    except ValueError as error:
        shapes = ", ".join(f"{k} {v.shape}" for k, v in inputs.items())
        raise InputError(f"batches do not broadcast: {shapes}") from error


def filled(result: Array, out: Array | None) -> Array:
    """The result, copied into `out` if there is one."""
    if out is None:
        return result
    if not isinstance(out, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"out is a {type(out).__name__}, expected an array of shape {result.shape}")
    if out.shape != result.shape or out.dtype != np.float64 or not out.flags.writeable:
        kind = f"{out.dtype}{'' if out.flags.writeable else ', read-only'}"
        raise InputError(f"out has shape {out.shape} and type {kind}, expected {result.shape} and float64")
    out[...] = result
    return out


def thread_count(threads: int | None) -> int:
    """The number asked for, else that of ARMDYN_THREADS, else one."""
    value: Any = os.environ.get("ARMDYN_THREADS", "1") if threads is None else threads
    try:
        count = int(value)
    except ValueError:
        count = 0
    if count < 1:
        raise InputError(f"threads is {value}, expected a whole number of one or more")
    return count
