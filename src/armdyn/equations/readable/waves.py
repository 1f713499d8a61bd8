"""Functions of angles as waves, sums of c e^(i k.x), and the forms in which one angle's waves are written.

sines      cos^2 = 1 - sin^2: what is left is sin^n or cos sin^n
cosines    sin^2 = 1 - cos^2
equal      1 = sin^2 + cos^2: all terms get the same degree, a^2 s^2 + b^2 c^2
multiples  sines and cosines of the multiples, or of the sums of angles, themselves
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product as pairs
from math import comb
from typing import Literal

from armdyn.equations.expression import Angle, Cosine, Monomial, Sine

Frequency = tuple[int, ...]
Waves = Mapping[tuple[Frequency, ...], complex]
"""Frequencies of each variable -> coefficient; k and -k together are real."""
Variable = tuple[Angle, ...]
"""What a frequency counts: one angle, or several whose sums stand in sines and cosines."""
Form = Literal["sines", "cosines", "equal", "multiples"]

NEGLIGIBLE = 2e-14
"""What is left of waves that cancel, where the largest of the whole is 1."""


def split(
    waves: Waves, at: int, variable: Variable, form: Form
) -> dict[Monomial, dict[tuple[Frequency, ...], complex]]:
    """Monomials of one variable -> waves of the others, such that the sum of their products are the waves."""
    degrees = [0, 0]
    if form == "equal":
        for key in waves:
            k = abs(key[at][0])
            degrees[k % 2] = max(degrees[k % 2], k)
    pieces: dict[Monomial, dict[tuple[Frequency, ...], complex]] = {}
    for key, c in waves.items():
        rest = key[:at] + key[at + 1 :]
        for powers, factor in wave(variable, key[at], form, degrees[key[at][0] % 2]):
            piece = pieces.setdefault(powers, {})
            piece[rest] = piece.get(rest, 0) + c * factor
    kept = {
        powers: {key: c for key, c in piece.items() if abs(c) > NEGLIGIBLE}
        for powers, piece in pieces.items()
    }
    return {powers: piece for powers, piece in kept.items() if piece}


@lru_cache(maxsize=10_000)
def wave(variable: Variable, k: Frequency, form: Form, degree: int) -> tuple[tuple[Monomial, complex], ...]:
    """e^(i k.x) in sines and cosines."""
    if not any(k):
        constant: tuple[tuple[Monomial, complex], ...] = (((), 1.0 + 0j),)
        if form != "equal" or not degree:
            return constant
    if form == "multiples":
        return _multiples(angle_of(variable, k))
    (angle,) = variable
    return tuple((_powers(angle, a, b), c) for (a, b), c in _rectangular(k[0], form, degree).items() if c)


def angle_of(variable: Variable, k: Frequency) -> Angle:
    """k.x over the coordinates."""
    factors: dict[str, int] = {}
    for n, angle in zip(k, variable, strict=True):
        for name, factor in angle:
            factors[name] = factors.get(name, 0) + n * factor
    return tuple((name, factor) for name, factor in factors.items() if factor)


def _multiples(angle: Angle) -> tuple[tuple[Monomial, complex], ...]:
    sign = 1 if angle[0][1] > 0 else -1
    upright = tuple((name, sign * factor) for name, factor in angle)
    return ((((Cosine(upright), 1),), 1.0 + 0j), (((Sine(upright), 1),), sign * 1j))


def _powers(angle: Angle, a: int, b: int) -> Monomial:
    sine, cosine = (Sine(angle), b), (Cosine(angle), a)
    return tuple(power for power in (sine, cosine) if power[1])


def _rectangular(k: int, form: Form, degree: int) -> dict[tuple[int, int], complex]:
    """(cos + i sin)^k as powers of cosine and sine."""
    n, unit = abs(k), 1j if k >= 0 else -1j
    terms = {(n - b, b): comb(n, b) * unit**b for b in range(n + 1)}
    if form == "equal":
        return _multiplied(terms, _binomial((degree - n) // 2, (2, 0), 1, (0, 2)))
    reduced: dict[tuple[int, int], complex] = {}
    for (a, b), c in terms.items():
        if form == "sines":  # cos^a = cos^(a mod 2) (1 - sin^2)^(a div 2)
            part = _multiplied({(a % 2, b): c}, _binomial(a // 2, (0, 0), -1, (0, 2)))
        else:
            part = _multiplied({(a, b % 2): c}, _binomial(b // 2, (0, 0), -1, (2, 0)))
        for powers, value in part.items():
            reduced[powers] = reduced.get(powers, 0) + value
    return reduced


def _binomial(n: int, x: tuple[int, int], sign: int, y: tuple[int, int]) -> dict[tuple[int, int], complex]:
    """(x + sign y)^n."""
    return {
        (x[0] * (n - j) + y[0] * j, x[1] * (n - j) + y[1] * j): complex(comb(n, j) * sign**j)
        for j in range(n + 1)
    }


def _multiplied(
    a: Mapping[tuple[int, int], complex], b: Mapping[tuple[int, int], complex]
) -> dict[tuple[int, int], complex]:
    result: dict[tuple[int, int], complex] = {}
    for (x, c), (y, d) in pairs(a.items(), b.items()):
        at = (x[0] + y[0], x[1] + y[1])
        result[at] = result.get(at, 0) + c * d
    return result


def added(a: Frequency, b: Frequency) -> Frequency:
    """Frequencies, or powers, of a product."""
    return tuple(x + y for x, y in zip(a, b, strict=True))


def without(waves: Waves, idle: Iterable[int]) -> Waves:
    """The waves without variables that do not matter."""
    left = set(idle)
    if not left:
        return waves
    return {tuple(k for i, k in enumerate(key) if i not in left): c for key, c in waves.items()}
