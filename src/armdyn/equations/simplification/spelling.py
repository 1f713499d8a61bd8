"""Waves written in sines and cosines: every way that is worth a look.

e^(i g angle) is (cos + i sin)^g; even powers of one go by sin^2 + cos^2 = 1, or the double angle is written.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Literal

from armdyn.equations.expression import Angle, Cosine, Expression, Monomial, Sine, Symbol, order
from armdyn.equations.simplification.waves import Digits, Wave, Waves, product

Form = Literal["sines", "cosines", "doubled"]
"""Even powers as powers of the sine, of the cosine, or by the double angle."""


def atoms_multiplied(factors: Iterable[tuple[Expression, int]]) -> Monomial:
    """A product of powers of atoms, in order."""
    powers: dict[Expression, int] = {}
    for atom, n in factors:
        powers[atom] = powers.get(atom, 0) + n
    return tuple(sorted(((atom, n) for atom, n in powers.items() if n), key=lambda x: order(x[0])))


@lru_cache(maxsize=10_000)
def exponential(angle: Angle, times: int, form: Form) -> tuple[tuple[Monomial, complex], ...]:
    """e^(i g angle) as a sum of monomials in its sine and cosine."""
    if form == "doubled" and times % 2 == 0 and times:
        return exponential(tuple((name, 2 * k) for name, k in angle), times // 2, "sines")
    turn = 1j if times > 0 else -1j
    g = abs(times)
    powers = {(n, g - n): math.comb(g, n) * turn**n for n in range(g + 1)}
    powers = _without_squares(powers, of_sine=form == "cosines")
    sine, cosine = Sine(angle), Cosine(angle)
    return tuple((atoms_multiplied(((sine, a), (cosine, b))), c) for (a, b), c in powers.items() if c)


def _without_squares(powers: dict[tuple[int, int], complex], of_sine: bool) -> dict[tuple[int, int], complex]:
    """With x^2 -> 1 - y^2 until no square of the sine (or of the cosine) is left."""
    result: dict[tuple[int, int], complex] = {}
    for (a, b), c in powers.items():
        pairs, left = divmod(a if of_sine else b, 2)
        for n in range(pairs + 1):
            raised = (b if of_sine else a) + 2 * n
            key = (left, raised) if of_sine else (raised, left)
            result[key] = result.get(key, 0) + c * math.comb(pairs, n) * (-1) ** n
    return result


class Groups:
    """Which angles add up: joints whose axes are parallel stand in one group, any other alone."""

    def __init__(self, parallel: Sequence[Sequence[str]]) -> None:
        """Remember each joint's group."""
        self._group = {name: i for i, names in enumerate(parallel) for name in names}

    def angles(self, frequencies: Digits) -> list[tuple[Angle, int]]:
        """k.q as (angle, whole number of times) for each group."""
        parts: dict[int | str, list[tuple[str, int]]] = {}
        for name, k in frequencies:
            parts.setdefault(self._group.get(name, name), []).append((name, k))
        return [_primitive(part) for part in parts.values()]


def _primitive(part: list[tuple[str, int]]) -> tuple[Angle, int]:
    times = math.gcd(*(k for _, k in part)) * (1 if part[0][1] > 0 else -1)
    return tuple((name, k // times) for name, k in part), times


def spelled(function: Waves, groups: Groups, forms: Mapping[Angle, Form]) -> dict[Monomial, float]:
    """A function as a polynomial; each angle in its form, by default in powers of the sine."""
    parts = [(_lengths(powers), groups.angles(frequencies)) for powers, frequencies in function]
    angles = sorted({angle for _, turns in parts for angle, _ in turns})
    rows: dict[tuple[Monomial | int, ...], complex] = {}
    for (lengths, turns), c in zip(parts, function.values(), strict=True):
        times = dict(turns)
        rows[lengths, *(times.get(angle, 0) for angle in angles)] = c
    for column, angle in enumerate(angles, start=1):  # one angle after the other: what is equal meets early
        form, written = forms.get(angle, "sines"), dict[tuple[Monomial | int, ...], complex]()
        for row, c in rows.items():
            g = row[column]
            assert isinstance(g, int)
            for powers, d in exponential(angle, g, form):
                key = (*row[:column], powers, *row[column + 1 :])
                written[key] = written.get(key, 0) + c * d
        rows = written
    return _polynomial(rows, 1e-13 * max(map(abs, function.values()), default=0.0))


def _lengths(powers: Digits) -> Monomial:
    return tuple((Symbol(name), p) for name, p in powers)


def _polynomial(rows: Mapping[tuple[Monomial | int, ...], complex], floor: float) -> dict[Monomial, float]:
    """Rows of factors as monomials, without what is rounding."""
    result: dict[Monomial, float] = {}
    for row, c in rows.items():
        if abs(c) > floor:
            monomial = atoms_multiplied(x for powers in row if isinstance(powers, tuple) for x in powers)
            result[monomial] = result.get(monomial, 0.0) + c.real
    return result


def monomials(wave: Wave, groups: Groups, choice: Sequence[Form]) -> set[Monomial]:
    """All monomials that any of the forms writes a wave with."""
    powers, frequencies = wave
    ways = [
        {powers for form in choice for powers, _ in exponential(angle, g, form)}
        for angle, g in groups.angles(frequencies)
    ]
    lengths = _lengths(powers)
    return {atoms_multiplied((*lengths, *itertools.chain(*chosen))) for chosen in itertools.product(*ways)}


@lru_cache(maxsize=100_000)
def _atom_waves(atom: Expression, n: int) -> tuple[tuple[Wave, complex], ...]:
    match atom:
        case Symbol(name):
            return (((((name, n),), ()), 1.0 + 0j),)
        case Sine(angle):
            once: Waves = {((), angle): -0.5j, ((), _turned(angle)): 0.5j}
        case Cosine(angle):
            once = {((), angle): 0.5 + 0j, ((), _turned(angle)): 0.5 + 0j}
        case _:
            raise AssertionError(atom)
    result: Waves = {((), ()): 1.0 + 0j}
    for _ in range(n):
        result = product(result, once)
    return tuple(result.items())


def _turned(angle: Angle) -> Angle:
    return tuple((name, -k) for name, k in angle)


@lru_cache(maxsize=20_000)
def monomial_waves(monomial: Monomial) -> Waves:
    """The waves of a monomial."""
    result: Waves = {((), ()): 1.0 + 0j}
    for atom, n in monomial:
        result = product(result, dict(_atom_waves(atom, n)))
    return result
