"""Harmonics as waves, symbol by symbol, and the angles in which joints with parallel axes can be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from armdyn.equations.readable.waves import Frequency, Variable, Waves
from armdyn.scalars.harmonic import Harmonic

Powers = tuple[tuple[str, int], ...]
Written = tuple[Waves, tuple[Variable, ...]]
"""Waves, and the variables that their frequencies count."""


def by_symbols(h: Harmonic, angles: Sequence[str]) -> dict[Powers, dict[tuple[Frequency, ...], complex]]:
    """Powers of symbols -> the waves before them, a frequency for each angle."""
    found: dict[Powers, dict[tuple[Frequency, ...], complex]] = {}
    for c, digits in h.digits():
        powers = tuple((name, d) for name, angle, d in digits if not angle)
        turns = {name: d for name, angle, d in digits if angle}
        found.setdefault(powers, {})[tuple((turns.get(name, 0),) for name in angles)] = c
    return found


def views(waves: Waves, angles: Sequence[str], parallel: Sequence[Sequence[str]]) -> Iterator[Written]:
    """The waves over all angles of parallel joints together, over their partial sums, and over each."""
    turns = [dict(zip(angles, (k for (k,) in key), strict=True)) for key in waves]
    moving = [name for name in angles if any(turn[name] for turn in turns)]
    groups = [group for names in parallel if len(group := [name for name in names if name in moving]) > 1]
    taken = {name for group in groups for name in group}
    rest = [_angle({name: 1}, {name: 1}) for name in moving if name not in taken]
    for chosen in product(*(_ways(group, turns) for group in groups)):
        columns = [column for columns in chosen for column in columns] + rest
        keys = (tuple(column.frequency(turn) for column in columns) for turn in turns)
        yield dict(zip(keys, waves.values(), strict=True)), tuple(column.variable for column in columns)


@dataclass(frozen=True)
class _Column:
    """A variable, and its frequencies from those of the joints."""

    variable: Variable
    weights: tuple[dict[str, int], ...]

    def frequency(self, turns: Mapping[str, int]) -> Frequency:
        return tuple(sum(turns[name] * weight for name, weight in row.items()) for row in self.weights)


def _angle(factors: dict[str, int], weights: dict[str, int]) -> _Column:
    return _Column((tuple(factors.items()),), (weights,))


def _ways(group: list[str], turns: Sequence[Mapping[str, int]]) -> list[list[_Column]]:
    """One variable for all angles of a group, partial sums, and each angle for itself."""
    together = _Column(tuple(((name, 1),) for name in group), tuple({name: 1} for name in group))
    return [[together], _sums(group, turns), [_angle({name: 1}, {name: 1}) for name in group]]


def _sums(group: list[str], turns: Sequence[Mapping[str, int]]) -> list[_Column]:
    """Partial sums, or differences where axes are opposed: what leaves the lowest frequencies."""

    def columns(signs: tuple[int, ...]) -> list[_Column]:
        # x_i = x_(i-1) + s_i q_i, so that k.q = sum_i (s_i k_i - s_(i+1) k_(i+1)) x_i
        found: list[_Column] = []
        for i, name in enumerate(group):
            weights = {name: signs[i]}
            if i + 1 < len(group):
                weights[group[i + 1]] = -signs[i + 1]
            found.append(_angle(dict(zip(group[: i + 1], signs, strict=False)), weights))
        return found

    def height(way: list[_Column]) -> int:
        return sum(abs(column.frequency(turn)[0]) for column in way for turn in turns)

    return min((columns((1, *signs)) for signs in product((1, -1), repeat=len(group) - 1)), key=height)
