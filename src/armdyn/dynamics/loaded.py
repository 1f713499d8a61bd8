"""Accelerations where friction depends on the load, and so on the acceleration itself.

The loads on joints and rotors are u = H_u qdd + u0 and w = H_w qdd + w0, and the motion obeys
u + w + f(u, w) = tau. Newton's method solves it; the law is piecewise linear in the loads, so
the iteration ends when their signs settle. Derivatives follow from those of the torques there:
d qdd/d x = -(d tau/d qdd)^-1 d tau/d x.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from armdyn.dynamics.quantity import Evaluate
from armdyn.dynamics.row_systems import solve_columns, solve_rows
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape

SETTLED = 1e-13
"""Residual torque, relative to the torque, at which an acceleration is exact."""
FOUND = 1e3
"""How far from that an acceleration may stay and still be given."""
ATTEMPTS = 200
"""Steps after which a state that is not that near gets no number."""

Inputs = Mapping[str, Array]


def accelerations_under_load(evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """qdd (..., n); NaN in a row where H is singular, an input is not finite, or nothing was found."""
    batch = batch_shape(inputs)
    state = {name: _one_row_each(inputs[name], batch, 1) for name in ("q", "qd")}
    u0, w0, Hu, Hw = evaluate("loads", _without_torque(inputs))
    loads = [_one_row_each(x, batch, axes) for x, axes in ((u0, 1), (w0, 1), (Hu, 2), (Hw, 2))]
    tau = _one_row_each(inputs["tau"], batch, 1)
    return (_solved(evaluate, state, tau, *loads).reshape((*batch, tau.shape[-1])),)


def _solved(
    evaluate: Evaluate, state: Inputs, tau: Array, u0: Array, w0: Array, Hu: Array, Hw: Array
) -> Array:
    """Newton's method, row by row until its torque is met."""
    n = tau.shape[-1]
    qdd = solve_rows(Hu + Hw, tau - u0 - w0)
    best, smallest = np.full_like(qdd, np.nan), np.full(len(qdd), np.inf)
    allowed = SETTLED * (1.0 + np.abs(tau).max(axis=-1, initial=0.0))
    rows = np.flatnonzero(np.isfinite(qdd).all(axis=-1))
    for attempt in range(ATTEMPTS):
        if not len(rows):
            break
        u, w = _times(Hu[rows], qdd[rows]) + u0[rows], _times(Hw[rows], qdd[rows]) + w0[rows]
        f, Fu, Fw = evaluate("friction law", {**{k: x[rows] for k, x in state.items()}, "u": u, "w": w})
        residual = tau[rows] - u - w - f
        size = np.abs(residual).max(axis=-1)
        better = rows[size < smallest[rows]]
        best[better] = qdd[better]
        smallest[rows] = np.fmin(size, smallest[rows])
        # full steps end where signs settle; where they go round in circles, shorter ones lead out
        length = 1.0 if attempt < 2 * n + 4 else 0.3 + 0.6 * ((attempt * 0.618) % 1.0)
        qdd[rows] += length * solve_rows((Hu + Hw)[rows] + Fu @ Hu[rows] + Fw @ Hw[rows], residual)
        rows = rows[(smallest[rows] > allowed[rows]) & np.isfinite(qdd[rows]).all(axis=-1)]
    best[smallest > FOUND * allowed] = np.nan
    return best


def _one_row_each(x: Array, batch: tuple[int, ...], axes: int) -> Array:
    """An array whose last axes belong to one state, with one row for every state of the batch."""
    own = x.shape[x.ndim - axes :]
    return np.broadcast_to(x, (*batch, *own)).reshape((-1, *own))


def _times(H: Array, x: Array) -> Array:
    return (H @ x[..., None])[..., 0]


# Derivatives ----------------------------------------------------------------------------------


def forward_derivatives_under_load(evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """d qdd/d q, d qdd/d qd, d qdd/d tau."""
    by_q, by_qd, H = evaluate("inverse_derivatives", _at_acceleration(evaluate, inputs))
    n = H.shape[-1]
    units = np.broadcast_to(np.eye(n), H.shape)
    together = solve_columns(H, np.concatenate([-by_q, -by_qd, units], axis=-1))
    return together[..., :n], together[..., n : 2 * n], together[..., 2 * n :]


def linearisation_under_load(evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """A and B of (q, qd)' = (qd, qdd(q, qd, tau))."""
    by_q, by_qd, by_tau = forward_derivatives_under_load(evaluate, inputs)
    # zero times a slope: no number where the slope is none
    nothing = 0.0 * by_tau
    A = np.block([[nothing, nothing + np.eye(by_tau.shape[-1])], [by_q, by_qd]])
    return A, np.concatenate([nothing, by_tau], axis=-2)


def forward_parameter_derivatives_under_load(evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """d qdd/d pi."""
    moving = _at_acceleration(evaluate, inputs)
    (by_parameters,) = evaluate("inverse_parameter_derivatives", moving)
    *_, H = evaluate("inverse_derivatives", moving)
    *rows, bodies, each = by_parameters.shape
    columns = by_parameters.reshape((*rows, bodies * each))
    return (solve_columns(H, -columns).reshape(by_parameters.shape),)


def _at_acceleration(evaluate: Evaluate, inputs: Inputs) -> Inputs:
    """The motion that the given torques cause, as inputs of what torques depend on."""
    (qdd,) = accelerations_under_load(evaluate, inputs)
    return {**_without_torque(inputs), "qdd": qdd}


def _without_torque(inputs: Inputs) -> Inputs:
    return {name: x for name, x in inputs.items() if name != "tau"}
