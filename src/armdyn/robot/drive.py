"""Drives as data: a motor, its rotor, the gear stages between, and what they couple."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.robot.checks import finite, not_negative, require, require_rotation
from armdyn.robot.coupling import Coupling
from armdyn.robot.friction import NO_FRICTION, Friction
from armdyn.robot.motor import UNKNOWN_MOTOR, Motor
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal


@dataclass(frozen=True)
class Rotor:
    """A body of revolution that spins on a carrier: a rotor or a gear wheel.

    axial, transverse [kg m2]; mass [kg] or None when it is counted in its carrier's inertia.
    `placement` maps the rotor's frame (spinning about z, centre of mass at the origin) into the
    carrier body's frame; carrier and placement may be unknown.
    """

    axial: float
    transverse: float | None = None
    mass: float | None = None
    carrier: str | None = None
    placement: Transform | None = None

    def __post_init__(self) -> None:
        """Check the numbers, and that a mass has a place."""
        not_negative("rotor", axial=self.axial, transverse=self.transverse, mass=self.mass)
        require(
            self.transverse is None or self.axial <= 2 * self.transverse * (1 + 1e-9),
            f"rotor: axial inertia {self.axial:g} above twice the transverse {self.transverse}, no body is",
        )
        require(
            (self.carrier is None) == (self.placement is None),
            "rotor: carrier and placement go together, give both or neither",
        )
        if self.placement is not None:
            finite("rotor", self.placement.translation)
            require_rotation("rotor", self.placement.rotation)
        require(
            self.mass is None or self.placement is not None,
            "rotor: a mass of its own needs carrier and placement (leave mass out if the link includes it)",
        )
        require(
            self.transverse is None or self.mass is not None,
            "rotor: transverse inertia is given without mass (leave both out if the link includes them)",
        )

    @property
    def placed(self) -> bool:
        """Whether carrier, axis and place are known."""
        return self.placement is not None

    @property
    def inertia(self) -> Inertia:
        """As a body in its own frame; nothing but the axial inertia if the carrier includes the rest.

        An unknown transverse inertia is taken as that of a thin disc's lower bound, half the axial.
        """
        if self.mass is None:
            return Inertia(0.0, tensor=diagonal(0.0, 0.0, self.axial))
        transverse = 0.5 * self.axial if self.transverse is None else self.transverse
        return Inertia(self.mass, tensor=diagonal(transverse, transverse, self.axial))


@dataclass(frozen=True)
class GearStage:
    """A gear wheel between motor and joint, turning `ratio` times the motor's angle."""

    rotor: Rotor
    ratio: float

    def __post_init__(self) -> None:
        """Check the ratio."""
        finite("gear stage", (self.ratio,))


@dataclass(frozen=True)
class Drive:
    """A motor whose shaft turns by theta = coupling(q), one row of the gear matrix K.

    `joint` is the joint it mainly serves (models without coupling use that element alone).
    A document that only gives the inertia felt at the joint gives `joint_inertia` instead of a rotor.
    """

    name: str
    joint: str
    coupling: Coupling
    rotor: Rotor | None = None
    stages: tuple[GearStage, ...] = ()
    motor: Motor = UNKNOWN_MOTOR
    friction: Friction = NO_FRICTION
    joint_inertia: float | None = None
    """[kg m2, or kg for a prismatic joint]"""

    def __post_init__(self) -> None:
        """Check that inertia is given in one way only."""
        subject = f'drive "{self.name}"'
        not_negative(subject, joint_inertia=self.joint_inertia)
        require(
            not self.rotors or self.joint_inertia is None,
            f"{subject}: both joint_inertia and a rotor or stages, expected one of them",
        )

    @property
    def rotors(self) -> tuple[tuple[Rotor, float], ...]:
        """What spins: the rotor and the wheels of the gear stages, with their ratios to the motor."""
        rotor = () if self.rotor is None else ((self.rotor, 1.0),)
        return (*rotor, *((stage.rotor, stage.ratio) for stage in self.stages))

    @property
    def named_rotors(self) -> tuple[tuple[str, Rotor], ...]:
        """What spins, by name: the first is called as the drive, the wheels after it as its stages."""
        return tuple(
            (self.name if k == 0 else f"{self.name}.stage{k}", rotor)
            for k, (rotor, _) in enumerate(self.rotors)
        )
