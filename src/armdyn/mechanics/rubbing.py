"""Friction of a whole robot: every coordinate that rubs, its load, and what all of it takes from q."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from armdyn.errors import MissingDataError
from armdyn.mechanics.drives import motor_torques
from armdyn.mechanics.friction import bounds, resistance
from armdyn.mechanics.loads import Loads
from armdyn.mechanics.tree import coordinate_of
from armdyn.mechanics.tree.coordinates import CoordinateState, state_of
from armdyn.mechanics.tree.links import Coordinate
from armdyn.robot import Coupling, Friction, Robot
from armdyn.scalars import absolute, select

REST = 1e-12
"""Rate of a coupled coordinate, relative to the rates that cancel in it, below which it is at rest.

The same of its acceleration, below which it stays there."""


Motion = tuple[Sequence[Any], Sequence[Any] | None]
"""qd, and qdd if it is known."""


@dataclass(frozen=True)
class FrictionPoint:
    """A coordinate that rubs: a joint, or the shaft of a motor."""

    name: str
    side: Literal["joint", "motor"]
    coordinate: Coordinate
    friction: Friction
    owner: int | None
    """Position in q of the joint, or among the drives of the motor; None of a joint that follows others."""


class AnyFriction(Friction):
    """Friction whose terms are any kind of scalar: nothing is checked, and only the number 0 is no term."""

    def __post_init__(self) -> None:
        """Take the terms as they are."""


def friction_points(robot: Robot) -> tuple[FrictionPoint, ...]:
    """Everything that rubs: joints in the order of their bodies, then motors."""
    rubbing = (body.joint for body in robot.bodies if body.joint.friction and _moves(body.joint.coupling))
    joints = (
        FrictionPoint(
            joint.name,
            "joint",
            coordinate_of(robot, joint.coupling or Coupling.of({joint.name: 1.0})),
            joint.friction,
            robot.positions.get(joint.name),
        )
        for joint in rubbing
    )
    motors = (
        FrictionPoint(drive.name, "motor", coordinate_of(robot, drive.coupling), drive.friction, k)
        for k, drive in enumerate(robot.drives)
        if drive.friction and _moves(drive.coupling)
    )
    return (*joints, *motors)


TERMS = ("viscous", "coulomb", "at_rest", "load")
"""The terms of friction that can be varied."""


def with_terms(points: Sequence[FrictionPoint], terms: Sequence[Any]) -> tuple[FrictionPoint, ...]:
    """The points with other terms, those of TERMS for each point in turn; a term that is zero stays zero."""
    rows = (terms[k : k + len(TERMS)] for k in range(0, len(terms), len(TERMS)))
    return tuple(
        replace(point, friction=_other(point.friction, *row)) for point, row in zip(points, rows, strict=True)
    )


def _other(own: Friction, *terms: Any) -> Friction:
    """Other terms for those that there are."""
    given = zip(TERMS, terms, strict=True)
    viscous, coulomb, at_rest, load = (term if getattr(own, name) else 0 for name, term in given)
    return AnyFriction(viscous, coulomb, at_rest, load, own.load_includes_friction)


def _moves(coupling: Coupling | None) -> bool:
    """Whether it follows any joint that is not locked; without a coupling it is a joint of its own."""
    return coupling is None or bool(coupling.weights)


@dataclass(frozen=True)
class Rub:
    """Friction of one point at a state."""

    theta: CoordinateState
    """Its coordinate."""
    moving: Any
    """Positive where it moves."""
    resistance: Any
    """What it takes from its coordinate."""
    sticking: Any = 0
    """1 where friction at rest takes what is asked of it, within its bounds; else 0."""
    excess: Any = 0
    """In a given way only: positive where the way does not hold any more, by more than friction can take of
    what sticks, by the rate against its way of what moves."""


def rubs(
    robot: Robot,
    q: Sequence[Any],
    qd: Sequence[Any],
    qdd: Sequence[Any] | None = None,
    loads: Loads | None = None,
    held: Sequence[Any] | None = None,
    ways: Sequence[Any] | None = None,
    points: Sequence[FrictionPoint] | None = None,
) -> list[Rub]:
    """Friction of every point of the robot, under the loads that the motion causes (none by default).

    What passes through a joint loads it; a motor carries that, what the rotors take for their own spin, and
    the friction of the joints. At rest friction takes what starts the motion qdd or, if `held` is given (a
    number for each point), as much of that as its bounds allow. With `ways`, too (1 or -1 for each point that
    moves that way, 0 for one that sticks), nothing is decided by rates: what sticks takes just what is held.
    `points` are those of the robot, with other numbers if these are given.
    """
    loads = loads or Loads([0] * robot.n, [0] * robot.n)
    points = friction_points(robot) if points is None else points
    found: list[Rub] = []

    def add(side: str, load_of: Callable[[int], Any]) -> None:
        for point in points:
            if point.side == side:
                theta = state_of(point.coordinate, q, qd, qdd)
                load = 0 if point.owner is None else load_of(point.owner)
                k = len(found)
                asked = held[k] if held is not None and point.friction.dry else None
                if ways is not None and asked is not None:
                    found.append(_rub_in_way(point.friction, theta, ways[k], load, asked))
                else:
                    found.append(_rub(point.friction, theta, (qd, qdd), load, asked))

    add("joint", lambda j: loads.joint[j])
    on_motors: Sequence[Any] = [0] * len(robot.drives)
    if any(point.side == "motor" and point.friction.load for point in points):
        carried = [a + b for a, b in zip(loads.torque, projected(found, robot.n), strict=True)]
        on_motors = _motor_loads(robot, q, carried)
    add("motor", lambda k: on_motors[k])
    return found


def projected(found: Sequence[Rub], n: int) -> list[Any]:
    """What all points together take from q: tau += (d theta/d q)^T f."""
    torques: list[Any] = [0] * n
    for rub in found:
        for j, slope in rub.theta.gradient:
            torques[j] = torques[j] + slope * rub.resistance
    return torques


def _rub(friction: Friction, theta: CoordinateState, motion: Motion, load: Any, asked: Any | None) -> Rub:
    qd, qdd = motion
    moving = _beyond_rounding(theta, theta.rate, qd)
    if asked is None:
        onset: Any = 0
        if qdd is not None:
            onset = select(_beyond_rounding(theta, theta.acceleration, qdd), theta.acceleration, 0)
        return Rub(theta, moving, resistance(friction, theta.rate, load, onset, moving=moving))
    least, most = bounds(friction, load)
    above, below = asked - most, least - asked
    given = select(above, most, select(below, least, asked))
    sticking = select(moving, 0, select(above, 0, select(below, 0, select(turning(theta), 1, 0))))
    running = resistance(friction, theta.rate, load, moving=moving)
    return Rub(theta, moving, select(moving, running, given), sticking)


def _rub_in_way(friction: Friction, theta: CoordinateState, way: Any, load: Any, held: Any) -> Rub:
    """Friction of a point that moves in its way whatever its rate, or that sticks and takes what is held."""
    moving = absolute(way)
    least, most = bounds(friction, load)
    above, below = held - most, least - held
    running = resistance(friction, theta.rate, load, moving=moving, way=way)
    return Rub(
        theta,
        moving,
        select(moving, running, held),
        select(moving, 0, 1),
        select(moving, -way * theta.rate, select(above - below, above, below)),
    )


def turning(theta: CoordinateState) -> Any:
    """Positive where the coordinate follows its joints at all: a screw at its dead centre does not."""
    return absolute(theta.gradient[0][1])


def _beyond_rounding(theta: CoordinateState, change: Any, of_joints: Sequence[Any]) -> Any:
    """Positive where a rate or acceleration is more than the rounding of the joints' that it is made of."""
    if len(theta.gradient) == 1:
        return absolute(change)
    cancelling: Any = 0
    for j, slope in theta.gradient:
        cancelling = cancelling + absolute(slope * of_joints[j])
    return absolute(change) - REST * cancelling


def _motor_loads(robot: Robot, q: Sequence[Any], torques: Sequence[Any]) -> list[Any]:
    """K^-T tau."""
    try:
        return motor_torques(robot, q, torques)
    except MissingDataError as error:
        raise MissingDataError(
            f"{error}; friction at a motor that depends on its load needs them, "
            "give that friction at the joint instead"
        ) from error
