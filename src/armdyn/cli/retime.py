"""`armdyn retime`: a motion slowed just enough, or as fast as can be."""

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
    ReportOption,
    RobotOption,
    StartOption,
    StatusOption,
    TurnAccelerationOption,
)


def retime(
    program: Annotated[
        Path,
        typer.Argument(
            metavar="PROGRAM",
            help="A robot program (.lirl), joint samples or postures without times (.csv or .parquet), or an "
            "example: lola15, panda, ur5_palletising.",
        ),
    ],
    mode: Annotated[
        Literal["uniform", "per-move", "optimal"],
        typer.Option(
            "--mode",
            help="One multiple of all speeds; speeds and accelerations of each move of a program; or the "
            "fastest motion along the path.",
        ),
    ] = "optimal",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the motion: .csv, .parquet or .h (C); with per-move also the program: .lirl.",
        ),
    ] = None,
    report: ReportOption = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figure: .svg, .png or .pdf.")
    ] = None,
    robot: RobotOption = None,
    start: StartOption = None,
    margin: Annotated[
        float, typer.Option("--margin", metavar="SHARE", help="Of every limit that is left free.")
    ] = 0.0,
    tool_speed: Annotated[
        float | None,
        typer.Option("--tool-speed", metavar="V", help="That the tool may have [m/s] [default: any]."),
    ] = None,
    slow_only: Annotated[
        bool, typer.Option("--slow-only", help="Never faster than given (uniform).")
    ] = False,
    jerk: Annotated[
        str | None,
        typer.Option(
            "--jerk",
            metavar="J,..",
            help="Largest jerk of the joints [rad/s3 or m/s3], one or each (optimal).",
        ),
    ] = None,
    through: Annotated[
        Literal["spline", "straight"],
        typer.Option("--through", help="How to go through postures without times."),
    ] = "spline",
    grid: Annotated[
        int, typer.Option("--grid", metavar="N", help="Intervals that the path is cut into (optimal).")
    ] = 1000,
    begin: Annotated[
        str | None,
        typer.Option(
            "--begin", help="How it begins (optimal): rest, moving, free, or |qd| [default: as given]."
        ),
    ] = None,
    end: Annotated[str | None, typer.Option("--end", help="How it ends, likewise (optimal).")] = None,
    cycle: CycleOption = None,
    jerk_time: JerkTimeOption = None,
    turn_acceleration: TurnAccelerationOption = None,
    status: StatusOption = "ignore",
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
    """Retime a motion on its path: slow it just enough for motors and joints, or run it as fast as can be."""
    # what plans and retimes takes long to import, and every other command would wait for it
    from armdyn.cli.retimed import check_files, end_of, jerks, tell, tell_infeasible
    from armdyn.cli.verified import Asked
    from armdyn.errors import InfeasibleError
    from armdyn.program import program_file

    touching = contact(wrench, at)
    program = program_file(program)
    check_files(program, out, report, plot, mode)
    changes = {
        "gravity": gravity,
        "payload": payload,
        "literal": literal,
        "accept_unphysical": accept_unphysical,
    }
    how = {
        "mode": mode,
        "cycle": cycle,
        "jerk_time": jerk_time,
        "status": status,
        "turn_acceleration": turn_acceleration,
        "motors": motors,
        "friction": None if friction is None else friction == "on",
        "wrench": touching[0],
        "at": touching[1],
        "margin": margin,
        "tool_speed": tool_speed,
        "slow_only": slow_only,
        "jerk": jerks(jerk),
        "through": through,
        "grid": grid,
        "begin": end_of("--begin", begin),
        "end": end_of("--end", end),
    }
    try:
        found = Asked(program, robot, start, degrees, changes=changes).retimed(**how)
    except InfeasibleError as error:
        tell_infeasible(error, mode, json=json)
        raise typer.Exit(1) from error
    tell(found, out, report, plot, program.name, json=json)
    if not found.verification.feasible:
        raise typer.Exit(1)
