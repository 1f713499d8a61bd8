"""A robot as a thing to draw."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from armdyn.studio.messages.model import Matrix, Message

ShapeWord = Literal["box", "cylinder", "sphere", "capsule", "taper", "mesh"]


class Visual(Message):
    """A shape on a body; cylinders, capsules and tapers are along z, their middle at the origin."""

    shape: ShapeWord
    size: list[float]
    """box x, y, z; cylinder radius, length; sphere radius; capsule radius, length without its round ends;
    taper radius at -z, radius at +z, length; mesh nothing [m]"""
    mesh: str | None = None
    """Address of a .stl, .obj, .dae, .glb or .gltf file"""
    scale: list[float] | None = None
    """Of a mesh along x, y, z"""
    matrix: Matrix
    """Into the body's frame"""
    color: list[float] | None = None
    """Red, green, blue, alpha from 0 to 1; null: a mesh's own, or the page's choice"""
    role: Literal["file", "link", "joint", "tool", "base"] = "file"
    """What a drawn shape stands for; "file": the robot's file has it"""


class EllipsoidScene(Message):
    """An ellipsoid: the unit ball, scaled by its radii along x, y, z, then placed."""

    matrix: Matrix
    radii: list[float | None]
    """null where nothing bounds it"""


class JointScene(Message):
    """A joint that moves on its own; null is unlimited or unknown."""

    name: str
    kind: Literal["revolute", "prismatic"]
    body: int
    """The body that it carries"""
    axis: list[float]
    """In that body's frame"""
    at: list[float]
    """A point of the axis in that body's frame: where the joint is [m]"""
    lower: float | None
    upper: float | None
    velocity: float | None
    acceleration: float | None
    effort: float | None


class BodyScene(Message):
    """A body, what it looks like, and its inertia."""

    name: str
    parent: int
    """Position among the bodies; -1: the base"""
    visuals: list[Visual]
    mass: float
    com: list[float]
    ellipsoid: EllipsoidScene | None
    """Of even density, with the same mass and inertia"""


class ToolScene(Message):
    """The tool's frame on a body."""

    body: int
    matrix: Matrix


class PayloadScene(Message):
    """Something held."""

    body: int
    mass: float
    com: list[float]
    radius: float
    """Of a ball of aluminium of that mass [m]"""


class DriveScene(Message):
    """A motor; null is unknown."""

    name: str
    joint: str | None
    torque: float | None
    """Peak torque [N m]"""
    rated_torque: float | None
    speed: float | None
    """[rad/s]"""
    ratio: float | None
    """Turns of the motor for one of its joint; null where gears couple several, or a ratio changes"""


class RobotScene(Message):
    """A robot: poses of its bodies come with states and runs."""

    name: str
    robot: str
    """How to ask for it: catalog name, or file below the folder"""
    description: str
    source: str
    n: int
    motors: str
    friction: bool
    gravity: list[float]
    home: list[float]
    notes: list[str]
    joints: list[JointScene]
    bodies: list[BodyScene]
    base_visuals: list[Visual]
    tool: ToolScene
    payloads: list[PayloadScene]
    drives: list[DriveScene]
    locked: list[str]
    total_mass: float
    size: float
    """How far it reaches [m], for a camera"""
    can_verify: bool
    """Whether it is known what moves it"""
    missing_meshes: list[str] = Field(default_factory=list[str])
    """References of the robot's file to meshes that were not found; their bodies are drawn"""
