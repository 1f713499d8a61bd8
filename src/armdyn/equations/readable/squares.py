"""Square roots of sums of monomials, where they are sums of monomials again."""

from __future__ import annotations

import math

from armdyn.equations.expression import Expression, Monomial, Polynomial, order
from armdyn.equations.readable.waves import added

CLOSE = 1e-13
"""How near coefficients must come, relative to the largest."""

Exponents = tuple[int, ...]


def square_root(polynomial: Polynomial) -> dict[Monomial, float] | None:
    """The sum whose square this is; None where there is none."""
    n = round((math.sqrt(8 * len(polynomial) + 1) - 1) / 2)
    if len(polynomial) < 3 or n * (n + 1) != 2 * len(polynomial):
        return None  # the square of n monomials, none of whose products meet, has n (n + 1)/2
    atoms = sorted({atom for powers in polynomial for atom, _ in powers}, key=order)
    terms = {_exponents(powers, atoms): c for powers, c in polynomial.items()}
    squares = {tuple(e // 2 for e in key): c for key, c in terms.items() if all(e % 2 == 0 for e in key)}
    found = _matching(terms, {key: c for key, c in squares.items() if c > 0}, n)
    if found is None:
        return None
    return {tuple((a, e) for a, e in zip(atoms, key, strict=True) if e): c for key, c in found.items()}


def _exponents(powers: Monomial, atoms: list[Expression]) -> Exponents:
    held = dict(powers)
    return tuple(held.get(atom, 0) for atom in atoms)


def _matching(
    terms: dict[Exponents, float], squares: dict[Exponents, float], n: int
) -> dict[Exponents, float] | None:
    """The root's monomials: the first of them with each of the others is a term too, and shows the sign."""
    largest = max(map(abs, terms.values()))
    first = max(terms)
    lead = tuple(e // 2 for e in first)
    if lead not in squares:
        return None
    root = {lead: math.sqrt(squares[lead])}
    for key in squares:
        mixed = terms.get(added(lead, key), 0.0)
        if key != lead and mixed:
            root[key] = mixed / (2 * root[lead])
    if len(root) != n:
        return None
    left = dict(terms)
    for a, x in root.items():
        for b, y in root.items():
            left[added(a, b)] = left.get(added(a, b), 0.0) - x * y
    return root if max(map(abs, left.values())) <= CLOSE * largest else None
