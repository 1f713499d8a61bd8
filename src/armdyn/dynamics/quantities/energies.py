"""Energies, momentum and power."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantity import Quantity
from armdyn.mechanics import energy
from armdyn.mechanics.linear_system import dot


def _kinetic_energy(model: Model, x: Nodes) -> list[Any]:
    return [energy.kinetic_energy(model.whole_tree, x["q"], x["qd"])]


def _potential_energy(model: Model, x: Nodes) -> list[Any]:
    return [energy.potential_energy(model.whole_tree, x["q"])]


def _momentum(model: Model, x: Nodes) -> list[Any]:
    total = energy.momentum(model.whole_tree, x["q"], x["qd"])
    return [*total.linear, *total.angular]


def _power(_: Model, x: Nodes) -> list[Any]:
    return [dot(x["qd"], x["tau"])]


QUANTITIES = {
    "kinetic_energy": Quantity(("q", "qd"), ((),), _kinetic_energy),
    "potential_energy": Quantity(("q",), ((),), _potential_energy),
    "momentum": Quantity(("q", "qd"), ((6,),), _momentum),
    "power": Quantity(("qd", "tau"), ((),), _power),
}
