"""The electric motor of a drive: torque, current and voltage, over any scalar.

A DC motor in a steady state, with torque constant k_t, back-EMF constant k_e and resistance R:

    torque = k_t i,    voltage = R i + k_e speed

Torques and speeds are at the motor's shaft, and the torque is all that the current gives: what spins up
the rotor and what friction takes are parts of it. How fast a current can change (inductance) is left out.
"""

from __future__ import annotations

from typing import Any

from armdyn.errors import MissingDataError
from armdyn.robot import Drive


def torque_of_current(drive: Drive, current: Any) -> Any:
    """k_t i [N m] of a current [A]."""
    return torque_constant(drive) * current


def current_of_torque(drive: Drive, torque: Any) -> Any:
    """torque / k_t [A] of a torque [N m]."""
    return torque / torque_constant(drive)


def voltage_of(drive: Drive, current: Any, speed: Any) -> Any:
    """R i + k_e speed [V] of a current [A] at a speed [rad/s]."""
    R, k_e = _electrical(drive)
    return R * current + k_e * speed


def current_of_voltage(drive: Drive, voltage: Any, speed: Any) -> Any:
    """(voltage - k_e speed)/R [A] of a voltage [V] at a speed [rad/s]."""
    R, k_e = _electrical(drive)
    return (voltage - k_e * speed) / R


def _electrical(drive: Drive) -> tuple[float, float]:
    """R [ohm] and k_e [V s/rad]; a sentence where they are unknown."""
    motor = drive.motor
    R = _known(drive, motor.resistance, "resistance is not given, voltages need it; add motor.resistance")
    k_e = _known(
        drive,
        motor.back_emf_constant,
        "back-EMF and torque constant are not given, voltages need one of them; add motor.back_emf",
    )
    return R, k_e


def torque_constant(drive: Drive) -> float:
    """k_t [N m/A]; a sentence where it is unknown."""
    need = "torque constant is not given, currents need it; add motor.torque_constant"
    return _known(drive, drive.motor.torque_constant, need)


def _known(drive: Drive, value: float | None, need: str) -> float:
    """The value, or a sentence that says what to add."""
    if value is None:
        raise MissingDataError(f'drive "{drive.name}": {need} to the robot file')
    return value
