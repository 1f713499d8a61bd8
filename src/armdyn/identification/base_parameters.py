"""Base parameters: the combinations of parameters that torques depend on, found from numbers.

The columns of the regressor at random states are linearly dependent. A pivoted QR decomposition tells how
many are not; of those that could be kept the ones that people expect are, and each of the others is counted
in them: Y pi = Y_b beta, beta = G pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, suggestion
from armdyn.mechanics.parameters import Parameter
from armdyn.scalars import Array

RANK = 1e-9
"""A column is dependent if what is left of it is below this share of itself; rounding leaves about 1e-14."""
COEFFICIENT = 1e-9
"""Coefficients of combinations below this, columns brought to one size, are rounding."""
STATES = 20
"""Random states for each parameter and joint: many more equations than unknowns."""
TURN = np.pi
"""[rad or m] How far joints without limits are taken."""
KEPT_FIRST = ("viscous", "coulomb", "offset", "Izz", "Ixx", "Ixy", "Ixz", "Iyz", "mcx", "mcy", "I")
COUNTED_IN_OTHERS = ("Iyy", "mcz", "m")
"""In which order columns are kept: as [Siciliano2009] and most others write base parameters, mass last."""


@dataclass(frozen=True)
class BaseParameters:
    """What can be identified at all: b independent combinations of p parameters."""

    parameters: tuple[Parameter, ...]
    """All of them, those of the regressor's columns."""
    independent: NDArray[np.intp]
    """(b) the columns of the regressor that are kept"""
    grouping: Array
    """(b, p) G: beta = G pi"""

    def __len__(self) -> int:
        return len(self.independent)

    def values(self, pi: ArrayLike) -> Array:
        """beta = G pi: (..., b) of parameters (..., p)."""
        return np.asarray(pi, dtype=float) @ self.grouping.T

    def regressor(self, Y: Array) -> Array:
        """The columns (..., b) of a regressor (..., p) that are kept."""
        return Y[..., self.independent]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Each combination in words: `link1.Izz + 0.25 link2.m`."""
        return tuple(self._named(row, int(k)) for row, k in zip(self.grouping, self.independent, strict=True))

    @property
    def short_names(self) -> tuple[str, ...]:
        """The parameter that each combination is called after: `link1.Izz`."""
        return tuple(each.name for each in self.kept)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """SI units of the combinations."""
        return tuple(each.unit for each in self.kept)

    @property
    def kept(self) -> tuple[Parameter, ...]:
        """The parameters whose columns are kept."""
        return tuple(self.parameters[int(k)] for k in self.independent)

    @property
    def unidentifiable(self) -> tuple[str, ...]:
        """Parameters that no motion shows, alone or in any combination."""
        seen = np.abs(self.grouping).max(axis=0, initial=0.0) > 0
        return tuple(each.name for each, is_seen in zip(self.parameters, seen, strict=True) if not is_seen)

    def _named(self, row: Array, own: int) -> str:
        others = [k for k in np.flatnonzero(row).tolist() if k != own]
        said = self.parameters[own].name
        for k in others:
            size = abs(float(row[k]))
            factor = "" if abs(size - 1) < COEFFICIENT else f"{size:.6g} "
            said += f" {'-' if row[k] < 0 else '+'} {factor}{self.parameters[k].name}"
        return said


def base_parameters(
    dyn: Dynamics, *, among: Sequence[str] | None = None, samples: Array | None = None, seed: int = 0
) -> BaseParameters:
    """The base parameters of a robot.

    Args:
        dyn: the robot, its motor model, and whether friction counts.
        among: names of the parameters that may differ from zero, or their endings (`Izz`); by default all.
            The others are taken to be zero, as the offset of a symmetric link's centre of mass.
        samples: (s, n, p) a regressor to look at instead of random states: what this motion can tell.
        seed: of the random states.
    """
    allowed = _allowed(dyn.parameters, among)
    Y = _random_regressor(dyn, seed) if samples is None else np.asarray(samples, dtype=float)
    columns = Y.reshape(-1, Y.shape[-1])[:, allowed]
    kept, K = _dependencies(columns, _preference([dyn.parameters[int(k)] for k in allowed]))
    others = [k for k in range(len(allowed)) if k not in set(kept)]
    grouping = np.zeros((len(kept), len(dyn.parameters)))
    grouping[np.arange(len(kept)), allowed[kept]] = 1.0
    grouping[:, allowed[others]] = K
    return BaseParameters(dyn.parameters, allowed[kept], grouping)


def _allowed(parameters: Sequence[Parameter], among: Sequence[str] | None) -> NDArray[np.intp]:
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


def _random_regressor(dyn: Dynamics, seed: int) -> Array:
    """Y at states all over the joints' ranges, with accelerations of the size of gravity."""
    rng = np.random.default_rng(seed)
    count = STATES * (1 + len(dyn.parameters) // dyn.n)
    limits = [joint.limits.position or (-TURN, TURN) for joint in dyn.robot.joints]
    low, high = np.transpose([(a, b) if b > a else (a - 1.0, a + 1.0) for a, b in limits])
    q = rng.uniform(low, high, (count, dyn.n))
    return dyn.regressor(q, *rng.uniform(-5.0, 5.0, (2, count, dyn.n)))


def _preference(parameters: Sequence[Parameter]) -> list[int]:
    """Columns in the order in which they are kept: by kind, inner bodies before outer ones."""
    rank = {kind: k for k, kind in enumerate((*KEPT_FIRST, *COUNTED_IN_OTHERS))}
    return sorted(range(len(parameters)), key=lambda k: (rank[parameters[k].kind], k))


def _dependencies(columns: Array, preferred: Sequence[int]) -> tuple[list[int], Array]:
    """Which columns are kept, ascending, and K of the others: Y_others = Y_kept K.

    How many there are comes from a pivoted QR; which ones from a QR in the order of preference: a column of
    whom nothing new is left there is dependent on those before it.
    """
    linalg: Any = import_module("scipy.linalg")  # slow to import
    size = np.linalg.norm(columns, axis=0)
    largest = float(size.max(initial=0.0))
    felt = np.where(size > RANK * largest, size, np.inf)  # a parameter that no joint feels has no column
    scaled = columns / felt
    pivoted = np.abs(np.diag(linalg.qr(scaled, mode="r", pivoting=True)[0]))
    rank = int(np.count_nonzero(pivoted > RANK * pivoted.max(initial=0.0)))
    R = linalg.qr(scaled[:, list(preferred)], mode="r")[0][: len(preferred)]
    new = _first_independent(R, rank)
    kept = sorted(preferred[k] for k in new)
    others = [k for k in range(columns.shape[1]) if k not in set(kept)]
    K = linalg.lstsq(scaled[:, kept], scaled[:, others])[0] if others else np.zeros((len(kept), 0))
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
