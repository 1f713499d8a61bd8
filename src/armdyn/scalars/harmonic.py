"""Harmonics: sums of c x^p e^(i k.q), the canonical form of every quantity of an arm.

Sines and cosines of joint angles are exponentials; products of them add frequencies, so that
sin^2 + cos^2 = 1, double angles and sums of parallel axes need no rules: what is equal has the same
terms. Lengths and parameters stand in powers. What is no such sum (the square root of a ball screw, a
quotient) becomes a symbol of its own, with its definition kept (`Ring.definitions`).

A term's powers and frequencies are one whole number, a digit for each: multiplying terms adds them.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.scalars.protocol import cos, reciprocal, sin, sqrt

DIGIT_BITS = 20
HALF = 1 << (DIGIT_BITS - 1)
LARGEST_FREQUENCY = 500
"""Angles that turn faster are symbols of their own: a thousand factors would not fill a digit."""
NEGLIGIBLE = 1e-14
"""What is left of terms that cancel, relative to the largest that met."""

ROUNDING, ROUNDING_OF_ALL = 1e-13, 1e-16
"""What rounding leaves beside the largest coefficient with the same powers, and beside the largest of all."""

MOST_TERMS, MOST_PRODUCTS = 200_000, 2_000_000
"""Of one harmonic, and in one multiplication: half a minute's work, beyond which each joint takes five times
as long. Seven joints in general position have 16 000 terms, eight 78 000."""

Key = int


@dataclass(frozen=True)
class Definition:
    """What an opaque symbol stands for: the square root or the reciprocal of a harmonic."""

    function: Literal["sqrt", "reciprocal"]
    argument: Harmonic


@dataclass(frozen=True)
class RealTerm:
    """x^p (cosine cos(k.q) + sine sin(k.q)), powers and frequencies by name of symbol."""

    powers: tuple[tuple[str, int], ...]
    frequencies: tuple[tuple[str, int], ...]
    cosine: float
    sine: float


class Ring:
    """The symbols that harmonics are written in, each with a digit for its power and one as an angle."""

    def __init__(self) -> None:
        """Start without symbols."""
        self.slots: list[tuple[str, bool]] = []
        """(symbol, whether the digit is a frequency)"""
        self.definitions: dict[str, Definition] = {}
        self.scaled: dict[str, tuple[tuple[str, float], ...]] = {}
        """Angles that turn at no whole number of times their joints: name -> (symbol, factor)."""
        self._places: dict[tuple[str, bool], Key] = {}

    def symbol(self, name: str) -> Harmonic:
        """The harmonic that is one symbol."""
        return Harmonic(self, {self.unit(name, False): 1.0 + 0j})

    def symbols(self, stem: str, n: int) -> list[Harmonic]:
        """The symbols stem1 .. stemn."""
        return [self.symbol(f"{stem}{i + 1}") for i in range(n)]

    def constant(self, value: float) -> Harmonic:
        """A number."""
        return Harmonic(self, {0: complex(value)} if value else {})

    def exponential(self, frequencies: Mapping[str, int]) -> Harmonic:
        """e^(i k.q)."""
        return Harmonic(self, {sum(k * self.unit(name, True) for name, k in frequencies.items()): 1.0 + 0j})

    def opaque(self, function: Literal["sqrt", "reciprocal"], argument: Harmonic) -> Harmonic:
        """A symbol for what is no sum of harmonics; the same again for the same argument."""
        for name, known in self.definitions.items():
            if known.function == function and known.argument.terms == argument.terms:
                return self.symbol(name)
        name = f"w{len(self.definitions) + 1}"
        self.definitions[name] = Definition(function, argument)
        return self.symbol(name)

    def unit(self, name: str, angle: bool) -> Key:
        """The term that is one symbol, or e^(i symbol)."""
        place = self._places.get((name, angle))
        if place is None:
            place = self._places[name, angle] = 1 << (DIGIT_BITS * len(self.slots))
            self.slots.append((name, angle))
        return place

    def digits(self, key: Key) -> Iterator[tuple[str, bool, int]]:
        """(symbol, whether a frequency, digit) of a term, where the digit is not zero."""
        for name, angle in self.slots:
            if not key:
                return
            digit = ((key + HALF) & (2 * HALF - 1)) - HALF
            if digit:
                yield name, angle, digit
            key = (key - digit) >> DIGIT_BITS


class Harmonic:
    """A sum of terms of a ring: a scalar that equations can be evaluated on."""

    __slots__ = ("ring", "terms")

    def __init__(self, ring: Ring, terms: dict[Key, complex]) -> None:
        """The sum of coefficient times term."""
        self.ring, self.terms = ring, terms

    # Arithmetic ---------------------------------------------------------------------------------

    def _lifted(self, other: Any) -> dict[Key, complex]:
        if isinstance(other, Harmonic):
            if other.ring is not self.ring:
                raise ValueError("harmonics of two rings cannot be mixed")
            return other.terms
        return {0: complex(other)} if other else {}

    def __add__(self, other: Any) -> Harmonic:
        a, b = self.terms, self._lifted(other)
        if len(a) < len(b):
            a, b = b, a
        total = dict(a)
        for key, c in b.items():
            if (held := total.get(key)) is None:
                total[key] = c
            elif abs(held + c) <= NEGLIGIBLE * abs(c):
                del total[key]
            else:
                total[key] = held + c
        _check_size(len(total), MOST_TERMS)
        return Harmonic(self.ring, total)

    __radd__ = __add__

    def __neg__(self) -> Harmonic:
        return Harmonic(self.ring, {key: -c for key, c in self.terms.items()})

    def __sub__(self, other: Any) -> Harmonic:
        return self + (-other)

    def __rsub__(self, other: Any) -> Harmonic:
        return -self + other

    def __mul__(self, other: Any) -> Harmonic:
        a, b = self.terms, self._lifted(other)
        if len(b) == 1:
            ((key, factor),) = b.items()
            return Harmonic(self.ring, {k + key: c * factor for k, c in a.items()})
        _check_size(len(a) * len(b), MOST_PRODUCTS)
        total: dict[Key, complex] = {}
        take = total.get
        for key, c in a.items():
            for k, d in b.items():
                total[key + k] = take(key + k, 0) + c * d
        if not total:
            return Harmonic(self.ring, total)
        floor = NEGLIGIBLE * max(map(abs, a.values())) * max(map(abs, b.values()))
        return Harmonic(self.ring, {key: c for key, c in total.items() if abs(c) > floor})

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Harmonic:
        return self * (reciprocal(other) if isinstance(other, Harmonic) else 1.0 / other)

    def __rtruediv__(self, other: Any) -> Harmonic:
        return reciprocal(self) * other

    def __pow__(self, power: int) -> Harmonic:
        factor, result = self if power >= 0 else reciprocal(self), self.ring.constant(1.0)
        for _ in range(abs(power)):
            result = result * factor
        return result

    def __repr__(self) -> str:
        return f"Harmonic({len(self.terms)} terms)"

    # Looking ------------------------------------------------------------------------------------

    def digits(self) -> Iterator[tuple[complex, list[tuple[str, bool, int]]]]:
        """(coefficient, digits) of every term."""
        for key, c in self.terms.items():
            yield c, list(self.ring.digits(key))

    @property
    def names(self) -> set[str]:
        """The symbols that appear."""
        return {name for _, digits in self.digits() for name, _, _ in digits}

    def real_terms(self) -> list[RealTerm]:
        """The terms as cosines and sines; k and -k are one."""
        halves: dict[tuple[Any, Any], list[float]] = {}
        for c, digits in self.digits():
            powers = tuple((name, d) for name, angle, d in digits if not angle)
            frequencies = tuple((name, d) for name, angle, d in digits if angle)
            turned = bool(frequencies) and frequencies[0][1] < 0
            if turned:
                frequencies = tuple((name, -d) for name, d in frequencies)
            parts = halves.setdefault((powers, frequencies), [0.0, 0.0])
            parts[0] += c.real
            parts[1] += c.imag if turned else -c.imag
        return [RealTerm(*key, *parts) for key, parts in halves.items()]

    def collected(self, names: set[str]) -> dict[tuple[tuple[str, int], ...], Harmonic]:
        """Powers of some symbols -> the harmonic in the others that stands before them."""
        groups: dict[tuple[tuple[str, int], ...], dict[Key, complex]] = {}
        for key, c in self.terms.items():
            mine = tuple((name, d) for name, angle, d in self.ring.digits(key) if not angle and name in names)
            rest = key - sum(d * self.ring.unit(name, False) for name, d in mine)
            groups.setdefault(mine, {})[rest] = c
        return {mine: Harmonic(self.ring, terms) for mine, terms in groups.items()}

    def is_close(self, other: Harmonic, tolerance: float = 1e-11) -> bool:
        """Whether two are the same but for rounding."""
        largest = max(map(abs, (*self.terms.values(), *other.terms.values())), default=0.0)
        return all(abs(c) <= tolerance * largest for c in (self - other).terms.values())

    # Changing -----------------------------------------------------------------------------------

    def pruned(self) -> Harmonic:
        """Without the terms that are rounding beside the largest with the same powers, or beside all."""
        powers = [frozenset(x for x in self.ring.digits(key) if not x[1]) for key in self.terms]
        largest: dict[frozenset[Any], float] = {}
        for mine, c in zip(powers, self.terms.values(), strict=True):
            largest[mine] = max(largest.get(mine, 0.0), abs(c))
        floor = ROUNDING_OF_ALL * max(largest.values(), default=0.0)
        kept = {
            key: c
            for mine, (key, c) in zip(powers, self.terms.items(), strict=True)
            if abs(c) > max(floor, ROUNDING * largest[mine])
        }
        return Harmonic(self.ring, kept)

    def derivative(self, name: str) -> Harmonic:
        """d/d name, through opaque symbols too."""
        power = self.ring.unit(name, False)
        total = Harmonic(self.ring, {})
        straight: dict[Key, complex] = {}
        for key, c in self.terms.items():
            for symbol, turning, d in self.ring.digits(key):
                if symbol == name:
                    at = key if turning else key - power
                    straight[at] = straight.get(at, 0) + c * (1j * d if turning else d)
                elif turning and symbol in self.ring.scaled:
                    factor = dict(self.ring.scaled[symbol]).get(name, 0.0)
                    if factor:
                        straight[key] = straight.get(key, 0) + c * 1j * d * factor
                elif not turning and symbol in self.ring.definitions:
                    rest = Harmonic(self.ring, {key - self.ring.unit(symbol, False): c * d})
                    total = total + rest * self._slope(symbol, name)
        return total + Harmonic(self.ring, {key: c for key, c in straight.items() if c})

    def _slope(self, symbol: str, name: str) -> Harmonic:
        """How an opaque symbol w changes: a'/(2 w) for w = sqrt(a), -w^2 a' for w = 1/a."""
        definition, w = self.ring.definitions[symbol], self.ring.symbol(symbol)
        inner = definition.argument.derivative(name)
        return inner * reciprocal(w) * 0.5 if definition.function == "sqrt" else -(w * w * inner)

    def evaluate(self, values: Mapping[str, Any]) -> NDArray[np.float64]:
        """The value where every symbol has a number or an array."""
        known: dict[str, Any] = dict(values)
        for name in sorted(self.names):
            self._define(name, known)
        total: Any = 0.0
        for c, digits in self.digits():
            term: Any = c
            phase: Any = 0.0
            for name, angle, d in digits:
                if angle:
                    phase = phase + d * known[name]
                else:
                    term = term * known[name] ** float(d)
            total = total + (term * np.exp(1j * phase)).real if np.any(phase) else total + np.real(term)
        return np.asarray(total, dtype=float)

    def _define(self, name: str, known: dict[str, Any]) -> None:
        if name in known:
            return
        if name in self.ring.scaled:
            for angle, _ in self.ring.scaled[name]:
                self._define(angle, known)
            known[name] = sum(factor * known[angle] for angle, factor in self.ring.scaled[name])
        elif name in self.ring.definitions:
            definition = self.ring.definitions[name]
            value = definition.argument.evaluate(known)
            known[name] = np.sqrt(value) if definition.function == "sqrt" else 1.0 / value


# Functions ------------------------------------------------------------------------------------


def _check_size(count: int, most: int) -> None:
    """Refuse sums of waves that would fill the memory."""
    if count > most:
        raise InputError(
            f"the equations written out have {count:,} terms in one place, expected {most:,} at most; lock "
            "joints, or take an arm of fewer"
        )


def _turned(ring: Ring, angle: Any) -> Harmonic:
    """e^(i angle) of an angle that is linear in symbols, or a number."""
    if not isinstance(angle, Harmonic):
        return Harmonic(ring, {0: cmath.exp(1j * angle)})
    factor, frequencies, others = 1.0 + 0j, dict[str, int](), list[tuple[str, float]]()
    for c, digits in angle.digits():
        if not digits:
            factor *= cmath.exp(1j * c.real)
            continue
        if len(digits) != 1 or digits[0][1:] != (False, 1):
            raise ValueError("the angle of a sine or cosine is not linear in the joints")
        name = digits[0][0]
        if c.real.is_integer() and abs(c.real) <= LARGEST_FREQUENCY:
            frequencies[name] = int(c.real)
        else:
            others.append((name, c.real))
    if others:
        frequencies[_scaled_angle(ring, tuple(others))] = 1
    return ring.exponential(frequencies) * Harmonic(ring, {0: factor})


def _scaled_angle(ring: Ring, angle: tuple[tuple[str, float], ...]) -> str:
    for name, known in ring.scaled.items():
        if known == angle:
            return name
    name = f"theta{len(ring.scaled) + 1}"
    ring.scaled[name] = angle
    return name


@cos.register(Harmonic)
def _cos(x: Harmonic) -> Harmonic:
    e = _turned(x.ring, x)
    return (e + _conjugate(e)) * 0.5


@sin.register(Harmonic)
def _sin(x: Harmonic) -> Harmonic:
    e = _turned(x.ring, x)
    difference = e - _conjugate(e)
    return Harmonic(x.ring, {key: c * -0.5j for key, c in difference.terms.items()})


def _conjugate(e: Harmonic) -> Harmonic:
    """Of a single exponential: the frequencies turned round."""
    return Harmonic(e.ring, {-key: c.conjugate() for key, c in e.terms.items()})


@sqrt.register(Harmonic)
def _sqrt(x: Harmonic) -> Harmonic:
    if set(x.terms) <= {0}:
        return x.ring.constant(math.sqrt(x.terms.get(0, 0j).real))
    return x.ring.opaque("sqrt", x)


@reciprocal.register(Harmonic)
def _reciprocal(x: Harmonic) -> Harmonic:
    if len(x.terms) == 1:
        ((key, c),) = x.terms.items()
        if not any(angle for _, angle, _ in x.ring.digits(key)):
            return Harmonic(x.ring, {-key: 1 / c})
    return x.ring.opaque("reciprocal", x)
