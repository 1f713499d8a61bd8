"""Every kind of file that armdyn reads, with the function that reads it as users' commands do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import armdyn as ad
from armdyn.robot import Robot


@dataclass(frozen=True)
class Reader:
    """A kind of file: how its name ends, and what reads it."""

    kind: str
    suffix: str
    read: Callable[[Path], Any]


@cache
def arm() -> Robot:
    """Two joints, two drives: whose motions, logs and schedules the files are."""
    return ad.load("planar2")


@cache
def lola() -> Robot:
    """Five joints with motors: what programs move."""
    return ad.load("lola15")


def _program(file: Path) -> Any:
    from armdyn.feasibility.verify import planned

    return planned(file, lola())


def _motion(file: Path) -> Any:
    from armdyn.formats.motions import has_times, read_motion, read_waypoints

    return read_motion(file, arm()) if has_times(file) else read_waypoints(file, arm())


def _log(file: Path) -> Any:
    from armdyn.identification.logs import read_log

    return read_log(file, arm())


def _input(file: Path) -> Any:
    from armdyn.simulation.files.input_files import read_input

    return read_input(file, arm())


def _candidates(file: Path) -> Any:
    from armdyn.studies.loads.sizing_candidates import candidates_of

    return candidates_of(file)


def _mapping(file: Path) -> Any:
    from armdyn.studio.live.mapping import read_mapping

    return read_mapping(file)


def _study(file: Path) -> Any:
    from armdyn.sweep.study_file import read_study

    return read_study(file)


def _run(file: Path) -> Any:
    from armdyn.simulation.files.run_files import read_run

    return read_run(file)


def _resumed(file: Path) -> Any:
    """As `simulate --resume` reads it."""
    from armdyn.cli.run_saving import earlier

    run, setup = begun()
    run.go_on(earlier(file, run, setup))
    return run


def begun() -> tuple[Any, dict[str, Any]]:
    """A short run at its beginning, and all that it depends on."""
    from armdyn.cli.run_saving import setup_of
    from armdyn.simulation.simulate import prepared

    dyn = ready().dyn
    run = prepared(dyn, 0.05, integrator="rk4", dt=0.01)
    return run, setup_of(dyn, run, {})


def _recording(file: Path) -> Any:
    """As the studio opens it."""
    from armdyn.studio.runs.recorded import about, recorded

    return recorded(file, ready(), about(file))


@cache
def ready() -> Any:
    """The arm as the studio keeps it."""
    from armdyn.studio.messages.settings import Settings
    from armdyn.studio.robots import Ready

    return Ready("planar2", None, arm(), ad.Dynamics(arm()), Settings())


READERS = {
    reader.kind: reader
    for reader in (
        Reader("robot_toml", ".toml", ad.load),
        Reader("urdf", ".urdf", ad.load),
        Reader("program", ".lirl", _program),
        Reader("motion_csv", ".csv", _motion),
        Reader("motion_parquet", ".parquet", _motion),
        Reader("log_csv", ".csv", _log),
        Reader("log_parquet", ".parquet", _log),
        Reader("mcap", ".mcap", _log),
        Reader("input_csv", ".csv", _input),
        Reader("schedule", ".toml", _input),
        Reader("candidates", ".toml", _candidates),
        Reader("mapping", ".toml", _mapping),
        Reader("study", ".toml", _study),
        Reader("run", ".parquet", _run),
        Reader("resume", ".parquet", _resumed),
        Reader("recording", ".parquet", _recording),
        Reader("recording_mcap", ".mcap", _recording),
    )
}
