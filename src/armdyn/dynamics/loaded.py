"""Accelerations where friction depends on the load, and so on the acceleration itself.

The loads on joints and rotors are u = H_u qdd + u0 and w = H_w qdd + w0, and the motion obeys
u + w + f(u, w) = tau. Newton's method solves it; the law is piecewise linear in the loads, so
the iteration ends when their signs settle.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.traced import Nodes, Run, Traced
from armdyn.mechanics import friction, newton_euler
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape
from armdyn.scalars.derivatives import jacobian
from armdyn.spatial.vector import ZERO

SETTLED = 1e-12
"""Relative step below which the accelerations no longer change."""


def accelerations_under_load(
    traced: Traced,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    at: Sequence[float] | None,
    threads: int | None,
    **inputs: ArrayLike | None,
) -> Array:
    """qdd (..., n); NaN in a row where the mass matrix is singular or an input is not finite."""
    n = traced.n

    def split(x: Nodes) -> list[Any]:
        return _load_split(traced, x, at)

    def law(x: Nodes) -> list[Any]:
        return _friction_law(traced, x)

    run: Run = {"threads": threads}
    parts = traced.evaluate(("loads", at), split, (2 * n + 2 * n * n,), run, q=q, qd=qd, **inputs)
    (u0, w0), (Hu, Hw) = _vectors(parts, n, 2), _matrices(parts, n)
    target = traced.array("tau", tau)
    batch_shape({"q": u0, "tau": target})
    qdd = solve_rows(Hu + Hw, target - u0 - w0)
    for _ in range(4 * n + 8):  # every sign may change several times
        u, w = _times(Hu, qdd) + u0, _times(Hw, qdd) + w0
        values = traced.evaluate(("friction law",), law, (n + 2 * n * n,), run, q=q, qd=qd, u=u, w=w)
        (f,), (Fu, Fw) = _vectors(values, n, 1), _matrices(values, n)
        step = solve_rows(Hu + Hw + Fu @ Hu + Fw @ Hw, target - u - w - f)
        qdd = qdd + step
        if not np.any(np.abs(step) > SETTLED * (1.0 + np.abs(qdd))):
            break
    return qdd


def _load_split(traced: Traced, x: Nodes, at: Sequence[float] | None) -> list[Any]:
    """u0, w0, d u/d qdd, d w/d qdd."""
    rest = traced.loads(x, x["qd"], None, at)
    qdd = x["q"][0].graph.inputs("qdd", traced.n)
    moving = newton_euler.inverse_dynamics(traced.tree.at_rest(), x["q"], None, qdd, gravity=ZERO)
    slopes = [e for loads in (moving.joint, moving.drive) for row in jacobian(loads, qdd) for e in row]
    return [*rest.joint, *rest.drive, *slopes]


def _friction_law(traced: Traced, x: Nodes) -> list[Any]:
    """f, d f/d u, d f/d w."""
    f = friction.friction_torques(traced.robot, x["q"], x["qd"], x["u"], x["w"])
    return [*f, *(e for loads in (x["u"], x["w"]) for row in jacobian(f, loads) for e in row)]


def _vectors(values: Array, n: int, count: int) -> list[Array]:
    return [values[..., k * n : (k + 1) * n] for k in range(count)]


def _matrices(values: Array, n: int) -> list[Array]:
    """The two n x n matrices that end a row."""
    tail = values[..., values.shape[-1] - 2 * n * n :].reshape((*values.shape[:-1], 2, n, n))
    return [tail[..., 0, :, :], tail[..., 1, :, :]]


def _times(H: Array, x: Array) -> Array:
    return (H @ x[..., None])[..., 0]


def solve_rows(H: Array, b: Array) -> Array:
    """x of H x = b for every row; NaN where H is singular or anything is not finite."""
    batch = np.broadcast_shapes(H.shape[:-2], b.shape[:-1])
    A, y = np.broadcast_to(H, (*batch, *H.shape[-2:])), np.broadcast_to(b, (*batch, b.shape[-1]))
    finite: Any = np.isfinite(A).all(axis=(-1, -2)) & np.isfinite(y).all(axis=-1)
    identity = np.eye(A.shape[-1])
    with np.errstate(all="ignore"):
        good: Any = finite & (np.linalg.det(np.where(finite[..., None, None], A, identity)) != 0)
        x = np.linalg.solve(np.where(good[..., None, None], A, identity), y[..., None])[..., 0]
    return np.where(good[..., None], x, np.nan)
