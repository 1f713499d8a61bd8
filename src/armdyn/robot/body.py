"""Bodies: what moves, and what it looks like."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from armdyn.errors import InertiaError
from armdyn.robot.checks import finite, not_negative, require, require_rotation
from armdyn.robot.joint import Joint
from armdyn.spatial import Inertia, Transform

BASE = "base"
"""The name of what everything stands on."""

ShapeKind = Literal["box", "cylinder", "sphere", "mesh"]


@dataclass(frozen=True)
class Visual:
    """A shape drawn on a body: box (x, y, z), cylinder (radius, length), sphere (radius) [m], or mesh.

    A mesh is only a reference, kept as the file wrote it; nothing is read until it is drawn.
    """

    shape: ShapeKind
    size: tuple[float, ...] = ()
    mesh: str | None = None
    placement: Transform = field(default_factory=Transform)
    color: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        """Check that the shape has the numbers it needs."""
        expected = {"box": (3,), "cylinder": (2,), "sphere": (1,), "mesh": (0, 3)}[self.shape]
        require(
            len(self.size) in expected and (self.shape != "mesh" or bool(self.mesh)),
            f"visual {self.shape}: {len(self.size)} sizes, expected {expected[-1]}"
            + (" (a scale) and a file name" if self.shape == "mesh" else ""),
        )
        finite(f"visual {self.shape}", (*self.size, *self.placement.translation))
        require_rotation(f"visual {self.shape}", self.placement.rotation)
        if self.shape != "mesh":
            not_negative(f"visual {self.shape}", **{f"size{k + 1}": s for k, s in enumerate(self.size)})


@dataclass(frozen=True)
class Body:
    """A rigid body and the joint that carries it; inertia in the body's own frame.

    `accept_unphysical` is the reason why an inertia that no body can have is accepted
    (documents print only what a joint feels); `place` is where it was written, for messages.
    """

    name: str
    joint: Joint
    parent: str = BASE
    inertia: Inertia = field(default_factory=Inertia)
    visuals: tuple[Visual, ...] = ()
    accept_unphysical: str | None = None
    place: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        """Refuse an inertia that no body can have, unless it is accepted with a reason."""
        reason = self.inertia.unphysical()
        if reason is not None and (not self.accept_unphysical or "not finite" in reason):
            raise InertiaError(self.name, reason, place=self.place)
