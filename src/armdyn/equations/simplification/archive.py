"""The best approximations found: for every number of operations, those that leave least."""

from __future__ import annotations

from collections.abc import Iterator

from armdyn.equations.expression import Expression
from armdyn.equations.simplification.dictionary import Dictionary
from armdyn.equations.simplification.fitting import Fit, Structure, fit, reduced

KEPT = 3
"""How many are kept for one number of operations."""
MARGIN = 1.3
"""Looked at is what leaves up to so many times more than a shorter one."""


class Archive:
    """Structures tried, and the best of them."""

    def __init__(self, dictionary: Dictionary, budget: int) -> None:
        """Start with nothing; budget is how many structures may be tried from `start` on."""
        self.dictionary, self.budget, self._first = dictionary, budget, 0
        self._seen: dict[Structure, tuple[Fit, int] | None] = {}
        self._best: dict[int, list[Fit]] = {}

    @property
    def spent(self) -> float:
        """How much of the budget is used, from 0 to 1."""
        return min(1.0, (len(self._seen) - self._first) / self.budget)

    def start(self) -> None:
        """Spend from here on."""
        self._first = len(self._seen)

    def offer(self, structure: Structure) -> tuple[Fit, int] | None:
        """A structure's fit and operations; none where it is of no use."""
        if structure not in self._seen:
            self._seen[structure] = self._tried(structure)
        return self._seen[structure]

    def _tried(self, structure: Structure) -> tuple[Fit, int] | None:
        found = fit(structure, self.dictionary)
        if found is None:
            return None
        if found.loss > MARGIN * self.least(self._fewest(structure)):
            return None
        less = reduced(found)
        if less != structure:
            return self.offer(less)
        operations = found.operations
        level = self._best.setdefault(operations, [])
        level.append(found)
        level.sort(key=lambda held: held.loss)
        del level[KEPT:]
        return found, operations

    def _fewest(self, structure: Structure) -> int:
        """Operations it takes at least: one less than there are coefficients and atoms to put together."""
        used = [self.dictionary.monomials[i] for group in structure for i, _ in group]
        degrees: dict[Expression, int] = {}
        for powers in used:
            for atom, n in powers:
                degrees[atom] = max(degrees.get(atom, 0), n)
        leaves = len(structure) + sum(min(n, 2) for n in degrees.values())
        if len(used) > len(structure):
            return leaves - 1
        alone = () in used
        return max(leaves - 1, 2 * len(used) - 1 - alone)  # additions, a multiplication by each coefficient

    def least(self, operations: int) -> float:
        """The least that is left with so many operations or fewer."""
        return min(
            (level[0].loss for n, level in self._best.items() if n <= operations), default=float("inf")
        )

    def promising(self) -> Iterator[tuple[int, Fit]]:
        """(place among equally long ones, fit) of those at the front or near it, short ones first."""
        reached = float("inf")
        for n in sorted(self._best):
            for place, held in enumerate(self._best[n]):
                if held.loss <= MARGIN * reached:
                    yield place, held
            reached = min(reached, self._best[n][0].loss)
