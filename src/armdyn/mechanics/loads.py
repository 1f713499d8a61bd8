"""What a motion takes from joints and drives, and what the tool exerts on its surroundings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from armdyn.mechanics.tree.links import Tree
from armdyn.spatial import Transform, Vec3, Wrench


@dataclass(frozen=True)
class Contact:
    """What a point of the robot exerts on its surroundings, in base axes.

    `frame` is (link, T_link_point); the load adds +J^T h to the torques
    ([Siciliano2009] 7.42, [Kvrgic2020] Eq. 1).
    """

    wrench: Wrench
    frame: tuple[int, Transform]


@dataclass(frozen=True)
class Loads:
    """Generalized torques that a motion takes, without friction."""

    joint: list[Any]
    """Torque on q of links and payload: what passes through the joints."""
    drive: list[Any]
    """Torque on q of the rotors' own spin: what the drives keep for themselves."""

    @property
    def torque(self) -> list[Any]:
        """Generalized torques tau."""
        return [a + b for a, b in zip(self.joint, self.drive, strict=True)]


class InverseDynamics(Protocol):
    """Torques for a motion, by any formulation."""

    def __call__(
        self,
        tree: Tree,
        q: Sequence[Any],
        qd: Sequence[Any] | None,
        qdd: Sequence[Any] | None,
        *,
        gravity: Vec3 | None = None,
        contact: Contact | None = None,
    ) -> Loads:
        """The torques of the motion (q, qd, qdd); at rest where they are not given."""
        ...
