"""Parameters that a robot can have: every pseudo-inertia positive definite, no friction below zero.

Of all such pi the one that fits best, |A pi - y|^2 in units of the noise. What the data do not tell stays
near a prior. Each body is measured by its own pseudo-inertia P0 = L L^T there: P = L (1 + Z) L^T, and |Z|^2
says how far off it is, in any frame and unit (0.1 is ten percent in every direction). So the unknowns have
no units.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.errors import ArmdynError, InputError, MissingDataError
from armdyn.identification.estimation.decompositions import least_squares
from armdyn.identification.robot_parameters import SIZE, Shape
from armdyn.mechanics.body_parameters import moments_of
from armdyn.scalars import Array
from armdyn.spatial.homogeneous import pseudo_inertia

TRUST = 1e3
"""How far off the prior may be by default, as a share: it only settles what the data leave open."""
SUREST = 1e-12
"""The smallest share by which a prior may be off: less is rounding."""
FAINTEST = 1e-7
"""Nor is the prior weaker than this share of the strongest equation, or rounding would settle the rest."""
STRONGER = (10.0, 100.0, 1000.0)
"""Times which it counts where the solver cannot do with less."""
THINNEST = 1e-4
"""A body has at least this share of the prior's pseudo-inertia in every direction: no mass without extent."""
PLAUSIBLE = (1.0, 0.05)
"""[kg, m] Mass and radius of gyration of a body of which the robot file says nothing."""
SLENDER = 0.05
"""Share of its largest radius of gyration that a body extends across at least, as a prior."""
CERTAIN = 1e-12
"""Share of the largest, parameters brought to one size, below which a variance or a direction is rounding."""
FELT = 1e-9
"""Share of the largest, likewise, below which a parameter takes no part in equations."""
PAIRS = tuple((i, j) for i in range(4) for j in range(i, 4))
"""Elements of a symmetric 4 x 4 matrix."""


@dataclass(frozen=True)
class Consistent:
    """The parameters found, and what holding them to real bodies has cost."""

    pi: Array
    """(p)"""
    misfit: float
    """|A pi - y|^2 less its least value: the chi-square that it costs to have bodies that exist"""


def consistent(shape: Shape, A: Array, y: Array, prior: Array, trust: float | None = None) -> Consistent:
    """The best parameters that a robot, or a single body, can have.

    Args:
        shape: where the parameters of bodies stand, and what bounds the others.
        A: (rows, p) equations in all parameters, in units of their noise.
        y: (rows) their right sides.
        prior: (p) parameters that those in question are near to, such as the robot file's.
        trust: how far off they may be, as a share; by default so far that only the data count where they can.
    """
    if trust is not None and not SUREST <= trust < np.inf:
        expected = f"the share that it may be off by, {SUREST:g} or more, as 0.3"
        raise InputError(f"prior is {trust}, expected {expected}")
    centre, B = _unitless(shape, A, y, prior)
    data, right = A @ B, y - A @ centre
    largest = max(float(np.linalg.norm(data, 2)), np.finfo(float).tiny)
    pull = max(1 / (TRUST if trust is None else trust), FAINTEST * largest)
    limits = _Limits.of(shape, centre, B)
    for stronger in (1.0, *STRONGER):
        z = _solved(limits, data / largest, right / largest, stronger * pull / largest)
        if z is not None:
            pi = centre + B @ limits.inside(z)
            return Consistent(pi, _misfit(A, y, pi))
    raise ArmdynError(
        "physically consistent parameters were not found, the solver gave up; "
        "a stronger prior helps (prior=0.3)"
    )


@dataclass(frozen=True)
class _Limits:
    """What z may be: 1 + Z of every body positive definite, and rows @ z >= least."""

    bodies: int
    rows: Array
    least: Array

    @classmethod
    def of(cls, shape: Shape, centre: Array, B: Array) -> _Limits:
        """Of a robot, rows of one size."""
        below = [(B[k], -centre[k]) for k in shape.not_negative]
        above = [(-B[k], centre[k] - bound) for k, bound in shape.at_most]
        both = [
            (row / np.linalg.norm(row), float(least) / float(np.linalg.norm(row)))
            for row, least in below + above
        ]
        rows = np.array([row for row, _ in both]).reshape(-1, B.shape[1])
        return cls(len(shape.bodies), rows, np.array([least for _, least in both]))

    def inside(self, z: Array) -> Array:
        """z, drawn towards the prior by what the solver has left it outside."""
        whole = 1.0
        for k in range(self.bodies):
            smallest = float(np.linalg.eigvalsh(_symmetric(z[SIZE * k : SIZE * (k + 1)]))[0])
            whole = min(whole, (1 - 0.5 * THINNEST) / -smallest) if smallest < 0 else whole
        return whole * z


def _symmetric(elements: Array) -> Array:
    """Z of its ten elements."""
    Z = np.zeros((4, 4))
    for element, (i, j) in zip(elements, PAIRS, strict=True):
        Z[i, j] = Z[j, i] = element
    return Z


def _solved(limits: _Limits, data: Array, right: Array, pull: float) -> Array | None:
    """z of the least |data z - right|^2 + pull^2 |Z|^2 within the limits; None if the solver fails."""
    cp = _cvxpy()
    z = cp.Variable(data.shape[1])
    within: list[Any] = [limits.rows @ z >= limits.least] if len(limits.rows) else []
    for k in range(limits.bodies):
        own = z[SIZE * k : SIZE * (k + 1)]
        Z = cp.bmat([[own[PAIRS.index((min(i, j), max(i, j)))] for j in range(4)] for i in range(4)])
        within.append(np.eye(4) + Z >> THINNEST * np.eye(4))
    twice = np.tile([1.0 if i == j else np.sqrt(2.0) for i, j in PAIRS], limits.bodies)  # both triangles of Z
    away = np.append(twice, np.ones(data.shape[1] - len(twice)))
    both = cp.hstack([data @ z - right, cp.multiply(pull * away, z)])
    problem = cp.Problem(cp.Minimize(cp.norm(both)), within)  # a norm, not its square: better conditioned
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # an inaccurate solution is none here
            problem.solve(solver="CLARABEL")
    except cp.error.SolverError:
        return None
    return np.asarray(z.value, dtype=float) if problem.status == "optimal" else None


def equations_of(beta: Array, spread: Array, size: Array, unresolved: Array) -> tuple[Array, Array]:
    """(A, y) of A beta = y that say as much as an estimate of this covariance, and nothing of what it hides.

    size: (b) what brings the parameters to one size; unresolved: (b, k) directions that the data do not show.
    """
    axes, values, _ = np.linalg.svd(size[:, None] * unresolved)
    hidden = int(np.count_nonzero(values > CERTAIN * values.max(initial=0.0)))
    shown = axes[:, hidden:]
    seen = shown.T @ (spread * np.outer(size, size)) @ shown
    variances, own = np.linalg.eigh(0.5 * (seen + seen.T))
    kept = np.maximum(variances, CERTAIN * variances.max(initial=0.0))
    scaled = (own / np.sqrt(kept)).T @ shown.T
    largest = np.abs(scaled).max(axis=0)
    A = np.where(largest > FELT * largest.max(initial=0.0), scaled, 0.0) * size  # the rest is rounding
    return A, A @ beta


def _misfit(A: Array, y: Array, pi: Array) -> float:
    least = least_squares(A, y)
    return max(float(np.sum((A @ pi - y) ** 2) - np.sum((A @ least - y) ** 2)), 0.0)


def _unitless(shape: Shape, A: Array, y: Array, prior: Array) -> tuple[Array, Array]:
    """(centre, B) of pi = centre + B z: ten elements of Z for each body, multiples of a scale for others."""
    of_bodies = {k for body in shape.bodies for k in range(body.first, body.first + SIZE)}
    others = [k for k in range(len(prior)) if k not in of_bodies]
    centre, B = prior.copy(), np.zeros((len(prior), SIZE * len(shape.bodies) + len(others)))
    scale = _scales(A, y, prior)
    for column, k in enumerate(others, SIZE * len(shape.bodies)):
        B[k, column] = scale[k]
    for k, body in enumerate(shape.bodies):
        mine = slice(body.first, body.first + SIZE)
        own = prior[mine] - body.riding @ prior - body.ridden
        P0 = _plausible(own)
        L = np.linalg.cholesky(P0)
        B[mine] += body.riding @ B  # what rides on it grows with its rotor's inertia
        for column, (i, j) in enumerate(PAIRS, SIZE * k):
            B[mine, column] = _parameters(L @ _unit(i, j) @ L.T)
        centre[mine] += _parameters(P0) - own
    return centre, B


def _scales(A: Array, y: Array, prior: Array) -> Array:
    """What each parameter is measured by: its prior, its estimate or its error, whichever is largest."""
    size = np.linalg.norm(A, axis=0)
    error = np.divide(1.0, size, out=np.zeros_like(size), where=size > 0)
    found = np.abs(least_squares(A * error, y)) * error
    scale = np.maximum(np.maximum(np.abs(prior), found), error)
    return np.where(scale > 0, scale, 1.0)


def _unit(i: int, j: int) -> Array:
    E = np.zeros((4, 4))
    E[i, j] = E[j, i] = 1.0
    return E


def _parameters(P: Array) -> Array:
    """The ten parameters of a pseudo-inertia, or of a change of one; S and I follow from each other alike."""
    S = P[:3, :3]
    tensor = np.trace(S) * np.eye(3) - S
    return np.array([P[3, 3], *P[:3, 3], *tensor[np.triu_indices(3)]])


def _plausible(own: Array) -> Array:
    """The pseudo-inertia of a prior, thickened where it is too thin to measure by; any body without one."""
    mass = float(own[0])
    if not mass > 0:
        mass, radius = PLAUSIBLE
        return mass * np.diag([radius**2, radius**2, radius**2, 1.0])
    P = np.array(pseudo_inertia(moments_of(own.tolist())), dtype=float)
    c = P[:3, 3] / mass
    values, axes = np.linalg.eigh(P[:3, :3] - mass * np.outer(c, c))
    across = max(SLENDER**2 * float(values[-1]), mass * (0.1 * PLAUSIBLE[1]) ** 2)
    P[:3, :3] = (axes * np.maximum(values, across)) @ axes.T + mass * np.outer(c, c)
    return P


def _cvxpy() -> Any:
    try:
        import_module("clarabel")
        return import_module("cvxpy")
    except ImportError as error:
        raise MissingDataError(
            "physically consistent parameters need cvxpy and clarabel; "
            "install them with: pip install 'armdyn[identify]'"
        ) from error
