"""Joints: how they move, how far, and what they follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from armdyn.errors import InputError
from armdyn.formats.urdf.elements import (
    Element,
    add,
    attribute,
    blaming,
    child,
    listed,
    mistake,
    number_text,
    numbers_text,
    quoted,
    read_number,
    read_numbers,
    short,
    unknown,
)
from armdyn.formats.urdf.topology import Edge
from armdyn.robot import Coupling, Friction, Joint, Limits
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.rotation import from_axis_angle, unit
from armdyn.spatial.vector import scale, vector

UNLIMITED = 1e9
"""What is written for an unknown velocity or effort: URDF demands a number, and 0 would forbid all motion."""


# Motion ---------------------------------------------------------------------------------------


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


# Limits: a velocity or effort of 0, or too large to be meant, is unknown ----------------------


def read_limits(edge: Edge) -> Limits:
    """What the file says of a joint's limits."""
    limit = child(edge.element, "limit")
    if limit is None:
        return Limits()
    velocity, effort = (_bound(limit, name) for name in ("velocity", "effort"))
    with blaming(limit):
        return Limits(_position(edge, limit), velocity=velocity or None, effort=effort or None)


def _position(edge: Edge, limit: Element) -> tuple[float, float] | None:
    if edge.type == "continuous" or lacks_position_limits(edge):
        return None
    lower, upper = _bound(limit, "lower"), _bound(limit, "upper")
    if lower is None and upper is None:
        return None
    if lower is None or upper is None:
        raise mistake(limit, "one of lower and upper is infinite, expected both or neither")
    if lower > upper:
        message = f"lower {lower:g} is above upper {upper:g}, expected lower <= upper; exchange them"
        raise mistake(limit, message)
    return lower, upper


def _bound(limit: Element, name: str) -> float | None:
    """A limit (0 if missing), or None for an infinite one, which some files write for none."""
    text = (limit.get(name) or "").strip().lower()
    if text.lstrip("+-") in ("inf", "infinity"):
        return None
    bound = read_number(limit, name, 0.0)
    return bound if abs(bound) < UNLIMITED else None


def lacks_position_limits(edge: Edge) -> bool:
    """Whether a joint that should have position limits is given none."""
    limit = child(edge.element, "limit")
    given = () if limit is None else limit.keys()
    return edge.moves and edge.type != "continuous" and not {"lower", "upper"}.intersection(given)


def has_zero_limits(edge: Edge) -> bool:
    """Whether a moving joint is said to have no velocity or no effort."""
    limit = child(edge.element, "limit") if edge.moves else None
    return limit is not None and 0 in (_bound(limit, "velocity"), _bound(limit, "effort"))


def nearest_to_zero(limits: Limits) -> float:
    """Where a joint stands at home, of which URDF says nothing."""
    lower, upper = limits.position or (0.0, 0.0)
    return min(max(0.0, lower), upper)


def add_limit(joint: Element, limits: Limits) -> None:
    """Write a joint's limits."""
    bounds = {"effort": limits.effort or UNLIMITED, "velocity": limits.velocity or UNLIMITED}
    if limits.position is not None:
        bounds["lower"], bounds["upper"] = limits.position
    add(joint, "limit", **{name: number_text(value) for name, value in bounds.items()})


# Mimics: each becomes a coupling to an independent joint --------------------------------------


def read_couplings(edges: Sequence[Edge]) -> dict[str, Coupling]:
    """For every mimic joint its coupling to an independent joint, through any joints between."""
    by_name = {edge.name: edge for edge in edges}
    found = ((edge.name, child(edge.element, "mimic")) for edge in edges if edge.moves)
    mimics = {name: mimic for name, mimic in found if mimic is not None}
    solved: dict[str, Coupling] = {}
    for name in mimics:
        for follower in reversed(_path(name, mimics, by_name, solved)):
            solved[follower] = _coupling(mimics[follower], solved)
    return solved


def _path(
    name: str, mimics: Mapping[str, Element], by_name: Mapping[str, Edge], solved: Mapping[str, Coupling]
) -> list[str]:
    """From a mimic joint through the mimic joints that it follows, up to one that is known."""
    path: dict[str, None] = {}
    while name in mimics and name not in solved:
        if name in path:
            ring = listed([*path][[*path].index(name) :])
            raise mistake(mimics[name], f"joints {ring} mimic each other, expected one that moves by itself")
        path[name] = None
        name = _leader(mimics[name], by_name)
    return [*path]


def _leader(mimic: Element, by_name: Mapping[str, Edge]) -> str:
    name = attribute(mimic, "joint")
    if name not in by_name:
        moving = [edge.name for edge in by_name.values() if edge.moves]
        raise mistake(mimic, unknown("joint", name, moving))
    if not by_name[name].moves:
        raise mistake(mimic, f"joint {quoted(name)} is fixed, expected one that moves; remove the mimic")
    return name


def _coupling(mimic: Element, solved: Mapping[str, Coupling]) -> Coupling:
    """theta = a x + b after x = w q + c: theta = (a w) q + (a c + b)."""
    leader = attribute(mimic, "joint")
    a, b = read_number(mimic, "multiplier", 1.0), read_number(mimic, "offset", 0.0)
    above = solved.get(leader, Coupling(((leader, 1.0),)))
    with blaming(mimic):
        return Coupling.of({name: a * w for name, w in above.weights}, a * above.offset + b)


def add_mimic(joint: Element, leader: str, weight: float, offset: float) -> None:
    """Make a joint follow another: theta = weight q + offset."""
    add(joint, "mimic", joint=leader, multiplier=number_text(weight), offset=number_text(offset))
