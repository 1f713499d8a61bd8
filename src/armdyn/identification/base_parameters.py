"""Base parameters: the combinations of parameters that torques depend on, found from numbers.

The columns of the regressor at random states are linearly dependent. A pivoted QR decomposition tells how
many are not; of those that could be kept the ones that people expect are, and each of the others is counted
in them: Y pi = Y_b beta, beta = G pi.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.mechanics.dependencies import COEFFICIENT, columns_among, dependencies, preference
from armdyn.mechanics.parameters import Parameter
from armdyn.scalars import Array

STATES = 20
"""Random states for each parameter and joint: many more equations than unknowns."""
MOST_PARAMETERS = 500
"""Forty-five joints: their regressor has a few hundred megabytes, and every joint more takes its square."""
TURN = np.pi
"""[rad or m] How far joints without limits are taken."""


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
        among: names of the parameters that are looked for, or their endings (`Izz`); by default all. The
            others are taken as known, as that a symmetric link's centre of mass is on its axis.
        samples: (s, n, p) a regressor to look at instead of random states: what this motion can tell.
        seed: of the random states.
    """
    if among is not None and not among:
        raise InputError("among is empty, expected names of parameters, as Izz, or none for all of them")
    if len(dyn.parameters) > MOST_PARAMETERS:
        raise InputError(
            f'robot "{dyn.robot.name}" has {len(dyn.parameters)} parameters, expected {MOST_PARAMETERS} at '
            "most to tell which of them motions show; lock joints"
        )
    allowed = columns_among(dyn.parameters, among)
    Y = _random_regressor(dyn, seed) if samples is None else np.asarray(samples, dtype=float)
    columns = Y.reshape(-1, Y.shape[-1])[:, allowed]
    kept, K = dependencies(columns, preference([dyn.parameters[int(k)] for k in allowed]))
    others = [k for k in range(len(allowed)) if k not in set(kept)]
    grouping = np.zeros((len(kept), len(dyn.parameters)))
    grouping[np.arange(len(kept)), allowed[kept]] = 1.0
    grouping[:, allowed[others]] = K
    return BaseParameters(dyn.parameters, allowed[kept], grouping)


def _random_regressor(dyn: Dynamics, seed: int) -> Array:
    """Y at states all over the joints' ranges, with accelerations of the size of gravity."""
    rng = np.random.default_rng(seed)
    count = STATES * (1 + len(dyn.parameters) // dyn.n)
    limits = [joint.limits.position or (-TURN, TURN) for joint in dyn.robot.joints]
    low, high = np.transpose([(a, b) if b > a else (a - 1.0, a + 1.0) for a, b in limits])
    q = rng.uniform(low, high, (count, dyn.n))
    return dyn.regressor(q, *rng.uniform(-5.0, 5.0, (2, count, dyn.n)))
