"""Triangular factors: all that least squares need to know of any number of samples.

The rows of joint j, [Y_j tau_j], enter only through R_j of their QR decomposition: the same sums of squares
for every beta, |Y_j beta - tau_j| = |R_j (beta, -1)|. Decomposed chunk by chunk, they never stand together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from armdyn.identification.estimation.decompositions import triangle
from armdyn.identification.estimation.observations import Observations
from armdyn.scalars import Array


@dataclass(frozen=True)
class Factors:
    """R_j of every joint: (n, b + 1, b + 1), the last column that of the torques."""

    R: Array
    rows: NDArray[np.intp]
    """(n) how many equations stand behind each"""

    @property
    def unknowns(self) -> int:
        """b."""
        return self.R.shape[-1] - 1

    def of_joint(self, j: int) -> tuple[Array, Array]:
        """Coefficients (b + 1, b) and right side (b + 1) of one joint's equations."""
        return self.R[j, :, :-1], self.R[j, :, -1]

    def stacked(self, deviation: Array) -> tuple[Array, Array]:
        """Coefficients (b + 1, b) and right side (b + 1) of all equations, joints in units of deviation.

        A joint of which nothing counts has no equations, whatever its deviation.
        """
        scale = np.where(self.rows > 0, 1.0 / np.where(deviation > 0, deviation, 1.0), 0.0)
        b = self.unknowns
        R = triangle((self.R * scale[:, None, None]).reshape(-1, b + 1))
        return R[:, :b], R[:, b]

    def residual_sums(self, beta: Array) -> Array:
        """(n) sums of squared residuals of each joint."""
        return np.sum((self.R @ np.append(beta, -1.0)) ** 2, axis=-1)


def factors(observations: Observations, root_weights: Array | None = None) -> Factors:
    """The factors of all samples, each row multiplied by its root of a weight (t, n) if given."""
    b = observations.unknowns
    found = np.zeros((observations.n, b + 1, b + 1))
    for part, Y, tau in observations.chunks():
        rows = np.concatenate([Y, tau[..., None]], axis=-1)
        if root_weights is not None:
            rows = rows * root_weights[part][..., None]
        found = triangle(np.concatenate([found, np.swapaxes(rows, 0, 1)], axis=1))
    return Factors(found, observations.rows)
