"""URDF out: the same motion and the same dynamics; what URDF cannot say is listed.

A URDF link's frame is its joint's frame after the motion, so a body frame that stands off from
its joint (`joint.frame`, a standard DH row) is folded away: T_link_body = joint.frame, and
inertias, shapes and children are written from there. Offsets of joints go into their origins.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from lxml import etree

from armdyn.errors import InputError
from armdyn.robot import BASE, BaseMotion, Body, Coupling, Joint, Limits, Robot, Tool, Visual
from armdyn.robot.robot import EARTH
from armdyn.spatial import Inertia, Transform, Vec3
from armdyn.spatial.rotation import from_axis_angle
from armdyn.spatial.vector import Mat3, scale

Element = etree._Element  # pyright: ignore[reportPrivateUsage]  # lxml has no public name for it


def write_urdf(robot: Robot) -> tuple[str, tuple[str, ...]]:
    """The robot as a URDF text, and one sentence for each thing that URDF cannot carry."""
    writer = _Writer(robot)
    try:
        writer.write()
        text = etree.tostring(writer.root, encoding="unicode", pretty_print=True)
    except ValueError as error:
        raise InputError(
            f"robot {robot.name!r}: a name has a character that XML, and so URDF, cannot write; rename it"
        ) from error
    return f'<?xml version="1.0"?>\n{text}', (*writer.lost, *_lost(robot))


class _Writer:
    """Builds the document link by link; knows where the bodies' frames are in their links."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.root = etree.Element("robot")
        self.lost: list[str] = []
        self.links = {BASE, *robot.body_names}
        self.joints = {body.joint.name for body in robot.bodies}
        self.T_link_body = {BASE: Transform()}
        self.materials: dict[tuple[float, ...], str] = {}

    def write(self) -> None:
        self.root.set("name", self.robot.name)
        _add(self.root, "link", name=BASE)
        for body in self.robot.bodies:
            self._body(body)
        for payload in self.robot.payloads:
            place = self.T_link_body[payload.body]
            self._carried("payload", payload.body, Transform(), payload.inertia.seen_from(place))
        self._tool()

    def _body(self, body: Body) -> None:
        joint, T_link_parent = body.joint, self.T_link_body[body.parent]
        held = _held_at(joint)
        if held is not None:  # nothing moves between joint and body: the link's frame can be the body's
            place = T_link_parent @ joint.placement @ _motion(joint, held) @ joint.frame
            self.T_link_body[body.name] = Transform()
            self._joint(joint.name, "fixed", body.parent, body.name, place)
        else:
            place = T_link_parent @ joint.placement @ _motion(joint, joint.offset)
            self.T_link_body[body.name] = joint.frame
            self._moving(body, place)
        self._link(body.name, body.inertia.seen_from(self.T_link_body[body.name]), body.visuals)

    # Joints -----------------------------------------------------------------------------------

    def _moving(self, body: Body, place: Transform) -> None:
        joint, coupling = body.joint, body.joint.coupling
        if coupling is None or coupling.law is not None:
            self._free_joint(joint, body.parent, body.name, place)
        elif len(coupling.weights) == 1:
            element = self._joint(joint.name, _type(joint), body.parent, body.name, place)
            _add_motion(element, joint)
            _add_mimic(element, *coupling.weights[0], coupling.offset)
        else:
            self._sum(body, coupling, place)

    def _free_joint(self, joint: Joint, parent: str, child: str, place: Transform) -> None:
        element = self._joint(joint.name, _type(joint), parent, child, place)
        _add_motion(element, joint)
        subject = f'joint "{joint.name}"'
        if joint.kind == "prismatic" and joint.limits.position is None:
            self.lost.append(f"{subject} slides without limits; some readers take missing limits as zero")
        if joint.coupling is not None:
            leaders = ", ".join(f'"{name}"' for name, _ in joint.coupling.weights)
            self.lost.append(
                f"{subject} follows {leaders} by a nonlinear law; it is written as a joint of its own"
            )

    def _sum(self, body: Body, coupling: Coupling, place: Transform) -> None:
        """A joint that follows several is as many joints about one axis, each following one."""
        joint, parent = body.joint, body.parent
        offsets = [*[0.0] * (len(coupling.weights) - 1), coupling.offset]
        for (leader, weight), offset in zip(coupling.weights, offsets, strict=True):
            last = leader == coupling.weights[-1][0]
            name = joint.name if last else _fresh(f"{joint.name}_{leader}", self.joints)
            child = body.name if last else _fresh(f"{body.name}_{leader}", self.links)
            element = self._joint(
                name, "prismatic" if joint.kind == "prismatic" else "continuous", parent, child, place
            )
            _add_motion(element, Joint(name, joint.kind, joint.axis))
            _add_mimic(element, leader, weight, offset)
            if not last:
                _add(self.root, "link", name=child)
            parent, place = child, Transform()
        if joint.friction or joint.limits != Limits():
            self.lost.append(
                f'joint "{joint.name}" is a sum of others; its limits and friction are not carried'
            )

    def _joint(self, name: str, kind: str, parent: str, child: str, place: Transform) -> Element:
        element = _add(self.root, "joint", name=name, type=kind)
        _add(element, "parent", link=parent)
        _add(element, "child", link=child)
        _add_origin(element, place)
        return element

    # Links ------------------------------------------------------------------------------------

    def _link(self, name: str, inertia: Inertia, visuals: Sequence[Visual] = ()) -> None:
        link = _add(self.root, "link", name=name)
        _add_inertial(link, inertia)
        for visual in visuals:
            self._visual(link, visual, self.T_link_body[name])

    def _visual(self, link: Element, visual: Visual, T_link_body: Transform) -> None:
        element = _add(link, "visual")
        _add_origin(element, T_link_body @ visual.placement)
        _add(_add(element, "geometry"), visual.shape, **_sizes(visual))
        if visual.color is not None:
            name = self.materials.setdefault(visual.color, f"color{len(self.materials) + 1}")
            _add(_add(element, "material", name=name), "color", rgba=_texts(visual.color))

    def _carried(self, wanted: str, body: str, place: Transform, inertia: Inertia) -> str:
        """A link fixed on a body, under the wanted name or one like it."""
        name = _fresh(wanted, self.links)
        self._joint(_fresh(f"{name}_fixed", self.joints), "fixed", body, name, place)
        self._link(name, inertia)
        return name

    def _tool(self) -> None:
        tool = self.robot.tool
        if tool == Tool("tool") and _reads_as_tool(self.robot):
            return
        name = self._carried("tool", tool.body, self.T_link_body[tool.body] @ tool.placement, Inertia())
        if name != "tool":
            self.lost.append(f'the tool frame is link "{name}" ("tool" is a body); readers need to be told')


def _fresh(wanted: str, taken: set[str]) -> str:
    """The wanted name, with a number if it is taken; it is taken from now on."""
    name, number = wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    taken.add(name)
    return name


def _reads_as_tool(robot: Robot) -> bool:
    """Whether the body called "tool" is a mere frame, which the reader takes as the tool's."""
    body = next(body for body in robot.bodies if body.name == "tool")
    return _held_at(body.joint) is not None and not _has_mass(body.inertia) and not body.visuals


def _has_mass(inertia: Inertia) -> bool:
    return bool(inertia.mass) or any(any(row) for row in inertia.tensor)


def _held_at(joint: Joint) -> float | None:
    """The constant coordinate of a joint that cannot move, or None."""
    if joint.kind == "fixed":
        return 0.0
    if joint.coupling is None or joint.coupling.weights:
        return None
    constant = joint.coupling.offset
    return (joint.coupling.law.evaluate(constant)[0] if joint.coupling.law else constant) + joint.offset


def _motion(joint: Joint, value: float) -> Transform:
    """What the joint does to its body at a coordinate."""
    if value == 0 or joint.kind == "fixed":
        return Transform()
    if joint.kind == "prismatic":
        return Transform(translation=scale(value, joint.axis))
    return Transform(from_axis_angle(joint.axis, value))


def _type(joint: Joint) -> str:
    return "continuous" if joint.kind == "revolute" and joint.limits.position is None else joint.kind


# Elements ---------------------------------------------------------------------------------------


def _add(parent: Element, tag: str, **attributes: str) -> Element:
    return etree.SubElement(parent, tag, attributes)


def _add_origin(element: Element, place: Transform) -> None:
    if place != Transform():
        _add(element, "origin", xyz=_texts(place.translation), rpy=_texts(rpy_of(place.rotation)))


def _add_mimic(element: Element, leader: str, weight: float, offset: float) -> None:
    _add(element, "mimic", joint=leader, multiplier=_text(weight), offset=_text(offset))


def _add_motion(element: Element, joint: Joint) -> None:
    """Axis, limits (0 for unknown, as URDF demands a number) and friction."""
    _add(element, "axis", xyz=_texts(joint.axis))
    limits, friction = joint.limits, joint.friction
    attributes = {"effort": limits.effort or 0.0, "velocity": limits.velocity or 0.0}
    if limits.position is not None:
        attributes["lower"], attributes["upper"] = limits.position
    _add(element, "limit", **{name: _text(value) for name, value in attributes.items()})
    if friction.viscous or friction.coulomb:
        _add(element, "dynamics", damping=_text(friction.viscous), friction=_text(friction.coulomb))


def _add_inertial(link: Element, inertia: Inertia) -> None:
    if not _has_mass(inertia):
        return
    inertial = _add(link, "inertial")
    _add(inertial, "origin", xyz=_texts(inertia.com), rpy="0.0 0.0 0.0")
    _add(inertial, "mass", value=_text(inertia.mass))
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = inertia.tensor
    elements = {"ixx": xx, "ixy": xy, "ixz": xz, "iyy": yy, "iyz": yz, "izz": zz}
    _add(inertial, "inertia", **{name: _text(value) for name, value in elements.items()})


def _sizes(visual: Visual) -> dict[str, str]:
    size = [_text(x) for x in visual.size]
    match visual.shape:
        case "box":
            return {"size": " ".join(size)}
        case "cylinder":
            return {"radius": size[0], "length": size[1]}
        case "sphere":
            return {"radius": size[0]}
        case "mesh":
            return {"filename": visual.mesh or "", **({"scale": " ".join(size)} if size else {})}


def _text(value: Any) -> str:
    """A number in the digits that give exactly it back."""
    return repr(float(value) + 0.0)  # + 0.0: no minus zero


def _texts(values: Iterable[Any]) -> str:
    return " ".join(_text(value) for value in values)


def rpy_of(rotation: Mat3) -> Vec3:
    """Roll, pitch, yaw [rad] with rotation = Rz(yaw) Ry(pitch) Rx(roll).

    Roll and pitch are read off Rz(-yaw) rotation = Ry(pitch) Rx(roll): near a pitch of 90 degrees
    yaw is ill determined, and they make up for whatever it came out as.
    """
    r: Any = rotation
    yaw = math.atan2(r[1][0] + 0.0, r[0][0] + 0.0)
    c, s = math.cos(yaw), math.sin(yaw)
    pitch = math.atan2(-r[2][0] + 0.0, c * r[0][0] + s * r[1][0])
    roll = math.atan2(s * r[0][2] - c * r[1][2], c * r[1][1] - s * r[0][1])
    return roll, pitch, yaw


# What is lost -----------------------------------------------------------------------------------


def _lost(robot: Robot) -> list[str]:
    """A sentence for every part of the robot that has no place in URDF."""
    lost = [sentence for body in robot.bodies for sentence in _lost_of_body(body)]
    if robot.drives:
        names = ", ".join(f'"{drive.name}"' for drive in robot.drives)
        lost.append(f"drives {names}: motors, rotors, gears and their friction are not carried")
    if tuple(robot.gravity) != EARTH:
        lost.append(f"gravity {_texts(robot.gravity)} m/s2 is not carried, readers take their own")
    if robot.base_motion != BaseMotion():
        lost.append("the motion of the base is not carried")
    if (order := _order_read_back(robot)) != list(robot.joint_names):
        lost.append(f"the order of q is not carried: branch after branch it is {', '.join(order)}")
    if any(robot.home):
        lost.append(f"home {_texts(robot.home)} is not carried")
    texts = {"description": robot.description, "source": robot.source, "notes": robot.notes}
    return lost + [f"the robot's {name}: not carried" for name, text in texts.items() if text]


def _order_read_back(robot: Robot) -> list[str]:
    """The independent joints depth first, as they are read."""
    below: dict[str, list[Body]] = {name: [] for name in (BASE, *robot.body_names)}
    for body in robot.bodies:
        below[body.parent].append(body)
    order: list[str] = []
    waiting = below[BASE][::-1]
    while waiting:
        body = waiting.pop()
        order += [body.joint.name] if body.joint.independent else []
        waiting.extend(below[body.name][::-1])
    return order


def _lost_of_body(body: Body) -> list[str]:
    joint, lost = body.joint, list[str]()
    subject = f'joint "{joint.name}": '
    if joint.friction.starting is not None:
        lost.append(f"{subject}starting friction {joint.friction.starting:g} is not carried")
    if joint.friction.load:
        with_own = " (which includes friction itself)" if joint.friction.load_includes_friction else ""
        lost.append(f"{subject}load-dependent friction {joint.friction.load:g}{with_own} is not carried")
    if joint.limits.acceleration is not None:
        lost.append(f"{subject}acceleration limit {joint.limits.acceleration:g} is not carried")
    if body.accept_unphysical:
        lost.append(f'body "{body.name}": the reason why its inertia is accepted is not carried')
    return lost
