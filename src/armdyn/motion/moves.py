"""What a program asks for, step by step: moves, waits, changes of tool and payload. Plain data in SI."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from armdyn.robot import Payload
from armdyn.spatial import Mat3, Transform, Vec3

OrientationRule = Literal["var", "pco", "pvo"]
"""How the tool turns along a path: by the shortest rotation in proportion to arc length (o_var), fixed to the
path's tangent and normal (o_pco), or through the orientation of the via point (o_pvo)."""

FARTHEST = 1e6
"""[rad or m] Positions beyond this lose a motion to rounding."""


@dataclass(frozen=True)
class Target:
    """Where the tool shall be, in the base frame."""

    position: Vec3
    """[m]"""
    rotation: Mat3 | None = None
    """R_base_tool; None keeps the orientation that the tool has"""
    branch: int | None = None
    """Which posture reaches it, as far as point-to-point moves may choose"""
    name: str = ""
    """What the program calls it, for messages"""


@dataclass(frozen=True)
class JointTarget:
    """Where the joints shall be; None keeps the value that a joint has."""

    q: tuple[float | None, ...]
    """[rad or m]; those that are missing at the end are kept, too"""
    name: str = ""


@dataclass(frozen=True)
class PointToPoint:
    """All joints move to the target at once, starting and ending together."""

    line: int
    target: Target | JointTarget
    speed: float = 1.0
    """Share of the joints' speed limits, above 0, at most 1"""
    acceleration: float = 1.0
    """Share of the joints' acceleration limits"""
    blend: bool = False
    """Whether the next move begins while this one ends (c_ptp)"""


@dataclass(frozen=True)
class PathMove:
    """The tool moves along a straight line, or along the circle through `via`."""

    line: int
    end: Target
    speed: float
    """Of the tool along its path [m/s]"""
    acceleration: float
    """Of the tool along its path [m/s2]"""
    via: Target | None = None
    orientation: OrientationRule = "var"
    corner: float | None = None
    """Within this distance [m] of its end the corner to the next path move is a parabola (c_cp)"""
    keep_speed: bool = False
    """Whether the tool keeps its speed into the next path move (c_speed)"""
    blend: bool = False
    """Whether the next point-to-point move begins while this one ends (c_ptp)"""
    turn_acceleration: float | None = None
    """With which the tool's turning changes where this move runs on as the next [rad/s2] (acc_ori); None: as
    the planner is told, else at once"""


@dataclass(frozen=True)
class Wait:
    """The arm stands still."""

    line: int
    duration: float
    """[s]"""


@dataclass(frozen=True)
class ChangeTool:
    """Another tool frame from here on; the arm stops first."""

    line: int
    placement: Transform
    """T_body_tool, on the body that carries the tool"""


@dataclass(frozen=True)
class ChangePayload:
    """Something is grasped or released; the arm stops first. The robot's own payloads stay."""

    line: int
    payload: Payload | None
    """What the program holds from here on instead of what it held, besides the robot's own payloads; None:
    nothing"""


Move = PointToPoint | PathMove
Step = Move | Wait | ChangeTool | ChangePayload
