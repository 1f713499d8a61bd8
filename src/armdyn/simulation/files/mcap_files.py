"""Runs as MCAP logs, which Foxglove and other robot viewers open: frames, joints, states and events.

Messages are JSON; frames, joints and events follow schemas that viewers know by name. Time counts from the
run's start, in ns.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file
from armdyn.scalars import Array
from armdyn.simulation.files.mcap_messages import (
    ERROR,
    INFO,
    NUMBER,
    NUMBERS,
    WARNING,
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

if TYPE_CHECKING:
    from armdyn.simulation.results import Simulation

STATES = (
    *("q", "qd", "qdd", "tau", "motor_position", "motor_velocity", "motor_torque", "current", "voltage"),
    *(
        "kinetic_energy",
        "potential_energy",
        "work",
        "dissipated",
        "exerted",
        "power_residual",
        "energy_residual",
    ),
    *("wrench", "base"),
)
"""What the channel of states has, as far as it is known."""

Message = tuple[int, str, dict[str, Any]]
"""Instant [ns], topic and content."""


def write_mcap(path: str | os.PathLike[str], simulation: Simulation, *, rate: float | None = None) -> None:
    """Write a run as an .mcap log, all of it or nothing.

    Topics: `/tf` has a frame for every body, as a child of the body that carries it, and for the tool;
    `/joint_states` positions, velocities, accelerations and efforts; `/state` what can be plotted beside
    them, joints and motors as lists; `/log` events, notes and why a run ended early.

    Args:
        path: what is there already is replaced.
        simulation: what was found.
        rate: at most so many samples of it per second; by default all.
    """
    file = Path(path)
    if file.suffix.lower() != ".mcap":
        raise InputError(f'log "{file}" ends in "{file.suffix}", expected .mcap')
    if len(simulation.time) and simulation.time[0] < 0:
        raise InputError(f"{file}: the run starts at {simulation.time[0]:g} s, a log has no time before 0")
    samples = _chosen(simulation.time, rate)
    messages = heapq.merge(
        _of_events(simulation), _of_samples(simulation, samples), key=lambda message: message[0]
    )
    with whole_file(file) as sink:
        _write(sink, simulation, messages)


def _write(sink: Any, simulation: Simulation, messages: Iterator[Message]) -> None:
    mcap: Any = import_module("mcap.writer")
    writer: Any = mcap.Writer(sink)
    writer.start(profile="", library=f"armdyn {version('armdyn')}")
    known = {name: values.ndim for name in STATES if (values := getattr(simulation, name)) is not None}
    channels = registered(writer, schemas({name: NUMBER if d == 1 else NUMBERS for name, d in known.items()}))
    for time, topic, content in messages:
        writer.add_message(channels[topic], log_time=time, data=written(content), publish_time=time)
    writer.add_metadata("armdyn", _about(simulation))
    writer.finish()


def _about(simulation: Simulation) -> dict[str, str]:
    robot = simulation.robot
    return {
        "robot": robot.name,
        "joints": ", ".join(robot.joint_names),
        "drives": ", ".join(drive.name for drive in robot.drives),
        "integrator": simulation.integrator,
        "motors": simulation.dyn.motors,
        "friction": "on" if simulation.dyn.friction else "off",
    }


def _chosen(time: Array, rate: float | None) -> list[int]:
    """Which samples are written: all, or the first in every interval and the last."""
    if rate is None:
        return list(range(len(time)))
    if not 0 < rate < np.inf:
        raise InputError(f"rate is {rate}, expected samples per second, a number above zero")
    # an instant that should begin an interval must not miss it by rounding
    intervals = np.floor((time - time[:1]) * rate + 1e-6)
    first = np.append(True, np.diff(intervals) > 0)[: len(time)]
    first[-1:] = True
    return np.flatnonzero(first).tolist()


# Messages -------------------------------------------------------------------------------------


def _of_samples(simulation: Simulation, samples: list[int]) -> Iterator[Message]:
    """Frames, joints and states at these samples."""
    states = {name: values for name in STATES if (values := getattr(simulation, name)) is not None}
    found = frames(simulation.dyn, simulation.q[samples])
    for row, k in enumerate(samples):
        time = nanoseconds(float(simulation.time[k]))
        yield time, "/tf", frames_message(time, found, row)
        yield time, "/joint_states", _joints(simulation, time, k)
        # JSON knows no NaN: what is not known at an instant is left out of it
        known = {name: values[k].tolist() for name, values in states.items() if np.isfinite(values[k]).all()}
        yield time, "/state", {"timestamp": stamp(time), **known}


def _joints(simulation: Simulation, time: int, k: int) -> dict[str, Any]:
    return joints_message(
        time,
        simulation.robot.joint_names,
        position=simulation.q[k],
        velocity=simulation.qd[k],
        acceleration=simulation.qdd[k],
        effort=simulation.tau[k],
    )


def _of_events(simulation: Simulation) -> Iterator[Message]:
    """Notes at the start, events when they happen, at the end why it came early."""
    if not len(simulation.time):
        return
    first, last = (nanoseconds(float(simulation.time[k])) for k in (0, -1))
    yield from (_logged(first, INFO, note, simulation) for note in simulation.notes)
    for event in simulation.events:
        what = _sentence(event.kind, event.joint, event.motor, simulation)
        level = WARNING if event.kind == "limit" else INFO
        yield _logged(max(nanoseconds(event.time), first), level, what, simulation)
    if simulation.failure is not None:
        yield _logged(last, ERROR, simulation.failure, simulation)


def _sentence(kind: str, joint: int | None, motor: int | None, simulation: Simulation) -> str:
    """What an event says, in words."""
    robot = simulation.robot
    joint_name = "" if joint is None else f'joint {joint} ("{robot.joint_names[joint - 1]}")'
    whose = joint_name if motor is None else f'motor {motor} ("{robot.drives[motor - 1].name}")'
    said = {"limit": "leaves its range", "within": "is back in its range"}.get(kind, kind)
    return f"{whose} {said}".strip()


def _logged(time: int, level: int, message: str, simulation: Simulation) -> Message:
    return time, "/log", log_message(time, level, message, simulation.robot.name)
