"""Explicit equations, exact or short."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from armdyn.equations import printing
from armdyn.equations.derive import derive
from armdyn.equations.equations import Equation, Equations
from armdyn.equations.simplified import SimplifiedEquation, simplified
from armdyn.studio.messages.answers import DeriveResult, EquationText, Short
from armdyn.studio.messages.requests import DeriveTask

if TYPE_CHECKING:
    from armdyn.studio.jobs.work import Workshop


@dataclass(frozen=True)
class Derived:
    """Equations, and their short forms where those were asked for."""

    motors: str
    equations: Equations
    short: tuple[SimplifiedEquation, ...] = ()


def derived(shop: Workshop, task: DeriveTask) -> Derived:
    """The equations that a task asks for, written down."""
    ready = shop.robots.ready(task.robot, task.settings)
    shop.tell(f"{task.quantity} of {ready.robot.name}")
    equations = derive(
        ready.robot,
        task.quantity,
        task.element,
        motors=task.settings.motors,
        parameters="symbolic" if task.symbolic else "numeric",
        inertia=task.inertia,
        payload=task.payload_symbols,
        coordinates=task.coordinates,
    )
    if task.simplify is not None or task.operations is not None:
        short = simplified(equations, task.simplify, operations=task.operations, progress=shop.tell)
        return Derived(ready.dyn.motors, equations, tuple(short))
    for k, equation in enumerate(equations):
        shop.tell(equation.name, k / len(equations))
        _ = equation.expression  # found when first asked for: here, where it can be told how far it is
    return Derived(ready.dyn.motors, equations)


def derive_answer(shop: Workshop, task: DeriveTask) -> DeriveResult:
    """Equations as text and LaTeX."""
    found: Derived = shop.kept(task, lambda: derived(shop, task))
    equations = found.equations
    short = {each.equation.index: each for each in found.short}
    ring, setting = equations.setting.ring, equations.setting
    names = {name for equation in equations for name in equation.harmonic.names}
    return DeriveResult(
        quantity=equations.quantity,
        robot=setting.robot.name,
        motors=found.motors,
        equations=[_equation(equation, short.get(equation.index)) for equation in equations],
        definitions=[f"{name} = {text}" for name, text in printing.definitions(ring, names)],
    )


def _equation(equation: Equation, short: SimplifiedEquation | None) -> EquationText:
    return EquationText(
        name=equation.name,
        index=list(equation.index),
        text=str(equation),
        latex=equation.latex(),
        operations=equation.operations.total,
        short=[] if short is None else _short(short),
        note="" if short is None else short.short.note or "",
    )


def _short(found: SimplifiedEquation) -> list[Short]:
    cases = zip(found.loads, found.short.expressions, found.short.errors, strict=True)
    return [
        Short(
            load=load,
            text=printing.to_text(expression, digits=6),
            latex=f"{found.equation.left_side} \\approx {printing.to_latex(expression)}",
            mean_error=errors.mean,
            largest_error=errors.bound,
            certified=errors.certified,
        )
        for load, expression, errors in cases
    ]
