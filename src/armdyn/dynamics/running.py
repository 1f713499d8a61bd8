"""How a quantity is run: arrays to fill, and threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

import numpy as np

from armdyn.errors import InputError
from armdyn.native.signature import Signature
from armdyn.scalars import Array
from armdyn.scalars.batch import Losses, batch_shape, check_out, filled


class Run(TypedDict, total=False):
    """How to run: an array to fill, how many threads share the batch, where to count lost states."""

    out: Array | None
    threads: int | None
    losses: Losses | None


class RunAll(TypedDict, total=False):
    """How to run what has several results: as `Run`, with several arrays to fill."""

    out: Sequence[Array] | None
    threads: int | None
    losses: Losses | None


def check_run(run: RunAll) -> None:
    """Refuse settings that there are not."""
    if unknown := run.keys() - RunAll.__annotations__.keys():
        raise InputError(f"unknown argument {', '.join(sorted(unknown))}, expected out, threads or losses")
    losses: Any = run.get("losses")
    if losses is not None and not isinstance(losses, Losses):
        raise InputError(f"losses is {losses!r}, expected a Losses; ad.Losses() makes one")


def check_count(out: Sequence[Array] | None, signature: Signature) -> None:
    """Refuse what is not one array for each result."""
    if out is None:
        return
    count = len(signature.results)
    if not isinstance(out, tuple | list):
        raise InputError(f"out is a {type(out).__name__}, expected a tuple of {count} arrays")
    if len(out) != count:
        raise InputError(f"out has {len(out)} elements, expected a tuple of {count} arrays")


def check_shapes(out: Sequence[Array] | None, inputs: Mapping[str, Array], signature: Signature) -> None:
    """Refuse what cannot take all the results, before anything is computed."""
    batch = batch_shape(inputs)
    for array, shape in zip(out or (), signature.results, strict=out is not None):
        check_out(array, (*batch, *shape))


def all_filled(results: Sequence[Array], out: Sequence[Array] | None) -> tuple[Array, ...]:
    """The results, copied into the arrays of `out` if there are any."""
    if out is None:
        return tuple(np.ascontiguousarray(result) for result in results)
    return tuple(filled(result, array) for result, array in zip(results, out, strict=True))


def count_losses(losses: Losses | None, inputs: Mapping[str, Array], result: Array) -> None:
    """Add the states whose inputs are numbers but whose result is not."""
    if losses is None:
        return
    batch = batch_shape(inputs)
    finite: Any = np.ones(batch, dtype=bool)
    for x in inputs.values():
        finite = finite & np.isfinite(x).all(axis=-1)
    own = tuple(range(len(batch), result.ndim))
    losses.rows += int(np.count_nonzero(finite & np.isnan(result).any(axis=own)))
