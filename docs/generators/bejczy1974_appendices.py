"""[Bejczy1974] Appendices A, B and D: matrices U, data, and the omission rule."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from bejczy1974_arm import angles, arm, data, formula
from bejczy1974_conventions import POSTURES, Q_TURN, at, by_traces, matrices, pseudo_inertia
from bejczy1974_data import CM, DROPPED, EXACT, FACTORS, OUNCES, PRINTED, last_digit
from bejczy1974_grid import grid
from bejczy1974_numbers import Number
from verdicts import EQUAL, Claim, agreeing, array, gap, proven

from armdyn.mechanics.lagrange_euler import coefficients, partial_derivatives
from armdyn.mechanics.tree import tree

PRINT = Path(__file__).parents[2] / "tests" / "data" / "bejczy1974_appendix_a.json"


# Appendix A -----------------------------------------------------------------------------------


@cache
def appendix_a() -> dict[str, Any]:
    """The 21 matrices as printed, and their errata."""
    return json.loads(PRINT.read_text(encoding="utf-8"))


def matrix_table() -> str:
    """(A.1) to (A.21): elements compared, and those that are wrong."""
    rows, total, right = [], 0, 0
    for number, (name, elements) in enumerate(appendix_a()["printed"].items(), 1):
        wrong = {key: text for key, text in _errata().items() if key.startswith(name)}
        good = sum(_agrees(name, r, c, text) for r, row in enumerate(elements) for c, text in enumerate(row))
        proven(f"{name}: the errata are all that is wrong", good == 16 - len(wrong))
        for key, text in wrong.items():
            proven(f"{key}, mended", _agrees(name, int(key[4]) - 1, int(key[6]) - 1, text))
        named = "; ".join(f"{key[3:]}: {text}" for key, text in wrong.items())
        rows.append((f"(A.{number}) {name}", "16", str(good), named or "nothing"))
        total, right = total + 16, right + good
    rows.append(("all", str(total), str(right), f"{total - right} elements"))
    return grid("matrix | elements | printed right | wrong in print", rows)


def _errata() -> dict[str, str]:
    """Element -> what must stand there."""
    return {erratum["element"]: erratum["right"] for erratum in appendix_a()["errata"]}


def _agrees(name: str, row: int, column: int, text: str) -> bool:
    """Whether an element is armdyn's at every posture; what lacks a parenthesis is no formula."""
    j, i = (int(digit) - 1 for digit in name[1:])
    if sum(text.count(x) for x in "({[") != sum(text.count(x) for x in ")}]"):
        return False
    lengths = {"r2": 0.162, "r6": 0.2476}
    return all(
        abs(float(formula(text, {**angles(q), **lengths})) - _derivative(k, j, i)[row, column]) < EQUAL
        for k, q in enumerate(POSTURES)
    )


@cache
def _derivative(k: int, j: int, i: int) -> np.ndarray:
    built = tree(arm(), "none")
    frame = built.frames[arm().bodies[j].name]
    return array(partial_derivatives(built, POSTURES[k].tolist()).of_frame(frame, i))


# Appendix B -----------------------------------------------------------------------------------


def data_table() -> str:
    """Every number of Appendix B, the catalog's, and whether both systems of units say the same."""
    rows, numbers = [], data()
    for name, metric, ounces, unit in PRINTED:
        ours = numbers[name] * (100 if unit == CM else 1)
        printed = (f"{metric} {unit}", f"{ounces} {OUNCES[unit]}")
        rows.append((_label(name), *printed, f"{ours:g} {unit}", _data_verdict(name, ours)))
    return grid("symbol | printed | in ounces and inches | armdyn's `jpl_rrp` | verdict", rows)


def _label(name: str) -> str:
    if name[0] == "J":
        return f"m{name[1]} k{name[1:]}²"
    return f"input inertia {name[1]}" if name[0] == "I" else name


def _data_verdict(name: str, ours: float) -> str:
    metric, ounces, unit = next(row[1:] for row in PRINTED if row[0] == name)
    converted = FACTORS[unit] * float(ounces)
    room = last_digit(metric) / 2 + FACTORS[unit] * last_digit(ounces) / 2
    apart = abs(converted - float(metric)) > room * (1 + 1e-9)
    if name in DROPPED:
        return proven("taken as zero, as the report does", ours == 0.0)
    if name == "m2":
        return proven(
            f"**the two contradict each other**: {ounces} {OUNCES[unit]} are {converted:.3f} kg, which the "
            "report's own sums use, and armdyn",
            apart,
            abs(converted - ours) < 1e-3,
        )
    if apart:
        return proven(
            f"same number; {ounces} {OUNCES[unit]} would be {converted:.4g} {unit}",
            abs(ours - float(metric)) < 1e-12,
        )
    return proven("same number", abs(ours - float(metric)) < 1e-12)


def factor_numbers() -> list[Number]:
    """The report's conversion factors beside the exact ones."""
    force = 0.028349523125 * 9.80665
    return [
        Number("1 in", "2.54", EXACT[CM], "cm"),
        Number("1 oz s²/in", "10.945", EXACT["kg"], "kg"),
        Number("1 oz s²", "0.278", force, "kg m"),
        Number("1 oz in s²", "0.00706", EXACT["kg m²"], "kg m²"),
        Number("1 oz", "0.278", force, "N"),
        Number("1 oz in", "0.00706", EXACT["kg m²"], "N m"),
    ]


def matrix_claim() -> Claim:
    """J_1 to J_6 of Appendix B."""
    moments = array(arm().bodies[0].inertia.tensor_about_origin).diagonal()
    first = float(pseudo_inertia(0)[0, 0])
    return Claim(
        "J_1, element (1,1)",
        "m1 (k111² + k122² + k133²)/2",
        f"{first:g} kg m²; as printed it would be {moments.sum() / 2:g}",
        proven(
            "**wrong in print**: -k111², as (10) has it; J_2 to J_6 are right",
            abs(first - (moments[1] + moments[2] - moments[0]) / 2) < 1e-12,
        ),
    )


# Appendix D -----------------------------------------------------------------------------------


def omission_claims() -> list[Claim]:
    """The omission rule, its two examples, and the coefficients that are zero."""
    whole = [at(k) for k in range(len(POSTURES))]
    short = [coefficients(tree(arm(), "none"), q.tolist(), omit=True) for q in POSTURES]
    gaps = [
        gap(getattr(a, x), getattr(b, x))
        for a, b in zip(whole, short, strict=True)
        for x in ("inertia", "velocity")
    ]
    examples, too_short = zip(*(_examples(k) for k in range(len(POSTURES))), strict=True)
    D = np.array([by_traces(q)[2] for q in POSTURES])
    own = max(float(np.abs(D[:, i, i, : i + 1]).max()) for i in range(6))
    sliding = float(np.abs(D[:, :, 2, 3:]).max())
    return [
        Claim(
            "Statement",
            "matrices before the first differentiated one can be left out of every trace",
            f"all D_ij and D_ijk with and without them: {agreeing(gaps)}",
            "confirmed (`omit=True` of `armdyn.mechanics.lagrange_euler`)",
        ),
        Claim(
            "D_55 and D_4,56",
            "5 and 7 matrices in place of 13 and 15; 10 in place of 16",
            f"from the matrices that are left: {agreeing(examples)}",
            proven(
                "confirmed; the brace under T_3^4 in D_4,56 reaches one matrix too far, "
                "the text's count of 10 is right",
                min(too_short) > 1e-6,
            ),
        ),
        Claim(
            "D_i,ii",
            "0",
            "0, to 1e-12, as all D_i,ij for j ≤ i at five random postures",
            proven("confirmed", own < 1e-12),
        ),
        Claim(
            "(D.57), (D.59), D_i,ij for j < i",
            "0",
            "0, to 1e-12",
            proven("confirmed", own < 1e-12),
        ),
        Claim(
            "D_i,3j for j > 3 (sliding joint before a turning one)",
            "0",
            "0, to 1e-12",
            proven("confirmed", sliding < 1e-12),
        ),
    ]


def _examples(k: int) -> tuple[float, float]:
    """The gap of the two examples, and that of D_4,56 with one matrix fewer."""
    T, J5, J6 = matrices(POSTURES[k]), pseudo_inertia(4), pseudo_inertia(5)
    inner, outer = Q_TURN @ T[4], Q_TURN @ T[4] @ T[5]
    D_55 = np.trace(inner @ J5 @ inner.T) + np.trace(outer @ J6 @ outer.T)
    twice, once = T[3] @ Q_TURN @ T[4] @ Q_TURN @ T[5], Q_TURN @ T[3] @ T[4] @ T[5]
    D_456, fewer = np.trace(twice @ J6 @ once.T), np.trace(Q_TURN @ T[4] @ Q_TURN @ T[5] @ J6 @ once.T)
    D = at(k)
    found = max(gap(D_55, D.inertia[4][4]), gap(D_456, D.velocity[3][4][5]))
    return found, abs(float(fewer) - float(D.velocity[3][4][5]))
