"""How many operations a sum of monomials takes, estimated fast: the count without the expression.

A term is a set of literals, bits of a whole number: a coefficient, and x and x^2 for an atom's powers. What
terms have in common is then one operation. The literal that saves most goes out first.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from armdyn.equations.expression import Expression, Monomial


def estimated_length(monomials: Sequence[Sequence[Monomial]]) -> int:
    """Of groups of monomials with a coefficient each: as they are, or with one coefficient taken out."""
    bits: dict[tuple[Expression, int], int] = {}
    masks: list[int] = []
    for place, group in enumerate(monomials):
        for powers in group:
            mask = 1 << place
            for atom, n in powers:
                for p in range(1, n + 1):
                    mask |= 1 << (len(monomials) + bits.setdefault((atom, p), len(bits)))
            masks.append(mask)
    best = _length(masks)
    for place, group in enumerate(monomials):
        if 1 < len(group) < len(masks):
            best = min(best, 1 + _length([mask & ~(1 << place) for mask in masks]))
    return best


def _length(terms: list[int]) -> int:
    """Multiplications and additions of a sum of products."""
    if len(terms) < 2:
        return max(sum(term.bit_count() for term in terms) - 1, 0)
    common = _common(terms)
    total = common.bit_count() - 1
    rest = [term ^ common for term in terms] if common else terms
    while rest:
        literal = _best(rest)
        if not literal:
            return total + len(rest) + sum(max(term.bit_count() - 1, 0) for term in rest)
        total += 1 + _length([term for term in rest if term & literal])
        rest = [term for term in rest if not term & literal]
    return total


def _common(terms: list[int]) -> int:
    return reduce(int.__and__, terms)


def _best(terms: list[int]) -> int:
    """The literal whose going out, with all that goes with it, saves most; 0 where no two share one."""
    once = twice = 0
    for term in terms:
        twice |= once & term
        once |= term
    best, saved = 0, 0
    while twice:
        literal = twice & -twice
        with_it = [term for term in terms if term & literal]
        common = _common(with_it)
        gain = (len(with_it) - 1) * common.bit_count()
        if gain > saved:
            best, saved = literal, gain
        twice &= ~common  # what always goes with it saves as much
    return best
