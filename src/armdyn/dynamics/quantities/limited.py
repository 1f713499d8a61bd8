"""Accelerations that motors with limits can give (`dynamics.limited`).

Demanded are accelerations a_d; motor torques u(a), friction under the load of a included, must lie between
lower and upper. With K = d theta/d q and delta = K (a - a_d), by which the motors' shafts are ahead, each
motor

    gives what is demanded,  delta_i = 0  and  lower_i <= u_i <= upper_i,  or
    gives its limit,         u_i = upper_i  and  delta_i <= 0,   or   u_i = lower_i  and  delta_i >= 0

[Kvrgic2020] Algorithm 1, steps 5 and 6, mended: (92) is solved with the limits of the motors that saturate
and the demands of the others, so that the torques are those that the accelerations take. Without friction
under load d u/d theta'' = K^-T H K^-1 is positive definite: there is one answer, whatever saturates.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from armdyn.dynamics.limited import limited_accelerations
from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import largest
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import HEAVIER, OUTSIDE
from armdyn.dynamics.quantity import VECTOR, Quantity
from armdyn.dynamics.sticking import SETTLED
from armdyn.mechanics import drives
from armdyn.mechanics.linear_system import dot, solve_unsymmetric
from armdyn.scalars import absolute, select
from armdyn.scalars.derivatives import jacobian

Matrix = list[list[Any]]

STEPS = 4
"""Steps at once, each of which decides anew which motors saturate."""
EDGE = 1e-12
"""By how much, relative, a torque may exceed its limit by rounding."""


def _limited_acceleration(model: Model, x: Nodes) -> list[Any]:
    """The accelerations, the motor torques, and -1, 0 or 1 where a motor gives its lower, no or upper limit.

    The first is infinite where the steps do not settle it.
    """
    n, graph = model.n, x["q"][0].graph
    start = [*graph.inputs("qdd now", n), *graph.inputs("saturated", n)]
    step, torque, short = _step(model, x, start[:n], start[n:])
    reached = [*x["qdd"], *([0] * n)]
    for _ in range(STEPS):
        reached = substituted(step, start, reached)
    found = substituted([*torque, *short], start, reached)
    return _settled(model, x, reached, found[:n], found[n:])


def _step(
    model: Model, x: Nodes, qdd: Sequence[Any], saturated: Sequence[Any]
) -> tuple[list[Any], list[Any], list[Any]]:
    """The next accelerations and what then saturates; the torques at those given, and what shafts lack."""
    torque = motor_demand(model, x, qdd)
    slopes = [_by_motor(model, x["q"], row) for row in jacobian(torque, qdd)]  # d u/d theta''
    K = _gears(model, x["q"])
    lacking = [a - b for a, b in zip(qdd, x["qdd"], strict=True)]
    short = [dot(row, lacking) for row in K]
    following = [
        _next_limit(s, u, lower, upper, delta)
        for s, u, lower, upper, delta in zip(saturated, torque, x["lower"], x["upper"], short, strict=True)
    ]
    rows: Matrix = []
    missing: list[Any] = []
    for i, s in enumerate(following):
        limited = absolute(s)
        limit = select(s, x["upper"][i], x["lower"][i])
        rows.append([select(limited, slope, 1 if i == j else 0) for j, slope in enumerate(slopes[i])])
        missing.append(select(limited, limit - torque[i], -short[i]))
    turned = solve_unsymmetric(rows, missing)
    change = _joints_of(model, x["q"], turned)
    return [*(a + b for a, b in zip(qdd, change, strict=True)), *following], torque, short


def _next_limit(saturated: Any, torque: Any, lower: Any, upper: Any, short: Any) -> Any:
    """1 at the upper limit, -1 at the lower, 0 inside: entered by the torque, left by the acceleration."""
    entered = select(torque - upper - EDGE * absolute(upper), 1, 0)
    entered = select(lower - torque - EDGE * absolute(lower), -1, entered)
    still_upper, still_lower = select(short, 0, 1), select(-short, 0, -1)
    return select(saturated, still_upper, select(-saturated, still_lower, entered))


def _settled(
    model: Model, x: Nodes, reached: Sequence[Any], torque: Sequence[Any], short: Sequence[Any]
) -> list[Any]:
    """The results, the first infinite where a torque is outside its limits or a motor lags without need.

    Also where a lower limit is above the upper one, which nothing settles.
    """
    n = model.n
    qdd, saturated = reached[:n], reached[n:]
    wrong: list[Any] = []
    given: list[Any] = []
    for s, u, lower, upper, delta in zip(saturated, torque, x["lower"], x["upper"], short, strict=True):
        outside = select(u - upper, u - upper, select(lower - u, lower - u, 0))
        off_limit = select(s, u - upper, u - lower)
        wrong.append(select(absolute(s), off_limit, outside))
        ahead = select(s, delta, select(-s, -delta, 0))  # beyond what is demanded, though at a limit
        wrong.append(select(ahead, ahead, 0))
        wrong.append(select(lower - upper, math.inf, 0))  # no torque at all is between these
        given.append(select(s, upper, select(-s, lower, u)))
    bounds = [
        select(absolute(s), select(s, b, a), 0)
        for s, a, b in zip(saturated, x["lower"], x["upper"], strict=True)
    ]
    allowed = SETTLED * (1 + largest([*torque, *bounds]))
    known = 1 + sum(absolute(a) for a in qdd)  # positive, unless one of them is no number
    gate = select(largest(wrong) - allowed, math.inf, select(known, 0, math.inf))
    first, *others = qdd
    return [first + gate, *others, *given, *saturated]


def motor_demand(model: Model, x: Nodes, qdd: Sequence[Any]) -> list[Any]:
    """The torques that accelerations ask of the motors, or of the joints of a robot without drives."""
    torque = model.resisted(x, model.loads(x, x["qd"], qdd), qdd)
    return drives.motor_torques(model.robot, x["q"], torque) if _geared(model) else torque


def _geared(model: Model) -> bool:
    return bool(model.robot.drives)


def _gears(model: Model, q: Sequence[Any]) -> Matrix:
    if _geared(model):
        return drives.gear_matrix(model.robot, q)
    return [[1 if i == j else 0 for j in range(model.n)] for i in range(model.n)]


def _by_motor(model: Model, q: Sequence[Any], row: Sequence[Any]) -> list[Any]:
    """A row by accelerations of the joints as one by accelerations of the motors: K^-T row."""
    return drives.motor_torques(model.robot, q, row) if _geared(model) else list(row)


def _joints_of(model: Model, q: Sequence[Any], turned: Sequence[Any]) -> list[Any]:
    """K^-1 times a change of the motors; row j of K^-1 is K^-T e_j."""
    units = ([1 if i == j else 0 for i in range(model.n)] for j in range(model.n))
    return [dot(_by_motor(model, q, unit), turned) for unit in units]


QUANTITIES = {
    "limited_acceleration": Quantity(
        ("q", "qd", "qdd", "lower", "upper"),
        (VECTOR, VECTOR, VECTOR),
        _limited_acceleration,
        OUTSIDE,
        iterated=limited_accelerations,
        settles_in_motion=False,
    ),
    "motor_demand": Quantity(
        ("q", "qd", "qdd"), (VECTOR,), lambda model, x: motor_demand(model, x, x["qdd"]), (*OUTSIDE, *HEAVIER)
    ),
}
