"""The formulations by name: torques, mass matrix and accelerations, each by its own equations.

What a formulation does not give by itself comes from the usual pair, Newton-Euler in link frames
for torques and composite bodies for the mass matrix; `Method.source` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, Literal, Protocol, get_args

from armdyn.errors import InputError
from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.loads import Contact, InverseDynamics
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.reduction import for_inertia, for_motion

MethodName = Literal[
    "newton_euler",
    "newton_euler_base",
    "lagrange_euler",
    "dalembert",
    "mrnea",
    "composite_body",
    "articulated_body",
    "walker_orin1",
    "walker_orin2",
]
METHODS: tuple[MethodName, ...] = get_args(MethodName)

Quantity = Literal["inverse", "mass_matrix", "forward"]
EVERYTHING: tuple[Quantity, ...] = get_args(Quantity)


class Forward(Protocol):
    """Accelerations under torques."""

    def __call__(
        self, tree: Tree, q: Sequence[Any], qd: Sequence[Any], tau: Sequence[Any], *, contact: Contact | None
    ) -> list[Any]:
        """The accelerations qdd at (q, qd) under tau."""
        ...


Mass = Callable[[Tree, Sequence[Any]], list[list[Any]]]
Velocity = Callable[[Tree, Sequence[Any]], list[list[list[Any]]]]


@dataclass(frozen=True)
class Method:
    """A formulation: how torques, mass matrix and accelerations are computed."""

    name: MethodName
    gives: tuple[Quantity, ...]
    """What is its own; the rest comes from Newton-Euler and composite bodies. Accelerations from H and bias
    are its own where one of these is."""
    inverse: InverseDynamics = newton_euler.inverse_dynamics
    mass_matrix: Mass = composite_body.mass_matrix
    direct: Forward | None = None
    """Accelerations without going through H and the bias, if the formulation has such a way."""
    velocity_coefficients: Velocity | None = None
    """D_ijk, if the formulation writes them down."""
    centred: bool = False
    """Whether it splits links at their centres of mass, which base parameters do not have."""

    def forward(
        self,
        tree: Tree,
        q: Sequence[Any],
        qd: Sequence[Any],
        tau: Sequence[Any],
        *,
        contact: Contact | None = None,
    ) -> list[Any]:
        """Accelerations qdd, by H qdd = tau - bias unless there is a direct way."""
        if self.direct is not None:
            return self.direct(tree, q, qd, tau, contact=contact)
        bias = self.inverse(tree, q, qd, None, contact=contact).torque
        return solve(self.mass_matrix(tree, q), [t - b for t, b in zip(tau, bias, strict=True)])

    def lightened(self, tree: Tree, quantity: Quantity, *, closed: bool = True) -> Tree:
        """The tree with which a quantity costs least; closed as in `reduction`."""
        if self.centred:
            return on_common_normals(tree)
        return (for_motion if quantity == "inverse" else for_inertia)(tree, closed=closed)

    def source(self, quantity: Quantity) -> MethodName:
        """Which formulation gives a quantity: this one, or one of the usual pair."""
        if quantity in self.gives:
            return self.name
        return "composite_body" if quantity == "mass_matrix" else "newton_euler"


def method(name: str | None) -> Method:
    """The formulation called so; by default Newton-Euler with composite bodies."""
    if name is None:
        return _table("newton_euler")
    if name not in METHODS:
        raise InputError(f'method "{name}", expected one of {", ".join(METHODS)}')
    return _table(name)


@cache
def _table(name: MethodName) -> Method:
    """The formulation; its module is imported when it is first asked for."""
    match name:
        case "newton_euler":  # with composite bodies: Walker and Orin's method 3
            return Method(name, ("inverse", "forward"))
        case "newton_euler_base":
            from armdyn.mechanics import newton_euler_base as base

            return Method(name, EVERYTHING, base.inverse_dynamics, _by_columns(base.inverse_dynamics))
        case "lagrange_euler":
            from armdyn.mechanics import lagrange_euler as le

            return Method(
                name,
                EVERYTHING,
                le.inverse_dynamics,
                le.mass_matrix,
                velocity_coefficients=le.velocity_coefficients,
            )
        case "dalembert":
            from armdyn.mechanics import dalembert

            return Method(name, EVERYTHING, dalembert.inverse_dynamics, dalembert.mass_matrix, centred=True)
        case "mrnea":
            from armdyn.mechanics import modified_newton_euler as mrnea

            direct = _in_one_pass(mrnea.mass_matrix_and_bias)
            return Method(name, EVERYTHING, mrnea.inverse_dynamics, mrnea.mass_matrix, direct)
        case "composite_body":
            direct = _in_one_pass(composite_body.mass_matrix_and_bias)
            return Method(name, ("mass_matrix", "forward"), direct=direct)
        case "articulated_body":
            from armdyn.mechanics import articulated_body

            return Method(name, ("forward",), direct=articulated_body.forward_dynamics)
        case "walker_orin1":
            columns = _by_columns(newton_euler.inverse_dynamics)
            return Method(name, ("mass_matrix", "forward"), mass_matrix=columns)
        case "walker_orin2":
            from armdyn.mechanics import walker_orin

            return Method(name, ("mass_matrix", "forward"), mass_matrix=walker_orin.mass_matrix)


def _in_one_pass(mass_matrix_and_bias: Callable[..., tuple[list[list[Any]], list[Any]]]) -> Forward:
    """Accelerations from H and bias that come out of the same recursion."""

    def forward(
        tree: Tree, q: Sequence[Any], qd: Sequence[Any], tau: Sequence[Any], *, contact: Contact | None
    ) -> list[Any]:
        H, bias = mass_matrix_and_bias(tree, q, qd, contact=contact)
        return solve(H, [t - b for t, b in zip(tau, bias, strict=True)])

    return forward


def _by_columns(inverse: InverseDynamics) -> Mass:
    """H by Walker and Orin's first method: one inverse dynamics for each column."""
    from armdyn.mechanics.walker_orin import mass_matrix_by_columns

    return partial(mass_matrix_by_columns, inverse=inverse)
