"""Coefficients of an approximation: least squares over the whole box, by means that are exact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from armdyn.equations.expression import Monomial
from armdyn.equations.simplification.dictionary import Dictionary
from armdyn.equations.simplification.length import estimated_length
from armdyn.scalars import Array

Group = tuple[tuple[int, float], ...]
"""Monomials (numbers in the dictionary) that share a coefficient, each with its factor."""
Structure = tuple[Group, ...]

EQUAL = 1e-9
"""Relative difference up to which coefficients are the same."""
ROUNDING = 1e-15
"""Relative mean square that is nothing."""
SINGULAR = 1e-10
"""What is left of a monomial's mean square when others can write it."""


@dataclass(frozen=True)
class Fit:
    """A structure with its coefficients."""

    structure: Structure
    coefficients: Array
    """(groups, cases)"""
    loss: float
    """Mean square of what is left, relative to each case's, averaged over the cases."""
    shares: Array
    """(groups) mean square of each group, relative to that of the case it matters most in"""
    dictionary: Dictionary = field(repr=False)

    def polynomial(self, coefficients: Array) -> dict[Monomial, float]:
        """One case's polynomial."""
        floor = 1e-13 * float(np.abs(coefficients).max(initial=0.0))
        return {
            self.dictionary.monomials[i]: factor * c
            for group, c in zip(self.structure, coefficients.tolist(), strict=True)
            for i, factor in group
            if abs(c) > floor
        }

    @property
    def operations(self) -> int:
        """About how many it takes."""
        named = self.dictionary.monomials
        return estimated_length([[named[i] for i, _ in group] for group in self.structure])


def sorted_structure(groups: Sequence[Group]) -> Structure:
    """The same structure always in the same order."""
    return tuple(sorted(_normal(group) for group in groups if group))


def _normal(group: Group) -> Group:
    ordered = sorted(group)
    lead = ordered[0][1]
    return tuple((i, factor / lead) for i, factor in ordered)


def fit(structure: Structure, dictionary: Dictionary) -> Fit | None:
    """The least mean square of what is left, or none where the groups depend on one another."""
    relative = np.where(dictionary.squares > 0, dictionary.squares, 1.0)
    if not structure:
        loss = float(np.mean(dictionary.squares / relative))
        return Fit(structure, np.zeros((0, len(relative))), loss, np.zeros(0), dictionary)
    T, used = selection(structure)
    G = T.T @ dictionary.gram[np.ix_(used, used)] @ T
    b = T.T @ dictionary.targets[used]
    size = np.sqrt(np.diagonal(G))
    if size.min() <= 0:
        return None
    scaled = G / np.outer(size, size)
    values, vectors = np.linalg.eigh(scaled)
    if values[0] < SINGULAR:
        return None
    x: Array = vectors @ ((vectors.T @ (b / size[:, None])) / values[:, None]) / size[:, None]
    left = (dictionary.squares - np.einsum("kc,kc->c", b, x)) / relative
    shares: Array = (x**2 * np.diagonal(G)[:, None] / relative).max(axis=1)
    return Fit(structure, x, float(np.mean(np.where(left > ROUNDING, left, 0.0))), shares, dictionary)


def selection(structure: Structure) -> tuple[Array, list[int]]:
    """(monomials used, groups) the factors, and which monomials these are."""
    used = sorted({i for group in structure for i, _ in group})
    place = {i: row for row, i in enumerate(used)}
    T: Array = np.zeros((len(used), len(structure)))
    for column, group in enumerate(structure):
        for i, factor in group:
            T[place[i], column] = factor
    return T, used


def reduced(found: Fit) -> Structure:
    """The structure without groups that add nothing, those joined whose coefficients agree in every case."""
    sizes = np.abs(found.coefficients[:, 0])
    joined: list[tuple[Group, Array]] = []
    order: list[int] = np.argsort(sizes, kind="stable").tolist()
    for i in order:
        group: Group = found.structure[i]
        row: Array = found.coefficients[i]
        if found.shares[i] <= ROUNDING:
            continue
        if joined and (sign := _agreement(row, joined[-1][1])):
            held, first = joined.pop()
            joined.append(((*held, *((m, sign * f) for m, f in group)), first))
        else:
            joined.append((group, row))
    return sorted_structure([group for group, _ in joined])


def _agreement(row: Array, other: Array) -> float:
    """1 or -1 where two coefficients are that times one another in every case, 0 where not."""
    near = EQUAL * np.abs(row).max()
    return next((sign for sign in (1.0, -1.0) if np.abs(row - sign * other).max() <= near), 0.0)
