"""Controllers: laws that make torques of where the arm is and where it is asked to be.

r, rd and rdd are the reference's positions, velocities and accelerations. All laws take one state (n) or
batches (..., n).

What they compensate is without dry friction, unless asked otherwise: see `compensation`. That is left to the
gains.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, counted
from armdyn.scalars import Array
from armdyn.simulation.acting import Law
from armdyn.simulation.control.compensation import without_dry_friction
from armdyn.simulation.control.gains import gain
from armdyn.simulation.control.references import Reference

Compensated = Literal["viscous", "reference", "all"]
"""Which friction of its model a computed torque compensates; see `computed_torque`."""


@dataclass(frozen=True, eq=False)
class Tracking:
    """What the controllers along a reference have in common."""

    name: ClassVar[str]
    dyn: Dynamics
    reference: Reference
    kp: Array
    """(n) [N m/rad], or [1/s2] of a computed torque"""
    kv: Array
    """(n) [N m s/rad], or [1/s]"""

    def __post_init__(self) -> None:
        """Refuse a reference of another robot, or one that does not say enough."""
        robot, reference = self.dyn.robot, self.reference
        if reference.n != robot.n:
            has = f"{reference.source} moves {counted(reference.n, 'joint')}"
            raise InputError(f'{has}, robot "{robot.name}" has {robot.n}; expected as many')
        if self.needs_derivatives and not reference.derivatives:
            raise InputError(
                f"{reference.source} gives positions alone, the {self.name} needs velocities and "
                "accelerations, too; let its function return (q, qd, qdd)"
            )

    @property
    def needs_derivatives(self) -> bool:
        """Whether it asks for velocities or accelerations of the reference."""
        return False

    @property
    def states(self) -> int:
        """How many numbers it integrates."""
        return 0

    @property
    def breaks(self) -> Array:
        """Where the reference jumps or bends [s]."""
        return self.reference.breaks

    @property
    def end(self) -> float:
        """How long the reference is known [s]."""
        return self.reference.end

    @property
    def source(self) -> str:
        """What to call it in a message."""
        return f"the {self.name} along {self.reference.source}"


@dataclass(frozen=True, eq=False)
class PID(Tracking):
    """Independent joints, each with its proportional, integral and velocity feedback."""

    name = "PID controller"
    ki: Array
    """(n) [N m/(rad s)]"""
    velocity_reference: bool
    feedforward: Dynamics | None
    """Whose torques along the reference are added, if any are"""

    @property
    def needs_derivatives(self) -> bool:
        """Whether velocities of the reference are followed, or its torques added."""
        return self.velocity_reference or self.feedforward is not None

    @property
    def states(self) -> int:
        """The integrals of the joints' errors, if any is used."""
        return self.dyn.n if self.ki.any() else 0

    def between(self, start: float, end: float) -> Law:
        """tau = kp (r - q) + ki z - kv qd, z' = r - q."""
        wanted = self.reference.between(start, end)
        kp, kv, ki, integrates, follows = self.kp, self.kv, self.ki, self.states > 0, self.velocity_reference
        ahead = None if self.feedforward is None else self.feedforward.of_one_state("inverse")

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            r, rd, rdd = wanted(t)
            error = r - q
            tau = kp * error + kv * (rd - qd) if follows else kp * error - kv * qd
            if integrates:
                tau += ki * z
            if ahead is not None:
                tau += ahead(r, rd, rdd)
            return tau, error if integrates else z

        return law


@dataclass(frozen=True, eq=False)
class PDGravity(Tracking):
    """Proportional and velocity feedback of each joint, and the torques that carry the arm."""

    name = "PD controller with gravity compensation"

    def between(self, start: float, end: float) -> Law:
        """tau = kp (r - q) - kv qd + g(q)."""
        wanted, gravity = self.reference.between(start, end), self.dyn.of_one_state("gravity")
        kp, kv = self.kp, self.kv

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            return kp * (wanted(t)[0] - q) - kv * qd + gravity(q), z

        return law


@dataclass(frozen=True, eq=False)
class ComputedTorque(Tracking):
    """Inverse dynamics: with the right model the errors of all joints decay each for itself."""

    name = "computed-torque controller"
    model: Dynamics
    friction: Compensated

    @property
    def needs_derivatives(self) -> bool:
        """Always."""
        return True

    @cached_property
    def _inside(self) -> Dynamics:
        """The model that the measured state goes through."""
        return self.model if self.friction == "all" else without_dry_friction(self.model)

    def between(self, start: float, end: float) -> Law:
        """tau = inverse(q, qd, rdd + kv (rd - qd) + kp (r - q))."""
        wanted, kp, kv = self.reference.between(start, end), self.kp, self.kv
        inverse = self._inside.of_one_state("inverse")
        full = self.model.of_one_state("inverse")
        adds_dry = self.friction == "reference" and self._inside is not self.model

        def law(t: float, q: Array, qd: Array, z: Array) -> tuple[Array, Array]:
            r, rd, rdd = wanted(t)
            tau = inverse(q, qd, rdd + kv * (rd - qd) + kp * (r - q))
            return tau + (full(r, rd, rdd) - inverse(r, rd, rdd)) if adds_dry else tau, z

        return law


# Makers ---------------------------------------------------------------------------------------


def pid(
    dyn: Dynamics,
    reference: Reference,
    *,
    kp: ArrayLike,
    kv: ArrayLike,
    ki: ArrayLike = 0.0,
    velocity_reference: bool = False,
    feedforward: bool = False,
) -> PID:
    """Independent joint PID with velocity feedback: tau = kp (r - q) + ki z - kv qd, z' = r - q.

    Args:
        dyn: what is controlled.
        reference: where it is asked to be.
        kp: [N m/rad or N/m], a number or (n); so are the other gains.
        kv: [N m s/rad]; it acts on the velocity alone, which brakes every motion.
        ki: [N m/(rad s)].
        velocity_reference: let kv act on rd - qd instead.
        feedforward: add the torques that the reference takes, dry friction left out.
    """
    given = {name: gain(dyn, name, value) for name, value in (("kp", kp), ("kv", kv), ("ki", ki))}
    ahead = without_dry_friction(dyn) if feedforward else None
    return PID(dyn, reference, **given, velocity_reference=velocity_reference, feedforward=ahead)


def pd_gravity(dyn: Dynamics, reference: Reference, *, kp: ArrayLike, kv: ArrayLike) -> PDGravity:
    """PD with gravity compensation: tau = kp (r - q) - kv qd + g(q); gains as for `pid`."""
    return PDGravity(dyn, reference, gain(dyn, "kp", kp), gain(dyn, "kv", kv))


def computed_torque(
    dyn: Dynamics,
    reference: Reference,
    *,
    kp: ArrayLike,
    kv: ArrayLike,
    model: Dynamics | None = None,
    friction: Compensated = "viscous",
) -> ComputedTorque:
    """Computed torque: tau = inverse(q, qd, rdd + kv (rd - qd) + kp (r - q)).

    Args:
        dyn: what is controlled.
        reference: where it is asked to be.
        kp: [1/s2], w^2 of the errors; a number or (n).
        kv: [1/s], 2 zeta w of the errors.
        model: what the controller takes the arm for; by default dyn. Another payload shows what that does.
        friction: of the model. "viscous": its viscous friction, dry friction is left to the gains.
            "reference": the dry friction, too, that the reference's motion has; it jumps where a joint of the
            reference turns round, not where the arm does. "all": friction as measured velocities say, exact
            in motion, and at rest what starts the demanded motion.
    """
    if friction not in ("viscous", "reference", "all"):
        raise InputError(f'friction is {friction!r}, expected "viscous", "reference" or "all"')
    used = dyn if model is None else model
    if used.n != dyn.n:
        has = f'the model "{used.robot.name}" has {counted(used.n, "joint")}'
        raise InputError(f'{has}, robot "{dyn.robot.name}" has {dyn.n}; expected as many')
    return ComputedTorque(dyn, reference, gain(dyn, "kp", kp), gain(dyn, "kv", kv), used, friction)
