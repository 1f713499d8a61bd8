"""How good an identification is: torques joint by joint, base parameters by how well they are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.identification.identified import Compared, Identified
from armdyn.identification.warnings import UNSURE
from armdyn.scalars import Array

WELL = 0.1
"""Relative standard error up to which a base parameter is known well; beyond UNSURE it is hardly known."""
Knowledge = Literal["well", "roughly", "hardly", "not told"]


@dataclass(frozen=True)
class JointFit:
    """Measured against predicted torques of one joint, all of one unit."""

    number: int
    name: str
    unit: str
    peak: float
    """Largest torque measured"""
    rms: float
    """Of what is not explained; NaN if the joint did not move"""
    noise: float
    """Standard deviation of the noise, degrees of freedom counted"""
    validation_rms: float | None
    validation_peak: float | None

    @property
    def share(self) -> float:
        """rms as a share of the largest torque."""
        return _share(self.rms, self.peak)

    @property
    def validation_share(self) -> float:
        """The same of the second log."""
        if self.validation_rms is None or self.validation_peak is None:
            return np.nan
        return _share(self.validation_rms, self.validation_peak)


def joint_fits(found: Identified) -> tuple[JointFit, ...]:
    """Of every joint."""
    rms, noise, peak = found.residual_rms, found.estimate.noise.deviation, _peak(found.compared)
    checked = found.validation
    beyond = None if checked is None else _peak([checked])
    return tuple(
        JointFit(
            j + 1,
            joint.name,
            effort_unit(found, j),
            float(peak[j]),
            float(rms[j]),
            float(noise[j]),
            None if checked is None else float(checked.rms[j]),
            None if beyond is None else float(beyond[j]),
        )
        for j, joint in enumerate(found.prior.joints)
    )


def effort_unit(found: Identified, j: int) -> str:
    """Of what joint j takes."""
    return "N" if found.prior.joints[j].kind == "prismatic" else "N m"


def known(found: Identified) -> tuple[Knowledge, ...]:
    """How well each base parameter is known."""
    each = zip(found.relative_deviation.tolist(), told(found).tolist(), strict=True)
    return tuple(_known(share) if is_told else "not told" for share, is_told in each)


def told(found: Identified) -> NDArray[np.bool_]:
    """(b) which base parameters the data tell."""
    return np.isfinite(found.standard_error)


def prior_parameters(found: Identified) -> Array:
    """(p) the parameters of the robot file."""
    return Dynamics(found.prior, found.dyn.motors, friction=found.dyn.friction).parameter_values


def _known(share: float) -> Knowledge:
    return "well" if share <= WELL else "roughly" if share <= UNSURE else "hardly"


def _peak(compared: Sequence[Compared]) -> Array:
    return np.max([np.abs(each.observed.observations.tau).max(axis=0) for each in compared], axis=0)


def _share(rms: float, peak: float) -> float:
    return rms / peak if peak > 0 else np.nan
