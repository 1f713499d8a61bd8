"""Derivatives of what a state gives, pulled back to the state, from finite differences that are nearly exact.

Torques are linear in qdd and quadratic in qd, so that differences there have no error but rounding. Those in
qd go away from zero, where dry friction jumps.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from armdyn.identification.excitation.course import Motion
from armdyn.scalars import Array

STEP = 1e-5
"""[rad or m] Of positions: their error is of its square, 1e-10."""
SPEED_STEP = 0.5
"""[rad/s or m/s] Any will do; this one is of the size of the speeds."""


def pulled_back(value: Callable[[Array, Array, Array], Array], state: Motion, weights: Array) -> Motion:
    """The gradients (t, n) of sum(weights * value(q, qd, qdd)) with respect to q, qd and qdd.

    Args:
        value: of states (..., n); at most quadratic in qd, linear in qdd.
        state: q, qd, qdd, each (t, n).
        weights: of the shape of the values.
    """
    q, qd, qdd = state
    t, n = q.shape
    units = np.eye(n)[:, None, :]  # (n, 1, n): one joint at a time
    away = np.where(qd < 0, -SPEED_STEP, SPEED_STEP)
    places = np.stack([q + STEP * units, q - STEP * units])
    speeds = np.stack([qd + away * units, qd + 2 * away * units])
    moved = (
        np.concatenate([q[None], *places, np.broadcast_to(q, (3 * n, t, n))]),
        np.concatenate([np.broadcast_to(qd, (2 * n + 1, t, n)), *speeds, np.broadcast_to(qd, (n, t, n))]),
        np.concatenate([np.broadcast_to(qdd, (4 * n + 1, t, n)), qdd + units]),
    )
    values = value(*moved)
    found = np.einsum("stk,tk->st", values.reshape(len(values), t, -1), weights.reshape(t, -1))
    here, up, down, near, far, faster = np.split(found, [1, n + 1, 2 * n + 1, 3 * n + 1, 4 * n + 1])
    by_q = (up - down) / (2 * STEP)
    by_qd = (-3 * here + 4 * near - far) / (2 * away.T)  # exact for a parabola
    return by_q.T, by_qd.T, (faster - here).T
