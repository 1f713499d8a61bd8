"""Steps of the iteration that decides what dry friction holds (`dynamics.sticking`)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import largest
from armdyn.dynamics.quantities.substitution import substituted
from armdyn.dynamics.quantities.torques import DRIVEN, OUTSIDE, VARIED
from armdyn.dynamics.quantity import VECTOR, Quantity, Size
from armdyn.dynamics.sticking import SETTLED
from armdyn.mechanics.holding import joints_as_sums
from armdyn.mechanics.linear_system import dot, solve_unsymmetric
from armdyn.mechanics.loads import Loads
from armdyn.mechanics.rubbing import Rub, projected, turning
from armdyn.scalars import absolute, reciprocal, select
from armdyn.scalars.derivatives import jacobian

COMPLIANCE = 1e-9
"""How far friction at rest yields, relative to inertia: points that hold the same joint share its load, and
what is left after a step is a billionth of what was there before."""
PUSH = 1e3
"""How hard, relative to inertia, a point that runs away asks for more than the bound of its friction."""
FAR = 1e300
"""More than anything that runs."""
STEPS = 4
"""Steps at once: where friction does not depend on the load, 97 % of states and more settle with these."""


def _friction_step(model: Model, x: Nodes) -> list[Any]:
    """Newton's next acceleration and friction at rest, and how wrong, as a torque, these are.

    With B = d tau/d f and a = G qdd the accelerations of the points that stick, the next ones satisfy

        tau(qdd) + H dqdd + B df = tau,    a + G dqdd = compliance df

    A point that sticks is then asked for f + df; one that slides for more than its bound while it runs away,
    and for nothing, so that it sticks, where it comes back.
    """
    newton = Newton.at(model, x)
    asked = [point.asked(df, newton.step) for point, df in zip(newton.points, newton.reaction, strict=True)]
    return [
        *newton.following,
        *of_every_point(model, asked, 0),
        largest([*newton.missing, *(point.wrong() for point in newton.points)]),
    ]


@dataclass(frozen=True)
class Newton:
    """A step of Newton's method, of accelerations and of the friction of what sticks."""

    points: list[_Dry]
    found: list[Rub]
    missing: list[Any]
    """Torques that the accelerations leave over."""
    reaction: list[Any]
    """df of every dry point, 0 of those that do not stick."""
    step: list[Any]
    following: list[Any]
    """The accelerations after the step."""

    @classmethod
    def at(cls, model: Model, x: Nodes) -> Newton:
        """The step from the inputs qdd and held."""
        loads = model.loads(x, x["qd"], x["qdd"])
        found = model.rubs(x, loads, x["qdd"])
        torque = [a + b for a, b in zip(loads.torque, projected(found, model.n), strict=True)]
        missing = [given - needed for given, needed in zip(x["tau"], torque, strict=True)]
        H = jacobian(torque, x["qdd"])
        points = _dry_points(model, x, found, loads)
        B = jacobian(torque, [point.held for point in points])
        free = solve_unsymmetric(H, missing)
        freed = [solve_unsymmetric(H, column) for column in zip(*B, strict=True)]
        reaction = _reaction(points, free, freed)
        step = [a - dot(reaction, [column[j] for column in freed]) for j, a in enumerate(free)]
        following = [a + b for a, b in zip(x["qdd"], step, strict=True)]
        return cls(points, found, missing, reaction, step, following)


def is_dry(model: Model, k: int) -> bool:
    """Whether the friction of a point can hold."""
    return model.points[k].friction.dry


def of_every_point(model: Model, of_dry: Sequence[Any], otherwise: Any) -> list[Any]:
    """Values of the points whose friction can hold, and another for those whose friction cannot."""
    values = iter(of_dry)
    return [next(values) if is_dry(model, k) else otherwise for k in range(len(model.points))]


@dataclass(frozen=True)
class _Dry:
    """A point whose friction can hold."""

    rub: Rub
    held: Any
    """What is asked of it."""
    freedom: Any
    """About the acceleration by one unit of torque; exact where joints are not coupled."""
    lever: Any
    """Its largest d theta/d q_j, which makes its torques torques of a joint."""

    @classmethod
    def of(cls, rub: Rub, held: Any, inertia: Sequence[Any]) -> _Dry:
        """A point, by the inertias of the joints."""
        slopes = rub.theta.gradient
        freedom = dot([slope * slope for _, slope in slopes], [reciprocal(inertia[j]) for j, _ in slopes])
        # at a dead centre it has none; there nobody asks
        freedom = select(turning(rub.theta), freedom, 1)
        return cls(rub, held, freedom, largest([slope for _, slope in slopes]))

    @property
    def acceleration(self) -> Any:
        """Of its own coordinate."""
        return self.rub.theta.acceleration

    def along(self, change: Sequence[Any]) -> Any:
        """d theta/d q times a change of q or of its derivatives."""
        slopes = self.rub.theta.gradient
        return dot([slope for _, slope in slopes], [change[j] for j, _ in slopes])

    def asked(self, df: Any, step: Sequence[Any]) -> Any:
        """What to ask of it next, after a step of all accelerations."""
        push = PUSH * (self.acceleration + self.along(step)) / self.freedom
        away = select(self.held, push, -push)
        # twice the bound: it goes on sliding even if its bound grows with the load
        sliding = select(away, 2 * self.rub.resistance + push, 0)
        return select(self.rub.sticking, self.rub.resistance + df, sliding)

    def wrong(self) -> Any:
        """The acceleration, as a torque of a joint, with which it sticks or comes back against its friction.

        No friction changes that of a screw that passes its dead centre: it is not wrong.
        """
        a = self.acceleration
        back = select(self.held, select(-a, a, 0), select(a, a, 0))
        resting = self._as_torque(select(self.rub.sticking, a, back))
        return select(self.rub.moving, 0, select(turning(self.rub.theta), resting, 0))

    def running(self) -> Any:
        """The acceleration from rest, as a torque of a joint, without sign; FAR where it does not rest."""
        resting = select(turning(self.rub.theta), absolute(self._as_torque(self.acceleration)), FAR)
        return select(self.rub.moving, FAR, resting)

    def _as_torque(self, acceleration: Any) -> Any:
        return self.lever * acceleration / self.freedom


def _dry_points(model: Model, x: Nodes, found: Sequence[Rub], loads: Loads) -> list[_Dry]:
    """The points whose friction can hold; inertias are those without friction, which may turn them round."""
    inertia = [jacobian([u], [qdd])[0][0] for u, qdd in zip(loads.torque, x["qdd"], strict=True)]
    return [_Dry.of(rub, x["held"][k], inertia) for k, rub in enumerate(found) if is_dry(model, k)]


def _reaction(points: Sequence[_Dry], free: Sequence[Any], freed: Sequence[Sequence[Any]]) -> list[Any]:
    """df of (G H^-1 B + compliance) df = a + G H^-1 missing over the points that stick, 0 elsewhere."""
    W = [[point.along(column) for column in freed] for point in points]
    running = [point.acceleration + point.along(free) for point in points]
    for k, point in enumerate(points):
        sticking = point.rub.sticking
        W[k] = [select(sticking, w, 0) for w in W[k]]
        W[k][k] = W[k][k] + select(sticking, COMPLIANCE * point.freedom, 1)
        running[k] = select(sticking, running[k], 0)
    return solve_unsymmetric(W, running)


# From rest to the result ----------------------------------------------------------------------


def _forward_from_rest(model: Model, x: Nodes) -> list[Any]:
    """The accelerations of several steps, exactly 0 where friction holds a joint; infinite if not settled."""
    n, graph = model.n, x["q"][0].graph
    start = [*graph.inputs("qdd", n), *graph.inputs("held", len(model.points))]
    at = {**x, "qdd": start[:n], "held": start[n:]}
    step, resting = _friction_step(model, at), _friction_at_rest(model, at)[n + len(model.points) :]
    reached: list[Any] = [0] * len(start)
    (first,) = substituted(step[-1:], start, reached)
    for _ in range(STEPS):
        reached = substituted(step[:-1], start, reached)
    wrong, *running = substituted([step[-1], *resting], start, reached)
    allowed = SETTLED * (model.torque_scale + largest(x["tau"]) + first)
    moves, unclear = moving_joints(model, [select(run - allowed, 1, 0) for run in running])
    qdd = reached[:n]
    known = 1 + sum(absolute(a) for a in qdd)  # positive, unless one of them is no number
    gate = select(wrong - allowed, math.inf, select(unclear, math.inf, select(known, 0, math.inf)))
    first, *others = (select(move, a, 0) for move, a in zip(moves, qdd, strict=True))
    return [first + gate, *others]


def moving_joints(model: Model, loose: Sequence[Any]) -> tuple[list[Any], Any]:
    """0 for each joint that the points that stick hold, 1 for the others; positive where it is not clear.

    Points that do not stick are given as 1, the others as 0. Where no point follows from others, a joint
    is a sum of points in one way at most, and held if they all stick. Elsewhere a point that sticks holds its
    joint if the others that it turns with are held; points that then still share several joints may hold them
    between them, which is not clear.
    """
    dry = [k for k in range(len(model.points)) if is_dry(model, k)]
    sums = joints_as_sums([model.points[k] for k in dry], model.n)
    if sums is not None:
        return [largest([loose[dry[k]] for k in members]) if members else 1 for members in sums], 0
    moves: list[Any] = [1] * model.n
    joints = {k: [j for j, _ in model.points[k].coordinate.weights] for k in dry}
    for _ in range(model.n):  # one more joint at least is held after each round, or none
        for k in dry:
            for j in joints[k]:
                others = largest([loose[k], *(moves[i] for i in joints[k] if i != j)])
                moves[j] = select(others, moves[j], 0)
    sharing: Any = 0
    for k in dry:
        sharing = sharing + select(loose[k], 0, largest([moves[j] for j in joints[k]]))
    return moves, sharing - 1


def _friction_at_rest(model: Model, x: Nodes) -> list[Any]:
    """What friction takes from q, what each point takes from its coordinate, and how it runs from rest."""
    loads = model.loads(x, x["qd"], x["qdd"])
    found = model.rubs(x, loads, x["qdd"])
    running = [point.running() for point in _dry_points(model, x, found, loads)]
    return [
        *projected(found, model.n),
        *(rub.resistance for rub in found),
        *of_every_point(model, running, FAR),
    ]


HOLDING = ("q", "qd", "qdd", "held")
POINTS: tuple[Size, ...] = ("points",)

QUANTITIES = {
    "friction step": Quantity(
        (*HOLDING, "tau"),
        (VECTOR, POINTS, (1,)),
        _friction_step,
        (*OUTSIDE, *VARIED),
        bare=False,
    ),
    "forward from rest": Quantity(DRIVEN, (VECTOR,), _forward_from_rest, (*OUTSIDE, *VARIED), bare=False),
    "friction at rest": Quantity(
        HOLDING, (VECTOR, POINTS, POINTS), _friction_at_rest, (*OUTSIDE, *VARIED), bare=False
    ),
}
