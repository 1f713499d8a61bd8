"""Files of a simulation on the command line: checked before, saved under way, and continued."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from time import monotonic
from typing import Any, cast, get_args

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats.toml import write_toml
from armdyn.report.drawing import SUFFIXES as FIGURES
from armdyn.simulation.events import Event, EventKind
from armdyn.simulation.files.mcap_files import write_mcap
from armdyn.simulation.files.run_files import STATE, StoredRun, read_run, write_run
from armdyn.simulation.integration.adaptive import METHODS
from armdyn.simulation.results import Checkpoint, Simulation
from armdyn.simulation.run import Earlier, Run

RESUMABLE = ".parquet"
OUT = (RESUMABLE, ".csv", ".mcap")
EVERY, SHARE = 10.0, 0.05
"""[s] How often a run is saved under way, and the share of the time that this may take."""
CONTENT = "content"
"""How the names of digests end."""
MOTION, BALANCE = ("q", "qd", "qdd", "tau"), ("work", "dissipated", "exerted")
OUTSIDE = ("wrench", "base")
"""What a run that goes on must know of its samples, beside the states of its controller."""
DURATION = "duration"
"""What may be another when a run is continued."""

# Before ---------------------------------------------------------------------------------------


def check_files(out: Path | None, figure: Path | None, read: Mapping[str, Path], *, resume: bool) -> None:
    """Refuse files that cannot be written, before anything is computed for them."""
    for option, file, suffixes in (("--out", out, OUT), ("--figure", figure, FIGURES)):
        if file is None:
            continue
        _check_writable(option, file, suffixes)
        for other, source in read.items():
            if file.exists() and source.exists() and file.samefile(source):
                raise InputError(f'{option} "{file}" is what {other} reads, expected another file')
    if resume and out is None:
        raise InputError("--resume continues the run in the file of --out, but there is none; add --out")
    if resume and out is not None and out.suffix.lower() != RESUMABLE:
        raise InputError(
            f'--resume: "{out}" cannot be continued, a {out.suffix} file keeps no checkpoint; '
            "write .parquet to be able to"
        )


def _check_writable(option: str, file: Path, suffixes: tuple[str, ...]) -> None:
    if file.suffix.lower() not in suffixes:
        raise InputError(f'{option} "{file}" ends in "{file.suffix}", expected {", ".join(suffixes)}')
    try:
        there, folder = file.exists(), file.resolve().parent
        if not folder.is_dir():
            raise InputError(f'{option} "{file}": there is no folder "{folder}"; make it first')
    except (OSError, ValueError) as error:
        raise InputError(f'{option} "{file}": no file can have this name') from error
    if there and not file.is_file():
        raise InputError(f'{option} "{file}" is no file, expected the name of one')
    if not os.access(folder, os.W_OK) or (there and not os.access(file, os.W_OK)):
        raise InputError(f'{option} "{file}" cannot be written, it or its folder is read-only')


# Writing --------------------------------------------------------------------------------------


def write_out(out: Path, simulation: Simulation, setup: Mapping[str, Any]) -> None:
    """Write a run into a file of any kind."""
    if out.suffix.lower() == ".mcap":
        write_mcap(out, simulation)
    else:
        write_run(out, simulation, setup)


class Saving:
    """Saves a run under way now and then, the more seldom the longer it takes."""

    def __init__(self, save: Callable[[], None], clock: Callable[[], float] = monotonic) -> None:
        """The first time after a while."""
        self._save, self._clock = save, clock
        self._next = clock() + EVERY

    def look(self) -> None:
        """Save if it is time to."""
        begin = self._clock()
        if begin < self._next:
            return
        self._save()
        end = self._clock()
        self._next = end + max(EVERY, (end - begin) / SHARE)


def save_under_way(out: Path, run: Run, setup: Mapping[str, Any]) -> None:
    """Write how far a run has come; the file says that it is not at its end."""
    unfinished = f"the run goes on: at {run.course.now.t:.9g} s of {run.duration:.9g} s when this was saved"
    write_run(out, run.result(unfinished), setup)


# Continuing -----------------------------------------------------------------------------------


def setup_of(dyn: Dynamics, run: Run, acts: Mapping[str, Any]) -> dict[str, Any]:
    """All that a run depends on but its duration, as plain data."""
    settings, now = run.settings, run.course.now
    tolerances = {"rtol": settings.rtol, "atol": settings.atol} if settings.integrator in METHODS else {}
    setup = {
        "robot": dyn.robot.name,
        f"robot {CONTENT}": sha256(write_toml(dyn.robot).encode()).hexdigest(),
        "motors": dyn.motors,
        "friction": "on" if dyn.friction else "off",
        "integrator": settings.integrator,
        "dt": settings.dt,
        "sample": settings.sample_time(1),
        **tolerances,
        "q": now.x.q.tolist(),
        "qd": now.x.qd.tolist(),
        **acts,
    }
    return json.loads(json.dumps(setup))


def earlier(out: Path, run: Run, setup: Mapping[str, Any]) -> Earlier:
    """The run that a file keeps, refused unless it was started in the same way."""
    stored = read_run(out, (*MOTION, STATE, *BALANCE, *OUTSIDE))
    if not stored.checkpoint or not stored.setup:
        raise InputError(
            f"{out}: cannot be continued, it does not say how its run was started; leave --resume out"
        )
    differing = _differences(stored.setup, setup)
    if differing:
        raise InputError(
            f"{out}: cannot be continued, its run was started otherwise: {differing}; "
            "give the same options, or begin anew without --resume"
        )
    damaged = InputError(f"{out}: damaged, its checkpoint cannot be read; begin anew without --resume")
    try:
        found = _earlier(stored)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise damaged from error
    if not _fits(found, run):
        raise damaged
    if found.checkpoint.t > run.duration * (1 + 1e-12):
        came = f"its run has come to {found.checkpoint.t:.9g} s"
        raise InputError(f"{out}: {came}, --duration is {run.duration:.9g} s; expected no shorter one")
    return found


def _earlier(stored: StoredRun) -> Earlier:
    columns, t = stored.columns, len(stored.time)
    states = columns.get(STATE, np.empty((t, 0)))
    z = np.column_stack([states, *(columns[name] for name in BALANCE)])
    events = tuple(Event(**event) for event in stored.events)
    checkpoint = Checkpoint.of(dict(stored.checkpoint))
    q, qd, qdd, tau = (columns[name] for name in MOTION)
    outside = np.column_stack([np.empty((t, 0)), *(columns[name] for name in OUTSIDE if name in columns)])
    return Earlier(checkpoint, stored.time, q, qd, qdd, tau, z, outside, events)


def _fits(found: Earlier, run: Run) -> bool:
    """Whether what a file keeps is of such a run: every number there, and as many as it needs."""
    now, saved, samples = run.course.now, found.checkpoint, len(found.time)
    sizes = {"q": now.x.q, "qd": now.x.qd, "z": now.x.z, "ways": now.ways, "came": now.came}
    lists = {**sizes, "beyond": now.beyond}
    columns = (found.q, found.qd, found.qdd, found.tau, found.z, found.outside)
    fresh = run.course.record.columns(0)[1:]
    return (
        all(_are_numbers(getattr(saved, name), len(like)) for name, like in lists.items())
        and _are_numbers((saved.t, saved.step), 2)
        and _is_of(int, saved.step)
        and _is_of(bool, saved.decided)
        and min(saved.t, saved.step) >= 0
        and bool((np.diff(found.time) > 0).all())
        and all(
            each.shape == (samples, like.shape[1]) and np.isfinite(each).all()
            for each, like in zip(columns, fresh, strict=True)
        )
        and all(
            _are_numbers((event.time,), 1) and event.kind in get_args(EventKind) for event in found.events
        )
        and sum(event.kind in ("grasp", "release") for event in found.events) <= run.changes
    )


def _is_of(kind: type, value: Any) -> bool:
    """Whether a value that a file gave is what its field says."""
    return type(value) is kind


def _are_numbers(values: Any, count: int) -> bool:
    return (
        isinstance(values, tuple)
        and len(cast("tuple[Any, ...]", values)) == count
        and all(
            isinstance(x, int | float) and not isinstance(x, bool) and abs(x) < 1e300
            for x in cast("tuple[Any, ...]", values)
        )
    )


def _differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """What is not the same, in words."""
    names = [name for name in (*now, *before) if name != DURATION and before.get(name) != now.get(name)]
    found: list[str] = []
    for name in dict.fromkeys(names):
        if name.endswith(CONTENT):
            whose = (
                "the robot, or what changes it,"
                if name.startswith("robot")
                else name.removesuffix(f" {CONTENT}")
            )
            found.append(f"{whose} is another")
        else:
            found.append(f"{name} was {_shown(before.get(name))} and is {_shown(now.get(name))}")
    return ", ".join(found)


def _shown(value: Any) -> str:
    if isinstance(value, list):
        parts = cast("list[Any]", value)
        return ",".join(f"{x:g}" if isinstance(x, int | float) else _shown(x) for x in parts)
    return "none" if value is None else str(value)
