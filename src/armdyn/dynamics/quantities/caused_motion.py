"""The motion that torques cause, where everything that can stick moves.

Torques are written for any acceleration, and differentiated; only then does the acceleration that the given
torques cause take its place. Under friction that depends on the load it is found by a few steps of Newton's
method, written out one after another: the law is piecewise linear, and nearly always its pieces settle.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.sticking import SETTLED
from armdyn.mechanics.linear_system import Solver, solve_unsymmetric, solver, unsymmetric_solver
from armdyn.mechanics.rubbing import rubs
from armdyn.scalars import absolute, select
from armdyn.scalars.derivatives import jacobian

Matrix = list[list[Any]]

STEPS = 3
"""Steps of Newton's method: of 40 000 states of lola15 99 % settle after two, all after three."""


@dataclass(frozen=True)
class CausedMotion:
    """The acceleration that the given torques cause, and what it was found from."""

    qdd: list[Any]
    """Nodes that stand for any acceleration, for which the torques are written."""
    torque: list[Any]
    H: Matrix
    """d torque/d qdd at the acceleration that is caused."""
    solve: Solver
    """What solves H x = b."""
    symmetric: bool
    """Whether H is: not where friction depends on the load."""
    acceleration: list[Any]
    wrong: Any = 0
    """Positive where the acceleration is not found."""


def caused_motion(model: Model, x: Nodes) -> CausedMotion:
    """The acceleration qdd of tau(q, qd, qdd) = tau."""
    qdd = x["q"][0].graph.inputs("qdd", model.n)
    loads = model.loads(x, x["qd"], qdd)
    torque = model.resisted(x, loads, qdd)
    if model.under_load:
        return _by_newton(model, x["tau"], qdd, torque)
    H = symmetric_jacobian(loads.torque, qdd)
    bias = substituted(torque, qdd, [0] * model.n)
    solve = solver(H)
    acceleration = solve([given - b for given, b in zip(x["tau"], bias, strict=True)])
    return CausedMotion(qdd, torque, H, solve, True, acceleration)


def _by_newton(model: Model, tau: Sequence[Any], qdd: list[Any], torque: list[Any]) -> CausedMotion:
    slopes = jacobian(torque, qdd)

    def at(acceleration: Sequence[Any]) -> tuple[Matrix, list[Any]]:
        needed = substituted(torque, qdd, acceleration)
        H = [substituted(row, qdd, acceleration) for row in slopes]
        return H, [given - t for given, t in zip(tau, needed, strict=True)]

    acceleration: list[Any] = [0] * len(qdd)
    _, first = at(acceleration)
    for _ in range(STEPS):
        step = solve_unsymmetric(*at(acceleration))
        acceleration = [a + b for a, b in zip(acceleration, step, strict=True)]
    H, missing = at(acceleration)
    wrong = largest(missing) - SETTLED * (model.torque_scale + largest(tau) + largest(first))
    return CausedMotion(qdd, torque, H, unsymmetric_solver(H), False, acceleration, wrong)


def given_in_motion(model: Model, x: Nodes, results: Sequence[Any], wrong: Any = 0) -> list[Any]:
    """The results, the first of them infinite where they do not hold.

    That is where friction has to decide what stays at rest, and where something is wrong.
    """
    if not model.can_stick:
        return list(results)
    gate: Any = select(wrong, math.inf, 0)
    for point, rub in zip(model.points, rubs(model.robot, x["q"], x["qd"]), strict=True):
        if point.friction.dry:
            gate = select(rub.moving, gate, math.inf)
    first, *others = results
    return [first + gate, *others]


def symmetric_jacobian(outputs: Sequence[Any], inputs: Sequence[Any]) -> Matrix:
    """d outputs/d inputs where it is symmetric: the upper triangle differentiated, the lower its mirror.

    For torques and accelerations this is H; the upper triangle takes the fewest operations.
    """
    upper = [jacobian([output], inputs[i:])[0] for i, output in enumerate(outputs)]
    return mirrored(lambda i, j: upper[i][j - i], len(outputs))


def mirrored(element: Callable[[int, int], Any], n: int) -> Matrix:
    """The symmetric matrix of the elements (i, j) with i <= j."""
    return [[element(min(i, j), max(i, j)) for j in range(n)] for i in range(n)]


def largest(values: Sequence[Any]) -> Any:
    """The largest of the values, regardless of sign."""
    found: Any = 0
    for value in values:
        size = absolute(value)
        found = select(size - found, size, found)
    return found
