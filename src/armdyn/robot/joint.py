"""Joints: how a body moves on its parent."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from armdyn.errors import InputError, RobotError
from armdyn.robot.checks import dividing, finite, not_negative, require, require_rotation
from armdyn.robot.coupling import Coupling
from armdyn.robot.friction import NO_FRICTION, Friction
from armdyn.spatial import Transform, Vec3
from armdyn.spatial.rotation import unit

JointKind = Literal["revolute", "prismatic", "fixed"]
KINDS: tuple[JointKind, ...] = ("revolute", "prismatic", "fixed")


@dataclass(frozen=True)
class Limits:
    """Limits of a joint; None is unknown, or none at all for a position (a continuous joint)."""

    position: tuple[float, float] | None = None
    velocity: float | None = None
    acceleration: float | None = None
    effort: float | None = None

    def __post_init__(self) -> None:
        """Check order and signs."""
        largest = {"velocity": self.velocity, "acceleration": self.acceleration, "effort": self.effort}
        not_negative("limits", **largest)
        dividing("limits", **largest)
        if self.position is not None:
            lower, upper = self.position
            finite("limits", self.position)
            require(lower <= upper, f"limits: lower position {lower:g} is above upper {upper:g}")


@dataclass(frozen=True)
class Joint:
    """One joint: T_parent_body = placement . motion(axis, coordinate + offset) . frame.

    A standard DH row puts its constant part into `frame`, a URDF joint or a modified DH row into
    `placement`. Without a coupling the joint is independent and owns one element of q.
    """

    name: str
    kind: JointKind = "revolute"
    axis: Vec3 = (0, 0, 1)
    placement: Transform = field(default_factory=Transform)
    frame: Transform = field(default_factory=Transform)
    offset: float = 0.0
    coupling: Coupling | None = None
    limits: Limits = Limits()
    friction: Friction = NO_FRICTION

    def __post_init__(self) -> None:
        """Check the numbers; bring the axis to length one."""
        subject = f'joint "{self.name}"'
        require(self.kind in KINDS, f'{subject}: kind "{self.kind}", expected one of {", ".join(KINDS)}')
        finite(subject, (*self.placement.translation, *self.frame.translation, self.offset))
        for part in (self.placement, self.frame):
            require_rotation(subject, part.rotation)
        try:
            object.__setattr__(self, "axis", unit(self.axis))
        except InputError as error:
            raise RobotError(f"{subject}: {error}") from error
        require(
            self.kind != "fixed" or (self.coupling is None and not self.friction),
            f"{subject} is fixed, expected neither coupling nor friction",
        )
        require(
            self.coupling is None or not self.friction.load,
            f"{subject} follows other joints: load-dependent friction needs a joint of its own",
        )

    @property
    def independent(self) -> bool:
        """Whether the joint owns an element of q."""
        return self.kind != "fixed" and self.coupling is None

    def held_at(self, value: float) -> Joint:
        """The joint locked at a value of its coordinate, friction and limits gone."""
        return replace(self, coupling=Coupling((), value), limits=Limits(), friction=NO_FRICTION)
