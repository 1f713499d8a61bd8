"""URDF out: the same motion and the same dynamics; what URDF cannot say is listed.

A URDF link's frame is its joint's frame after the motion, so a body frame that stands off from
its joint (`joint.frame`, a standard DH row) is folded away: T_link_body = joint.frame, and
inertias, shapes and children are written from there. Offsets of joints go into their origins.
What a body carries becomes a link fixed on it: payloads, rotors that have a mass of their own, and the tool.
"""

from __future__ import annotations

from lxml import etree

from armdyn.errors import InputError
from armdyn.formats.urdf.elements import Element, add
from armdyn.formats.urdf.joints import add_mimic, add_motion, held_at, motion, type_of
from armdyn.formats.urdf.links import Color, add_inertial, add_origin, add_visual, has_inertia
from armdyn.formats.urdf.losses import losses, riding
from armdyn.formats.urdf.topology import free_name
from armdyn.robot import BASE, Body, Coupling, Joint, Robot, Tool
from armdyn.spatial import Inertia, Transform


def write_urdf(robot: Robot, *, rotors: bool = True) -> tuple[str, tuple[str, ...]]:
    """The robot as a URDF text, and one sentence for each thing that URDF cannot carry.

    Args:
        robot: what is written.
        rotors: whether rotors that have a mass of their own ride on their carriers; their spin is lost.
    """
    writer = _Writer(robot)
    try:
        tool_link = writer.write(rotors=rotors)
        text = etree.tostring(writer.root, encoding="unicode", pretty_print=True)
    except ValueError as error:
        raise InputError(
            f"robot {robot.name!r}: a name has a character that XML, and so URDF, cannot write; rename it"
        ) from error
    return f'<?xml version="1.0"?>\n{text}', losses(robot, tool_link, rotors=rotors)


class _Writer:
    """Builds the document link by link; knows where the bodies' frames are in their links."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.root = etree.Element("robot")
        self.links = {BASE, *robot.body_names}
        self.joints = {body.joint.name for body in robot.bodies}
        self.T_link_body = {BASE: Transform()} | {b.name: _T_link_body(b.joint) for b in robot.bodies}
        self.materials = _materials(robot)

    def write(self, *, rotors: bool) -> str:
        """Write all; returns the link that is the tool frame."""
        self.root.set("name", self.robot.name)
        add(self.root, "link", name=BASE)
        for body in self.robot.bodies:
            self._body(body)
        for payload in self.robot.payloads:
            place = self.T_link_body[payload.body]
            self._carried("payload", payload.body, Transform(), payload.inertia.seen_from(place))
        for name, rotor in riding(self.robot) if rotors else ():
            place = self.T_link_body[rotor.carrier or BASE] @ (rotor.placement or Transform())
            self._carried(name, rotor.carrier or BASE, place, rotor.inertia)
        return self._tool()

    # Bodies -----------------------------------------------------------------------------------

    def _body(self, body: Body) -> None:
        joint, held = body.joint, held_at(body.joint)
        before = self.T_link_body[body.parent] @ joint.placement
        if held is not None:
            place = before @ motion(joint, held) @ joint.frame
            self._joint(joint.name, "fixed", body.parent, body.name, place)
        else:
            self._moving(body, before @ motion(joint, joint.offset))
        T_link_body = self.T_link_body[body.name]
        link = self._link(body.name, body.inertia.seen_from(T_link_body))
        for visual in body.visuals:
            add_visual(link, visual, T_link_body, self.materials)

    def _moving(self, body: Body, place: Transform) -> None:
        coupling = body.joint.coupling
        if coupling is None or coupling.law is not None:
            self._moving_joint(body.joint, body.parent, body.name, place)
        elif len(coupling.weights) == 1:
            element = self._moving_joint(body.joint, body.parent, body.name, place)
            add_mimic(element, *coupling.weights[0], coupling.offset)
        else:
            self._sum(body, coupling, place)

    def _sum(self, body: Body, coupling: Coupling, place: Transform) -> None:
        """A joint that follows several is as many joints about one axis, each following one."""
        joint, parent = body.joint, body.parent
        *first, (last, last_weight) = coupling.weights
        for leader, weight in first:
            part = Joint(_taken(f"{joint.name}_{leader}", self.joints), joint.kind, joint.axis)
            child = _taken(f"{body.name}_{leader}", self.links)
            add_mimic(self._moving_joint(part, parent, child, place), leader, weight, 0.0)
            add(self.root, "link", name=child)
            parent, place = child, Transform()
        part = Joint(joint.name, joint.kind, joint.axis)
        add_mimic(self._moving_joint(part, parent, body.name, place), last, last_weight, coupling.offset)

    # What is carried --------------------------------------------------------------------------

    def _carried(self, wanted: str, body: str, place: Transform, inertia: Inertia) -> str:
        """A link fixed on a body, under the wanted name or one like it."""
        name = _taken(wanted, self.links)
        self._joint(_taken(f"{name}_fixed", self.joints), "fixed", body, name, place)
        self._link(name, inertia)
        return name

    def _tool(self) -> str:
        tool = self.robot.tool
        if tool == Tool("tool") and _reads_as_tool(self.robot):
            return "tool"
        return self._carried("tool", tool.body, self.T_link_body[tool.body] @ tool.placement, Inertia())

    # Elements ---------------------------------------------------------------------------------

    def _link(self, name: str, inertia: Inertia) -> Element:
        link = add(self.root, "link", name=name)
        add_inertial(link, inertia)
        return link

    def _moving_joint(self, joint: Joint, parent: str, child: str, place: Transform) -> Element:
        element = self._joint(joint.name, type_of(joint), parent, child, place)
        add_motion(element, joint)
        return element

    def _joint(self, name: str, kind: str, parent: str, child: str, place: Transform) -> Element:
        element = add(self.root, "joint", name=name, type=kind)
        add(element, "parent", link=parent)
        add(element, "child", link=child)
        add_origin(element, place)
        return element


def _T_link_body(joint: Joint) -> Transform:
    """Nothing moves between a held joint and its body: the link's frame can be the body's."""
    return joint.frame if held_at(joint) is None else Transform()


def _materials(robot: Robot) -> dict[Color, str]:
    """A name for every colour."""
    colors = [visual.color for body in robot.bodies for visual in body.visuals if visual.color is not None]
    return {color: f"color{k}" for k, color in enumerate(dict.fromkeys(colors), start=1)}


def _reads_as_tool(robot: Robot) -> bool:
    """Whether the body called "tool" is a mere frame, which the reader takes as the tool's."""
    body = next(body for body in robot.bodies if body.name == "tool")
    return held_at(body.joint) is not None and not has_inertia(body.inertia) and not body.visuals


def _taken(wanted: str, taken: set[str]) -> str:
    """A free name, which is taken from now on."""
    name = free_name(wanted, taken)
    taken.add(name)
    return name
