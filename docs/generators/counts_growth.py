"""The growth of operation counts with the number of joints, and what the documents say about it."""

from __future__ import annotations

from collections.abc import Sequence

from counts_tables import name, rows
from verdicts import Claim, table

from armdyn.studies.growth import FITTED_FROM, Growth, polynomial_text
from armdyn.studies.published import published

TEXT = f"""\
## Growth with the number of joints

Counted as written on random chains of n = 2 to 10 turning joints with generic standard DH rows (no right
angles, no zeros); the counts do not depend on the numbers drawn. The exponent is the slope of log operations
over log n, by least squares over n >= {FITTED_FROM}. From n = 3 on the counts are exact polynomials in n:
their degree is the order, the exponent is what is seen at the sizes of arms.

![Operations over the number of joints, for every formulation](figures/growth.svg)

Printed counts (dotted lines, rings) are for general parameters too, except those of mRNEA, which are for
Lola 15 with its zeros.
"""


def growth_section(curves: Sequence[Growth]) -> str:
    """The section of the page."""
    return "\n".join([TEXT, _exponents(curves), table(_claims(curves))])


def _exponents(curves: Sequence[Growth]) -> str:
    body = [
        [
            curve.quantity,
            name(curve),
            *(curve.operations[curve.sizes.index(n)] for n in (3, 6, 10)),
            f"{curve.exponent:.2f}",
            None if curve.polynomial is None else polynomial_text(curve.polynomial),
        ]
        for curve in curves
    ]
    header = ("quantity", "formulation", "n = 3", "n = 6", "n = 10", "exponent", "operations, n >= 3")
    return rows(header, body)


def _claims(curves: Sequence[Growth]) -> list[Claim]:
    return [*_inverse_claims(curves), *_forward_claims(curves)]


def _inverse_claims(curves: Sequence[Growth]) -> list[Claim]:
    base = _ours(curves, "newton_euler_base", "inverse", 1)
    return [
        Claim(
            "[Kvrgic2020] 1.2", "Lagrange: O(n^4)", _ours(curves, "lagrange_euler", "inverse", 4), "confirmed"
        ),
        Claim(
            "[Kvrgic2020] 1.2, [Siciliano2009] 7.6",
            "Newton-Euler: O(n)",
            _ours(curves, "newton_euler", "inverse", 1),
            "confirmed",
        ),
        Claim(
            "[Milicevic2007] 3.2",
            "linear in n since all is referred to link frames",
            f"base frame: {base}",
            "linear in both: link frames save a factor, not an order",
        ),
        Claim(
            "[Milicevic2007] Table 3",
            "d'Alembert: n^3",
            _ours(curves, "dalembert", "inverse", 3),
            "confirmed",
        ),
    ]


def _forward_claims(curves: Sequence[Growth]) -> list[Claim]:
    printed = [count for count in published(6) if count.table == "Table 1"]
    operations = tuple(count.multiplications + count.additions for count in printed)
    grown = Growth("mrnea", "forward", None, tuple(count.n for count in printed), operations)
    return [
        Claim(
            "[Siciliano2009] 7.6",
            "direct dynamics: O(n^2)",
            f"composite bodies: {_ours(curves, 'composite_body', 'forward', 3)}",
            "H and bias are O(n^2); solving for the accelerations adds n^3/3, little for any arm",
        ),
        Claim(
            "[Kvrgic2020] 1.4",
            "all methods of Walker and Orin: O(n^2)",
            f"method 1: {_ours(curves, 'walker_orin1', 'forward', 3)}; "
            f"method 2: {_ours(curves, 'walker_orin2', 'forward', 3)}",
            "the same: n^2 but for the solution",
        ),
        Claim(
            "[Kvrgic2020] 1.4, Table 1",
            f"mRNEA: O(n); but printed numbers, n = {FITTED_FROM} to 6, grow by n^{grown.exponent:.2f}",
            _ours(curves, "mrnea", "forward", 3),
            "**wrong**: a link has vectors for every joint before it; the printed numbers say so, too",
        ),
        Claim(
            "not claimed",
            "articulated bodies",
            _ours(curves, "articulated_body", "forward", 1),
            "the one forward dynamics here that is O(n)",
        ),
    ]


def _ours(curves: Sequence[Growth], formulation: str, quantity: str, degree: int) -> str:
    """One curve, by its polynomial."""
    key = (formulation, quantity, None)
    (curve,) = [c for c in curves if (c.formulation, c.quantity, c.variant) == key]
    if curve.polynomial is None or len(curve.polynomial) != degree + 1:
        raise AssertionError(f"{formulation}: {curve.polynomial}, expected a polynomial of degree {degree}")
    return f"{polynomial_text(curve.polynomial)}, fitted {curve.exponent:.2f}"
