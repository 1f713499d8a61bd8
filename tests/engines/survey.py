"""Many cases compared, and what came of it: how many, how far apart, who was right.

PYTHONPATH=tests python -m engines.survey small 0 100
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from engines.armdyn_engine import Engine
from engines.cases import LARGE, MIDDLE, SMALL, Case, random_case
from engines.comparison import Difference
from engines.failures import require_agreement


@dataclass(frozen=True)
class Kind:
    """Robots of a kind, and what is compared of them."""

    sizes: tuple[int, int]
    extreme: bool
    engines: tuple[Engine, ...]
    """One after another, case by case."""
    derivatives: bool = False


MIXED: tuple[Engine, ...] = ("numpy", "numpy", "compiled", "numpy", "numpy", "tape")
"""Compiling takes longest."""
KINDS = {
    "small": Kind(SMALL, False, MIXED),
    "small extreme": Kind(SMALL, True, MIXED),
    "small derivatives": Kind(SMALL, False, ("numpy",), derivatives=True),
    "small extreme derivatives": Kind((1, 5), True, ("numpy",), derivatives=True),
    "middle": Kind(MIDDLE, False, ("numpy", "numpy", "tape")),
    "middle extreme": Kind(MIDDLE, True, ("numpy", "numpy", "tape")),
    "large": Kind(LARGE, False, ("tape",)),
    "large extreme": Kind(LARGE, True, ("tape",)),
}


@dataclass
class Survey:
    """What was seen so far."""

    robots: int = 0
    states: int = 0
    numbers: int = 0
    """Quantities of a robot compared with those of a peer."""
    worst: dict[tuple[str, str], Difference] = field(default_factory=dict)
    """(quantity, peer) -> the largest difference."""
    overruled: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(quantity, peer) -> how often the peer was wrong."""

    def add(self, case: Case, found: Iterable[Difference]) -> None:
        """Count a case."""
        self.robots += 1
        self.states += len(case.q)
        for one in found:
            self.numbers += 1
            key = one.quantity, one.peer
            if key not in self.worst or one.off > self.worst[key].off:
                self.worst[key] = one
            self.overruled[key] += one.wrong == "peer"

    def __str__(self) -> str:
        lines = [f"{self.robots} robots, {self.states} states, {self.numbers} quantities beside a peer's"]
        for (quantity, peer), one in sorted(self.worst.items()):
            wrong = self.overruled[quantity, peer]
            ending = f", {peer} wrong {wrong} times" if wrong else ""
            lines.append(
                f"{quantity:18} {peer:15} {one.off:9.1e} roundings, {one.relative:.1e} of the largest{ending}"
            )
        return "\n".join(lines)


def survey(name: str, seeds: Iterable[int]) -> Survey:
    """Compare the cases of a kind; EnginesDifferError at the first in which armdyn is wrong."""
    kind, seen = KINDS[name], Survey()
    for k, seed in enumerate(seeds):
        engine: Engine = kind.engines[k % len(kind.engines)]
        case = random_case(seed, extreme=kind.extreme, sizes=kind.sizes)
        seen.add(case, require_agreement(case, (engine,), derivatives=kind.derivatives))
    return seen


if __name__ == "__main__":
    *words, first, last = sys.argv[1:]
    sys.stdout.write(f"{' '.join(words)}: {survey(' '.join(words), range(int(first), int(last)))}\n")
