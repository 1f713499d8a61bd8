"""Rotors seen only as 1/2 I thetadot^2, at a state.

Of a spin that has an `own` joint, only the slope of theta by that joint's coordinate counts, as if it did not
change along the motion: 1/2 I (theta'_own qd_own)^2, and theta'_own^2 I qdd_own for the torque.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.tree.coordinates import CoordinateState, curvature_of, state_of
from armdyn.mechanics.tree.links import Spin


@dataclass(frozen=True)
class SpinState:
    """A spin whose coordinate is theta, while q moves with qd and qdd."""

    spin: Spin
    theta: CoordinateState
    qd: Sequence[Any] | None
    qdd: Sequence[Any] | None

    @property
    def gradient(self) -> list[tuple[int, Any]]:
        """(j, theta'_j) of the coordinates that count."""
        return [(j, slope) for j, slope in self.theta.gradient if self.spin.own in (None, j)]

    @property
    def energy(self) -> Any:
        """1/2 I thetadot^2."""
        rate = self.theta.rate
        if self.spin.own is not None:
            rate = 0 if self.qd is None else sum(slope * self.qd[j] for j, slope in self.gradient)
        return 0.5 * self.spin.inertia * (rate * rate)

    @property
    def masses(self) -> list[tuple[int, int, Any]]:
        """(i, j, I theta'_i theta'_j) for i >= j."""
        both = ((one, other) for one in self.gradient for other in self.gradient)
        return [(i, j, self.spin.inertia * (a * b)) for (i, a), (j, b) in both if i >= j]

    @property
    def torques(self) -> list[tuple[int, Any]]:
        """(j, I theta'_j thetaddot)."""
        if self.spin.own is None:
            return [(j, slope * (self.spin.inertia * self.theta.acceleration)) for j, slope in self.gradient]
        return [] if self.qdd is None else [(j, mass * self.qdd[j]) for j, _, mass in self.masses]


def spin_state(
    spin: Spin, q: Sequence[Any], qd: Sequence[Any] | None = None, qdd: Sequence[Any] | None = None
) -> SpinState:
    """The spin at q, moving with qd and qdd (at rest where they are not given)."""
    return SpinState(spin, state_of(spin.coordinate, q, qd, qdd), qd, qdd)


def spin_curvature(spin: Spin, q: Sequence[Any]) -> tuple[tuple[int, int, Any], ...]:
    """(j, k, d2 theta/d q_j d q_k) of every pair that counts."""
    return curvature_of(spin.coordinate, q) if spin.own is None else ()


def felt_by(spin: Spin) -> set[int]:
    """The coordinates whose accelerations a spin feels."""
    return {j for j, _ in spin.coordinate.weights if spin.own in (None, j)}
