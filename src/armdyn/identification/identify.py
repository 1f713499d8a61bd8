"""Identification: from logs of a moving arm to a robot one can trust ([Siciliano2009] 7.4)."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import InertiaError, InputError
from armdyn.extremes.workspace import check_gravity
from armdyn.identification.base_parameters import BaseParameters, base_parameters
from armdyn.identification.estimation.consistent import Consistent, consistent, equations_of
from armdyn.identification.estimation.estimate import Estimate, Method, estimate
from armdyn.identification.estimation.observations import Observations, together
from armdyn.identification.identified import Identified, Validation, estimates_of
from armdyn.identification.logs import EffortKind, Log, Samples, prepared, read_log
from armdyn.identification.observing import Observed, observed
from armdyn.identification.payload import PayloadFound, payload_of
from armdyn.identification.robot_parameters import SIZE, RobotParameters
from armdyn.identification.warnings import warnings_of
from armdyn.identification.wrist import wrist_observations
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import Robot
from armdyn.scalars import Array

AnyLog = str | os.PathLike[str] | Log
Progress = Callable[[str, float], None]
ROUNDS = 4
"""Estimates, each with friction under the load that the one before it says."""
SETTLED = 0.1
"""Standard errors by which no parameter changes any more."""
EXACT = ("viscous", "coulomb", "offset")
"""Parameters whose columns have no errors worth counting: speeds, signs, ones."""


@dataclass(frozen=True)
class Setup:
    """How logs are read and filtered."""

    cutoff: float | None = None
    decimate: int | None = None
    velocity: Any = None
    effort: EffortKind | None = None
    topic: str | None = None
    drop_invalid: bool = False

    def read(self, logs: Sequence[AnyLog], dyn: Dynamics) -> tuple[Setup, list[tuple[str, Samples]]]:
        """Names and samples of logs, all through one filter: equations of all have the same noise then."""
        found = [self.samples(each, dyn) for each in logs]
        highest = max(samples.cutoff for _, samples in found)
        if all(samples.cutoff == highest for _, samples in found):
            return self, found
        same = replace(self, cutoff=highest)
        return same, [same.samples(each, dyn) for each in logs]

    def samples(self, log: AnyLog, dyn: Dynamics) -> tuple[str, Samples]:
        """Name and samples of a log."""
        if not isinstance(log, Log):
            log = read_log(
                log, dyn.robot, effort=self.effort, topic=self.topic, drop_invalid=self.drop_invalid
            )
        filtered = self.cutoff is None or np.isfinite(self.cutoff)
        kept = 1 if filtered else self.decimate
        return log.name, prepared(
            log, dyn, cutoff=self.cutoff, decimate=kept, velocity=self.velocity, raw=True
        )


def identify(
    robot: Robot,
    log: AnyLog | Sequence[AnyLog],
    *,
    validate: AnyLog | None = None,
    payload: AnyLog | None = None,
    method: Method = "weighted",
    motors: MotorModel | None = None,
    friction: bool = True,
    among: Sequence[str] | None = None,
    prior: float | None = None,
    damping: float | None = None,
    cutoff: float | None = None,
    decimate: int | None = None,
    velocity: Any = None,
    effort: EffortKind | None = None,
    topic: str | None = None,
    drop_invalid: bool = False,
    progress: Progress | None = None,
) -> Identified:
    """The parameters of a robot from what it was seen to do.

    Args:
        robot: its geometry, gears and, as far as known, its parameters, kept where the data say nothing.
        log: a .csv, .parquet or .mcap file of positions and torques (or currents), a `Log`, or several.
        validate: another log, to be predicted.
        payload: a log of the robot holding something unknown, which is identified, too: from its force
            sensor at the wrist if it has one, else from the torques of both.
        method: "ordinary", "weighted" (each joint by its noise), "reweighted" (outliers count less),
            "damped", "total" (errors in the regressor, too) or "sequential" (joint by joint, inwards).
        motors: how much of the drives is seen; by default the best the robot's data support.
        friction: whether viscous and Coulomb friction and offsets of the joints are estimated.
        among: names or kinds of the parameters to estimate, by default all; others are as the file says.
        prior: how far off the robot's own parameters may be, as a share; by default only the data count.
        damping: of "damped", a share of the largest singular value.
        cutoff: [Hz] of the low-pass; by default from the motion's spectrum; `math.inf` filters nothing.
        decimate: keep one sample in so many; by default 2.5 in a period of the cutoff.
        velocity: "derived" from positions, the default, or "measured".
        effort: which of tau, motor_torque and current of a log counts.
        topic: of an .mcap file.
        drop_invalid: leave out samples that hold no numbers, instead of refusing them.
        progress: told what is done and which share of all.
    """
    said: Progress = progress or _silent
    logs = list(log) if isinstance(log, Sequence) and not isinstance(log, str) else [log]
    _check_logs(logs, [*logs, *(each for each in (validate, payload) if each is not None)])
    setup = Setup(cutoff, decimate, velocity, effort, topic, drop_invalid)
    check_gravity(robot)
    start = Dynamics(robot, motors, friction=friction)
    said("reading", 0.0)
    every = [*logs, *([] if payload is None else [payload])]
    setup, all_read = setup.read(every, start)
    read, loaded = all_read[: len(logs)], all_read[len(logs)] if payload is not None else None
    task = _Task(start, setup, method, among, prior, damping)
    samples = [each for _, each in read]
    held = [loaded[1]] if loaded is not None and loaded[1].sensor is None else []
    dyn, found = start, None
    for k in range(ROUNDS):
        said("regressor" if k == 0 else "friction under load", 0.2 + 0.1 * k)
        before, found = found, task.round(dyn, samples, held)
        if not _under_load(dyn) or (before is not None and _settled(before.estimate, found.estimate)):
            break
        dyn = Dynamics(found.robot(), start.motors, friction=friction)
    assert found is not None
    said("payload and validation", 0.8)
    carried = None
    if loaded is not None:
        carried = _payload(robot, found, loaded, task)
    cutoff = samples[0].cutoff
    checked = None if validate is None else _validated(replace(setup, cutoff=cutoff), found, validate)
    return _result(robot, found, read, loaded, checked, carried)


def _check_logs(logs: Sequence[Any], every: Sequence[Any]) -> None:
    if not logs:
        raise InputError("no log, expected one or more to identify parameters from")
    seen: set[str] = set()
    for log in every:
        if not isinstance(log, (str, os.PathLike, Log)):
            raise InputError(f"log is a {type(log).__name__}, expected a file or a Log")
        name = "" if isinstance(log, Log) else str(Path(os.fspath(log)).resolve())
        if name and name in seen:
            raise InputError(f'log "{log}" is given twice, expected another one')
        seen.add(name)


def _silent(part: str, share: float) -> None:
    """Nobody wants to know."""


# Rounds ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Round:
    """An estimate with the friction under load of one robot."""

    parameters: RobotParameters
    base: BaseParameters
    seen: tuple[Observed, ...]
    """Log by log, the one with the payload last"""
    observations: Observations
    estimate: Estimate
    fitted: Consistent

    def robot(self) -> Robot:
        """The robot that was found.

        Raises:
            InputError: its numbers are so large or so far apart that rounding leaves no body.
        """
        try:
            return self.parameters.with_values(self.fitted.pi)
        except InertiaError as error:
            raise InputError(
                f'no body that exists fits body "{error.body}" as the data show it ({error.reason}); look at '
                "the units of the log, move more, or give a prior (prior=0.3)"
            ) from error


@dataclass(frozen=True)
class _Task:
    """What is asked for."""

    start: Dynamics
    setup: Setup
    method: Method
    among: Sequence[str] | None
    prior: float | None
    damping: float | None

    def known_before(self, dyn: Dynamics) -> Array:
        """The parameters of the robot file; what rubs nowhere has none."""
        pairs = zip(self.start.parameters, self.start.parameter_values, strict=True)
        file = {each.name: float(value) for each, value in pairs}
        return np.array([file.get(each.name, 0.0) for each in dyn.parameters])

    def round(self, dyn: Dynamics, samples: Sequence[Samples], held: Sequence[Samples]) -> _Round:
        """Estimate, and find the parameters nearest to it that a robot can have."""
        base = base_parameters(dyn, among=self.among)
        holding = False if held else None
        seen = [observed(dyn, base, each, holding=holding, decimate=self.setup.decimate) for each in samples]
        seen += [observed(dyn, base, each, holding=True, decimate=self.setup.decimate) for each in held]
        every = reduce(together, (each.observations for each in seen))
        _check_enough(every)
        prior = self.known_before(dyn)
        own = base.values(prior)
        assumed = np.append(own, np.zeros(SIZE if held else 0))
        kinds = [each.kind for each in base.kept] + ["payload"] * (len(assumed) - len(own))
        exact = np.array([kind in EXACT for kind in kinds])
        found = estimate(every, self.method, assumed, exact=exact, damping=self.damping)
        parameters = RobotParameters(dyn)
        A, y = _information(found, base)
        fitted = consistent(parameters, A @ base.grouping, y, prior, self.prior)
        return _Round(parameters, base, tuple(seen), every, found, fitted)


def _information(found: Estimate, base: BaseParameters) -> tuple[Array, Array]:
    """Equations A beta = y of the base parameters alone that say as much as the estimate does."""
    b = len(base)
    size, hidden = found.system.size[:b], found.unresolved[:b]
    return equations_of(found.beta[:b], found.covariance[:b, :b], size, hidden)


def _check_enough(observations: Observations) -> None:
    rows = int(np.sum(observations.rows))
    if rows <= observations.unknowns:
        raise InputError(
            f"{rows} equations are left for {observations.unknowns} parameters, expected many more; "
            "record a longer motion, or give a higher cutoff"
        )


def _under_load(dyn: Dynamics) -> bool:
    return any(point.friction.load for point in dyn.friction_points)


def _settled(before: Estimate, now: Estimate) -> bool:
    told = np.isfinite(now.standard_error)
    return bool(np.all(np.abs(now.beta - before.beta)[told] <= SETTLED * now.standard_error[told]))


# Payload, validation --------------------------------------------------------------------------


def _payload(robot: Robot, found: _Round, loaded: tuple[str, Samples], task: _Task) -> PayloadFound:
    name, samples = loaded
    if samples.sensor is None:
        return payload_of(robot, found.estimate, f"the torques of {name}")
    return _from_wrist(task.start, name, samples, task.method, task.setup.decimate)


def _from_wrist(
    dyn: Dynamics, name: str, samples: Samples, method: Method, decimate: int | None
) -> PayloadFound:
    observations = wrist_observations(dyn, samples, decimate)
    _check_enough(observations)
    return payload_of(
        dyn.robot, estimate(observations, method, np.zeros(SIZE)), f"the wrist sensor of {name}"
    )


def _validated(setup: Setup, found: _Round, log: AnyLog) -> Validation:
    dyn = found.parameters.dyn
    name, samples = setup.samples(log, dyn)
    seen = observed(dyn, found.base, samples, decimate=setup.decimate)
    if not np.any(seen.observations.rows):
        raise InputError(f"{name}: no joint moves enough to compare torques; validate with another log")
    return Validation(name, seen, found.base.values(found.fitted.pi))


def _result(
    robot: Robot,
    found: _Round,
    read: Sequence[tuple[str, Samples]],
    loaded: tuple[str, Samples] | None,
    checked: Validation | None,
    carried: PayloadFound | None,
) -> Identified:
    base, b = found.base, len(found.base)
    errors = found.estimate.standard_error[:b]
    logs = tuple(name for name, _ in read)
    better = replace(
        found.robot(),
        estimates=estimates_of(base, found.estimate.beta[:b], errors),
        notes=(
            *robot.notes,
            f"parameters identified from {', '.join(logs)} by {found.estimate.method} least squares",
        ),
    )
    better = better if carried is None else carried.held_by(better)
    second = None if checked is None else (checked.rms, checked.expected(found.estimate))
    torques = np.std(np.concatenate([each.measured for each in found.seen]), axis=0)
    warned = warnings_of(found.estimate, base.short_names, found.fitted.misfit, torques, second)
    every = [*read, *([loaded] if loaded is not None else [])]
    notes = tuple(dict.fromkeys(note for _, samples in every for note in samples.notes))
    return Identified(
        robot,
        better,
        found.parameters.dyn,
        base,
        found.estimate,
        found.fitted.pi,
        found.fitted.misfit,
        tuple(zip((name for name, _ in every), found.seen, strict=False)),  # a wrist sensor's log is not seen
        found.observations,
        logs,
        checked,
        carried,
        warned,
        notes,
    )


def identify_payload(
    robot: Robot,
    log: AnyLog,
    *,
    method: Method = "weighted",
    motors: MotorModel | None = None,
    friction: bool = True,
    cutoff: float | None = None,
    decimate: int | None = None,
    velocity: Any = None,
    effort: EffortKind | None = None,
    topic: str | None = None,
    drop_invalid: bool = False,
) -> PayloadFound:
    """What a robot, itself known well, holds: from its force sensor at the wrist or from its torques.

    Standard errors take the robot as exact. The arguments are those of `identify`; `log` is of the robot
    holding it.
    """
    check_gravity(robot)
    setup = Setup(cutoff, decimate, velocity, effort, topic, drop_invalid)
    dyn = Dynamics(robot, motors, friction=friction)
    name, samples = setup.samples(log, dyn)
    if samples.sensor is not None:
        return _from_wrist(dyn, name, samples, method, decimate)
    base = base_parameters(dyn)
    every = observed(dyn, base, samples, holding=True, decimate=decimate).observations
    offsets = [k for k, each in enumerate(base.kept) if each.kind == "offset"]  # of the sensors on that day
    unknown = np.array([*offsets, *range(len(base), len(base) + SIZE)], dtype=np.intp)
    rest = every.predicted(np.append(base.values(dyn.parameter_values), np.zeros(SIZE)))
    own = replace(every.only(unknown), tau=every.tau - rest)
    _check_enough(own)
    found = estimate(own, method, np.zeros(len(unknown)))
    return payload_of(robot, found, f"the torques of {name}", np.std(own.tau, axis=0))
