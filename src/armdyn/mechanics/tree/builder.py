"""The robot as equations see it: a tree of links, every joint axis along z of its link.

Building the tree folds everything constant: joint axes are turned onto z, bodies that cannot
move against each other become one link, payloads join their carriers, and the chosen motor
model turns rotors into links or spins. The bodies' own frames are kept beside it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from armdyn.mechanics.tree.links import Axes, BaseState, Coordinate, Link, Spin, Tree
from armdyn.mechanics.tree.motors import MotorModel, check_motors
from armdyn.robot import BASE, BaseMotion, Body, Coupling, Drive, Robot, Rotor
from armdyn.robot.joint import JointKind
from armdyn.scalars import exact_cos_sin
from armdyn.spatial import Inertia, Moments, Transform
from armdyn.spatial.rotation import about_z, along_z
from armdyn.spatial.vector import diagonal


def tree(robot: Robot, motors: MotorModel | None = None, *, lump: bool = True) -> Tree:
    """The tree of a robot under a motor model (by default the best its data support).

    With lump=False bodies on fixed joints stay links of their own, so that the loads
    between them can be seen.
    """
    motors = check_motors(robot, motors)
    builder = _Builder(robot, lump)
    for body in robot.bodies:
        builder.add_body(body)
    for payload in robot.payloads:
        builder.put_on(payload.body, payload.inertia)
    if motors != "none":
        for drive in robot.drives:
            builder.add_drive(drive, motors)
    tool_link, T_link_body = builder.frames[robot.tool.body]
    return Tree(
        robot.n,
        tuple(builder.links),
        tuple(builder.spins),
        builder.frames,
        (tool_link, T_link_body @ robot.tool.placement),
        robot.gravity,
        BaseState() if robot.base_motion == BaseMotion() else BaseState(**vars(robot.base_motion)),
        motors,
    )


def coordinate_of(robot: Robot, coupling: Coupling, offset: float = 0.0, factor: float = 1.0) -> Coordinate:
    """A coupling with joint names resolved to positions in q, times a constant factor."""
    weights = tuple((robot.positions[name], _whole(weight)) for name, weight in coupling.weights)
    return Coordinate(weights, coupling.offset, coupling.law, offset, _whole(factor))


# Building -------------------------------------------------------------------------------------


class _Builder:
    """Collects links, spins and frames while walking over a robot's bodies and drives."""

    def __init__(self, robot: Robot, lump: bool) -> None:
        self.robot, self.lump = robot, lump
        self.links: list[Link] = []
        self.spins: list[Spin] = []
        self.frames: dict[str, tuple[int, Transform]] = {BASE: (-1, Transform())}

    def add_body(self, body: Body) -> None:
        joint = body.joint
        parent, T_link_parent = self.frames[body.parent]
        turned = Transform(along_z(joint.axis))
        T_parent_link = T_link_parent @ joint.placement @ turned
        T_link_body = turned.inverse() @ joint.frame
        if joint.kind == "fixed" or (joint.coupling is not None and not joint.coupling.weights):
            self._add_fixed(body, parent, T_parent_link @ _held(body), T_link_body)
            return
        coupling = joint.coupling or Coupling(((joint.name, 1.0),))
        coordinate = coordinate_of(self.robot, coupling, joint.offset)
        self._add_link(
            body.name, parent, joint.kind, T_parent_link, coordinate, body.inertia.seen_from(T_link_body)
        )
        self.frames[body.name] = (len(self.links) - 1, T_link_body)

    def _add_fixed(self, body: Body, parent: int, T_parent_link: Transform, T_link_body: Transform) -> None:
        if self.lump:
            self.frames[body.name] = (parent, T_parent_link @ T_link_body)
            self.put_on(body.name, body.inertia)
        else:
            inertia = body.inertia.seen_from(T_link_body)
            self._add_link(body.name, parent, "fixed", T_parent_link, Coordinate(()), inertia)
            self.frames[body.name] = (len(self.links) - 1, T_link_body)

    def _add_link(
        self,
        name: str,
        parent: int,
        kind: JointKind,
        place: Transform,
        coordinate: Coordinate,
        inertia: Inertia,
        driven: bool = True,
        axes: Axes = "turning",
    ) -> None:
        moments = Moments.of(inertia)
        self.links.append(
            Link(name, parent, kind, place.rotation, place.translation, coordinate, moments, driven, axes)
        )

    def put_on(self, body: str, inertia: Inertia, sign: int = 1) -> None:
        """Add an inertia, given in a body's frame, to the link that carries the body."""
        link, T_link_body = self.frames[body]
        if link < 0:
            if self.lump:  # what stands on the base is felt by no joint
                return
            self._add_link(f"on {body}", -1, "fixed", Transform(), Coordinate(()), Inertia())
            link = len(self.links) - 1
        carried, riding = self.links[link].inertia, Moments.of(inertia.seen_from(T_link_body))
        together = carried + riding if sign > 0 else carried - riding
        self.links[link] = replace(self.links[link], inertia=together)

    def add_drive(self, drive: Drive, motors: MotorModel) -> None:
        if drive.joint_inertia is not None and drive.joint:
            coordinate = coordinate_of(self.robot, Coupling(((drive.joint, 1.0),)))
            self.spins.append(Spin(drive.name, drive.joint_inertia, coordinate))
        for (name, rotor), (_, ratio) in zip(drive.named_rotors, drive.rotors, strict=True):
            self._add_rotor(name, drive, rotor, ratio, motors)

    def _add_rotor(self, name: str, drive: Drive, rotor: Rotor, ratio: float, motors: MotorModel) -> None:
        coordinate = coordinate_of(self.robot, drive.coupling, factor=ratio)
        if motors == "exact" and coordinate.weights:
            self._add_rotor_link(name, rotor, rotor.inertia, coordinate)
            return
        if rotor.mass is not None and rotor.carrier is not None and rotor.placement is not None:
            self.put_on(rotor.carrier, rotor.inertia.seen_from(rotor.placement))
        if motors == "augmented" and coordinate.weights:
            self._add_gyrostat(name, rotor, coordinate)
        elif motors == "coupled":
            self.spins.append(Spin(name, rotor.axial, coordinate))
        elif motors == "reflected" and drive.joint:
            self.spins.append(Spin(name, rotor.axial, coordinate, self.robot.joint_names.index(drive.joint)))

    def _add_rotor_link(
        self, name: str, rotor: Rotor, inertia: Inertia, coordinate: Coordinate, axes: Axes = "turning"
    ) -> None:
        assert rotor.carrier is not None and rotor.placement is not None  # the model was checked
        if (
            rotor.mass is None or axes == "round"
        ):  # its carrier's inertia counts it as riding: take that off again
            self.put_on(rotor.carrier, inertia.seen_from(rotor.placement), sign=-1)
        parent, T_link_body = self.frames[rotor.carrier]
        place = T_link_body @ rotor.placement
        self._add_link(name, parent, "revolute", place, coordinate, inertia, driven=False, axes=axes)

    def _add_gyrostat(self, name: str, rotor: Rotor, coordinate: Coordinate) -> None:
        """A rotor that rides on its carrier but for its spin, 1/2 I (omega_z + thetadot)^2."""
        spinning = Inertia(0.0, tensor=diagonal(0.0, 0.0, rotor.axial))
        self._add_rotor_link(name, rotor, spinning, coordinate, axes="round")


def _held(body: Body) -> Transform:
    """The constant motion of a joint that cannot move (fixed, or locked at a value)."""
    joint = body.joint
    if joint.kind == "fixed":
        return Transform()
    assert joint.coupling is not None
    constant = joint.coupling.offset
    value = (joint.coupling.law.evaluate(constant)[0] if joint.coupling.law else constant) + joint.offset
    if joint.kind == "prismatic":
        return Transform(translation=(0.0, 0.0, value))
    return Transform(about_z(*exact_cos_sin(value)))


def _whole(weight: float) -> Any:
    """A weight of exactly 1 or -1 is structure, not a number to multiply with."""
    return int(weight) if weight in (1.0, -1.0) else weight
