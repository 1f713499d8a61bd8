"""Forms: quantities along a path whose course in time is not known yet.

A path is passed at the rate y = ds/dt, x = y^2, with the acceleration u = d2s/dt2; then qd = q' y and
qdd = q' u + q'' x, and whatever a motion takes is a sum

    c_u u + c_x x + c_y y + c_1 + sum_k w_k |form_k|

with coefficients that depend on the place only: an array (t) each, one number for every place. Equations
evaluated on forms give these coefficients. A form is compared with 0 where its sign is the same for every
motion: constants, and multiples of x, of y, or of u, all of which are taken as positive. Where it is not, the
result has no number at that place; the size |form| is a term of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.scalars.program import Array
from armdyn.scalars.protocol import cos, reciprocal, select, sin, sqrt

U, X, Y, ONE = range(4)


@dataclass(frozen=True, eq=False)
class Form:
    """A form at places (t)."""

    terms: Array
    """(4, t) c_u, c_x, c_y, c_1"""
    sizes: tuple[tuple[Array, Form], ...] = ()
    """(w_k (t), form_k)"""

    __array_ufunc__ = None  # arrays leave products with forms to the forms

    @classmethod
    def of(
        cls, u: ArrayLike = 0.0, x: ArrayLike = 0.0, y: ArrayLike = 0.0, constant: ArrayLike = 0.0
    ) -> Form:
        """The form with these coefficients."""
        rows = [np.asarray(c, dtype=float) for c in (u, x, y, constant)]
        terms = np.empty((len(rows), max(row.size for row in rows)))
        for k, row in enumerate(rows):
            terms[k] = row
        return cls(terms)

    # Numbers --------------------------------------------------------------------------------

    @property
    def is_constant(self) -> bool:
        """Whether it is the same for every motion."""
        return not self.sizes and not self.terms[:ONE].any()

    @property
    def constant(self) -> Array:
        """(t) c_1."""
        return self.terms[ONE]

    def at(self, u: ArrayLike, x: ArrayLike) -> Array:
        """Its value (..., t) in motions u and x, (..., t) each."""
        y = np.sqrt(x)
        return self._plain(u, x, y) + sum(w * np.abs(form.at(u, x)) for w, form in self.sizes)

    def slopes(self, u: Array, x: Array) -> tuple[Array, Array, Array]:
        """Its value, and its derivatives by u and by x with y = sqrt(x); all (..., t).

        Where the inside of a size is 0 the slope is that of the positive side.
        """
        y = np.sqrt(x)
        c_u, c_x, c_y, _ = self.terms
        value = self._plain(u, x, y)
        with np.errstate(divide="ignore", invalid="ignore"):
            by_u, by_x = np.broadcast_to(c_u, value.shape), c_x + np.where(c_y, 0.5 * c_y / y, 0.0)
        for w, form in self.sizes:
            inner, inner_u, inner_x = form.slopes(u, x)
            side = np.where(inner < 0, -w, w)
            value, by_u, by_x = value + side * inner, by_u + side * inner_u, by_x + side * inner_x
        return value, by_u, by_x

    def _plain(self, u: ArrayLike, x: ArrayLike, y: ArrayLike) -> Array:
        c_u, c_x, c_y, c_1 = self.terms
        return c_u * u + c_x * x + c_y * y + c_1

    def without_rate(self, places: NDArray[np.bool_], share: float = 1.0) -> Form:
        """Without its multiples of y at some of the places (t), and with a share of them at the others."""
        terms = np.broadcast_to(self.terms, (4, len(places))).copy()
        terms[Y] = np.where(places, 0.0, share * terms[Y])
        return Form(terms, tuple((w, form.without_rate(places, share)) for w, form in self.sizes))

    def part(self, places: slice) -> Form:
        """At some of its places; it has a coefficient of its own for each."""
        return Form(
            _part(self.terms, places), tuple((_part(w, places), form.part(places)) for w, form in self.sizes)
        )

    def spread(self, places: NDArray[np.intp], count: int) -> Form:
        """Itself at some of so many places, nothing at the others."""

        def spread(values: Array) -> Array:
            whole = np.zeros((*values.shape[:-1], count))
            whole[..., places] = values
            return whole

        return Form(
            spread(self.terms), tuple((spread(w), form.spread(places, count)) for w, form in self.sizes)
        )

    # Sums and products ----------------------------------------------------------------------

    def __neg__(self) -> Form:
        return self * -1.0

    def __add__(self, other: Any) -> Form:
        that = _form(other)
        if not that.sizes or not self.sizes:
            return Form(self.terms + that.terms, self.sizes or that.sizes)
        weights = {id(form): (w, form) for w, form in self.sizes}
        for w, form in that.sizes:
            before, _ = weights.get(id(form), (0.0, form))
            weights[id(form)] = (before + w, form)
        return Form(self.terms + that.terms, tuple(weights.values()))

    __radd__ = __add__

    def __sub__(self, other: Any) -> Form:
        return self + -_form(other)

    def __rsub__(self, other: Any) -> Form:
        return -self + other

    def __mul__(self, other: Any) -> Form:
        if not isinstance(other, Form):
            return self._times(np.asarray(other, dtype=float))
        if other.is_constant:
            return self._times(other.constant)
        if self.is_constant:
            return other._times(self.constant)
        return Form.of(x=self._rate() * other._rate())

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Form:
        divisor = other._number() if isinstance(other, Form) else np.asarray(other, dtype=float)
        return self._times(1 / divisor)

    def __rtruediv__(self, other: Any) -> Form:
        return Form.of(constant=other / self._number())

    def _times(self, factor: Array) -> Form:
        if not factor.any():
            return ZERO  # nothing, also of what has no number
        return Form(self.terms * factor, tuple((factor * w, form) for w, form in self.sizes))

    def _number(self) -> Array:
        if not self.is_constant:
            raise TypeError("a form that depends on the motion is used as a number")
        return self.constant

    def _rate(self) -> Array:
        """c_y of a multiple of y: the product of two is a multiple of x."""
        if self.sizes or self.terms[[U, X, ONE]].any():
            raise TypeError("forms are multiplied that are no multiples of the rate")
        return self.terms[Y]

    # Signs ----------------------------------------------------------------------------------

    def sign(self) -> Array:
        """(t) -1, 0 or 1 where it is the same for every motion; NaN elsewhere."""
        coefficients = np.stack(np.broadcast_arrays(*self.terms, *(w for w, _ in self.sizes)))
        single = np.count_nonzero(coefficients, axis=0) <= 1  # what has no number counts, and stays without
        return np.where(single, np.sign(coefficients).sum(axis=0), np.nan)

    def chosen(self, mask: Array) -> Form:
        """Itself where the mask (t) is 1, nothing where it is 0, no number where it is NaN."""
        none = np.where(np.isnan(mask), np.nan, 0.0)
        taken = mask == 1
        sizes = tuple((np.where(taken, w, 0.0), form) for w, form in self.sizes)
        return Form(np.where(taken, self.terms, none), sizes)


ZERO = Form(np.zeros((4, 1)))


def _part(values: Array, places: slice) -> Array:
    """(..., t) at some places; (..., 1) is the same at all."""
    return values if values.shape[-1] == 1 else values[..., places]


def _form(value: Any) -> Form:
    return value if isinstance(value, Form) else Form.of(constant=value)


def _size(form: Form) -> Form:
    """|form|: a multiple of itself at the places where its sign is known, a term of its own elsewhere."""
    sign = form.sign()
    unknown = np.isnan(sign)
    known = form._times(np.where(unknown, 0.0, sign))  # pyright: ignore[reportPrivateUsage]
    return known + Form(np.zeros((4, 1)), ((unknown.astype(float), form),)) if unknown.any() else known


@select.register(Form)
def _select(condition: Form, positive: Any, otherwise: Any) -> Form:
    if positive is condition:  # select(x, x, -x)
        return _size(condition)
    sign = condition.sign()
    yes = np.where(np.isnan(sign), np.nan, sign > 0)
    return _form(positive).chosen(yes) + _form(otherwise).chosen(1 - yes)


def _of_constant(function: Callable[[Array], Array]) -> Callable[[Form], Form]:
    def evaluate(x: Form) -> Form:
        return Form.of(constant=function(x._number()))  # pyright: ignore[reportPrivateUsage]

    return evaluate


sin.register(Form, _of_constant(np.sin))
cos.register(Form, _of_constant(np.cos))
sqrt.register(Form, _of_constant(np.sqrt))
reciprocal.register(Form, _of_constant(np.reciprocal))
