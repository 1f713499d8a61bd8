"""Runs as MCAP logs, which Foxglove and other robot viewers open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics import Dynamics
from armdyn.feasibility import Verification
from armdyn.formats.whole_file import whole_file
from armdyn.simulation.files.mcap_messages import (
    INFO,
    NUMBER,
    NUMBERS,
    frames,
    frames_message,
    joints_message,
    log_message,
    nanoseconds,
    registered,
    schemas,
    stamp,
    written,
)
from armdyn.studio.runs.recorded import OWN, Recorded

if TYPE_CHECKING:
    from armdyn.studio.jobs.tasks import Retime, Verified

Stretch = tuple[Dynamics, slice]
"""Whose dynamics, and which samples: tool and payload may change."""


def write_run_log(path: Path, result: Verified | Retime | Recorded) -> None:
    """Write what the arm does: frames, joints, `/state` with motors and lines, notes."""
    if isinstance(result, Recorded):
        motion = result.motion
        columns = {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, **motion.columns}
        stretches: list[Stretch] = [(result.ready.dyn, slice(0, len(motion.time)))]
        _write(path, motion.time - motion.time[0], columns, stretches, motion.notes)
        return
    found = result.found if isinstance(result.found, Verification) else result.found.verification
    parts = [(arm.dyn, part) for arm, part in found.parts(len(found.run.q))]
    _write(path, found.time, found.columns(), parts, found.notes)


def _write(
    path: Path,
    time: NDArray[Any],
    columns: Mapping[str, NDArray[Any]],
    stretches: list[Stretch],
    notes: tuple[str, ...],
) -> None:
    mcap: Any = import_module("mcap.writer")
    robot = stretches[0][0].robot
    known = {name: values for name, values in columns.items() if np.isfinite(values).all()}
    with whole_file(path) as sink:
        writer: Any = mcap.Writer(sink)
        writer.start(profile="", library=f"armdyn {version('armdyn')}")
        kinds = {name: NUMBER if values.ndim == 1 else NUMBERS for name, values in known.items()}
        channels = registered(writer, schemas(kinds))
        for note in notes:
            data = written(log_message(0, INFO, note, robot.name))
            writer.add_message(channels["/log"], log_time=0, data=data, publish_time=0)
        for at, topic, content in _messages(time, known, stretches):
            writer.add_message(channels[topic], log_time=at, data=written(content), publish_time=at)
        joints = ", ".join(robot.joint_names)
        writer.add_metadata(OWN, {"robot": robot.name, "joints": joints})
        writer.finish()


def _messages(
    time: NDArray[Any], columns: Mapping[str, NDArray[Any]], stretches: list[Stretch]
) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Frames, joints and states at every sample."""
    for dyn, part in stretches:
        found = frames(dyn, columns["q"][part])
        for row, k in enumerate(range(*part.indices(len(time)))):
            at = nanoseconds(float(time[k]))
            yield at, "/tf", frames_message(at, found, row)
            joints = {
                "position": columns["q"][k],
                "velocity": columns["qd"][k],
                "acceleration": columns["qdd"][k],
            }
            yield at, "/joint_states", joints_message(at, dyn.robot.joint_names, **joints)
            yield at, "/state", {"timestamp": stamp(at), **{n: v[k].tolist() for n, v in columns.items()}}
