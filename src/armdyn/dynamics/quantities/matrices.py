"""The mass matrix, and the matrices whose products with velocities are torques."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.torques import HEAVIER
from armdyn.dynamics.quantity import MATRIX, Quantity
from armdyn.mechanics import velocity_matrix
from armdyn.scalars.derivatives import jacobian
from armdyn.spatial.vector import ZERO


def _mass_matrix(model: Model, x: Nodes) -> list[Any]:
    return [e for row in model.method.mass_matrix(model.light("mass_matrix", x), x["q"]) for e in row]


def _coriolis_matrix(model: Model, x: Nodes, choice: str) -> list[Any]:
    """Christoffel's choice is C_ij = 1/2 d h_i/d qd_j of the velocity torques h."""
    if choice == "lagrange":
        C = velocity_matrix.lagrange_matrix(_christoffel_symbols(model, x), x["qd"])
        return [e for row in C for e in row]
    h = model.torques(x, x["qd"], None, gravity=ZERO)
    return [0.5 * e for row in jacobian(h, x["qd"]) for e in row]


def _velocity_coefficients(model: Model, x: Nodes) -> list[Any]:
    return [e for matrix in _christoffel_symbols(model, x) for row in matrix for e in row]


def _gamma(model: Model, x: Nodes) -> list[Any]:
    return [e for row in velocity_matrix.gamma(_christoffel_symbols(model, x)) for e in row]


def _christoffel_symbols(model: Model, x: Nodes) -> list[list[list[Any]]]:
    """c_ijk as [i][j][k]; 1/2 d2 h_i/d qd_j d qd_k of the velocity torques h where no one writes them."""
    if model.method.velocity_coefficients is not None:
        return model.method.velocity_coefficients(model.light_at_rest("inverse", x), x["q"])
    qd = x["q"][0].graph.inputs("qd", model.n)
    slopes = jacobian(model.torques(x, qd, None, gravity=ZERO), qd)
    return [jacobian([0.5 * e for e in row], qd) for row in slopes]


QUANTITIES = {
    "mass_matrix": Quantity(("q",), (MATRIX,), _mass_matrix, HEAVIER),
    "coriolis_matrix": Quantity(
        ("q", "qd"), (MATRIX,), _coriolis_matrix, HEAVIER, {"choice": ("christoffel", "lagrange")}
    ),
    "velocity_coefficients": Quantity(("q",), (("n", "n", "n"),), _velocity_coefficients, HEAVIER),
    "gamma": Quantity(("q",), (("n", "pairs"),), _gamma, HEAVIER),
}
