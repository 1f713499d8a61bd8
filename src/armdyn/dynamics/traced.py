"""Quantities of a robot, traced once over graph nodes and run over batches of states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.mechanics import friction
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.methods import Method, MethodName, Quantity
from armdyn.mechanics.methods import method as method_called
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import BaseState, Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array, Graph, Program, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import jacobian as derivative
from armdyn.scalars.factoring import factored
from armdyn.spatial import Transform, Vec3, Wrench
from armdyn.spatial.vector import ZERO, vector

Nodes = Mapping[str, list[Any]]
"""Input name -> its elements as graph nodes: q, qd, qdd, tau, wrench (6), at (3), base (12)."""

Build = Callable[[Nodes], Sequence[Any]]
"""What writes a quantity down: nodes in, flat outputs out."""


class Run(TypedDict, total=False):
    """How to run: an array to fill, and how many threads share the batch."""

    out: Array | None
    threads: int | None


WAYS_FORWARD: tuple[MethodName, ...] = ("newton_euler", "composite_body", "articulated_body")
"""What forward dynamics is chosen from where nobody asks for a formulation: which costs least depends on the
robot."""
OPTIONAL = {"wrench": 6, "at": 3, "base": 12}
"""Inputs that may be left out, and their sizes; all others have one element per joint."""


class Traced:
    """A robot under one motor model, with the programs traced for it so far."""

    def __init__(
        self,
        robot: Robot,
        motors: MotorModel | None,
        friction: bool | None,
        method: MethodName | None = None,
    ) -> None:
        """Choose motor model and formulation; programs come when they are first asked for."""
        if not isinstance(robot, Robot):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"robot is a {type(robot).__name__}, expected a Robot; ad.load(..) gives one")
        if friction not in (None, True, False):
            raise InputError(f"friction is {friction!r}, expected True, False or None")
        self.robot = robot
        self.tree = tree(robot, motors)
        self.motors: MotorModel = self.tree.motors
        self.friction = (self.motors != "none") if friction is None else friction
        self.method = method_called(method)
        self.asked: MethodName | None = method
        self._light: dict[tuple[Quantity, bool], Tree] = {}
        self._programs: dict[tuple[Any, ...], Program] = {}

    @property
    def n(self) -> int:
        """Number of independent joints."""
        return self.robot.n

    @cached_property
    def forward_method(self) -> Method:
        """The formulation of forward dynamics: that asked for, or of three the one with fewest operations."""
        if self.asked is not None:
            return self.method
        built = self.light("forward")

        def operations(by: Method) -> int:
            def build(x: Nodes) -> list[Any]:
                return by.forward(built, x["q"], x["qd"], x["tau"])

            return sum(_traced(build, dict.fromkeys(("q", "qd", "tau"), self.n)).counts().values())

        return min((method_called(name) for name in WAYS_FORWARD), key=operations)

    @cached_property
    def whole_tree(self) -> Tree:
        """The tree with every body a link of its own: what energies and forces between bodies need."""
        return tree(self.robot, self.motors, lump=False)

    def light(self, quantity: Quantity, x: Nodes | None = None) -> Tree:
        """The tree on which a quantity costs least, its base moving as the inputs say."""
        closed = x is None or not {"wrench", "base"} & x.keys()
        key = (quantity, closed)
        if key not in self._light:
            self._light[key] = self.method.lightened(self.tree, quantity, closed=closed)
        return self._light[key] if x is None else self.moving(x, self._light[key])

    # Running --------------------------------------------------------------------------------

    def evaluate(
        self,
        name: tuple[Any, ...],
        build: Build,
        shape: tuple[int, ...],
        run: Run,
        **given: ArrayLike | None,
    ) -> Array:
        """The quantity `name` over the broadcast inputs; traced by `build` if it is new."""
        if unknown := run.keys() - Run.__annotations__.keys():
            raise InputError(f"unknown argument {', '.join(sorted(unknown))}, expected out or threads")
        inputs = {k: self.array(k, v) for k, v in given.items() if v is not None or k not in OPTIONAL}
        key = (*name, *sorted(inputs))
        if key not in self._programs:
            self._programs[key] = _traced(build, {k: v.shape[-1] for k, v in inputs.items()})
        return run_batch(self._programs[key], inputs, shape, **run)

    def array(self, name: str, value: ArrayLike | None) -> Array:
        """The value as an array of shape (..., size of the input called `name`)."""
        size = OPTIONAL.get(name, self.n)
        array = _numbers(value)
        if array is None:
            raise InputError(f"{name} is not an array of numbers, expected shape (..., {size})")
        if array.ndim == 0 or array.shape[-1] != size:
            joints = f'robot "{self.robot.name}" has {self.n} joint{"s" if self.n > 1 else ""}'
            has = f"{name} has {size} elements" if name in OPTIONAL else joints
            raise ShapeError(name, array.shape, has, f"(..., {size})")
        return array

    # Writing down ---------------------------------------------------------------------------

    def frame(self, body: str | None, x: Nodes) -> tuple[int, Transform]:
        """The frame of the tool, or of a body, moved to the point `at` of it if the inputs give one."""
        if body is not None and body not in self.tree.frames:
            known = ", ".join(self.tree.frames)
            raise InputError(f'no body "{body}" in robot "{self.robot.name}", expected one of {known}')
        link, T_link_frame = self.tree.tool if body is None else self.tree.frames[body]
        return link, T_link_frame @ Transform(translation=vector(x["at"])) if "at" in x else T_link_frame

    def moving(self, x: Nodes, built: Tree) -> Tree:
        """The tree, its base moving as the inputs say if they say so."""
        if "base" not in x:
            return built
        return replace(built, base=BaseState(*(vector(x["base"][k : k + 3]) for k in (0, 3, 6, 9))))

    def contact(self, x: Nodes, built: Tree) -> Contact | None:
        """The contact that the inputs give, at the tool or at a point of the tool's body."""
        if "wrench" not in x:
            if "at" in x:
                raise InputError("at says where a wrench acts, but there is none; give wrench")
            return None
        link, T_link_point = built.tool
        if "at" in x:
            link, T_link_body = built.frames[self.robot.tool.body]
            T_link_point = T_link_body @ Transform(translation=vector(x["at"]))
        return Contact(Wrench(vector(x["wrench"][:3]), vector(x["wrench"][3:])), (link, T_link_point))

    def loads(self, x: Nodes, qd: Any, qdd: Any) -> Loads:
        """What the motion takes at the inputs, friction left out."""
        built = self.light("inverse", x)
        return self.method.inverse(built, x["q"], qd, qdd, contact=self.contact(x, built))

    def torques(self, x: Nodes, qd: Any, qdd: Any, *, gravity: Vec3 | None = None) -> list[Any]:
        """The torques of a motion on a base at rest, nothing touched; gravity as given."""
        built = self.light("inverse").at_rest()
        return self.method.inverse(built, x["q"], qd, qdd, gravity=gravity).torque

    def christoffel_symbols(self, x: Nodes) -> list[list[list[Any]]]:
        """c_ijk as [i][j][k]; 1/2 d2 h_i/d qd_j d qd_k of the velocity torques h where no one writes them."""
        if self.method.velocity_coefficients is not None:
            return self.method.velocity_coefficients(self.light("inverse").at_rest(), x["q"])
        qd = x["q"][0].graph.inputs("qd", self.n)
        slopes = derivative(self.torques(x, qd, None, gravity=ZERO), qd)
        return [derivative([0.5 * e for e in row], qd) for row in slopes]

    def rubbing(self, x: Nodes, loads: Loads) -> list[Any]:
        """Friction under the loads; nothing where friction is off."""
        if not self.friction:
            return [0] * self.n
        return friction.friction_torques(self.robot, x["q"], x["qd"], loads.joint, loads.drive)


def _traced(build: Build, sizes: Mapping[str, int]) -> Program:
    """What `build` writes down over inputs of these sizes, with as few operations as found."""
    graph = Graph()
    return factored(program(build({name: graph.inputs(name, size) for name, size in sizes.items()})))


def _numbers(value: ArrayLike | None) -> Array | None:
    """The value as floats, or None if it is not made of real numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array.astype(np.float64, copy=False) if array.dtype.kind in "biuf" else None
