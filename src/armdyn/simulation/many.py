"""Many runs of one arm at once: a batch of states that is stepped together.

Runs differ in where they start, in what drives them, and in payloads, inertias and friction
(`dynamics.variation`). They know nothing of one another: each is, to the bit, what it is alone.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from armdyn.dynamics import Dynamics
from armdyn.dynamics.fixed_step import STEPS, State
from armdyn.dynamics.quantities.steps import FASTEST
from armdyn.dynamics.variation import checked_rubbing
from armdyn.errors import InputError, ShapeError, SimulationError
from armdyn.mechanics.body_parameters import PARAMETERS
from armdyn.mechanics.rubbing import TERMS
from armdyn.motion.moves import FARTHEST
from armdyn.scalars import Array
from armdyn.scalars.batch import check_out, thread_count
from armdyn.simulation.acting import Acting, Applied
from armdyn.simulation.failures import Stopped, ends_early, no_torque
from armdyn.simulation.integration.batch import Batch
from armdyn.simulation.integration.going import WRENCH, Going
from armdyn.simulation.signals import Function, Signal, constant
from armdyn.simulation.simulate import controller_of, multiple

FixedStepName = Literal["euler", "semi_implicit", "rk4"]
Torque = ArrayLike | Signal | Callable[[float], ArrayLike]
"""Torques (N, n) or (n,) that stay, a signal of them, or a function of time -> (N, n)."""

TOGETHER = 16384
"""Runs that are stepped together: few enough for the states of a step to stay in cache, many enough for
Python not to matter."""
BLOCK = 64
"""Steps at least after which runs wait for one another, and progress is told."""


@dataclass(frozen=True, eq=False)
class ManyRuns:
    """(t) samples of N runs."""

    dyn: Dynamics
    integrator: str
    dt: float
    """[s]"""
    time: Array
    """(t) [s]"""
    q: Array
    """(t, N, n) NaN from where a run is lost"""
    qd: Array
    """(t, N, n)"""
    lost: NDArray[np.bool_]
    """(N) which runs did not come to their end: no acceleration was found, a torque was no number, or they
    went beyond all speeds, because the step is too large for them"""

    @property
    def count(self) -> int:
        """How many runs there are."""
        return self.q.shape[1]


def simulate_many(
    dyn: Dynamics,
    duration: float,
    *,
    q: ArrayLike,
    qd: ArrayLike | None = None,
    torque: Torque | None = None,
    controller: Acting | Callable[..., Any] | None = None,
    dt: float = 1e-3,
    integrator: FixedStepName = "rk4",
    added: ArrayLike | None = None,
    rubbing: ArrayLike | None = None,
    wrench: ArrayLike | Signal | None = None,
    sample: float | None = None,
    threads: int | None = None,
    progress: Callable[[float], None] | None = None,
    out: Array | None = None,
) -> ManyRuns:
    """N runs at once with a fixed step.

    A run is, but for rounding, what `simulate` gives for it alone.

    Args:
        dyn: the arm.
        duration: [s], a whole number of steps.
        q: (N, n) where the runs start, or (n,) for all.
        qd: (N, n) or (n,) how fast; by default at rest.
        torque: what drives the joints, none by default; a function gets and gives all runs, (N, n).
        controller: drives them instead, or a function (t, q, qd) -> torques; it works on (N, n).
        dt: the step [s].
        integrator: "euler", "semi_implicit" or "rk4".
        added: (N, 10 bodies) or (10 bodies,) inertial parameters added to the robot's, see `variation`.
        rubbing: (N, 4 points) or (4 points,) friction instead of the robot's.
        wrench: (N, 6) or (6,) what the tools exert, or a signal of that.
        sample: [s] between two samples, a whole number of steps; by default one step.
        threads: how many share the runs; by default as ARMDYN_THREADS says, or 1.
        progress: told the time [s] that all runs have reached, again and again.
        out: (2, t, N, n) an array to fill with q and qd; a new one costs time, too.

    Returns:
        The runs; some may be lost. Where what drives them raises an exception, or has no number for any of
        them, a `SimulationError` says when, and keeps what there is as `result`.
    """
    if not isinstance(dyn, Dynamics):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"dyn is a {type(dyn).__name__}, expected a Dynamics; ad.Dynamics(robot) gives one")
    if integrator not in STEPS:
        raise InputError(f'integrator "{integrator}", expected {", ".join(STEPS)} for many runs at once')
    if not 0 < dt < math.inf:
        raise InputError(f"dt is {dt}, expected a number above 0")
    steps = multiple("duration", duration, dt)
    every = 1 if sample is None else multiple("sample", sample, dt)
    if steps % every:
        raise InputError(
            f"duration is {duration:.9g} s, expected a whole number of samples of {sample:.9g} s"
        )
    drive = _acting(dyn, torque, controller)
    touch = None if wrench is None else _as_signal("wrench", wrench, WRENCH)
    arrays = _arrays(dyn, q=q, qd=np.zeros(dyn.n) if qd is None else qd, added=added, rubbing=rubbing)
    whole = Batch(dyn, drive, touch, arrays, integrator, dt)
    for end, source in whole.ends:
        if end < duration * (1 - 1e-12):
            raise InputError(ends_early(source, end, duration))
    count, workers = _count(whole.shapes), thread_count(threads)
    whole = replace(whole, arrays={name: _spread(x, count) for name, x in arrays.items()})
    time = np.arange(steps // every + 1, dtype=np.float64) * (every * dt)
    motions = np.empty((2, len(time), count, dyn.n)) if out is None else out
    check_out(motions, (2, len(time), count, dyn.n))
    parts = _parts(whole, count, workers)
    going = [_Runs(whole.some(part), workers if len(parts) == 1 else 1) for part in parts]
    reached = [0] * len(parts)

    def go(j: int, first: int, last: int) -> None:
        part, runs = parts[j], going[j]
        with np.errstate(over="ignore", invalid="ignore"):  # runs that blow up
            for k in range(first, last):
                runs.advance(k * every)
                motions[0, k, part], motions[1, k, part] = runs.x.q, runs.x.qd
                reached[j] = k + 1

    def result() -> ManyRuns:
        kept = min(reached)
        q, qd = motions[:, :kept]
        return ManyRuns(dyn, integrator, dt, time[:kept], q, qd, ~np.isfinite(qd[-1]).all(axis=-1))

    try:
        with ThreadPoolExecutor(workers) as pool:
            block = max(BLOCK // every, 1)
            for first in range(0, len(time), block):
                last = min(first + block, len(time))
                for job in [pool.submit(go, j, first, last) for j in range(len(parts))]:
                    job.result()
                if progress is not None:
                    progress(float(time[last - 1]))
    except Stopped as stopped:
        raise SimulationError(str(stopped), result()) from stopped.__cause__
    return result()


class _Runs(Going):
    """Runs under way that stop where none of them gets a torque."""

    def _torque(self, t: float, x: State) -> tuple[Array, Array]:
        tau, rate = super()._torque(t, x)
        if np.isfinite(tau[:1]).all():  # one run that goes on is enough, and mostly the first does
            return tau, rate
        left: Any = (np.isfinite(x.q) & (np.abs(x.qd) < FASTEST)).all(axis=-1)
        asked = np.broadcast_to(tau, x.q.shape)[left]
        if len(asked) and not np.isfinite(asked).all(axis=-1).any():
            who = "in all runs" if left.all() else "in all runs that are left"
            raise Stopped(no_torque(f"{who} {self._batch.acting.source}", t, self._dyn.robot, asked[0]))
        return tau, rate


# What users give --------------------------------------------------------------------------------


def _as_signal(name: str, given: Any, size: int) -> Signal:
    """A signal as it is, numbers (N, size) or (size,) as one that stays."""
    if hasattr(given, "between") and hasattr(given, "width"):
        return given
    return constant(_numbers(name, given, size))


def _acting(dyn: Dynamics, torque: Torque | None, controller: Acting | Callable[..., Any] | None) -> Acting:
    """What drives the arms."""
    if controller is not None:
        if torque is not None:
            raise InputError("torque and controller are both given, expected one of them")
        return controller_of(dyn, controller)
    if callable(torque) and not hasattr(torque, "between"):
        return Applied(dyn, "tau", Function(torque, dyn.n, source="the torque"), "the torque")
    signal = _as_signal("torque", np.zeros(dyn.n) if torque is None else torque, dyn.n)
    return Applied(dyn, "tau", signal, "the torque")


def _arrays(dyn: Dynamics, **given: ArrayLike | None) -> dict[str, Array]:
    """Those of q, qd, added and rubbing that are given."""
    sizes = {
        "added": len(PARAMETERS) * len(dyn.robot.bodies),
        "rubbing": len(TERMS) * len(dyn.friction_points),
    }
    arrays = {k: _numbers(k, x, sizes.get(k, dyn.n)) for k, x in given.items() if x is not None}
    if (farthest := float(np.abs(arrays["q"]).max(initial=0.0))) > FARTHEST:
        raise InputError(f"q has {farthest:g}, expected numbers up to {FARTHEST:g} rad or m")
    if "rubbing" in arrays:
        checked_rubbing(dyn.friction_points, arrays["rubbing"])
    return arrays


def _numbers(name: str, given: ArrayLike, size: int) -> Array:
    """(N, size) or (size,), finite."""
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} is no array of numbers, expected (N, {size})") from error
    if values.ndim not in (1, 2) or values.shape[-1] != size:
        raise ShapeError(name, values.shape, "one row for each run", f"(N, {size}) or ({size},)")
    if not np.isfinite(values).all():
        raise InputError(f"{name} has values that are not finite, expected numbers")
    return values


def _count(shapes: Mapping[str, tuple[int, ...]]) -> int:
    """How many runs there are."""
    many = {name: shape[0] for name, shape in shapes.items() if shape}
    if len(set(many.values())) > 1:
        each = ", ".join(f"{name} {count}" for name, count in many.items())
        raise InputError(f"numbers of runs differ: {each}; expected the same, or one row for all")
    return next(iter(many.values()), 1)


# Some of the runs -------------------------------------------------------------------------------


def _spread(x: Array, count: int) -> Array:
    return np.broadcast_to(x, (count, x.shape[-1]))


def _parts(batch: Batch, count: int, workers: int) -> list[slice]:
    """Runs that are stepped together; a multiple of the workers, of nearly equal size."""
    if not batch.divisible or not count:
        return [slice(0, count)]
    parts = -(-count // TOGETHER)
    parts = min(-(-parts // workers) * workers, count)
    return [slice(count * k // parts, count * (k + 1) // parts) for k in range(parts)]
