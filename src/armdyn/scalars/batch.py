"""Running what computes rows over arrays that broadcast, in pieces, on several threads."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from armdyn.errors import InputError
from armdyn.scalars.program import Array

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

FEWEST = 2048
"""Rows for a thread, below which waking it costs more than it gains."""

Shape = tuple[int, ...]


class Runner(Protocol):
    """What computes rows of results from rows of inputs: a program, or a compiled kernel."""

    @property
    def piece(self) -> int:
        """Rows to be run in one go."""
        ...

    @property
    def breaks(self) -> bool:
        """Whether finite inputs may give what is not finite: there is a division or a root."""
        ...

    def run(self, inputs: Mapping[str, Array], *results: Array) -> bool:
        """Fill the results (rows, size); whether some row may hold what is not a finite number."""
        ...


@dataclass
class Losses:
    """How many states got no number although their inputs were numbers: their mass matrix is singular."""

    rows: int = 0


def run_batch(
    runner: Runner,
    inputs: Mapping[str, Array],
    shape: Shape,
    out: Array | None = None,
    threads: int | None = None,
) -> Array:
    """The one result (..., *shape) for inputs (..., size) whose leading axes broadcast."""
    return run_all(runner, inputs, (shape,), None if out is None else (out,), threads)[0]


def run_all(
    runner: Runner,
    inputs: Mapping[str, Array],
    shapes: Sequence[Shape],
    out: Sequence[Array] | None = None,
    threads: int | None = None,
    losses: Losses | None = None,
) -> tuple[Array, ...]:
    """Every result (..., *shape) for inputs (..., size) whose leading axes broadcast."""
    count = thread_count(threads)
    batch = batch_shape(inputs)
    rows = math.prod(batch)
    direct = _taking(out, [(*batch, *shape) for shape in shapes], inputs)
    filling = [np.empty((*batch, *shapes[k])) if d is None else d for k, d in enumerate(direct)]
    flat = [f.reshape((rows, math.prod(shape))) for f, shape in zip(filling, shapes, strict=True)]
    taking = {name: _rows_of(x, batch) for name, x in inputs.items()}

    def run_piece(part: slice) -> int:
        given = {name: take(part) for name, take in taking.items()}
        results = [f[part] for f in flat]
        return _mended(given, results, runner.breaks) if runner.run(given, *results) else 0

    most = runner.piece if rows > FEWEST else FEWEST
    lost = sum(_each(run_piece, _pieces(rows, most, count), count))
    if losses is not None:
        losses.rows += lost
    if out is None:
        return tuple(filling)
    return tuple(
        filled(result, wanted) if d is None else wanted
        for result, wanted, d in zip(filling, out, direct, strict=True)
    )


# Pieces and threads -------------------------------------------------------------------------


def _pieces(rows: int, most: int, threads: int) -> list[slice]:
    """Parts of nearly equal size, so that none is too small for a kernel's vectors."""
    count = -(-rows // most)
    if threads > 1:
        count = max(count, min(threads, rows // FEWEST))
        count = -(-count // threads) * threads if count > threads else count
    cuts = [rows * k // count for k in range(count + 1)] if count else []
    return [slice(a, b) for a, b in pairwise(cuts)]


def _each(run: Callable[[slice], int], parts: Sequence[slice], threads: int) -> list[int]:
    """What each part gives, in any order, done by so many threads that take one part after another."""
    if threads == 1 or len(parts) < 2:
        return [run(part) for part in parts]
    left, done = iter(parts), SimpleQueue[int | BaseException]()

    def leave() -> None:
        """After an error or an interrupt nobody begins another part."""
        for _ in left:
            pass

    def work() -> None:
        try:
            for part in left:
                done.put(run(part))
        except BaseException as error:  # noqa: BLE001  raised again by who waits
            done.put(error)
            leave()

    try:
        wanted = min(threads, len(parts))
        if _started(work, wanted) < wanted:
            work()
        return [_given(done.get()) for _ in parts]
    finally:
        leave()


def _started(work: Callable[[], None], threads: int) -> int:
    """Let so many threads begin, or as many as the system gives; how many surely did.

    Where it has no more, one that is busy may still come later: whoever waits must wait for what is done.
    """
    for begun in range(threads):
        try:
            _pool().submit(work)
        except RuntimeError:  # no more threads, or the interpreter is leaving
            return begun
    return threads


def _given(outcome: int | BaseException) -> int:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


MOST_THREADS = 1024


@cache
def _pool() -> ThreadPoolExecutor:
    """Threads for every call; only as many start as are ever busy at once."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(MOST_THREADS, thread_name_prefix="armdyn")


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_pool.cache_clear)  # threads do not survive a fork


def thread_count(threads: int | None) -> int:
    """The number asked for, else that of ARMDYN_THREADS, else one."""
    name = "ARMDYN_THREADS" if threads is None else "threads"
    value: Any = os.environ.get(name) or "1" if threads is None else threads
    try:
        count = int(value) if isinstance(value, str) else operator.index(value)
    except (TypeError, ValueError):
        count = 0
    if count < 1:
        raise InputError(f"{name} is {value}, expected a whole number of one or more")
    return count


# Arrays in ----------------------------------------------------------------------------------


def batch_shape(inputs: Mapping[str, Array]) -> Shape:
    """The common batch of arrays (..., size)."""
    first, *others = [x.shape[:-1] for x in inputs.values()]
    if all(shape == first for shape in others):
        return first
    try:
        return np.broadcast_shapes(first, *others)
    except ValueError as error:
        shapes = ", ".join(f"{k} {v.shape}" for k, v in inputs.items())
        raise InputError(f"batches do not broadcast: {shapes}; expected leading axes equal or 1") from error


def _rows_of(x: Array, batch: Shape) -> Callable[[slice], Array]:
    """What gives some rows of the flattened batch as doubles, copied only where they must be."""
    size = x.shape[-1]
    spread: Any = x if x.shape[:-1] == batch else np.broadcast_to(x, (*batch, size))
    flat = spread.reshape((math.prod(batch), size))  # a copy if rows do not lie at equal distances
    return (lambda part: flat[part]) if _is_plain(flat) else (lambda part: _plain(flat[part]))


def _is_plain(rows: Array) -> bool:
    """Whether rows hold doubles side by side, as machine code reads them."""
    beside = rows.strides[1] == 8 or rows.shape[1] == 1
    return beside and rows.dtype == np.float64 and rows.dtype.isnative and rows.flags.aligned


def _plain(rows: Array) -> Array:
    return np.require(rows, np.float64, ["C", "A"])


# Arrays out ---------------------------------------------------------------------------------


def _taking(
    out: Sequence[Array] | None, shapes: Sequence[Shape], inputs: Mapping[str, Array]
) -> list[Array | None]:
    """The arrays of `out` that results can go straight into: contiguous, no input overwritten."""
    if out is None:
        return [None] * len(shapes)
    for wanted, shape in zip(out, shapes, strict=True):
        check_out(wanted, shape)
    for a, b in combinations(range(len(out)), 2):
        if np.shares_memory(out[a], out[b]):
            raise InputError(
                f"out: arrays {a + 1} and {b + 1} share memory, expected one of its own for each"
            )
    plain = [np.asarray(o) if o.flags.c_contiguous and o.flags.aligned else None for o in out]
    apart = not any(np.may_share_memory(o, x) for o in out for x in inputs.values())
    return plain if apart else [None] * len(shapes)


def filled(result: Array, out: Array | None) -> Array:
    """The result, copied into `out` if there is one."""
    if out is None:
        return result
    check_out(out, result.shape)
    np.asarray(out)[...] = result
    return out


def check_out(out: Array, shape: Shape) -> None:
    """Refuse what cannot take results of this shape, before anything is computed."""
    if not isinstance(out, np.ndarray):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"out is a {type(out).__name__}, expected an array of shape {shape}")
    if out.shape != shape or out.dtype != np.float64 or not out.flags.writeable:
        kind = f"{out.dtype}{'' if out.flags.writeable else ', read-only'}"
        raise InputError(f"out has shape {out.shape} and type {kind}, expected {shape} and float64")
    if any(stride == 0 < size - 1 for stride, size in zip(out.strides, out.shape, strict=True)):
        raise InputError(f"out has strides {out.strides}, expected memory of its own for every element")


def _mended(given: Mapping[str, Array], results: Sequence[Array], breaks: bool) -> int:
    """Give NaN to rows that cannot have a number; how many had finite inputs all the same.

    A row with an input that is not a number gets none, even in results that do not depend on that input.
    """
    finite = np.logical_and.reduce([np.isfinite(x).all(axis=-1) for x in given.values()])
    answered = np.logical_and.reduce([np.isfinite(r).all(axis=-1) for r in results]) if breaks else True
    good = finite & answered
    for result in results:
        result[~good] = np.nan
    return int(np.count_nonzero(finite & ~good))
