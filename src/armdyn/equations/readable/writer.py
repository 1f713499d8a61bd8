"""The shortest form found of a harmonic.

A harmonic knows no identities: what is equal has the same terms. In sines and cosines it has many forms. The
coefficient of every product of symbols is written in several ways, and those are taken together that make the
whole shortest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from armdyn.equations.expression import Expression, Monomial, Symbol, natural
from armdyn.equations.factoring import factored
from armdyn.equations.readable.coefficients import Coefficients, Way, cost, in_order
from armdyn.equations.readable.products import Products
from armdyn.equations.readable.views import Powers, by_symbols
from armdyn.scalars.harmonic import Harmonic, Ring

SWEEPS = 3
"""Times that every coefficient's form is chosen anew beside the others."""
EFFORT = 4_000
"""Monomials that are factored in trying forms together; what is longer keeps the forms tried until then."""


def readable(
    h: Harmonic,
    *,
    collect: Sequence[str] = (),
    parallel: Sequence[Sequence[str]] = (),
    hints: Sequence[Harmonic] = (),
) -> Expression:
    """A short expression that is the harmonic; for many of one ring, a `Writer` remembers what it found.

    collect: symbols to collect outermost, as [Bejczy1974] (58) does with masses.
    parallel: joints with parallel axes, chain by chain: sines and cosines of sums appear within these only.
    hints: harmonics whose products are looked for in coefficients, as components of axes in link frames.
    """
    return Writer(h.ring, parallel=parallel, hints=hints).written(h, collect)


class Writer:
    """Writes harmonics of one ring shortly."""

    def __init__(
        self, ring: Ring, *, parallel: Sequence[Sequence[str]] = (), hints: Sequence[Harmonic] = ()
    ) -> None:
        """For joints with parallel axes as given, and products of hints (see `readable`)."""
        self._ring, self._parallel, self._hints = ring, parallel, hints
        self._angles: list[str] = []
        self._coefficients = self._fresh()

    def _fresh(self) -> Coefficients:
        self._angles = sorted((name for name, angle in self._ring.slots if angle), key=natural)
        pieces = [waves for hint in self._hints for waves in by_symbols(hint, self._angles).values()]
        return Coefficients(self._angles, self._parallel, Products.of(pieces, len(self._angles)))

    def written(self, h: Harmonic, collect: Sequence[str] = ()) -> Expression:
        """A short expression that is the harmonic, some symbols collected outermost."""
        if len(self._angles) < sum(angle for _, angle in self._ring.slots):
            self._coefficients = self._fresh()  # the ring has got more angles since
        groups: dict[Powers, list[tuple[Monomial, list[Way]]]] = {}
        for powers, waves in by_symbols(h.pruned(), self._angles).items():
            outer = tuple(power for power in powers if power[0] in collect)
            inner = _symbols(power for power in powers if power[0] not in collect)
            groups.setdefault(outer, []).append((inner, self._coefficients.ways(waves)))
        whole: Way = {}
        for outer, coefficients in groups.items():
            for powers, c in _chosen(coefficients).items():
                whole[in_order((*_symbols(outer), *powers))] = c
        return factored(whole, [Symbol(name) for name in collect])


def _chosen(coefficients: list[tuple[Monomial, list[Way]]]) -> Way:
    """The sum of symbols times coefficients, each written so that the whole is shortest."""
    picked = [0] * len(coefficients)

    def whole() -> Way:
        total: Way = {}
        for (symbols, ways), k in zip(coefficients, picked, strict=True):
            for powers, c in ways[k].items():
                total[in_order((*symbols, *powers))] = c
        return total

    best = whole()
    least = cost(factored(best))
    trials = EFFORT // len(best) if len(coefficients) > 1 else 0
    for _ in range(SWEEPS):
        before = least
        for i, (_, ways) in enumerate(coefficients):
            held = picked[i]
            for k in range(len(ways)):
                if k == held or trials <= 0:
                    continue
                picked[i], trials = k, trials - 1
                if (length := cost(factored(tried := whole()))) < least:
                    best, least, held = tried, length, k
            picked[i] = held
        if least == before or trials <= 0:
            break
    return best


def _symbols(powers: Iterable[tuple[str, int]]) -> Monomial:
    return tuple((Symbol(name), n) for name, n in powers)
