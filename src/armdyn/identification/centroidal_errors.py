"""How sure centre of mass and tensor of a body are, from the covariance of its ten parameters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from armdyn.scalars import Array
from armdyn.spatial import Inertia

UPPER = np.triu_indices(3)


def centroidal_errors(body: Inertia, covariance: Array, told: NDArray[np.bool_]) -> tuple[Array, Array]:
    """Standard errors of the centre (3) [m] and of the tensor about it (3, 3) [kg m2], to first order.

    Args:
        body: what was found.
        covariance: (10, 10) of m, m c and the tensor about the origin.
        told: (10) which of them the data tell; what needs another one has an infinite error.
    """
    J = np.stack([np.concatenate(_changes(body, unit)) for unit in np.eye(10)], axis=1)
    error = np.sqrt(np.maximum(np.einsum("ab,bc,ac->a", J, covariance, J), 0.0))
    hidden = np.abs(J[:, ~told]) > 1e-12
    error = np.where(hidden.any(axis=1), np.inf, error)
    tensor = np.zeros((3, 3))
    tensor[UPPER] = error[3:]
    return error[:3], np.maximum(tensor, tensor.T)


def _changes(body: Inertia, change: Array) -> tuple[Array, Array]:
    """What a change of the ten does to the centre (3) and to the tensor about it (6).

    c = h/m:                          dc = (dh - c dm)/m
    I_c = I - (h.h 1 - h h^T)/m:      dI_c = dI - (2 c.dh - c.c dm) 1 + dh c^T + c dh^T - c c^T dm
    """
    m, c = float(body.mass), np.array(body.com, dtype=float)
    dm, dh = change[0], change[1:4]
    dI = np.zeros((3, 3))
    dI[UPPER] = change[4:]
    along = 2 * (c @ dh) - (c @ c) * dm
    tensor = dI - along * np.eye(3) + np.outer(dh, c) + np.outer(c, dh) - np.outer(c, c) * dm
    return (dh - c * dm) / m, tensor[UPPER]
