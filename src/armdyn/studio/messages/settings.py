"""What changes a robot, and how it is computed."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from armdyn.studio.messages.model import Message, Name, Number, Numbers, Vector3, Vector6

MotorsWord = Literal["exact", "augmented", "coupled", "reflected", "none"]
TurnAcceleration = Annotated[float, Field(gt=0, allow_inf_nan=False)]


class PayloadSetting(Message):
    """Something held, in the frame of the body that carries the tool."""

    mass: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    """[kg]"""
    com: Vector3 = (0.0, 0.0, 0.0)
    """[m]"""
    inertia: Vector6 | None = None
    """Ixx, Iyy, Izz, Ixy, Ixz, Iyz about its centre of mass [kg m2]"""


class Settings(Message):
    """Options of the command line that change a robot; null is as the robot's file says."""

    payload: PayloadSetting | None = None
    gravity: Vector3 | None = None
    """[m/s2] in the base frame"""
    motors: MotorsWord | None = None
    friction: bool | None = None
    wrench: Vector6 | None = None
    """What the tool exerts on its surroundings, base axes"""
    at: Vector3 | None = None
    """Where it acts, in the frame of the body that carries the tool; null: the tool's origin"""
    locked: dict[Name, Number] = Field(default_factory=dict[str, float], max_length=64)
    """Joints that are held, by name"""


class Planning(Message):
    """Options of planning a program."""

    start: Numbers | None = None
    cycle: Annotated[float, Field(gt=0, le=1)] | None = None
    """[s]"""
    jerk_time: Annotated[float, Field(ge=0, le=10)] | None = None
    """[s]"""
    turn_acceleration: TurnAcceleration | None = None
    """[rad/s2] Of moves that say none"""
    status: Literal["ignore", "branch"] = "ignore"
