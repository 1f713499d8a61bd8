"""Functions of time that excitations are made of: at rest at both ends, whatever their coefficients.

A joint's motion is q(t) = sum_k c_k phi_k(t). Every basis spans the constants, so that a motion can be moved
elsewhere or shrunk towards a posture by its coefficients alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.scalars import Array

MOST = 1000
"""Harmonics or pieces, and seconds each of them may last: beyond that somebody has mistyped."""
SHORTEST = 0.01
"""[s] No arm does anything in less."""
FEWEST_HARMONICS = 2
"""With one alone, rest at the ends leaves nothing that moves."""
DEGREE = 5
"""Of the polynomials: accelerations are smooth, and torques have no kinks."""


@dataclass(frozen=True)
class Fourier:
    """A Fourier series of one period: it can be repeated without a stop.

    q(t) = q_0 + sum_l a_l/(w l) sin(w l t) - b_l/(w l) cos(w l t), w = 2 pi/T. Rest at the ends, velocity and
    acceleration, asks for sum a_l = 0 and sum l b_l = 0: the basis spans what is left.
    """

    duration: float
    """[s] T, the period"""
    harmonics: int = 5

    def __post_init__(self) -> None:
        """Refuse what cannot move."""
        check_duration(self.duration)
        if not (FEWEST_HARMONICS <= self.harmonics <= MOST and self.harmonics == int(self.harmonics)):
            raise InputError(
                f"{self.harmonics} harmonics, expected {FEWEST_HARMONICS} to {MOST}: with fewer the arm "
                "cannot move and be at rest at the ends"
            )

    @property
    def size(self) -> int:
        """How many functions."""
        return 2 * self.harmonics - 1

    @property
    def waves(self) -> int:
        """How often its quickest function goes up and down."""
        return self.harmonics

    @property
    def frequency(self) -> float:
        """[rad/s] w of the first harmonic."""
        return 2 * np.pi / self.duration

    @property
    def one(self) -> Array:
        """(size) coefficients of the constant 1."""
        return np.eye(self.size)[0]

    def mean(self, coefficients: Array) -> Array:
        """(..., size, n) coefficients of the constants around which motions are."""
        return self.one[:, None] * coefficients[..., :1, :]

    def at(self, time: Array) -> Array:
        """(3, t, size) the functions, their velocities and their accelerations."""
        l = np.arange(1, self.harmonics + 1)  # noqa: E741  as it is written
        w = self.frequency * l
        sine, cosine = np.sin(np.outer(time, w)), np.cos(np.outer(time, w))
        ones, zeros = np.ones((len(time), 1)), np.zeros((len(time), 1))
        free_a, free_b = self._free
        found = (
            np.hstack([ones, (sine / w) @ free_a, -(cosine / w) @ free_b]),
            np.hstack([zeros, cosine @ free_a, sine @ free_b]),
            np.hstack([zeros, -(sine * w) @ free_a, (cosine * w) @ free_b]),
        )
        return _at_rest(np.stack(found), time, self.duration)

    def series(self, coefficients: Array) -> dict[str, Array]:
        """q_0 (n), and a, b (harmonics, n) [rad/s or m/s], of coefficients (size, n)."""
        free_a, free_b = self._free
        a, b = np.split(coefficients[1:], 2)
        return {"q0": coefficients[0], "a": free_a @ a, "b": free_b @ b}

    @cached_property
    def _free(self) -> tuple[Array, Array]:
        """Bases (harmonics, harmonics - 1) of the a with sum a_l = 0 and of the b with sum l b_l = 0."""
        l = np.arange(1.0, self.harmonics + 1)  # noqa: E741
        return _orthogonal_to(np.ones_like(l)), _orthogonal_to(l)


@dataclass(frozen=True)
class Polynomials:
    """Polynomials of degree 5 in pieces of one length, smooth to the fourth derivative: B-splines.

    The first three control points are one, and so are the last three: position, velocity zero, acceleration
    zero. Start and end need not be the same posture.
    """

    duration: float
    """[s]"""
    pieces: int = 12

    def __post_init__(self) -> None:
        """Refuse what cannot move."""
        check_duration(self.duration)
        if not (1 <= self.pieces <= MOST and self.pieces == int(self.pieces)):
            raise InputError(f"{self.pieces} pieces, expected 1 to {MOST}")

    @property
    def size(self) -> int:
        """How many functions."""
        return self.pieces + DEGREE - 4

    @property
    def waves(self) -> int:
        """How often its quickest function goes up and down: each needs about two pieces."""
        return -(-(self.pieces + 1) // 2)

    @property
    def one(self) -> Array:
        """(size) coefficients of the constant 1."""
        return np.ones(self.size)

    def mean(self, coefficients: Array) -> Array:
        """(..., size, n) coefficients of the constants around which motions are."""
        return self.one[:, None] * coefficients.mean(axis=-2, keepdims=True)

    def at(self, time: Array) -> Array:
        """(3, t, size) the functions, their velocities and their accelerations."""
        interpolate: Any = import_module("scipy.interpolate")  # slow to import
        inner = np.linspace(0.0, self.duration, self.pieces + 1)
        knots = np.concatenate([np.zeros(DEGREE), inner, np.full(DEGREE, self.duration)])
        spline = interpolate.BSpline(knots, self._tied, DEGREE)
        t = np.clip(time, 0.0, self.duration)
        return _at_rest(np.stack([spline(t, k) for k in range(3)]), time, self.duration)

    @cached_property
    def _tied(self) -> Array:
        """(pieces + DEGREE, size) control points of each function."""
        owner = np.clip(np.arange(self.pieces + DEGREE) - 2, 0, self.size - 1)
        return np.eye(self.size)[owner]


Basis = Fourier | Polynomials


def check_duration(duration: float) -> None:
    """Refuse a time in which nothing can be done."""
    if not SHORTEST <= duration <= MOST * MOST:
        expected = f"{SHORTEST:g} s to {MOST * MOST:g} s, 10 s or so"
        raise InputError(f"duration is {duration:g} s, expected {expected}")


def _at_rest(found: Array, time: Array, duration: float) -> Array:
    """The functions at rest at the ends to the last bit: dry friction asks for the sign of a velocity."""
    found[1:, (time <= 0) | (time >= duration)] = 0.0
    return found


def _orthogonal_to(vector: Array) -> Array:
    """(m, m - 1) an orthonormal basis of all that is orthogonal to a vector (m)."""
    complete: Any = np.linalg.qr(vector[:, None], mode="complete")[0]
    return complete[:, 1:]
