"""How a coordinate follows the independent joint coordinates q.

theta = f(x), x = sum_j weight_j q_j + offset, where f is the identity or a nonlinear law.
One weight of 1 is a joint on its own; several are a gear coupling, a parallelogram, a mimic
joint; a law is a linkage such as the ball screw of an IRb-6 arm.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from armdyn.robot.checks import finite, require
from armdyn.scalars import cos, sin, sqrt


@dataclass(frozen=True)
class ScrewTriangle:
    """A screw spans a triangle whose angle is the joint's: its length follows the law of cosines.

    length^2 = constant + cosine cos(x) + sine sin(x) [m2], and the nut turns
    theta = ratio (length - zero), ratio in rad per m of screw.
    """

    constant: float
    cosine: float
    sine: float
    ratio: float
    zero: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a triangle that can close."""
        finite("screw triangle", (self.constant, self.cosine, self.sine, self.ratio, self.zero))
        require(
            math.hypot(self.cosine, self.sine) < self.constant,
            f"screw triangle: length^2 = {self.constant:g} + {self.cosine:g} cos + {self.sine:g} sin "
            "is not positive at every angle",
        )

    def evaluate(self, x: Any) -> tuple[Any, Any, Any]:
        """f, f', f'' with l^2 = u: l' = u'/(2 l), l'' = (u''/2 - l'^2)/l."""
        c, s = cos(x), sin(x)
        varying = self.cosine * c + self.sine * s
        length = sqrt(self.constant + varying)
        slope = 0.5 * (self.sine * c - self.cosine * s) / length
        bend = (-0.5 * varying - slope * slope) / length
        return self.ratio * (length - self.zero), self.ratio * slope, self.ratio * bend


@dataclass(frozen=True)
class Coupling:
    """theta = f(sum weights[joint] q[joint] + offset); f is `law`, or the identity."""

    weights: tuple[tuple[str, float], ...] = ()
    offset: float = 0.0
    law: ScrewTriangle | None = None

    def __post_init__(self) -> None:
        """Check the numbers and that no joint is named twice."""
        finite("coupling", (*(w for _, w in self.weights), self.offset))
        names = [name for name, _ in self.weights]
        require(len(set(names)) == len(names), f"coupling: a joint is named twice in {names}")

    @classmethod
    def of(
        cls, weights: Mapping[str, float], offset: float = 0.0, law: ScrewTriangle | None = None
    ) -> Coupling:
        """A coupling from a mapping; zero weights are left out."""
        return cls(tuple((name, w) for name, w in weights.items() if w != 0), offset, law)

    def locked(self, values: Mapping[str, float]) -> Coupling:
        """The coupling with some joints held at the given values."""
        offset = self.offset + sum(w * values[name] for name, w in self.weights if name in values)
        return Coupling(tuple(p for p in self.weights if p[0] not in values), offset, self.law)
