"""What `Dynamics` says about friction: where it acts, what it takes, what it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics.evaluating import Evaluating
from armdyn.dynamics.running import Run, RunAll, count_lost
from armdyn.dynamics.sticking import at_rest
from armdyn.mechanics.rubbing import FrictionPoint
from armdyn.scalars import Array
from armdyn.scalars.batch import Losses, Runner


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
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """What friction takes from each point's own coordinate in a motion: (..., points).

        The arguments are those of `inverse`. A point at rest takes its starting friction where the motion
        starts it, and nothing where it stays.
        """
        return self._evaluate(
            "resistances", (), run, q=q, qd=qd, qdd=qdd, wrench=wrench, at=at, base=base, added=added
        )

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

    # Between sticking and sliding ------------------------------------------------------------

    def motion_in_ways(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        ways: ArrayLike,
        wrench: ArrayLike | None = None,
        *,
        at: ArrayLike | None = None,
        base: ArrayLike | None = None,
        added: ArrayLike | None = None,
        rubbing: ArrayLike | None = None,
        **run: Unpack[RunAll],
    ) -> tuple[Array, ...]:
        """The motion that torques cause while friction points keep their ways.

        Args:
            q: (..., n) joint positions [rad or m].
            qd: (..., n) joint velocities.
            tau: (..., n) torques.
            ways: (..., points) 1 or -1 for a point that moves so, whatever its rate, 0 for one that sticks;
                those whose friction cannot hold (`friction.dry` is False) are not looked at.
            wrench: as for `inverse`.
            at: as for `inverse`.
            base: as for `inverse`.
            added: as for `inverse`.
            rubbing: as for `inverse`.
            **run: `out=` (three arrays), `threads=` and `losses=`.

        Returns:
            Accelerations (..., n); what each point takes from its own coordinate (..., points); its excess
            (..., points), positive where its way does not hold: what is asked of a point that sticks beyond
            what its friction can take, the rate against its way of one that moves. NaN, counted as lost,
            where there is no answer: strong friction under load.
        """
        outside = {"wrench": wrench, "at": at, "base": base, "added": added, "rubbing": rubbing}
        return self._results("motion_in_ways", (), run, q=q, qd=qd, tau=tau, ways=ways, **outside)

    def stopped_velocity(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        ways: ArrayLike,
        *,
        added: ArrayLike | None = None,
        **run: Unpack[Run],
    ) -> Array:
        """Velocities (..., n) after a blow that stops those friction points at once whose way is 0.

        Kinetic energy is lost in it, never gained. Only points whose friction can hold are stopped.
        """
        return self._evaluate("stopped_velocity", (), run, q=q, qd=qd, ways=ways, added=added)

    def friction_gradients(self, q: ArrayLike, **run: Unpack[Run]) -> Array:
        """d theta/d q of the coordinate of each friction point: (..., points, n)."""
        return self._evaluate("friction_gradients", (), run, q=q)

    def held_joints(self, sticking: Iterable[int]) -> NDArray[np.intp]:
        """The joints that cannot move while none of these friction points does; all counted from 0."""
        return self._traced.held_by(tuple(sticking))

    # Steps in time ---------------------------------------------------------------------------

    def step(self, integrator: str, *given: str) -> Runner:
        """What takes many states through one fixed step, compiled (`quantities.steps`).

        Args:
            integrator: one of `dynamics.fixed_step.STEPS`.
            *given: which of `ways`, `wrench`, `added` and `rubbing` are given.

        Returns:
            What fills rows of q, qd and an alarm (N, 1), positive where a friction point's way does not hold,
            from rows of q, qd, tau (with "rk4" also tau_middle and tau_end), dt (N, 1) and those given.
        """
        return self._traced.runner(f"{integrator} step", given)

    @property
    def steps_are_short(self) -> bool:
        """Whether all stages of a step make a quantity of reasonable length: friction under load does not."""
        return not self._traced.under_load
