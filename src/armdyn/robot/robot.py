"""The robot: a frozen tree of bodies whose joint coordinates are functions of q."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, SupportsIndex

from armdyn.errors import InertiaError, InputError, RobotError, counted, suggestion
from armdyn.robot.body import BASE, Body
from armdyn.robot.checks import about, distinct, finite, known, require, require_rotation
from armdyn.robot.drive import Drive
from armdyn.robot.estimated import Estimated
from armdyn.robot.joint import Joint
from armdyn.spatial import Inertia, Transform, Vec3
from armdyn.spatial.vector import ZERO, Mat3, matrix, vector

EARTH: Vec3 = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class BaseMotion:
    """Prescribed motion of the base frame, in base axes at its origin."""

    velocity: Vec3 = ZERO
    """[m/s]"""
    angular_velocity: Vec3 = ZERO
    """[rad/s]"""
    acceleration: Vec3 = ZERO
    """[m/s2]"""
    angular_acceleration: Vec3 = ZERO
    """[rad/s2]"""

    def __post_init__(self) -> None:
        """Check the numbers."""
        finite("base motion", (x for part in vars(self).values() for x in part))


@dataclass(frozen=True)
class Tool:
    """The tool frame: a placement on a body (T_body_tool)."""

    body: str
    placement: Transform = field(default_factory=Transform)


@dataclass(frozen=True)
class Payload:
    """Something held: an inertia in the frame of the body that carries it."""

    body: str
    inertia: Inertia

    def __post_init__(self) -> None:
        """Refuse an inertia that no body can have."""
        reason = self.inertia.unphysical()
        if reason is not None:
            raise InertiaError(self.body, reason, payload=True)


@dataclass(frozen=True, repr=False)
class Robot:
    """A robot arm: bodies (parents before children), drives, tool, gravity, home posture.

    Joints are numbered from 1 in the order in which their bodies stand, and have names;
    everything that takes a joint takes either.
    """

    name: str
    bodies: tuple[Body, ...]
    drives: tuple[Drive, ...] = ()
    tool: Tool = Tool("")
    payloads: tuple[Payload, ...] = ()
    home: tuple[float, ...] = ()
    gravity: Vec3 = EARTH
    base_motion: BaseMotion = BaseMotion()
    description: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    estimates: tuple[Estimated, ...] = ()
    """What measurements have shown of its parameters, and how surely."""

    def __post_init__(self) -> None:
        """Check the whole; fill in the tool (the last body's frame) and home (zero) if missing."""
        subject = f'robot "{self.name}"'
        require(bool(self.name.strip()), "a robot has no name, expected one")
        require(bool(self.bodies), f"{subject} has no body, expected at least one")
        require(self.n > 0, f"{subject} has no joint that can move, expected at least one")
        finite(f"{subject}, gravity", self.gravity)
        self._check_tree(subject)
        self._check_drives(subject)
        if not self.tool.body:
            object.__setattr__(self, "tool", replace(self.tool, body=self.bodies[-1].name))
        if not self.home:
            object.__setattr__(self, "home", (0.0,) * self.n)
        with about("tool"):
            known(f"{subject}, tool", "body", self.tool.body, self.body_names)
        require_rotation(f"{subject}, tool", self.tool.placement.rotation)
        finite(f"{subject}, tool", self.tool.placement.translation)
        values = counted(len(self.home), "value")
        require(len(self.home) == self.n, f"{subject}: home has {values}, expected {self.n}")
        finite(f"{subject}, home", self.home)
        for k, payload in enumerate(self.payloads):
            with about("payloads", k):
                known(f"{subject}, payload", "body", payload.body, self.body_names)

    def _check_tree(self, subject: str) -> None:
        distinct(subject, "body", (BASE, *self.body_names))
        distinct(subject, "joint", (body.joint.name for body in self.bodies))
        seen = {BASE}
        for k, body in enumerate(self.bodies):
            with about("bodies", k):
                self._check_place(body, seen, f'{subject}, body "{body.name}"')
            seen.add(body.name)

    def _check_place(self, body: Body, seen: set[str], subject: str) -> None:
        if body.parent not in seen:
            known(subject, "parent body", body.parent, self.body_names)
            raise RobotError(
                f'{subject}: parent "{body.parent}" comes later or loops back, '
                "expected parents before children"
            )
        if body.joint.coupling is not None:
            for name, _ in body.joint.coupling.weights:
                known(f'{subject}, joint "{body.joint.name}"', "independent joint", name, self.joint_names)

    def _check_drives(self, subject: str) -> None:
        distinct(subject, "drive", (drive.name for drive in self.drives))
        for k, drive in enumerate(self.drives):
            with about("drives", k):
                self._check_drive(drive, f'{subject}, drive "{drive.name}"')

    def _check_drive(self, drive: Drive, subject: str) -> None:
        for name in (*(name for name, _ in drive.coupling.weights), *([drive.joint] if drive.joint else [])):
            known(subject, "independent joint", name, self.joint_names)
        for rotor, _ in drive.rotors:
            if rotor.carrier is not None:
                known(f"{subject}, rotor", "body", rotor.carrier, (BASE, *self.body_names))

    def __repr__(self) -> str:
        return f"Robot({self.name}: {self.n} joints, {len(self.bodies)} bodies, {len(self.drives)} drives)"

    # What it has --------------------------------------------------------------------------

    @cached_property
    def n(self) -> int:
        """Number of independent joints."""
        return sum(body.joint.independent for body in self.bodies)

    @cached_property
    def joints(self) -> tuple[Joint, ...]:
        """The independent joints, in the order of q."""
        return tuple(body.joint for body in self.bodies if body.joint.independent)

    @cached_property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the independent joints, in the order of q."""
        return tuple(joint.name for joint in self.joints)

    @cached_property
    def locked_joints(self) -> dict[str, float]:
        """Joints that could move but are held: name -> value of their coordinate [rad or m]."""
        couplings = ((b.joint.name, b.joint.coupling) for b in self.bodies if b.joint.kind != "fixed")
        return {name: coupling.offset for name, coupling in couplings if coupling and not coupling.weights}

    @cached_property
    def positions(self) -> dict[str, int]:
        """Name of an independent joint -> its position in q (from 0)."""
        return {name: k for k, name in enumerate(self.joint_names)}

    @cached_property
    def body_names(self) -> tuple[str, ...]:
        """Names of the bodies."""
        return tuple(body.name for body in self.bodies)

    @property
    def total_mass(self) -> float:
        """Mass of all bodies, rotors and payloads that have one of their own [kg]."""
        return (
            sum(body.inertia.mass for body in self.bodies)
            + sum(payload.inertia.mass for payload in self.payloads)
            + sum(rotor.mass or 0.0 for drive in self.drives for rotor, _ in drive.rotors)
        )

    def joint_index(self, joint: int | str) -> int:
        """Position in q of a joint given by its number (from 1) or name."""
        if isinstance(joint, str) and joint in self.joint_names:
            return self.joint_names.index(joint)
        if isinstance(joint, SupportsIndex) and not isinstance(joint, bool) and 1 <= int(joint) <= self.n:
            return int(joint) - 1
        hint = suggestion(joint, self.joint_names) if isinstance(joint, str) else ""
        raise InputError(
            f'no joint {joint!r} in robot "{self.name}"; {hint}'
            f"expected 1 to {self.n} or one of {', '.join(self.joint_names)}"
        )

    # Changed copies -----------------------------------------------------------------------

    def with_payload(
        self,
        mass: float,
        com: Sequence[float] = (0.0, 0.0, 0.0),
        inertia: Sequence[Sequence[float]] | Sequence[float] | None = None,
        body: str | None = None,
    ) -> Robot:
        """The robot holding something more.

        Args:
            mass: of the payload [kg].
            com: its centre of mass in the frame of the body that carries it [m].
            inertia: tensor about its centre of mass [kg m2]: 3x3, or Ixx, Iyy, Izz, Ixy, Ixz, Iyz.
            body: what carries it; by default the body that carries the tool.
        """
        (held_mass,), held_com = _reals("payload: mass", [mass], 1), _reals("payload: centre of mass", com, 3)
        held = Inertia(held_mass, vector(held_com), _tensor(inertia))
        return replace(self, payloads=(*self.payloads, Payload(body or self.tool.body, held)))

    def without_payload(self) -> Robot:
        """The robot with empty hands."""
        return replace(self, payloads=())

    def with_gravity(self, gravity: Sequence[float]) -> Robot:
        """The robot under another gravity, a vector in the base frame [m/s2]."""
        return replace(self, gravity=vector(_reals("gravity", gravity, 3)))

    def with_tool(self, placement: Transform, body: str | None = None) -> Robot:
        """The robot with another tool frame (T_body_tool)."""
        _expect("placement", placement, Transform)
        return replace(self, tool=Tool(body or self.tool.body, placement))

    def with_base_motion(self, motion: BaseMotion) -> Robot:
        """The robot on a base that moves as prescribed."""
        _expect("motion", motion, BaseMotion)
        return replace(self, base_motion=motion)

    def placed(self, placement: Transform) -> Robot:
        """The robot standing elsewhere: `placement` maps its old base frame into the new one.

        Gravity stays a vector in the new base frame: a hanging arm is one placed upside down,
        `arm.placed(Transform.of(rpy=(pi, 0, 0)))`.
        """
        _expect("placement", placement, Transform)
        bodies = tuple(
            replace(body, joint=replace(body.joint, placement=placement @ body.joint.placement))
            if body.parent == BASE
            else body
            for body in self.bodies
        )
        drives = tuple(_placed_drive(drive, placement) for drive in self.drives)
        return replace(self, bodies=bodies, drives=drives)

    def locked(self, values: Mapping[int | str, float]) -> Robot:
        """The restricted model with some joints (number or name) held at the given values.

        Its q has one element fewer per locked joint ([Bejczy1974] sec. V).
        """
        _expect("values", values, Mapping)
        held: dict[str, float] = {}
        for joint, value in values.items():
            name = self.joint_names[self.joint_index(joint)]
            if name in held:
                raise InputError(f'joint "{name}" of robot "{self.name}" is locked twice, expected once')
            (held[name],) = _reals(f'locked joint "{name}"', [value], 1)
        finite("locked joint", held.values())
        if len(held) == self.n:
            raise InputError(
                f'robot "{self.name}": all {self.n} joints would be locked, expected one free at least'
            )
        bodies = tuple(replace(body, joint=_locked_joint(body.joint, held)) for body in self.bodies)
        drives = tuple(
            replace(
                drive, joint="" if drive.joint in held else drive.joint, coupling=drive.coupling.locked(held)
            )
            for drive in self.drives
        )
        home = tuple(h for h, name in zip(self.home, self.joint_names, strict=True) if name not in held)
        return replace(self, bodies=bodies, drives=drives, home=home)


def _locked_joint(joint: Joint, held: Mapping[str, float]) -> Joint:
    if joint.name in held and joint.independent:
        return joint.held_at(held[joint.name])
    return joint if joint.coupling is None else replace(joint, coupling=joint.coupling.locked(held))


def _placed_drive(drive: Drive, placement: Transform) -> Drive:
    def moved(rotor: Any) -> Any:
        if rotor is None or rotor.carrier != BASE:
            return rotor
        return replace(rotor, placement=placement @ rotor.placement)

    stages = tuple(replace(stage, rotor=moved(stage.rotor)) for stage in drive.stages)
    return replace(drive, rotor=moved(drive.rotor), stages=stages)


def _expect(name: str, value: object, kind: type) -> None:
    if not isinstance(value, kind):
        raise InputError(f"{name} is a {type(value).__name__}, expected a {kind.__name__}")


def _reals(subject: str, values: Sequence[float], count: int) -> list[float]:
    try:
        reals = [float(x) for x in values]
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{subject} is {values!r}, expected {count} number{'' if count == 1 else 's'}"
        ) from error
    if len(reals) != count:
        raise InputError(f"{subject} has {counted(len(reals), 'value')}, expected {count}")
    return reals


def _tensor(values: Sequence[Sequence[float]] | Sequence[float] | None) -> Mat3:
    """A tensor from 3x3, or from Ixx, Iyy, Izz, Ixy, Ixz, Iyz, or zero."""
    rows: Any = (0.0,) * 6 if values is None else values
    try:
        if len(rows) == 6:
            xx, yy, zz, xy, xz, yz = (float(x) for x in rows)
            return ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))
        return matrix([float(x) for x in row] for row in rows)
    except (TypeError, ValueError) as error:
        raise InputError(
            f"payload: inertia {values}, expected 3x3 or Ixx, Iyy, Izz, Ixy, Ixz, Iyz"
        ) from error
