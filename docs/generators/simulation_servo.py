"""[Bejczy1974] II on the JPL arm: what a servo does when the inertia changes."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

from simulation_drawing import written
from verdicts import proven

import armdyn as ad
from armdyn.report.drawing import COLOURS
from armdyn.simulation.control.controllers import pid
from armdyn.simulation.control.references import fixed
from armdyn.simulation.control.servo import Servo, critical_velocity_gain, measured_servo
from armdyn.simulation.results import Simulation

ROBOT, JOINT = "jpl_rrp", "joint1"
POSTURES = {
    "boom level and out, r3 = 1.1176 m": (math.pi / 2, 1.1176),
    "boom level and in, r3 = 0.4 m": (math.pi / 2, 0.4),
    "boom upright": (0.0, 0.4),
}
"""theta2 and r3 by name; the first has the nominal inertia."""
FREQUENCY, STEP, DURATION = 5.0, 0.1, 3.0
"""[rad/s] of the nominal servo, [rad], [s]"""
FITS = 1e-6
"""How far measured servos may be off the law, relatively."""


@cache
def one_axis(posture: str) -> ad.Dynamics:
    """Joint 1 of the arm in a posture, the other joints locked, without gravity."""
    arm = ad.load(ROBOT).with_gravity((0, 0, 0))
    held: dict[int | str, float] = dict(zip(arm.joint_names, arm.home, strict=True))
    held["joint2"], held["joint3"] = POSTURES[posture]
    del held[JOINT]
    return ad.Dynamics(arm.locked(held))


def inertia(posture: str) -> float:
    """What the servo moves [kg m2]."""
    return float(one_axis(posture).mass_matrix([0.0])[0, 0])


@cache
def response(posture: str, kp: float, kv: float) -> Simulation:
    """A step of one axis."""
    dyn = one_axis(posture)
    return ad.simulate(dyn, DURATION, controller=pid(dyn, fixed([STEP]), kp=kp, kv=kv), q=[0.0])


def measured(posture: str, kp: float, kv: float) -> Servo:
    """The servo that its step response shows."""
    run = response(posture, kp, kv)
    return measured_servo(run.time, run.q[:, 0], STEP)


def gains() -> tuple[float, float]:
    """Those that damp the nominal inertia critically."""
    kp = inertia(next(iter(POSTURES))) * FREQUENCY**2
    return kp, float(critical_velocity_gain(kp / FREQUENCY**2, kp))


def servo_table() -> str:
    """Frequencies and dampings measured, with the nominal gain and with the one that restores the damping."""
    kp, kv = gains()
    nominal = measured(next(iter(POSTURES)), kp, kv)
    rows = [
        "| posture | inertia | sqrt(n) | frequency | over nominal | damping | kv/sqrt(n) | "
        "damping with that |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for posture in POSTURES:
        n = inertia(next(iter(POSTURES))) / inertia(posture)
        found, restored = measured(posture, kp, kv), measured(posture, kp, kv / math.sqrt(n))
        faster = found.frequency / nominal.frequency
        proven(
            "sqrt(n)",
            abs(faster / math.sqrt(n) - 1) < FITS,
            abs(found.damping / math.sqrt(n) - 1) < FITS,
            abs(restored.damping - 1) < FITS,
        )
        rows.append(
            f"| {posture} | {inertia(posture):.3f} kg m2 | {math.sqrt(n):.4f} | "
            f"{found.frequency:.4f} rad/s | {faster:.4f} | {found.damping:.4f} | "
            f"{kv / math.sqrt(n):.3f} N m s/rad | {restored.damping:.4f} |"
        )
    return "\n".join(rows) + "\n"


def draw(figure: Any) -> None:
    """The responses with the nominal gain, and with the one that restores the damping."""
    kp, kv = gains()
    panels = figure.subplots(1, 2, sharey=True)
    titles = ("kv as for the largest inertia", "kv/sqrt(n): critical in every posture")
    for panel, title, restored in zip(panels, titles, (False, True), strict=True):
        for posture, colour in zip(POSTURES, COLOURS, strict=False):
            n = inertia(next(iter(POSTURES))) / inertia(posture)
            run = response(posture, kp, kv / math.sqrt(n) if restored else kv)
            panel.plot(run.time, run.q[:, 0] / STEP, color=colour, label=posture)
        panel.set(xlabel="time [s]", title=title, xlim=(0, 2))
    panels[0].set_ylabel("position / step")
    panels[0].legend(frameon=False, fontsize=7, loc="lower right")


def write_figure(folder: Path) -> None:
    """Write figures/simulation_servo.svg below the folder."""
    written(folder, "simulation_servo", draw, (9.0, 3.2))
