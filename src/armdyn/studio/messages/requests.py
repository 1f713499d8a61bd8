"""What a page may ask for; `table` says what each is answered by."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from armdyn.studio.messages.model import Message, Name, Numbers, Path, Request, Text, Vector3, Word
from armdyn.studio.messages.settings import Planning, Settings, TurnAcceleration

AS_IT_IS = Settings()
Want = Literal[
    "gravity",
    "mass_matrix",
    "motor",
    "ellipsoid",
    "polytope",
    "reactions",
    "jacobian",
    "energy",
    "commands",
]


class HelloRequest(Request):
    """The first request: what there is."""

    do: Literal["hello"] = "hello"


class CancelRequest(Request):
    """End a job; the job itself is answered by an error that says so."""

    do: Literal["cancel"] = "cancel"
    job: int


# Files ----------------------------------------------------------------------------------------


class FilesRequest(Request):
    """The robots, programs and runs below the folder."""

    do: Literal["files"] = "files"


class ReadRequest(Request):
    """The text of a program or robot file, or of an example program."""

    do: Literal["read"] = "read"
    path: Path


class WriteRequest(Request):
    """Save a program (.lirl) or a robot (.toml)."""

    do: Literal["write"] = "write"
    path: Path
    text: Text
    known: Word | None = None
    """Digest of the file as it was read or saved last: this one is replaced, no other"""
    overwrite: bool = False
    """Whether any file that is there already may be replaced"""


# One robot, one posture -----------------------------------------------------------------------


class RobotRequest(Request):
    """A robot as a thing to draw: catalog name, or a file below the folder."""

    do: Literal["robot"] = "robot"
    robot: Path
    settings: Settings = AS_IT_IS


class StateRequest(Request):
    """Where everything is, and what it takes, at one state."""

    do: Literal["state"] = "state"
    robot: Path
    q: Numbers
    qd: Numbers | None = None
    qdd: Numbers | None = None
    want: Annotated[tuple[Want, ...], Field(max_length=16)] = ("gravity", "mass_matrix")
    settings: Settings = AS_IT_IS


class SolveRequest(Request):
    """Postures for a pose of the tool: give `rpy`, or `matrix` (16, column by column) for both."""

    do: Literal["solve"] = "solve"
    robot: Path
    q: Numbers
    """Where the arm is: the nearest posture is the best"""
    position: Vector3 | None = None
    rpy: Vector3 | None = None
    matrix: Annotated[tuple[float, ...], Field(min_length=16, max_length=16)] | None = None
    settings: Settings = AS_IT_IS


# Programs -------------------------------------------------------------------------------------


class ForRobot(Message):
    """For which robot a program is."""

    robot: Path | None = None
    """By default the catalog's robot that the program names"""
    otherwise: Path | None = None
    """The robot of a program that names none"""
    settings: Settings = AS_IT_IS

    def meant(self, named: str | None) -> str | None:
        """Which robot is meant, where a program names one or none."""
        return self.robot or named or self.otherwise


class CheckRequest(ForRobot, Request):
    """All that is wrong with a program."""

    do: Literal["check"] = "check"
    text: Text


class Task(ForRobot):
    """A program or samples, for a robot: `text`, or a `file` below the folder or an example's name."""

    text: Text | None = None
    file: Path | None = None
    name: Name = "program.lirl"
    """What messages call a text"""
    planning: Planning = Planning()


class VerifyTask(Task):
    """Can the motors do it?"""

    do: Literal["verify"] = "verify"
    follow: Literal["position", "velocity", "unbraked"] = "position"
    printed: bool = False
    """Step 6 of Algorithm 1 as printed, for comparison"""


class RetimeTask(Task):
    """The same path in other times."""

    do: Literal["retime"] = "retime"
    mode: Literal["uniform", "per-move", "optimal"] = "per-move"
    margin: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of every limit that is left free"""
    tool_speed: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    """[m/s]"""
    slow_only: bool = False
    """With "uniform": never faster than given"""


class RunFileTask(Message):
    """A run in a file: .csv, .parquet or .mcap."""

    do: Literal["run_file"] = "run_file"
    file: Path
    robot: Path | None = None
    """By default the one that the file names"""
    settings: Settings = AS_IT_IS


class VerifyRequest(VerifyTask, Request):
    """Job: verify."""


class RetimeRequest(RetimeTask, Request):
    """Job: retime, and verify the result."""


class RunFileRequest(RunFileTask, Request):
    """Job: open a run."""


AnyRun = Annotated[VerifyTask | RetimeTask | RunFileTask, Field(discriminator="do")]
"""What makes a run: a request without its id."""


class TermsRequest(Request):
    """Job: joint torques of a run, term by term."""

    do: Literal["terms"] = "terms"
    of: AnyRun


class SlowRequest(ForRobot, Request):
    """A program in which the moves of some lines run at a share of their speed, and turn gradually."""

    do: Literal["slow"] = "slow"
    text: Text
    name: Name = "program.lirl"
    shares: dict[Annotated[str, Field(pattern=r"^\d{1,7}$")], Annotated[float, Field(gt=0, le=1)]] = Field(
        max_length=10000
    )
    """Line -> share r: the speed is multiplied by r, the acceleration by r²"""
    turn_acceleration: TurnAcceleration | None = None
    """[rad/s2] Written into the text, in its first path move, unless that says one"""
    program: Word | None = None
    """Digest of the text that the lines are of: another one is refused"""


# Studies and equations ------------------------------------------------------------------------


class StudyTask(Message):
    """What joints and drives feel over the workspace."""

    do: Literal["study"] = "study"
    robot: Path
    kind: Word
    options: dict[Word, Any] = Field(default_factory=dict[str, Any], max_length=32)
    """As the library's studies take them; joints by name or number"""
    run: AnyRun | None = None
    """Whose motion, as programmed, is studied where a study takes motions and none is named"""
    settings: Settings = AS_IT_IS


class DeriveTask(Message):
    """Explicit equations."""

    do: Literal["derive"] = "derive"
    robot: Path
    quantity: Word
    element: Annotated[tuple[int, ...], Field(max_length=4)] | None = None
    symbolic: bool = False
    inertia: Literal["gyration", "origin", "centre"] = "gyration"
    payload_symbols: bool = False
    coordinates: Literal["relative", "absolute"] = "relative"
    simplify: Annotated[float, Field(ge=0, lt=1)] | None = None
    """Mean error over mean value at most"""
    operations: Annotated[int, Field(ge=0, le=100000)] | None = None
    """The best short form with so many operations instead"""
    settings: Settings = AS_IT_IS


class StudyRequest(StudyTask, Request):
    """Job: study."""


class DeriveRequest(DeriveTask, Request):
    """Job: derive."""


class DownloadRequest(Request):
    """Job: a file of a run, a study or equations, to be fetched once from the address in the answer."""

    do: Literal["download"] = "download"
    what: Literal["csv", "parquet", "mcap", "report", "text", "latex", "markdown", "python", "c"]
    of: Annotated[VerifyTask | RetimeTask | RunFileTask | StudyTask | DeriveTask, Field(discriminator="do")]
