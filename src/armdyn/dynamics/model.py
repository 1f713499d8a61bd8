"""A robot under one motor model and formulation: what its quantities are written down from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.errors import InputError
from armdyn.mechanics.body_parameters import PARAMETERS, with_added
from armdyn.mechanics.holding import held_joints
from armdyn.mechanics.loads import Contact, Loads
from armdyn.mechanics.methods import Method, MethodName, Quantity
from armdyn.mechanics.methods import method as method_called
from armdyn.mechanics.parameters import Parameter, parameters, values
from armdyn.mechanics.rubbing import FrictionPoint, Rub, friction_points, projected, rubs, with_terms
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import BaseState, Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.spatial import Transform, Vec3, Wrench
from armdyn.spatial.vector import vector

Nodes = Mapping[str, list[Any]]
"""Input name -> its elements as graph nodes: q, qd, qdd, tau, wrench (6), at (3), base (12), and `added`
(10 for each body) and `rubbing` (4 for each friction point), which vary the robot itself."""

FACTORED_JOINTS = 11
"""Joints up to which accelerations come from the mass matrix (composite bodies, H = L^T D L); beyond, from
articulated bodies, which take the same number of operations for every joint. There compiled code crosses:
on random chains 90 against 110 ns a state for 11 joints, 144 against 134 for 12."""


class Model:
    """The trees and formulations of a robot, and its equations over graph nodes."""

    def __init__(
        self,
        robot: Robot,
        motors: MotorModel | None,
        friction: bool | None,
        method: MethodName | None = None,
    ) -> None:
        """Choose motor model and formulation."""
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
        self._held: dict[tuple[int, ...], NDArray[np.intp]] = {}

    @property
    def n(self) -> int:
        """Number of independent joints."""
        return self.robot.n

    @cached_property
    def points(self) -> tuple[FrictionPoint, ...]:
        """Where friction acts; nowhere if it is off."""
        return friction_points(self.robot) if self.friction else ()

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What torques are linear in; nothing of friction if it is off."""
        return parameters(self.robot, self.tree, friction=self.friction)

    @cached_property
    def parameter_values(self) -> tuple[float, ...]:
        """The robot's own parameters."""
        return tuple(values(self.robot, self.tree, friction=self.friction))

    @property
    def under_load(self) -> bool:
        """Whether friction depends on the load, so that accelerations are an iteration over torques."""
        return any(point.friction.load for point in self.points)

    @property
    def can_stick(self) -> bool:
        """Whether friction can hold something, so that accelerations from rest are an iteration."""
        return any(point.friction.dry for point in self.points)

    @property
    def forward_method(self) -> Method:
        """The formulation of forward dynamics: that asked for, or the one for so many joints."""
        if self.asked is not None:
            return self.method
        return method_called("newton_euler" if self.n <= FACTORED_JOINTS else "articulated_body")

    # Trees and frames -----------------------------------------------------------------------

    @cached_property
    def whole_tree(self) -> Tree:
        """The tree with every body a link of its own: what energies and forces between bodies need."""
        return tree(self.robot, self.motors, lump=False)

    def whole(self, x: Nodes) -> Tree:
        """That tree, varied and its base moving as the inputs say."""
        return self.moving(x, self._varied(x, self.whole_tree))

    def light(self, quantity: Quantity, x: Nodes | None = None) -> Tree:
        """The tree on which a quantity costs least, varied and its base moving as the inputs say."""
        closed = x is None or not {"wrench", "base", "added"} & x.keys()
        key = (quantity, closed)
        if key not in self._light:
            self._light[key] = self.method.lightened(self.tree, quantity, closed=closed)
        return self._light[key] if x is None else self.moving(x, self._varied(x, self._light[key]))

    def light_at_rest(self, quantity: Quantity, x: Nodes) -> Tree:
        """The tree on which a quantity costs least, varied as the inputs say, on a base at rest."""
        return self.light(quantity, {k: x[k] for k in ("added",) if k in x}).at_rest()

    def _varied(self, x: Nodes, built: Tree) -> Tree:
        """The tree, its bodies heavier as the inputs say if they say so; nobody feels the base's."""
        if "added" not in x:
            return built
        size = len(PARAMETERS)
        parameters = (x["added"][k : k + size] for k in range(0, len(x["added"]), size))
        each = zip(self.robot.body_names, parameters, strict=True)
        return with_added(built, {body: added for body, added in each if built.frames[body][0] >= 0})

    def moving(self, x: Nodes, built: Tree) -> Tree:
        """The tree, its base moving as the inputs say if they say so."""
        if "base" not in x:
            return built
        return replace(built, base=BaseState(*(vector(x["base"][k : k + 3]) for k in (0, 3, 6, 9))))

    def frame(self, body: str | None, x: Nodes) -> tuple[int, Transform]:
        """The frame of the tool, or of a body, moved to the point `at` of it if the inputs give one."""
        if body is not None and body not in self.tree.frames:
            known = ", ".join(self.tree.frames)
            raise InputError(f'no body "{body}" in robot "{self.robot.name}", expected one of {known}')
        link, T_link_frame = self.tree.tool if body is None else self.tree.frames[body]
        return link, T_link_frame @ Transform(translation=vector(x["at"])) if "at" in x else T_link_frame

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

    # Torques --------------------------------------------------------------------------------

    def loads(self, x: Nodes, qd: Any, qdd: Any) -> Loads:
        """What the motion takes at the inputs, friction left out."""
        built = self.light("inverse", x)
        return self.method.inverse(built, x["q"], qd, qdd, contact=self.contact(x, built))

    def torques(self, x: Nodes, qd: Any, qdd: Any, *, gravity: Vec3 | None = None) -> list[Any]:
        """The torques of a motion on a base at rest, nothing touched; gravity as given."""
        built = self.light_at_rest("inverse", x)
        return self.method.inverse(built, x["q"], qd, qdd, gravity=gravity).torque

    def resisted(self, x: Nodes, loads: Loads, qdd: Any) -> list[Any]:
        """The torques of the loads and of friction under them."""
        return [a + b for a, b in zip(loads.torque, self.rubbing(x, loads, qdd), strict=True)]

    # Friction -------------------------------------------------------------------------------

    def rubbing(self, x: Nodes, loads: Loads, qdd: Any) -> list[Any]:
        """What friction takes from q under the loads of a motion; nothing where friction is off."""
        return projected(self.rubs(x, loads, qdd), self.n)

    def rubs(self, x: Nodes, loads: Loads, qdd: Any) -> list[Rub]:
        """Friction of every point; at rest what the input `held` asks for, if there is one, within bounds.

        The input `ways`, if there is one, says what sticks and which way the others move.
        """
        if not self.friction:
            return []
        return rubs(self.robot, x["q"], x["qd"], qdd, loads, x.get("held"), x.get("ways"), self._points(x))

    def _points(self, x: Nodes) -> tuple[FrictionPoint, ...]:
        """Where friction acts, with the terms that the inputs give if they give them."""
        return with_terms(self.points, x["rubbing"]) if "rubbing" in x else self.points

    @cached_property
    def torque_scale(self) -> float:
        """A torque of the robot's own size: what accelerates its heaviest joint by one unit, at home."""
        H = self.method.mass_matrix(self.light("mass_matrix"), list(self.robot.home))
        return max(abs(float(H[j][j])) for j in range(self.n))

    def held_by(self, points: tuple[int, ...]) -> NDArray[np.intp]:
        """The joints that cannot move while none of these points does."""
        if points not in self._held:
            self._held[points] = held_joints([self.points[k] for k in points], self.n)
        return self._held[points]
