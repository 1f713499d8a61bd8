"""docs/papers/milicevic2007.md: what [Milicevic2007] prints, what armdyn computes, and the verdict."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
from milicevic2007_cases import cases
from milicevic2007_lagrange import coefficient_claims, lagrange_claims
from milicevic2007_newton import dalembert_claims, newton_claims
from verdicts import Claim, proven, table

from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.scalars import Tally
from armdyn.studies.counts import Equations, OperationCount, equations
from armdyn.studies.growth import growth_of, polynomial_text, random_chain
from armdyn.studies.published import published_beside

# Counts ---------------------------------------------------------------------------------------

NAMES = {
    "lagrange_euler": "Lagrange-Euler",
    "newton_euler": "Newton-Euler",
    "dalembert": "Generalized d'Alembert",
}
BOTH = [*NAMES, "newton_euler_base"]
Polynomial = tuple[Fraction, ...] | None


def count_claims() -> list[Claim]:
    """Table 3 and what is said about efficiency."""
    built = tree(random_chain(6), "none")
    plain = {e.method.name: e for e in equations(["inverse"], BOTH) if e.variant is None}
    found = {name: e.count(built, "as_written") for name, e in plain.items()}
    grown = {name: growth_of(e).polynomial for name, e in plain.items()}
    times = {name: found[name].operations / found["newton_euler"].operations for name in found}
    steady = all(len({_taken(e, built, seed) for seed in range(3)}) == 1 for e in plain.values())
    printed = _printed_total("lagrange_euler") / _printed_total("newton_euler")
    le, da, base = times["lagrange_euler"], times["dalembert"], times["newton_euler_base"]
    return [
        *(_table_3(formulation, found[formulation], grown[formulation]) for formulation in NAMES),
        Claim(
            "sec. 2, end",
            "Lagrange-Euler is extremely inefficient",
            f"{le:.1f} times the operations of Newton-Euler (as written, n = 6)",
            proven(
                f"right in order (n^4); kept products make the factor smaller than Table 3's {printed:.0f}",
                _degree(grown["lagrange_euler"]) == 4,
                5 < le < printed,
            ),
        ),
        Claim(
            "sec. 3.2",
            "linear in n because everything is in link frames",
            f"base frame: linear as well, {base:.1f} times the operations at n = 6",
            proven(
                "link frames save a factor, not an order",
                _degree(grown["newton_euler"]) == _degree(grown["newton_euler_base"]) == 1,
                base > 1,
            ),
        ),
        Claim(
            "sec. 3.2",
            "the time does not depend on the configuration",
            "no equation branches on a value: the same operations in three random states",
            proven("right", steady),
        ),
        Claim(
            "sec. 5",
            "d'Alembert: faster than Lagrange-Euler, a moderate penalty to Newton-Euler",
            f"{da / le:.2f} and {da:.1f} times their operations (as written, n = 6)",
            proven("right", da < le / 2, 1 < da < 3),
        ),
    ]


def _taken(chosen: Equations, built: Tree, seed: int) -> tuple[int, ...]:
    """The operations in a random state."""
    tally = Tally()
    state = np.random.default_rng(seed).uniform(-3, 3, (3, built.n)).tolist()
    chosen(built.with_numbers(tally.number), *([tally.number(x) for x in row] for row in state))
    return tuple(vars(tally).values())


def _table_3(formulation: str, ours: OperationCount, polynomial: Polynomial) -> Claim:
    printed = published_beside(formulation, "inverse", 6)
    assert printed is not None
    assert printed.polynomial is not None
    assert polynomial is not None
    terms = [printed.polynomial[kind] for kind in ("multiplications", "additions")]
    degree = max([1, *(int(power) for power in re.findall(r"n\^(\d+)", terms[0]))])
    fewer = ", far fewer" if 5 * ours.operations < printed.multiplications else ""
    return Claim(
        f"Table 3, {NAMES[formulation]}",
        f"{terms[0]} and {terms[1]}; n = 6: {printed.multiplications} + {printed.additions}",
        f"n = 6: {ours.multiplications + ours.divisions} + {ours.additions}; "
        f"both: {polynomial_text(polynomial)}",
        proven("the same order", _degree(polynomial) == degree) + fewer,
    )


def _degree(polynomial: Polynomial) -> int | None:
    return None if polynomial is None else len(polynomial) - 1


def _printed_total(formulation: str) -> int:
    count = published_beside(formulation, "inverse", 6)
    assert count is not None
    return count.multiplications + count.additions


# The page -------------------------------------------------------------------------------------

PAGE = """# Milicevic2007

I. Milicevic, D. Golubovic, N. Slavkovic, *Transformation matrix approach to dynamics of manipulative robots*:
Lagrange-Euler with 4 x 4 matrices, Newton-Euler in the base frame and in link frames, generalized d'Alembert,
and their operation counts, after Fu, Gonzalez and Lee.

This page is generated: the printed equations are computed as printed, and armdyn's by `lagrange_euler`,
`newton_euler_base`, `newton_euler`, `dalembert` and `composite_body`, which share no equations. Equal means
for {cases} random states of {arms} random chains of 2 to 6 joints, some of which slide; differences are
relative to the largest element. In the copy at hand (4.3) is garbled, and (4.4) and the backward equations
of Table 2 are lost.

## Lagrange-Euler, (2.1)-(2.15)

{lagrange}
### The coefficients

{coefficients}
## Newton-Euler, Tables 1 and 2

{newton}
## Generalized d'Alembert, (4.1)-(4.5)

{dalembert}
## Operation counts, Table 3

armdyn's counts are as written, of a chain of six turning joints with general parameters;
[operation counts](../counts.md) has more. Multiplications include divisions.

{counts}"""


def page() -> str:
    """The page as MyST Markdown."""
    found = cases()
    return PAGE.format(
        cases=len(found),
        arms=len({id(case.arm) for case in found}),
        lagrange=table(lagrange_claims(found)),
        coefficients=table(coefficient_claims(found)),
        newton=table(newton_claims(found)),
        dalembert=table(dalembert_claims(found)),
        counts=table(count_claims()),
    )


def write(folder: Path) -> None:
    """Write papers/milicevic2007.md below the folder."""
    target = folder / "papers" / "milicevic2007.md"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(page(), encoding="utf-8")
