"""Arrays of a state as columns: which elements, what they are called, and their units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from armdyn.errors import InputError
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.sweep.quantities.columns import Column
from armdyn.sweep.quantities.options import Options

MOST_ELEMENTS = 64
"""A result of more elements is given as norms, unless its elements are asked for."""
Place = tuple[int, ...]
Shapes = Mapping[str, Place]
"""Name of a result -> its shape for one state"""


@dataclass(frozen=True)
class Picked:
    """What becomes columns of one result."""

    result: str
    shape: Place
    places: tuple[Place, ...]
    norms: bool

    def columns(self, unit: Callable[[Place], str]) -> list[Column]:
        """In the order of `values`."""
        named = [Column(f"{self.result}{_index(place)}", unit(place)) for place in self.places]
        common = {unit(place) for place in product(*map(range, self.shape))}
        norm_unit = common.pop() if len(common) == 1 else ""
        norms = [Column(f"{self.result}_{name}", norm_unit) for name in ("norm", "largest")]
        return [*named, *(norms if self.norms else ())]

    def values(self, found: Array) -> list[Array]:
        """(m) each, of results (m, ..)."""
        elements = [found[(slice(None), *place)] for place in self.places]
        if not self.norms:
            return elements
        flat = found.reshape(len(found), -1)
        # row by row in one order: a reduction of NumPy adds in an order of its own
        total = np.zeros(len(found))
        for column in flat.T:
            total = total + column * column
        return [*elements, np.sqrt(total), np.abs(flat).max(axis=1)]


def picked(shapes: Shapes, options: Options) -> list[Picked]:
    """What the options `results`, `elements` and `norms` ask for; by default all, large results as norms."""
    asked = options.texts("results")
    for name in asked or ():
        if name not in shapes:
            raise InputError(f'option results: no "{name}", expected of {", ".join(shapes)}')
    chosen = {name: shape for name, shape in shapes.items() if asked is None or name in asked}
    elements, norms = options.texts("elements"), options.flag("norms")
    return [_picked(name, shape, elements, norms) for name, shape in chosen.items()]


def _picked(name: str, shape: Place, elements: Sequence[str] | None, norms: bool | None) -> Picked:
    every = tuple(product(*map(range, shape)))
    if elements is not None:
        return Picked(name, shape, tuple(_place(text, name, shape) for text in elements), bool(norms))
    large = len(every) > MOST_ELEMENTS
    alone = (large or bool(norms)) and len(shape) > 0
    return Picked(name, shape, () if alone else every, alone)


def _place(text: str, name: str, shape: Place) -> Place:
    words = [word.strip() for word in text.split(",")]
    counted = all(word.isdecimal() for word in words) and len(words) == len(shape)
    if counted and all(1 <= int(word) <= size for word, size in zip(words, shape, strict=True)):
        return tuple(int(word) - 1 for word in words)
    sizes = " x ".join(map(str, shape)) or "one number"
    raise InputError(f'option elements: "{text}", but {name} has {sizes}; expected indices from 1, as "1,1"')


def _index(place: Place) -> str:
    """1 for a vector, _1_2 for a matrix."""
    if len(place) < 2:
        return "".join(str(k + 1) for k in place)
    return "".join(f"_{k + 1}" for k in place)


# Units ----------------------------------------------------------------------------------------

_FIXED = {
    "kinetic_energy": "J",
    "potential_energy": "J",
    "energy_rate": "W",
    "power": "W",
    "motor_torque": "N m",
    "motor_current": "A",
    "motor_voltage": "V",
    "motor_position": "rad",
    "motor_velocity": "rad/s",
    "motor_acceleration": "rad/s2",
    "motor_bias": "N m",
    "effective_inertia": "kg m2",
}
_SIX = {
    "momentum": ("kg m/s", "kg m2/s"),
    "twist": ("m/s", "rad/s"),
    "acceleration": ("m/s2", "rad/s2"),
    "reactions": ("N", "N m"),
}
_JOINTS = {
    **dict.fromkeys(("tau", "g", "bias", "loads", "motor_demand", "terms"), ("N m", "N")),
    **dict.fromkeys(("inertia", "velocity", "gravity", "friction", "contact"), ("N m", "N")),
    "qdd": ("rad/s2", "m/s2"),
    "acceleration": ("rad/s2", "m/s2"),
}
_MASSES = ("kg m2", "kg m", "kg")
"""Of an element of H, by how many of its two joints slide."""


def unit_of(quantity: str, result: str, place: Place, robot: Robot) -> str:
    """The unit of one element; "" where it is mixed or not worth a name."""
    slides = [joint.kind == "prismatic" for joint in robot.joints]
    if quantity == "pose":
        return "1" if place[0] == 3 or place[1] < 3 else "m"
    if result == "H":
        return _MASSES[slides[place[0]] + slides[place[1]]]
    if result in _SIX and result == quantity:
        return _SIX[result][place[-1] // 3]
    if result in _JOINTS and quantity != "operational_space":
        if quantity == "motor_demand" and robot.drives:
            return "N m"
        return _JOINTS[result][slides[place[-1]]]
    return _FIXED.get(result, "")
