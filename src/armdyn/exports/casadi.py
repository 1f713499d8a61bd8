"""Quantities of a robot as files that CasADi loads: in Python, C++ and MATLAB, without armdyn."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from armdyn.dynamics import Dynamics
from armdyn.dynamics.casadi_methods import quantity_called
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.result_names import identifier
from armdyn.errors import InputError
from armdyn.exports.exported import Exported
from armdyn.exports.folder import made_folder, write
from armdyn.mechanics.methods import MethodName
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot

USUAL = ("inverse", "forward", "mass_matrix", "bias", "gravity", "pose", "jacobian")
"""What is written unless something else is asked for."""


def export_casadi(
    robot: Robot,
    folder: str | os.PathLike[str],
    *,
    quantities: Sequence[str] = USUAL,
    motors: MotorModel | None = None,
    friction: bool | None = None,
    method: MethodName | None = None,
    wrench: bool = False,
    at: bool = False,
    base: bool = False,
    added: bool = False,
    rubbing: bool = False,
    ways: bool = False,
) -> Exported:
    """Write a file `ROBOT_QUANTITY.casadi` for each quantity, which `casadi.Function.load` reads.

    Args:
        robot: what moves.
        folder: where files go; it is made if it is not there, and what has the same name is replaced.
        quantities: names of quantities of `Dynamics`, as `Dynamics.casadi` takes them.
        motors: how much of the drives the equations see; by default the best the robot's data support.
        friction: whether torques and accelerations include friction, as for `Dynamics`.
        method: the formulation, as for `Dynamics`.
        wrench: whether functions take what the tool exerts on its surroundings, where they can.
        at: whether they take the point where that acts, or that is looked at.
        base: whether they take the motion of the base.
        added: whether they take inertial parameters added to those of the bodies.
        rubbing: whether they take the terms of friction.
        ways: whether steps in time take which way friction points move, or that they stick.
    """
    dyn = Dynamics(robot, motors, friction, method)
    flags = {"wrench": wrench, "at": at, "base": base, "added": added, "rubbing": rubbing, "ways": ways}
    inputs = [name for name, asked in flags.items() if asked]
    names = dict.fromkeys(quantity_called(name) for name in quantities)
    functions = {name: _function(dyn, name, inputs) for name in names}
    for name in inputs:
        if not any(name in function.name_in() for function in functions.values()):
            raise InputError(f"none of {', '.join(functions)} takes {name}; leave it out")
    place, stem = made_folder(folder), identifier(robot.name)
    files = [
        write(place / f"{stem}_{function.name()}.casadi", _saved(function)) for function in functions.values()
    ]
    return Exported(tuple(files), tuple(_undecided(dyn, functions)))


def _function(dyn: Dynamics, name: str, inputs: Sequence[str]) -> Any:
    """The function, with those of the inputs that its quantity has."""
    given = [k for k in inputs if k in QUANTITIES[name].optional]
    if "at" in given and "wrench" not in given and "frame" not in QUANTITIES[name].options:
        given.remove("at")  # it says where a wrench acts, and there is none
    return dyn.casadi(name, *given)


def _saved(function: Any) -> bytes:
    """What CasADi's own `save` writes; it writes into files alone, and does not say if a disk was full."""
    with tempfile.TemporaryDirectory(prefix="armdyn-") as folder:
        file = Path(folder) / "function.casadi"
        function.save(str(file))
        try:
            function.load(str(file))
        except RuntimeError as error:
            raise InputError(
                f"{tempfile.gettempdir()}: function {function.name()} cannot be written there; "
                "make room, or let TMPDIR name another folder"
            ) from error
        return file.read_bytes()


def _undecided(dyn: Dynamics, names: Iterable[str]) -> Iterator[str]:
    """What takes iterations that no graph has: friction at rest, and motors at their limits."""
    iterated = [name for name in names if QUANTITIES[name].iterated is not None]
    if iterated and any(point.friction.dry for point in dyn.friction_points):
        yield (
            f"{', '.join(iterated)}: what friction holds at rest is not decided, an element is infinite "
            "there; motion_in_ways takes it as an input, friction off needs none"
        )
    if open_ended := [name for name in iterated if not QUANTITIES[name].settles_in_motion]:
        yield f"{', '.join(open_ended)}: an element is infinite where a few steps do not settle it"
