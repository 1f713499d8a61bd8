"""Which parameters act only together with others, from numbers.

Columns are what each parameter does at many states. A pivoted QR decomposition tells how many of them are
independent; of those that could be kept the ones that people expect are, and each of the others is counted
in them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError, suggestion
from armdyn.mechanics.parameters import Parameter
from armdyn.scalars import Array

RANK = 1e-9
"""A column is dependent if what is left of it is below this share of itself; rounding leaves about 1e-14."""
COEFFICIENT = 1e-9
"""Coefficients of combinations below this, columns brought to one size, are rounding."""
KEPT_FIRST = ("viscous", "coulomb", "offset", "Izz", "Ixx", "Ixy", "Ixz", "Iyz", "mcx", "mcy", "I")
COUNTED_IN_OTHERS = ("Iyy", "mcz", "m")
"""In which order columns are kept: as [Siciliano2009] and most others write base parameters, mass last."""


def columns_among(parameters: Sequence[Parameter], among: Sequence[str] | None) -> NDArray[np.intp]:
    """The columns of the parameters of these names or endings (`Izz`); all of them by default."""
    if among is None:
        return np.arange(len(parameters))
    known = {p.name for p in parameters} | {p.kind for p in parameters}
    for name in among:
        if name not in known:
            raise InputError(
                f'no parameter "{name}"; {suggestion(name, known)}expected names as "{parameters[0].name}", '
                f'or their endings as "{parameters[0].kind}"'
            )
    return np.array(
        [k for k, p in enumerate(parameters) if p.name in among or p.kind in among], dtype=np.intp
    )


def preference(parameters: Sequence[Parameter], first: Collection[int] = ()) -> list[int]:
    """Columns in the order in which they are kept: by kind, inner bodies before outer ones.

    Columns in `first` are kept before all others.
    """
    rank = {kind: k for k, kind in enumerate((*KEPT_FIRST, *COUNTED_IN_OTHERS))}
    return sorted(range(len(parameters)), key=lambda k: (k not in first, rank[parameters[k].kind], k))


def dependencies(columns: Array, preferred: Sequence[int]) -> tuple[list[int], Array]:
    """Which columns are kept, ascending, and K of the others: Y_others = Y_kept K.

    How many there are comes from a pivoted QR; which ones from elimination in the order of preference: a
    column of whom nothing new is left there is dependent on those before it.
    """
    linalg: Any = import_module("scipy.linalg")  # slow to import
    size = np.linalg.norm(columns, axis=0)
    largest = float(size.max(initial=0.0))
    felt = np.where(size > RANK * largest, size, np.inf)  # a parameter that no joint feels has no column
    R = linalg.qr(columns / felt, mode="r")[0][: len(preferred)]  # turned rows: columns depend as before
    pivoted = np.abs(np.diag(linalg.qr(R, mode="r", pivoting=True)[0]))
    rank = int(np.count_nonzero(pivoted > RANK * pivoted.max(initial=0.0)))
    new = _first_independent(R[:, list(preferred)], rank)
    kept = sorted(preferred[k] for k in new)
    others = [k for k in range(columns.shape[1]) if k not in set(kept)]
    K = linalg.lstsq(R[:, kept], R[:, others])[0] if others else np.zeros((len(kept), 0))
    sizes = np.where(np.isfinite(felt), felt, 0.0)
    return kept, np.where(np.abs(K) > COEFFICIENT, K, 0.0) * sizes[others] / felt[kept][:, None]


def _first_independent(R: Array, rank: int) -> list[int]:
    """The first so many columns of R, none of which depends on those before it.

    Elimination with rows in any order: what is left of a column below the rows used so far is new in it.
    """
    left, found = R.copy(), list[int]()
    row = 0
    for k in range(R.shape[1]):
        if len(found) == rank:
            break
        rest = left[row:, k]
        if np.linalg.norm(rest) <= RANK:
            continue
        found.append(k)
        v = rest.copy()
        v[0] += np.copysign(np.linalg.norm(rest), rest[0])
        v /= np.linalg.norm(v)
        left[row:, k:] -= 2.0 * np.outer(v, v @ left[row:, k:])
        row += 1
    return found
