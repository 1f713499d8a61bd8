"""What happens to the hand at given times."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from armdyn.errors import InputError
from armdyn.robot import Robot


@dataclass(frozen=True)
class Grasp:
    """The hand takes an object that moves with it already ([Szkodny1995] (16)): velocities do not change."""

    time: float
    """[s]"""
    mass: float
    """[kg]"""
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """Its centre of mass in the frame of the body that carries the tool [m]"""
    inertia: tuple[float, ...] | None = None
    """Ixx, Iyy, Izz, Ixy, Ixz, Iyz about its centre of mass [kg m2]"""


@dataclass(frozen=True)
class Release:
    """The hand lets everything go that it has taken since the beginning."""

    time: float
    """[s]"""


Change = Grasp | Release


def robots_after(robot: Robot, changes: Sequence[Change], duration: float) -> list[tuple[Change, Robot]]:
    """The changes in the order of their times, and the robot after each; those after the run are left out."""
    found: list[tuple[Change, Robot]] = []
    held = robot
    for change in sorted(changes, key=lambda change: change.time):
        name = type(change).__name__.lower()
        if not isfinite(change.time) or change.time < 0:
            raise InputError(f"{name} at {change.time:g} s, expected a time of 0 or more")
        if isinstance(change, Grasp):
            held = held.with_payload(change.mass, change.com, change.inertia)
        elif held is robot:
            raise InputError(f"release at {change.time:g} s, but nothing was grasped before; add a grasp")
        else:
            held = robot
        if change.time < duration:
            found.append((change, held))
    return found
