"""`armdyn excite`: the motion from which the parameters of an arm can be told best."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from armdyn.cli.options import (
    DegreesOption,
    FrictionOption,
    JsonOption,
    MotorsOption,
    RangesOption,
    of_robot,
)
from armdyn.robot import Robot

EACH = "one number for all joints, one each, or J=V,.."


@of_robot
def excite(
    arm: Robot,
    out: Annotated[
        list[Path] | None,
        typer.Option(
            "--out",
            metavar="FILE",
            help="Write the motion with its torques: .csv, .parquet; or a robot program: .lirl. "
            "May be repeated.",
        ),
    ] = None,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the motion: .svg, .png or .pdf.")
    ] = None,
    kind: Annotated[
        Literal["fourier", "polynomial"],
        typer.Option("--kind", help="A Fourier series, which can be repeated, or polynomials of degree 5."),
    ] = "fourier",
    criterion: Annotated[
        Literal["condition", "d_optimal"],
        typer.Option(
            "--criterion",
            help="The condition number of the weighted base regressor, or the volume of the estimate's "
            "confidence ellipsoid.",
        ),
    ] = "condition",
    duration: Annotated[
        float, typer.Option("--duration", metavar="S", help="From start to end, in s.")
    ] = 10.0,
    harmonics: Annotated[
        int | None, typer.Option("--harmonics", metavar="N", help="Of the Fourier series [default: 5].")
    ] = None,
    pieces: Annotated[
        int | None, typer.Option("--pieces", metavar="N", help="Of the polynomials [default: 12].")
    ] = None,
    ranges: RangesOption = None,
    speed: Annotated[
        str | None,
        typer.Option("--speed", metavar="V,..", help=f"Speed limits: {EACH} [default: the robot's]."),
    ] = None,
    acceleration: Annotated[
        str | None,
        typer.Option("--acceleration", metavar="A,..", help="Acceleration limits, likewise."),
    ] = None,
    workspace: Annotated[
        str | None,
        typer.Option(
            "--workspace",
            metavar="X0:X1,Y0:Y1,Z0:Z1",
            help="Where the tool's origin may be, base axes, m [default: anywhere].",
        ),
    ] = None,
    share: Annotated[float, typer.Option("--share", help="Of all limits that may be used.")] = 1.0,
    noise: Annotated[
        str | None,
        typer.Option(
            "--noise", metavar="T,..", help=f"Of measured torques: {EACH} [default: torque limits]."
        ),
    ] = None,
    unscaled: Annotated[
        bool,
        typer.Option("--unscaled", help="Columns of the regressor in SI, not in parts of their usual size."),
    ] = False,
    among: Annotated[
        str | None,
        typer.Option(
            "--among", metavar="NAME,..", help="Parameters that may differ from zero, or their endings."
        ),
    ] = None,
    random: Annotated[
        int, typer.Option("--random", metavar="N", help="Random motions to begin with, and to compare with.")
    ] = 1000,
    starts: Annotated[
        int, typer.Option("--starts", metavar="N", help="Of them, from how many to go on.")
    ] = 4,
    steps: Annotated[
        int, typer.Option("--steps", metavar="N", help="At most, in each of three stages.")
    ] = 200,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of the random motions.")] = 0,
    rate: Annotated[
        float, typer.Option("--rate", metavar="HZ", help="Samples a second that are written.")
    ] = 100.0,
    periods: Annotated[
        int, typer.Option("--periods", metavar="N", help="How often a Fourier series is repeated.")
    ] = 1,
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Find the motion from which the parameters of an arm can be told best, within all its limits."""
    # what searches takes long to import, and every other command would wait for it
    from armdyn.cli.excited import Asked, excited, tell_infeasible
    from armdyn.errors import InfeasibleError

    texts = {"ranges": ranges, "velocity": speed, "acceleration": acceleration, "noise": noise}
    how = {
        "kind": kind,
        "criterion": criterion,
        "duration": duration,
        "harmonics": harmonics,
        "pieces": pieces,
        "share": share,
        "scaled": not unscaled,
        "among": None if among is None else [name.strip() for name in among.split(",")],
        "random": random,
        "starts": starts,
        "steps": steps,
        "seed": seed,
        "motors": motors,
        "friction": None if friction is None else friction == "on",
    }
    asked = Asked(arm, texts, workspace, how, degrees)
    try:
        excited(asked, tuple(out or ()), plot, (rate, periods), json=json)
    except InfeasibleError as error:
        tell_infeasible(error, json=json)
        raise typer.Exit(1) from error
