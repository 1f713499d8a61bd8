"""Monte Carlo: how a motion spreads when states, payloads, inertias and friction are known only roughly.

Every draw is an arm that could exist. Masses and friction are multiplied by log-normal factors
exp(spread * normal), which are positive and have median 1; a body keeps its shape, so that a physical
inertia stays physical (`dynamics.variation`). Of friction's share s of the load the odds s/(1 - s) are
multiplied, so that it stays below 1, where a joint would jam. The same seed gives the same draws.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from armdyn.dynamics import Dynamics
from armdyn.dynamics.variation import frictions, inertias, own_rubbing, payloads
from armdyn.errors import InputError, ShapeError
from armdyn.mechanics.rubbing import TERMS
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.simulation.acting import Acting
from armdyn.simulation.many import FixedStepName, ManyRuns, Torque, simulate_many

MOST_ODDS = 1e9
"""Of a share of the load that is drawn: so near to 1 it goes, and rounding does not take it there."""


class Band(NamedTuple):
    """Between what a motion lies, sample by sample: (t, n) each."""

    lower: Array
    upper: Array


@dataclass(frozen=True)
class Spread:
    """What is not known exactly, and by how much; 0 is known exactly.

    Positions and velocities are normal, with these standard deviations. Masses, sizes and friction are
    multiplied by factors whose logarithm is normal: 0.1 is about 10 percent.
    """

    q: ArrayLike = 0.0
    """Of the positions at the start [rad or m]: a number, or (n)"""
    qd: ArrayLike = 0.0
    """Of the velocities at the start"""
    mass: float = 0.0
    """Of every body's mass, each for itself"""
    centre: float = 0.0
    """Of every body's centre of mass along each axis [m]"""
    size: float = 0.0
    """Of every body's radii of gyration"""
    friction: float = 0.0
    """Of every friction point, each for itself: its terms alike, and the odds s/(1 - s) of its share s of the
    load, which stays below 1"""
    payload: tuple[float, float] | None = None
    """Least and largest mass of something that is held [kg], equally likely between"""
    payload_com: ArrayLike = (0.0, 0.0, 0.0)
    """(3) where its centre is, in the frame of the body that carries the tool [m]"""

    def __post_init__(self) -> None:
        """Refuse spreads that are negative or no numbers."""
        for name in ("q", "qd", "mass", "centre", "size", "friction"):
            values = np.asarray(getattr(self, name), dtype=float)
            if not (np.isfinite(values).all() and (values >= 0).all()):
                raise InputError(
                    f"spread of {name} is {getattr(self, name)!r}, expected numbers of 0 or more"
                )
        if self.payload is not None and not 0 <= self.payload[0] <= self.payload[1] < math.inf:
            raise InputError(f"payload is {self.payload!r}, expected the least and the largest mass [kg]")


@dataclass(frozen=True, eq=False)
class Draws:
    """Arms and states that were drawn: (N, ..) each, None where nothing varies."""

    q: Array
    qd: Array
    added: Array | None
    rubbing: Array | None


@dataclass(frozen=True, eq=False)
class MonteCarlo:
    """Runs of arms that were drawn, and how they spread; lost runs are left out and counted."""

    runs: ManyRuns
    draws: Draws
    seed: int

    @property
    def time(self) -> Array:
        """The instants of the samples (t) [s]."""
        return self.runs.time

    @property
    def lost(self) -> int:
        """How many runs did not come to their end."""
        return int(np.count_nonzero(self.runs.lost))

    @cached_property
    def q(self) -> Statistics:
        """How positions spread."""
        return Statistics(self.runs.q[:, ~self.runs.lost])

    @cached_property
    def qd(self) -> Statistics:
        """How velocities spread."""
        return Statistics(self.runs.qd[:, ~self.runs.lost])


@dataclass(frozen=True, eq=False)
class Statistics:
    """Samples (t, N, n) of N runs, described: each result is (t, n)."""

    samples: Array

    @cached_property
    def mean(self) -> Array:
        """The mean of all runs."""
        return self.samples.mean(axis=1)

    @cached_property
    def std(self) -> Array:
        """The standard deviation of a run, estimated from N - 1 degrees of freedom."""
        return self.samples.std(axis=1, ddof=1)

    @property
    def standard_error(self) -> Array:
        """The standard deviation of the mean, std/sqrt(N)."""
        return self.std / math.sqrt(self.samples.shape[1])

    def band(self, level: float = 0.95) -> Band:
        """Quantiles between which that share of the runs lies, as many below as above."""
        _check_level(level)
        lower, upper = np.quantile(self.samples, [0.5 - level / 2, 0.5 + level / 2], axis=1)
        return Band(lower, upper)

    def mean_interval(self, level: float = 0.95) -> Band:
        """Where the true mean lies with that confidence: Student's interval around the mean of the runs."""
        _check_level(level)
        special: Any = import_module("scipy.special")  # slow to import: only where it is needed
        reach = float(special.stdtrit(self.samples.shape[1] - 1, 0.5 + level / 2)) * self.standard_error
        return Band(self.mean - reach, self.mean + reach)


def monte_carlo(
    dyn: Dynamics | Robot,
    duration: float,
    draws: int,
    spread: Spread,
    *,
    seed: int = 0,
    q: ArrayLike | None = None,
    qd: ArrayLike | None = None,
    torque: Torque | None = None,
    controller: Acting | Callable[..., Any] | None = None,
    dt: float = 1e-3,
    integrator: FixedStepName = "rk4",
    sample: float | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
) -> MonteCarlo:
    """So many runs of arms that differ as `spread` says; lost ones, and what fails, as in `simulate_many`.

    Args:
        dyn: the arm, as it is in the middle.
        duration: [s]
        draws: how many runs, 2 or more.
        spread: what is not known exactly.
        seed: of the random numbers: the same seed gives the same runs.
        q: (n) where the runs start in the middle; by default at home.
        qd: (n) how fast; by default at rest.
        torque: what drives the joints, as in `simulate_many`; none by default.
        controller: drives it instead, or a function (t, q, qd) -> torques.
        dt: the step [s].
        integrator: "euler", "semi_implicit" or "rk4".
        sample: [s] between two samples; by default one step.
        threads: how many share the runs.
        progress: told the time [s] that all runs have reached, again and again.
    """
    arm = Dynamics(dyn) if isinstance(dyn, Robot) else dyn
    drawn = draw(arm, draws, spread, seed, q=q, qd=qd)
    runs = simulate_many(
        arm,
        duration,
        q=drawn.q,
        qd=drawn.qd,
        torque=torque,
        controller=controller,
        dt=dt,
        integrator=integrator,
        added=drawn.added,
        rubbing=drawn.rubbing,
        sample=sample,
        threads=threads,
        progress=progress,
    )
    if np.count_nonzero(~runs.lost) < 2:
        lost = f"{np.count_nonzero(runs.lost)} of {draws} runs are lost"
        raise InputError(
            f"{lost}, expected 2 or more that come to their end; look at what drives them and at what is "
            f"drawn, or take a smaller step than {dt:g} s"
        )
    return MonteCarlo(runs, drawn, seed)


def draw(
    dyn: Dynamics,
    draws: int,
    spread: Spread,
    seed: int = 0,
    *,
    q: ArrayLike | None = None,
    qd: ArrayLike | None = None,
) -> Draws:
    """Arms and states as `spread` says.

    Each kind of quantity has a stream of random numbers of its own: that one of them varies too does not
    change what is drawn for the others.
    """
    if draws < 2:
        raise InputError(f"draws is {draws}, expected 2 or more")
    streams = (np.random.default_rng(part) for part in np.random.SeedSequence(seed).spawn(5))
    at_start, moving, bodies, held, rubbing = streams
    home = np.array(dyn.robot.home)
    return Draws(
        _normal(at_start, draws, "q", home if q is None else q, spread.q, dyn.n),
        _normal(moving, draws, "qd", 0 * home if qd is None else qd, spread.qd, dyn.n),
        _sum(_bodies(bodies, draws, dyn.robot, spread), _held(held, draws, dyn.robot, spread)),
        _frictions(rubbing, draws, dyn, spread),
    )


def _normal(
    rng: np.random.Generator, draws: int, name: str, middle: ArrayLike, spread: ArrayLike, n: int
) -> Array:
    centre, width = np.asarray(middle, dtype=float), np.asarray(spread, dtype=float)
    for what, values in ((name, centre), (f"spread of {name}", width)):
        if values.shape != (n,) and not (values is width and values.shape == ()):
            raise ShapeError(what, values.shape, f"there are {n} joints", f"({n},)")
    return centre + width * rng.standard_normal((draws, n))


def _bodies(rng: np.random.Generator, draws: int, robot: Robot, spread: Spread) -> Array | None:
    """`added` of bodies whose masses, centres and sizes vary."""
    if not (spread.mass or spread.centre or spread.size):
        return None
    names, shape = robot.body_names, (len(robot.bodies), draws)
    mass, size = (np.exp(width * rng.standard_normal(shape)) for width in (spread.mass, spread.size))
    shift = spread.centre * rng.standard_normal((*shape, 3))
    return inertias(robot, *(dict(zip(names, rows, strict=True)) for rows in (mass, shift, size)))


def _held(rng: np.random.Generator, draws: int, robot: Robot, spread: Spread) -> Array | None:
    """`added` of payloads."""
    if spread.payload is None:
        return None
    return payloads(robot, rng.uniform(*spread.payload, draws), spread.payload_com)


def _frictions(rng: np.random.Generator, draws: int, dyn: Dynamics, spread: Spread) -> Array | None:
    """`rubbing` of every point."""
    points = dyn.friction_points
    if not (spread.friction and points):
        return None
    factor = np.exp(spread.friction * rng.standard_normal((draws, len(points))))
    share = own_rubbing(points)[:, TERMS.index("load")]
    return frictions(dyn, factor, load=_load_factors(share, factor))


def _load_factors(share: Array, factor: Array) -> Array:
    """(draws, points) factors of shares (points) of the load, from those of their odds."""
    odds = np.minimum(factor * share / (1 - share), MOST_ODDS)
    return np.divide(odds / (1 + odds), share, out=np.ones_like(odds), where=share > 0)


def _sum(one: Array | None, other: Array | None) -> Array | None:
    return other if one is None else one if other is None else one + other


def _check_level(level: float) -> None:
    if not 0 < level < 1:
        raise InputError(f"level is {level!r}, expected a share between 0 and 1, as 0.95")
