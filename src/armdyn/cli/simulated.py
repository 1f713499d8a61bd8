"""A simulation on the command line: what it is asked for, its course, and what it says."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from armdyn.cli.driven import Given, driven
from armdyn.cli.interrupts import Interrupted, StopRequest, stop_requests
from armdyn.cli.output import print_json
from armdyn.cli.run_saving import (
    DURATION,
    RESUMABLE,
    Saving,
    check_files,
    earlier,
    save_under_way,
    setup_of,
    write_out,
)
from armdyn.cli.simulated_tables import print_simulation
from armdyn.dynamics import Dynamics
from armdyn.dynamics.fixed_step import STEPS
from armdyn.errors import ArmdynError, InputError, SimulationError
from armdyn.simulation.files.figures import write_figure
from armdyn.simulation.integration.course import Watch
from armdyn.simulation.results import Simulation
from armdyn.simulation.run import Run
from armdyn.simulation.simulate import prepared

REFRESH = 0.1
"""[s] Between two looks at the clock's other business: progress, and whether to save."""


@dataclass(frozen=True)
class Asked:
    """What to simulate, how, and where to write it."""

    given: Given
    duration: float
    integration: Mapping[str, Any]
    """Integrator, dt, sample, rtol and atol; None where they are not given"""
    out: Path | None = None
    figure: Path | None = None
    resume: bool = False


@dataclass(frozen=True)
class Told:
    """What came of a simulation."""

    simulation: Simulation
    setup: Mapping[str, Any]
    duration: float
    notes: tuple[str, ...] = ()
    """What is said beside the notes of the run"""
    files: tuple[str, ...] = ()
    error: Exception | None = None
    """Why it ended early"""

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        run = self.simulation
        there = len(run.time) > 0
        return {
            "robot": run.robot.name,
            "motors": run.dyn.motors,
            "friction": "on" if run.dyn.friction else "off",
            "integrator": run.integrator,
            "dt": run.dt,
            "duration": self.duration,
            "time": run.time,
            **{name: getattr(run, name) for name in ("q", "qd", "qdd", "tau")},
            "energy": run.energy if there else [],
            "power_residual": run.power_residual if there else [],
            "energy_residual": float(np.abs(run.energy_residual).max()) if there else None,
            **({"motor": self._motor()} if run.robot.drives else {}),
            "events": [event.document() for event in run.events],
            "notes": [*run.notes, *self.notes],
            "failure": run.failure,
            "files": list(self.files),
        }

    def _motor(self) -> dict[str, Any]:
        run = self.simulation
        names = ("position", "velocity", "torque")
        found = {name: getattr(run, f"motor_{name}") for name in names}
        return {**found, "current": run.current, "voltage": run.voltage}


def simulated(asked: Asked, dyn: Dynamics, *, json: bool) -> None:
    """Simulate, write the files that are asked for, and print the result."""
    told = _told(asked, dyn)
    if json:
        print_json(told.document())
    else:
        print_simulation(told.simulation, told.duration, told.notes, told.files)
    sys.stdout.flush()
    if told.error is not None:
        raise told.error


def _told(asked: Asked, dyn: Dynamics) -> Told:
    asked.given.check()
    check_files(asked.out, asked.figure, asked.given.files, resume=asked.resume)
    run, setup = _begun(asked, dyn)
    notes: list[str] = []
    if asked.resume and asked.out is not None:
        if asked.out.exists():
            run.go_on(earlier(asked.out, run, setup))
            notes.append(f"continued from {run.course.now.t:.9g} s")
        else:
            notes.append(f"no {asked.out} to continue: the run begins at 0 s")
    setup = {**setup, DURATION: run.duration}
    with stop_requests() as request:
        with _shown(f"{dyn.robot.name}, {run.settings.integrator}", run.duration) as show:
            simulation, error = _gone(asked, run, setup, request, show)
        return _written(asked, Told(simulation, setup, run.duration, tuple(notes), (), error))


def _begun(asked: Asked, dyn: Dynamics) -> tuple[Run, dict[str, Any]]:
    """The run at time 0, and all that it depends on."""
    given, integration = asked.given, {k: v for k, v in asked.integration.items() if v is not None}
    for name in ("rtol", "atol"):
        if name in integration and integration["integrator"] in STEPS:
            fixed = integration["integrator"]
            raise InputError(f"--{name} is for dop853 and lsoda, {fixed} has a fixed step; leave it out")
    drive = driven(given, dyn)
    acting = {"input": drive.input, "controller": drive.controller, "changes": drive.changes}
    state = {"q": drive.q, "qd": drive.qd, "wrench": given.wrench, "at": given.at}
    run = prepared(dyn, asked.duration, **acting, **state, **integration)
    run.notes = (*run.notes, *drive.notes)
    return run, setup_of(dyn, run, {"wrench": given.wrench, "at": given.at, **drive.setup})


# The course -----------------------------------------------------------------------------------


class _StopHere(Exception):  # noqa: N818  no mistake of anyone
    """The user has asked the run to stop, and it is at the end of a step."""


def _gone(
    asked: Asked, run: Run, setup: Mapping[str, Any], request: StopRequest, show: Watch
) -> tuple[Simulation, Exception | None]:
    """The run at its end, or as far as it came and why no further."""
    out = asked.out
    resumable = out is not None and out.suffix.lower() == RESUMABLE
    saving = Saving(partial(save_under_way, out, run, setup)) if out is not None and resumable else None
    try:
        return run.go(_watch(request, show, saving)), None
    except SimulationError as error:
        return error.result, error
    except _StopHere:
        came = f"interrupted at {run.course.now.t:.9g} s of {run.duration:.9g} s"
        how = "the same command with --resume continues" if resumable else _no_resume(out)
        return run.result(came), Interrupted(f"{came}; {how}", request.code)
    except ArmdynError as error:  # a file that cannot be saved
        return run.result(str(error)), error


def _no_resume(out: Path | None) -> str:
    kept = "nothing is written" if out is None else f"a {out.suffix} file cannot be continued"
    return f"{kept}, --out with .parquet would let --resume go on"


def _watch(request: StopRequest, show: Watch, saving: Saving | None) -> Watch:
    """What is done at every step: little, and now and then a look at all the rest."""
    look_at = monotonic() + REFRESH

    def watch(t: float) -> None:
        nonlocal look_at
        if request.number is not None:
            raise _StopHere
        if monotonic() < look_at:
            return
        show(t)
        if saving is not None:
            saving.look()
        look_at = monotonic() + REFRESH

    return watch


@contextmanager
def _shown(what: str, duration: float) -> Generator[Watch]:
    """Progress on standard error if that is a terminal; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    said = TextColumn("{task.completed:.2f} of {task.total:g} s")
    columns = (TextColumn("{task.description}"), BarColumn(), said, TimeRemainingColumn())
    with Progress(*columns, console=console, auto_refresh=False, transient=True) as progress:
        task = progress.add_task(what, total=duration)
        yield lambda t: progress.update(task, completed=t, refresh=True)


def _written(asked: Asked, told: Told) -> Told:
    """Write the files; one that cannot be written is why the command fails, unless the run failed before.

    Of a run without a sample there is nothing to write.
    """
    run, files, error = told.simulation, list[str](), told.error
    writing = ((asked.out, partial(write_out, setup=told.setup)), (asked.figure, write_figure))
    for file, write in writing:
        if file is None or not len(run.time):
            continue
        try:
            write(file, run)
            files.append(str(file))
        except ArmdynError as problem:
            error = error or problem
            run = replace(run, failure=run.failure or str(problem))
    return replace(told, simulation=run, files=tuple(files), error=error)
