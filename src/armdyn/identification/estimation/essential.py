"""Essential parameters: the fewest found that predict the torques nearly as well as all.

One after the other, the parameter whose loss costs least is taken to be zero, the others estimated anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from armdyn.identification.estimation.least_squares import System
from armdyn.scalars import Array

WORSE = 0.01
"""By how much the root mean square of the residuals may grow, as a share."""


def essential(system: System, squares: float) -> NDArray[np.intp]:
    """The parameters that are needed, ascending; `squares` sums the squared residuals with all of them."""
    kept = list(range(system.A.shape[1]))
    allowed = squares * ((1 + WORSE) ** 2 - 1)
    while len(kept) > 1:
        costs = _costs(system.A[:, kept], system.y)
        cheapest = int(np.argmin(costs))
        if costs[cheapest] > allowed:
            break
        allowed -= float(costs[cheapest])
        del kept[cheapest]
    return np.array(kept, dtype=np.intp)


def _costs(A: Array, y: Array) -> Array:
    """What squares grow by without each: beta_k^2 / (A^T A)^-1_kk; nothing if A does not show it."""
    U, s, Vt = np.linalg.svd(A, full_matrices=False)
    shown = s > 1e-10 * s[0]
    beta = Vt[shown].T @ ((U[:, shown].T @ y) / s[shown])
    spread = np.sum((Vt[shown].T / s[shown]) ** 2, axis=1)
    hidden = np.sum(Vt[~shown] ** 2, axis=0) > 1e-9
    return np.where(hidden, 0.0, np.divide(beta**2, spread, out=np.zeros_like(beta), where=spread > 0))
