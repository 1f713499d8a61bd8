"""Energies, momentum and power."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.torques import HEAVIER
from armdyn.dynamics.quantity import Quantity
from armdyn.mechanics import energy
from armdyn.mechanics.linear_system import dot
from armdyn.scalars.derivatives import jacobian


def _kinetic_energy(model: Model, x: Nodes) -> list[Any]:
    return [energy.kinetic_energy(model.whole(x), x["q"], x["qd"])]


def _potential_energy(model: Model, x: Nodes) -> list[Any]:
    return [energy.potential_energy(model.whole(x), x["q"])]


def _energy_rate(model: Model, x: Nodes) -> list[Any]:
    """dE/dt = dE/dq qd + dE/dqd qdd of E = T + U."""
    q, qd, qdd = x["q"], x["qd"], x["qdd"]
    whole = model.whole(x)
    total = energy.kinetic_energy(whole, q, qd) + energy.potential_energy(whole, q)
    return [dot(jacobian([total], q)[0], qd) + dot(jacobian([total], qd)[0], qdd)]


def _momentum(model: Model, x: Nodes) -> list[Any]:
    total = energy.momentum(model.whole(x), x["q"], x["qd"])
    return [*total.linear, *total.angular]


def _power(_: Model, x: Nodes) -> list[Any]:
    return [dot(x["qd"], x["tau"])]


QUANTITIES = {
    "kinetic_energy": Quantity(("q", "qd"), ((),), _kinetic_energy, HEAVIER),
    "potential_energy": Quantity(("q",), ((),), _potential_energy, HEAVIER),
    "energy_rate": Quantity(("q", "qd", "qdd"), ((),), _energy_rate, HEAVIER),
    "momentum": Quantity(("q", "qd"), ((6,),), _momentum, HEAVIER),
    "power": Quantity(("qd", "tau"), ((),), _power),
}
