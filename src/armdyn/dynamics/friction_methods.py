"""What `Dynamics` says about friction: where it acts, what it takes, what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.running import Run, count_lost
from armdyn.dynamics.sticking import at_rest
from armdyn.mechanics.rubbing import FrictionPoint
from armdyn.scalars import Array
from armdyn.scalars.batch import Losses


@dataclass(frozen=True)
class Sticking:
    """The motion that torques cause, and the friction in it."""

    acceleration: Array
    """(..., n), exactly 0 where friction holds a joint"""
    friction: Array
    """(..., n): what friction takes from each joint, at its own side and through the motors"""
    resistances: Array
    """(..., points): what each friction point takes from its own coordinate"""
    sticks: NDArray[np.bool_]
    """(..., points): which of them friction holds at rest"""


class FrictionMethods(Evaluating):
    """Methods on friction; `Dynamics` has them all. Arrays (..., points) have one element per point."""

    @property
    def friction_points(self) -> tuple[FrictionPoint, ...]:
        """Where friction acts: joints in the order of their bodies, then motors; none if friction is off."""
        return self._traced.points

    def resistances(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        qdd: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """What friction takes from each point's own coordinate in a motion: (..., points).

        The arguments are those of `inverse`. A point at rest takes its starting friction where the motion
        starts it, and nothing where it stays.
        """
        return self._evaluate("resistances", (), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base)

    def sticking(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        threads: int | None = None,
        losses: Losses | None = None,
    ) -> Sticking:
        """The motion that torques cause, what friction takes in it, and what sticks.

        The arguments are those of `forward`, which gives the same accelerations. What rests stays at rest as
        long as friction can hold it: decided for all coordinates together, against the loads of that motion.
        Where a joint and its motor both stick, what each of them takes is not determined; their sum is.
        """
        traced = self._traced
        outside = {"wrench": wrench, "at": at, "base": base}
        given = {"q": q, "qd": qd, "tau": tau} | {k: x for k, x in outside.items() if x is not None}
        inputs = {name: traced.array(name, value) for name, value in given.items()}
        rest = at_rest(traced, traced.evaluator(threads), inputs)
        count_lost(losses, inputs, rest.qdd)
        return Sticking(rest.qdd, rest.rubbing, rest.taken, rest.sticking == 1)
