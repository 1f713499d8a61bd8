"""The samples of a run: what is plotted, where the bodies are, how much of the motors is used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility.actuators import Actuators
from armdyn.robot import Robot
from armdyn.studio.messages.run import Channel

Arrays = dict[str, NDArray[Any]]
MOST_SAMPLES = 60000
"""Samples that are sent of a run; of a longer one every second, third, .."""
PROGRAMMED = "_programmed"


@dataclass(frozen=True)
class Plotted:
    """A quantity that is plotted: its name, whose it is, its units for what turns and what slides."""

    label: str
    of_motors: bool
    units: tuple[str, str]


PLOTTED: Mapping[str, Plotted] = {
    "q": Plotted("Position", False, ("rad", "m")),
    "qd": Plotted("Velocity", False, ("rad/s", "m/s")),
    "qdd": Plotted("Acceleration", False, ("rad/s²", "m/s²")),
    "tau": Plotted("Joint torque", False, ("N m", "N")),
    "tau_predicted": Plotted("Joint torque, predicted", False, ("N m", "N")),
    "motor_torque": Plotted("Motor torque", True, ("N m", "N")),
    "motor_speed": Plotted("Motor speed", True, ("rad/s", "m/s")),
    "current": Plotted("Motor current", True, ("A", "A")),
    "voltage": Plotted("Motor voltage", True, ("V", "V")),
    "inertia": Plotted("Inertia", False, ("N m", "N")),
    "velocity": Plotted("Velocity terms", False, ("N m", "N")),
    "gravity": Plotted("Gravity", False, ("N m", "N")),
    "friction": Plotted("Friction", False, ("N m", "N")),
    "contact": Plotted("Contact", False, ("N m", "N")),
}
"""In the order in which they are offered."""


def channels(robot: Robot, arrays: Mapping[str, NDArray[Any]]) -> list[Channel]:
    """What of the arrays can be plotted."""
    return [
        _channel(robot, name, plotted, arrays)
        for name, plotted in PLOTTED.items()
        if name in arrays or name + PROGRAMMED in arrays
    ]


def _channel(robot: Robot, name: str, plotted: Plotted, arrays: Mapping[str, NDArray[Any]]) -> Channel:
    if plotted.of_motors and robot.drives:
        series = [drive.name for drive in robot.drives]
        units = [plotted.units[0]] * len(series)
    else:
        series = list(robot.joint_names)
        units = [plotted.units[joint.kind == "prismatic"] for joint in robot.joints]
    programmed = name + PROGRAMMED
    return Channel(
        name=name,
        label=plotted.label,
        series=series,
        units=units,
        programmed=programmed if programmed in arrays else None,
        achieved=name if name in arrays else None,
    )


def utilisation(actuators: Actuators, speed: NDArray[Any], torque: NDArray[Any]) -> NDArray[Any]:
    """(t) what the most used motor uses of its envelope."""
    return np.max(actuators.share(speed, torque), axis=1)


def thinned(arrays: Arrays) -> tuple[Arrays, list[str]]:
    """So many samples as a page can play, and a note where some are left out."""
    longest = max(len(arrays[name]) for name in ("time", "time_programmed") if name in arrays)
    every = -(-longest // MOST_SAMPLES)
    if every == 1:
        return arrays, []
    said = f"one of {every} samples is shown, the run has {longest}; downloads have all"
    return {name: values[::every] for name, values in arrays.items()}, [said]
