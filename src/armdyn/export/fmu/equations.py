"""The equations of an arm that an FMU steps through: one function of C for each.

All functions of a kind take the same arguments whatever the arm has, so that the C around them is the same
for all arms: an argument that is not used is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

from armdyn.dynamics.model import Nodes
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError, MissingDataError
from armdyn.mechanics import energy
from armdyn.mechanics.body_parameters import parameters_of, with_added
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.native.signature import Signature
from armdyn.robot import BaseMotion, Robot
from armdyn.scalars import Graph, Program, program, select
from armdyn.scalars.factoring import factored
from armdyn.spatial import Inertia

DrivenBy = Literal["torque", "motor_torque", "current", "voltage"]
"""What the input of an FMU is."""
_QUANTITY = {
    "motor_torque": "torque_of_motors",
    "current": "torque_of_currents",
    "voltage": "torque_of_voltages",
}
WRENCH, PAYLOAD = 6, 10
OUTSIDE = ("wrench", "payload")


@dataclass(frozen=True)
class Equation:
    """A function of C in the making."""

    name: str
    program: Program
    signature: Signature
    results: tuple[str, ...]
    description: str


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
            raise InputError(f'input "{self.driven_by}", expected one of {", ".join(get_args(DrivenBy))}')
        if self.driven_by != "torque" and not self.robot.drives:
            raise MissingDataError(
                f'robot "{self.robot.name}" has no drives, {self.driven_by} needs some; take input "torque"'
            )

    @cached_property
    def model(self) -> Traced:
        """Its equations."""
        return Traced(self.robot, self.motors, self.friction)

    @cached_property
    def _still(self) -> Traced:
        """The same on a base at rest: energies are those of a motion relative to the base."""
        return Traced(self.robot.with_base_motion(BaseMotion()), self.model.motors, self.model.friction)

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
        yield self._written("torque", "q qd drive", "tau:n", self._torque, "Joint torques of what drives it")
        yield self._quantity("forward", "q qd tau", "qdd:n", "Accelerations in motion")
        if self.model.can_stick:
            yield from self._deciding()
        place = "position:3 rotation:9"
        yield self._written("place", "q", place, self._place, "Where the tool is")
        yield self._written("energies", "q qd payload", "energies:2", self._energies, "Kinetic, potential")
        if self.robot.drives:
            yield self._written("motors", "q qd", "moving:2drives", self._motors, "Motor positions, rates")
        if self.robot.drives and self.has_motor_torques:
            yield self._written(
                "motor_torque", "q tau", "torque:drives", self._of_quantity("motor_torque"), "Motor torques"
            )

    def _deciding(self) -> Iterator[Equation]:
        """What decides which friction points stick, and the motion between two decisions."""
        yield self._quantity(
            "friction_step",
            "q qd qdd held tau",
            "following:n asked:points wrong:1",
            "A step of the iteration that decides what sticks",
        )
        yield self._written(
            "friction_at_rest",
            "q qd qdd held wrench payload",
            "taken:points running:points",
            lambda nodes: list(self._of_quantity("friction at rest")(nodes))[self.robot.n :],
            "What friction points take, and how they run from rest",
        )
        yield self._written(
            "motion_in_ways",
            "q qd tau ways wrench payload",
            "qdd:n",
            self._motion_in_ways,
            "Accelerations while friction points keep their ways",
        )
        yield self._written(
            "stopped_velocity",
            "q qd ways payload",
            "stopped:n",
            self._of_quantity("stopped_velocity"),
            "Velocities after a blow that stops some points",
        )

    def _quantity(self, name: str, given: str, results: str, description: str) -> Equation:
        build = self._of_quantity(name.replace("_", " ") if "friction" in name else name)
        return self._written(name, f"{given} wrench payload", results, build, description)

    def _written(
        self,
        name: str,
        given: str,
        results: str,
        build: Callable[[Nodes], Iterable[Any]],
        description: str,
    ) -> Equation:
        """A function with these inputs and results, names with sizes behind a colon."""
        graph = Graph()
        sized = tuple((k, self._size(k)) for k in given.split())
        nodes = {k: graph.inputs(k, size) for k, size in sized}
        names, sizes = zip(*(result.split(":") for result in results.split()), strict=True)
        shapes = tuple((self._size(size),) for size in sizes)
        written = factored(program(list(build(nodes))))
        return Equation(name, written, Signature(sized, shapes), names, description)

    def _size(self, name: str) -> int:
        points, drives = len(self.model.points), len(self.robot.drives)
        sizes = {
            "drive": self.inputs,
            "drives": drives,
            "2drives": 2 * drives,
            "wrench": WRENCH,
            "payload": PAYLOAD,
            "held": points,
            "ways": points,
            "points": points,
        }
        return int(name) if name.isdigit() else sizes.get(name, self.robot.n)

    # How they are written -----------------------------------------------------------------------

    def _of_quantity(self, name: str) -> Callable[[Nodes], Iterable[Any]]:
        return lambda nodes: QUANTITIES[name].build(self.model, self._given(nodes))

    def _given(self, nodes: Nodes) -> Nodes:
        """What a quantity of the dynamics takes: what acts on the arm, if it is asked for."""
        given = {k: x for k, x in nodes.items() if k not in OUTSIDE}
        if self.wrench and "wrench" in nodes:
            given["wrench"] = nodes["wrench"]
        if self.payload and "payload" in nodes:
            held = _parameters(nodes["payload"])
            nothing: list[Any] = [0] * len(held)
            carrier = self.robot.tool.body
            given["added"] = [
                x for body in self.robot.body_names for x in (held if body == carrier else nothing)
            ]
        return given

    def _torque(self, nodes: Nodes) -> Sequence[Any]:
        if self.driven_by == "torque":
            return nodes["drive"]
        given = {"q": nodes["q"], "qd": nodes["qd"], self.driven_by: nodes["drive"]}
        return QUANTITIES[_QUANTITY[self.driven_by]].build(self.model, given)

    def _motion_in_ways(self, nodes: Nodes) -> Iterable[Any]:
        """Ways are those of the joints that points follow; beyond its dead centre a screw turns round."""
        shafts = list(nodes["ways"])
        for k, point in enumerate(self.model.points):
            if point.coordinate.law is not None:
                (_, slope), *_ = state_of(point.coordinate, nodes["q"]).gradient
                (_, weight), *_ = point.coordinate.weights
                shafts[k] = select(-slope * weight, -shafts[k], shafts[k])
        motion = self._of_quantity("motion_in_ways")({**nodes, "ways": shafts})
        return list(motion)[: self.robot.n]  # the excess of a way is for integrators that find instants

    def _place(self, nodes: Nodes) -> list[Any]:
        rows = list(QUANTITIES["pose"].build(self.model, {"q": nodes["q"]}, None))
        return [rows[k] for k in (3, 7, 11, 0, 1, 2, 4, 5, 6, 8, 9, 10)]

    def _motors(self, nodes: Nodes) -> list[Any]:
        given = {"q": nodes["q"], "qd": nodes["qd"]}
        return [
            x
            for name in ("motor_position", "motor_velocity")
            for x in QUANTITIES[name].build(self.model, given)
        ]

    def _energies(self, nodes: Nodes) -> list[Any]:
        whole = self._loaded(nodes)
        q, qd = nodes["q"], nodes["qd"]
        return [energy.kinetic_energy(whole, q, qd), energy.potential_energy(whole, q)]

    def _loaded(self, nodes: Nodes) -> Tree:
        """The tree with the payload, if there may be one; one on the base does not move."""
        whole, carrier = self._still.whole_tree, self.robot.tool.body
        if not self.payload or whole.frames[carrier][0] < 0:
            return whole
        return with_added(whole, {carrier: _parameters(nodes["payload"])})


def _parameters(payload: Sequence[Any]) -> tuple[Any, ...]:
    """The parameters of a payload: mass, centre of mass, and Ixx, Iyy, Izz, Ixy, Ixz, Iyz about it."""
    m, x, y, z, xx, yy, zz, xy, xz, yz = payload
    return parameters_of(Inertia(m, (x, y, z), ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))))
