"""Operations of every formulation: as its equations are written, and after exploiting structure.

As written, counted numbers go through the equations on the tree as built: what the equations name is
counted, whether it is zero for this robot or not. Optimised, the equations are traced on the tree that
costs least and the graph is factored, as `Dynamics` does. Friction is no part of any formulation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, get_args

from armdyn.errors import InputError
from armdyn.mechanics import lagrange_euler
from armdyn.mechanics import methods as formulations
from armdyn.mechanics.methods import METHODS, Method, MethodName
from armdyn.mechanics.methods import method as method_called
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import BaseState, Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Graph, Program, Tally, program
from armdyn.scalars.factoring import factored

Quantity = Literal["inverse", "forward", "mass_matrix", "bias", "gravity"]
QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)
Mode = Literal["as_written", "optimised"]
MODES: tuple[Mode, ...] = get_args(Mode)

OMISSION_RULE = "omission rule"
"""The variant of Lagrange-Euler that leaves out what [Bejczy1974] Appendix D shows to be idle."""


@dataclass(frozen=True)
class OperationCount:
    """How many operations of each kind a quantity takes by one formulation."""

    quantity: Quantity
    formulation: MethodName
    mode: Mode
    motors: MotorModel
    multiplications: int
    additions: int
    """With subtractions; a change of sign is none."""
    divisions: int
    trigonometric: int
    """Sines and cosines."""
    square_roots: int
    variant: str | None = None

    @property
    def operations(self) -> int:
        """Multiplications, divisions and additions."""
        return self.multiplications + self.divisions + self.additions


@dataclass(frozen=True)
class Equations:
    """One quantity by one formulation, to be evaluated on any tree and any scalar."""

    quantity: Quantity
    method: Method
    variant: str | None = None

    def __call__(self, built: Tree, q: Sequence[Any], qd: Sequence[Any], last: Sequence[Any]) -> list[Any]:
        """The quantity, flat; last is qdd, or tau where accelerations are asked for."""
        match self.quantity:
            case "inverse":
                return self.method.inverse(built, q, qd, last).torque
            case "bias":
                return self.method.inverse(built, q, qd, None).torque
            case "gravity":
                return self.method.inverse(built, q, None, None).torque
            case "mass_matrix":
                return [element for row in self.method.mass_matrix(built, q) for element in row]
            case "forward":
                return self.method.forward(built, q, qd, last)

    def written(self, built: Tree) -> Tally:
        """The operations as the equations are written; a base at rest is structure, no number."""
        tally = Tally()
        built = built.at_rest() if built.base == BaseState() else built
        state = [[tally.number(0.1 * (k + 1)) for k in range(built.n)] for _ in range(3)]
        self(built.with_numbers(tally.number), *state)
        return tally

    def optimised(self, built: Tree) -> Program:
        """The graph of inputs q, qd and last over the tree that costs least, factored."""
        light = self.method.lightened(built, _traced_as(self.quantity))
        graph = Graph()
        return factored(program(self(light, *(graph.inputs(name, built.n) for name in ("q", "qd", "last")))))

    def count(self, built: Tree, mode: Mode) -> OperationCount:
        """The operations in one mode."""
        counts = vars(self.written(built)) if mode == "as_written" else self.optimised(built).counts()
        return OperationCount(
            self.quantity, self.method.name, mode, built.motors, **counts, variant=self.variant
        )


Progress = Callable[[Sequence[Equations]], Iterable[Equations]]
"""What hands out the equations to be counted, one after another, and may show how far it is."""


def _traced_as(quantity: Quantity) -> formulations.Quantity:
    """What the lighter tree is chosen for: bias and gravity are torques of a motion, too."""
    return "inverse" if quantity in ("bias", "gravity") else quantity


def equations(
    quantities: Iterable[str] | None = None, methods: Iterable[str] | None = None
) -> list[Equations]:
    """What the formulations give by themselves, quantity by quantity; all of it by default."""
    wanted = QUANTITIES if quantities is None else tuple(quantities)
    if unknown := [quantity for quantity in wanted if quantity not in QUANTITIES]:
        raise InputError(f'quantity "{unknown[0]}", expected one of {", ".join(QUANTITIES)}')
    chosen = [method_called(name) for name in (METHODS if methods is None else methods)]
    found = [
        Equations(quantity, by, variant)
        for quantity in QUANTITIES
        for method in chosen
        if quantity in wanted and quantity in given_by(method)
        for variant, by in _variants(method)
    ]
    if not found:
        names = " and ".join(f'"{method.name}" gives {", ".join(given_by(method))}' for method in chosen)
        raise InputError(f"method {names}, expected one that gives {' or '.join(wanted)}")
    return found


def given_by(method: Method) -> tuple[Quantity, ...]:
    """What a formulation gives by itself; whatever gives torques gives bias and gravity, too."""
    torques = ("bias", "gravity") if "inverse" in method.gives else ()
    return tuple(quantity for quantity in QUANTITIES if quantity in (*method.gives, *torques))


def _variants(method: Method) -> list[tuple[str | None, Method]]:
    if method.name != "lagrange_euler":
        return [(None, method)]
    inverse = partial(lagrange_euler.inverse_dynamics, omit=True)
    mass_matrix = partial(lagrange_euler.mass_matrix, omit=True)
    return [(None, method), (OMISSION_RULE, replace(method, inverse=inverse, mass_matrix=mass_matrix))]


def operation_counts(
    robot: Robot,
    motors: MotorModel | None = "none",
    quantities: Iterable[str] | None = None,
    methods: Iterable[str] | None = None,
    *,
    progress: Progress = iter,
) -> list[OperationCount]:
    """The operations of every quantity that the formulations give by themselves, in both modes.

    Without motors by default, as documents count; None is the best model that the data support.
    """
    built = tree(robot, motors)
    steps = progress(equations(quantities, methods))
    return [chosen.count(built, mode) for chosen in steps for mode in MODES]
