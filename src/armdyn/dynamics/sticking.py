"""Accelerations under dry friction: what depends on the load, and what stays at rest.

The motion obeys tau(q, qd, qdd) = tau, friction included. In motion friction follows from the loads that qdd
itself causes. Whatever rests stays there as long as friction can hold it: all coordinates together satisfy

    |f| <= bound,  f = bound sign(a) where a != 0,  a the acceleration of the coordinate,

which for friction without load is the one minimum of 1/2 qdd^T H qdd - (tau - bias) qdd + sum bound |a|.
For a given set of points that stick, slide forwards or slide backwards this is linear in the load's pieces,
and Newton's method solves it at once; what it finds says which points belong elsewhere. For nearly all states
that ends after a few compiled steps (`quantities.sticking`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.dynamics.model import Model
from armdyn.dynamics.quantity import Evaluate
from armdyn.scalars import Array
from armdyn.scalars.batch import batch_shape

SETTLED = 1e-13
"""Torque that is missing, relative to what is given and to what is missing without acceleration: exact."""
FOUND = 1e3
"""How far from that an acceleration may stay and still be given."""
FULL = 20
"""Full steps, after which a state that is not settled goes round in circles."""
PIVOTS = 100
"""Steps up to which it changes one thing at a time; after that, steps are shorter."""
SHORTEST, SPAN, GOLDEN = 0.3, 0.6, 0.618
"""Shorter steps are of changing length, none twice: SHORTEST + SPAN times the fraction of attempt GOLDEN."""
ATTEMPTS = 200
"""Steps after which a state that is not that near gets no number."""

PIECE = 2048
"""States that are solved together: few enough to stay in cache."""

Inputs = Mapping[str, Array]


def accelerations(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    """qdd (..., n)."""
    return (at_rest(model, evaluate, inputs).qdd,)


@dataclass(frozen=True)
class Rest:
    """Accelerations and friction of states (...); NaN where none was found."""

    qdd: Array
    """(..., n)"""
    held: Array
    """(..., points): what each point takes at rest, or more than its bound where that is not enough"""
    rubbing: Array
    """(..., n): what friction takes from q"""
    taken: Array
    """(..., points): what each point takes from its own coordinate"""
    sticking: Array
    """(..., points): 1 where it sticks, else 0"""


def at_rest(model: Model, evaluate: Evaluate, inputs: Inputs) -> Rest:
    """The accelerations that torques cause under dry friction, and that friction."""
    batch = batch_shape(inputs)
    flat = {name: _one_row_each(x, batch) for name, x in inputs.items()}
    pieces = [slice(k, k + PIECE) for k in range(0, max(len(flat["tau"]), 1), PIECE)]
    solved = [_solved(model, evaluate, _rows_of(flat, piece)) for piece in pieces]
    columns = (np.concatenate(parts) for parts in zip(*solved, strict=True))
    return Rest(*(x.reshape((*batch, x.shape[-1])) for x in columns))


def _solved(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, ...]:
    qdd, held, allowed = _newton(model, evaluate, inputs)
    motion = {**without_torque(inputs), "qdd": qdd, "held": held}
    rubbing, taken, running = evaluate("friction at rest", motion)
    sticking = (running <= allowed[:, None]).astype(float)
    _make_still(model, qdd, sticking)
    return qdd, held, rubbing, taken, sticking


def _newton(model: Model, evaluate: Evaluate, inputs: Inputs) -> tuple[Array, Array, Array]:
    """qdd and held, step by step and row by row, until nothing is wrong by more than what is allowed, too."""
    count, allowed = len(inputs["tau"]), np.empty(0)
    best = np.full((count, model.n), np.nan), np.full((count, len(model.points)), np.nan)
    smallest = np.full(count, np.inf)
    rows: Any = np.arange(count)
    here: Inputs = inputs
    qdd, held = np.zeros_like(best[0]), np.zeros_like(best[1])
    for attempt in range(ATTEMPTS):
        following, asked, wrong = evaluate("friction step", {**here, "qdd": qdd, "held": held})
        if not attempt:
            given = np.abs(inputs["tau"]).max(axis=-1, initial=0.0)
            allowed = SETTLED * (model.torque_scale + given + wrong[:, 0])
        size = wrong[:, 0] / allowed[rows]
        better: Any = size < smallest[rows]
        for whole, some in zip(best, (qdd, held), strict=True):
            whole[rows[better]] = some[better]
        smallest[rows[better]] = size[better]
        going: Any = ~(smallest[rows] <= 1.0) & np.isfinite(following[:, 0])  # a lost row is NaN throughout
        left = np.count_nonzero(going)
        if not left:
            break
        # full steps end where pieces settle; where they go round in circles, other steps lead out
        if FULL <= attempt < PIVOTS:
            asked = _first_change(evaluate, here, (qdd, held), (following, asked))
        elif attempt >= PIVOTS:
            length = SHORTEST + SPAN * ((attempt * GOLDEN) % 1.0)
            following, asked = (x + length * (y - x) for x, y in ((qdd, following), (held, asked)))
        if 2 * left > len(rows):  # another step of settled rows costs less than picking out the others
            qdd, held = following, asked
        else:
            rows, qdd, held, here = rows[going], following[going], asked[going], _rows_of(here, going)
    for whole in best:
        whole[smallest > FOUND] = np.nan
    return *best, allowed


def _first_change(
    evaluate: Evaluate, inputs: Inputs, before: tuple[Array, Array], after: tuple[Array, Array]
) -> Array:
    """What is asked of friction if only the first point that wants to changes between sticking and sliding.

    Murty's least-index rule, which does not go round in circles where the load does not matter.
    """
    state = without_torque(inputs)
    ways: list[Array] = []
    for qdd, held in (before, after):
        _, taken, _ = evaluate("friction at rest", {**state, "qdd": qdd, "held": held})
        ways.append(np.where(taken == held, 0.0, np.sign(held)))
    changed = ways[0] != ways[1]
    first = changed & (np.cumsum(changed, axis=-1) == 1)
    way = np.where(first, ways[1], ways[0])
    once = np.where(way == 0, 0.0, np.where(first, after[1], before[1]))
    return np.where(changed.any(axis=-1, keepdims=True), once, after[1])


def _rows_of(inputs: Inputs, rows: Any) -> Inputs:
    return {name: x[rows] for name, x in inputs.items()}


def without_torque(inputs: Inputs) -> Inputs:
    """What describes a motion but for its accelerations."""
    return {name: x for name, x in inputs.items() if name != "tau"}


def _one_row_each(x: Array, batch: tuple[int, ...]) -> Array:
    """An input with one row for every state of the batch."""
    return np.broadcast_to(x, (*batch, x.shape[-1])).reshape((-1, x.shape[-1]))


def _make_still(model: Model, qdd: Array, sticking: Array) -> None:
    """Give exactly no acceleration to the joints that the points that stick hold between them."""
    for pattern, rows in _patterns(sticking == 1):
        still = model.held_by(tuple(np.flatnonzero(pattern).tolist()))
        qdd[np.ix_(rows, still)] = 0.0


def _patterns(rows: NDArray[np.bool_]) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.intp]]]:
    """Every row there is, but the one without anything, and where it is found."""
    some = np.flatnonzero(rows.any(axis=1))
    if not len(some):
        return
    packed = np.packbits(rows[some], axis=1)
    order = np.lexsort(packed.T)
    changes = np.flatnonzero((np.diff(packed[order], axis=0) != 0).any(axis=1)) + 1
    for group in np.split(some[order], changes):
        yield rows[group[0]], group
