"""What motors with limits can give, where the compiled steps do not settle it (`quantities.limited`).

That is where friction holds what a saturated motor cannot start, and where load-dependent friction changes
its pieces again and again. Torques are then looked for instead of accelerations: whatever lies within the
limits causes some motion, sticking included (`forward`), and a motor whose shaft lags is given more until
none does or it is at its limit. Newton steps of several lengths are tried at once and the best is taken; a
shaft that friction holds tells nothing about the torque that starts it, so that now and then one motor alone
is given more and more until its shaft no longer lags.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics.model import Model
from armdyn.dynamics.quantity import Evaluate
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape

ATTEMPTS = 200
"""Steps after which a state that is not found gets no number."""
NEAR, FOUND = 1e-12, 1e-6
"""What a motor's shaft may lack of its acceleration, relative to those demanded and caused: exact, and found
where steps do not come nearer."""
LENGTHS = np.array([1.0, 0.5, 0.25, 0.1])
"""Of the steps that are tried at once."""
ALONE = 4
"""Every so many steps one motor alone is given more:"""
MULTIPLES = 2.0 ** np.arange(28)
"""so many times what it lacks without friction, by halves,"""
NARROWER = 3
"""and then so many times as finely between the two that it lies between."""
HELD = 1e-6
"""A shaft with less than this share of its freedom is held by friction."""
OUTSIDE = ("wrench", "at", "base")

Inputs = Mapping[str, Array]


def limited_accelerations(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """Accelerations, motor torques, and which limits these are at, of states (...); NaN where not found."""
    batch = batch_shape(inputs)
    given = {
        name: np.broadcast_to(x, (*batch, x.shape[-1])).reshape(-1, x.shape[-1]) for name, x in inputs.items()
    }
    results = [np.full((len(given["q"]), model.n), np.nan) for _ in range(3)]
    states, asked = _states(model, evaluate, given)
    known = np.isfinite(states.freedom).all(axis=(1, 2)) & np.isfinite(asked).all(axis=1)
    rows: Any = np.flatnonzero(known & (given["lower"] <= given["upper"]).all(axis=1))
    best = _found(states.of(rows), asked[rows])
    at = np.where(best.u >= states.upper[rows], 1.0, np.where(best.u <= states.lower[rows], -1.0, 0.0))
    found = best.missing <= FOUND
    for result, values in zip(results, (best.qdd, best.u, at), strict=True):
        result[rows[found]] = values[found]
    return tuple(result.reshape((*batch, model.n)) for result in results)


@dataclass(frozen=True, eq=False)
class _Tried:
    """Torques and what they cause: (..., n) each."""

    u: Array
    qdd: Array
    lacking: Array
    """By which the shafts lag"""
    free: NDArray[np.bool_]
    """Where a motor could mend that"""
    missing: Array
    """(...) the largest of that, relative; infinite where torques cause no motion"""

    def of(self, *chosen: Any) -> _Tried:
        """Those of some rows."""
        arrays: list[Any] = list(vars(self).values())
        return _Tried(*(x[chosen] for x in arrays))

    def or_else(self, other: _Tried, wanted: NDArray[np.bool_]) -> _Tried:
        """These where they are wanted, elsewhere the others."""
        pairs: Any = zip(vars(self).values(), vars(other).values(), strict=True)
        joined: list[Any] = [np.where(wanted if x.ndim == 1 else wanted[:, None], x, y) for x, y in pairs]
        return _Tried(*joined)


@dataclass(frozen=True, eq=False)
class _States:
    """States (t) in which torques are looked for."""

    evaluate: Evaluate
    given: Inputs
    """All inputs, (t, size) each"""
    K: Array
    """(t, n, n) d theta/d q"""
    freedom: Array
    """(t, n, n) d theta''/d u without friction, K H^-1 K^T"""

    def of(self, rows: Any) -> _States:
        """Some of them."""
        given = {name: x[rows] for name, x in self.given.items()}
        return replace(self, given=given, K=self.K[rows], freedom=self.freedom[rows])

    @property
    def lower(self) -> Array:
        """(t, n)."""
        return self.given["lower"]

    @property
    def upper(self) -> Array:
        """(t, n)."""
        return self.given["upper"]

    def tried(self, u: Array) -> _Tried:
        """What torques (t, m, n), moved to their limits, cause."""
        u = np.clip(u, self.lower[:, None], self.upper[:, None])
        (qdd,) = self.evaluate("forward", self._driven(u))
        demand, back = self.given["qdd"][:, None], np.swapaxes(self.K, -1, -2)
        lacking = (demand - qdd) @ back
        sizes = (np.abs(demand) + np.abs(qdd)) @ np.abs(back) + np.abs(u) @ np.abs(self.freedom)
        free = ((lacking > 0) & (u < self.upper[:, None])) | ((lacking < 0) & (u > self.lower[:, None]))
        share = np.where(free, np.abs(lacking) / np.where(sizes > 0, sizes, 1.0), 0.0).max(axis=-1)
        known = np.isfinite(lacking).all(axis=-1)
        return _Tried(u, qdd, lacking, free, np.where(known, share, np.inf))

    def slopes(self, u: Array) -> Array:
        """d theta''/d u (t, n, n) with friction, but without it in the rows of shafts that friction holds."""
        *_, by_torque = self.evaluate("forward_derivatives", self._driven(u[:, None]))
        slopes = self.K @ by_torque[:, 0] @ np.swapaxes(self.K, -1, -2)
        most, least = (np.einsum("tii->ti", x) for x in (self.freedom, slopes))
        held = ~(least > HELD * most) | ~np.isfinite(slopes).all(axis=-1)
        return np.where(held[..., None], self.freedom, slopes)

    def _driven(self, u: Array) -> dict[str, Array]:
        """The inputs of `forward` under motor torques (t, m, n)."""
        names = ("q", "qd", *(name for name in OUTSIDE if name in self.given))
        return {**{name: self.given[name][:, None] for name in names}, "tau": u @ self.K}


def _states(model: Model, evaluate: Evaluate, given: Inputs) -> tuple[_States, Array]:
    """The states, and the torques (t, n) that their demands ask for."""
    q = given["q"]
    outside = {name: given[name] for name in OUTSIDE if name in given}
    (H,) = evaluate("mass_matrix", {"q": q})
    (asked,) = evaluate("motor_demand", {"q": q, "qd": given["qd"], "qdd": given["qdd"], **outside})
    eye: Any = np.broadcast_to(np.eye(model.n), H.shape)
    (K,) = evaluate("gear_matrix", {"q": q}) if model.robot.drives else (eye,)
    usable: Any = np.all(np.isfinite(H) & np.isfinite(K), axis=(1, 2), keepdims=True)
    freedom = K @ np.linalg.pinv(np.where(usable, H, eye), hermitian=True) @ np.swapaxes(K, -1, -2)
    return _States(evaluate, given, K, np.where(usable, freedom, np.nan)), asked


def _found(states: _States, asked: Array) -> _Tried:
    """The torques with the least that is missing, of all states."""
    best = states.tried(asked[:, None]).of(slice(None), 0)
    rows: Any = np.arange(len(asked))
    now = best
    for attempt in range(ATTEMPTS):
        going = ~(best.missing[rows] <= NEAR)
        rows, now = rows[going], now.of(going)
        if not len(rows):
            break
        here = states.of(rows)
        alone = attempt % ALONE == ALONE - 1
        following = _one_motor(here, now, attempt // ALONE) if alone else _newton(here, now)
        now = following.or_else(now, np.isfinite(following.missing))
        kept = now.or_else(best.of(rows), now.missing < best.missing[rows])
        for whole, some in zip(vars(best).values(), vars(kept).values(), strict=True):
            whole[rows] = some
    return best


def _newton(states: _States, now: _Tried) -> _Tried:
    """The best of several steps with the slopes as they are, and as they would be without friction."""
    pairs = now.free[:, :, None] & now.free[:, None, :]
    wanted = np.where(now.free, now.lacking, 0.0)[..., None]
    steps = [
        (np.linalg.pinv(np.where(pairs, slopes, 0.0)) @ wanted).swapaxes(-1, -2) * LENGTHS[:, None]
        for slopes in (states.slopes(now.u), states.freedom)
    ]
    tried = states.tried(now.u[:, None] + np.concatenate(steps, axis=1))
    return tried.of(np.arange(len(now.u)), np.argmin(tried.missing, axis=1))


def _one_motor(states: _States, now: _Tried, turn: int) -> _Tried:
    """One of the motors that could mend something, each in its turn, given more until it has enough."""
    each = np.arange(len(now.u))
    order = np.cumsum(now.free, axis=1)
    motor = np.argmax(order == (1 + turn % np.maximum(order[:, -1], 1))[:, None], axis=1)
    more = np.zeros_like(now.u)
    more[each, motor] = now.lacking[each, motor] / states.freedom[each, motor, motor]
    multiples = np.broadcast_to(MULTIPLES, (len(each), len(MULTIPLES)))
    too_little, tried = np.zeros(len(each)), now
    for _ in range(1 + NARROWER):
        all_tried = states.tried(now.u[:, None] + multiples[..., None] * more[:, None])
        enough = all_tried.lacking[each, :, motor] * now.lacking[each, motor][:, None] <= 0
        k = np.where(enough.any(axis=1), np.argmax(enough, axis=1), len(MULTIPLES) - 1)
        tried = all_tried.of(each, k)
        too_little = np.where(k > 0, multiples[each, k - 1], too_little)
        between = np.arange(1, len(MULTIPLES) + 1) / len(MULTIPLES)
        multiples = too_little[:, None] + (multiples[each, k] - too_little)[:, None] * between
    return tried
