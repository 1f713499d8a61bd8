"""The equations of an arm that an FMU steps through: one function of C for each.

All functions of a kind take the same arguments whatever the arm has, so that the C around them is the same
for all arms: a wrench or a payload that is not used is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from armdyn.dynamics.model import Nodes
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError, MissingDataError
from armdyn.exports.c.function import arguments, function_text, prototype
from armdyn.exports.c.payload import SIZE, parameters_of_payload
from armdyn.exports.c.setting import Setting
from armdyn.exports.c.sticking import forward_text
from armdyn.mechanics import energy
from armdyn.mechanics.body_parameters import with_added
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.native.signature import Signature
from armdyn.robot import BaseMotion, Robot
from armdyn.scalars import Graph, Program, program, select
from armdyn.scalars.factoring import factored

DrivenBy = Literal["torque", "motor_torque", "current", "voltage"]
"""What the input of an FMU is."""
_QUANTITY = {
    "motor_torque": "torque_of_motors",
    "current": "torque_of_currents",
    "voltage": "torque_of_voltages",
}
_OUTSIDE = (("wrench", 6), ("payload", SIZE))
_DECIDED = "model_forward_decided"


@dataclass(frozen=True)
class Equation:
    """A function of C."""

    head: str
    text: str


@dataclass(frozen=True)
class Arm:
    """What is exported: a robot under one motor model, what drives it, and what may act on it besides."""

    robot: Robot
    motors: MotorModel | None = None
    friction: bool | None = None
    driven_by: DrivenBy = "torque"
    wrench: bool = False
    payload: bool = False

    def __post_init__(self) -> None:
        """Refuse what cannot drive the arm."""
        if self.driven_by not in get_args(DrivenBy):
            raise InputError(f'driven_by "{self.driven_by}", expected one of {", ".join(get_args(DrivenBy))}')
        if self.driven_by != "torque" and not self.robot.drives:
            raise MissingDataError(
                f'robot "{self.robot.name}" has no drives, {self.driven_by} needs some; take "torque"'
            )

    @cached_property
    def model(self) -> Traced:
        """Its equations."""
        return Traced(self.robot, self.motors, self.friction)

    @cached_property
    def _setting(self) -> Setting:
        return Setting(self.model, "model", "double", ("wrench",) if self.wrench else (), self.payload)

    @property
    def inputs(self) -> int:
        """How many numbers drive it."""
        return self.robot.n if self.driven_by == "torque" else len(self.robot.drives)

    @property
    def has_motor_torques(self) -> bool:
        """Whether the torques of the motors follow from those of the joints."""
        return len(self.robot.drives) == self.robot.n

    # The functions ------------------------------------------------------------------------------

    def equations(self) -> Iterator[Equation]:
        """All of them."""
        n, drives = self.robot.n, len(self.robot.drives)
        q, qd, tau = ("q", n), ("qd", n), ("tau", n)
        driven = Signature((q, qd, ("drive", self.inputs)), ((n,),))
        yield self._written("torque", driven, ("tau",), self._torque, "Joint torques of what drives it")
        yield from self._motion()
        place = Signature((q,), ((3,), (9,)))
        yield self._written("place", place, ("position", "rotation"), self._place, "Where the tool is")
        energies = Signature((q, qd, ("payload", SIZE)), ((2,),))
        yield self._written("energies", energies, ("found",), self._energies, "Kinetic and potential energy")
        if drives:
            motors = Signature((q, qd), ((2 * drives,),))
            yield self._written("motors", motors, ("found",), self._motors, "Angles and speeds of the motors")
        if drives and self.has_motor_torques:
            torques = Signature((q, tau), ((drives,),))
            build = self._of_quantity("motor_torque")
            yield self._written("motor_torque", torques, ("found",), build, "Torques of the motors")

    def _motion(self) -> Iterator[Equation]:
        """Accelerations; and, where friction can hold, the motion while nothing sticks or slips anew."""
        if not self.model.can_stick:
            yield self._quantity("forward", ("qdd",), "Accelerations that torques cause")
            return
        yield self._forward()
        found = ("qdd", "taken", "excess")
        yield self._quantity("motion_in_ways", found, "Motion while friction points keep their ways")
        yield self._quantity("stopped_velocity", ("stopped",), "After a blow that stops some points")
        points = ("ways", len(self.model.points))
        shafts = Signature((("q", self.robot.n), points), (points[1:],))
        yield self._written("shaft_ways", shafts, ("shafts",), self._shaft_ways, "Ways of the points' own")

    def _forward(self) -> Equation:
        """Forward dynamics that decides what sticks, and what it holds, for others."""
        said = "Accelerations that torques cause; friction decides what sticks."
        text, signature = forward_text(self._setting, _DECIDED, said)
        uniform = _uniform(signature)
        head = prototype("model_forward", uniform, results=("qdd",))
        given, unused = (arguments(x)[0] for x in (signature, uniform))
        names = [argument.name for argument in given]
        looked_at = "".join(f"    (void){a.name};\n" for a in unused if a.name not in names)
        calls = f"{looked_at}    return {_DECIDED}({', '.join(names)}, qdd);"
        n, points = self.robot.n, len(self.model.points)
        hold = f"void model_hold(const int sticks[{points}], double x[{n}])"
        parts = [text, f"{head}\n{{\n{calls}\n}}\n", f"{hold}\n{{\n    hold_still(sticks, x);\n}}\n"]
        return Equation(f"{head};\n{hold}", "\n".join(parts))

    def _quantity(self, name: str, results: tuple[str, ...], description: str) -> Equation:
        """A quantity of the dynamics."""
        written, signature = self._setting.traced_program(name)
        return self._equation(name, written, _uniform(signature), results, description)

    def _written(
        self,
        name: str,
        signature: Signature,
        results: tuple[str, ...],
        build: Callable[[Nodes], Sequence[Any]],
        description: str,
    ) -> Equation:
        """What is written down here."""
        graph = Graph()
        nodes = {k: graph.inputs(k, size) for k, size in signature.inputs}
        return self._equation(name, factored(program(build(nodes))), signature, results, description)

    def _equation(
        self, name: str, written: Program, signature: Signature, results: tuple[str, ...], description: str
    ) -> Equation:
        whole = f"model_{name}"
        text = function_text(
            whole, written, signature, results=results, description=f"{description}.", own_sines=True
        )
        return Equation(prototype(whole, signature, results=results), text)

    # How they are written -----------------------------------------------------------------------

    def _of_quantity(self, name: str) -> Callable[[Nodes], Sequence[Any]]:
        return lambda nodes: QUANTITIES[name].build(self.model, nodes)

    def _torque(self, nodes: Nodes) -> Sequence[Any]:
        if self.driven_by == "torque":
            return nodes["drive"]
        given = {"q": nodes["q"], "qd": nodes["qd"], self.driven_by: nodes["drive"]}
        return QUANTITIES[_QUANTITY[self.driven_by]].build(self.model, given)

    def _shaft_ways(self, nodes: Nodes) -> list[Any]:
        """Ways are those of the joints that points follow: beyond its dead centre a screw turns round."""
        shafts = list(nodes["ways"])
        for k, point in enumerate(self.model.points):
            if point.coordinate.law is not None:
                (_, slope), *_ = state_of(point.coordinate, nodes["q"]).gradient
                (_, weight), *_ = point.coordinate.weights
                shafts[k] = select(-slope * weight, -shafts[k], shafts[k])
        return shafts

    def _place(self, nodes: Nodes) -> list[Any]:
        rows = list(QUANTITIES["pose"].build(self.model, nodes, None))
        return [rows[k] for k in (3, 7, 11, 0, 1, 2, 4, 5, 6, 8, 9, 10)]

    def _motors(self, nodes: Nodes) -> list[Any]:
        names = ("motor_position", "motor_velocity")
        return [x for name in names for x in QUANTITIES[name].build(self.model, nodes)]

    def _energies(self, nodes: Nodes) -> list[Any]:
        whole, q, qd = self._loaded(nodes["payload"]), nodes["q"], nodes["qd"]
        return [energy.kinetic_energy(whole, q, qd), energy.potential_energy(whole, q)]

    def _loaded(self, payload: Sequence[Any]) -> Tree:
        """The arm on a base at rest, to which energies are relative, with the payload if there may be one."""
        still = Traced(self.robot.with_base_motion(BaseMotion()), self.model.motors, self.model.friction)
        if not self.payload:
            return still.whole_tree
        return with_added(still.whole_tree, {self.robot.tool.body: parameters_of_payload(payload)})


def _uniform(signature: Signature) -> Signature:
    """The same with places for a wrench and a payload, where it has none for them."""
    inputs = [(name, size) for name, size in signature.inputs if (name, size) not in _OUTSIDE]
    return Signature((*inputs, *_OUTSIDE), signature.results)
