"""Derivatives of accelerations where dry friction depends on the load, or holds something.

They follow from those of the torques, d qdd/d x = -H^-1 d tau/d x; what sticks goes on sticking, and friction
there takes what that needs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from armdyn.dynamics.model import Model
from armdyn.dynamics.quantity import Evaluate
from armdyn.dynamics.row_systems import solve_columns
from armdyn.dynamics.sticking import Inputs, at_rest, without_torque
from armdyn.scalars import Array

STIFFNESS, RELEASES = 1e4, 4
"""Of springs relative to inertia, and how often they are released: each time they yield by 1e-4."""


def forward_derivatives(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """d qdd/d q, d qdd/d qd, d qdd/d tau; what sticks goes on sticking."""
    caused = _caused_motion(model, evaluate, inputs)
    by_q, by_qd, *_ = caused.slopes
    units = np.broadcast_to(np.eye(model.n), by_q.shape)
    together = caused.compensating(np.concatenate([-by_q, -by_qd, units], axis=-1))
    by_q, by_qd, by_tau = np.split(together, 3, axis=-1)
    return by_q, by_qd, by_tau


def linearisation(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """A and B of (q, qd)' = (qd, qdd(q, qd, tau))."""
    by_q, by_qd, by_tau = forward_derivatives(model, evaluate, inputs)
    # zero times a slope: no number where the slope is none
    nothing = 0.0 * by_tau
    A = np.block([[nothing, nothing + np.eye(model.n)], [by_q, by_qd]])
    return A, np.concatenate([nothing, by_tau], axis=-2)


def forward_parameter_derivatives(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """d qdd/d pi."""
    caused = _caused_motion(model, evaluate, inputs)
    (by_parameters,) = evaluate("friction parameter slopes", caused.motion)
    *rows, bodies, each = by_parameters.shape
    columns = by_parameters.reshape((*rows, bodies * each))
    return (caused.compensating(-columns).reshape(by_parameters.shape),)


@dataclass(frozen=True)
class _CausedMotion:
    """The motion that the given torques cause, and the slopes of the torques there."""

    motion: Inputs
    slopes: tuple[Array, ...]
    """d tau/d q, d tau/d qd, H = d tau/d qdd, B = d tau/d held, and G, the gradients of the points"""
    stiffness: Array
    """(..., points): of a spring in place of friction where it sticks, 0 elsewhere"""

    def compensating(self, columns: Array) -> Array:
        """x of H x + B f = columns with G x = 0 where something sticks, and f = 0 elsewhere.

        Springs hold what sticks, and each time f takes over what they took.
        """
        *_, H, B, G = self.slopes
        spring = self.stiffness[..., None] * G
        change, force = np.zeros_like(columns), np.zeros((*G.shape[:-1], columns.shape[-1]))
        for _ in range(RELEASES if self.stiffness.any() else 1):
            change = solve_columns(H + B @ spring, columns - B @ force)
            force = force + spring @ change
        return change


def _caused_motion(model: Model, evaluate: Evaluate, inputs: Inputs) -> _CausedMotion:
    rest = at_rest(model, evaluate, inputs)
    motion = {**without_torque(inputs), "qdd": rest.qdd, "held": rest.held}
    slopes = evaluate("friction slopes", motion)
    *_, H, _, G = slopes
    inertia = np.abs(np.diagonal(H, axis1=-2, axis2=-1))[..., None, :]
    with np.errstate(all="ignore"):
        stiffness = STIFFNESS / (G * G / inertia).sum(axis=-1)
    return _CausedMotion(motion, slopes, np.where(rest.sticking == 1, stiffness, 0.0))
