"""The search on problems that are known by heart: durations and limits in closed form."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from armdyn.errors import InputError
from armdyn.retiming.per_move.covering import slow_sides
from armdyn.retiming.per_move.problem import Factors
from armdyn.retiming.per_move.quickening import FINE, edge, quickened
from armdyn.retiming.per_move.search import shortest
from armdyn.retiming.per_move.slowing import slowed_enough


@dataclass(frozen=True)
class Chain:
    """Moves in a row of which no two neighbours may be fast: min(v_k, v_(k+1)) <= limit; and a_k <= most."""

    lengths: tuple[float, ...]
    limit: float
    most: float = 1.0

    settings = (SimpleNamespace(kind="lin", with_factor=lambda factor: (factor,)),) * 20

    @property
    def blocks(self) -> Any:
        count = len(self.lengths)
        lines = range(7, 7 + count)
        return [SimpleNamespace(moves=[SimpleNamespace(line=k) for k in lines], lasting=[1.0] * count)]

    @property
    def variables(self) -> tuple[int, ...]:
        return tuple(range(0, 2 * len(self.lengths), 2))

    def beside(self, i: int) -> tuple[int, ...]:
        return tuple(j for j in (i - 2, i + 2) if j in self.variables)

    def speeds_of(self, block: int) -> tuple[int, ...]:
        assert block == 0
        return self.variables

    def duration(self, factors: Factors) -> float:
        ways = zip(self.lengths, factors[::2], factors[1::2], strict=True)
        return sum(length / v + 0.01 / a for length, v, a in ways)

    def excess(self, block: int, factors: Factors) -> list[float]:
        assert block == 0
        v, a = factors[::2], factors[1::2]
        jumps = [0.0, *(min(x, y) / self.limit for x, y in pairwise(v)), 0.0]
        return [max(jumps[k], jumps[k + 1], a[k] / self.most) for k in range(len(v))]

    def is_possible(self, block: int, factors: Factors) -> bool:
        return max(self.excess(block, factors)) <= 1

    def possible(self, factors: Factors) -> bool:
        return self.is_possible(0, factors)


def found(chain: Chain) -> Factors:
    problem: Any = chain
    return shortest(problem, (1.0,) * (2 * len(chain.lengths)), lambda _: None)


def test_long_moves_are_fast_and_short_ones_between_them_slow() -> None:
    v = found(Chain((10.0, 1.0, 10.0, 1.0, 10.0), 0.1))[::2]
    assert v == pytest.approx([1, 0.1, 1, 0.1, 1], rel=2 * FINE)


def test_one_given_for_two() -> None:
    """The move in the middle is the longest, but those beside it are longer together."""
    v = found(Chain((8.0, 10.0, 8.0), 0.01))[::2]
    assert v == pytest.approx([1, 0.01, 1], rel=2 * FINE)


def test_only_what_is_too_much_is_lowered() -> None:
    factors = found(Chain((1.0, 1.0), 2.0, most=0.3))
    assert factors[::2] == (1, 1)
    assert factors[1::2] == pytest.approx([0.3, 0.3], rel=2 * FINE)


@pytest.mark.parametrize("limit", [0.5, 0.03])
def test_none_can_be_raised(limit: float) -> None:
    chain = Chain((3.0, 2.0, 4.0, 1.0), limit, most=0.7)
    factors = found(chain)
    assert chain.possible(factors)
    for i, factor in enumerate(factors):
        raised = (*factors[:i], min(1.01 * factor, 1.0), *factors[i + 1 :])
        assert factor == 1 or not chain.possible(raised)


@pytest.mark.parametrize(
    ("lasting", "passing", "levels"),
    [
        ([10, 1, 10, 1, 10], [0.1] * 4, [1, 0.1, 1, 0.1, 1]),
        ([8, 10, 8], [0.01, 0.01], [1, 0.01, 1]),
        ([8, 10, 8], [0.01, 0], [0.01, 1, 1]),
        ([8, 10, 8], [0, 0], [1, 1, 1]),
        ([1, 9, 9, 1], [0.5, 0.1, 0.5], [0.5, 1, 0.1, 1]),
    ],
)
def test_which_side_is_slow(lasting: list[float], passing: list[float], levels: list[float]) -> None:
    assert slow_sides([1.0] * len(lasting), lasting, passing) == levels


def test_the_edge() -> None:
    problem: Any = Chain((1.0, 1.0), 0.5)
    low, high = (0.2, 1.0, 0.6, 1.0), (1.0, 1.0, 0.6, 1.0)
    assert edge(problem, low, high, FINE)[0] == pytest.approx(0.5, rel=FINE)
    assert edge(problem, (0.4999, 1.0, 0.6, 1.0), high, FINE)[0] == 0.4999
    assert edge(problem, low, (0.4, 1.0, 0.6, 1.0), FINE)[0] == 0.4
    assert quickened(problem, (1.0, 1.0, 0.5, 1.0), FINE)[2] == 0.5


def test_nothing_is_slow_enough() -> None:
    class Hopeless(Chain):
        def excess(self, block: int, factors: Factors) -> list[float]:
            return [2.0 + block + 0 * factors[0]] * len(self.lengths)

    problem: Any = Hopeless((1.0, 1.0), 1.0)
    assert slowed_enough(problem, (1.0,) * 4) is None
    with pytest.raises(InputError, match="lines 7 to 8: not possible at any speed"):
        shortest(problem, (1.0,) * 4, lambda _: None)
