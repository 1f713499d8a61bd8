"""The functions of an export: their names, their programs and their texts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from armdyn.dynamics.result_names import result_names
from armdyn.errors import InputError, MissingDataError
from armdyn.exports.c.function import function_text
from armdyn.exports.c.quantities import NAMES, description
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.sticking import forward_text
from armdyn.formats.c_text import LONGEST, c_name
from armdyn.native.signature import Signature
from armdyn.scalars import Program

OPEN_AT_REST = ("forward_derivatives", "linearisation", "forward_parameter_derivatives")
"""What has no iteration in C for states in which dry friction holds something."""


@dataclass(frozen=True)
class CFunction:
    """One function that others see."""

    name: str
    quantity: str
    program: Program
    """Of what it computes in motion."""
    signature: Signature
    results: tuple[str, ...]
    description: str
    text: str


def c_functions(setting: Setting, names: Sequence[str]) -> list[CFunction]:
    """A function for each of these quantities, by their names in C."""
    return [_function(setting, name) for name in names]


def _function(setting: Setting, name: str) -> CFunction:
    quantity, whole = NAMES[name], f"{setting.prefix}_{name}"
    program, signature = setting.traced_program(quantity)
    if not program.outputs:
        raise MissingDataError(
            f'robot "{setting.traced.robot.name}": {name} has no elements, it needs drives or friction; '
            "leave it out"
        )
    said, results = description(quantity), result_names(quantity)
    if quantity == "forward" and setting.traced.can_stick:
        text, signature = forward_text(setting, whole, said)
    else:
        text = function_text(
            whole,
            program,
            signature,
            setting.precision,
            results=results,
            bodies=setting.bodies,
            description=said,
            own_sines=True,
        )
    return CFunction(whole, quantity, program, signature, results, said, text)


def prefix_for(robot: str, names: Sequence[str], asked: str | None) -> str:
    """What all names begin with: as asked for, or the robot's name as far as C tells names apart."""
    room = LONGEST - 1 - max(len(name) for name in names)
    if asked is None:
        return c_name(robot, room).lower()
    if asked != c_name(asked) or len(asked) > room:
        raise InputError(
            f'prefix "{asked}", expected a name of C of {room} characters at most: '
            f"with the name of a quantity behind it no more than {LONGEST} are told apart"
        )
    return asked
