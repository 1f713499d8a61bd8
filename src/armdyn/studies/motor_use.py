"""What a motion asks of the motors: torque, speed, current and voltage, beside what they can do.

Peaks are those of the samples; root mean squares and energies take torque and speed as straight between them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.mechanics.motor_equations import current_of_torque, voltage_of
from armdyn.mechanics.motor_limits import (
    check_time,
    envelope_share,
    integral_of_product,
    rms,
    speed_limit,
    torque_limits,
)
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Drive, Motor
from armdyn.scalars import Array

EDGE = 1e-9
"""By how much, relative, a motion on the very limit may exceed it by rounding."""
MANY = 1000.0
"""From here on a share reads better as times than as per cent."""

Range = tuple[float, float]


@dataclass(frozen=True)
class MotorLoad:
    """One motor over the motion. A share is of its limit, above 1 beyond it; None is unknown."""

    name: str
    motor: Motor
    """What it can do."""
    peak_torque: float
    """Largest magnitude [N m]"""
    torque_share: float | None
    """How near it comes to the edge of the torque-speed envelope (`motor_limits.envelope_share`)"""
    peak_speed: float
    """Largest magnitude [rad/s]"""
    speed_share: float | None
    rms_torque: float
    """[N m], what heats the motor"""
    rms_share: float | None
    """Of the rated torque: below 1 the motion can be repeated without end"""
    peak_current: float | None
    """Largest magnitude [A]"""
    peak_voltage: float | None
    """Largest magnitude [V]"""
    inertia_locked: Range
    """Least and largest inertia [kg m2] that it feels while the drives hold all other motors"""
    inertia_free: Range
    """The same while all other motors are free to turn"""
    energy: float
    """What its shaft gives, less what it takes [J]"""

    @property
    def shares(self) -> tuple[float, ...]:
        """Those that are known: of the envelope, of the greatest speed, of the rated torque."""
        shares = (self.torque_share, self.speed_share, self.rms_share)
        return tuple(share for share in shares if share is not None)

    @property
    def within(self) -> bool:
        """Whether it stays inside all of its known limits, the rated torque included."""
        return all(share <= 1 + EDGE for share in self.shares)

    def document(self) -> dict[str, Any]:
        """As plain data; of the motor itself only the name."""
        found = {name: value for name, value in vars(self).items() if name != "motor"}
        ranges = {name: list(found[name]) for name in ("inertia_locked", "inertia_free")}
        return {**found, **ranges, "within": self.within}


@dataclass(frozen=True)
class MotorUse:
    """A motion as the motors see it: arrays (samples, drives), and each motor's load."""

    motor_model: MotorModel
    friction: bool
    """Whether the torques include friction."""
    time: Array
    """(samples) [s]"""
    position: Array
    """[rad]"""
    velocity: Array
    """[rad/s]"""
    torque: Array
    """[N m]"""
    current: Array | None
    """[A]; NaN for a motor whose constants are not all known, None where that is every motor"""
    voltage: Array | None
    """[V], likewise"""
    lower: Array
    """Least torque [N m] that the motor can give at its speed; -inf if unknown"""
    upper: Array
    """Largest torque [N m] that the motor can give at its speed; inf if unknown"""
    motors: tuple[MotorLoad, ...]

    @property
    def within(self) -> bool:
        """Whether every motor stays inside all of its known limits."""
        return all(load.within for load in self.motors)

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON; unknown numbers are None."""
        names = ("time", "position", "velocity", "torque", "current", "voltage", "lower", "upper")
        return {
            "motors": self.motor_model,
            "friction": "on" if self.friction else "off",
            "within": self.within,
            "loads": [load.document() for load in self.motors],
            **{name: _plain(getattr(self, name)) for name in names},
        }


def motor_use(
    dyn: Dynamics,
    time: ArrayLike,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    wrench: ArrayLike | None = None,
    at: ArrayLike | None = None,
) -> MotorUse:
    """What a sampled motion asks of the motors, beside what they can do.

    Args:
        dyn: what moves, with its motor model and with or without friction.
        time: (t) increasing instants [s], two or more.
        q: (t, n) joint positions [rad or m].
        qd: (t, n) joint velocities.
        qdd: (t, n) joint accelerations.
        wrench: (6) or (t, 6) force and moment that the tool exerts on its surroundings, base axes.
        at: (3) where it acts, in coordinates of the body that carries the tool; the tool's origin if None.

    Returns:
        Motor torques, speeds, currents and voltages with their limits, and each motor's load.
    """
    t = check_time(time)
    q, qd, qdd = (_samples(dyn, len(t), *named) for named in (("q", q), ("qd", qd), ("qdd", qdd)))
    wrench = None if wrench is None else _wrench(len(t), wrench)
    at = None if at is None else _numbers("at", at, "(3,)")
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):  # what is not finite is refused
        return _use(dyn, t, q, qd, qdd, wrench, at)


def share_text(share: float) -> str:
    """A share for people."""
    return f"{share:.0%}" if share < MANY else f"{share:.3g} times"


def _use(
    dyn: Dynamics, t: Array, q: Array, qd: Array, qdd: Array, wrench: Array | None, at: Array | None
) -> MotorUse:
    velocity = dyn.motor_velocity(q, qd)
    torque = dyn.motor_torque(q, dyn.inverse(q, qd, qdd, wrench, at=at))
    _check_finite(dyn, t, q, torque, velocity)
    drives = dyn.robot.drives
    currents = [_current(drive, torque[:, k]) for k, drive in enumerate(drives)]
    voltages = [
        _voltage(drive, i, velocity[:, k]) for k, (drive, i) in enumerate(zip(drives, currents, strict=True))
    ]
    limits = [torque_limits(drive.motor, velocity[:, k]) for k, drive in enumerate(drives)]
    locked, free = dyn.effective_inertia(q, others="locked"), dyn.effective_inertia(q, others="free")
    loads = (
        _load(drive, t, torque[:, k], velocity[:, k], currents[k], voltages[k], locked[:, k], free[:, k])
        for k, drive in enumerate(drives)
    )
    return MotorUse(
        dyn.motors,
        dyn.friction,
        t,
        dyn.motor_position(q),
        velocity,
        torque,
        _columns(currents, len(t)),
        _columns(voltages, len(t)),
        np.column_stack([lower for lower, _ in limits]),
        np.column_stack([upper for _, upper in limits]),
        tuple(loads),
    )


def _load(
    drive: Drive,
    t: Array,
    torque: Array,
    velocity: Array,
    current: Array | None,
    voltage: Array | None,
    locked: Array,
    free: Array,
) -> MotorLoad:
    motor = drive.motor
    mean, speed = float(rms(t, torque)), _peak(velocity)
    load = MotorLoad(
        name=drive.name,
        motor=motor,
        peak_torque=_peak(torque),
        torque_share=_known_peak(envelope_share(motor, velocity, torque)),
        peak_speed=speed,
        speed_share=None if motor.maximum_speed is None else speed / speed_limit(motor),
        rms_torque=mean,
        rms_share=None if motor.rated_torque is None else mean / motor.rated_torque,
        peak_current=_known_peak(current),
        peak_voltage=_known_peak(voltage),
        inertia_locked=_range(locked),
        inertia_free=_range(free),
        energy=float(integral_of_product(t, torque, velocity)),
    )
    _check_load(load)
    return load


def _current(drive: Drive, torque: Array) -> Array | None:
    return None if drive.motor.torque_constant is None else current_of_torque(drive, torque)


def _voltage(drive: Drive, current: Array | None, speed: Array) -> Array | None:
    if current is None or drive.motor.resistance is None:
        return None
    return voltage_of(drive, current, speed)


# Numbers --------------------------------------------------------------------------------------


def _peak(values: Array) -> float:
    return float(np.abs(values).max())


def _known_peak(values: Array | None) -> float | None:
    return None if values is None else _peak(values)


def _range(values: Array) -> Range:
    return float(values.min()), float(values.max())


def _columns(columns: list[Array | None], samples: int) -> Array | None:
    """The columns side by side, NaN for those that are unknown; None if all are."""
    if all(column is None for column in columns):
        return None
    unknown = np.full(samples, np.nan)
    return np.column_stack([unknown if column is None else column for column in columns])


def _plain(values: Array | None) -> Any:
    """As lists, with None for what is no finite number."""
    if values is None:
        return None
    plain = values.astype(object)
    plain[~np.isfinite(values)] = None
    return plain.tolist()


# Input ----------------------------------------------------------------------------------------


def _samples(dyn: Dynamics, samples: int, name: str, value: ArrayLike) -> Array:
    """The value as (samples, n) finite numbers."""
    array = _numbers(name, value, f"({samples}, {dyn.n})")
    if array.shape != (samples, dyn.n):
        has = (
            f'time has {samples} samples and robot "{dyn.robot.name}" {dyn.n} joint{"s" if dyn.n > 1 else ""}'
        )
        raise ShapeError(name, array.shape, has, f"({samples}, {dyn.n})")
    return array


def _wrench(samples: int, value: ArrayLike) -> Array:
    """The value as (6) or (samples, 6) finite numbers."""
    array = _numbers("wrench", value, f"(6,) or ({samples}, 6)")
    if array.shape not in ((6,), (samples, 6)):
        has = f"time has {samples} samples and a wrench 6 elements"
        raise ShapeError("wrench", array.shape, has, f"(6,) or ({samples}, 6)")
    return array


def _numbers(name: str, value: ArrayLike, shape: str) -> Array:
    try:
        array = np.asarray(value, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is not an array of numbers, expected shape {shape}") from error
    if not np.isfinite(array).all():
        first = np.argwhere(~np.isfinite(array))[0]
        place = ", ".join(str(k + 1) for k in first)
        raise InputError(f"{name} has {array[tuple(first)]} at ({place}), expected finite numbers")
    return array


def _check_finite(dyn: Dynamics, t: Array, q: Array, torque: Array, velocity: Array) -> None:
    """Refuse a motion with torques or speeds that are no numbers, and say where and why."""
    lost = ~(np.isfinite(torque) & np.isfinite(velocity)).all(axis=1)
    if lost.any():
        k = int(np.argmax(lost))
        gears = dyn.gear_matrix(q[k])
        singular = np.isfinite(gears).all() and np.linalg.matrix_rank(gears) < dyn.n
        why = (
            "the gear matrix is singular in that posture, let the motion keep away from it"
            if singular
            else "the motion, the wrench or the robot's data are too large there to compute with"
        )
        raise InputError(
            f'robot "{dyn.robot.name}": no finite motor torques at sample {k + 1} (time {t[k]:g} s); {why}'
        )


def _check_load(load: MotorLoad) -> None:
    """Refuse numbers beyond all bounds: data of the motor so small or so large that nothing can be said."""
    names = (
        "torque_share",
        "speed_share",
        "rms_torque",
        "rms_share",
        "peak_current",
        "peak_voltage",
        "energy",
    )
    for name in names:
        value: float | None = getattr(load, name)
        if value is not None and not math.isfinite(value):
            raise InputError(
                f'motor "{load.name}": {name.replace("_", " ")} is not a finite number; '
                "the motion or the motor's data are too large or too small to compute with"
            )
