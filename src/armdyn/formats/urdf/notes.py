"""What a user should know: what was guessed or left out in reading, and what URDF cannot carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from armdyn.errors import counted
from armdyn.formats.urdf.elements import (
    Element,
    child,
    children,
    listed,
    local,
    numbers_text,
    quoted,
)
from armdyn.formats.urdf.joints import UNLIMITED, has_zero_limits, held_at, lacks_position_limits
from armdyn.formats.urdf.links import unknown_shapes
from armdyn.formats.urdf.topology import Topology, depth_first
from armdyn.robot import BASE, BaseMotion, Body, Joint, Limits, Robot
from armdyn.robot.robot import EARTH
from armdyn.spatial import Transform

_REDUCTION = "mechanicalReduction"


# Notes on a file that is read -----------------------------------------------------------------


def notes_on(robot: Element, topology: Topology, names: Mapping[str, str]) -> list[str]:
    """One sentence for everything that was guessed, renamed or left out."""
    return [
        *_notes_on_limits(topology),
        *_notes_on_shapes(topology),
        *_notes_on_names(names),
        *_notes_on_masses(topology),
        *_notes_on_gears(robot),
    ]


def _notes_on_limits(topology: Topology) -> Iterable[str]:
    if zero := [edge.name for edge in topology.edges if has_zero_limits(edge)]:
        yield f"limits of 0 for velocity or effort were read as unknown (joints {listed(zero)})"
    if without := [edge.name for edge in topology.edges if lacks_position_limits(edge)]:
        yield f"no position limits given for joints {listed(without)}: read as unlimited"


def _notes_on_shapes(topology: Topology) -> Iterable[str]:
    order = (topology.root, *(edge.child for edge in topology.edges))
    undrawn = Counter(shape for link in order for shape in unknown_shapes(topology.links[link]))
    for shape, count in undrawn.items():
        yield f"URDF knows no shape {quoted(shape)}: {counted(count, 'visual')} left out"


def _notes_on_names(names: Mapping[str, str]) -> Iterable[str]:
    if (renamed := names.get(BASE, BASE)) != BASE:
        yield f'link "{BASE}" is called "{renamed}" here, "{BASE}" is what the robot stands on'


def _notes_on_masses(topology: Topology) -> Iterable[str]:
    """Of moving links without <inertial>, unless a link fixed on them has one."""
    carrier, given = {topology.root: topology.root}, set[str]()
    for edge in topology.edges:
        carrier[edge.child] = edge.child if edge.moves else carrier[edge.parent]
        if child(topology.links[edge.child], "inertial") is not None:
            given.add(carrier[edge.child])
    if massless := [edge.child for edge in topology.edges if edge.moves and edge.child not in given]:
        yield f"no inertia given for {listed(massless)}: dynamics may be wrong"


def _notes_on_gears(robot: Element) -> Iterable[str]:
    transmissions = children(robot, "transmission")
    if geared := sum(any(local(part) == _REDUCTION for part in t.iter()) for t in transmissions):
        where = counted(geared, "transmission")
        yield f"{_REDUCTION} of {where} is not used: URDF gives no rotor inertia with it"


# Losses of a robot that is written ------------------------------------------------------------


def losses(robot: Robot, tool_link: str) -> tuple[str, ...]:
    """A sentence for every part of the robot that is lost when its tool frame is `tool_link`."""
    return (
        *(sentence for body in robot.bodies for sentence in _lost_of_motion(body.joint)),
        *_lost_of_tool(tool_link),
        *(sentence for body in robot.bodies for sentence in _lost_of_body(body)),
        *_lost_of_robot(robot),
    )


def _lost_of_motion(joint: Joint) -> Iterable[str]:
    subject, coupling = f'joint "{joint.name}"', joint.coupling
    if held_at(joint) is not None:
        return
    free = coupling is None or coupling.law is not None
    if free and joint.kind == "prismatic" and joint.limits.position is None:
        yield f"{subject} slides without limits; some readers take missing limits as zero"
    if coupling is None:
        return
    if coupling.law is not None:
        leaders = ", ".join(f'"{name}"' for name, _ in coupling.weights)
        yield f"{subject} follows {leaders} by a nonlinear law; it is written as a joint of its own"
    elif len(coupling.weights) > 1 and (joint.friction or joint.limits != Limits()):
        yield f"{subject} is a sum of others; its limits and friction are not carried"


def _lost_of_tool(tool_link: str) -> Iterable[str]:
    if tool_link != "tool":
        yield f'the tool frame is link "{tool_link}" ("tool" is a body); readers need to be told'


def _lost_of_body(body: Body) -> Iterable[str]:
    joint, friction = f'joint "{body.joint.name}"', body.joint.friction
    if friction.starting is not None:
        yield f"{joint}: starting friction {friction.starting:g} is not carried"
    if friction.load:
        with_own = " (which includes friction itself)" if friction.load_includes_friction else ""
        yield f"{joint}: load-dependent friction {friction.load:g}{with_own} is not carried"
    if body.joint.limits.acceleration is not None:
        yield f"{joint}: acceleration limit {body.joint.limits.acceleration:g} is not carried"
    if body.accept_unphysical:
        yield (
            f'body "{body.name}": the reason why its inertia is accepted is not carried; '
            "reading the file needs accept_unphysical"
        )


def _lost_of_robot(robot: Robot) -> Iterable[str]:
    if unknown := [
        joint.name for joint in robot.joints if None in (joint.limits.velocity, joint.limits.effort)
    ]:
        yield f"joints {', '.join(unknown)}: an unknown velocity or effort is written as {UNLIMITED:g}"
    if moved := [body.name for body in robot.bodies if body.joint.frame != Transform()]:
        yield f"bodies {', '.join(moved)}: their frames stand at their joints' frames instead"
    if robot.drives:
        names = ", ".join(f'"{drive.name}"' for drive in robot.drives)
        yield f"drives {names}: motors, rotors, gears and their friction are not carried"
    if tuple(robot.gravity) != EARTH:
        yield f"gravity {numbers_text(robot.gravity)} m/s2 is not carried, readers take their own"
    if robot.base_motion != BaseMotion():
        yield "the motion of the base is not carried"
    if (order := _order_read_back(robot)) != list(robot.joint_names):
        yield f"the order of q is not carried: branch after branch it is {', '.join(order)}"
    if any(robot.home):
        yield f"home {numbers_text(robot.home)} is not carried"
    texts = {"description": robot.description, "source": robot.source, "notes": robot.notes}
    yield from (f"the robot's {name}: not carried" for name, text in texts.items() if text)


def _order_read_back(robot: Robot) -> list[str]:
    """The independent joints depth first, as they are read."""
    joints = {body.name: body.joint for body in robot.bodies}
    order = depth_first(BASE, ((body.parent, body.name) for body in robot.bodies))
    return [joints[name].name for name in order if joints[name].independent]
