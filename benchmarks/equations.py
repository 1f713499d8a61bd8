"""How long equations and extremes take: mass matrix and gravity of six-axis arms, best of several.

No peer writes such equations; the rows stand for themselves. `derived`: all 21 inertia elements and gravity
as canonical sums, in symbols; `written`: the same as readable expressions; `extremes`: the smallest and
largest H_ii and g_i over the joints' ranges, in numbers, with bounds.
"""

import time
from collections.abc import Callable
from typing import Any

import armdyn as ad
from armdyn.equations import quantities
from armdyn.equations.setting import Setting

ROBOTS = ("jpl_rrp", "puma560", "ur5", "lola15")
REPEATS = 3
QUANTITIES = ("mass_matrix", "gravity")


def run() -> list[dict[str, Any]]:
    """Rows of robot, part, ms, and how many elements there are or are certified."""
    rows: list[dict[str, Any]] = []
    for name in ROBOTS:
        arm = ad.load(name)
        for part, work in (("derived", _derived), ("written", _written), ("extremes", _extremes)):
            ms, elements = _best(work, arm)
            rows.append({"robot": name, "part": part, "ms": ms, "elements": elements})
    return rows


def _best(work: Callable[[ad.Robot], int], arm: ad.Robot) -> tuple[float, int]:
    times: list[float] = []
    elements = 0
    for _ in range(REPEATS):
        start = time.perf_counter()
        elements = work(arm)
        times.append(1e3 * (time.perf_counter() - start))
    return min(times), elements


def _derived(arm: ad.Robot) -> int:
    setting = Setting.of(arm, "none", parameters="symbolic")
    return sum(1 for quantity in QUANTITIES for _ in quantities.of(setting, quantity))


def _written(arm: ad.Robot) -> int:
    found = [ad.derive(arm, quantity, motors="none", parameters="symbolic") for quantity in QUANTITIES]
    return sum(1 for equations in found for equation in equations if equation.operations.total >= 0)


def _extremes(arm: ad.Robot) -> int:
    rows = [
        row for kind in ("inertia", "gravity") for row in ad.study(arm, kind).rows if row.quantity == kind
    ]
    return sum(bool(row.document()["certified"]) for row in rows)
