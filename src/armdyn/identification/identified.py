"""What an identification has found: parameters with their errors, and a robot that has them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.formats import save
from armdyn.identification.base_parameters import BaseParameters
from armdyn.identification.estimation.essential import essential
from armdyn.identification.estimation.estimate import Estimate
from armdyn.identification.estimation.observations import Observations
from armdyn.identification.observing import Observed
from armdyn.identification.payload import PayloadFound
from armdyn.robot import Estimated, Robot
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Compared:
    """A log: its torques as they were measured and as they are predicted."""

    name: str
    observed: Observed
    beta: Array
    """What they are predicted by"""

    @property
    def measured(self) -> Array:
        """(t, n) torques."""
        return self.observed.measured

    @cached_property
    def predicted(self) -> Array:
        """(t, n) torques."""
        return self.observed.predicted(self.beta)

    @cached_property
    def residuals(self) -> Array:
        """(t, n) of the equations, measured less predicted, without instants at which a joint may stick."""
        return self.observed.observations.residuals(self.beta)

    @cached_property
    def rms(self) -> Array:
        """(n) root mean square of the residuals."""
        return rms(self.observed.observations, self.residuals)

    def expected(self, found: Estimate) -> Array:
        """(n) the root mean square that noise and what an estimate does not know well make likely."""
        spread = found.covariance[: len(self.beta), : len(self.beta)]
        seen = self.observed.observations
        unsure = [np.einsum("tjb,bc,tjc->j", Y, spread, Y, optimize=True) for _, Y, _ in seen.chunks()]
        usual = np.maximum(found.noise.deviation, found.rms)
        return np.sqrt(usual**2 + np.sum(unsure, axis=0) / np.maximum(seen.rows, 1))


@dataclass(frozen=True, eq=False)
class Validation(Compared):
    """A second log, predicted by the robot that was found."""


@dataclass(frozen=True, eq=False)
class Identified:
    """The result of `identify`."""

    prior: Robot
    """What was known before"""
    robot: Robot
    """With the parameters found, all of which a robot can have, and their uncertainties"""
    dyn: Dynamics
    """Of the prior: its motor model, its regressor"""
    base: BaseParameters
    estimate: Estimate
    """Of the base parameters, payload after them"""
    pi: Array
    """(p) all parameters of the robot found"""
    misfit: float
    """Chi-square that bodies that exist cost"""
    seen: tuple[tuple[str, Observed], ...]
    """Name and observations of each log that the estimate comes from, the one with the payload last"""
    observations: Observations
    """Of all logs together"""
    logs: tuple[str, ...]
    validation: Validation | None
    payload: PayloadFound | None
    warnings: tuple[str, ...]
    notes: tuple[str, ...]

    @cached_property
    def compared(self) -> tuple[Compared, ...]:
        """The logs that the estimate comes from, predicted by it."""
        return tuple(Compared(name, each, self.estimate.beta) for name, each in self.seen)

    @property
    def beta(self) -> Array:
        """(b) base parameters by least squares."""
        return self.estimate.beta[: len(self.base)]

    @property
    def standard_error(self) -> Array:
        """(b) of the base parameters; infinite where the data do not show one."""
        return self.estimate.standard_error[: len(self.base)]

    @property
    def relative_deviation(self) -> Array:
        """(b) standard errors as shares of the base parameters."""
        size = np.abs(self.beta)
        return np.divide(self.standard_error, size, out=np.full_like(size, np.inf), where=size > 0)

    @property
    def observed(self) -> Observed:
        """The first log."""
        return self.seen[0][1]

    @property
    def condition_number(self) -> float:
        """Of the weighted regressor of the base parameters, its columns brought to one size."""
        system = self.estimate.system
        return replace(system, A=system.A[:, : len(self.base)]).condition_number

    @property
    def residual_rms(self) -> Array:
        """(n) root mean square of measured less predicted torques, where a joint surely moves."""
        return rms(self.observations, self.estimate.residuals)

    @cached_property
    def essential(self) -> NDArray[np.intp]:
        """Positions of the fewest base parameters that predict the torques to within one percent as well."""
        system = self.estimate.system
        squares = float(np.sum(system.weights * self.estimate.factors.residual_sums(self.estimate.beta)))
        found = essential(system, squares)
        return found[found < len(self.base)]

    @cached_property
    def base_estimates(self) -> tuple[Estimated, ...]:
        """The base parameters by name, with their standard errors."""
        return estimates_of(self.base, self.beta, self.standard_error)

    def save(self, path: str | os.PathLike[str]) -> tuple[str, ...]:
        """Write the robot to a .toml file, uncertainties and all; a .urdf file cannot hold them."""
        return save(self.robot, path)

    def write_report(self, path: str | os.PathLike[str]) -> None:
        """Write a report for a browser: measured against predicted torques, parameters, warnings."""
        from armdyn.identification.report import write_report

        write_report(self, path)

    def draw(self, path: str | os.PathLike[str]) -> None:
        """Draw measured against predicted torques: .svg, .png or .pdf."""
        from armdyn.identification.figures import draw_torques

        draw_torques(self, path)

    def document(self) -> dict[str, Any]:
        """What the command line prints as JSON."""
        essential_names = {self.base.short_names[int(k)] for k in self.essential}
        document: dict[str, Any] = {
            "robot": self.prior.name,
            "method": self.estimate.method,
            "motors": self.dyn.motors,
            "friction": "on" if self.dyn.friction else "off",
            "samples": len(self.observations),
            "cutoff": self.observed.samples.cutoff,
            "condition_number": self.condition_number,
            "parameters": self._parameters(),
            "base_parameters": [
                {**vars(each), "relative_deviation": _finite(share), "essential": short in essential_names}
                for each, share, short in zip(
                    self.base_estimates, self.relative_deviation, self.base.short_names, strict=True
                )
            ],
            "residual_rms": self.residual_rms,
            "validation_rms": None if self.validation is None else self.validation.rms,
            "misfit": self.misfit,
            "warnings": list(self.warnings),
            "notes": list(self.notes),
        }
        if self.payload is not None:
            document["payload"] = self.payload.document()
        return document

    def _parameters(self) -> list[dict[str, Any]]:
        """All parameters of the robot found; errors of those that are base parameters by themselves."""
        alone = {
            int(k): i
            for i, k in enumerate(self.base.independent)
            if np.count_nonzero(self.base.grouping[i]) == 1
        }
        return [
            {
                "name": each.name,
                "value": float(self.pi[k]),
                "standard_error": _finite(self.standard_error[alone[k]]) if k in alone else None,
                "unit": each.unit,
            }
            for k, each in enumerate(self.dyn.parameters)
        ]


def estimates_of(base: BaseParameters, beta: Array, error: Array) -> tuple[Estimated, ...]:
    """Base parameters by name, with their standard errors."""
    each = zip(base.names, beta, error, base.units, strict=True)
    return tuple(Estimated(name, float(value), _finite(e), unit) for name, value, e, unit in each)


def rms(found: Observations, residuals: Array) -> Array:
    """(n) root mean square of residuals over the rows that count; NaN without any."""
    squares = np.sum(np.where(found.used, residuals, 0.0) ** 2, axis=0)
    return np.sqrt(np.divide(squares, found.rows, out=np.full(found.n, np.nan), where=found.rows > 0))


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
