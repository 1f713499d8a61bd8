"""Quantities as functions of CasADi: for optimal control, estimation, and whoever wants more derivatives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.result_names import identifier, result_names
from armdyn.errors import InputError, suggestion
from armdyn.mechanics.task import task_axes
from armdyn.native.casadi_function import casadi_function


class CasadiMethods(Evaluating):
    """What CasADi is given; `Dynamics` has it."""

    def casadi(self, name: str, *given: str, **options: Any) -> Any:
        """A quantity as a `casadi.Function`: the very graph that armdyn traced, in CasADi's scalars.

        It has the inputs of the method called `name`, each a column, then those given; its results are
        columns and matrices. CasADi differentiates it, maps it, saves it, and calls it in its own graphs.
        It needs the extra `armdyn[casadi]`.

        It is the program of one state in motion: where dry friction would have to decide what stays at rest,
        accelerations and their derivatives have an infinite first element. `motion_in_ways` takes that
        decision as an input, `Dynamics(robot, friction=False)` needs none.

        Args:
            name: a method, as "inverse", or another quantity of `dynamics.quantities`, as "rk4 step".
            *given: which optional inputs it has: of "wrench", "at", "base", "added", "rubbing", "ways".
            **options: those of the method that are no arrays, as `frame=`, `angles=`, `choice=`, `task=`.

        Returns:
            A `casadi.Function` of that name, its inputs named as the method's arguments; results are named
            by their symbols ("tau", "qdd", "H", "C", "g", "J", "T", "by_q", "A", ..) or as the quantity.
        """
        quantity = quantity_called(name)
        _check_given(quantity, given)
        values = _values(quantity, options)
        signature = self._traced.signature(quantity, values, given)
        program = self._traced.program(quantity, values, given)
        names = result_names(quantity)
        return casadi_function(identifier(quantity), program, signature, names)


def quantity_called(name: str) -> str:
    """The quantity of that name, written with spaces or underscores."""
    for known in (name, name.replace("_", " "), f"{name.removesuffix('_step')} step"):
        if known in QUANTITIES:
            return known
    public = ", ".join(known for known, quantity in QUANTITIES.items() if quantity.bare)
    raise InputError(f'no quantity "{name}"; {suggestion(name, QUANTITIES)}expected one of {public}')


def _check_given(quantity: str, given: Sequence[str]) -> None:
    optional = QUANTITIES[quantity].optional
    for name in given:
        if name not in optional:
            expected = f"expected of {', '.join(optional)}" if optional else "expected none"
            raise InputError(f'{quantity} has no optional input "{name}", {expected}')


def _values(quantity: str, options: Mapping[str, Any]) -> tuple[Any, ...]:
    """A value for each option of the quantity, by default that of its method."""
    known = QUANTITIES[quantity].options
    for name in options:
        if name not in known:
            expected = f"expected of {', '.join(known)}" if known else "expected none"
            raise InputError(f'{quantity} has no option "{name}", {expected}')
    values: dict[str, Any] = {**dict(zip(known, QUANTITIES[quantity].defaults, strict=True)), **options}
    if "task" in values:
        values["task"] = ",".join(task_axes(values["task"], values["angles"]))
    return tuple(values.values())
