"""The inertia of a body in the form that equations are linear in.

Mass m, first moment h = m c and second moment S = integral r r^T dm about the origin: together the
pseudo-inertia matrix [[S, h], [h^T, m]], ten numbers of any kind of scalar.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from armdyn.scalars import reciprocal
from armdyn.spatial.inertia import NO_TENSOR, Inertia, second_to_tensor
from armdyn.spatial.symmetric import symmetric, turned
from armdyn.spatial.transform import Transform
from armdyn.spatial.vector import (
    ZERO,
    Mat3,
    Vec3,
    add,
    add_matrices,
    matrix,
    scale,
    scale_matrix,
    times,
    vector,
)


@dataclass(frozen=True)
class Moments:
    """Mass, first and second moment of a body, or of several, about one origin."""

    mass: Any = 0.0
    first: Vec3 = ZERO
    second: Mat3 = NO_TENSOR

    @classmethod
    def of(cls, inertia: Inertia) -> Moments:
        """Those of an inertia, about the origin of its frame."""
        return cls(inertia.mass, inertia.moment, inertia.second_moment)

    @property
    def tensor(self) -> Mat3:
        """The inertia tensor about the origin."""
        return second_to_tensor(self.second)

    @property
    def massless(self) -> bool:
        """Whether there is no mass by structure: the number 0, whatever kind of scalar the others are."""
        return isinstance(self.mass, int | float) and self.mass == 0

    def about_centre(self) -> tuple[Vec3, Moments]:
        """The centre of mass c = h/m, and the moments about it: no first one, S - h c^T.

        Without mass there is no centre: the origin, and the moments as they are.
        """
        m, h, S = self.mass, self.first, self.second
        if self.massless:
            return ZERO, self
        c = scale(reciprocal(m), h)
        return c, Moments(m, ZERO, symmetric(lambda i, j: S[i][j] - h[i] * c[j]))

    def __add__(self, other: Moments) -> Moments:
        """Both bodies together."""
        return Moments(
            self.mass + other.mass, add(self.first, other.first), add_matrices(self.second, other.second)
        )

    def __sub__(self, other: Moments) -> Moments:
        """One body without a part of it."""
        return self + Moments(-other.mass, scale(-1, other.first), scale_matrix(-1, other.second))

    def turned(self, R: Mat3) -> Moments:
        """The body turned by R about the origin: R h, R S R^T."""
        return Moments(self.mass, times(R, self.first), turned(R, self.second))

    def shifted(self, p: Vec3) -> Moments:
        """The body moved by p: h + m p, S + u p^T + p u^T with u = h + m p/2."""
        m, h, S = self.mass, self.first, self.second
        u = add(h, scale(0.5 * m, p))
        return Moments(m, add(h, scale(m, p)), symmetric(lambda i, j: S[i][j] + (u[i] * p[j] + p[i] * u[j])))

    def seen_from(self, place: Transform) -> Moments:
        """The same body in the frame in which its own frame stands at `place`."""
        return self.turned(place.rotation).shifted(place.translation)

    def map(self, number: Callable[[Any], Any]) -> Moments:
        """The same with every number turned into another kind of scalar."""
        return Moments(
            number(self.mass),
            vector(number(x) for x in self.first),
            matrix([number(x) for x in row] for row in self.second),
        )


NO_MOMENTS = Moments(0, ZERO, (ZERO, ZERO, ZERO))
"""Those of nothing at all, which cost nothing in any kind of scalar."""
