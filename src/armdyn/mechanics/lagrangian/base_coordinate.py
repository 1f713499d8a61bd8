"""A base that moves by a coordinate of its own  [Szkodny1995] sec. 2, after (18)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from armdyn.errors import InputError
from armdyn.robot import BASE, BaseMotion, Body, Drive, Joint, Robot, Rotor
from armdyn.spatial import Inertia

CARRIAGE = "carriage"
"""The body that the moving base becomes."""
NO_INERTIA = Inertia()


def with_base_coordinate(
    robot: Robot, joint: Joint, inertia: Inertia = NO_INERTIA, drives: Sequence[Drive] = ()
) -> Robot:
    """The robot on a base that moves by one coordinate q_0 of its own, the first of q.

    T_0 = A_0 and T_i = A_0 A_1 .. A_i, and all sums begin at zero. `inertia` is the moving base's own,
    `drives` hold the actuator T_a0, J_a0 that moves it. Gravity is a vector in the base that stays.
    """
    if robot.base_motion != BaseMotion():
        raise InputError(
            f'robot "{robot.name}" has a base that moves as prescribed, expected one at rest; '
            "a base moves by a coordinate or as prescribed"
        )
    bodies = tuple(replace(body, parent=_carrier(body.parent)) for body in robot.bodies)
    return replace(
        robot,
        bodies=(Body(CARRIAGE, joint, BASE, inertia), *bodies),
        drives=(*drives, *(_on_carriage(drive) for drive in robot.drives)),
        home=(0.0, *robot.home),
    )


def _carrier(body: str) -> str:
    return CARRIAGE if body == BASE else body


def _on_carriage(drive: Drive) -> Drive:
    def moved(rotor: Rotor) -> Rotor:
        return rotor if rotor.carrier is None else replace(rotor, carrier=_carrier(rotor.carrier))

    stages = tuple(replace(stage, rotor=moved(stage.rotor)) for stage in drive.stages)
    return replace(drive, rotor=None if drive.rotor is None else moved(drive.rotor), stages=stages)
