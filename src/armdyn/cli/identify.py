"""`armdyn identify`: the parameters of a robot, or of what it holds, from what it was seen to do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from armdyn.cli.options import JsonOption, MotorsOption, of_robot
from armdyn.robot import Robot

METHODS = Literal["ordinary", "weighted", "reweighted", "damped", "total", "sequential"]


@of_robot
def identify(
    arm: Robot,
    log: Annotated[
        list[Path] | None,
        typer.Argument(metavar="LOG", help="Files of positions and torques: .csv, .parquet or .mcap."),
    ] = None,
    validate: Annotated[
        Path | None, typer.Option("--validate", metavar="LOG", help="Another log, to be predicted.")
    ] = None,
    payload_log: Annotated[
        Path | None,
        typer.Option(
            "--payload-log",
            metavar="LOG",
            help="A log of the robot holding something unknown; without LOG the robot itself is known.",
        ),
    ] = None,
    method: Annotated[
        METHODS | None, typer.Option("--method", help="Kind of least squares [default: weighted].")
    ] = None,
    motors: MotorsOption = None,
    friction: Annotated[
        Literal["on", "off"] | None,
        typer.Option("--friction", help="Estimate friction and offsets of the joints [default: on]."),
    ] = None,
    among: Annotated[
        str | None,
        typer.Option(
            "--among",
            metavar="NAME,..",
            help="Parameters that are not zero, as Izz or link2.m [default: all].",
        ),
    ] = None,
    prior: Annotated[
        float | None,
        typer.Option("--prior", metavar="SHARE", help="How far off the robot file may be, as 0.3."),
    ] = None,
    damping: Annotated[
        float | None,
        typer.Option("--damping", metavar="SHARE", help="Of damped least squares [default: 1e-3]."),
    ] = None,
    cutoff: Annotated[
        float | None,
        typer.Option(
            "--cutoff", metavar="HZ", help="Of the low-pass [default: from the motion]; inf for none."
        ),
    ] = None,
    decimate: Annotated[
        int | None, typer.Option("--decimate", metavar="N", help="Keep one sample in N [default: by cutoff].")
    ] = None,
    velocity: Annotated[
        Literal["measured", "derived"] | None,
        typer.Option("--velocity", help="Velocities from positions, or as measured [default: derived]."),
    ] = None,
    effort: Annotated[
        Literal["tau", "motor_torque", "current"] | None,
        typer.Option("--effort", help="Which of them counts in logs that have several."),
    ] = None,
    topic: Annotated[
        str | None, typer.Option("--topic", metavar="NAME", help="Of .mcap files with several.")
    ] = None,
    drop_invalid: Annotated[
        bool, typer.Option("--drop-invalid", help="Leave out samples that are no numbers.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the robot found: .toml or .urdf.")
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw measured and predicted torques: .svg, .png, .pdf."),
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a report for a browser: .html.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """Find the parameters of a robot from logs, with their errors; write a robot file that has them."""
    # what estimates takes long to import, and every other command would wait for it
    from armdyn.cli.identification import Asked, Files, identified

    given = {
        "method": method,
        "motors": motors,
        "friction": None if friction is None else friction == "on",
        "among": None if among is None else [name.strip() for name in among.split(",")],
        "prior": prior,
        "damping": damping,
        "cutoff": cutoff,
        "decimate": decimate,
        "velocity": velocity,
        "effort": effort,
        "topic": topic,
        "drop_invalid": drop_invalid or None,
    }
    options = {name: value for name, value in given.items() if value is not None}
    identified(Asked(arm, log or [], validate, payload_log, options), Files(out, plot, report), json=json)
