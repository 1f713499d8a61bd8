"""Running a program over arrays that broadcast, in chunks, on several threads."""

from __future__ import annotations

import operator
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
    rows, columns = int(np.prod(batch)), len(compiled.outputs)
    flat = {k: _flattened(v, batch) for k, v in inputs.items()}
    direct = _writable_directly(out, (*batch, *shape), inputs)
    result = np.empty((rows, columns)) if direct is None else direct.reshape((rows, columns))

    def chunk(start: int) -> None:
        part = slice(start, start + CHUNK)
        compiled.run({k: v[part] for k, v in flat.items()}, result[part])
        finite = np.logical_and.reduce([np.isfinite(v[part]).all(axis=-1) for v in flat.values()])
        result[part][~finite] = (
            np.nan
        )  # also where the outputs do not depend on the input that is not a number

    starts = range(0, rows, CHUNK)
    if count > 1 and len(starts) > 1:
        with ThreadPoolExecutor(count) as pool:
            list(pool.map(chunk, starts))
    else:
        for start in starts:
            chunk(start)
    return filled(result.reshape((*batch, *shape)), out) if direct is None else direct


def _flattened(x: Array, batch: tuple[int, ...]) -> Array:
    """One row per state of the batch."""
    size = x.shape[-1]
    return np.broadcast_to(x, (*batch, size)).reshape((int(np.prod(batch)), size))


def _writable_directly(
    out: Array | None, shape: tuple[int, ...], inputs: Mapping[str, Array]
) -> Array | None:
    """The array `out` if results can go straight into it: contiguous, and no input is overwritten."""
    if out is None:
        return None
    check_out(out, shape)
    apart = not any(np.may_share_memory(out, v) for v in inputs.values())
    return out if out.flags.c_contiguous and apart else None


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
    check_out(out, result.shape)
    out[...] = result
    return out


def check_out(out: Array, shape: tuple[int, ...]) -> None:
    """Refuse what cannot take results of this shape, before anything is computed."""
    if not isinstance(out, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"out is a {type(out).__name__}, expected an array of shape {shape}")
    if out.shape != shape or out.dtype != np.float64 or not out.flags.writeable:
        kind = f"{out.dtype}{'' if out.flags.writeable else ', read-only'}"
        raise InputError(f"out has shape {out.shape} and type {kind}, expected {shape} and float64")


def thread_count(threads: int | None) -> int:
    """The number asked for, else that of ARMDYN_THREADS, else one."""
    value: Any = os.environ.get("ARMDYN_THREADS", "1") if threads is None else threads
    try:
        count = int(value) if isinstance(value, str) else operator.index(value)
    except (TypeError, ValueError):
        count = 0
    if count < 1:
        raise InputError(f"threads is {value}, expected a whole number of one or more")
    return count
