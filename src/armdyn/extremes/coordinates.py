"""Coordinates in which a function of the joints varies little along each axis, and a box of them.

Extremes do not change when locked joints are put in, when joints that appear only as one sum are replaced by
it, when a range is cut to one turn, when a joint that turns fully is counted from other joints (q2 + q3
instead of q3: axes of arms are often parallel), and when of two points that a shift by half a turn of some
joints takes into one another one is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import pi

import numpy as np

from armdyn.extremes.terms import Flags, Terms
from armdyn.scalars import Array

TURN = 2 * pi
SHORT = 1e-9
"""[rad] A range that is short of a full turn by less is taken as one: a file's 3.14159265359 is no pi."""
SHEARS = (-2, -1, 1, 2)
"""How often a joint may be added to another one at once."""


@dataclass(frozen=True)
class Coordinates:
    """Functions of v over a box of v that take the values which others take over a box of q.

    u = sheared v + offset up to full turns, and q = spread u + origin.
    """

    functions: tuple[Terms, ...]
    box: Array
    """(r, 2) of v"""
    sheared: Array
    """(n, r) whole numbers"""
    offset: Array
    """(n)"""
    first: Array
    """(n) the lower ends of u"""
    turning: Flags
    """(n) which of u turn fully"""
    spread: Array
    """(n, n)"""
    origin: Array
    """(n)"""
    joints: Array
    """(n, 2) the box of q"""

    def postures(self, v: Array) -> Array:
        """(..., n) where in the box of joints v: (..., r) is."""
        u = v @ self.sheared.T + self.offset
        u = np.where(self.turning, self.first + (u - self.first) % TURN, u)
        return np.clip(u @ self.spread.T + self.origin, *self.joints.T)


def coordinates(functions: Sequence[Terms], joints: Array) -> Coordinates:
    """The coordinates for functions over one box of joints: (n, 2)."""
    low, high = joints.T
    fixed = [f.fixed(low == high, low).merged() for f in functions]
    every = sum(fixed[1:], fixed[0])
    k, box, spread, origin = _summed(every, joints)
    turning = _turning(k, box) & ~every.powers.any(axis=0)
    box[turning, 1] = box[turning, 0] + TURN
    k, sheared = _sheared(k, every.amplitudes, turning)
    used = k.any(axis=0) | every.powers.any(axis=0)
    box[:, 1] -= (box[:, 1] - box[:, 0]) / 2 * _halved(k, turning & used)
    rows = np.split(k[:, used], np.cumsum([len(f.cosine) for f in fixed])[:-1])
    return Coordinates(
        tuple(
            Terms(own, f.powers[:, used], f.cosine, f.sine).merged()
            for own, f in zip(rows, fixed, strict=True)
        ),
        box[used],
        sheared[:, used],
        sheared[:, ~used] @ box[~used, 0],
        box[:, 0],
        turning,
        spread,
        origin,
        joints,
    )


def _summed(f: Terms, joints: Array) -> tuple[Array, Array, Array, Array]:
    """Frequencies of the coordinates u, their box, and q = spread u + origin.

    Joints whose frequencies are in one proportion in all terms are one coordinate, along which they go from
    end to end together; a joint that does not matter stays at 0 or as near to it as it can.
    """
    frequencies, box = f.frequencies.copy(), joints.copy()
    spread = np.diag(f.variables.astype(float))
    origin = np.where(f.variables, 0.0, np.clip(0.0, *joints.T))
    box[~f.variables] = 0.0
    angles = f.variables & ~f.powers.any(axis=0)
    for leading in np.flatnonzero(angles).tolist():
        column = frequencies[:, leading]
        if not column.any():
            continue  # already part of another one
        row = int(np.argmax(column != 0))
        ratios = frequencies[row] / column[row]
        together = angles & (frequencies == np.outer(column, ratios)).all(axis=0) & (ratios != 0)
        begin: Array = np.where(ratios > 0, joints[:, 0], joints[:, 1])[together]
        end: Array = np.where(ratios > 0, joints[:, 1], joints[:, 0])[together]
        low, high = float(ratios[together] @ begin), float(ratios[together] @ end)
        spread[together] = 0.0
        spread[together, leading] = (end - begin) / (high - low)
        origin[together] = begin - spread[together, leading] * low
        frequencies[:, together & (np.arange(f.n) != leading)] = 0.0
        box[together] = 0.0
        box[leading] = low, high
    return frequencies, box, spread, origin


def _turning(frequencies: Array, box: Array) -> Flags:
    """(n) coordinates of a full turn that appear with whole frequencies only."""
    whole = (frequencies == np.round(frequencies)).all(axis=0)
    return whole & (box[:, 1] - box[:, 0] >= TURN - SHORT)


def _sheared(frequencies: Array, weights: Array, turning: Flags) -> tuple[Array, Array]:
    """Frequencies (m, n) of coordinates v, smaller by weight, and the whole numbers (n, n) of u = sheared v.

    v_j = u_j + s u_l has k_l - s k_j in the place of k_l; the best such step is taken while there is one.
    """
    k, sheared = frequencies.copy(), np.eye(frequencies.shape[1])
    while True:
        cost = weights @ np.abs(k)
        gains = {
            (j, other, s): float(cost[other] - weights @ np.abs(k[:, other] - s * k[:, j]))
            for j in np.flatnonzero(turning).tolist()
            for other in range(k.shape[1])
            for s in SHEARS
            if other != j
        }
        best = max(gains, key=lambda step: gains[step], default=None)
        if best is None or gains[best] <= SHORT * float(cost.sum()):
            return k, sheared
        j, other, s = best
        k[:, other] -= s * k[:, j]
        sheared[:, other] -= s * sheared[:, j]


def _halved(frequencies: Array, turning: Flags) -> Flags:
    """(n) coordinates of which half a turn is enough.

    Where sum_S k_j is even in all terms, a shift of the coordinates S by half a turn changes nothing: such
    sets are the dependent columns of k modulo 2, and each spares half of one coordinate.
    """
    halved: Flags = np.zeros_like(turning)
    basis: list[Flags] = []
    for j in np.flatnonzero(turning).tolist():
        odd: Flags = frequencies[:, j] % 2 == 1
        for known in basis:
            if odd[int(np.argmax(known))]:
                odd = odd ^ known
        if odd.any():
            basis.append(odd)
        else:
            halved[j] = True
    return halved
