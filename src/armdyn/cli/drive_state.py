"""Motors and friction at one state, as JSON and as tables for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from armdyn.cli.output import print_table
from armdyn.dynamics import Dynamics
from armdyn.dynamics.friction_methods import Sticking
from armdyn.errors import MissingDataError
from armdyn.mechanics.motor_limits import torque_limits
from armdyn.robot import Robot


def motor_state(
    dyn: Dynamics, q: list[float], qd: list[float], qdd: Any, torque: Any, notes: list[str], **outside: Any
) -> dict[str, Any]:
    """What the motors do; null where the robot's data do not say."""

    def known(evaluate: Callable[..., Any], *state: Any, **options: Any) -> Any:
        try:
            return evaluate(*state, **options)
        except MissingDataError as error:
            if str(error) not in notes:
                notes.append(str(error))
            return None

    speed = dyn.motor_velocity(q, qd)
    electric = torque is not None and any(drive.motor.torque_constant for drive in dyn.robot.drives)
    return {
        "torque": None if torque is None else known(dyn.motor_torque, q, torque),
        "velocity": speed,
        "position": dyn.motor_position(q),
        "acceleration": None if qdd is None else dyn.motor_acceleration(q, qd, qdd),
        "current": known(dyn.motor_current, q, torque) if electric else None,
        "voltage": known(dyn.motor_voltage, q, qd, torque) if electric else None,
        "torque_limits": _limits(dyn.robot, speed),
        "mass_matrix": known(dyn.motor_mass_matrix, q),
        "bias": known(dyn.motor_bias, q, qd, **outside),
        "effective_inertia": {
            "locked": known(dyn.effective_inertia, q),
            "free": known(dyn.effective_inertia, q, others="free"),
        },
    }


def _limits(robot: Robot, speed: Any) -> list[list[float | None]]:
    """Lower and upper torque limit of each motor at its speed; null where none is known."""
    found = [torque_limits(drive.motor, w) for drive, w in zip(robot.drives, speed, strict=True)]
    return [[float(x) if np.isfinite(x) else None for x in limits] for limits in found]


def friction_state(
    dyn: Dynamics, q: list[float], qd: list[float], qdd: Any, rest: Sticking | None, **outside: Any
) -> list[dict[str, Any]]:
    """What friction takes at each point, and whether it sticks under torques that are given."""
    taken = rest.resistances if rest is not None else dyn.resistances(q, qd, qdd, **outside)
    sticks = [None] * len(taken) if rest is None else rest.sticks.tolist()
    points = zip(dyn.friction_points, taken, sticks, strict=True)
    return [
        {"name": point.name, "side": point.side, "torque": float(torque), "sticks": stuck}
        for point, torque, stuck in points
    ]


# For people -----------------------------------------------------------------------------------


def print_motors(robot: Robot, motor: dict[str, Any]) -> None:
    """Print what the motors do."""
    mechanical: list[tuple[Any, ...]] = []
    for k, drive in enumerate(robot.drives):
        torque = None if motor["torque"] is None else float(motor["torque"][k])
        limit = motor["torque_limits"][k][0 if (torque or 0.0) < 0 else 1]
        share = None if torque is None or not limit else 100 * torque / limit
        mechanical.append((drive.name, torque, limit, share, motor["velocity"][k], motor["position"][k]))
    columns = ("drive", "torque [N m]", "limit", "share [%]", "velocity [rad/s]", "position [rad]")
    print_table("motors", columns, mechanical)
    names = [drive.name for drive in robot.drives]
    electric = {"current [A]": motor["current"], "voltage [V]": motor["voltage"]}
    _print_known("motors: current and voltage", names, electric)
    felt = motor["effective_inertia"]
    inertia = {"others locked": felt["locked"], "others free": felt["free"]}
    _print_known("motors: inertia that each feels at its shaft [kg m2]", names, inertia)


def _print_known(title: str, names: list[str], columns: dict[str, Any]) -> None:
    """Print the columns that there are, if any."""
    known = {column: values for column, values in columns.items() if values is not None}
    if known:
        print_table(title, ("drive", *known), zip(names, *known.values(), strict=True))


def print_friction(points: list[dict[str, Any]]) -> None:
    """Print what friction takes."""
    said = {True: "yes", False: "no", None: None}
    rows = [(point["name"], point["side"], point["torque"], said[point["sticks"]]) for point in points]
    print_table("friction", ("at", "side", "takes [N m, N]", "sticks"), rows)
