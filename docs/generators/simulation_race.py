"""A race of integrators: what accuracy costs, counted in evaluations of the equations."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from simulation_drawing import written
from verdicts import proven

import armdyn as ad
from armdyn.report.drawing import COLOURS
from armdyn.simulation.integration.course import IntegratorName

ROBOT, START, DURATION = "ur5", (0.0, -0.4, 0.8, 0.3, 0.5, 0.0), 1.0
"""[rad], [s] A UR5 that is let go."""
STEPS = (8e-3, 4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4)
"""[s]"""
COMPARED = (1e-3, 5e-4)
"""[s] Whose errors give the order: fine enough for it, and no error is near rounding."""
TOLERANCES = (1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
FIXED: dict[IntegratorName, int] = {"euler": 1, "semi_implicit": 1, "rk4": 4}
"""Integrators with a fixed step, and the order that each should have."""
ADAPTIVE: tuple[IntegratorName, ...] = ("dop853", "lsoda")
BOUNDS = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10)
"""[rad] Errors whose cost is compared."""
ORDER = 0.05
"""How far a measured order may be off."""


@dataclass(frozen=True)
class Attempt:
    """One run."""

    setting: float
    """Its step [s], or its tolerance"""
    error: float
    """[rad] largest of any joint at the end"""
    evaluations: int


@cache
def _dynamics() -> ad.Dynamics:
    return ad.Dynamics(ad.load(ROBOT), motors="none", friction=False)


def _end(integrator: IntegratorName, **how: Any) -> tuple[np.ndarray, int]:
    """Where the arm is at the end, and how often the equations were evaluated."""
    count = 0

    def nothing(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:  # noqa: ARG001
        nonlocal count
        count += 1
        return np.zeros_like(q)

    start: Any = {"q": START, "controller": nothing, "integrator": integrator, "sample": DURATION}
    return ad.simulate(_dynamics(), DURATION, **start, **how).q[-1], count


@cache
def _reference() -> np.ndarray:
    return _end("dop853", dt=DURATION, rtol=1e-13, atol=1e-15)[0]


@cache
def attempts(integrator: IntegratorName) -> tuple[Attempt, ...]:
    """Runs of an integrator, from coarse to fine."""
    return tuple(_attempts(integrator))


def _attempts(integrator: IntegratorName) -> Iterator[Attempt]:
    for setting in STEPS if integrator in FIXED else TOLERANCES:
        how = (
            {"dt": setting}
            if integrator in FIXED
            else {"dt": DURATION, "rtol": setting, "atol": 1e-2 * setting}
        )
        q, count = _end(integrator, **how)
        yield Attempt(setting, float(np.abs(q - _reference()).max()), count)


def order(integrator: IntegratorName) -> float:
    """By how much the error falls with the step, of those in COMPARED."""
    coarse, fine = (run for run in attempts(integrator) if run.setting in COMPARED)
    return math.log(coarse.error / fine.error) / math.log(coarse.setting / fine.setting)


def order_table() -> str:
    """Errors of the integrators with a fixed step, and their orders."""
    rows = ["| integrator | error, 1 ms | error, 0.5 ms | measured order |", "|---|---|---|---|"]
    for integrator, wanted in FIXED.items():
        errors = {run.setting: run.error for run in attempts(integrator)}
        found = order(integrator)
        proven(f"order of {integrator}", abs(found - wanted) < ORDER)
        shown = " | ".join(f"{errors[step]:.1e} rad" for step in COMPARED)
        rows.append(f"| `{integrator}` | {shown} | {found:.2f} |")
    return "\n".join(rows) + "\n"


def cost_table() -> str:
    """Evaluations that an error below a bound takes."""
    heads = " | ".join(f"below {bound:.0e} rad" for bound in BOUNDS)
    rows = [f"| integrator | {heads} |", "|---|" + "---|" * len(BOUNDS)]
    for integrator in (*FIXED, *ADAPTIVE):
        shown = (_shown(integrator, _cost(integrator, bound)) for bound in BOUNDS)
        rows.append(f"| `{integrator}` | {' | '.join(shown)} |")
    return "\n".join(rows) + "\n"


def _shown(integrator: IntegratorName, cost: float) -> str:
    """Adaptive ones rounded up: how many steps they take is up to rounding, on every processor another."""
    if math.isinf(cost):
        return "not reached"
    if integrator in ADAPTIVE:
        return f"at most {500 * math.ceil(cost / 500)}"
    return f"{100 * round(cost / 100)}"


def _cost(integrator: IntegratorName, bound: float) -> float:
    """Of the cheapest run that is good enough; inf if none is."""
    return min((run.evaluations for run in attempts(integrator) if run.error < bound), default=math.inf)


def verdict() -> str:
    """Who wins."""
    costs = {x: [_cost(x, bound) for bound in BOUNDS] for x in (*FIXED, *ADAPTIVE)}
    order = ("euler", "semi_implicit", "rk4", "dop853")
    return proven(
        "semi-implicit Euler takes fewer evaluations than Euler, `rk4` fewer\nthan both, and `dop853` and "
        "`lsoda` fewer than `rk4`",
        *(
            b < a
            for worse, better in pairwise(order)
            for a, b in zip(costs[worse], costs[better], strict=True)
            if not math.isinf(b)
        ),
        *(b <= a for a, b in zip(costs["rk4"], costs["lsoda"], strict=True)),
    )


def euler_at_the_printed_step() -> str:
    """How far off Euler's steps of 1 ms are."""
    (error,) = (run.error for run in attempts("euler") if run.setting == COMPARED[0])
    return f"Euler is {math.degrees(error):.0f} degrees off after a second"


def draw(figure: Any) -> None:
    """Error against evaluations."""
    panel = figure.subplots()
    for integrator, colour in zip((*FIXED, *ADAPTIVE), COLOURS, strict=False):
        runs = attempts(integrator)
        marks = "o-" if integrator in FIXED else "s--"
        panel.loglog(
            [run.evaluations for run in runs],
            [run.error for run in runs],
            marks,
            color=colour,
            markersize=3.5,
            linewidth=1.1,
            label=integrator,
        )
    panel.set(xlabel="evaluations of the equations", ylabel="error after 1 s [rad]")
    panel.set_title("a UR5 that is let go: full lines have a fixed step, broken ones choose theirs")
    panel.legend(frameon=False, fontsize=8)


def write_figure(folder: Path) -> None:
    """Write figures/simulation_race.svg below the folder."""
    written(folder, "simulation_race", draw, (7.0, 4.2))
