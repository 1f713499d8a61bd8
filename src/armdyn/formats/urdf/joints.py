"""How joints move: their axis and friction, and what they do at a coordinate."""

from __future__ import annotations

from armdyn.errors import InputError
from armdyn.formats.urdf.elements import Element, add, blaming, child, mistake
from armdyn.formats.urdf.limits import add_limit
from armdyn.formats.urdf.numbers import number_text, numbers_text, read_number, read_numbers
from armdyn.formats.urdf.wording import short
from armdyn.robot import Friction, Joint
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.rotation import from_axis_angle, unit
from armdyn.spatial.vector import scale, vector


def read_axis(joint: Element) -> Vec3:
    """The joint's axis, of length one."""
    axis = child(joint, "axis")
    if axis is None:
        return (1.0, 0.0, 0.0)
    try:
        return unit(vector(read_numbers(axis, "xyz", 3)))
    except InputError:
        written = short(axis.get("xyz") or "")
        message = f'xyz="{written}" has no direction, expected a vector other than zero, such as "0 0 1"'
        raise mistake(axis, message) from None


def read_friction(joint: Element) -> Friction:
    """The joint's <dynamics>: damping is viscous, friction is Coulomb's."""
    dynamics = child(joint, "dynamics")
    if dynamics is None:
        return Friction()
    with blaming(dynamics):
        return Friction(read_number(dynamics, "damping", 0.0), read_number(dynamics, "friction", 0.0))


def add_motion(element: Element, joint: Joint) -> None:
    """Write axis, limits and friction."""
    add(element, "axis", xyz=numbers_text(joint.axis))
    add_limit(element, joint.limits)
    viscous, coulomb = joint.friction.viscous, joint.friction.coulomb
    if viscous or coulomb:
        add(element, "dynamics", damping=number_text(viscous), friction=number_text(coulomb))


def type_of(joint: Joint) -> str:
    """What URDF calls the joint's kind."""
    return "continuous" if joint.kind == "revolute" and joint.limits.position is None else joint.kind


def held_at(joint: Joint) -> float | None:
    """The constant coordinate of a joint that cannot move, or None."""
    if joint.kind == "fixed":
        return 0.0
    if joint.coupling is None or joint.coupling.weights:
        return None
    constant = joint.coupling.offset
    return (joint.coupling.law.evaluate(constant)[0] if joint.coupling.law else constant) + joint.offset


def motion(joint: Joint, value: float) -> Transform:
    """What the joint does to its body at a coordinate."""
    if value == 0 or joint.kind == "fixed":
        return Transform()
    if joint.kind == "prismatic":
        return Transform(translation=scale(value, joint.axis))
    return Transform(from_axis_angle(joint.axis, value))
