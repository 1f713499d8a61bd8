"""How links stand in base axes, and what that makes of wrenches and contacts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.joint_space import on_link
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import Placed
from armdyn.robot.joint import JointKind
from armdyn.spatial import Mat3, Vec3, Wrench
from armdyn.spatial.rotation import IDENTITY
from armdyn.spatial.vector import ZERO, dot, negate, product, times, vector


@dataclass(frozen=True)
class Stance:
    """A link and its joint, in base axes."""

    kind: JointKind
    rotation: Mat3
    """R_base_link"""
    step: Vec3
    """p*, from the parent's origin to its own."""

    @property
    def axis(self) -> Vec3:
        """z: the joint turns about, or slides along, this axis."""
        return vector(row[2] for row in self.rotation)

    @property
    def turn(self) -> Vec3:
        """The axis of a turning joint, zero for another."""
        return self.axis if self.kind == "revolute" else ZERO

    def along_joint(self, wrench: Wrench) -> Any:
        """What a wrench at the link's origin does along its joint, n . z or f . z; a fixed one carries it."""
        match self.kind:
            case "revolute":
                return dot(wrench.moment, self.axis)
            case "prismatic":
                return dot(wrench.force, self.axis)
            case "fixed":
                return 0


def stances(links: Sequence[Placed]) -> list[Stance]:
    """R_i = R_(i-1) R, p*_i = R_(i-1) p, outwards."""
    result: list[Stance] = []
    for here in links:
        before = IDENTITY if here.link.parent < 0 else result[here.link.parent].rotation
        T = here.in_parent()
        step = times(before, T.translation)
        result.append(Stance(here.link.kind, product(before, T.rotation), step))
    return result


def contact_wrenches(
    links: Sequence[Placed], standing: Sequence[Stance], contact: Contact | None
) -> Mapping[int, Wrench]:
    """The wrench of a contact by the link that feels it, at the link's origin: f_e, n_e + p_e x f_e."""
    touching = on_link(contact)
    if touching is None:
        return {}
    link, T_link_point = touching.frame
    p_e = times(standing[link].rotation, links[link].frame(T_link_point).translation)
    return {link: touching.wrench.about(negate(p_e))}
