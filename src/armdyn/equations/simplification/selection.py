"""The search for short approximations: terms added, dropped, exchanged and given one coefficient."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from armdyn.equations.simplification.archive import Archive
from armdyn.equations.simplification.fitting import (
    SINGULAR,
    Fit,
    Group,
    Structure,
    selection,
    sorted_structure,
)
from armdyn.scalars import Array

WEIGHTS = (0.0, 0.5, 1.0)
"""How much the operations of a step count when it is chosen."""
SHORTLIST = 10
"""Terms looked at for a step."""
MOST_TERMS = 30
"""Terms up to which approximations are built up."""
MOST_CHANGED = 24
"""Terms up to which approximations are changed one by one."""
EXACT = 1e-20
"""Relative mean square that is rounding."""
ALIKE = 1.5
"""Coefficients within this ratio may become one."""

Progress = Callable[[float], None]


def search(archive: Archive, exact: list[Structure], progress: Progress) -> None:
    """Fill an archive: from nothing upwards, from the exact forms downwards, then by changes."""
    archive.offer(())
    archive.offer((((archive.dictionary.monomials.index(()), 1.0),),))
    for weight in WEIGHTS:
        built_up(archive, weight)
    for structure in exact:
        for weight in WEIGHTS[1:]:
            worn_down(archive, structure, weight)
    progress(0.3)
    archive.start()
    changed(archive, lambda: progress(0.3 + 0.7 * archive.spent))
    progress(1.0)


# Steps -----------------------------------------------------------------------------------------


def built_up(archive: Archive, weight: float) -> None:
    """Add, step by step, the term that takes away most for its operations."""
    current, before = archive.offer(()), 0
    while current is not None and len(current[0].structure) < MOST_TERMS and current[0].loss > EXACT:
        found, before = current
        candidates = additions(found)[: SHORTLIST if weight else 1]
        tried = [archive.offer(sorted_structure((*found.structure, ((j, 1.0),)))) for j in candidates]
        useful = [x for x in tried if x is not None and x[0].loss < found.loss * (1 - 1e-9)]
        current = max(
            useful, key=lambda x: _gain(found, x[0]) / _steps(x[1] - before) ** weight, default=None
        )


def _gain(before: Fit, after: Fit) -> float:
    return math.log(before.loss / max(after.loss, EXACT))


def _steps(operations: int) -> float:
    return max(operations, 0.5)


def worn_down(archive: Archive, structure: Structure, weight: float) -> None:
    """Drop, step by step, the term that leaves least for its operations; of very many, several at once."""
    current = archive.offer(structure)
    while current is not None and current[0].structure:
        found, before = current
        candidates = removals(found)
        several = len(candidates) // 30
        if several > 1:
            gone = set(candidates[:several])
            current = archive.offer(tuple(g for i, g in enumerate(found.structure) if i not in gone))
            continue
        shortlist = candidates[: max(3, min(SHORTLIST, 300 // len(candidates)))]
        tried = [archive.offer(without(found.structure, i)) for i in shortlist]
        current = min(
            (x for x in tried if x is not None and len(x[0].structure) < len(found.structure)),
            key=lambda x: (x[0].loss - found.loss + EXACT) / _steps(before - x[1]) ** weight,
            default=None,
        )


def changed(archive: Archive, report: Callable[[], None]) -> None:
    """Change what is at the front until nothing gets better or the budget is spent."""
    done: set[Structure] = set()
    while archive.spent < 1:
        waiting = [
            held
            for _, held in archive.promising()
            if held.structure not in done and len(held.structure) <= MOST_CHANGED
        ]
        if not waiting:
            return
        for held in waiting:
            done.add(held.structure)
            for structure in changes(held):
                archive.offer(structure)
            report()
            if archive.spent >= 1:
                return


def changes(found: Fit) -> Iterator[Structure]:
    """What is one change away: a term more, less or exchanged, coefficients made one or set apart."""
    structure = found.structure
    more = additions(found)[:SHORTLIST]
    for j in more:
        yield sorted_structure((*structure, ((j, 1.0),)))
    for i, group in enumerate(structure):
        shorter = without(structure, i)
        yield shorter
        for j in more[: SHORTLIST // 2]:
            yield sorted_structure((*shorter, ((j, 1.0),)))
        if len(group) > 1:
            yield sorted_structure((*shorter, *((member,) for member in group)))
            for member in group:
                yield sorted_structure((*shorter, tuple(x for x in group if x != member)))
    yield from _made_one(found)


def _made_one(found: Fit) -> Iterator[Structure]:
    """With two coefficients of about the same size as one."""
    size = np.abs(found.coefficients)
    for i, group in enumerate(found.structure):
        for j in range(i):
            ratio = size[i] / np.maximum(size[j], 1e-300)
            if (ratio < ALIKE).all() and (ratio > 1 / ALIKE).all():
                sign = float(np.sign(found.coefficients[i] @ found.coefficients[j]))
                joined: Group = (*found.structure[j], *((m, sign * f) for m, f in group))
                rest = [g for k, g in enumerate(found.structure) if k not in {i, j}]
                yield sorted_structure((*rest, joined))


def without(structure: Structure, i: int) -> Structure:
    """A structure without one of its groups."""
    return structure[:i] + structure[i + 1 :]


# What to add or drop ---------------------------------------------------------------------------


def additions(found: Fit) -> list[int]:
    """The monomials not yet used, those first that take away most."""
    book = found.dictionary
    relative = np.where(book.squares > 0, book.squares, 1.0)
    norms = np.diagonal(book.gram)
    left, alone = book.targets, norms
    used: list[int] = []
    if found.structure:
        T, used = selection(found.structure)
        across = T.T @ book.gram[used]
        left = left - across.T @ found.coefficients
        inner = T.T @ book.gram[np.ix_(used, used)] @ T
        alone = norms - np.einsum("kj,kj->j", across, np.linalg.solve(inner, across))
    free = alone > SINGULAR * norms
    gains: Array = (left**2 / np.where(free, alone, 1.0)[:, None] / relative).sum(axis=1)
    gains[~free] = 0.0
    gains[used] = 0.0
    return [j for j in np.argsort(-gains, kind="stable").tolist() if gains[j] > 0]


def removals(found: Fit) -> list[int]:
    """The groups of a structure, those first that leave least when dropped."""
    book = found.dictionary
    relative = np.where(book.squares > 0, book.squares, 1.0)
    T, used = selection(found.structure)
    inverse = np.linalg.inv(T.T @ book.gram[np.ix_(used, used)] @ T)
    worse = (found.coefficients**2 / np.diagonal(inverse)[:, None] / relative).sum(axis=1)
    return np.argsort(worse, kind="stable").tolist()
