"""Integrators with a fixed step: each is one function from the state at t to the state at t + h.

States are arrays of any leading shape, one run (n,) or many (N, n), of floats or of graph nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from armdyn.scalars import Array


class State(NamedTuple):
    """Positions, velocities, and what else is integrated (a controller's states, work)."""

    q: Array
    """(..., n)"""
    qd: Array
    """(..., n)"""
    z: Array
    """(..., m)"""


Rates = Callable[[float, State], tuple[Array, Array]]
"""(t, state) -> accelerations (..., n) and z' (..., m)."""
Step = Callable[[Rates, float, float, State], State]
"""(rates, t, h, state at t) -> state at t + h."""


def euler(rates: Rates, t: float, h: float, x: State) -> State:
    """[Szkodny1995] (22), explicit: dq = qd dt, dqd = qdd dt."""
    qdd, zd = rates(t, x)
    return State(x.q + x.qd * h, x.qd + qdd * h, x.z + zd * h)


def semi_implicit(rates: Rates, t: float, h: float, x: State) -> State:
    """Velocities first, positions with the new ones: energy does not drift away where it is conserved."""
    qdd, zd = rates(t, x)
    qd = x.qd + qdd * h
    return State(x.q + qd * h, qd, x.z + zd * h)


def rk4(rates: Rates, t: float, h: float, x: State) -> State:
    """The classical method of Runge and Kutta, of order four."""
    half = 0.5 * h
    a1, z1 = rates(t, x)
    x2 = State(x.q + x.qd * half, x.qd + a1 * half, x.z + z1 * half)
    a2, z2 = rates(t + half, x2)
    x3 = State(x.q + x2.qd * half, x.qd + a2 * half, x.z + z2 * half)
    a3, z3 = rates(t + half, x3)
    x4 = State(x.q + x3.qd * h, x.qd + a3 * h, x.z + z3 * h)
    a4, z4 = rates(t + h, x4)
    sixth = h / 6
    return State(
        x.q + (x.qd + 2 * (x2.qd + x3.qd) + x4.qd) * sixth,
        x.qd + (a1 + 2 * (a2 + a3) + a4) * sixth,
        x.z + (z1 + 2 * (z2 + z3) + z4) * sixth,
    )


STEPS: Mapping[str, Step] = {"euler": euler, "semi_implicit": semi_implicit, "rk4": rk4}
"""The integrators with a fixed step by name."""
