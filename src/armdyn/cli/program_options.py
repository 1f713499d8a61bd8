"""Options of commands that take a robot program or joint samples."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

ProgramArgument = Annotated[
    Path,
    typer.Argument(
        metavar="PROGRAM",
        help="A robot program (.lirl), joint samples (.csv or .parquet), or an example: lola15, panda, "
        "ur5_palletising.",
    ),
]
RobotOption = Annotated[
    str | None,
    typer.Option(
        "--robot",
        metavar="ROBOT",
        help="Catalog name, .toml or .urdf file [default: what the program's act_rob names].",
    ),
]
StartOption = Annotated[
    str | None, typer.Option("--start", metavar="Q1,..", help="Where the arm starts [default: home].")
]
CycleOption = Annotated[
    float | None,
    typer.Option("--cycle", metavar="S", help="Interpolation cycle [default: 0.01 s, or the file's own]."),
]
JerkTimeOption = Annotated[
    float | None,
    typer.Option(
        "--jerk-time",
        metavar="S",
        help="Time in which point-to-point moves reach full acceleration [default: none, trapezoids].",
    ),
]
TurnAccelerationOption = Annotated[
    float | None,
    typer.Option(
        "--turn-acceleration",
        metavar="A",
        help="Where path moves without acc_ori run into others the tool's turning changes with this [rad/s2] "
        "[default: at once].",
    ),
]
StatusOption = Annotated[
    Literal["ignore", "branch"],
    typer.Option(
        "--status",
        help="What a target's status integer does: nothing, or choose the posture of a ptp move.",
    ),
]
ReportOption = Annotated[
    Path | None, typer.Option("--report", metavar="FILE", help="Write a report for a browser: .html.")
]
