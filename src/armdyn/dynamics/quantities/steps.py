"""Steps in time as one quantity each: what many runs at once go through again and again.

The integrators of `dynamics.fixed_step` are written down over graph nodes, friction points in given ways. A
step does not decide what sticks: where a way does not hold any more it raises an alarm instead, and whoever
steps decides.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from armdyn.dynamics.fixed_step import STEPS, State
from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantities.caused_motion import largest
from armdyn.dynamics.quantities.sticking import is_dry, moving_joints
from armdyn.dynamics.quantities.torques import DRIVEN, VARIED, plain_forward
from armdyn.dynamics.quantities.ways import motion_in_ways
from armdyn.dynamics.quantity import VECTOR, Quantity
from armdyn.errors import InputError
from armdyn.mechanics.linear_system import dot
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.scalars import absolute, select

FASTEST = 1e6
"""[rad/s or m/s] Nothing moves faster: the step is too large."""


def _step(model: Model, x: Nodes, integrator: str) -> list[Any]:
    """Positions and velocities after a step of dt, and an alarm.

    That is positive where a way does not hold, or the step is too large.
    """
    if model.can_stick and "ways" not in x:
        raise InputError(f'friction can hold robot "{model.robot.name}", a step needs ways; give them')
    stages: list[_Stage] = []

    def rates(_: Any, state: State) -> tuple[Any, Any]:
        given = ("tau", "tau_middle", "tau_middle", "tau_end")[len(stages)]
        stages.append(_Stage(model, {**x, "q": list(state.q), "qd": list(state.qd), "tau": x[given]}))
        return np.array(stages[-1].qdd, dtype=object), state.z

    q, qd = (np.array(x[name], dtype=object) for name in ("q", "qd"))
    after = STEPS[integrator](rates, 0, x["dt"][0], State(q, qd, np.empty(0, dtype=object)))
    speed = largest(list(after.qd))
    wild = select(FASTEST - speed, 0, 1)  # what is no number is not slower
    alarm = largest([stages[0].breaking, _turned(model, x, list(after.qd)), wild])
    return [*after.q, *after.qd, alarm]


class _Stage:
    """Accelerations in given ways, exactly 0 for joints that are held."""

    def __init__(self, model: Model, x: Nodes) -> None:
        self.breaking: Any = 0
        """Positive where a point that sticks would have to take too much, or what is held is unclear"""
        if not model.can_stick:
            self.qdd = plain_forward(model, x)
            return
        ways = [_shaft_way(model, x, k) for k in range(len(model.points))]
        found = motion_in_ways(model, {**x, "ways": ways})
        n, points = model.n, len(model.points)
        qdd, excess = found[:n], found[n + points : n + 2 * points]
        moves, unclear = moving_joints(model, [absolute(way) for way in x["ways"]])
        self.qdd = [select(move, a, 0) for move, a in zip(moves, qdd, strict=True)]
        over = [
            select(absolute(x["ways"][k]), 0, select(excess[k], 1, 0))
            for k in range(points)
            if is_dry(model, k)
        ]
        self.breaking = largest([*over, select(unclear, 1, 0)])


def _shaft_way(model: Model, x: Nodes, k: int) -> Any:
    """The way of a point's own coordinate, of that of the joints it follows: a screw may turn it round."""
    coordinate, way = model.points[k].coordinate, x["ways"][k]
    if coordinate.law is None:
        return way
    (_, slope), (_, weight) = state_of(coordinate, x["q"]).gradient[0], coordinate.weights[0]
    return select(slope * weight, way, -way)


def _turned(model: Model, x: Nodes, qd: list[Any]) -> Any:
    """Positive where a point that moved one way does not do so after the step."""
    found: Any = 0
    for k, point in enumerate(model.points if model.can_stick else ()):
        if is_dry(model, k):
            joints = state_of(point.coordinate, x["q"]).gradient if point.coordinate.law is None else ()
            weights = joints or point.coordinate.weights
            rate = dot([weight for _, weight in weights], [qd[j] for j, _ in weights])
            way = x["ways"][k]
            found = select(absolute(way), select(way * rate, found, 1), found)
    return found


QUANTITIES = {
    f"{name} step": Quantity(
        (*DRIVEN, *(("tau_middle", "tau_end") if name == "rk4" else ()), "dt"),
        (VECTOR, VECTOR, (1,)),
        partial(_step, integrator=name),
        ("ways", "wrench", *VARIED),
        bare=False,
    )
    for name in STEPS
}
