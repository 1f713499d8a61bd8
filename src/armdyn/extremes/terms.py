"""Functions of the joints as sums of waves: what an arm's mass matrix, gravity and their like are made of.

    f(q) = sum_m  prod_j q_j^p_mj  (a_m cos(k_m . q) + b_m sin(k_m . q))

k are the frequencies of the angles, p the powers of the lengths of sliding joints.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.errors import InputError, ShapeError
from armdyn.scalars import Array

Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Terms:
    """A sum of m terms in n joints; terms without frequency and power are its constant."""

    frequencies: Array
    """(m, n) whole numbers or not"""
    powers: Whole
    """(m, n) 0 or more"""
    cosine: Array
    """(m) a"""
    sine: Array
    """(m) b"""

    def __post_init__(self) -> None:
        """Refuse arrays that do not belong together, and numbers that are none."""
        frequencies: Array = np.array(self.frequencies, dtype=np.float64)
        given = np.array(self.powers)
        if frequencies.ndim != 2:
            raise ShapeError(
                "frequencies", frequencies.shape, "a row for a term, a column for a joint", "(m, n)"
            )
        shape = frequencies.shape
        if given.shape != shape:
            raise ShapeError("powers", given.shape, f"frequencies has shape {shape}", f"{shape}")
        powers: Whole = given.astype(np.int64)
        if (powers != given).any() or (powers < 0).any():
            worst = given[(powers != given) | (powers < 0)].flat[0]
            raise InputError(f"powers has {worst}, expected whole numbers of 0 or more")
        object.__setattr__(self, "frequencies", frequencies)
        object.__setattr__(self, "powers", powers)
        for name in ("cosine", "sine"):
            column: Array = np.array(getattr(self, name), dtype=np.float64)
            if column.shape != shape[:1]:
                raise ShapeError(name, column.shape, f"there are {shape[0]} terms", f"({shape[0]},)")
            object.__setattr__(self, name, column)
        for name in ("frequencies", "cosine", "sine"):
            if not np.isfinite(getattr(self, name)).all():
                raise InputError(f"{name} has a number that is not finite, expected finite numbers")

    @classmethod
    def constant(cls, value: float, n: int) -> Terms:
        """The same number everywhere, as a function of n joints."""
        return cls(np.zeros((1, n)), np.zeros((1, n), dtype=np.int64), np.array([value]), np.zeros(1))

    @property
    def n(self) -> int:
        """How many joints."""
        return self.frequencies.shape[1]

    @cached_property
    def variables(self) -> Flags:
        """(n) which joints matter."""
        counts = (self.cosine != 0) | (self.sine != 0)
        return (((self.frequencies != 0) | (self.powers != 0)) & counts[:, None]).any(axis=0)

    @cached_property
    def amplitudes(self) -> Array:
        """(m) sqrt(a^2 + b^2)."""
        return np.hypot(self.cosine, self.sine)

    def __call__(self, q: ArrayLike) -> Array:
        """(...) the values at q: (..., n)."""
        joints = _joints(q, self.n)
        angle = joints @ self.frequencies.T
        waves = np.cos(angle) * self.cosine + np.sin(angle) * self.sine
        return np.asarray((waves * monomials(self.powers, joints)).sum(axis=-1))

    def sizes(self, box: Array) -> Array:
        """(m) what each term does not exceed over a box: (n, 2)."""
        farthest = np.abs(box).max(axis=1, initial=0.0)
        return self.amplitudes * np.prod(farthest**self.powers, axis=1)

    def __add__(self, other: Terms) -> Terms:
        """The sum: the terms of both."""
        if other.n != self.n:
            raise InputError(
                f"terms in {other.n} joints added to terms in {self.n}, expected as many in both"
            )
        return Terms(
            np.concatenate([self.frequencies, other.frequencies]),
            np.concatenate([self.powers, other.powers]),
            np.concatenate([self.cosine, other.cosine]),
            np.concatenate([self.sine, other.sine]),
        )

    def __sub__(self, other: Terms) -> Terms:
        """The difference."""
        return self + (-other)

    def __neg__(self) -> Terms:
        """Minus this."""
        return -1.0 * self

    def __mul__(self, factor: float) -> Terms:
        """So many times this."""
        return Terms(self.frequencies, self.powers, factor * self.cosine, factor * self.sine)

    __rmul__ = __mul__

    def merged(self, tolerance: float = 0.0) -> Terms:
        """The same function with equal terms joined, k and -k too, and without terms up to a tolerance."""
        led = np.hstack([self.frequencies, np.ones((len(self.cosine), 1))])
        sign = np.sign(led[np.arange(len(led)), np.argmax(led != 0, axis=1)])  # of the first k that is not 0
        frequencies = sign[:, None] * self.frequencies + 0.0  # no -0.0
        every: Array = np.hstack([frequencies, self.powers.astype(np.float64)])
        rows, place = np.unique(every, axis=0, return_inverse=True)
        cosine, sine = np.zeros(len(rows)), np.zeros(len(rows))
        np.add.at(cosine, place.reshape(-1), self.cosine)
        np.add.at(sine, place.reshape(-1), sign * self.sine)
        sine[~rows[:, : self.n].any(axis=1)] = 0.0  # sin 0
        kept = np.hypot(cosine, sine) > tolerance
        rows = rows[kept]
        return Terms(rows[:, : self.n], rows[:, self.n :].astype(np.int64), cosine[kept], sine[kept])

    def fixed(self, locked: Flags, q: Array) -> Terms:
        """The function with the joints that are locked put in at q: (n); they do not appear any more."""
        angle = self.frequencies[:, locked] @ q[locked]
        factor = np.prod(q[locked] ** self.powers[:, locked], axis=1)
        c, s = factor * np.cos(angle), factor * np.sin(angle)
        return Terms(
            np.where(locked, 0.0, self.frequencies),
            np.where(locked, 0, self.powers),
            self.cosine * c + self.sine * s,
            self.sine * c - self.cosine * s,
        )


def _joints(q: ArrayLike, n: int) -> Array:
    joints: Array = np.asarray(q, dtype=np.float64)
    if joints.ndim == 0 or joints.shape[-1] != n:
        raise ShapeError("q", joints.shape, f"the function has {n} joints", f"(..., {n})")
    return joints


def monomials(powers: Whole, q: Array) -> Array:
    """(..., m) prod_j q_j^p_mj at q: (..., n), for powers (m, n)."""
    result: Array = np.ones((*q.shape[:-1], len(powers)))
    for j in np.flatnonzero(powers.any(axis=0)).tolist():
        table: Array = np.vander(q[..., j].ravel(), int(powers[:, j].max()) + 1, increasing=True)
        result *= table[:, powers[:, j]].reshape(result.shape)
    return result
