"""[Bejczy1974] VII.D: the report's short equations beside those that armdyn finds with no more operations."""

from __future__ import annotations

from functools import cache
from itertools import product

import numpy as np
from bejczy1974_arm import RANGES, arm, formula, states
from bejczy1974_derived import text
from bejczy1974_grid import grid
from bejczy1974_simplified import BEATEN, FORMS, KINDS, SHORT, Miss, constants, cost, exact, miss, missed
from verdicts import proven

from armdyn.equations import quantities
from armdyn.equations.expression import evaluate
from armdyn.equations.setting import Setting
from armdyn.equations.simplification import Simplified, simplify
from armdyn.extremes import Bound, largest
from armdyn.extremes.of_harmonics import terms_of
from armdyn.scalars import cos, sin
from armdyn.scalars.harmonic import Harmonic

NAMES = [f"q{k}" for k in range(1, 7)]
CASES = (False, True)


@cache
def setting(loaded: bool) -> Setting:
    """The arm in numbers, with the input inertias of its drives."""
    return Setting.of(arm(loaded), "reflected")


@cache
def quantity(symbol: str, loaded: bool) -> Harmonic:
    """D_ii, or D_i with the report's sign."""
    made = setting(loaded)
    if len(symbol) == 3:
        i = int(symbol[1]) - 1
        return quantities.harmonic(made, quantities.mass_matrix(made)[i][i])
    return quantities.harmonic(made, -quantities.gravity(made)[int(symbol[1]) - 1])


@cache
def as_harmonic(equation: str, loaded: bool, kind: str) -> Harmonic:
    """An equation of the report with its constants."""
    ring = setting(loaded).ring
    names = {**constants(kind, loaded), "g": 9.81, "r3": ring.symbol("q3")}
    turned = {}
    for k in (2, 4, 5):
        turned |= {f"s{k}": sin(ring.symbol(f"q{k}")), f"c{k}": cos(ring.symbol(f"q{k}"))}
    return quantities.harmonic(setting(loaded), formula(FORMS[equation].printed.right, {**names, **turned}))


@cache
def largest_error(equation: str, loaded: bool, kind: str) -> Bound:
    """The largest error of an equation of the report over the workspace, attained and bounded."""
    true = quantity(FORMS[equation].printed.symbol, loaded)
    error = (true - as_harmonic(equation, loaded, kind)).pruned()
    values = exact(equation, loaded)
    return largest(terms_of(error, NAMES), RANGES, resolution=1e-3 * float(np.ptp(values)))


@cache
def ours(equation: str) -> Simplified:
    """armdyn's short form with no more operations than the report's."""
    form = FORMS[equation]
    cases = [quantity(form.printed.symbol, loaded) for loaded in CASES]
    return simplify(cases, NAMES, RANGES, operations=cost(form.printed.right).total)


# Tables ---------------------------------------------------------------------------------------


def _size(x: float) -> str:
    return "0" if abs(x) < 1e-12 else f"{x:.3g}"


def _at_most(bound: Bound) -> str:
    return f"{_size(bound.value)} (≤ {_size(bound.bound)})"


def report_table() -> str:
    """Errors of the report's forms, with the constants printed and with the right ones."""
    rows = []
    for equation, loaded in product(SHORT, CASES):
        form = FORMS[equation]
        for kind in _kinds(equation, loaded):
            m, edge = miss(equation, loaded, kind), largest_error(equation, loaded, kind)
            proven(f"({equation}): no random state beyond the bound", m.largest <= edge.bound)
            sizes = (
                f"{_size(m.mean)} {form.unit}",
                _size(m.p95),
                _at_most(edge),
                f"{100 * m.relative:.2g} %",
            )
            rows.append((*_case(equation, loaded), kind, *sizes))
    return grid(
        "equation | operations | load | constants | mean | 95 % | largest (bound) | mean / mean value", rows
    )


def _case(equation: str, loaded: bool) -> tuple[str, ...]:
    printed = FORMS[equation].printed
    load = "1.8 kg" if loaded else "none"
    return f"({equation}) {printed.symbol}", str(cost(printed.right).total), load


def _kinds(equation: str, loaded: bool) -> tuple[str, ...]:
    """The constants worth a row: b5 is wrong with load only."""
    return KINDS if loaded and "b5" in FORMS[equation].printed.text else (KINDS[0], KINDS[2])


def our_table() -> str:
    """The report's forms, b5 mended and with the right constants, and armdyn's, at the same states."""
    rows = []
    for equation, loaded in product(BEATEN, CASES):
        found, e = ours(equation), ours(equation).errors[loaded]
        mended, best = (miss(equation, loaded, kind) for kind in KINDS[1:])
        mine = _mine(equation, loaded)
        proven(
            f"({equation}): no more operations",
            found.operations.total <= cost(FORMS[equation].printed.right).total,
        )
        proven(f"({equation}): better", mine.mean < mended.mean, mine.mean <= best.mean * (1 + 1e-3))
        means = (f"{_size(mended.mean)} {FORMS[equation].unit}", _size(best.mean), _size(mine.mean))
        edges = (
            _at_most(largest_error(equation, loaded, "right")),
            f"{_size(e.maximum)} (≤ {_size(e.bound)})",
        )
        ends = (_size(best.p95), _size(mine.p95), *edges)
        rows.append((*_case(equation, loaded), str(found.operations.total), *means, *ends))
    return grid(
        "in place of | operations | load | armdyn's | mean error, b5 mended | right | armdyn's | 95 % "
        "| armdyn's | largest (bound) | armdyn's",
        rows,
    )


def _mine(equation: str, loaded: bool) -> Miss:
    q = states()
    values = evaluate(ours(equation).expressions[loaded], {name: q[:, k] for k, name in enumerate(NAMES)})
    return missed(values, exact(equation, loaded))


def our_forms() -> str:
    """armdyn's short forms, without and with load."""
    lines = []
    for equation in BEATEN:
        for loaded, label in zip(CASES, ("", "L"), strict=True):
            symbol = FORMS[equation].printed.symbol + label
            lines.append(f"{symbol:4} = {text(ours(equation).expressions[loaded])}")
    return "```text\n" + "\n".join(lines) + "\n```\n"
