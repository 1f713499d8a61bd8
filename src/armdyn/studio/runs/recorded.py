"""A run in a file, or joint samples, as a run to be played."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import ArmdynError, InputError
from armdyn.feasibility.actuators import Actuators
from armdyn.formats.motion_columns import OF_MOTORS
from armdyn.formats.motion_tables import open_columns
from armdyn.formats.motions import Motion, read_motion, sampled_motion
from armdyn.formats.plain_data import plain
from armdyn.identification.logs.mcap_files import McapFile, open_log
from armdyn.report.wording import seconds_text
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.simulation.files.run_files import KEY
from armdyn.studio.frames import Frame, places
from armdyn.studio.messages.run import PhaseScene, RunResult, TermsResult
from armdyn.studio.messages.scene import RobotScene
from armdyn.studio.poses import bodies_and_tool
from armdyn.studio.robots import Ready
from armdyn.studio.runs.limits import envelopes, limits
from armdyn.studio.runs.motion import Arrays, channels, thinned, utilisation

LOG = ".mcap"
STATE = "/state"
OWN = "armdyn"
"""Under which an .mcap file keeps what it says of itself."""
AS_RECORDED = ("tau", "current", "voltage", "line", "move")
LARGEST_LOG = 2_000_000
"""Messages of a log that are read."""


@dataclass(frozen=True)
class Recorded:
    """A motion that was written down, with what else its file has."""

    file: Path
    ready: Ready
    motion: Motion
    about: Mapping[str, Any]


def about(file: Path) -> dict[str, Any]:
    """What a file says of itself: the robot, the settings; nothing where it says nothing."""
    if file.suffix.lower() == LOG:
        with open_log(file) as stream:
            return dict(McapFile(stream, file).metadata(OWN))
    try:
        said: Any = json.loads(open_columns(file).about.get(KEY, "{}"))
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: damaged, what it says of the run cannot be read") from error
    found = cast("dict[str, Any]", said) if isinstance(said, dict) else {}
    return {name: value for name, value in found.items() if name != "checkpoint"}


def recorded(file: Path, ready: Ready, said: Mapping[str, Any]) -> Recorded:
    """The motion of a robot in a file."""
    read = _from_log if file.suffix.lower() == LOG else read_motion
    return Recorded(file, ready, read(file, ready.robot), said)


def _from_log(file: Path, robot: Robot) -> Motion:
    """What `/state` has of joints and motors, instant by instant; what is not always there is left out."""
    times: list[int] = []
    rows: list[dict[str, Any]] = []
    with open_log(file) as stream:
        log = McapFile(stream, file)
        for message in log.messages(STATE):
            if len(rows) >= LARGEST_LOG:
                raise InputError(f"{file}: more than {LARGEST_LOG} samples, too many to be shown")
            times.append(message.time)
            rows.append(_content(message.data, file))
        notes = tuple(log.notes)
    if len(rows) < 2 or "q" not in rows[0]:
        raise InputError(f"{file}: no positions in {STATE}, expected a log of armdyn, two samples or more")
    order = np.argsort(np.array(times), kind="stable")
    time = (np.array(times)[order] - min(times)) * 1e-9
    later = np.concatenate([[True], np.diff(time) > 0])
    found = {name: _column(rows, name, robot) for name in rows[0]}
    known = {name: values[order][later] for name, values in found.items() if values is not None}
    if "q" not in known:
        raise InputError(f'{file}: its positions are not those of robot "{robot.name}" with {robot.n} joints')
    motion = sampled_motion(robot, time[later], known["q"], known.get("qd"), known.get("qdd"), name=file.name)
    others = {name: values for name, values in known.items() if name not in ("q", "qd", "qdd")}
    return Motion(motion.time, motion.q, motion.qd, motion.qdd, others, (*motion.notes, *notes))


def _content(data: bytes, file: Path) -> dict[str, Any]:
    try:
        found: Any = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{file}: a message of {STATE} is not JSON, expected an object") from error
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}


def _column(rows: list[dict[str, Any]], name: str, robot: Robot) -> Array | None:
    """A quantity of all joints or motors at all instants, None where it is not that."""
    wide = len(robot.drives) if name in OF_MOTORS else robot.n
    try:
        values = np.array([row[name] for row in rows], dtype=float)
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
    return values if values.shape == (len(rows), wide) and np.isfinite(values).all() else None


# As a run -------------------------------------------------------------------------------------


def run_of_recording(recording: Recorded, name: str, robot: RobotScene) -> Frame:
    """A recording with all its samples."""
    motion, ready = recording.motion, recording.ready
    actuators = _actuators(ready.robot)
    arrays, thin = thinned(_arrays(recording, actuators))
    speed = arrays.get("motor_speed")
    fastest = np.zeros(len(actuators.names)) if actuators else np.zeros(0)
    if speed is not None:
        fastest = np.abs(speed).max(axis=0)
    duration = float(motion.time[-1] - motion.time[0])
    result = RunResult(
        kind="recording",
        name=name,
        robot=robot,
        document=plain({**recording.about, "samples": len(motion.time), "duration": duration}),
        verdict=f"{name}: {len(motion.time)} samples",
        times=f"{seconds_text(duration)}.",
        details="",
        feasible=None,
        advice=[],
        suggestions=[],
        moves=[],
        violations=[],
        worst=None,
        limits=limits(ready.robot, actuators),
        envelopes=envelopes(actuators, fastest),
        phases=[
            PhaseScene(begin=0.0, end=duration, tool=robot.tool, payloads=robot.payloads),
        ],
        channels=channels(ready.robot, arrays),
        notes=[*motion.notes, *thin],
        text=None,
        retimed=None,
        arrays=places(arrays),
    )
    return Frame(result, arrays)


def _actuators(robot: Robot) -> Actuators | None:
    try:
        return Actuators.of(robot)
    except ArmdynError:
        return None


def _arrays(recording: Recorded, actuators: Actuators | None) -> Arrays:
    motion, ready = recording.motion, recording.ready
    dyn, columns = ready.dyn, motion.columns
    state = motion.q, motion.qd, motion.qdd
    arrays: Arrays = {
        "time": motion.time - motion.time[0],
        "q": motion.q,
        "qd": motion.qd,
        "qdd": motion.qdd,
        "tau_predicted": dyn.inverse(*state, **ready.contact),
        "poses": bodies_and_tool(dyn, motion.q),
    }
    arrays |= {name: columns[name] for name in AS_RECORDED if name in columns}
    if "q_programmed" in columns:
        arrays["time_programmed"] = arrays["time"]
        arrays["q_programmed"] = columns["q_programmed"]
    if actuators is not None:
        arrays |= _of_motors(recording, actuators)
    return arrays


def _of_motors(recording: Recorded, actuators: Actuators) -> Arrays:
    """Torques as recorded, or as the motion asks for them."""
    motion, ready = recording.motion, recording.ready
    speed = actuators.velocity(ready.dyn, motion.q, motion.qd)
    torque: NDArray[Any] | None = motion.columns.get("motor_torque")
    if torque is None or not np.isfinite(torque).all():
        torque = ready.dyn.motor_demand(motion.q, motion.qd, motion.qdd, **ready.contact)
    found: Arrays = {"utilisation": utilisation(actuators, speed, torque)}
    return {**found, "motor_torque": torque, "motor_speed": speed} if actuators.geared else found


def terms_of_recording(recording: Recorded) -> Frame:
    """The torques that the model gives the motion, term by term."""
    motion, ready = recording.motion, recording.ready
    rows = ready.dyn.terms(motion.q, motion.qd, motion.qdd, **ready.contact)
    arrays, _ = thinned({"time": motion.time - motion.time[0], **rows})
    return Frame(TermsResult(channels=channels(ready.robot, arrays), arrays=places(arrays)), arrays)
