"""Steps of the iteration that decides what dry friction holds (`dynamics.sticking`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import largest
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, OUTSIDE
from armdyn.dynamics.quantity import VECTOR, Quantity, Size
from armdyn.dynamics.sticking import SETTLED
from armdyn.mechanics.holding import joints_as_sums
from armdyn.mechanics.linear_system import dot, solve_unsymmetric
from armdyn.mechanics.rubbing import Rub, projected, turning
from armdyn.scalars import absolute, select
from armdyn.scalars.derivatives import jacobian

SPRING = 1e-9
"""How far friction at rest yields, relative to inertia, so that points that hold the same joint share."""
PUSH = 1e3
"""How hard, relative to inertia, a point that runs away asks for more than the bound of its friction."""
STEPS = 4
"""Steps at once: where friction does not depend on the load, 97 % of states and more settle with these."""


def _friction_step(model: Model, x: Nodes) -> list[Any]:
    """Newton's next acceleration and friction at rest, and how wrong, as a torque, these are.

    With B = d tau/d f and a = G qdd the accelerations of the points that stick, the next ones satisfy

        tau(qdd) + H dqdd + B df = tau,    a + G dqdd = spring df

    A point that sticks is then asked for f + df; one that slides for more than its bound while it runs away,
    and for nothing, so that it sticks, where it comes back.
    """
    loads = model.loads(x, x["qd"], x["qdd"])
    found = model.rubs(x, loads, x["qdd"])
    torque = [a + b for a, b in zip(loads.torque, projected(found, model.n), strict=True)]
    missing = [given - needed for given, needed in zip(x["tau"], torque, strict=True)]
    points = [
        _Dry(rub, x["held"][k], model.point_inertias[k]) for k, rub in enumerate(found) if _is_dry(model, k)
    ]
    H, B = jacobian(torque, x["qdd"]), jacobian(torque, [point.held for point in points])
    free = solve_unsymmetric(H, missing)
    freed = [solve_unsymmetric(H, column) for column in zip(*B, strict=True)]
    reaction = _reaction(points, free, freed)
    step = [a - dot(reaction, [column[j] for column in freed]) for j, a in enumerate(free)]
    following = [a + b for a, b in zip(x["qdd"], step, strict=True)]
    asked = iter([point.asked(df, step) for point, df in zip(points, reaction, strict=True)])
    every = [next(asked) if _is_dry(model, k) else 0 for k in range(len(found))]
    return [*following, *every, largest([*missing, *(point.wrong() for point in points)])]


def _is_dry(model: Model, k: int) -> bool:
    return model.points[k].friction.dry


@dataclass(frozen=True)
class _Dry:
    """A point whose friction can hold."""

    rub: Rub
    held: Any
    """What is asked of it."""
    inertia: float
    """About what it feels."""

    @property
    def acceleration(self) -> Any:
        return self.rub.theta.acceleration

    def along(self, change: Sequence[Any]) -> Any:
        """d theta/d q times a change of q or of its derivatives."""
        slopes = self.rub.theta.gradient
        return dot([slope for _, slope in slopes], [change[j] for j, _ in slopes])

    def asked(self, df: Any, step: Sequence[Any]) -> Any:
        """What to ask of it next, after a step of all accelerations."""
        push = PUSH * self.inertia * (self.acceleration + self.along(step))
        away = select(self.held, push, -push)
        sliding = select(away, 2 * self.rub.resistance + push, 0)
        return select(self.rub.sticking, self.rub.resistance + df, sliding)

    def wrong(self) -> Any:
        """The acceleration, as a torque, with which it sticks or comes back against its friction.

        No friction changes that of a screw that passes its dead centre: it is not wrong.
        """
        a = self.acceleration
        back = select(self.held, select(-a, a, 0), select(a, a, 0))
        resting = select(turning(self.rub.theta), select(self.rub.sticking, a, back), 0)
        return select(self.rub.moving, 0, self.inertia * resting)


def _reaction(points: Sequence[_Dry], free: Sequence[Any], freed: Sequence[Sequence[Any]]) -> list[Any]:
    """df of (G H^-1 B + spring) df = a + G H^-1 missing over the points that stick, 0 elsewhere."""
    W = [[point.along(column) for column in freed] for point in points]
    running = [point.acceleration + point.along(free) for point in points]
    for k, point in enumerate(points):
        sticking = point.rub.sticking
        W[k] = [select(sticking, w, 0) for w in W[k]]
        W[k][k] = W[k][k] + select(sticking, SPRING / point.inertia, 1)
        running[k] = select(sticking, running[k], 0)
    return solve_unsymmetric(W, running)


# From rest to the result ----------------------------------------------------------------------


def _friction_steps(model: Model, x: Nodes) -> tuple[list[Any], list[Any], Any]:
    """The acceleration and friction that several steps lead to from rest; positive where they are wrong."""
    n, graph = model.n, x["q"][0].graph
    start = [*graph.inputs("qdd", n), *graph.inputs("held", len(model.points))]
    step = _friction_step(model, {**x, "qdd": start[:n], "held": start[n:]})
    reached: list[Any] = [0] * len(start)
    for _ in range(STEPS):
        reached = substituted(step[:-1], start, reached)
    first, last = (substituted(step[-1:], start, at)[0] for at in ([0] * len(start), reached))
    return reached[:n], reached[n:], last - SETTLED * (1 + largest(x["tau"]) + first)


def _forward_from_rest(model: Model, x: Nodes) -> list[Any]:
    """The accelerations of those steps, exactly 0 where friction holds a joint; infinite if not settled."""
    qdd, held, wrong = _friction_steps(model, x)
    at = {**x, "qdd": qdd, "held": held}
    found = model.rubs(at, model.loads(at, x["qd"], qdd), qdd)
    moves, unclear = _moving_joints(model, found)
    known = 1 + sum(absolute(a) for a in qdd)  # positive, unless one of them is no number
    gate = select(wrong, math.inf, select(unclear, math.inf, select(known, 0, math.inf)))
    first, *others = (select(move, a, 0) for move, a in zip(moves, qdd, strict=True))
    return [first + gate, *others]


def _moving_joints(model: Model, found: Sequence[Rub]) -> tuple[list[Any], Any]:
    """0 for each joint that the points that stick hold, 1 for the others; positive where it is not clear.

    Where no point follows from others, a joint is a sum of points in one way at most, and held if they all
    stick. Elsewhere a point that sticks holds its joint if the others that it turns with are held; points
    that then still share several joints may hold them between them, which is not clear.
    """
    dry = [k for k in range(len(found)) if _is_dry(model, k)]
    sums = joints_as_sums([model.points[k] for k in dry], model.n)
    if sums is not None:
        loose = [1 - found[k].sticking for k in dry]
        return [largest([loose[k] for k in members]) if members else 1 for members in sums], 0
    moves: list[Any] = [1] * model.n
    for _ in range(2):
        for k in dry:
            joints = [j for j, _ in found[k].theta.gradient]
            for j in joints:
                others = largest([moves[i] for i in joints if i != j])
                moves[j] = select(found[k].sticking, select(others, moves[j], 0), moves[j])
    sharing: Any = 0
    for k in dry:
        shares = largest([moves[j] for j, _ in found[k].theta.gradient])
        sharing = sharing + select(found[k].sticking, select(shares, 1, 0), 0)
    return moves, sharing - 1


def _friction_at_rest(model: Model, x: Nodes) -> list[Any]:
    """What friction takes from q, what each point takes from its own coordinate, and 1 where it sticks."""
    found = model.rubs(x, model.loads(x, x["qd"], x["qdd"]), x["qdd"])
    rubbing = projected(found, model.n)
    return [*rubbing, *(rub.resistance for rub in found), *(rub.sticking for rub in found)]


HOLDING = ("q", "qd", "qdd", "held")
POINTS: tuple[Size, ...] = ("points",)

QUANTITIES = {
    "friction step": Quantity(
        (*HOLDING, "tau"),
        (VECTOR, POINTS, (1,)),
        _friction_step,
        OUTSIDE,
        bare=False,
    ),
    "forward from rest": Quantity(DRIVEN, (VECTOR,), _forward_from_rest, OUTSIDE, bare=False),
    "friction at rest": Quantity(HOLDING, (VECTOR, POINTS, POINTS), _friction_at_rest, OUTSIDE, bare=False),
}
