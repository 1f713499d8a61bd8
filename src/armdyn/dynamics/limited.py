"""What motors with limits can give, where the compiled steps do not settle it (`quantities.limited`).

That is where friction holds what a saturated motor cannot start, and where load-dependent friction changes
its pieces again and again. Torques are then looked for instead of accelerations: whatever lies within the
limits causes some motion, sticking included (`forward`), and a motor whose shaft lags is given more until
none does or it is at its limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armdyn.dynamics.model import Model
from armdyn.dynamics.quantity import Evaluate
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape

ATTEMPTS = 200
"""Steps after which torques are given as they are: inside their limits, with the motion that they cause."""
NEAR = 1e-12
"""What a motor's shaft may lack of its acceleration, relative to those demanded and caused."""
OUTSIDE = ("wrench", "at", "base")

Inputs = Mapping[str, Array]


def limited_accelerations(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """Accelerations, motor torques, and which limits these are at, of states (...)."""
    batch = batch_shape(inputs)
    rows = {
        name: np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1]) for name, x in inputs.items()
    }
    states = ({name: x[k] for name, x in rows.items()} for k in range(len(rows["q"])))
    found = [_limited(model, evaluate, state) for state in states]
    columns = zip(*found, strict=True)
    return tuple(np.array(column).reshape((*batch, model.n)) for column in columns)


def _limited(model: Model, evaluate: Evaluate, state: Inputs) -> tuple[Array, Array, Array]:
    outside = {name: state[name] for name in OUTSIDE if name in state}
    q, qd, demand, lower, upper = (state[name] for name in ("q", "qd", "qdd", "lower", "upper"))
    (K,) = evaluate("gear_matrix", {"q": q}) if model.robot.drives else (np.eye(model.n),)
    (H,) = evaluate("mass_matrix", {"q": q})
    freedom = K @ np.linalg.solve(H, K.T)
    (asked,) = evaluate("motor_demand", {"q": q, "qd": qd, "qdd": demand, **outside})
    u = np.clip(asked, lower, upper)
    qdd = demand
    for _ in range(ATTEMPTS):
        (qdd,) = evaluate("forward", {"q": q, "qd": qd, "tau": K.T @ u, **outside})
        lacking = K @ (demand - qdd)
        if not np.isfinite(lacking).all():
            lost = np.full(model.n, np.nan)
            return lost, lost, lost
        free = ((lacking > 0) & (u < upper)) | ((lacking < 0) & (u > lower))
        sizes = np.abs(K) @ (np.abs(demand) + np.abs(qdd))
        if not free.any() or (np.abs(lacking) <= NEAR * sizes)[free].all():
            break
        more = np.linalg.solve(freedom[np.ix_(free, free)], lacking[free])
        u = u.copy()
        u[free] = np.clip(u[free] + more, lower[free], upper[free])
    at: Any = np.where(u >= upper, 1.0, np.where(u <= lower, -1.0, 0.0))
    return qdd, u, at
