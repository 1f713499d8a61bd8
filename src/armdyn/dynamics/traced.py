"""Quantities of a robot, traced once over graph nodes and run over batches of states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike

from armdyn.errors import InputError, ShapeError
from armdyn.mechanics import friction, newton_euler
from armdyn.mechanics.links import BaseState, Tree
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.motors import MotorModel
from armdyn.mechanics.newton_euler import LinkLoads
from armdyn.mechanics.tree import tree
from armdyn.robot import Robot
from armdyn.scalars import Array, Graph, Program, program
from armdyn.scalars.batch import run_batch
from armdyn.spatial import Transform, Wrench
from armdyn.spatial.vector import vector

Nodes = Mapping[str, list[Any]]
"""Input name -> its elements as graph nodes: q, qd, qdd, tau, wrench (6), at (3), base (12)."""

Build = Callable[[Nodes], Sequence[Any]]
"""What writes a quantity down: nodes in, flat outputs out."""


class Run(TypedDict, total=False):
    """How to run: an array to fill, and how many threads share the batch."""

    out: Array | None
    threads: int | None


OPTIONAL = {"wrench": 6, "at": 3, "base": 12}
"""Inputs that may be left out, and their sizes; all others have one element per joint."""


class Traced:
    """A robot under one motor model, with the programs traced for it so far."""

    def __init__(self, robot: Robot, motors: MotorModel | None, friction: bool | None) -> None:
        """Choose the motor model; programs come when they are first asked for."""
        if not isinstance(robot, Robot):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InputError(f"robot is a {type(robot).__name__}, expected a Robot; ad.load(..) gives one")
        if friction not in (None, True, False):
            raise InputError(f"friction is {friction!r}, expected True, False or None")
        self.robot = robot
        self.tree = tree(robot, motors)
        self.motors: MotorModel = self.tree.motors
        self.friction = (self.motors != "none") if friction is None else friction
        self._programs: dict[tuple[Any, ...], Program] = {}

    @property
    def n(self) -> int:
        """Number of independent joints."""
        return self.robot.n

    @cached_property
    def whole_tree(self) -> Tree:
        """The tree with every body a link of its own: what energies and forces between bodies need."""
        return tree(self.robot, self.motors, lump=False)

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
            graph = Graph()
            nodes = {k: graph.inputs(k, v.shape[-1]) for k, v in inputs.items()}
            self._programs[key] = program(build(nodes))
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

    def loads(self, x: Nodes, qd: Any, qdd: Any, built: Tree | None = None) -> LinkLoads:
        """Newton-Euler at the inputs, friction left out."""
        built = self.tree if built is None else built
        contact = self.contact(x, built)
        return newton_euler.inverse_dynamics(self.moving(x, built), x["q"], qd, qdd, contact=contact)

    def rubbing(self, x: Nodes, loads: Loads) -> list[Any]:
        """Friction under the loads; nothing where friction is off."""
        if not self.friction:
            return [0] * self.n
        return friction.friction_torques(self.robot, x["q"], x["qd"], loads.joint, loads.drive)


def _numbers(value: ArrayLike | None) -> Array | None:
    """The value as floats, or None if it is not made of real numbers."""
    try:
        array = np.asarray(value)
    except ValueError:  # rows of different lengths
        return None
    return array.astype(np.float64, copy=False) if array.dtype.kind in "biuf" else None
