"""Explicit equations of any arm, element by element."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from armdyn.equations import quantities
from armdyn.equations.axes import unit_motions
from armdyn.equations.base_parameters.finding import parameter_values
from armdyn.equations.equations import Equation, Equations
from armdyn.equations.readable import Writer
from armdyn.equations.setting import COORDINATES, PARAMETERS, Coordinates, Parameters, Setting
from armdyn.equations.symbols import INERTIA_FORMS, InertiaForm
from armdyn.errors import InputError, suggestion
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot

ELEMENTS_HINTED = ("mass_matrix", "kinetic_energy")
"""Quantities whose coefficients are products of how bodies move."""


def derive(
    robot: Robot,
    quantity: str,
    element: Sequence[int] | int | None = None,
    *,
    motors: MotorModel | None = None,
    parameters: Parameters = "numeric",
    inertia: InertiaForm = "gyration",
    payload: bool = False,
    coordinates: Coordinates = "relative",
) -> Equations:
    """The equations of a quantity, as short as they were found.

    Args:
        robot: the arm; joints that are locked (`robot.locked`) are constants of the equations.
        quantity: mass_matrix, gravity, velocity (symmetric Christoffel c_ijk), coriolis_matrix, torque,
            kinetic_energy, potential_energy, base_parameters (what torques depend on, friction aside), pose,
            jacobian (of the tool), partial_derivatives (U_ji of the bodies' frames), newton_euler (the
            recursion step by step), mrnea (its vectors).
        element: the index of one element counted from 1, or its beginning for all that share it.
        motors: how much of the drives the equations see; by default the best the data support.
        parameters: numbers, or symbols for masses, lengths, inertias, gears and gravity (see `symbols`).
        inertia: which symbols a tensor has: "gyration" (radii about the body's origin, collected under its
            mass), "origin" (the tensor about it) or "centre" (about the centre of mass).
        payload: whether something held is added in symbols (mL, xL, ..), beside what the robot holds.
        coordinates: "relative" joint angles, or "absolute": angles of parallel axes from where their chain
            begins.
    """
    check(robot, quantity, parameters, inertia, coordinates)
    if quantity == "mrnea" and coordinates == "absolute":
        raise InputError("the vectors of mrnea belong to joints; derive them with relative coordinates")
    setting = Setting.of(
        robot, motors, parameters=parameters, inertia=inertia, payload=payload, coordinates=coordinates
    )
    if quantity == "base_parameters":
        setting = replace(setting, values={**setting.values, **parameter_values(setting)})
    asked = _index(robot, quantity, element)
    found = [
        (name, index, value)
        for name, index, value in quantities.of(setting, quantity)
        if index[: len(asked)] == asked
    ]
    if not found:
        raise InputError(_no_element(robot, quantity, asked))
    hints = unit_motions(setting) if quantity in ELEMENTS_HINTED and parameters == "symbolic" else ()
    writer = Writer(setting.ring, parallel=setting.parallel, hints=hints)
    return Equations(
        setting, quantity, tuple(Equation(setting, writer, name, index, h) for name, index, h in found)
    )


def check(robot: Robot, quantity: str, parameters: str, inertia: str, coordinates: str) -> None:
    """Refuse what is not known, in one sentence."""
    if not isinstance(robot, Robot):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"robot is a {type(robot).__name__}, expected a Robot; ad.load(..) gives one")
    for what, value, known in (
        ("quantity", quantity, tuple(quantities.QUANTITIES)),
        ("parameters", parameters, PARAMETERS),
        ("inertia", inertia, INERTIA_FORMS),
        ("coordinates", coordinates, COORDINATES),
    ):
        if value not in known:
            hint = suggestion(str(value), known)
            raise InputError(f"{what} {value!r} is not known; {hint}expected one of {', '.join(known)}")


def _index(robot: Robot, quantity: str, element: Sequence[int] | int | None) -> quantities.Index:
    """The index as the quantity counts it: symmetric ones in order."""
    if element is None:
        return ()
    index = tuple(element) if isinstance(element, Sequence) else (element,)
    known = quantities.QUANTITIES[quantity]
    if any(isinstance(i, bool) or not isinstance(i, int) or i < 1 for i in index) or (  # pyright: ignore[reportUnnecessaryIsInstance]
        known.indices and len(index) > len(known.indices)
    ):
        raise InputError(_no_element(robot, quantity, index))
    if known.symmetric and len(index) == len(known.indices):
        return (*index[:-2], *sorted(index[-2:]))
    return index


def _no_element(robot: Robot, quantity: str, index: quantities.Index) -> str:
    sizes = zip(quantities.QUANTITIES[quantity].indices, quantities.shape_of(robot, quantity), strict=True)
    expected = ", ".join(f"{name} 1 to {size}" for name, size in sizes)
    shown = ",".join(str(i) for i in index)
    return (
        f'{quantity} of robot "{robot.name}" has no element {shown}; '
        f"expected {expected or 'an index that the list of all elements shows'}"
    )
