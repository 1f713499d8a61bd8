"""Clean bodies from the kinematics: housings about the joints' axes, links between them, rails, a flange.

Thickness goes with the size of the arm, and falls from the base to the tool. A link that leaves its joint
askew goes along the axis first and then across, as arms are built.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from armdyn.robot import BASE, Body, Robot
from armdyn.scalars import Array
from armdyn.studio.messages.scene import Visual
from armdyn.studio.scenes.shapes import array, ball, beam, can, matrix_of, rod

THICK, THIN = 0.062, 0.45
"""Radius of the first joint over the reach, and of the last over the first."""
HOUSING = 2.3
"""Length of a joint's housing over its radius."""
LINK = 0.74
"""Radius of a link over that of its joint."""
SHORT = 0.3
"""What is shorter than this, over the radius, is not drawn."""
FREE_STROKE = 0.5
"""[m] How far a sliding joint without limits is drawn."""


@dataclass(frozen=True)
class Drawing:
    """Shapes of a robot, body by body."""

    robot: Robot

    # Sizes ------------------------------------------------------------------------------------

    @cached_property
    def _along(self) -> dict[str, float]:
        """How far along the arm each body's joint is [m]."""
        found = {BASE: 0.0}
        for body in self.robot.bodies:
            step = np.linalg.norm(array(body.joint.placement.translation)) + float(
                np.linalg.norm(array(body.joint.frame.translation))
            )
            if body.joint.kind == "prismatic":
                low, high = stroke(body)
                step += high - low
            found[body.name] = found[body.parent] + float(step)
        return found

    @cached_property
    def reach(self) -> float:
        """Length of the arm, stretched out [m]."""
        tool = self.robot.tool
        beyond = self._along[tool.body] + float(np.linalg.norm(array(tool.placement.translation)))
        return max(beyond, *self._along.values(), 0.05)

    def radius(self, body: str) -> float:
        """Of a body's joint [m]."""
        share = self._along[body] / self.reach
        return THICK * self.reach * (1 - (1 - THIN) * share)

    # Bodies -----------------------------------------------------------------------------------

    def base(self) -> list[Visual]:
        """What the arm stands on: a plate, and what leads to the first joints."""
        r = self.radius(BASE)
        first = next(body for body in self.robot.bodies if body.parent == BASE)
        axis = _axis_in_parent(first)
        upright = axis if first.joint.kind == "revolute" and abs(axis[2]) > 0.7 else np.array([0.0, 0.0, 1.0])
        below = 0.12 * r if self._stands_beyond(first) or _far(first, r) else 0.5 * HOUSING * r
        shapes = [can(upright, -below * _up(upright), 1.9 * r, 0.24 * r, "base", "base")]
        for body in self.robot.bodies:
            if body.parent == BASE:
                shapes += self._to_child(np.zeros(3), None, r / LINK, body, "base")
        return shapes

    def body(self, body: Body) -> list[Visual]:
        """A housing where its joint is, links to the joints that it carries, a flange if it has the tool."""
        T_body_joint = matrix_of(body.joint.frame.inverse())
        start = T_body_joint[:3, 3]
        axis = T_body_joint[:3, :3] @ array(body.joint.axis)
        r = self.radius(body.name)
        leads = None if body.joint.kind == "fixed" else axis
        links = [shape for child in self._children(body) for shape in self._to_child(start, leads, r, child)]
        links += self._to_tool(body, start, leads, r)
        return [*self._joint(body, start, axis, r), *links]

    def _children(self, body: Body) -> list[Body]:
        return [child for child in self.robot.bodies if child.parent == body.name]

    # Joints -----------------------------------------------------------------------------------

    def _joint(self, body: Body, start: Array, axis: Array, r: float) -> Iterator[Visual]:
        match body.joint.kind:
            case "revolute":
                yield from self._housing(body, start, axis, r)
            case "prismatic":
                yield from self._carriage(body, start, axis, r)
            case _:
                return

    def _housing(self, body: Body, start: Array, axis: Array, r: float) -> Iterator[Visual]:
        """A can about the axis, with caps; beyond the joint where the link goes on along the axis."""
        length = HOUSING * r
        middle = start
        if self._stands_beyond(body):
            middle = start + 0.5 * length * np.sign(self._way_along(body, start, axis)) * axis
        yield can(axis, middle, r, length, "joint", "joint")
        yield can(axis, middle, 0.66 * r, 1.06 * length, "joint", "cap")

    def _stands_beyond(self, body: Body) -> bool:
        """Whether a joint's link goes on along its axis, so that the housing has room there."""
        T_body_joint = matrix_of(body.joint.frame.inverse())
        axis = T_body_joint[:3, :3] @ array(body.joint.axis)
        return abs(self._way_along(body, T_body_joint[:3, 3], axis)) > 0.8 * HOUSING * self.radius(body.name)

    def _way_along(self, body: Body, start: Array, axis: Array) -> float:
        """How far along its axis a joint's link goes, towards the first thing that it carries."""
        ends = [array(child.joint.placement.translation) for child in self._children(body)]
        if self.robot.tool.body == body.name:
            ends.append(array(self.robot.tool.placement.translation))
        return float(axis @ (ends[0] - start)) if ends else 0.0

    def _carriage(self, body: Body, start: Array, axis: Array, r: float) -> Iterator[Visual]:
        """What slides; a boom goes back through what carries it, where that is no rail."""
        yield beam(start - 0.9 * r * axis, start + 0.9 * r * axis, 2.1 * r, "joint", "joint")
        if not self._has_rail(body):
            low, high = stroke(body)
            yield beam(start - (high - min(low, 0.0)) * axis, start, 0.95 * r, "link", "rail")

    def _has_rail(self, body: Body) -> bool:
        """Whether a sliding body runs on a rail of its parent, not on a boom of its own."""
        kinds = {each.name: each.joint.kind for each in self.robot.bodies}
        return kinds.get(body.parent, "prismatic") == "prismatic"

    # Links ------------------------------------------------------------------------------------

    def _to_child(
        self, start: Array, axis: Array | None, r: float, child: Body, color: str = "link"
    ) -> Iterator[Visual]:
        """What leads to a child's joint, and its rail if it slides on one."""
        end = array(child.joint.placement.translation)
        r_end = self.radius(child.name)
        yield from self._link(start, end, axis, (LINK * r, LINK * r_end), color)
        if child.joint.kind == "prismatic" and self._has_rail(child):
            low, high = (x * _axis_in_parent(child) for x in stroke(child))
            out = 1.2 * r_end * _axis_in_parent(child)
            yield beam(end + low - out, end + high + out, 0.95 * r_end, "link", "rail")

    def _link(
        self, start: Array, end: Array, axis: Array | None, radii: tuple[float, float], color: str = "link"
    ) -> Iterator[Visual]:
        """From a point to another, along the axis first and then across."""
        if float(np.linalg.norm(end - start)) < SHORT * radii[0]:
            return
        role = "base" if color == "base" else "link"
        corner = start if axis is None else start + axis * float(axis @ (end - start))
        points = [start, end]
        if min(np.linalg.norm(corner - start), np.linalg.norm(end - corner)) > 0.6 * radii[0]:
            points = [start, corner, end]
            yield ball(corner, radii[0], role, color)
        if len(points) == 3:
            yield from rod(points[0], points[1], (radii[0], radii[0]), role, color)
        yield from rod(points[-2], points[-1], radii, role, color)
        yield ball(end, radii[1], role, color)
        if axis is None:
            yield ball(start, radii[0], role, color)

    def _to_tool(self, body: Body, start: Array, axis: Array | None, r: float) -> Iterator[Visual]:
        """What leads to the tool, and a flange there."""
        if self.robot.tool.body != body.name:
            return
        T = matrix_of(self.robot.tool.placement)
        end, way = T[:3, 3], T[:3, 2]
        thin = 0.55 * r
        yield from self._link(start, end - 0.3 * r * way, axis, (LINK * r, thin), "link")
        yield can(way, end - 0.15 * r * way, 0.8 * r, 0.3 * r, "tool", "tool")
        yield can(way, end - 0.32 * r * way, 0.62 * r, 0.1 * r, "tool", "cap")


def stroke(body: Body) -> tuple[float, float]:
    """Between which places a sliding joint is drawn [m], its offset counted in."""
    low, high = body.joint.limits.position or (0.0, FREE_STROKE)
    return low + body.joint.offset, high + body.joint.offset


def _axis_in_parent(body: Body) -> Array:
    return array(body.joint.placement.rotation) @ array(body.joint.axis)


def _far(body: Body, r: float) -> bool:
    """Whether a joint is away from where its parent is."""
    return float(np.linalg.norm(array(body.joint.placement.translation))) > 0.5 * HOUSING * r


def _up(axis: Array) -> Array:
    return axis if axis[2] >= 0 else -axis
