"""What is answered: small answers; `run` has the large one."""

from __future__ import annotations

from typing import Any, Literal

from armdyn.studio.messages.model import Matrix, Message
from armdyn.studio.messages.scene import EllipsoidScene, RobotScene

FileKind = Literal["robot", "program", "run", "study"]


class Failure(Message):
    """Why there is no answer, in one sentence, and where in a program."""

    message: str
    line: int | None = None
    """From 1"""
    column: int | None = None
    cancelled: bool = False
    conflict: bool = False
    """Whether `overwrite` would do it all the same: the file there is not the one that was read"""


class Progress(Message):
    """How far a job is."""

    fraction: float | None
    """null where that is not known"""
    text: str
    queued: bool = False
    """Whether it waits for others"""


class FileEntry(Message):
    """A file below the folder."""

    path: str
    kind: FileKind
    size: int
    changed: float
    """[s] since 1970"""


class CatalogRobot(Message):
    """A robot that comes with armdyn."""

    name: str
    joints: int
    source: str
    description: str


class Opened(Message):
    """What the studio was started with."""

    kind: FileKind
    name: str
    """How to ask for it"""
    text: str | None = None
    """Of a program"""
    digest: str | None = None
    """Of a program's file, as it was read"""


class FirstRobot(Message):
    """The robot that is shown first, at its home: a page draws it without asking again."""

    robot: RobotScene
    poses: list[list[float]]
    """Of the bodies in turn, then of the tool"""


class Hello(Message):
    """What there is."""

    version: str
    folder: str
    robots: list[CatalogRobot]
    examples: list[str]
    """Programs that come with armdyn"""
    files: list[FileEntry]
    opened: Opened | None
    studies: dict[str, list[str]]
    """Kinds of studies, and the options of each"""
    quantities: list[str]
    """What can be derived"""
    first: FirstRobot | None
    """What is drawn first; null where that is a run, or cannot be read: who asks for it is told why"""


class Files(Message):
    """The files below the folder."""

    files: list[FileEntry]
    complete: bool
    """False where there are more than are listed"""


class FileText(Message):
    """A file's text."""

    path: str
    text: str
    writable: bool
    """Whether it can be saved under this name: not an example"""
    digest: str | None = None
    """Tells this file from others; null of an example"""


class Written(Message):
    """A saved file."""

    path: str
    replaced: bool
    digest: str
    """Of the file as it is now"""


class Done(Message):
    """Nothing more to say."""


# One posture ----------------------------------------------------------------------------------


class ToolPose(Message):
    """T_base_tool."""

    position: list[float]
    rpy: list[float]
    matrix: Matrix


class Polytope(Message):
    """Corners, and triangles of them by number."""

    vertices: list[list[float]]
    faces: list[list[int]]


class Reaction(Message):
    """What a body's parent exerts on it, at its joint, base axes."""

    body: int
    at: list[float]
    force: list[float]
    moment: list[float]


class Motor(Message):
    """What the motors do to hold a state; null where it is not known."""

    names: list[str]
    torque: list[float | None]
    share: list[float | None]
    """Of the torque-speed envelope"""


class Commands(Message):
    """The state for others to copy."""

    python: str
    shell: str


class StateResult(Message):
    """One state; what was not asked for is null."""

    poses: list[list[float]]
    """Of the bodies in turn, then of the tool: x, y, z, qx, qy, qz, qw"""
    tool: ToolPose
    gravity: list[float | None] | None = None
    mass_matrix: list[list[float | None]] | None = None
    torque: list[float | None] | None = None
    """Of the motion qd, qdd; where neither is given, of holding still"""
    motor: Motor | None = None
    jacobian: list[list[float | None]] | None = None
    kinetic_energy: float | None = None
    potential_energy: float | None = None
    ellipsoid: EllipsoidScene | None = None
    """Accelerations of the tool that motors at their limits give [m/s2], centre as its place"""
    polytope: Polytope | None = None
    """The same, exactly; without limits null"""
    reactions: list[Reaction] | None = None
    warnings: list[str]
    commands: Commands | None = None


class Branch(Message):
    """A posture for a pose."""

    q: list[float]
    name: str
    within_limits: bool
    distance: float
    """The largest difference of any joint from where the arm is [rad or m]"""


class SolveResult(Message):
    """All postures for a pose."""

    kind: str
    branches: list[Branch]
    best: int | None
    """The nearest one within the limits; null where none is"""


# Programs -------------------------------------------------------------------------------------


class Problem(Message):
    """Something wrong with a program."""

    line: int
    column: int
    message: str


class CheckResult(Message):
    """All that is wrong, in the order of the text."""

    problems: list[Problem]
    robot: str | None
    """How to ask for the robot that the program is for"""


class SlowResult(Message):
    """A program with other speeds."""

    text: str


# Studies, equations, files --------------------------------------------------------------------


class Figure(Message):
    """A picture of a study."""

    name: str
    title: str
    caption: str
    svg: str


class StudyResult(Message):
    """What a study found; the document is that of `armdyn study --json`."""

    kind: str
    robot: str
    document: dict[str, Any]
    figures: list[Figure]


class Short(Message):
    """A short form under one load."""

    load: str
    text: str
    latex: str
    mean_error: float | None
    largest_error: float | None
    certified: bool


class EquationText(Message):
    """One equation."""

    name: str
    index: list[int]
    text: str
    latex: str
    operations: int
    short: list[Short]
    """Where short forms were asked for"""
    note: str = ""


class DeriveResult(Message):
    """Equations, and how their symbols are defined."""

    quantity: str
    robot: str
    motors: str
    equations: list[EquationText]
    definitions: list[str]
    """In LaTeX"""


class Download(Message):
    """Where a file can be fetched, once."""

    url: str
    name: str
    size: int
