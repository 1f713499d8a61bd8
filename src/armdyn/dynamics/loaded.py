"""Accelerations where friction depends on the load, and so on the acceleration itself.

The motion obeys tau(q, qd, qdd) = tau with friction under the loads that qdd itself causes. The law is
piecewise linear in the loads, so that Newton's method ends when their signs settle: for nearly all states
after a few compiled steps. Where signs go round in circles, shorter steps lead out; for those the loads on
joints and rotors are written as u = H_u qdd + u0 and w = H_w qdd + w0, with u + w + f(u, w) = tau.
Derivatives follow from those of the torques: d qdd/d x = -(d tau/d qdd)^-1 d tau/d x.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
    flat = {name: _one_row_each(x, batch) for name, x in inputs.items()}
    qdd, left = _by_full_steps(evaluate, flat)
    if len(left):
        qdd[left] = _by_shorter_steps(evaluate, {name: x[left] for name, x in flat.items()})
    return (qdd.reshape((*batch, qdd.shape[-1])),)


def _by_full_steps(evaluate: Evaluate, inputs: Inputs) -> tuple[Array, NDArray[np.intp]]:
    """Newton's method from rest; accelerations, and the rows that have not settled."""
    tau = inputs["tau"]
    found, qdd = np.full_like(tau, np.nan), np.zeros_like(tau)
    rows: Any = np.arange(len(tau))
    here = inputs
    for _ in range(2 * tau.shape[-1] + 4):
        following, residual = evaluate("load step", {**here, "qdd": qdd})
        settled: Any = np.abs(residual).max(axis=-1) <= _allowed(here["tau"])
        found[rows[settled]] = qdd[settled]
        going: Any = ~settled
        rows, qdd = rows[going], following[going]
        if not len(rows):
            break
        if settled.any():
            here = {name: x[going] for name, x in here.items()}
    return found, rows


def _allowed(tau: Array) -> Array:
    """The residual torque at which an acceleration is exact."""
    return SETTLED * (1.0 + np.abs(tau).max(axis=-1, initial=0.0))


def _by_shorter_steps(evaluate: Evaluate, inputs: Inputs) -> Array:
    """Newton's method with steps of changing length, row by row until its torque is met."""
    tau, state = inputs["tau"], {name: inputs[name] for name in ("q", "qd")}
    u0, w0, Hu, Hw = evaluate("loads", _without_torque(inputs))
    n = tau.shape[-1]
    qdd = solve_rows(Hu + Hw, tau - u0 - w0)
    best, smallest = np.full_like(qdd, np.nan), np.full(len(qdd), np.inf)
    allowed = _allowed(tau)
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


def _one_row_each(x: Array, batch: tuple[int, ...]) -> Array:
    """An input with one row for every state of the batch."""
    return np.broadcast_to(x, (*batch, x.shape[-1])).reshape((-1, x.shape[-1]))


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
