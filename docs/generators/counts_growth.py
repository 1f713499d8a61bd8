"""The growth of operation counts with the number of joints, and what the documents say about it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from counts_tables import name, rows
from verdicts import Claim, proven, table

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
    link, base = (_curve(curves, name, "inverse") for name in ("newton_euler", "newton_euler_base"))
    return [
        Claim(
            "[Kvrgic2020] 1.2",
            "Lagrange: O(n^4)",
            _text(_curve(curves, "lagrange_euler", "inverse")),
            proven("confirmed", _degree(_curve(curves, "lagrange_euler", "inverse")) == 4),
        ),
        Claim(
            "[Kvrgic2020] 1.2, [Siciliano2009] 7.6",
            "Newton-Euler: O(n)",
            _text(link),
            proven("confirmed", _degree(link) == 1),
        ),
        Claim(
            "[Milicevic2007] 3.2",
            "linear in n since all is referred to link frames",
            f"base frame: {_text(base)}",
            proven(
                "linear in both: link frames save a factor, not an order",
                _degree(link) == _degree(base) == 1,
                base.operations[-1] > link.operations[-1],
            ),
        ),
        Claim(
            "[Milicevic2007] Table 3",
            "d'Alembert: n^3",
            _text(_curve(curves, "dalembert", "inverse")),
            proven("confirmed", _degree(_curve(curves, "dalembert", "inverse")) == 3),
        ),
    ]


def _forward_claims(curves: Sequence[Growth]) -> list[Claim]:
    composite, first, second, mrnea, articulated = (
        _curve(curves, name, "forward")
        for name in ("composite_body", "walker_orin1", "walker_orin2", "mrnea", "articulated_body")
    )
    printed = _printed_mrnea()
    others = [curve for curve in curves if curve.quantity == "forward" and curve is not articulated]
    return [
        Claim(
            "[Siciliano2009] 7.6",
            "direct dynamics: O(n^2)",
            f"composite bodies: {_text(composite)}",
            proven(
                "H and bias are O(n^2); solving for the accelerations adds n^3/3, little for any arm",
                _is_square_but_for_solving(composite),
            ),
        ),
        Claim(
            "[Kvrgic2020] 1.4",
            "all methods of Walker and Orin: O(n^2)",
            f"method 1: {_text(first)}; method 2: {_text(second)}; "
            f"method 3: {_text(_curve(curves, 'newton_euler', 'forward'))}",
            proven(
                "the same: n^2 but for the solution",
                *map(_is_square_but_for_solving, (first, second, _curve(curves, "newton_euler", "forward"))),
            ),
        ),
        Claim(
            "[Kvrgic2020] 1.4, Table 1",
            f"mRNEA: O(n); but printed numbers, n = {FITTED_FROM} to 6, grow by n^{printed.exponent:.2f}",
            _text(mrnea),
            proven(
                "**wrong**: a link has vectors for every joint before it; the printed numbers say so, too",
                _is_square_but_for_solving(mrnea),
                _degree(_curve(curves, "mrnea", "inverse")) == 2,
                printed.exponent > 2,
            ),
        ),
        Claim(
            "not claimed",
            "articulated bodies",
            _text(articulated),
            proven(
                "the one forward dynamics here that is O(n)",
                _degree(articulated) == 1,
                all(_degree(curve) > 1 for curve in others),
            ),
        ),
    ]


def _printed_mrnea() -> Growth:
    """[Kvrgic2020] Table 1."""
    counts = [count for count in published(6) if count.table == "Table 1"]
    operations = tuple(count.multiplications + count.additions for count in counts)
    return Growth("mrnea", "forward", None, tuple(count.n for count in counts), operations)


def _curve(curves: Sequence[Growth], formulation: str, quantity: str) -> Growth:
    key = (formulation, quantity, None)
    (curve,) = [c for c in curves if (c.formulation, c.quantity, c.variant) == key]
    return curve


def _polynomial(curve: Growth) -> tuple[Fraction, ...]:
    if curve.polynomial is None:
        raise AssertionError(f"{name(curve)}, {curve.quantity}: no polynomial found")
    return curve.polynomial


def _degree(curve: Growth) -> int:
    return len(_polynomial(curve)) - 1


def _is_square_but_for_solving(curve: Growth) -> bool:
    """Whether the term in n^3 is that of the solution alone, n^3/3."""
    return _polynomial(curve)[3:] == (Fraction(1, 3),)


def _text(curve: Growth) -> str:
    """One curve, by its polynomial."""
    return f"{polynomial_text(_polynomial(curve))}, fitted {curve.exponent:.2f}"
