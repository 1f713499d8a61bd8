"""A base that moves by a coordinate of its own  [Szkodny1995] sec. 2, after (18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, count

from armdyn.errors import InputError
from armdyn.robot.body import BASE, Body
from armdyn.robot.drive import Drive, Rotor
from armdyn.robot.joint import Joint
from armdyn.robot.robot import BaseMotion, Robot
from armdyn.spatial import Inertia

CARRIAGE = "carriage"
"""The body that the moving base becomes; a robot that has one already gets a `carriage2` below it."""
NO_INERTIA = Inertia()


def with_base_coordinate(
    robot: Robot, joint: Joint, inertia: Inertia = NO_INERTIA, drives: Sequence[Drive] = ()
) -> Robot:
    """The robot on a base that moves by one coordinate q_0 of its own, the first of q.

    T_0 = A_0 and T_i = A_0 A_1 .. A_i, and all sums begin at zero. `inertia` is the moving base's own,
    `drives` hold the actuator T_a0, J_a0 that moves it. Gravity is a vector in the base that stays.
    The moving base is the first body. Bases can be stacked: the last one given stands on the ground.
    """
    if robot.base_motion != BaseMotion():
        raise InputError(
            f'robot "{robot.name}" has a base that moves as prescribed, expected one at rest; '
            "a base moves by a coordinate or as prescribed"
        )
    carriage = _new_name(robot)
    bodies = (replace(b, parent=carriage) if b.parent == BASE else b for b in robot.bodies)
    return replace(
        robot,
        bodies=(Body(carriage, joint, BASE, inertia), *bodies),
        drives=(*drives, *(_moved(drive, carriage) for drive in robot.drives)),
        home=(0.0, *robot.home),
    )


def _new_name(robot: Robot) -> str:
    """The first of carriage, carriage2, carriage3, .. that no body has."""
    names = chain([CARRIAGE], (f"{CARRIAGE}{k}" for k in count(2)))
    return next(name for name in names if name not in robot.body_names)


def _moved(drive: Drive, carriage: str) -> Drive:
    """The same drive, what stood on the base now on the carriage."""

    def moved(rotor: Rotor) -> Rotor:
        return replace(rotor, carrier=carriage) if rotor.carrier == BASE else rotor

    stages = tuple(replace(stage, rotor=moved(stage.rotor)) for stage in drive.stages)
    return replace(drive, rotor=None if drive.rotor is None else moved(drive.rotor), stages=stages)
