"""The robot as equations see it: a tree of links, every joint axis along z of its link.

Building the tree folds everything constant: joint axes are turned onto z, bodies that cannot
move against each other become one link, payloads join their carriers, and the chosen motor
model turns rotors into links or spins. The bodies' own frames are kept beside it.

Motor models ("models differ in the spin terms only"):
    exact      every rotor and gear wheel is a link of its own
    coupled    rotors ride on their carriers; their spin adds I theta'^T theta' (K^T I K)
    reflected  rotors ride; each drive adds k^2 I to its own joint, as other tools do
    none       no drives: links and payload only
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from armdyn.errors import InputError, MissingDataError
from armdyn.robot import BASE, Body, Coupling, Drive, Robot, Rotor
from armdyn.robot.joint import JointKind
from armdyn.scalars import exact_cos_sin
from armdyn.spatial import Inertia, Transform, Vec3
from armdyn.spatial.rotation import about_z, along_z
from armdyn.spatial.vector import ZERO, Mat3, add, add_matrices, matrix, scale, vector

MotorModel = Literal["exact", "coupled", "reflected", "none"]
MOTOR_MODELS: tuple[MotorModel, ...] = ("exact", "coupled", "reflected", "none")


@dataclass(frozen=True)
class Coordinate:
    """theta = f(sum weights[i] q[i] + inner) + offset, with f the law or the identity."""

    weights: tuple[tuple[int, Any], ...]
    inner: Any = 0.0
    law: Any = None
    offset: float = 0.0
    scale: Any = 1


@dataclass(frozen=True)
class Link:
    """One moving link: its joint turns about, or slides along, its own z.

    rotation and position place it in its parent at coordinate zero; mass, moment (first, about
    the origin) and second (second moment about the origin) are its inertia in its own axes.
    """

    name: str
    parent: int
    kind: JointKind
    rotation: Mat3
    position: Vec3
    coordinate: Coordinate
    mass: Any
    moment: Vec3
    second: Mat3
    driven: bool = True
    """False for a rotor: it loads its drive, not the joint."""

    def carrying(self, inertia: Inertia, sign: int = 1) -> Link:
        """The link with another body (in the link's frame) rigidly on it, or taken off it."""
        return replace(
            self,
            mass=self.mass + sign * inertia.mass,
            moment=add(self.moment, scale(sign, inertia.moment)),
            second=add_matrices(self.second, matrix(scale(sign, row) for row in inertia.second_moment)),
        )


@dataclass(frozen=True)
class Spin:
    """A rotor seen only as 1/2 I thetadot^2.

    With `own` set, only the element of d theta/d q at that position of q counts, and its
    change along the motion does not: the k^2 I on the diagonal of other tools.
    """

    name: str
    inertia: Any
    coordinate: Coordinate
    own: int | None = None


@dataclass(frozen=True)
class BaseState:
    """How the base frame moves, in base axes."""

    velocity: Vec3 = ZERO
    angular_velocity: Vec3 = ZERO
    acceleration: Vec3 = ZERO
    angular_acceleration: Vec3 = ZERO


@dataclass(frozen=True)
class Tree:
    """Links (parents before children, -1 is the base), spins, and where the bodies' frames are."""

    n: int
    links: tuple[Link, ...]
    spins: tuple[Spin, ...]
    frames: Mapping[str, tuple[int, Transform]]
    """body -> (link, T_link_body)"""
    tool: tuple[int, Transform]
    gravity: Vec3
    base: BaseState
    motors: MotorModel

    def at_rest(self) -> Tree:
        """The tree on a base that does not move."""
        return replace(self, base=BaseState())

    def with_numbers(self, number: Callable[[float], Any]) -> Tree:
        """The tree with its inertial parameters and geometry turned into another kind of scalar."""

        def lift(x: Any) -> Any:
            return number(x) if isinstance(x, float) else x

        def row(v: Any) -> Any:
            return vector(lift(x) for x in v)

        def lifted(coordinate: Coordinate) -> Coordinate:
            return replace(coordinate, weights=tuple((i, lift(w)) for i, w in coordinate.weights))

        links = tuple(
            replace(
                link,
                rotation=matrix(row(r) for r in link.rotation),
                position=row(link.position),
                coordinate=lifted(link.coordinate),
                mass=lift(link.mass),
                moment=row(link.moment),
                second=matrix(row(r) for r in link.second),
            )
            for link in self.links
        )
        spins = tuple(
            replace(spin, inertia=lift(spin.inertia), coordinate=lifted(spin.coordinate))
            for spin in self.spins
        )
        return replace(self, links=links, spins=spins, gravity=row(self.gravity))


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
        BaseState(**vars(robot.base_motion)),
        motors,
    )


def coordinate_of(robot: Robot, coupling: Coupling, offset: float = 0.0, factor: float = 1.0) -> Coordinate:
    """A coupling with joint names resolved to positions in q, times a constant factor."""
    position = {name: i for i, name in enumerate(robot.joint_names)}
    weights = tuple((position[name], _whole(weight)) for name, weight in coupling.weights)
    return Coordinate(weights, coupling.offset, coupling.law, offset, _whole(factor))


# Which motor models the data support --------------------------------------------------------


def default_motors(robot: Robot) -> MotorModel:
    """The best motor model that the robot's data support."""
    return next(model for model in MOTOR_MODELS if _missing(robot, model) is None)


def check_motors(robot: Robot, motors: str | None) -> MotorModel:
    """The motor model asked for, or the default; raise if the data do not support it."""
    if motors is None:
        return default_motors(robot)
    if motors not in MOTOR_MODELS:
        raise InputError(f'motors "{motors}", expected one of {", ".join(MOTOR_MODELS)}')
    missing = _missing(robot, motors)
    if missing is not None:
        raise MissingDataError(
            f'motors "{motors}" for robot "{robot.name}": {missing}; '
            f'"{default_motors(robot)}" is the best its data support'
        )
    return motors


def _missing(robot: Robot, motors: MotorModel) -> str | None:
    """Which datum the model needs and the robot lacks, or None."""
    if motors == "none":
        return None
    known = [d for d in robot.drives if d.rotor is not None or d.joint_inertia is not None]
    if not known:
        return "no drive gives an inertia"
    if motors == "reflected":
        return None
    for drive in known:
        if drive.rotor is None:
            return f'drive "{drive.name}" gives only the inertia felt at its joint, not its rotor'
        if motors == "exact" and not all(r.placed for r in _rotors(drive)):
            return f'drive "{drive.name}" does not say where its rotor sits (carrier, placement)'
    return None


def _rotors(drive: Drive) -> list[Rotor]:
    return [r for r in (drive.rotor, *(stage.rotor for stage in drive.stages)) if r is not None]


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
    ) -> None:
        self.links.append(
            Link(
                name,
                parent,
                kind,
                place.rotation,
                place.translation,
                coordinate,
                inertia.mass,
                inertia.moment,
                inertia.second_moment,
                driven,
            )
        )

    def put_on(self, body: str, inertia: Inertia, sign: int = 1) -> None:
        """Add an inertia, given in a body's frame, to the link that carries the body."""
        link, T_link_body = self.frames[body]
        if link >= 0:
            self.links[link] = self.links[link].carrying(inertia.seen_from(T_link_body), sign)

    def add_drive(self, drive: Drive, motors: MotorModel) -> None:
        if drive.joint_inertia is not None and drive.joint:
            coordinate = coordinate_of(self.robot, Coupling(((drive.joint, 1.0),)))
            self.spins.append(Spin(drive.name, drive.joint_inertia, coordinate))
        stages = [(drive.rotor, 1.0)] if drive.rotor is not None else []
        stages += [(stage.rotor, stage.ratio) for stage in drive.stages]
        for k, (rotor, ratio) in enumerate(stages):
            name = drive.name if k == 0 else f"{drive.name}.stage{k}"
            self._add_rotor(name, drive, rotor, ratio, motors)

    def _add_rotor(self, name: str, drive: Drive, rotor: Rotor, ratio: float, motors: MotorModel) -> None:
        coordinate = coordinate_of(self.robot, drive.coupling, factor=ratio)
        if motors == "exact" and coordinate.weights:
            self._add_rotor_link(name, rotor, coordinate)
            return
        if rotor.mass is not None and rotor.carrier is not None and rotor.placement is not None:
            self.put_on(rotor.carrier, rotor.inertia.seen_from(rotor.placement))
        if motors == "coupled":
            self.spins.append(Spin(name, rotor.axial, coordinate))
        elif motors == "reflected" and drive.joint:
            self.spins.append(Spin(name, rotor.axial, coordinate, self.robot.joint_names.index(drive.joint)))

    def _add_rotor_link(self, name: str, rotor: Rotor, coordinate: Coordinate) -> None:
        assert rotor.carrier is not None and rotor.placement is not None  # "exact" was checked
        if rotor.mass is None:  # its carrier's inertia counts it as riding: take that off again
            self.put_on(rotor.carrier, rotor.inertia.seen_from(rotor.placement), sign=-1)
        parent, T_link_body = self.frames[rotor.carrier]
        place = T_link_body @ rotor.placement
        self._add_link(name, parent, "revolute", place, coordinate, rotor.inertia, driven=False)


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
