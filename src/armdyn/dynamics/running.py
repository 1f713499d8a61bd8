"""How a quantity is run: arrays to fill, and threads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.native.signature import Signature
from armdyn.scalars import Array
from armdyn.scalars.batch import Losses, batch_shape


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


def apart(inputs: Mapping[str, Array], out: Sequence[Array] | None) -> dict[str, Array]:
    """The inputs, copied where filling `out` would overwrite them."""
    return {
        name: x.copy() if any(np.may_share_memory(x, array) for array in out or ()) else x
        for name, x in inputs.items()
    }


def fill_lost(
    inputs: Mapping[str, Array],
    results: Sequence[Array],
    solve: Callable[[Mapping[str, Array]], tuple[Array, ...]],
) -> int:
    """Solve the states whose inputs are numbers but whose results are not; how many are still lost."""
    lost = _lost(inputs, results[0])
    states = {name: np.broadcast_to(x, (*lost.shape, x.shape[-1]))[lost] for name, x in inputs.items()}
    solved = solve(states)
    for result, found in zip(results, solved, strict=True):
        result[lost] = found
    return int(np.count_nonzero(_lost(states, solved[0])))


def count_lost(losses: Losses | None, inputs: Mapping[str, Array], result: Array) -> None:
    """Add the states whose inputs are numbers but whose result is not."""
    if losses is not None:
        losses.rows += int(np.count_nonzero(_lost(inputs, result)))


def _lost(inputs: Mapping[str, Array], result: Array) -> NDArray[np.bool_]:
    """Which states have inputs that are numbers but a result that is not: a lost row is NaN throughout."""
    batch = batch_shape(inputs)
    lost: Any = np.array(np.isnan(result[(..., *[0] * (result.ndim - len(batch)))]))
    for x in inputs.values():
        lost[lost] = np.isfinite(np.broadcast_to(x, (*batch, x.shape[-1]))[lost]).all(axis=-1)
    return lost
