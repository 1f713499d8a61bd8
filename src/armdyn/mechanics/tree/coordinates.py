"""Coordinates of links and rotors as functions of q, with their derivatives.

theta = s f(x) + offset, x = sum_j w_j q_j + inner:
    d theta/d q_j = s f'(x) w_j
    thetadot      = s f'(x) xdot
    thetaddot     = s (f'(x) xddot + f''(x) xdot^2)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.tree.links import Coordinate


@dataclass(frozen=True)
class CoordinateState:
    """A coordinate at a state: its value is variable + offset."""

    variable: Any
    offset: float
    rate: Any
    acceleration: Any
    gradient: tuple[tuple[int, Any], ...]
    """(j, d theta/d q_j)"""


def state_of(
    coordinate: Coordinate,
    q: Sequence[Any],
    qd: Sequence[Any] | None = None,
    qdd: Sequence[Any] | None = None,
) -> CoordinateState:
    """The coordinate at q, moving with qd and qdd (at rest where they are not given)."""
    x, xdot, xddot = (_combined(coordinate, values) for values in (q, qd, qdd))
    s = coordinate.scale
    if coordinate.law is None:
        gradient = tuple((j, s * w) for j, w in coordinate.weights)
        constant = s * coordinate.inner + coordinate.offset
        rate, acceleration = s * xdot + coordinate.rate, s * xddot + coordinate.acceleration
        return CoordinateState(s * x, constant, rate, acceleration, gradient)
    value, slope, bend = coordinate.law.evaluate(x + coordinate.inner)
    slope, bend = s * slope, s * bend
    return CoordinateState(
        s * value,
        coordinate.offset,
        slope * xdot,
        slope * xddot + bend * (xdot * xdot),
        tuple((j, slope * w) for j, w in coordinate.weights),
    )


def curvature_of(coordinate: Coordinate, q: Sequence[Any]) -> tuple[tuple[int, int, Any], ...]:
    """(j, k, d2 theta/d q_j d q_k = s f''(x) w_j w_k) of every pair; none where theta is linear in q."""
    if coordinate.law is None:
        return ()
    bend = coordinate.scale * coordinate.law.evaluate(_combined(coordinate, q) + coordinate.inner)[2]
    return tuple((j, k, bend * (w * v)) for j, w in coordinate.weights for k, v in coordinate.weights)


def _combined(coordinate: Coordinate, values: Sequence[Any] | None) -> Any:
    """sum_j w_j values_j."""
    if values is None:
        return 0
    total: Any = 0
    for j, w in coordinate.weights:
        total = total + w * values[j]
    return total
