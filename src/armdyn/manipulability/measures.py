"""Numbers that say how well an arm can move its tool at a posture.

    w   = sqrt det J J^T                 manipulability (velocity)
    w_d = sqrt det J H^-1 H^-T J^T       dynamic manipulability (acceleration)

For a square Jacobian w = |det J| and w_d = |det J|/det H = w/det H ([Siciliano2009] Problem 7.11); for any
other w_d is no such quotient.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.manipulability.ellipsoid import Ellipsoid
from armdyn.manipulability.ellipsoids import asked
from armdyn.manipulability.limits import torque_range
from armdyn.manipulability.zonotope import inner_distance
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Measures:
    """Measures of a task at states (...); lengths in m and turns in rad, as they are."""

    manipulability: Array
    """sqrt det J J^T"""
    isotropy: Array
    """smallest over largest radius of the velocity ellipsoid"""
    least_velocity: Array
    """its smallest radius"""
    dynamic_manipulability: Array
    """sqrt det J H^-1 H^-T J^T"""
    dynamic_isotropy: Array
    """smallest over largest radius of the acceleration ellipsoid"""
    effective_mass: Array
    """largest inertia B_A that is felt along any direction; NaN where one is lost"""
    acceleration: Array | None
    """what torques within limits can give in every direction, gravity counted; negative where they cannot
    hold the arm; None where no limits are known"""


def measures(
    dyn: Dynamics,
    q: ArrayLike,
    *,
    limits: ArrayLike | None = None,
    limited: bool = True,
    threads: int | None = None,
    **task: Any,
) -> Measures:
    """Measures of a task at rest, at postures q (..., n).

    Args:
        dyn: whose arm it is, with its payload.
        q: (..., n) joint positions.
        limits: joint torques as for `acceleration_polytope`.
        limited: whether to look at limits at all; they must be known then.
        threads: how many share the batch.
        **task: `task` ("position" by default), `frame`, `at`, `angles`, `axes` as for `operational_space`.
    """
    found = dyn.operational_space(q, threads=threads, **asked(task))
    nowhere, through = np.zeros(found.drift.shape), np.swapaxes(found.freed, -1, -2)
    slow = Ellipsoid.image(found.axes, found.jacobian, nowhere)
    quick = Ellipsoid.image(found.axes, through, nowhere)
    lightest = np.linalg.eigvalsh(np.where(np.isfinite(found.mobility), found.mobility, 0.0))[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        heavy = np.where(found.singular | ~np.isfinite(found.drift).all(axis=-1), np.nan, 1 / lightest)
    able = None
    if limited:
        state = np.asarray(q, dtype=float)
        given = torque_range(dyn, state, np.zeros_like(state), limits)
        centre = found.drift - (through @ found.bias[..., None])[..., 0]
        able = inner_distance(centre, through @ given.to_joints, given.lower, given.upper)
    return Measures(
        slow.measure, slow.isotropy, slow.radii[..., -1], quick.measure, quick.isotropy, heavy, able
    )
