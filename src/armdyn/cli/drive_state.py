"""Motors and friction at one state, as JSON and as tables for people."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from armdyn.cli.output import print_table
from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.mechanics.motor_limits import envelope_share, torque_limits
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
    motor_torque = None if torque is None else known(dyn.motor_torque, q, torque)
    electric = torque is not None and any(drive.motor.torque_constant for drive in dyn.robot.drives)
    return {
        "torque": motor_torque,
        "velocity": speed,
        "position": dyn.motor_position(q),
        "acceleration": None if qdd is None else dyn.motor_acceleration(q, qd, qdd),
        "current": known(dyn.motor_current, q, torque) if electric else None,
        "voltage": known(dyn.motor_voltage, q, qd, torque) if electric else None,
        "torque_limits": _limits(dyn.robot, speed),
        "torque_shares": _shares(dyn.robot, speed, motor_torque),
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


def _shares(robot: Robot, speed: Any, torque: Any) -> list[float | None] | None:
    """How much of its torque-speed envelope each motor uses; null where no limit is known."""
    if torque is None:
        return None
    moving = zip(robot.drives, speed, torque, strict=True)
    shares = [envelope_share(drive.motor, w, u) for drive, w, u in moving]
    return [None if share is None else float(share) for share in shares]


def can_give(limits: list[float | None]) -> str:
    """What a motor can give at its speed, in words."""
    lower, upper = limits
    if lower is not None and upper is not None and upper < lower:
        return "at its speed it can give nothing"
    shown = " to ".join("any" if limit is None else f"{limit:g}" for limit in limits)
    return f"at its speed it can give {shown}"


def friction_state(
    dyn: Dynamics, q: list[float], qd: list[float], qdd: Any, tau: Any, **outside: Any
) -> dict[str, Any]:
    """What friction takes from the joints and at each point, and which points stick under given torques."""
    points = dyn.friction_points
    if qdd is None or not points:
        return {"friction_points": []}
    if tau is None:
        taken, sticks = dyn.resistances(q, qd, qdd, **outside), [None] * len(points)
        document: dict[str, Any] = {}
    else:
        found = dyn.sticking(q, qd, tau, **outside)
        dry = zip(points, found.sticks.tolist(), strict=True)
        taken, sticks = found.resistances, [stuck if point.friction.dry else None for point, stuck in dry]
        document = {"friction_torque": found.friction}
    each = zip(points, taken, sticks, strict=True)
    return document | {
        "friction_points": [
            {"name": point.name, "side": point.side, "torque": float(torque), "sticks": stuck}
            for point, torque, stuck in each
        ]
    }


# For people -----------------------------------------------------------------------------------


def print_motors(robot: Robot, motor: dict[str, Any]) -> None:
    """Print what the motors do."""
    mechanical: list[tuple[Any, ...]] = []
    for k, drive in enumerate(robot.drives):
        torque = None if motor["torque"] is None else float(motor["torque"][k])
        limit = motor["torque_limits"][k][0 if (torque or 0.0) < 0 else 1]
        share = None if motor["torque_shares"] is None else motor["torque_shares"][k]
        share = None if share is None else 100 * share
        mechanical.append((drive.name, torque, limit, share, motor["velocity"][k], motor["position"][k]))
    columns = ("drive", "torque [N m]", "limit", "envelope [%]", "velocity [rad/s]", "position [rad]")
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
