"""`armdyn simulate`: the motion that torques, currents, voltages or a controller cause."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from armdyn.cli.options import (
    AtOption,
    DegreesOption,
    FrictionOption,
    JsonOption,
    MotorsOption,
    WrenchOption,
    evaluated,
    joint_vector,
    numbers,
    of_robot,
)
from armdyn.robot import Robot


@of_robot
def simulate(
    arm: Robot,
    duration: Annotated[float, typer.Option("--duration", metavar="S", help="How long, in s.")],
    input_file: Annotated[
        Path | None,
        typer.Option(
            "--input",
            metavar="FILE",
            help="Torques, currents or voltages over time: .csv, .parquet, or a schedule in .toml "
            "[default: none, the arm moves freely].",
        ),
    ] = None,
    kind: Annotated[
        Literal["tau", "motor_torque", "current", "voltage"] | None,
        typer.Option("--kind", help="Which columns of the input drive the arm, where it has several."),
    ] = None,
    between: Annotated[
        Literal["hold", "linear"] | None,
        typer.Option("--between", help="What an input is between its samples [default: linear]."),
    ] = None,
    controller: Annotated[
        Literal["pid", "pd_gravity", "computed_torque", "operational_space"] | None,
        typer.Option("--controller", help="What drives the arm along a reference."),
    ] = None,
    task: Annotated[
        str | None,
        typer.Option(
            "--task", metavar="AXES", help="Of operational_space: position, or x,y,rz, .. [default: pose]."
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            "--reference",
            metavar="FILE",
            help="Joint samples (.csv, .parquet), a robot program (.lirl), or an example's name "
            "[default: the start is held].",
        ),
    ] = None,
    verified: Annotated[
        bool, typer.Option("--verified", help="Follow what the motors can do of the reference.")
    ] = False,
    frequency: Annotated[
        str | None,
        typer.Option(
            "--frequency", metavar="W,..", help="Natural frequency of the servos [default: 20 rad/s]."
        ),
    ] = None,
    damping: Annotated[
        str | None, typer.Option("--damping", metavar="Z,..", help="Their damping [default: 1, critical].")
    ] = None,
    kp: Annotated[
        str | None,
        typer.Option("--kp", metavar="K1,..", help="Gains in place of --frequency: one for all, or each."),
    ] = None,
    kv: Annotated[str | None, typer.Option("--kv", metavar="K1,..", help="Velocity gains.")] = None,
    ki: Annotated[str | None, typer.Option("--ki", metavar="K1,..", help="Integral gains of pid.")] = None,
    limits: Annotated[
        bool, typer.Option("--limits", help="The controller gets no more than the motors can give.")
    ] = False,
    q: Annotated[
        str | None,
        typer.Option(
            "--q", metavar="Q1,..", help="Where the arm starts [default: on the reference, or home]."
        ),
    ] = None,
    qd: Annotated[
        str | None,
        typer.Option("--qd", metavar="V1,..", help="How fast [default: as the reference, or at rest]."),
    ] = None,
    integrator: Annotated[
        Literal["euler", "semi_implicit", "rk4", "dop853", "lsoda"],
        typer.Option("--integrator", help="With a fixed step, or (dop853, lsoda) adaptive."),
    ] = "dop853",
    dt: Annotated[
        float | None,
        typer.Option(
            "--dt", metavar="S", help="The fixed step [default: 0.001], or the longest adaptive one [0.01]."
        ),
    ] = None,
    sample: Annotated[
        float | None,
        typer.Option("--sample", metavar="S", help="Time between two results [default: as --dt]."),
    ] = None,
    rtol: Annotated[
        float | None,
        typer.Option("--rtol", help="Relative tolerance of adaptive integrators [default: 1e-10]."),
    ] = None,
    atol: Annotated[
        float | None, typer.Option("--atol", help="Absolute tolerance of them [default: 1e-12].")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Write the run: .parquet, .csv or .mcap."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the run that is in the .parquet file of --out.")
    ] = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw the run: .png, .svg or .pdf.")
    ] = None,
    motors: MotorsOption = None,
    friction: FrictionOption = None,
    wrench: WrenchOption = None,
    at: AtOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Simulate the motion that torques, currents, voltages or a controller cause."""
    # what reads files and integrates takes long to import, and every other command would wait for it
    from armdyn.cli.driven import Gains, Given
    from armdyn.cli.simulated import Asked, simulated

    given = Given(
        input_file,
        kind,
        between,
        controller,
        reference,
        verified,
        Gains(frequency, damping, kp, kv, ki),
        limits,
        joint_vector("--q", q, arm, degrees),
        joint_vector("--qd", qd, arm, degrees),
        None if wrench is None else numbers("--wrench", wrench, (6,)),
        None if at is None else numbers("--at", at, (3,)),
        task,
    )
    integration = {"integrator": integrator, "dt": dt, "sample": sample, "rtol": rtol, "atol": atol}
    asked = Asked(given, duration, integration, out, figure, resume)
    simulated(asked, evaluated(arm, motors, friction), json=json)
