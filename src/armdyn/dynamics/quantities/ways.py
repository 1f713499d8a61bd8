"""Motion while nothing changes between sticking and sliding: what integrators see between two such events.

Every friction point that can hold has a way: 1 or -1 while it moves so, 0 while it sticks. In given ways the
accelerations are smooth functions of the state, also a little beyond the instant at which a way ends, which
is how that instant can be found.
"""

from __future__ import annotations

import math
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import largest
from armdyn.dynamics.quantities.sticking import COMPLIANCE, POINTS, Newton, is_dry, of_every_point
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, OUTSIDE, VARIED
from armdyn.dynamics.quantity import VECTOR, Quantity
from armdyn.mechanics.linear_system import dot, solve_unsymmetric, solver
from armdyn.mechanics.rubbing import Rub
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.scalars import absolute, select

STEPS = 2
"""Steps of Newton's method where friction does not depend on the load: the equations are linear, and a second
step takes what the compliance of the first has left."""
STEPS_UNDER_LOAD = 4
EDGE = 1e-12
"""How much more than friction can take, relative to that and to all torques, starts a motion."""
LOST = 1e-9
"""Torques that may be left over, relative to all torques, where accelerations count as found."""
NEVER = -1
"""The excess of a point whose friction cannot hold."""


def motion_in_ways(model: Model, x: Nodes) -> list[Any]:
    """Accelerations, what each point takes, and by how much its way does not hold.

    The first acceleration is infinite where they are not found: friction under load may leave no answer.
    """
    n, graph = model.n, x["q"][0].graph
    start = [*graph.inputs("qdd", n), *graph.inputs("held", len(model.points))]
    newton = Newton.at(model, {**x, "qdd": start[:n], "held": start[n:]})
    asked = [point.held + df for point, df in zip(newton.points, newton.reaction, strict=True)]
    step = [*newton.following, *of_every_point(model, asked, 0)]
    reached: list[Any] = [0] * len(start)
    first = largest(substituted(newton.missing, start, reached))
    for _ in range(STEPS_UNDER_LOAD if model.under_load else STEPS):
        reached = substituted(step, start, reached)
    pulled = model.torque_scale + largest(x["tau"])
    taken = [rub.resistance for rub in newton.found]
    beyond = [_beyond(model, k, rub, pulled) for k, rub in enumerate(newton.found) if is_dry(model, k)]
    outcome = [*taken, *of_every_point(model, beyond, NEVER), largest(newton.missing)]
    *outcome, left = substituted(outcome, start, reached)
    lost = select(left - LOST * (pulled + first), math.inf, 0)
    return [reached[0] + lost, *reached[1:n], *outcome]


def _point_gradients(model: Model, x: Nodes) -> list[Any]:
    """d theta/d q of every friction point, row by row."""
    rows: list[Any] = []
    for point in model.points:
        row: list[Any] = [0] * model.n
        for j, slope in state_of(point.coordinate, x["q"]).gradient:
            row[j] = slope
        rows += row
    return rows


def _beyond(model: Model, k: int, rub: Rub, pulled: Any) -> Any:
    """The excess of a point, of one that sticks less what rounding may make of it."""
    lever = _lever(model, k)
    edge = EDGE * (model.points[k].friction.at_rest + absolute(rub.resistance) + pulled / lever)
    return rub.excess - select(rub.sticking, edge, 0)


def _lever(model: Model, k: int) -> float:
    """The largest d theta/d q_j of a point, at home; 1 where it has none there."""
    slopes = state_of(model.points[k].coordinate, list(model.robot.home)).gradient
    return max(abs(float(slope)) for _, slope in slopes) or 1.0


def _stopped_velocity(model: Model, x: Nodes) -> list[Any]:
    """Velocities after a blow that stops the points whose way is 0, and nothing else.

    qd - H^-1 W^T (W H^-1 W^T + compliance)^-1 W qd, W the weights of the joints that these points follow;
    done twice, so that of their rates a billionth of a billionth is left.
    """
    rows = [_direction(model, k) for k in range(len(model.points)) if is_dry(model, k)]
    ways = [way for k, way in enumerate(x["ways"]) if is_dry(model, k)]
    H = model.method.mass_matrix(model.light("mass_matrix", x), x["q"])
    freed = list(map(solver(H), rows))
    felt = [[dot(row, column) for column in freed] for row in rows]
    for k, way in enumerate(ways):
        own = felt[k][k]
        felt[k] = [select(absolute(way), 0, element) for element in felt[k]]
        felt[k][k] = select(absolute(way), 1, own * (1 + COMPLIANCE))
    qd = x["qd"]
    for _ in range(2):
        rates = [select(absolute(way), 0, dot(row, qd)) for way, row in zip(ways, rows, strict=True)]
        blow = solve_unsymmetric(felt, rates)
        qd = [v - dot(blow, [column[j] for column in freed]) for j, v in enumerate(qd)]
    return qd


def _direction(model: Model, k: int) -> list[float]:
    """The weights of the joints that a point follows, the largest made 1."""
    row = [0.0] * model.n
    weights = model.points[k].coordinate.weights
    largest_weight = max(abs(weight) for _, weight in weights)
    for j, weight in weights:
        row[j] = weight / largest_weight
    return row


QUANTITIES = {
    "stopped_velocity": Quantity(("q", "qd", "ways"), (VECTOR,), _stopped_velocity, ("added",)),
    "motion_in_ways": Quantity(
        (*DRIVEN, "ways"), (VECTOR, POINTS, POINTS), motion_in_ways, (*OUTSIDE, *VARIED)
    ),
    "friction_gradients": Quantity(("q",), (("points", "n"),), _point_gradients),
}
