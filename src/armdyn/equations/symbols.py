"""A robot with symbols in place of its numbers; a zero is structure and stays.

Names, i counting the bodies as the robot file does:
    m4                    mass
    x4, y4, z4            centre of mass in the body's frame
    k4xx, kk4xy           radii of gyration about the frame's origin: Ixx = m4 k4xx^2, Ixy = m4 kk4xy, with
                          the tensor's signs ([Bejczy1974] (11), where kk4xy is k_412^2), or
    I4xx, I4xy            the tensor itself, about the frame's origin or about the centre of mass
    a4, d4                of a DH row; l4x, l4y, l4z of any other joint's placement
    g                     gravity along an axis of the base; gx, gy, gz along none
    mL, xL, kLxx ..       the payload
    Im1, mm1, It1, kr1    inertia about the axis, mass, inertia across it, and gear ratio of rotor 1
    Ia1                   the inertia of drive 1 felt at its joint
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TypeVar

from armdyn.robot import Body, Coupling, Drive, Payload, Robot, Rotor
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import Mat3, Vec3, matrix, vector

InertiaForm = Literal["gyration", "origin", "centre"]
INERTIA_FORMS: tuple[InertiaForm, ...] = ("gyration", "origin", "centre")
AXES = "xyz"

Record = TypeVar("Record")


class Symbols(Protocol):
    """What makes symbols: a ring of harmonics, or any other kind of scalar that has names."""

    def symbol(self, name: str) -> Any:
        """The symbol of a name."""
        ...


@dataclass
class Naming:
    """Gives names to numbers and remembers their values."""

    ring: Symbols
    form: InertiaForm = "gyration"
    values: dict[str, float] = field(default_factory=dict[str, float])

    def symbol(self, name: str, value: Any) -> Any:
        """The symbol of a number that is not zero."""
        if value == 0:
            return 0
        self.values[name] = float(value)
        return self.ring.symbol(name)

    def vector(self, names: Sequence[str], values: Vec3) -> Vec3:
        """The symbols of a vector, each element by its name."""
        return vector(self.symbol(name, x) for name, x in zip(names, values, strict=True))

    def inertia(self, tag: str, inertia: Inertia) -> Inertia:
        """An inertia in symbols, in the form asked for."""
        mass = self.symbol(f"m{tag}", inertia.mass)
        com = self.vector([f"{axis}{tag}" for axis in AXES], inertia.com if inertia.mass else (0, 0, 0))
        if self.form == "centre":
            return Inertia(mass, com, self._tensor(inertia.tensor, lambda a, b: (f"I{tag}{a}{b}", 1, 1)))
        tensor = inertia.tensor_about_origin
        if self.form == "origin" or not inertia.mass:
            return Inertia.about_origin(mass, com, self._tensor(tensor, lambda a, b: (f"I{tag}{a}{b}", 1, 1)))

        def radius(a: str, b: str) -> tuple[str, Any, int]:
            return (f"k{tag}{a}{b}", mass, 2) if a == b else (f"kk{tag}{a}{b}", mass, 1)

        return Inertia.about_origin(mass, com, self._tensor(tensor, radius, inertia.mass))

    def _tensor(
        self, tensor: Any, name: Callable[[str, str], tuple[str, Any, int]], mass: float = 1.0
    ) -> Mat3:
        """A tensor in symbols: factor times symbol^power, the factor's value being the mass."""
        largest = max(abs(x) for row in tensor for x in row)

        def element(i: int, j: int) -> Any:
            i, j = min(i, j), max(i, j)
            value = tensor[i][j] / mass
            if abs(tensor[i][j]) <= 1e-12 * largest:  # what moving to the origin and back leaves of a zero
                return 0
            label, factor, power = name(AXES[i], AXES[j])
            if power == 2 and value < 0:  # no body, but accepted as documents print it
                label, power = f"k{label}", 1
            symbol = self.symbol(label, value if power == 1 else value**0.5)
            return factor * (symbol if power == 1 else symbol * symbol)

        return matrix([element(i, j) for j in range(3)] for i in range(3))


def with_symbols(robot: Robot, naming: Naming, *, parameters: bool = True, payload: bool = False) -> Robot:
    """The robot in symbols: all its parameters, or only its payload's.

    With payload=True something is held that only symbols describe, at the body of the tool, without products
    of inertia; what is held already gets symbols in any case.
    """
    held = [
        _changed(load, inertia=naming.inertia(_load_tag(k, robot), load.inertia))
        for k, load in enumerate(robot.payloads)
    ]
    if payload:
        tag = "L" if not held else f"L{len(held) + 1}"
        held.append(_changed(Payload(robot.tool.body, Inertia()), inertia=_unknown_load(naming, tag)))
    robot = _changed(robot, payloads=tuple(held))
    if not parameters:
        return robot
    bodies = tuple(_body(naming, str(i + 1), body) for i, body in enumerate(robot.bodies))
    drives = tuple(_drive(naming, str(i + 1), drive) for i, drive in enumerate(robot.drives))
    return _changed(robot, bodies=bodies, drives=drives, gravity=_gravity(naming, robot.gravity))


def _load_tag(k: int, robot: Robot) -> str:
    return "L" if len(robot.payloads) == 1 else f"L{k + 1}"


def _unknown_load(naming: Naming, tag: str) -> Inertia:
    """What is held, of which nothing is known but that it has no products of inertia."""
    ring = naming.ring
    mass: Any = ring.symbol(f"m{tag}")
    com = vector(ring.symbol(f"{axis}{tag}") for axis in AXES)
    squares = [
        mass * ring.symbol(f"k{tag}{a}{a}") ** 2
        if naming.form == "gyration"
        else ring.symbol(f"I{tag}{a}{a}")
        for a in AXES
    ]
    tensor = matrix([squares[i] if i == j else 0 for j in range(3)] for i in range(3))
    return Inertia(mass, com, tensor) if naming.form == "centre" else Inertia.about_origin(mass, com, tensor)


# Parts ----------------------------------------------------------------------------------------


def _body(naming: Naming, tag: str, body: Body) -> Body:
    joint = body.joint
    frame = _placed(naming, joint.frame, [f"a{tag}", f"b{tag}", f"d{tag}"])
    placement = _placed(naming, joint.placement, [f"l{tag}{axis}" for axis in AXES])
    moved = _changed(joint, frame=frame, placement=placement)
    return _changed(body, joint=moved, inertia=naming.inertia(tag, body.inertia))


def _placed(naming: Naming, place: Transform, names: Sequence[str]) -> Transform:
    """A placement with its lengths in symbols; angles are structure.

    A DH row's lengths a and d stand along x before, and along z after, the twist about x.
    """
    return Transform(place.rotation, naming.vector(names, place.translation))


def _gravity(naming: Naming, gravity: Any) -> Vec3:
    along = [k for k, x in enumerate(gravity) if x != 0]
    if len(along) != 1:
        return naming.vector(["gx", "gy", "gz"], gravity)
    (k,) = along
    g = naming.symbol("g", abs(gravity[k]))
    return vector((g if gravity[k] > 0 else -g) if i == k else 0 for i in range(3))


def _drive(naming: Naming, tag: str, drive: Drive) -> Drive:
    changes: dict[str, Any] = {}
    if drive.joint_inertia is not None:
        changes["joint_inertia"] = naming.symbol(f"Ia{tag}", drive.joint_inertia)
    if drive.rotor is not None:
        changes["rotor"] = _rotor(naming, tag, drive.rotor)
    stages = [
        _changed(stage, rotor=_rotor(naming, f"{tag}s{k + 1}", stage.rotor))
        for k, stage in enumerate(drive.stages)
    ]
    if drive.coupling.law is None and drive.joint_inertia is None:
        changes["coupling"] = _geared(naming, tag, drive)
    return _changed(drive, stages=tuple(stages), **changes)


def _geared(naming: Naming, tag: str, drive: Drive) -> Coupling:
    """The gear's weights in symbols: kr1 for its own joint, kr1_joint for one that it turns along with.

    A gear that works on the sum of several joints has one ratio for all of them.
    """
    weights = tuple(
        (joint, weight if abs(weight) == 1 else naming.symbol(_gear_name(tag, joint, drive), weight))
        for joint, weight in drive.coupling.weights
    )
    return _changed(drive.coupling, weights=weights)


def _gear_name(tag: str, joint: str, drive: Drive) -> str:
    """Called after the gear's own joint, or the first, that has the same weight."""
    weights = dict(drive.coupling.weights)
    same = [other for other, weight in weights.items() if weight == weights[joint]]
    return f"kr{tag}" if drive.joint in same else f"kr{tag}_{same[0]}"


def _rotor(naming: Naming, tag: str, rotor: Rotor) -> Rotor:
    changes: dict[str, Any] = {"axial": naming.symbol(f"Im{tag}", rotor.axial)}
    if rotor.transverse is not None:
        changes["transverse"] = naming.symbol(f"It{tag}", rotor.transverse)
    if rotor.mass is not None:
        changes["mass"] = naming.symbol(f"mm{tag}", rotor.mass)
    if rotor.placement is not None:
        changes["placement"] = _placed(naming, rotor.placement, [f"r{tag}{axis}" for axis in AXES])
    return _changed(rotor, **changes)


def _changed(record: Record, **values: Any) -> Record:
    """A copy of a frozen record with symbols in it: what it checks when made holds for numbers only."""
    made = copy.copy(record)
    for name, value in values.items():
        object.__setattr__(made, name, value)
    return made
