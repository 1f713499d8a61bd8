"""Means over the box of products of monomials and cases.

Joints that no angle brings together are independent: the mean of a product is the product of the means of
what each block of joints contributes, and a block has few different contributions.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from armdyn.equations.expression import Cosine, Monomial, Sine, Symbol
from armdyn.equations.simplification.spelling import monomial_waves
from armdyn.equations.simplification.waves import Joints, Wave, Waves
from armdyn.scalars import Array

AT_ONCE = 4_000_000
"""Means computed in one go."""

Names = frozenset[str]
Part = TypeVar("Part", bound=Hashable)


@dataclass(frozen=True)
class Overlaps:
    """Means of products over the box."""

    gram: Array
    """(m, m) of two monomials"""
    targets: Array
    """(m, c) of a monomial and a case"""
    squares: Array
    """(c) of a case with itself"""


def overlaps(monomials: Sequence[Monomial], cases: Sequence[Waves], joints: Joints) -> Overlaps:
    """How monomials and cases overlap on the box."""
    blocks = _blocks(monomials, joints)
    gram: Array = np.ones((len(monomials), len(monomials)))
    for block in blocks:
        factors, place = _numbered([_part(m, block) for m in monomials])
        keys, B = _expanded(factors)
        table = np.real(B @ joints.means(keys, keys) @ B.T)
        gram *= table[np.ix_(place, place)]
    targets = np.stack([_means(monomials, case, blocks, joints) for case in cases], axis=1)
    return Overlaps(gram, targets, np.array([_mean_square(case, joints) for case in cases]))


def _blocks(monomials: Iterable[Monomial], joints: Joints) -> list[Names]:
    """Names of joints and angles, those together that some angle brings together."""
    together = [frozenset({name}) for name in joints.names]
    together += [frozenset({name, *(joint for joint, _ in parts)}) for name, parts in joints.scaled.items()]
    together += {
        frozenset(name for name, _ in atom.angle)
        for powers in monomials
        for atom, _ in powers
        if isinstance(atom, Sine | Cosine)
    }
    blocks: list[Names] = []
    for names in together:
        apart = [block for block in blocks if not block & names]
        blocks = [*apart, names.union(*(block for block in blocks if block & names))]
    return blocks


def _part(monomial: Monomial, block: Names) -> Monomial:
    """What a monomial has of a block."""
    return tuple((atom, n) for atom, n in monomial if _name(atom) in block)


def _name(atom: object) -> str:
    match atom:
        case Symbol(name):
            return name
        case Sine(angle) | Cosine(angle):
            return angle[0][0]
        case _:
            raise AssertionError(atom)


def _wave_part(wave: Wave, block: Names) -> Wave:
    powers, frequencies = wave
    return tuple(x for x in powers if x[0] in block), tuple(x for x in frequencies if x[0] in block)


def _numbered(parts: Sequence[Part]) -> tuple[list[Part], NDArray[np.int64]]:
    """The different ones, and which each is."""
    numbers: dict[Part, int] = {}
    place = np.array([numbers.setdefault(part, len(numbers)) for part in parts], dtype=np.int64)
    return list(numbers), place


def _expanded(factors: Sequence[Monomial]) -> tuple[list[Wave], NDArray[np.complex128]]:
    """The waves of monomials, and their coefficients: (monomials, waves)."""
    expansions = [monomial_waves(factor) for factor in factors]
    keys, _ = _numbered([wave for expansion in expansions for wave in expansion])
    B = np.zeros((len(factors), len(keys)), dtype=np.complex128)
    for row, expansion in enumerate(expansions):
        for column, wave in enumerate(keys):
            B[row, column] = expansion.get(wave, 0)
    return keys, B


def _means(monomials: Sequence[Monomial], case: Waves, blocks: Sequence[Names], joints: Joints) -> Array:
    """(m) means of the products of monomials and a case."""
    waves = list(case)
    tables: list[tuple[NDArray[np.complex128], NDArray[np.int64], NDArray[np.int64]]] = []
    for block in blocks:
        factors, place = _numbered([_part(m, block) for m in monomials])
        parts, column = _numbered([_wave_part(wave, block) for wave in waves])
        keys, B = _expanded(factors)
        tables.append((B @ joints.means(keys, parts), place, column))
    c = np.array([case[wave] for wave in waves], dtype=np.complex128)
    total: Array = np.zeros(len(monomials))
    step = max(1, AT_ONCE // max(1, len(monomials)))
    for start in range(0, len(waves), step):
        some = slice(start, start + step)
        product = np.ones((len(monomials), len(c[some])), dtype=np.complex128)
        for table, place, column in tables:
            product *= table[np.ix_(place, column[some])]
        total += np.real(product @ c[some])
    return total


def _mean_square(case: Waves, joints: Joints) -> float:
    waves = list(case)
    c = np.array([case[wave] for wave in waves], dtype=np.complex128)
    total = 0.0
    step = max(1, AT_ONCE // max(1, len(waves)))
    for start in range(0, len(waves), step):
        some = slice(start, start + step)
        total += float(np.real(c[some] @ joints.means(waves[some], waves) @ c))
    return max(total, 0.0)
