"""A simulation as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from armdyn.cli.output import print_line, print_table
from armdyn.errors import counted
from armdyn.scalars import Array
from armdyn.simulation.integration.adaptive import METHODS
from armdyn.simulation.results import Simulation

MOST = 20
"""Events that are listed; --json and the files have all."""
SAID = {
    "sticks": "comes to rest",
    "slips": "starts to move",
    "reverses": "turns round",
    "limit": "leaves its range",
    "within": "is back in its range",
    "grasp": "grasps",
    "release": "releases",
}


def print_simulation(run: Simulation, duration: float, notes: Sequence[str], files: Sequence[str]) -> None:
    """Print where joints and motors began and ended, what happened, and how energies balance."""
    friction = "on" if run.dyn.friction else "off"
    step = "steps up to" if run.integrator in METHODS else "step"
    print_line(
        f"{run.robot.name}: motors {run.dyn.motors}, friction {friction}; {run.integrator}, "
        f"{step} {run.dt:g} s, {duration:.9g} s"
    )
    if len(run.time):
        _print_joints(run)
        _print_motors(run)
        _print_events(run)
        print_line(_energies(run))
    for note in (*run.notes, *notes):
        print_line(f"note: {note}")
    for file in files:
        print_line(f"file: {file}")


def _print_joints(run: Simulation) -> None:
    columns = ("joint", "unit", "start", "end", "lowest", "highest", "speed at start", "at end", "largest")
    rows = (
        (
            name,
            "m" if joint.kind == "prismatic" else "rad",
            *(_short(x) for x in (q[0], q[-1], q.min(), q.max(), qd[0], qd[-1], np.abs(qd).max())),
        )
        for name, joint, q, qd in zip(run.robot.joint_names, run.robot.joints, run.q.T, run.qd.T, strict=True)
    )
    print_table(f"joints, {run.time[0]:g} to {run.time[-1]:.9g} s", columns, rows)


def _print_motors(run: Simulation) -> None:
    if not run.robot.drives:
        return
    values = {
        "position [rad]": run.motor_position,
        "speed [rad/s]": run.motor_velocity,
        "torque [N m]": run.motor_torque,
        "current [A]": run.current,
        "voltage [V]": run.voltage,
    }
    known = {title: _last(value) for title, value in values.items() if value is not None}
    names = [drive.name for drive in run.robot.drives]
    print_table("motors at the end", ("motor", *known), zip(names, *known.values(), strict=True))


def _print_events(run: Simulation) -> None:
    if not run.events:
        return
    rows: list[tuple[Any, ...]] = []
    for event in run.events[:MOST]:
        joint = None if event.joint is None else run.robot.joint_names[event.joint - 1]
        motor = None if event.motor is None else run.robot.drives[event.motor - 1].name
        rows.append((f"{event.time:.6f}", joint, motor, SAID[event.kind]))
    all_of_them = counted(len(run.events), "event")
    title = all_of_them if len(run.events) <= MOST else f"the first {MOST} of {all_of_them}"
    print_table(title, ("time [s]", "joint", "motor", "what happens"), rows)


def _energies(run: Simulation) -> str:
    """What there was at the start and the end, where it went, and what the balance lacks."""
    energy, lacks = run.energy, run.energy_residual
    went = [f"drives gave {run.work[-1]:.6g} J", f"friction took {run.dissipated[-1]:.6g} J"]
    if run.wrench is not None or run.base is not None:
        went.append(f"surroundings took {run.exerted[-1]:.6g} J")
    if len(run.phases) > 1:
        came = (energy - run.work + run.dissipated + run.exerted)[[0, -1]] - lacks[[0, -1]]
        went.append(f"grasped objects brought {came[1] - came[0]:.6g} J")
    said = f"energy {energy[0]:.6g} J at the start, {energy[-1]:.6g} J at the end: {', '.join(went)}"
    return f"{said}; the balance lacks {np.abs(lacks).max():.2g} J at most"


def _last(values: Array) -> list[float | None]:
    return [_short(value) for value in values[-1]]


def _short(value: float) -> float | None:
    return float(f"{value:.5g}") if np.isfinite(value) else None
