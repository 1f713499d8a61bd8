"""An arm with actuators: which links of a tree are effectors, and which transmit a drive.

In a tree a link that spins bears the name of its drive: the rotor that of the drive itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from armdyn.errors import InputError, MissingDataError
from armdyn.mechanics.lagrangian.actuator_terms import ActuatorTerms
from armdyn.mechanics.lagrangian.link_jets import base_jets, jet_between, joint_jets
from armdyn.mechanics.lagrangian.matrix_jet import CONSTANT, Jet
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.robot import Drive, Robot
from armdyn.spatial.homogeneous import pseudo_inertia

Reference = Literal["stator", "driven"]
"""The link on which T_ap is taken: the one that carries the stator, or the one that is driven."""
REFERENCES: tuple[Reference, ...] = ("stator", "driven")


@dataclass(frozen=True)
class Actuator:
    """Where an actuator is in the tree."""

    rotor: int
    """The link that is its effector."""
    joint: int | None
    """Position in q of the joint it serves; None where that joint is locked."""
    seen_from: int
    """The link p on which T_ap is taken; -1 is the base."""


@dataclass(frozen=True)
class ActuatedArm:
    """A tree with every rotor a link, and what the rotors are."""

    tree: Tree
    actuators: tuple[Actuator, ...]
    elements: tuple[int, ...]
    """Gear wheels: links that transmit a drive from its actuator."""

    @property
    def links(self) -> list[int]:
        """The arm's own links."""
        return [i for i, link in enumerate(self.tree.links) if link.driven]

    def with_numbers(self, number: Callable[[float], Any]) -> ActuatedArm:
        """The same with its parameters turned into another kind of scalar."""
        return replace(self, tree=self.tree.with_numbers(number))


def actuated_arm(robot: Robot, reference: Reference = "stator") -> ActuatedArm:
    """The arm with its actuators; raises where the robot does not say where a rotor sits."""
    if reference not in REFERENCES:
        raise InputError(f'reference "{reference}", expected one of {", ".join(REFERENCES)}')
    inertial = any(drive.rotors or drive.joint_inertia is not None for drive in robot.drives)
    built = tree(robot, "exact" if inertial else "none")
    spinning = {link.name: i for i, link in enumerate(built.links) if not link.driven}
    actuators: list[Actuator] = []
    for drive in robot.drives:
        if drive.rotor is None or drive.name not in spinning:  # without effector, or locked
            continue
        rotor = spinning.pop(drive.name)
        joint = robot.joint_names.index(drive.joint) if drive.joint else None
        on = built.links[rotor].parent if reference == "stator" else _driven_link(robot, built, drive)
        actuators.append(Actuator(rotor, joint, on))
    return ActuatedArm(built, tuple(actuators), tuple(spinning.values()))


def _driven_link(robot: Robot, built: Tree, drive: Drive) -> int:
    body = next((body for body in robot.bodies if body.joint.name == drive.joint), None)
    if body is None:
        raise MissingDataError(
            f'reference "driven" for robot "{robot.name}": drive "{drive.name}" serves no joint that moves; '
            'take "stator"'
        )
    return built.frames[body.name][0]


# At a state -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class ArmMatrices:
    """An actuated arm at q: T_i of all links in the base, and the traces of its actuators."""

    arm: ActuatedArm
    T: list[Jet]
    actuators: list[ActuatorTerms]


def arm_matrices(arm: ActuatedArm, q: Sequence[Any]) -> ArmMatrices:
    """T_i = A_1 .. A_i, T_ap and their derivatives at q."""
    joints = joint_jets(arm.tree, q)
    T = base_jets(arm.tree, joints)
    actuators = [
        ActuatorTerms(
            T[a.seen_from] if a.seen_from >= 0 else CONSTANT,
            jet_between(arm.tree, joints, a.seen_from, a.rotor),
            pseudo_inertia(arm.tree.links[a.rotor].inertia),
            a.joint,
        )
        for a in arm.actuators
    ]
    return ArmMatrices(arm, T, actuators)
