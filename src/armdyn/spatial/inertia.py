"""The inertia of a rigid body, in every form that documents use.

Held as mass, centre of mass and the tensor about the centre of mass, with true tensor signs
(off-diagonal elements are minus the products of inertia). Equations use the form that is
linear in the parameters: mass m, first moment h = m c and second moment S about the origin,
S = integral r r^T dm, which together are the pseudo-inertia matrix [[S, h], [h^T, m]].
The tensor follows as I = tr(S) 1 - S, and S = tr(I)/2 1 - I.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from armdyn.spatial.transform import Transform
from armdyn.spatial.vector import (
    ZERO,
    Mat3,
    Vec3,
    add,
    add_matrices,
    diagonal,
    matrix,
    outer,
    product,
    scale,
    scale_matrix,
    trace,
    transpose,
    vector,
)

NO_TENSOR: Mat3 = diagonal(0, 0, 0)
PHYSICAL_TOLERANCE = 1e-9
"""What rounding may cost, relative to the largest moment."""
NEGLIGIBLE_GYRATION = 1e-6
"""A radius of gyration [m] below which a body is a point, whatever its tensor says."""
LARGEST = 1e100
"""No mass, length or moment of a robot has more SI units than this."""


@dataclass(frozen=True)
class Inertia:
    """mass [kg], centre of mass [m], tensor about the centre of mass [kg m2], in link axes."""

    mass: Any = 0.0
    com: Vec3 = ZERO
    tensor: Mat3 = NO_TENSOR

    def __post_init__(self) -> None:
        """Keep plain tuples, whatever sequences come: an inertia can be compared."""
        object.__setattr__(self, "com", vector(self.com))
        object.__setattr__(self, "tensor", matrix(self.tensor))

    # From other forms ---------------------------------------------------------------------

    @classmethod
    def about_origin(cls, mass: float, com: Vec3, tensor: Mat3) -> Inertia:
        """From the tensor about the origin of the link frame."""
        return cls(mass, com, _shifted_tensor(tensor, com, -mass))

    @classmethod
    def from_pseudo(cls, pseudo: Sequence[Sequence[float]]) -> Inertia:
        """From the 4x4 pseudo-inertia matrix [[S, h], [h^T, m]]."""
        second, moment = matrix(row[:3] for row in pseudo[:3]), vector(row[3] for row in pseudo[:3])
        return cls.from_moments(pseudo[3][3], moment, second)

    @classmethod
    def from_moments(cls, mass: float, moment: Vec3, second: Mat3) -> Inertia:
        """From mass, first moment and second moment about the origin."""
        com = scale(1.0 / mass, moment) if mass else ZERO
        return cls.about_origin(mass, com, second_to_tensor(second))

    @classmethod
    def from_gyration(cls, mass: float, com: Vec3, radii: Vec3, about: str = "com") -> Inertia:
        """From radii of gyration about the axes [m]: Ixx = m kx^2, no products."""
        tensor = diagonal(*(mass * k * k for k in radii))
        return cls(mass, com, tensor) if about == "com" else cls.about_origin(mass, com, tensor)

    # In other forms -----------------------------------------------------------------------

    @property
    def moment(self) -> Vec3:
        """First moment about the origin, h = m c [kg m]."""
        return scale(self.mass, self.com)

    @property
    def tensor_about_origin(self) -> Mat3:
        """Tensor about the origin of the link frame [kg m2] (parallel axes)."""
        return _shifted_tensor(self.tensor, self.com, self.mass)

    @property
    def second_moment(self) -> Mat3:
        """Second moment about the origin, S = integral r r^T dm [kg m2]."""
        return tensor_to_second(self.tensor_about_origin)

    @property
    def pseudo(self) -> tuple[tuple[Any, ...], ...]:
        """The 4x4 pseudo-inertia matrix [[S, h], [h^T, m]]."""
        h = self.moment
        return (*((*row, h[i]) for i, row in enumerate(self.second_moment)), (*h, self.mass))

    # Moving and merging -------------------------------------------------------------------

    def seen_from(self, placement: Transform) -> Inertia:
        """The same body in the axes and about the origin that `placement` maps into."""
        r = placement.rotation
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = product(product(r, self.tensor), transpose(r))
        tensor = ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))  # symmetric to the last bit
        return Inertia(self.mass, placement.apply(self.com), tensor)

    def __add__(self, other: Inertia) -> Inertia:
        """The two bodies as one."""
        return Inertia.from_moments(
            self.mass + other.mass,
            add(self.moment, other.moment),
            add_matrices(self.second_moment, other.second_moment),
        )

    # Checking -----------------------------------------------------------------------------

    def unphysical(self) -> str | None:
        """Why no body can have this inertia, or None: its pseudo-inertia must be positive semidefinite."""
        values = np.array([self.mass, *self.com, *(x for row in self.tensor for x in row)], dtype=float)
        if not np.all(np.isfinite(values)):
            return "a number is not finite"
        if self.mass < 0:
            return f"mass {self.mass:g} kg is negative"
        if np.abs(values).max() > LARGEST:
            return f"{np.abs(values).max():g} is larger than any body"
        tensor = np.array(self.tensor, dtype=float)
        slack = PHYSICAL_TOLERANCE * float(np.abs(tensor).max()) + NEGLIGIBLE_GYRATION**2 * self.mass
        if np.abs(tensor - tensor.T).max() > slack:
            return "the tensor is not symmetric"
        second = np.array(tensor_to_second(self.tensor), dtype=float)
        if np.linalg.eigvalsh(second).min() >= -slack:
            return None
        return _broken_inequality(np.diag(tensor), np.linalg.eigvalsh(tensor), slack)


def second_to_tensor(second: Mat3) -> Mat3:
    """I = tr(S) 1 - S."""
    t = trace(second)
    return add_matrices(diagonal(t, t, t), scale_matrix(-1, second))


def tensor_to_second(tensor: Mat3) -> Mat3:
    """S = tr(I)/2 1 - I."""
    t = 0.5 * trace(tensor)
    return add_matrices(diagonal(t, t, t), scale_matrix(-1, tensor))


def _shifted_tensor(tensor: Mat3, c: Vec3, mass: Any) -> Mat3:
    """The tensor plus m (c.c 1 - c c^T): parallel axes away from the centre of mass."""
    return add_matrices(tensor, scale_matrix(mass, second_to_tensor(outer(c, c))))


def _broken_inequality(axes: Any, principal: Any, slack: float) -> str:
    """Say it in the file's own axes where they show it, otherwise in principal axes."""
    for k, name in enumerate("xyz"):
        a, b = (other for other in "xyz" if other != name)
        rest = float(sum(axes) - axes[k])
        if axes[k] < -slack:
            return f"I{name}{name} = {axes[k]:g} < 0"
        if axes[k] > rest + slack:
            return f"I{a}{a} + I{b}{b} < I{name}{name} ({rest:g} < {axes[k]:g})"
    small, middle, large = (0.0 if abs(moment) < slack else float(moment) for moment in principal)
    if small < 0:
        return f"a principal moment is {small:g} < 0"
    return f"the largest principal moment {large:g} is above the sum of the others, {small:g} + {middle:g}"
