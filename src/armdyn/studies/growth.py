"""How the operations of the formulations grow with the number of joints.

Counted as written on random chains of turning joints, generic in every parameter: the equations are
the same for all of them, so the numbers drawn change nothing in the counts.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from statistics import linear_regression

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.dh import dh_joint
from armdyn.mechanics.methods import MethodName
from armdyn.mechanics.tree import tree
from armdyn.robot import BASE, Body, Robot
from armdyn.robot.joint import JointKind
from armdyn.spatial import Inertia
from armdyn.spatial.vector import matrix, vector
from armdyn.studies.counts import Equations, Progress, Quantity, equations

SIZES = tuple(range(2, 11))
FITTED_FROM = 4
"""Shorter chains say little about the growth: the links next to the base cost less."""
REGULAR_FROM = 3
"""From this length on every further link costs what the equations say of a link in general."""


@dataclass(frozen=True)
class Growth:
    """Operations (multiplications, divisions, additions) of one quantity by one formulation over n."""

    formulation: MethodName
    quantity: Quantity
    variant: str | None
    sizes: tuple[int, ...]
    operations: tuple[int, ...]

    @property
    def exponent(self) -> float:
        """The slope of log operations over log n, by least squares over n >= 4."""
        fitted = [(math.log(n), math.log(count)) for n, count in self._points() if n >= FITTED_FROM]
        return linear_regression(*zip(*fitted, strict=True)).slope

    @property
    def polynomial(self) -> tuple[Fraction, ...] | None:
        """Coefficients of 1, n, n^2, .. that give every count from three joints on; None if none do."""
        regular = [(n, count) for n, count in self._points() if n >= REGULAR_FROM]
        return interpolated([n for n, _ in regular], [count for _, count in regular])

    def _points(self) -> Iterable[tuple[int, int]]:
        return zip(self.sizes, self.operations, strict=True)


def growth_of(counted: Equations, sizes: Sequence[int] = SIZES, seed: int = 0) -> Growth:
    """The operations of the equations as written, over chains of consecutive sizes."""
    _check(sizes)
    tallies = [counted.written(tree(random_chain(n, seed), "none")) for n in sizes]
    operations = tuple(tally.multiplications + tally.divisions + tally.additions for tally in tallies)
    return Growth(counted.method.name, counted.quantity, counted.variant, tuple(sizes), operations)


def growth(
    methods: Iterable[str] | None = None,
    sizes: Sequence[int] = SIZES,
    seed: int = 0,
    *,
    progress: Progress = iter,
) -> list[Growth]:
    """The growth of inverse and forward dynamics, by the formulations that give them by themselves."""
    steps = progress(equations(("inverse", "forward"), methods))
    return [growth_of(counted, sizes, seed) for counted in steps]


def _check(sizes: Sequence[int]) -> None:
    """Refuse sizes that neither an exponent nor a polynomial can be found from."""
    consecutive = all(b - a == 1 for a, b in pairwise(sizes)) and min(sizes, default=0) > 0
    if not consecutive or sum(n >= FITTED_FROM for n in sizes) < 2:
        listed = ", ".join(str(n) for n in sizes)
        expected = f"consecutive numbers of joints, two or more of them from {FITTED_FROM} on"
        raise InputError(f"sizes ({listed}), expected {expected}")


# Chains ---------------------------------------------------------------------------------------


def random_chain(n: int, seed: int = 0) -> Robot:
    """A chain of n turning joints with random DH rows and inertias, the same for the same seed."""
    rng = np.random.default_rng([seed, n])
    bodies: list[Body] = []
    for k in range(n):
        bodies.append(_body(rng, k, "revolute", bodies[-1].name if bodies else BASE))
    return Robot(f"chain of {n}", tuple(bodies))


BRANCHED = 0.3
"""Share of the bodies of a random tree that begin a branch."""
BACK = 4
"""Bodies before its last one, at most, on which a branch begins."""


def random_tree(n: int, seed: int = 0) -> Robot:
    """A tree of n turning and sliding joints, branch by branch, with random DH rows and inertias.

    The same for the same seed.
    """
    rng = np.random.default_rng([seed, n])
    bodies: list[Body] = []
    path = [BASE]  # from the base to the last body
    for k in range(n):
        if rng.random() < BRANCHED:
            path = path[: max(1, len(path) - int(rng.integers(1, BACK + 1)))]
        kind = "prismatic" if rng.random() < 0.2 else "revolute"
        bodies.append(_body(rng, k, kind, path[-1], len(str(n))))
        path.append(bodies[-1].name)
    return Robot(f"tree of {n}", tuple(bodies))


def _body(rng: np.random.Generator, k: int, kind: JointKind, parent: str, digits: int = 1) -> Body:
    number = f"{k + 1:0{digits}d}"
    alpha, a, d = rng.uniform((-1.4, 0.05, 0.05), (-0.2, 0.3, 0.3)).tolist()
    joint = dh_joint(f"joint{number}", kind, "standard", theta=0.0, d=d, a=a, alpha=alpha)
    return Body(f"link{number}", joint, parent, _inertia(rng))


def _inertia(rng: np.random.Generator) -> Inertia:
    """That of a few point masses: physical by construction."""
    masses, points = rng.uniform(0.2, 1.0, 5), rng.uniform(-0.1, 0.1, (5, 3))
    com = masses @ points / masses.sum()
    arms = points - com
    tensor = np.einsum("k,kij->ij", masses, [r @ r * np.eye(3) - np.outer(r, r) for r in arms])
    return Inertia(float(masses.sum()), vector(com.tolist()), matrix(tensor.tolist()))


# Polynomials ----------------------------------------------------------------------------------


def interpolated(sizes: Sequence[int], counts: Sequence[int]) -> tuple[Fraction, ...] | None:
    """The polynomial of lowest degree through all points of consecutive sizes, if two or more confirm it.

    Newton's form, sum_k D_k binomial(n - n_0, k), with the differences D_k of the counts.
    """
    coefficients: tuple[Fraction, ...] = ()
    basis, differences = (Fraction(1),), [Fraction(count) for count in counts]
    for k in range(len(counts) - 1):
        if not any(differences):
            return coefficients
        coefficients = _sum(coefficients, tuple(differences[0] * c for c in basis))
        root, step = Fraction(sizes[0] + k), Fraction(k + 1)
        basis = _sum(tuple(-root / step * c for c in basis), (Fraction(0), *(c / step for c in basis)))
        differences = [b - a for a, b in pairwise(differences)]
    return None


def _sum(a: tuple[Fraction, ...], b: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    return tuple(
        (a[k] if k < len(a) else Fraction(0)) + (b[k] if k < len(b) else Fraction(0))
        for k in range(max(len(a), len(b)))
    )


def polynomial_text(coefficients: Sequence[Fraction]) -> str:
    """As `57 n^2 + 94 n + 17`."""
    terms: list[str] = []
    for power, c in reversed(list(enumerate(coefficients))):
        if c:
            number = "" if abs(c) == 1 and power else f"{abs(c)}"
            variable = "n" if power == 1 else f"n^{power}" if power else ""
            terms.append(("- " if c < 0 else "+ ") + " ".join(part for part in (number, variable) if part))
    return " ".join(terms).removeprefix("+ ") or "0"
