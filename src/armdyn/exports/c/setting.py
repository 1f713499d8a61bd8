"""What is exported: a robot under a motor model, with names for C and the inputs that functions take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.exports.c.payload import feels_payload, with_payload
from armdyn.exports.c.precision import NUMBERS, Numbers, Precision
from armdyn.native.signature import Signature
from armdyn.scalars import Program


@dataclass(frozen=True)
class Setting:
    """A robot, and how it is written."""

    traced: Traced
    prefix: str
    """With which every name that others see begins."""
    precision: Precision = "double"
    given: tuple[str, ...] = ()
    """Of wrench, at and base those that functions take."""
    payload: bool = False

    @property
    def numbers(self) -> Numbers:
        """The type of all numbers."""
        return NUMBERS[self.precision]

    @cached_property
    def bodies(self) -> Mapping[str, str]:
        """What operations stem from, outwards, and what comments call it; bodies count from 1."""
        links = [link.name for link in self.traced.whole_tree.links]
        numbers = {name: k + 1 for k, name in enumerate(self.traced.robot.body_names)}
        return {
            name: f"body {numbers[name]} ({name})" if name in numbers else f"rotor {name}" for name in links
        }

    def optional(self, quantity: str) -> tuple[str, ...]:
        """Of a quantity's optional inputs those that its function takes."""
        known = QUANTITIES[quantity].optional
        untouched = "wrench" in known and "wrench" not in self.given
        asked = tuple(k for k in self.given if k in known and not (k == "at" and untouched))
        return (*asked, "ways") if "ways" in known and self.traced.can_stick else asked

    def traced_program(self, quantity: str) -> tuple[Program, Signature]:
        """The operations of a quantity, and what goes in and comes out."""
        options, given = QUANTITIES[quantity].defaults, self.optional(quantity)
        if self.payload and feels_payload(quantity):
            return with_payload(self.traced, quantity, options, given)
        return self.traced.program(quantity, options, given), self.traced.signature(quantity, options, given)
