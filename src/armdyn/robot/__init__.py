"""The robot and its parts: frozen data, checked on construction."""

from armdyn.robot.body import BASE, Body, Visual
from armdyn.robot.coupling import Coupling, ScrewTriangle
from armdyn.robot.drive import Drive, GearStage, Rotor
from armdyn.robot.estimated import Estimated
from armdyn.robot.friction import Friction
from armdyn.robot.joint import Joint, Limits
from armdyn.robot.motor import Motor
from armdyn.robot.robot import BaseMotion, Payload, Robot, Tool

__all__ = [
    "BASE",
    "BaseMotion",
    "Body",
    "Coupling",
    "Drive",
    "Estimated",
    "Friction",
    "GearStage",
    "Joint",
    "Limits",
    "Motor",
    "Payload",
    "Robot",
    "Rotor",
    "ScrewTriangle",
    "Tool",
    "Visual",
]
