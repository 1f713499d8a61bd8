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
from armdyn.dynamics.operational_space import OperationalSpace
from armdyn.errors import InputError, suggestion
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
    slow, quick = _radii(found.jacobian), _radii(np.swapaxes(found.freed, -1, -2))
    lightest = np.linalg.eigvalsh(np.where(np.isfinite(found.mobility), found.mobility, 0.0))[..., 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        heavy = np.where(found.singular | np.isnan(slow[..., 0]), np.nan, 1 / lightest)
    return Measures(
        np.prod(slow, axis=-1),
        _isotropy(slow),
        slow[..., -1],
        np.prod(quick, axis=-1),
        _isotropy(quick),
        heavy,
        guaranteed_acceleration(dyn, q, found, limits) if limited else None,
    )


MEASURES = (
    "manipulability",
    "isotropy",
    "least_velocity",
    "dynamic_manipulability",
    "dynamic_isotropy",
    "acceleration",
)
"""What `measure` knows by name."""


def measure(dyn: Dynamics, q: ArrayLike, name: str, limits: ArrayLike | None = None, **task: Any) -> Array:
    """One of the measures (...), for less than all of them."""
    if name not in MEASURES:
        raise InputError(
            f'no measure "{name}"; {suggestion(str(name), MEASURES)}expected of {", ".join(MEASURES)}'
        )
    found = dyn.operational_space(q, **asked(task))
    if name == "acceleration":
        return guaranteed_acceleration(dyn, q, found, limits)
    radii = _radii(np.swapaxes(found.freed, -1, -2) if "dynamic" in name else found.jacobian)
    if name == "least_velocity":
        return radii[..., -1]
    return _isotropy(radii) if "isotropy" in name else np.prod(radii, axis=-1)


def guaranteed_acceleration(
    dyn: Dynamics, q: ArrayLike, found: OperationalSpace, limits: ArrayLike | None = None
) -> Array:
    """(...) what torques within limits give in every direction, at rest: the polytope's inner radius."""
    state, through = np.asarray(q, dtype=float), np.swapaxes(found.freed, -1, -2)
    given = torque_range(dyn, state, np.zeros_like(state), limits)
    centre = found.drift - (through @ found.bias[..., None])[..., 0]
    return inner_distance(centre, through @ given.to_joints, given.lower, given.upper)


def _radii(map_: Array) -> Array:
    """(..., m) of the unit ball's image, the largest first; NaN where the map (..., m, k) is."""
    usable: Any = np.isfinite(map_).all(axis=(-2, -1))
    s = np.linalg.svd(np.where(usable[..., None, None], map_, 0.0), compute_uv=False)
    missing = np.zeros((*s.shape[:-1], map_.shape[-2] - s.shape[-1]))
    return np.where(usable[..., None], np.concatenate([s, missing], axis=-1), np.nan)


def _isotropy(radii: Array) -> Array:
    large = radii[..., 0]
    return np.where(large > 0, radii[..., -1] / np.where(large > 0, large, 1.0), large)
