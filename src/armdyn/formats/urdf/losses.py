"""What URDF cannot carry of a robot that is written: one sentence for each thing.

Whatever a robot can say is either in the file, so that it reads back with the same meaning, or named here;
a test walks over all fields of a robot and holds that.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np

from armdyn.formats.urdf.elements import numbers_text
from armdyn.formats.urdf.joints import UNLIMITED, held_at, nearest_to_zero
from armdyn.formats.urdf.links import has_inertia
from armdyn.formats.urdf.topology import depth_first
from armdyn.robot import BASE, BaseMotion, Body, Drive, Joint, Limits, Robot, Rotor
from armdyn.robot.robot import EARTH
from armdyn.spatial import Transform

THIN = 1e-12
"""Relative: a principal moment that is none but for rounding."""


def losses(robot: Robot, tool_link: str, *, rotors: bool = True) -> tuple[str, ...]:
    """A sentence for every part of the robot that is lost when its tool frame is `tool_link`."""
    joints = [body.joint for body in robot.bodies]
    return (
        *chain.from_iterable(_lost_of_motion(joint) for joint in joints),
        *_lost_of_tool(tool_link),
        *chain.from_iterable(_lost_of_body(body) for body in robot.bodies),
        *_refused(robot),
        *_lost_of_limits(joints),
        *_lost_of_frames(robot),
        *_lost_of_drives(robot, rotors=rotors),
        *_lost_of_surroundings(robot),
        *_lost_of_words(robot),
    )


# Joints and bodies ----------------------------------------------------------------------------


def _lost_of_motion(joint: Joint) -> Iterable[str]:
    subject, coupling = f'joint "{joint.name}"', joint.coupling
    if (held := held_at(joint)) is not None:
        if joint.kind != "fixed":
            yield f"{subject} is held at {held - joint.offset:g}; it is written as fixed"
        elif joint.limits != Limits():
            yield f"{subject} is fixed; its limits are not carried"
        return
    free = coupling is None or coupling.law is not None
    if free and joint.kind == "prismatic" and joint.limits.position is None:
        yield f"{subject} slides without limits; some readers take missing limits as zero"
    if coupling is None:
        return
    if coupling.law is not None:
        leaders = ", ".join(f'"{name}"' for name, _ in coupling.weights)
        yield f"{subject} follows {leaders} by a nonlinear law; it is written as a joint of its own"
    elif len(coupling.weights) > 1:
        yield (
            f"{subject} follows several; it is written as as many mimic joints with massless links between, "
            "which some readers, as MuJoCo, refuse"
        )
        if joint.friction or joint.limits != Limits():
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


def _refused(robot: Robot) -> Iterable[str]:
    """Nothing is lost, but some readers want every moving body to have inertia about every axis."""
    weighed = {payload.body for payload in robot.payloads} | {r.carrier for _, r in riding(robot)}
    weighed |= {body.parent for body in robot.bodies if held_at(body.joint) is not None}
    thin = [
        body.name
        for body in robot.bodies
        if (_is_thin(body) if has_inertia(body.inertia) else body.name not in weighed and _moves(body))
    ]
    if thin:
        yield f"bodies {', '.join(thin)}: no inertia about some axis; some readers, as MuJoCo, refuse that"


def _moves(body: Body) -> bool:
    return held_at(body.joint) is None


def _is_thin(body: Body) -> bool:
    moments = np.linalg.eigvalsh(np.array(body.inertia.tensor, dtype=float))
    return bool(moments.min() <= THIN * moments.max()) or body.inertia.unphysical() is not None


def _lost_of_limits(joints: Iterable[Joint]) -> Iterable[str]:
    moving = [joint for joint in joints if held_at(joint) is None]
    bounds = [(joint.name, (joint.limits.velocity, joint.limits.effort)) for joint in moving]
    if unknown := [name for name, both in bounds if None in both]:
        yield f"joints {', '.join(unknown)}: an unknown velocity or effort is written as {UNLIMITED:g}"
    if odd := [name for name, both in bounds if any(b is not None and not 0 < b < UNLIMITED for b in both)]:
        yield (
            f"joints {', '.join(odd)}: a velocity or effort limit of 0, or of {UNLIMITED:g} and more, "
            "is read as unknown"
        )


def _lost_of_frames(robot: Robot) -> Iterable[str]:
    if moved := [body.name for body in robot.bodies if body.joint.frame != Transform()]:
        yield f"bodies {', '.join(moved)}: their frames stand at their joints' frames instead"
    if robot.payloads:
        carriers = ", ".join(dict.fromkeys(f'"{payload.body}"' for payload in robot.payloads))
        yield f"payload on {carriers}: a link of its own, which nobody can put down again"


# Drives ---------------------------------------------------------------------------------------


def riding(robot: Robot) -> list[tuple[str, Rotor]]:
    """Rotors that have a mass of their own, by name: they ride on their carriers."""
    named = chain.from_iterable(drive.named_rotors for drive in robot.drives)
    return [(name, rotor) for name, rotor in named if rotor.mass is not None]


def _lost_of_drives(robot: Robot, *, rotors: bool) -> Iterable[str]:
    if not robot.drives:
        return
    names = ", ".join(f'"{drive.name}"' for drive in robot.drives)
    yield f"drives {names}: motors, spinning rotors, gears and their friction are not carried"
    felt = [(drive.joint, value) for drive in robot.drives if (value := _felt(drive))]
    if felt:
        listed = ", ".join(f"{joint} {value:.6g}" for joint, value in felt)
        yield f"inertia of drives is not carried; as armature at the joints it is {listed} (kg m2 or kg)"
    if screws := [d.name for d in robot.drives if d.coupling.law is not None and d.rotors]:
        yield f"inertia of drives {', '.join(screws)} is not carried; it changes with the posture"
    masses = riding(robot)
    if masses and rotors:
        yield f"rotors {', '.join(name for name, _ in masses)}: links of their own, fixed on their carriers"
    elif masses:
        yield f"rotors {', '.join(name for name, _ in masses)}: their masses are left out"


def _felt(drive: Drive) -> float | None:
    """k^2 I of a drive at its own joint, where that is a number: a screw's ratio changes."""
    if drive.joint_inertia is not None:
        return drive.joint_inertia if drive.joint else None
    ratio = dict(drive.coupling.weights).get(drive.joint)
    if ratio is None or drive.coupling.law is not None:
        return None
    return ratio * ratio * sum(rotor.axial * stage * stage for rotor, stage in drive.rotors)


# The robot as a whole -------------------------------------------------------------------------


def _lost_of_surroundings(robot: Robot) -> Iterable[str]:
    if tuple(robot.gravity) != EARTH:
        yield f"gravity {numbers_text(robot.gravity)} m/s2 is not carried, readers take their own"
    if robot.base_motion != BaseMotion():
        yield "the motion of the base is not carried"
    if (order := _order_read_back(robot)) != list(robot.joint_names):
        yield f"the order of q is not carried: branch after branch it is {', '.join(order)}"
    if tuple(robot.home) != tuple(nearest_to_zero(joint.limits) for joint in robot.joints):
        yield f"home {numbers_text(robot.home)} is not carried"


def _lost_of_words(robot: Robot) -> Iterable[str]:
    texts = {"description": robot.description, "estimates": robot.estimates}
    texts |= {"source": robot.source, "notes": robot.notes}
    yield from (f"the robot's {name}: not carried" for name, text in texts.items() if text)


def _order_read_back(robot: Robot) -> list[str]:
    """The independent joints depth first, as they are read."""
    joints = {body.name: body.joint for body in robot.bodies}
    order = depth_first(BASE, ((body.parent, body.name) for body in robot.bodies))
    return [joints[name].name for name in order if joints[name].independent]
