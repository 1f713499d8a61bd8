"""[Siciliano2009] Problems 7.3, 7.5, 7.6 and 7.8: the equations that they ask for, as armdyn derives them."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

import armdyn as ad

WIDTH = 104


def problems() -> str:
    """The answers, problem by problem."""
    pr = ad.load("planar_pr")
    return "\n".join(
        (
            _asked(
                "Problem 7.3, the SCARA arm (`scara`, motors left out)",
                ad.load("scara"),
                ("mass_matrix", "velocity", "gravity"),
            ),
            _asked(
                "Problem 7.5, a sliding and a turning joint (`planar_pr`), with a load mL at the tip",
                pr,
                ("mass_matrix", "velocity", "gravity"),
                payload=True,
            ),
            _asked(
                "Problem 7.6, the planar arm in absolute angles (`planar2`, phi2 = q1 + q2)",
                ad.load("planar2"),
                ("mass_matrix", "velocity", "gravity"),
                coordinates="absolute",
            ),
            "No coefficient belongs to a product of two rates: with absolute angles there are centrifugal\n"
            "torques, but no Coriolis torques, and only H12 depends on the posture.\n",
            _asked("Problem 7.8, `planar_pr` by the recursion", pr, ("newton_euler",), only="torque"),
        )
    )


def _asked(
    title: str, arm: ad.Robot, asked: tuple[str, ...], *, only: str | None = None, **options: Any
) -> str:
    lines: list[str] = []
    for quantity in asked:
        derived = ad.derive(arm, quantity, parameters="symbolic", inertia="centre", motors="none", **options)
        for equation in derived:
            if equation.harmonic.terms and only in (None, equation.quantity):
                text = f"{equation.name} = {str(equation).split(' = ', 1)[1]}"
                lines += wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False)
    return f"{title}; elements that are zero are left out:\n\n```text\n" + "\n".join(lines) + "\n```\n"
