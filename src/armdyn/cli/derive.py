"""`armdyn derive`: explicit equations, exact or short with a known error."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from armdyn.cli.options import DegreesOption, EffortOption, JsonOption, MotorsOption, RangesOption, of_robot
from armdyn.robot import Robot

QUANTITIES = (
    "mass_matrix, gravity, velocity, coriolis_matrix, torque, kinetic_energy, potential_energy, "
    "base_parameters, pose, jacobian, partial_derivatives, newton_euler or mrnea"
)
"""As help lists them; `equations.quantities` has them, which takes longer to import."""


@of_robot
def derive(
    arm: Robot,
    quantity: Annotated[str, typer.Argument(metavar="QUANTITY", help=f"Of {QUANTITIES}.")],
    element: Annotated[
        str | None,
        typer.Option("--element", metavar="I,J,..", help="One element, or all whose index begins so."),
    ] = None,
    symbolic: Annotated[
        bool, typer.Option("--symbolic", help="Masses, lengths, inertias, gears and gravity as symbols.")
    ] = False,
    inertia: Annotated[
        Literal["gyration", "origin", "centre"] | None,
        typer.Option(
            "--inertia",
            help="Symbols of a tensor: radii of gyration or tensor about the body's origin, or about its "
            "centre of mass [default: gyration].",
        ),
    ] = None,
    payload_symbols: Annotated[
        bool, typer.Option("--payload-symbols", help="Something more in the hand, in symbols mL, xL, ..")
    ] = False,
    coordinates: Annotated[
        Literal["relative", "absolute"],
        typer.Option("--coordinates", help="Angles of parallel axes from their parents, or from the first."),
    ] = "relative",
    form: Annotated[
        Literal["text", "latex", "markdown", "python", "c", "sympy"] | None,
        typer.Option("--as", help="How to write them [default: text]."),
    ] = None,
    simplify: Annotated[
        float | None,
        typer.Option(
            "--simplify",
            metavar="TOLERANCE",
            help="Short forms: mean error over mean value at most, as 0.05.",
        ),
    ] = None,
    operations: Annotated[
        int | None,
        typer.Option(
            "--operations", metavar="N", help="The best short forms with so many operations instead."
        ),
    ] = None,
    measure: Annotated[
        Literal["mean", "range"] | None,
        typer.Option(
            "--measure",
            help="What a tolerance is about: mean errors, or the largest beside the range [default: mean].",
        ),
    ] = None,
    ranges: RangesOption = None,
    trade_off: Annotated[
        bool, typer.Option("--trade-off", help="List operations against error, from a constant to exact.")
    ] = False,
    effort: EffortOption = None,
    plot: Annotated[
        Path | None,
        typer.Option("--plot", metavar="FILE", help="Draw operations against error: .svg, .png or .pdf."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write the equations to a file, too.")
    ] = None,
    motors: MotorsOption = None,
    degrees: DegreesOption = False,
    json: JsonOption = False,
) -> None:
    """Give explicit equations of an arm: exact ones, or short ones with a known error."""
    # what derives takes long to import, and every other command would wait for it
    from armdyn.cli.derived import Asked, derived

    asked = Asked(
        arm,
        quantity,
        element,
        symbolic=symbolic,
        inertia=inertia,
        payload=payload_symbols,
        coordinates=coordinates,
        motors=motors,
        tolerance=simplify,
        operations=operations,
        measure=measure,
        ranges=ranges,
        degrees=degrees,
        effort=effort,
        curve=trade_off or plot is not None,
        form=form,
        out=out,
    )
    derived(asked, plot, json=json)
