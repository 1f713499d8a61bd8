"""`armdyn verify`: can the motors do what a robot program asks for?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from armdyn.cli.options import (
    AcceptOption,
    AtOption,
    DegreesOption,
    FrictionOption,
    GravityOption,
    JsonOption,
    LiteralOption,
    MotorsOption,
    PayloadOption,
    WrenchOption,
    contact,
)
from armdyn.cli.program_options import (
    CycleOption,
    JerkTimeOption,
    ProgramArgument,
    ReportOption,
    RobotOption,
    StartOption,
    StatusOption,
    TurnAccelerationOption,
)

FollowOption = Annotated[
    Literal["position", "velocity", "unbraked"],
    typer.Option(
        "--follow",
        help="What lags is caught up (position; unbraked: and overshoots) or stays behind (velocity).",
    ),
]
INFEASIBLE = 1


def verify(
    program: ProgramArgument,
    robot: RobotOption = None,
    start: StartOption = None,
    follow: FollowOption = "position",
    printed: Annotated[
        bool,
        typer.Option("--printed", help="Step 6 of Algorithm 1 as printed, for comparison."),
    ] = False,
    cycle: CycleOption = None,
    jerk_time: JerkTimeOption = None,
    turn_acceleration: TurnAccelerationOption = None,
    status: StatusOption = "ignore",
    report: ReportOption = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write what the arm does: .csv or .parquet."),
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Exit 1 if the motors cannot do it.")] = False,
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    wrench: WrenchOption = None,
    at: AtOption = None,
    gravity: GravityOption = None,
    payload: PayloadOption = None,
    literal: LiteralOption = False,
    accept_unphysical: AcceptOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Say whether the motors can do what a program asks for, where not, and what the arm then does."""
    # what reads programs and draws reports takes long to import, and every other command would wait for it
    from armdyn.cli.verified import Asked, check_files, tell
    from armdyn.program import program_file

    touching = contact(wrench, at)
    program = program_file(program)
    check_files(program, out, report)
    planning = {"cycle": cycle, "jerk": jerk_time, "status": status, "turn_acceleration": turn_acceleration}
    changes = {
        "gravity": gravity,
        "payload": payload,
        "literal": literal,
        "accept_unphysical": accept_unphysical,
    }
    found = Asked(program, robot, start, degrees, planning, changes).verified(
        motors=motors,
        friction=None if friction is None else friction == "on",
        wrench=touching[0],
        at=touching[1],
        follow=follow,
        printed=printed,
    )
    tell(found, out, report, program.name, json=json)
    if strict and not found.feasible:
        raise typer.Exit(INFEASIBLE)
