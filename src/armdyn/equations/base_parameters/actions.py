"""What parameters do, as functions of the state that are linear in them.

Torques follow from energies and from what friction takes:
    tau = d/dt dT/dqd - dT/dq + dU/dq + dR/dqd
with T the kinetic energy, U the potential of gravity and of constant offsets, and R = sum 1/2 b thetad^2 +
c |thetad| Rayleigh's function of viscous and Coulomb friction. The accelerations in tau tell T from the
rest, rates tell R from U: two parameters act alike if and only if they give the same T and R, and the same U
but for a constant. These functions are far shorter than torques.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from armdyn.mechanics import energy
from armdyn.mechanics.parameters import Parameter, with_more, with_more_friction
from armdyn.mechanics.rubbing import FrictionPoint
from armdyn.mechanics.tree.coordinates import CoordinateState, state_of
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import Robot
from armdyn.spatial.moments import NO_MOMENTS

Speed = Callable[[FrictionPoint, CoordinateState], Any]
"""|thetad| of what rubs."""


class Actions(NamedTuple):
    """T, U, and the two parts of R."""

    kinetic: Any
    potential: Any
    viscous: Any
    coulomb: Any


def bare(tree: Tree) -> Tree:
    """The tree without any inertia, on a base at rest."""
    links = tuple(replace(link, inertia=NO_MOMENTS) for link in tree.links)
    spins = tuple(replace(spin, inertia=0) for spin in tree.spins)
    return replace(tree.at_rest(), links=links, spins=spins)


def inertial(parameters: Sequence[Parameter]) -> int:
    """How many of the parameters, which come first, are of bodies and rotors."""
    return sum(parameter.side in ("body", "rotor") for parameter in parameters)


def actions(
    robot: Robot,
    tree: Tree,
    parameters: Sequence[Parameter],
    values: Sequence[Any],
    state: tuple[Sequence[Any], Sequence[Any]],
    speed: Speed,
) -> Actions:
    """The functions at a state (q, qd) of parameters with such values, the robot's own friction beside them.

    The number 0 costs nothing.
    """
    q, qd = state
    count = inertial(parameters)
    acting = _acting(with_more(robot, tree, values[:count]), parameters, values)
    kinetic = energy.kinetic_energy(acting, q, qd)
    potential = energy.potential_energy(acting, q)
    viscous: Any = 0
    coulomb: Any = 0
    if count < len(parameters):
        points, offsets = with_more_friction(robot, values[count:])
        for point in points:
            theta = state_of(point.coordinate, q, qd)
            viscous = viscous + 0.5 * point.friction.viscous * (theta.rate * theta.rate)
            coulomb = coulomb + point.friction.coulomb * speed(point, theta)
        for j, offset in offsets:
            potential = potential + offset * q[j]
    return Actions(kinetic, potential, viscous, coulomb)


def _acting(tree: Tree, parameters: Sequence[Parameter], values: Sequence[Any]) -> Tree:
    """The tree without the links that neither have inertia nor carry any that has."""
    there = {p.owner for p, value in zip(parameters, values, strict=True) if not _nothing(value)}
    links = {body: link for body, (link, _) in tree.frames.items()}
    ends = [links.get(name, -1) for name in there]
    ends += [k for k, link in enumerate(tree.links) if link.name in there]  # rotors stand on their carriers
    kept = sorted({k for end in ends for k in tree.path(end)})
    place = {-1: -1, **{k: i for i, k in enumerate(kept)}}
    return replace(
        tree, links=tuple(replace(tree.links[k], parent=place[tree.links[k].parent]) for k in kept), frames={}
    )


def _nothing(value: Any) -> bool:
    return isinstance(value, int) and value == 0
