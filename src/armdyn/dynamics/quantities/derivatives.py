"""Derivatives of torques and accelerations with respect to the state.

Torques are differentiated on their own graph, in reverse. Accelerations follow from the torques that they
take: with tau(q, qd, qdd) = tau given,

    d qdd/d x = -H^-1 d tau/d x at that acceleration,    d qdd/d tau = H^-1,    H = d tau/d qdd.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import (
    CausedMotion,
    Matrix,
    caused_motion,
    given_in_motion,
    mirrored,
    symmetric_jacobian,
)
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, HEAVIER, MOTION, OUTSIDE
from armdyn.dynamics.quantity import MATRIX, Quantity
from armdyn.dynamics.sticking_derivatives import forward_derivatives, linearisation
from armdyn.scalars.derivatives import jacobian


def _inverse_derivatives(model: Model, x: Nodes) -> list[Any]:
    loads = model.loads(x, x["qd"], x["qdd"])
    torque = model.resisted(x, loads, x["qdd"])
    by_state = _by_state(torque, x)
    if model.under_load:
        return _flat(*by_state, jacobian(torque, x["qdd"]))
    return _flat(*by_state, symmetric_jacobian(loads.torque, x["qdd"]))


def _forward_derivatives(model: Model, x: Nodes) -> list[Any]:
    caused = caused_motion(model, x)
    return given_in_motion(model, x, _flat(*_acceleration_slopes(caused, x)), caused.wrong)


def _linearisation(model: Model, x: Nodes) -> list[Any]:
    """A and B of (q, qd)' = (qd, qdd(q, qd, tau))."""
    n, caused = model.n, caused_motion(model, x)
    by_q, by_qd, by_tau = _acceleration_slopes(caused, x)
    nothing = [[0] * n for _ in range(n)]
    A = [*_side_by_side(nothing, _identity(n)), *_side_by_side(by_q, by_qd)]
    return given_in_motion(model, x, _flat(A, [*nothing, *by_tau]), caused.wrong)


def _acceleration_slopes(caused: CausedMotion, x: Nodes) -> tuple[Matrix, Matrix, Matrix]:
    """d qdd/d q, d qdd/d qd, d qdd/d tau."""
    slopes = [
        compensating(caused, [substituted(row, caused.qdd, caused.acceleration) for row in rows])
        for rows in _by_state(caused.torque, x)
    ]
    return slopes[0], slopes[1], _inverse(caused)


def _by_state(torque: Sequence[Any], x: Nodes) -> tuple[Matrix, Matrix]:
    """d torque/d q, d torque/d qd."""
    n, rows = len(x["q"]), jacobian(torque, [*x["q"], *x["qd"]])
    return [row[:n] for row in rows], [row[n:] for row in rows]


# Linear systems -------------------------------------------------------------------------------


def compensating(caused: CausedMotion, slopes: Matrix) -> Matrix:
    """-H^-1 d tau/d x."""
    columns = [caused.solve([-e for e in column]) for column in zip(*slopes, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _inverse(caused: CausedMotion) -> Matrix:
    n = len(caused.H)
    columns = [caused.solve(unit) for unit in _identity(n)]
    if caused.symmetric:
        return mirrored(lambda i, j: columns[j][i], n)
    return [list(row) for row in zip(*columns, strict=True)]


def _identity(n: int) -> Matrix:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def _side_by_side(left: Matrix, right: Matrix) -> Matrix:
    return [[*a, *b] for a, b in zip(left, right, strict=True)]


def _flat(*matrices: Matrix) -> list[Any]:
    return [e for matrix in matrices for row in matrix for e in row]


QUANTITIES = {
    "inverse_derivatives": Quantity(
        MOTION, (MATRIX, MATRIX, MATRIX), _inverse_derivatives, (*OUTSIDE, *HEAVIER)
    ),
    "forward_derivatives": Quantity(
        DRIVEN,
        (MATRIX, MATRIX, MATRIX),
        _forward_derivatives,
        OUTSIDE,
        iterated=forward_derivatives,
    ),
    "linearisation": Quantity(
        DRIVEN, (("2n", "2n"), ("2n", "n")), _linearisation, OUTSIDE, iterated=linearisation
    ),
}
