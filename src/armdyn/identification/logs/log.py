"""A log: what was measured of a moving arm, and nothing else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, MissingDataError, ShapeError
from armdyn.formats.motion_columns import width_of
from armdyn.identification.logs.motor_coordinates import joint_positions, joint_velocities
from armdyn.identification.logs.quantities import EFFORTS, EffortKind, Quantities, taken
from armdyn.identification.logs.recording import Recording, checked
from armdyn.identification.logs.signals import check_efforts, notes_on_positions, notes_on_time
from armdyn.robot import Robot
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Log:
    """What was measured of an arm: (t) samples, all numbers finite, time increasing."""

    time: Array
    """(t) [s], not necessarily even"""
    q: Array
    """(t, n) joint positions [rad or m]"""
    qd: Array | None
    """(t, n) joint velocities, if they were measured"""
    effort: Array
    """(t, n) joint torques [N m or N], or (t, drives) torques [N m] or currents [A] of the motors"""
    kind: EffortKind
    """Which of them"""
    wrench: Array | None = None
    """(t, 6) what the tool exerts on its surroundings, at its origin, in base axes [N, N m]"""
    sensor: Array | None = None
    """(t, 6) what the arm exerts on what is behind a sensor at its wrist, in the frame of the body that
    carries the tool, about its origin [N, N m]"""
    notes: tuple[str, ...] = ()
    """What was left out or looks odd"""
    name: str = "log"
    """The file"""

    @property
    def tau(self) -> Array | None:
        """(t, n) joint torques, if these were measured."""
        return self.effort if self.kind == "tau" else None

    @property
    def motor_torque(self) -> Array | None:
        """(t, drives) motor torques, if these were measured."""
        return self.effort if self.kind == "motor_torque" else None

    @property
    def current(self) -> Array | None:
        """(t, drives) currents, if these were measured."""
        return self.effort if self.kind == "current" else None

    @staticmethod
    def of(
        robot: Robot,
        time: ArrayLike,
        q: ArrayLike,
        *,
        qd: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        motor_torque: ArrayLike | None = None,
        current: ArrayLike | None = None,
        wrench: ArrayLike | None = None,
        sensor: ArrayLike | None = None,
        drop_invalid: bool = False,
        name: str = "log",
    ) -> Log:
        """A log from arrays, checked as a file is; one of `tau`, `motor_torque` and `current`.

        Args:
            robot: whose log it is.
            time: (t) increasing instants [s].
            q: (t, n) joint positions [rad or m].
            qd: (t, n) joint velocities.
            tau: (t, n) joint torques [N m or N].
            motor_torque: (t, drives) [N m].
            current: (t, drives) [A].
            wrench: (t, 6) what the tool exerts, base axes.
            sensor: (t, 6) what a sensor at the wrist feels, see `Log`.
            drop_invalid: leave out samples with numbers that are not finite, instead of refusing them.
            name: what messages and notes call it.
        """
        given = {
            "q": q,
            "qd": qd,
            "tau": tau,
            "motor_torque": motor_torque,
            "current": current,
            "wrench": wrench,
            "sensor": sensor,
        }
        present = {label: values for label, values in given.items() if values is not None}
        if sum(label in present for label in EFFORTS) != 1:
            raise InputError(f"{name}: expected one of {', '.join(EFFORTS)}")
        t = _numbers("time", time)
        if t.ndim != 1:
            raise ShapeError("time", t.shape, "a log has one instant for each sample", "(t,)")
        signals = {label: _signal(label, values, len(t), robot) for label, values in present.items()}
        titles = {
            label: [f"{label}{k + 1}" for k in range(array.shape[1])] for label, array in signals.items()
        }
        quantities, _ = taken(signals, None, name)
        recording = Recording(name, t, signals, titles, lambda sample: f"{name}, sample {sample + 1}")
        return log_of(recording, quantities, robot, drop_invalid=drop_invalid)


def log_of(recording: Recording, quantities: Quantities, robot: Robot, *, drop_invalid: bool) -> Log:
    """The log in a recording, checked."""
    found = checked(recording, drop_invalid=drop_invalid)
    q = found.signals[quantities.position]
    qd = None if quantities.rate is None else found.signals[quantities.rate]
    if quantities.position == "motor_position":
        q = joint_positions(q, robot, found.file)
        found = found.noting("q follows from motor_position by the gears")
    if quantities.rate == "motor_velocity":
        assert qd is not None
        qd = joint_velocities(qd, robot, found.file)
    effort = found.signals[quantities.effort]
    check_efforts(effort, quantities.effort, q, robot, found.file)
    notes = (*found.notes, *notes_on_time(found.time), *notes_on_positions(q, robot))
    beside = {name: found.signals[name] for name in quantities.beside}
    return Log(found.time, q, qd, effort, quantities.effort, **beside, notes=notes, name=found.file)


def check_drives(kind: str, robot: Robot, file: str) -> None:
    """Refuse what is of motors if the robot has none."""
    if not width_of(kind, robot):
        raise MissingDataError(f'{file}: robot "{robot.name}" has no drives, {kind} needs some; give tau')


def _signal(label: str, values: ArrayLike, samples: int, robot: Robot) -> Array:
    if label in EFFORTS:
        check_drives(label, robot, label)
    array = _numbers(label, values)
    expected = (samples, width_of(label, robot))
    if array.shape != expected:
        whose = f'there are {samples} instants and robot "{robot.name}" has {robot.n} joints'
        if label in ("motor_torque", "current"):
            whose = f'there are {samples} instants and robot "{robot.name}" has {len(robot.drives)} drives'
        elif label in ("wrench", "sensor"):
            whose = f"there are {samples} instants and a {label} has 6 components"
        raise ShapeError(label, array.shape, whose, f"{expected}")
    return array


def _numbers(label: str, values: ArrayLike) -> Array:
    try:
        return np.asarray(values, dtype=float)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{label} is not an array of numbers, expected one row for each sample") from error
