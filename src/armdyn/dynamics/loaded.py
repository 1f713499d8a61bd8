"""Accelerations where friction depends on the load, and so on the acceleration itself.

The loads on joints and rotors are u = H_u qdd + u0 and w = H_w qdd + w0, and the motion obeys
u + w + f(u, w) = tau. Newton's method solves it; the law is piecewise linear in the loads, so
the iteration ends when their signs settle.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics.traced import Nodes, Run, Traced
from armdyn.mechanics import friction
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape
from armdyn.scalars.derivatives import jacobian
from armdyn.spatial.vector import ZERO

SETTLED = 1e-13
"""Residual torque, relative to the torque, at which an acceleration is exact."""
FOUND = 1e3
"""How far from that an acceleration may stay and still be given."""
ATTEMPTS = 200
"""Steps after which a state that is not that near gets no number."""


def accelerations_under_load(
    traced: Traced,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    threads: int | None,
    **inputs: ArrayLike | None,
) -> Array:
    """qdd (..., n); NaN in a row where H is singular, an input is not finite, or nothing was found."""
    n, run = traced.n, Run(threads=threads)
    parts = traced.evaluate(
        ("loads",), lambda x: _load_split(traced, x), (2 * n + 2 * n * n,), run, q=q, qd=qd, **inputs
    )
    given = {name: traced.array(name, value) for name, value in (("q", q), ("qd", qd), ("tau", tau))}
    batch = batch_shape({"loads": parts, **given})
    flat = {k: np.broadcast_to(v, (*batch, v.shape[-1])).reshape((-1, n)) for k, v in given.items()}
    split = np.broadcast_to(parts, (*batch, parts.shape[-1])).reshape((-1, parts.shape[-1]))
    return _solved(traced, flat, split, run).reshape((*batch, n))


def _solved(traced: Traced, given: dict[str, Array], split: Array, run: Run) -> Array:
    """Newton's method, row by row until its torque is met."""
    n = traced.n
    (u0, w0), (Hu, Hw) = _vectors(split, n, 2), _matrices(split, n)
    tau = given["tau"]
    qdd = solve_rows(Hu + Hw, tau - u0 - w0)
    best, smallest = np.full_like(qdd, np.nan), np.full(len(qdd), np.inf)
    allowed = SETTLED * (1.0 + np.abs(tau).max(axis=-1, initial=0.0))
    rows = np.flatnonzero(np.isfinite(qdd).all(axis=-1))
    for attempt in range(ATTEMPTS):
        if not len(rows):
            break
        u, w = _times(Hu[rows], qdd[rows]) + u0[rows], _times(Hw[rows], qdd[rows]) + w0[rows]
        f, Fu, Fw = _law(traced, given["q"][rows], given["qd"][rows], u, w, run)
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


def _law(traced: Traced, q: Array, qd: Array, u: Array, w: Array, run: Run) -> tuple[Array, Array, Array]:
    """f, d f/d u and d f/d w."""
    n = traced.n
    values = traced.evaluate(
        ("friction law",), lambda x: _friction_law(traced, x), (n + 2 * n * n,), run, q=q, qd=qd, u=u, w=w
    )
    return (values[..., :n], *_matrices(values, n))


def _load_split(traced: Traced, x: Nodes) -> list[Any]:
    """u0, w0, d u/d qdd, d w/d qdd."""
    rest = traced.loads(x, x["qd"], None)
    qdd = x["q"][0].graph.inputs("qdd", traced.n)
    built = traced.light("inverse").at_rest()
    moving = traced.method.inverse(built, x["q"], None, qdd, gravity=ZERO)
    slopes = [e for loads in (moving.joint, moving.drive) for row in jacobian(loads, qdd) for e in row]
    return [*rest.joint, *rest.drive, *slopes]


def _friction_law(traced: Traced, x: Nodes) -> list[Any]:
    """f, d f/d u, d f/d w."""
    f = friction.friction_torques(traced.robot, x["q"], x["qd"], x["u"], x["w"])
    return [*f, *(e for loads in (x["u"], x["w"]) for row in jacobian(f, loads) for e in row)]


def _vectors(values: Array, n: int, count: int) -> list[Array]:
    return [values[..., k * n : (k + 1) * n] for k in range(count)]


def _matrices(values: Array, n: int) -> tuple[Array, Array]:
    """The two n x n matrices that end a row."""
    tail = values[..., values.shape[-1] - 2 * n * n :].reshape((*values.shape[:-1], 2, n, n))
    return tail[..., 0, :, :], tail[..., 1, :, :]


def _times(H: Array, x: Array) -> Array:
    return (H @ x[..., None])[..., 0]


def solve_rows(H: Array, b: Array) -> Array:
    """x of H x = b for every row; NaN where H is singular or anything is not finite."""
    batch = np.broadcast_shapes(H.shape[:-2], b.shape[:-1])
    A, y = np.broadcast_to(H, (*batch, *H.shape[-2:])), np.broadcast_to(b, (*batch, b.shape[-1]))
    finite: Any = np.isfinite(A).all(axis=(-1, -2)) & np.isfinite(y).all(axis=-1)
    identity = np.eye(A.shape[-1])
    with np.errstate(all="ignore"):
        good: Any = finite & (np.linalg.slogdet(np.where(finite[..., None, None], A, identity))[0] != 0)
        x = np.linalg.solve(np.where(good[..., None, None], A, identity), y[..., None])[..., 0]
    return np.where(good[..., None], x, np.nan)
