"""`armdyn study`: what every joint and drive feels over the workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from armdyn.cli.options import (
    DegreesOption,
    EffortOption,
    FrictionOption,
    JsonOption,
    MotorsOption,
    RangesOption,
    of_robot,
)
from armdyn.robot import Robot

KINDS = "inertia, gravity, coupling, servo, reactions, sizing or manipulability"
"""As help lists them; `studies.loads.study` has them, which takes longer to import."""
EACH = "one number for all joints, or one each"


@of_robot
def study(
    arm: Robot,
    kind: Annotated[str, typer.Argument(metavar="KIND", help=f"Of {KINDS}.")],
    joints: Annotated[
        str | None,
        typer.Option("--joints", metavar="J,..", help="Which joints, number or name [default: all]."),
    ] = None,
    ranges: RangesOption = None,
    over: Annotated[
        str | None, typer.Option("--over", metavar="J", help="Draw curves over this joint (coupling, servo).")
    ] = None,
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="J=V;V;..,..", help="A curve for each of these values of other joints."),
    ] = None,
    posture: Annotated[
        str | None,
        typer.Option("--posture", metavar="J=V,..", help="Where the rest stands for curves [default: home]."),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option("--speed", metavar="V,..", help=f"Speeds (coupling, reactions): {EACH}, or J=V,.."),
    ] = None,
    acceleration: Annotated[
        str | None,
        typer.Option("--acceleration", metavar="A,..", help="Accelerations (coupling, reactions), likewise."),
    ] = None,
    share: Annotated[
        float | None,
        typer.Option(
            "--share", help="Of the inertia torque, where fast motion begins (coupling) [default: 0.1]."
        ),
    ] = None,
    natural_frequency: Annotated[
        str | None,
        typer.Option("--natural-frequency", metavar="W,..", help=f"Of the servos, rad/s: {EACH}, or J=W,.."),
    ] = None,
    gains: Annotated[
        str | None,
        typer.Option("--gains", metavar="KP,..;KV,..", help="Position and velocity gains instead."),
    ] = None,
    damping: Annotated[
        float | None, typer.Option("--damping", help="That servos are to have [default: 1, critical].")
    ] = None,
    nominal: Annotated[
        str | None,
        typer.Option("--nominal", help="Inertia that gains are for: smallest, home [default: smallest]."),
    ] = None,
    others: Annotated[
        str | None,
        typer.Option("--others", help="Other joints of a servo: locked, free [default: locked]."),
    ] = None,
    motion: Annotated[
        list[Path] | None,
        typer.Option("--motion", metavar="FILE", help="A .csv or .parquet file (sizing); may be repeated."),
    ] = None,
    candidates: Annotated[
        Path | None,
        typer.Option("--candidates", metavar="FILE", help="Motors to choose from (sizing): .toml."),
    ] = None,
    gears: Annotated[
        str | None,
        typer.Option(
            "--gears", metavar="R,..", help="Gear ratios to try [default: of the file, or as they are]."
        ),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--task", metavar="AXES", help="Of x, y, z, rx, ry, rz (manipulability) [default: position]."
        ),
    ] = None,
    frame: Annotated[
        str | None,
        typer.Option("--frame", metavar="BODY", help="Whose frame (manipulability) [default: the tool]."),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(
            "--measure", metavar="NAME,..", help="Mapped (manipulability): isotropy, acceleration, .."
        ),
    ] = None,
    cut: Annotated[
        list[str] | None,
        typer.Option("--slice", metavar="AXIS=M", help="Where the map is (manipulability) [default: y=0]."),
    ] = None,
    volume: Annotated[
        bool, typer.Option("--volume", help="Map the whole workspace (manipulability).")
    ] = False,
    cells: Annotated[
        int | None, typer.Option("--cells", help="Along the map's longer side [default: 40; 14 of a volume].")
    ] = None,
    limits: Annotated[
        str | None,
        typer.Option("--limits", metavar="T,..", help=f"Joint torques (manipulability): {EACH}."),
    ] = None,
    friction: FrictionOption = None,
    effort: EffortOption = None,
    postures: Annotated[
        bool, typer.Option("--postures", help="Print where the extremes are, too (JSON always has them).")
    ] = False,
    plot: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the figures: .svg, .png or .pdf.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="FILE", help="Write a report for a browser: .html.")
    ] = None,
    motors: MotorsOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Say what every joint and drive feels over the workspace: extremes with postures and proved bounds."""
    # what studies takes long to import, and every other command would wait for it
    from armdyn.cli.studied import Asked, studied

    texts = {
        "joints": joints,
        "ranges": ranges,
        "over": over,
        "at": at,
        "posture": posture,
        "velocity": speed,
        "acceleration": acceleration,
        "share": share,
        "natural_frequency": natural_frequency,
        "gains": gains,
        "damping": damping,
        "nominal": nominal,
        "others": others,
        "motions": motion or None,
        "candidates": candidates,
        "gears": gears,
        "task": task,
        "frame": frame,
        "measures": measures,
        "cut": cut or None,
        "volume": volume or None,
        "cells": cells,
        "limits": limits,
        "friction": friction,
        "effort": effort,
        "motors": motors,
    }
    given = {name: value for name, value in texts.items() if value is not None}
    studied(Asked(arm, kind, given, degrees), plot, report, json=json, postures=postures)
