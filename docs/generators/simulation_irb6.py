"""The IRb-6 under a schedule of armature currents, in the manner of [Szkodny1995] Figs. 3 and 4."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from verdicts import proven

import armdyn as ad
from armdyn.simulation.files.figures import motor_figure
from armdyn.simulation.integration.course import IntegratorName
from armdyn.simulation.results import Simulation

SCHEDULE = Path(__file__).parents[2] / "examples" / "motions" / "irb6_currents.toml"
ANGLES = np.array([-130.0, -66.7, -51.0, -199.0, -199.0])
"""[rad] The static state that [Szkodny1995] prints,"""
CURRENTS = np.array([0.0, 3.18, -0.73, 0.0, 0.0])
"""[A] and the currents that maintain it."""
NEAR, ALMOST = 1.0, 0.1
"""[rad], [A] How near to them a run has to end."""
DURATION, HELD, DRAWN = 12.0, 10.0, 3.0
"""[s] Of a run, of the rest at its end, of the figure."""
STEP = 1e-3
"""[s] Of the paper."""


@cache
def run(integrator: IntegratorName = "euler", duration: float = DURATION) -> Simulation:
    """The schedule, from home."""
    dt = STEP if integrator == "euler" else None
    return ad.simulate("irb6", duration, input=SCHEDULE, integrator=integrator, dt=dt, sample=0.01)


def holding(found: Simulation) -> np.ndarray:
    """(drives) what friction takes of each motor's torque at the end [N m]."""
    return found.dyn.sticking(found.q[-1], found.qd[-1], found.tau[-1]).resistances


def last_stop(found: Simulation) -> float:
    """When the last motor came to rest [s]."""
    return max(event.time for event in found.events if event.kind == "sticks")


def motor_table() -> str:
    """Where each motor comes to rest, and what holds it."""
    euler, exact = run(), run("dop853")
    _check(euler)
    _check(exact)
    starting = [point.friction.at_rest for point in euler.dyn.friction_points]
    stopped = {event.motor: event.time for event in exact.events if event.kind == "sticks"}
    ends = [_found(x.motor_position)[-1] for x in (euler, exact)]
    rows = [
        "| motor | printed | Euler, 1 ms | dop853 | at rest from | current, printed | current | "
        "friction takes | of at most |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for k, taken in enumerate(holding(exact)):
        rows.append(
            f"| {k + 1} | {ANGLES[k]:g} rad | {ends[0][k]:.1f} rad | {ends[1][k]:.1f} rad | "
            f"{stopped[k + 1]:.3f} s | {CURRENTS[k]:g} A | {_found(exact.current)[-1, k]:.2f} A | "
            f"{1e3 * taken:.1f} mN m | {1e3 * starting[k]:g} mN m |"
        )
    return "\n".join(rows) + "\n"


def difference() -> str:
    """How far Euler's steps end from the exact motion."""
    gap = np.abs(_found(run().motor_position)[-1] - _found(run("dop853").motor_position)[-1]).max()
    return f"{gap:.1f} rad"


def growth() -> float:
    """How many times what motor 2 is off grows in a second, at the rate sqrt(slope of its load / inertia)."""
    found, k = run("dop853"), 1
    ends = found.q[[0, -1]]
    load = found.dyn.motor_torque(ends, found.dyn.gravity(ends))[:, k]
    slope = np.diff(load)[0] / (ANGLES[k] - 0.0)
    return float(np.exp(np.sqrt(-slope / found.dyn.effective_inertia(found.q[-1])[k])))


def verdict() -> str:
    """What the run shows, proven."""
    return proven(
        "all motors come to rest within 1 rad of the print and are held by friction for 10 s",
        *_shown(run()),
        *_shown(run("dop853")),
    )


def _check(found: Simulation) -> None:
    proven("comes to rest near the print, held by friction", *_shown(found))


def _shown(found: Simulation) -> list[bool]:
    """What must be so of a run."""
    resting = found.time > last_stop(found)
    taken, starting = np.abs(holding(found)), [p.friction.at_rest for p in found.dyn.friction_points]
    return [
        last_stop(found) < DURATION - HELD,
        bool(np.abs(_found(found.motor_position)[-1] - ANGLES).max() < NEAR),
        bool(np.abs(_found(found.current)[-1] - CURRENTS).max() < ALMOST),
        bool((found.q[resting] == found.q[-1]).all()),
        not found.qd[resting].any(),
        bool((taken > 0).all() and (taken < starting).all()),
        not any(event.kind == "limit" for event in found.events),
    ]


def _found(values: np.ndarray | None) -> np.ndarray:
    """What the irb6 knows of its motors."""
    if values is None:
        raise AssertionError("irb6 has motors, expected their motion and currents")
    return values


def draw(folder: Path) -> None:
    """Write figures/simulation_irb6.svg below the folder: the beginning of the run."""
    motor_figure(folder / "figures" / "simulation_irb6.svg", run("euler", DRAWN))
