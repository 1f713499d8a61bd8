"""Derivatives of torques and accelerations with respect to the state.

Torques are differentiated on their own graph, in reverse. Accelerations follow from the torques that they
take: with tau(q, qd, qdd) = tau given,

    d qdd/d x = -H^-1 d tau/d x at that acceleration,    d qdd/d tau = H^-1,    H = d tau/d qdd.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.dynamics.loaded import forward_derivatives_under_load, linearisation_under_load
from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, MOTION, OUTSIDE
from armdyn.dynamics.quantity import MATRIX, Quantity
from armdyn.mechanics.linear_system import solve
from armdyn.scalars.derivatives import jacobian

Matrix = list[list[Any]]


def _inverse_derivatives(model: Model, x: Nodes) -> list[Any]:
    loads = model.loads(x, x["qd"], x["qdd"])
    torque = model.resisted(x, loads)
    by_state = _by_state(torque, x)
    if model.under_load:
        return _flat(*by_state, jacobian(torque, x["qdd"]))
    return _flat(*by_state, symmetric_jacobian(loads.torque, x["qdd"]))


def _forward_derivatives(model: Model, x: Nodes) -> list[Any]:
    return _flat(*_acceleration_slopes(model, x))


def _linearisation(model: Model, x: Nodes) -> list[Any]:
    """A and B of (q, qd)' = (qd, qdd(q, qd, tau))."""
    n = model.n
    by_q, by_qd, by_tau = _acceleration_slopes(model, x)
    nothing = [[0] * n for _ in range(n)]
    A = [*_side_by_side(nothing, _identity(n)), *_side_by_side(by_q, by_qd)]
    return _flat(A, [*nothing, *by_tau])


def _acceleration_slopes(model: Model, x: Nodes) -> tuple[Matrix, Matrix, Matrix]:
    """d qdd/d q, d qdd/d qd, d qdd/d tau.

    The torques are written for any acceleration and differentiated; only then does the acceleration that the
    given torques cause take its place.
    """
    caused = caused_motion(model, x)
    slopes = [
        compensating(caused.H, [substituted(row, caused.qdd, caused.acceleration) for row in rows])
        for rows in _by_state(caused.torque, x)
    ]
    return slopes[0], slopes[1], _inverse(caused.H)


@dataclass(frozen=True)
class CausedMotion:
    """The acceleration that the given torques cause, and what it was found from."""

    qdd: list[Any]
    """Nodes that stand for any acceleration, for which the torques are written."""
    torque: list[Any]
    H: Matrix
    acceleration: list[Any]


def caused_motion(model: Model, x: Nodes) -> CausedMotion:
    """H qdd = tau - tau(q, qd, 0), with H differentiated from the torques."""
    qdd = x["q"][0].graph.inputs("qdd", model.n)
    loads = model.loads(x, x["qd"], qdd)
    torque = model.resisted(x, loads)
    H = symmetric_jacobian(loads.torque, qdd)
    bias = substituted(torque, qdd, [0] * model.n)
    acceleration = solve(H, [given - b for given, b in zip(x["tau"], bias, strict=True)])
    return CausedMotion(qdd, torque, H, acceleration)


def _by_state(torque: Sequence[Any], x: Nodes) -> tuple[Matrix, Matrix]:
    """d torque/d q, d torque/d qd."""
    n, rows = len(x["q"]), jacobian(torque, [*x["q"], *x["qd"]])
    return [row[:n] for row in rows], [row[n:] for row in rows]


# Linear systems -------------------------------------------------------------------------------


def symmetric_jacobian(outputs: Sequence[Any], inputs: Sequence[Any]) -> Matrix:
    """d outputs/d inputs where it is symmetric: the upper triangle differentiated, the lower its mirror.

    For torques and accelerations this is H; the upper triangle takes the fewest operations.
    """
    upper = [jacobian([output], inputs[i:])[0] for i, output in enumerate(outputs)]
    return _mirrored(lambda i, j: upper[i][j - i], len(outputs))


def compensating(H: Matrix, slopes: Matrix) -> Matrix:
    """-H^-1 d tau/d x; the graph factors H once for all columns."""
    columns = [solve(H, [-e for e in column]) for column in zip(*slopes, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


def _inverse(H: Matrix) -> Matrix:
    columns = [solve(H, unit) for unit in _identity(len(H))]
    return _mirrored(lambda i, j: columns[j][i], len(H))


def _mirrored(element: Callable[[int, int], Any], n: int) -> Matrix:
    """The symmetric matrix of the elements (i, j) with i <= j."""
    return [[element(min(i, j), max(i, j)) for j in range(n)] for i in range(n)]


def _identity(n: int) -> Matrix:
    return [[int(i == j) for j in range(n)] for i in range(n)]


def _side_by_side(left: Matrix, right: Matrix) -> Matrix:
    return [[*a, *b] for a, b in zip(left, right, strict=True)]


def _flat(*matrices: Matrix) -> list[Any]:
    return [e for matrix in matrices for row in matrix for e in row]


QUANTITIES = {
    "inverse_derivatives": Quantity(MOTION, (MATRIX, MATRIX, MATRIX), _inverse_derivatives, OUTSIDE),
    "forward_derivatives": Quantity(
        DRIVEN,
        (MATRIX, MATRIX, MATRIX),
        _forward_derivatives,
        OUTSIDE,
        under_load=forward_derivatives_under_load,
    ),
    "linearisation": Quantity(
        DRIVEN, (("2n", "2n"), ("2n", "n")), _linearisation, OUTSIDE, under_load=linearisation_under_load
    ),
}
