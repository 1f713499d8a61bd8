"""Motors as data: what an electric motor takes and what it can do."""

from __future__ import annotations

from dataclasses import dataclass

from armdyn.robot.checks import dividing, positive


@dataclass(frozen=True)
class Motor:
    """A DC motor, or one that behaves like it; None is unknown. Torques [N m], speed [rad/s] at its shaft."""

    torque_constant: float | None = None
    """[N m/A]"""
    back_emf: float | None = None
    """[V s/rad], voltage per speed; where it is unknown the torque constant serves (`back_emf_constant`)"""
    resistance: float | None = None
    """[ohm]"""
    peak_torque: float | None = None
    """What it gives for a moment, at any speed."""
    stall_torque: float | None = None
    """What it gives at standstill under its full voltage: it falls to zero at the no-load speed."""
    rated_torque: float | None = None
    """What it gives without end: above it, as a root mean square over a motion, the motor overheats."""
    maximum_speed: float | None = None
    maximum_current: float | None = None
    """[A]"""
    maximum_voltage: float | None = None
    """[V]"""

    def __post_init__(self) -> None:
        """Check the signs."""
        positive("motor", **vars(self))
        dividing("motor", **vars(self))

    @property
    def back_emf_constant(self) -> float | None:
        """k_e [V s/rad]: as given, or the torque constant, which it equals in SI in an ideal DC motor."""
        return self.torque_constant if self.back_emf is None else self.back_emf


UNKNOWN_MOTOR = Motor()
"""A motor of which nothing is known."""
