"""The shortest way found to write waves in sines and cosines.

One angle after the other is written in one of its forms; what stands before each of its sines and cosines is
written in the same manner, each on its own. Which angle and which form goes first is tried, the most
promising ones: those that leave fewest waves.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from armdyn.equations.expression import Monomial, Polynomial, Symbol, order
from armdyn.equations.readable.waves import Form, Variable, Waves, split, without

WIDTH = 2
"""Ways to go on that are tried at each angle."""
SINGLE: tuple[Form, ...] = ("sines", "cosines", "equal", "multiples")

Known = dict[Any, dict[Monomial, float]]


def shortest(
    waves: Waves, variables: Sequence[Variable], known: Known, width: int = WIDTH
) -> dict[Monomial, float]:
    """A short polynomial in sines and cosines that is the waves."""
    idle = [i for i in range(len(variables)) if all(not any(key[i]) for key in waves)]
    waves = without(waves, idle)
    variables = [variable for i, variable in enumerate(variables) if i not in idle]
    if not variables:
        return {(): sum(c.real for c in waves.values())}
    scale = _scale(waves)
    seen = (tuple(variables), frozenset((key, rounded(c / scale)) for key, c in waves.items()))
    if seen not in known:
        found = min((p for p in _ways(waves, variables, known, width)), key=length)
        known[seen] = {powers: c / scale for powers, c in found.items()}
    return {powers: c * scale for powers, c in known[seen].items()}


def several(
    waves: Waves, variables: Sequence[Variable], known: Known, many: int
) -> list[dict[Monomial, float]]:
    """Short polynomials that differ in the angle written first, the shortest first."""
    if not any(any(k) for key in waves for k in key):
        return [shortest(waves, variables, known)]
    found = sorted(_ways(waves, variables, known, many), key=length)
    distinct: dict[frozenset[Monomial], dict[Monomial, float]] = {}
    for polynomial in found:
        distinct.setdefault(frozenset(polynomial), polynomial)
    return list(distinct.values())[:many]


def _ways(
    waves: Waves, variables: Sequence[Variable], known: Known, width: int
) -> Iterator[dict[Monomial, float]]:
    """The polynomials to which the most promising choices of an angle and its form lead."""
    choices: list[tuple[int, int, dict[Monomial, Any]]] = []
    for at, variable in enumerate(variables):
        for form in SINGLE if len(variable) == 1 else ("multiples",):
            pieces = split(waves, at, variable, form)
            choices.append((sum(map(len, pieces.values())) + len(pieces), at, pieces))
    choices.sort(key=lambda choice: choice[0])
    for _, at, pieces in choices[:width]:
        others = [*variables[:at], *variables[at + 1 :]]
        whole: dict[Monomial, float] = {}
        for powers, piece in pieces.items():
            for more, c in shortest(piece, others, known).items():
                whole[joined(powers, more)] = c
        yield whole


def joined(a: Monomial, b: Monomial) -> Monomial:
    """The product of monomials without an atom in common."""
    return tuple(sorted((*a, *b), key=lambda power: order(power[0])))


def length(polynomial: Polynomial) -> int:
    """How long a sum of monomials is, written out; an angle that is a multiple is longer by one."""
    return sum(
        1 + (abs(abs(c) - 1) > 1e-9) + sum(1 + (n > 1) + _multiple(atom) for atom, n in powers)
        for powers, c in polynomial.items()
    )


def _multiple(atom: Any) -> int:
    return 0 if isinstance(atom, Symbol) else any(abs(k) > 1 for _, k in getattr(atom, "angle", ()))


def _scale(waves: Waves) -> float:
    first = min(waves)
    c = waves[first]
    return c.real if abs(c.real) > abs(c.imag) else c.imag


def rounded(c: complex) -> tuple[str, str]:
    """A number to 14 digits, by which waves are known again."""
    return f"{round(c.real, 15) + 0.0:.13e}", f"{round(c.imag, 15) + 0.0:.13e}"
