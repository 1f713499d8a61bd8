"""What torques are linear in, by name: tau = Y pi ([Siciliano2009] (7.77), (7.81)).

For each body its ten inertial parameters, those of everything that rides on it counted in: payloads and, as
in the book's augmented links, rotors. For each rotor and gear wheel that the motor model sees its inertia
about the axis, which here counts for its spin alone. For each joint viscous and Coulomb friction and a
constant offset; viscous and Coulomb friction of motors and passive joints where the robot has any. Friction
that depends on the load is a share of what the other parameters cause, and no parameter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from armdyn.mechanics.body_parameters import PARAMETERS, parameters_of, with_added
from armdyn.mechanics.rubbing import AnyFriction, FrictionPoint, friction_points
from armdyn.mechanics.tree.builder import coordinate_of
from armdyn.mechanics.tree.links import Link, Spin, Tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE, Coupling, Robot, Rotor
from armdyn.spatial import Inertia, Moments
from armdyn.spatial.vector import ZERO, diagonal

Side = Literal["body", "rotor", "joint", "motor"]
RESISTING = ("viscous", "coulomb")
"""The terms of friction that torques are linear in."""


@dataclass(frozen=True)
class Parameter:
    """One element of pi."""

    owner: str
    """The body, rotor, joint or motor it belongs to."""
    kind: str
    """Which of the owner's it is: `m`, `mcx` .., `Izz`; `I`; `viscous`, `coulomb`, `offset`."""
    side: Side
    unit: str
    """SI."""

    @property
    def name(self) -> str:
        """Owner and kind: `link2.mcx`."""
        return f"{self.owner}.{self.kind}"


KINDS = tuple(label.replace(" ", "") for label in PARAMETERS)
"""The ten of a body, in their order."""
UNITS = ("kg", *("kg m",) * 3, *("kg m2",) * 6)


# Which there are ------------------------------------------------------------------------------


def parameters(robot: Robot, tree: Tree, *, friction: bool) -> tuple[Parameter, ...]:
    """All parameters of a robot whose tree was built under a motor model."""
    inertial = [
        Parameter(body.name, kind, "body", unit)
        for body in robot.bodies
        for kind, unit in zip(KINDS, UNITS, strict=True)
    ]
    spinning = [Parameter(name, "I", "rotor", _inertia_unit(robot, name)) for name, _ in _spinning(tree)]
    return (*inertial, *spinning, *(_resisting(robot) if friction else ()))


def values(robot: Robot, tree: Tree, *, friction: bool) -> list[float]:
    """pi: what the robot's own parameters are."""
    inertial = [x for body in robot.bodies for x in parameters_of(augmented(robot, body.name, tree.motors))]
    spinning = [float(_axial(part)) for _, part in _spinning(tree)]
    return [*(float(x) for x in inertial), *spinning, *(_resistances(robot) if friction else ())]


def augmented(robot: Robot, body: str, motors: MotorModel) -> Inertia:
    """The inertia of a body with what rides on it, in its own frame."""
    whole = next(each.inertia for each in robot.bodies if each.name == body)
    for riding in riders(robot, body, motors):
        whole = whole + riding
    return whole


def riders(robot: Robot, body: str, motors: MotorModel) -> list[Inertia]:
    """What rides on a body beside itself: payloads, and rotors with a mass of their own."""
    held = [payload.inertia for payload in robot.payloads if payload.body == body]
    rotors = [] if motors == "none" else riding(robot, body)
    return held + [rotor_riding(rotor) for rotor in rotors]


def riding(robot: Robot, body: str) -> list[Rotor]:
    """The rotors on a body that have a mass of their own."""
    rotors = (rotor for drive in robot.drives for rotor, _ in drive.rotors)
    return [rotor for rotor in rotors if rotor.carrier == body and rotor.mass is not None]


def rotor_riding(rotor: Rotor) -> Inertia:
    """A rotor that does not spin, in the frame of its carrier."""
    assert rotor.placement is not None
    return rotor.inertia.seen_from(rotor.placement)


def _spinning(tree: Tree) -> list[tuple[str, Spin | Link]]:
    """Name, and spin or link, of every rotor and wheel that turns with some joint."""
    spins = [(spin.name, spin) for spin in tree.spins if spin.coordinate.weights]
    return [*spins, *((link.name, link) for link in tree.links if not link.driven)]


def _axial(part: Spin | Link) -> Any:
    """The inertia about the axis."""
    return part.inertia if isinstance(part, Spin) else part.inertia.tensor[2][2]


def _inertia_unit(robot: Robot, name: str) -> str:
    """Of a rotor; what is felt at a joint that slides is a mass."""
    felt = next((drive for drive in robot.drives if drive.name == name and drive.joint_inertia), None)
    slides = felt is not None and robot.joints[robot.positions[felt.joint]].kind == "prismatic"
    return "kg" if slides else "kg m2"


# Friction -------------------------------------------------------------------------------------


def resisting_points(robot: Robot) -> list[FrictionPoint]:
    """Where friction may act: every joint of its own, and whatever else rubs in this robot."""
    there = friction_points(robot)
    known = {point.owner: point for point in there if point.side == "joint" and point.owner is not None}
    own = [known.get(j) or _smooth(robot, j) for j in range(robot.n)]
    return own + [point for point in there if point.side == "motor" or point.owner is None]


def _smooth(robot: Robot, j: int) -> FrictionPoint:
    """The point of a joint without friction."""
    joint = robot.joints[j]
    return FrictionPoint(
        joint.name, "joint", coordinate_of(robot, Coupling.of({joint.name: 1.0})), joint.friction, j
    )


def _resisting(robot: Robot) -> Iterator[Parameter]:
    for point in resisting_points(robot):
        linear = _slides(robot, point)
        units = ("N s/m", "N") if linear else ("N m s/rad", "N m")
        for kind, unit in zip(RESISTING, units, strict=True):
            yield Parameter(point.name, kind, point.side, unit)
        if _has_offset(point):
            yield Parameter(point.name, "offset", point.side, units[1])


def _resistances(robot: Robot) -> Iterator[float]:
    for point in resisting_points(robot):
        yield from (float(point.friction.viscous), float(point.friction.coulomb))
        if _has_offset(point):
            yield 0.0


def _has_offset(point: FrictionPoint) -> bool:
    return point.side == "joint" and point.owner is not None


def _slides(robot: Robot, point: FrictionPoint) -> bool:
    kinds = {body.joint.name: body.joint.kind for body in robot.bodies}
    return point.side == "joint" and kinds[point.name] == "prismatic"


# More of them ---------------------------------------------------------------------------------


def with_more(robot: Robot, tree: Tree, more: Sequence[Any]) -> Tree:
    """The tree with so much added to its inertial parameters and spins, those of `parameters` in their order.

    Every body must be a link of its own. A rotor's inertia stays in what its carrier's parameters say: what
    its spinning link gets is taken from the carrier ([Siciliano2009] (7.65)-(7.71): augmented links).
    """
    bodies = {
        name: list(more[len(PARAMETERS) * k : len(PARAMETERS) * (k + 1)])
        for k, name in enumerate(robot.body_names)
    }
    spins, links = list(tree.spins), list(tree.links)
    rotors = {name: rotor for drive in robot.drives for name, rotor in drive.named_rotors}
    for (name, part), added in zip(_spinning(tree), more[len(PARAMETERS) * len(bodies) :], strict=False):
        if isinstance(part, Spin):
            spins[spins.index(part)] = replace(part, inertia=part.inertia + added)
            continue
        half = 0.5 * added  # the tensor diag(0, 0, I) as a second moment
        own = Moments(0, ZERO, diagonal(half, half, -half))
        links[links.index(part)] = replace(part, inertia=part.inertia + own)
        _take_off(bodies, rotors[name], added)
    return with_added(replace(tree, spins=tuple(spins), links=tuple(links)), bodies)


def _take_off(bodies: dict[str, list[Any]], rotor: Rotor, axial: Any) -> None:
    """Take a tensor about a rotor's axis from its carrier; nobody feels that of the base."""
    assert rotor.carrier is not None and rotor.placement is not None  # the motor model was checked
    if rotor.carrier != BASE:
        unit = parameters_of(Inertia(0.0, tensor=diagonal(0.0, 0.0, 1.0)).seen_from(rotor.placement))
        own = bodies[rotor.carrier]
        bodies[rotor.carrier] = [x - axial * e for x, e in zip(own, unit, strict=True)]


def with_more_friction(
    robot: Robot, more: Sequence[Any]
) -> tuple[tuple[FrictionPoint, ...], list[tuple[int, Any]]]:
    """Points whose viscous and Coulomb friction is so much larger, and (j, offset) of every joint.

    `more` has the friction part of `parameters`, in its order.
    """
    points: list[FrictionPoint] = []
    offsets: list[tuple[int, Any]] = []
    left = iter(more)
    for point in resisting_points(robot):
        own = point.friction
        more_of_it = AnyFriction(
            own.viscous + next(left), own.coulomb + next(left), None, own.load, own.load_includes_friction
        )
        points.append(replace(point, friction=more_of_it))
        if _has_offset(point):
            assert point.owner is not None
            offsets.append((point.owner, next(left)))
    return tuple(points), offsets
