"""The monomials that an approximation is chosen from, and how they and the cases overlap on the box."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from armdyn.equations.expression import Monomial, order
from armdyn.equations.simplification.overlaps import overlaps
from armdyn.equations.simplification.spelling import Form, Groups, monomials
from armdyn.equations.simplification.waves import Joints, Wave, Waves
from armdyn.scalars import Array

MOST_MONOMIALS = 700
"""How many the choice is made from; of more, those that overlap most with the cases."""
MOST_CANDIDATES = 1500
"""How many are looked at to choose these."""


@dataclass(frozen=True)
class Dictionary:
    """Monomials with their means over the box."""

    monomials: tuple[Monomial, ...]
    gram: Array
    """(m, m) means of the products of two"""
    targets: Array
    """(m, c) means of the products with each case"""
    squares: Array
    """(c) mean squares of the cases"""


def dictionary(
    cases: Sequence[Waves], joints: Joints, groups: Groups, choice: Sequence[Form], exact: Iterable[Monomial]
) -> Dictionary:
    """All that the forms write the cases with, and what is left of each when a factor is dropped.

    Of too many, those that the exact form has come first, where that is not too long itself.
    """
    needed = set(exact)
    needed = needed if len(needed) <= MOST_MONOMIALS // 2 else set[Monomial]()
    found = _in_order(_candidates(cases, groups, choice, needed))
    means = overlaps(found, cases, joints)
    gram, targets, squares = means.gram, means.targets, means.squares
    norms = np.diagonal(gram)
    possible = norms > 1e-12 * norms.max()
    relative = np.where(squares > 0, squares, 1.0)
    share = (targets**2 / np.where(possible, norms, 1.0)[:, None] / relative).sum(axis=1)
    first = needed | {()}
    ranked = sorted(np.flatnonzero(possible).tolist(), key=lambda i: (found[i] not in first, -share[i], i))
    kept = sorted(ranked[:MOST_MONOMIALS])
    return Dictionary(tuple(found[i] for i in kept), gram[np.ix_(kept, kept)], targets[kept], squares)


def _candidates(
    cases: Sequence[Waves], groups: Groups, choice: Sequence[Form], needed: set[Monomial]
) -> set[Monomial]:
    """The monomials of the largest waves, until there are very many."""
    sizes: dict[Wave, float] = {}
    for case in cases:
        for wave, c in case.items():
            sizes[wave] = sizes.get(wave, 0.0) + abs(c)
    found = needed | {()}
    for wave in sorted(sizes, key=lambda wave: (-sizes[wave], wave)):
        written = monomials(wave, groups, choice)
        found |= written | {less for m in written for less in _lessened(m)}
        if len(found) > MOST_CANDIDATES:
            break
    return found


def _in_order(found: Iterable[Monomial]) -> list[Monomial]:
    return sorted(found, key=lambda m: [(order(atom), n) for atom, n in m])


def _lessened(monomial: Monomial) -> list[Monomial]:
    """The monomial without one of its factors."""
    return [monomial[:i] + monomial[i + 1 :] for i in range(len(monomial))]
