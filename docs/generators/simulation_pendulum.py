"""Pendulums against closed forms."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
from verdicts import proven

import armdyn as ad
from armdyn.report.drawing import COLOURS
from armdyn.robot import Body, Friction, Joint
from armdyn.simulation.control.controllers import pid
from armdyn.simulation.control.references import fixed
from armdyn.simulation.results import Simulation
from armdyn.spatial import Inertia

MASS, LENGTH, GRAVITY = 2.0, 0.6, 9.81
W = math.sqrt(GRAVITY / LENGTH)
AMPLITUDES = (10.0, 90.0, 150.0, 175.0)
"""[deg]"""
PERIOD = 1e-9
"""How far off, relatively, a period may be."""
SMALL, DAMPING, LONG = 1e-4, 0.05, 10.0
"""[rad], and [s], of the damped swing."""
STIFFNESS, RUBS, START = 50.0, 0.5, 0.0651
"""[N/m], [N], [m] of the carriage on a spring."""
INSTANT = 1e-9
"""[s] How far off an event may be."""
FINE: dict[str, Any] = {"rtol": 1e-12, "atol": 1e-14}


def pendulum(friction: Friction | None = None) -> ad.Dynamics:
    """A point mass that hangs at q = 0."""
    joint = Joint("pivot", axis=(0, 1, 0), friction=friction or Friction())
    rod = Body("rod", joint, inertia=Inertia(MASS, com=(0, 0, -LENGTH)))
    return ad.Dynamics(ad.Robot("pendulum", (rod,), gravity=(0, 0, -GRAVITY)), friction=True)


# Swinging -------------------------------------------------------------------------------------


def swing(degrees: float) -> tuple[Simulation, float]:
    """A free swing through one period of the elliptic integral, and that period."""
    from scipy.special import ellipk

    period = float(4 * ellipk(math.sin(math.radians(degrees) / 2) ** 2) / W)
    run = ad.simulate(pendulum(), period, q=[math.radians(degrees)], dt=5e-3, sample=5e-3, **FINE)
    return run, period


def measured_period(run: Simulation, period: float) -> float:
    """Of a run that ends one period after it began: twice the time between its two passes."""
    q, qd = run.q[:, 0], run.qd[:, 0]
    passes = [_passing(run, int(k)) for k in np.flatnonzero(q[:-1] * q[1:] < 0)]
    proven("passes twice", len(passes) == 2, qd[0] == 0, period > 0)
    return 2 * (passes[1] - passes[0])


def _passing(run: Simulation, k: int) -> float:
    """When the pendulum hangs down between two samples: by a short run from the first of them."""
    from scipy.optimize import brentq

    def position(late: float) -> float:
        if late == 0:
            return run.q[k, 0]
        return ad.simulate(run.dyn, late, q=run.q[k], qd=run.qd[k], **FINE).q[-1, 0]

    root: Any = brentq(position, 0.0, run.time[k + 1] - run.time[k], xtol=1e-14)
    return run.time[k] + root


def period_table() -> str:
    """Periods, measured, beside the elliptic integral."""
    rows = ["| amplitude | period, 4 K(sin²(A/2))/w | over 2 π/w | simulated, off by |", "|---|---|---|---|"]
    for degrees in AMPLITUDES:
        run, period = swing(degrees)
        off = abs(measured_period(run, period) / period - 1)
        less = proven(f"less than {PERIOD:.0e}", off < PERIOD)
        rows.append(f"| {degrees:g} deg | {period:.9f} s | {period * W / (2 * math.pi):.6f} | {less} |")
    return "\n".join(rows) + "\n"


# Damped ---------------------------------------------------------------------------------------


def miss_of_small_angles(amplitude: float) -> float:
    """How far a damped swing is off that of small angles, relative to its amplitude."""
    viscous = 2 * DAMPING * W * MASS * LENGTH**2
    run = ad.simulate(pendulum(Friction(viscous=viscous)), LONG, q=[amplitude], rtol=1e-13, atol=1e-20)
    fast, t = W * math.sqrt(1 - DAMPING**2), run.time
    wanted = np.exp(-DAMPING * W * t) * (np.cos(fast * t) + DAMPING * W / fast * np.sin(fast * t))
    return float(np.abs(run.q[:, 0] / amplitude - wanted).max())


def damped_table() -> str:
    """What small angles miss at three amplitudes."""
    rows = ["| amplitude A | off by, of A | of A³ |", "|---|---|---|"]
    misses = {a: miss_of_small_angles(a) for a in (SMALL, 10 * SMALL, 100 * SMALL)}
    for amplitude, miss in misses.items():
        rows.append(f"| {amplitude:g} rad | {miss:.1e} | {miss / amplitude**2:.3f} |")
    shares = [miss / amplitude**2 for amplitude, miss in misses.items()]
    proven("grows as the cube of the amplitude", max(shares) < 1.01 * min(shares))
    return "\n".join(rows) + "\n"


# Rubbing --------------------------------------------------------------------------------------


def rubbing() -> Simulation:
    """A carriage on a spring, with dry friction."""
    joint = Joint("rail", kind="prismatic", axis=(1, 0, 0), friction=Friction(coulomb=RUBS))
    robot = ad.Robot("carriage", (Body("carriage", joint, inertia=Inertia(MASS)),))
    dyn = ad.Dynamics(robot, friction=True)
    return ad.simulate(dyn, 3.0, controller=pid(dyn, fixed([0.0]), kp=STIFFNESS, kv=0.0), q=[START])


def rubbing_table() -> str:
    """When the carriage turns and stops."""
    run, half = rubbing(), math.pi / math.sqrt(STIFFNESS / MASS)
    rows = ["| event | closed form | simulated, off by |", "|---|---|---|"]
    for k, event in enumerate(run.events[1:]):
        wanted = (k + 1) * half
        less = proven(f"less than {INSTANT:.0e} s", abs(event.time - wanted) < INSTANT)
        rows.append(f"| {event.kind} | {wanted:.9f} s | {less} |")
    stopped = (-1) ** (len(run.events) - 1) * (START - 2 * (len(run.events) - 1) * RUBS / STIFFNESS)
    less = proven("less than 1e-09 m", abs(run.q[-1, 0] - stopped) < 1e-9)
    rows.append(f"| rests at | {stopped:.4f} m | {less} |")
    return "\n".join(rows) + "\n"


# Figure ---------------------------------------------------------------------------------------


def draw(figure: Any) -> None:
    """Swings of several amplitudes, and the carriage that friction stops."""
    swinging, rubbed = figure.subplots(1, 2)
    for degrees, colour in zip(AMPLITUDES, COLOURS, strict=False):
        run, period = swing(degrees)
        swinging.plot(run.time * W / (2 * math.pi), run.q / run.q[0], color=colour, label=f"{degrees:g}°")
        swinging.plot([period * W / (2 * math.pi)], [1], "o", color=colour, markersize=4)
    swinging.set(
        xlabel="time [2π/w]", ylabel="position / amplitude", title="free swings; dots: elliptic integral"
    )
    swinging.legend(frameon=False, fontsize=7)
    run = rubbing()
    rubbed.plot(run.time, 1e3 * run.q, color=COLOURS[0])
    rubbed.axhspan(*(1e3 * RUBS / STIFFNESS * np.array([-1, 1])), color="0.92", zorder=0)
    for event in run.events[1:]:
        rubbed.axvline(event.time, color="0.7", linewidth=0.6, zorder=0)
    rubbed.set(xlabel="time [s]", ylabel="position [mm]", title="dry friction; grey: where it can hold")


def write_figure(folder: Path) -> None:
    """Write figures/simulation_pendulum.svg below the folder."""
    from simulation_drawing import written

    written(folder, "simulation_pendulum", draw, (9.0, 3.4))
