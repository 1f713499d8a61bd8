"""A run: what a program asks for and what the arm does, with all its samples in one binary frame."""

from __future__ import annotations

from typing import Any, Literal

from armdyn.studio.messages.model import Message
from armdyn.studio.messages.scene import PayloadScene, RobotScene, ToolScene


class ArrayPlace(Message):
    """An array of a binary frame: float32, row by row, one behind the other in this order."""

    name: str
    shape: list[int]


class Move(Message):
    """One move, programmed and achieved."""

    line: int | None
    move: int
    """From 1"""
    kind: str
    begin: float
    """[s]"""
    end: float
    achieved_end: float | None
    """null: it never is"""
    programmed: float
    """How long it takes [s]"""
    achieved: float | None
    feasible: bool
    impossible: bool
    """At any speed"""
    largest_speed: float | None
    """Share of its speed at which the motors can do it; null where no speed helps"""


class Violation(Message):
    """A stretch of a move in which a limit is exceeded."""

    line: int | None
    move: int | None
    joint: int | None
    """From 1; null: the whole arm"""
    time: list[float]
    """From, to [s]"""
    at: float
    """The worst instant [s]"""
    quantity: str
    subject: str
    """The motor or joint, as a sentence calls it"""
    unit: str
    required: float
    limit: float
    margin: float
    share: float | None
    """Of the limit; null where that is no matter of shares"""
    text: str


class Suggestion(Message):
    """What would make a program feasible, to be applied at once."""

    label: str
    action: Literal["retime", "slow"]
    mode: Literal["uniform", "per-move", "optimal"] | None = None
    """Of a retime request"""
    shares: dict[str, float] | None = None
    """Of a slow request"""
    turn_acceleration: float | None = None
    """[rad/s2] Of a slow request, too"""
    program: str | None = None
    """Digest of the text whose lines these are, of a slow request"""
    cycle_time: float | None = None
    """[s] That it gives, null where it has not been tried"""
    cost: str
    """What one pays, in words"""


class Channel(Message):
    """A quantity to plot: which arrays have it, and what its series are."""

    name: str
    label: str
    series: list[str]
    units: list[str]
    """Of each series"""
    programmed: str | None
    """Array over `time_programmed`"""
    achieved: str | None
    """Array over `time`"""


class Limits(Message):
    """Of joints and motors; null is none, or unknown."""

    position: list[list[float] | None]
    velocity: list[float | None]
    acceleration: list[float | None]
    effort: list[float | None]
    motor_torque: list[float | None]
    motor_speed: list[float | None]


class Envelope(Message):
    """What a motor can give: an outline of speed [rad/s] and torque [N m]; empty where nothing is known."""

    motor: str
    joint: int
    """Position of the joint that it mainly moves"""
    points: list[list[float]]


class PhaseScene(Message):
    """A stretch of time with one tool and one payload."""

    begin: float
    end: float
    tool: ToolScene
    payloads: list[PayloadScene]


class ActiveLimit(Message):
    """What holds a motion back where."""

    begin: float
    end: float
    joint: int | None
    quantity: str
    line: int | None


class RetimedScene(Message):
    """How a motion was retimed."""

    mode: str
    before: float | None
    """[s]"""
    after: float
    factor: float | None
    """After over before"""
    text: str | None
    """The program with other speeds; null where no program moves so"""
    active_limits: list[ActiveLimit]


class RunResult(Message):
    """A run. Arrays over `time` are achieved or recorded, those over `time_programmed` programmed.

    Arrays: time, time_programmed, q, qd, qdd, tau, motor_torque, motor_speed (and each with `_programmed`),
    poses (t, bodies + 1, 7) of the bodies and the tool, tool_programmed (t, 7), utilisation (t) of the most
    used motor, line and move (t), as far as they are known: `channels` and `arrays` say which.
    """

    kind: Literal["verification", "recording"]
    name: str
    robot: RobotScene
    document: dict[str, Any]
    """Of a verification that of `armdyn verify --json`, of a recording what its file says of itself"""
    verdict: str
    times: str
    """Cycle times, and how far the tool leaves its path, in words"""
    details: str
    feasible: bool | None
    """null: not asked"""
    advice: list[str]
    suggestions: list[Suggestion]
    moves: list[Move]
    violations: list[Violation]
    worst: int | None
    """Which violation the verdict speaks of"""
    limits: Limits
    envelopes: list[Envelope]
    phases: list[PhaseScene]
    channels: list[Channel]
    notes: list[str]
    text: str | None
    """The program, where there is one"""
    retimed: RetimedScene | None
    command: str | None = None
    """The command line that computes the same"""
    arrays: list[ArrayPlace]


class TermsResult(Message):
    """Joint torques term by term: arrays over `time` of inertia, velocity, gravity, friction, contact."""

    channels: list[Channel]
    arrays: list[ArrayPlace]
