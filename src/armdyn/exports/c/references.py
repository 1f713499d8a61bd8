"""States and results that an exported function is held against: random ones, and edges.

A result may differ by a share of its largest element. Where the equations themselves amplify what rounding
does to the inputs (an arm near a singular mass matrix), that is measured here and allowed, too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from armdyn.exports.c.functions import CFunction
from armdyn.exports.c.payload import parameters_of_payload
from armdyn.exports.c.setting import Setting
from armdyn.mechanics.body_parameters import PARAMETERS
from armdyn.scalars import Array

SEED = 20
RANDOM = 6
"""States drawn at random; the others are edges."""
TOLERANCE = {"double": 1e-12, "single": 1e-4}
"""Relative to the largest element of a result, or to a thousandth of the largest in all states."""
AMPLIFIED = 64
"""Times what roundings of the inputs change."""
AT_REST = {"double": 1e-9, "single": 1e-3}
"""The tolerance where an iteration decides what dry friction holds: it ends 1e-13 of the torques away."""
LARGE = {"double": 100.0, "single": 10.0}
"""An angle after many turns [rad]."""


@dataclass(frozen=True)
class References:
    """Inputs (states, size) by name, results (states, size), and what these may differ by (states)."""

    inputs: Mapping[str, Array]
    results: tuple[Array, ...]
    allowed: tuple[Array, ...]


def references(setting: Setting, function: CFunction) -> References:
    """The same for the same robot."""
    rng = np.random.default_rng(SEED)
    inputs = _inputs(setting, function, rng)
    results = evaluated(setting, function, inputs)
    answered = np.all([np.isfinite(result).all(axis=1) for result in results], axis=0)
    inputs = {k: x[answered] for k, x in inputs.items()}
    results = tuple(result[answered] for result in results)
    spreads = [np.zeros(len(result)) for result in results]
    for _ in range(3):
        near = {k: x * (1 + setting.numbers.epsilon * rng.uniform(-1, 1, x.shape)) for k, x in inputs.items()}
        for k, result in enumerate(evaluated(setting, function, near)):
            spreads[k] = np.maximum(spreads[k], np.abs(result - results[k]).max(axis=1, initial=0.0))
    tolerance = _tolerances(setting, function, inputs)
    allowed = (_allowed(setting, r, spread, tolerance) for r, spread in zip(results, spreads, strict=True))
    return References(inputs, results, tuple(allowed))


def _tolerances(setting: Setting, function: CFunction, inputs: Mapping[str, Array]) -> Array:
    """(states): how much a result may differ, relative to its largest element."""
    count = len(next(iter(inputs.values())))
    tolerance = np.full(count, TOLERANCE[setting.precision])
    if is_decided_at_rest(setting, function):
        tolerance[(inputs["qd"] == 0).any(axis=1)] = AT_REST[setting.precision]
    return tolerance


def is_decided_at_rest(setting: Setting, function: CFunction) -> bool:
    """Whether an iteration decides what dry friction holds."""
    return function.quantity == "forward" and setting.traced.can_stick


def _allowed(setting: Setting, result: Array, spread: Array, tolerance: Array) -> Array:
    largest = np.abs(result).max(axis=1, initial=0.0)
    scale = np.maximum(largest, 1e-3 * largest.max(initial=0.0))
    tiny = float(np.finfo(np.float32 if setting.numbers.single else np.float64).tiny)
    return tolerance * scale + AMPLIFIED * spread + tiny


def evaluated(setting: Setting, function: CFunction, inputs: Mapping[str, Array]) -> tuple[Array, ...]:
    """What armdyn says; where friction decides what rests, by its own iteration."""
    if is_decided_at_rest(setting, function):
        return setting.traced.results("forward", (), {}, **_as_known(setting, inputs))
    count = len(next(iter(inputs.values())))
    results = tuple(np.empty((count, size)) for size in function.signature.sizes)
    function.program.run(inputs, *results)
    return results


def _as_known(setting: Setting, inputs: Mapping[str, Array]) -> dict[str, Array]:
    """The inputs as `Dynamics` takes them: a payload is added to a body."""
    known = dict(inputs)
    if "payload" in known:
        robot, payload = setting.traced.robot, known.pop("payload")
        added = np.zeros((len(payload), len(robot.bodies), len(PARAMETERS)))
        added[:, robot.body_names.index(robot.tool.body)] = np.stack(
            parameters_of_payload([*payload.T]), axis=1
        )
        known["added"] = added.reshape((len(payload), -1))
    return known


# States ---------------------------------------------------------------------------------------


def _inputs(setting: Setting, function: CFunction, rng: np.random.Generator) -> dict[str, Array]:
    motion = _motion(setting, rng)
    count = len(motion["q"])
    drawn = {k: _drawn(setting, k, size, count, motion, rng) for k, size in function.signature.inputs if size}
    if "tau" in drawn:
        drawn["tau"] = _torques(setting, motion) * (1 + 0.4 * rng.uniform(-1, 1, motion["q"].shape))
    if setting.numbers.single:
        drawn = {k: x.astype(np.float32).astype(float) for k, x in drawn.items()}
    return drawn


def _motion(setting: Setting, rng: np.random.Generator) -> dict[str, Array]:
    """q, qd, qdd: random; at rest at zero and at home; at right angles; after many turns; half at rest."""
    robot = setting.traced.robot
    turning = np.array([joint.kind == "revolute" for joint in robot.joints])
    edges = 5
    q = rng.uniform(-1, 1, (RANDOM + edges, robot.n)) * np.where(turning, np.pi, 0.4)
    qd, qdd = rng.uniform(-2, 2, q.shape), rng.uniform(-5, 5, q.shape)
    q[RANDOM], qd[RANDOM], qdd[RANDOM] = 0.0, 0.0, 0.0
    q[RANDOM + 1], qd[RANDOM + 1] = robot.home, 0.0
    q[RANDOM + 2] = np.where(turning, np.pi / 2 * rng.integers(-2, 3, robot.n), 0.0)
    q[RANDOM + 3] += np.where(turning, LARGE[setting.precision], 0.0)
    qd[RANDOM + 4, ::2] = 0.0
    return {"q": q, "qd": qd, "qdd": qdd}


def _torques(setting: Setting, motion: Mapping[str, Array]) -> Array:
    """Of the motion, without friction: what forces are like in this robot."""
    result = np.empty_like(motion["q"])
    traced = setting.traced
    program, signature = traced.program("inverse"), traced.signature("inverse")
    program.run({k: motion[k] for k, _ in signature.inputs}, result)
    return result


def _drawn(
    setting: Setting, name: str, size: int, count: int, motion: Mapping[str, Array], rng: np.random.Generator
) -> Array:
    if name in motion:
        return motion[name]
    match name:
        case "payload":
            spread = rng.uniform(-1, 1, (count, size))
            spread[:, 0] = 1 + spread[:, 0]
            spread[:, 1:4] *= 0.1
            spread[:, 4:7] = 0.02 + 0.005 * spread[:, 4:7]
            spread[:, 7:] *= 0.002
            return spread
        case "ways":
            rates = [_rate(point.coordinate.weights, motion["qd"]) for point in setting.traced.points]
            return np.sign(np.stack(rates, axis=1))
        case "dt":
            return np.full((count, size), 2.0**-10)
        case _:
            return rng.uniform(-1, 1, (count, size))


def _rate(weights: tuple[tuple[int, float], ...], qd: Array) -> Array:
    return np.sum([weight * qd[:, j] for j, weight in weights], axis=0)
