"""Branch and bound: boxes are halved until none can hold more than is known to be attained."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from armdyn.extremes.models import highest, model
from armdyn.extremes.terms import Flags, Terms, Whole
from armdyn.scalars import Array

BATCH = 2048
"""The fewest boxes halved at once, where there are so many."""
SHARE = 16
"""Of many open boxes one in so many is halved at once: those with the highest bounds."""
CHUNK = 16384
"""Terms times boxes looked at together: their arrays stay in the processor's cache."""


@dataclass(frozen=True)
class Boxes:
    """N boxes, each with what a function does not exceed in it and with the joint to halve it by."""

    centre: Array
    """(N, n)"""
    half: Array
    """(N, n) half widths"""
    bound: Array
    """(N)"""
    joint: Whole
    """(N)"""

    def __len__(self) -> int:
        """How many."""
        return len(self.bound)

    def of(self, which: Flags | Whole) -> Boxes:
        """Some of them."""
        return Boxes(self.centre[which], self.half[which], self.bound[which], self.joint[which])

    def and_(self, others: Boxes) -> Boxes:
        """These and others."""
        return Boxes(
            np.concatenate([self.centre, others.centre]),
            np.concatenate([self.half, others.half]),
            np.concatenate([self.bound, others.bound]),
            np.concatenate([self.joint, others.joint]),
        )

    @property
    def volume(self) -> float:
        """Of all of them together."""
        return float(np.prod(self.half, axis=1).sum())


@dataclass(frozen=True)
class Searched:
    """How far a search has come."""

    open: Boxes
    """What may still hold more than the threshold"""
    settled: float
    """The highest bound of the other boxes"""
    looked: int
    """How many boxes were looked at"""
    better: Array | None
    """(n) A point above the aim, where one was met: the search stops there"""


def whole(box: Array) -> Boxes:
    """One box: (n, 2), of which nothing is known yet; it is halved by its widest side first."""
    half = (box[:, 1] - box[:, 0])[None] / 2
    return Boxes(box.mean(axis=1)[None], half, np.array([np.inf]), np.array([int(np.argmax(half))]))


def search(
    f: Terms,
    boxes: Boxes,
    threshold: float,
    aim: float,
    effort: int,
    progress: Callable[[Boxes], None] | None = None,
) -> Searched:
    """Halve boxes, those with the highest bounds first, until f is no higher than the threshold in any.

    Args:
        f: what is bounded.
        boxes: where.
        threshold: boxes that do not exceed it are settled.
        aim: a centre at which f is higher ends the search.
        effort: after so many boxes the search ends.
        progress: told the boxes that are still open, again and again.
    """
    settled, looked = -np.inf, 0
    while len(boxes) and looked < effort:
        first, others = _highest(boxes, min(max(BATCH, len(boxes) // SHARE), (effort - looked + 1) // 2))
        halves, values = _looked_at(f, *_halved(first))
        looked += len(halves)
        done = halves.bound <= threshold
        settled = max(settled, float(halves.bound[done].max(initial=-np.inf)))
        boxes = others.and_(halves.of(~done))
        best = int(np.argmax(values))
        if values[best] > aim:
            return Searched(boxes, settled, looked, halves.centre[best])
        if progress:
            progress(boxes)
    return Searched(boxes, settled, looked, None)


def _highest(boxes: Boxes, count: int) -> tuple[Boxes, Boxes]:
    """The boxes with the highest bounds, and the others."""
    if len(boxes) <= count:
        return boxes, boxes.of(np.arange(0))
    order = np.argpartition(-boxes.bound, count)
    return boxes.of(order[:count]), boxes.of(order[count:])


def _halved(boxes: Boxes) -> tuple[Array, Array]:
    """Centres and half widths of the halves."""
    row = np.arange(len(boxes))
    half = boxes.half.copy()
    half[row, boxes.joint] /= 2
    lower, upper = boxes.centre.copy(), boxes.centre.copy()
    lower[row, boxes.joint] -= half[row, boxes.joint]
    upper[row, boxes.joint] += half[row, boxes.joint]
    return np.concatenate([lower, upper]), np.concatenate([half, half])


def _looked_at(f: Terms, centre: Array, half: Array) -> tuple[Boxes, Array]:
    """Boxes with their bounds, and the values at their centres."""
    bounds: list[Array] = []
    joints: list[Whole] = []
    values: list[Array] = []
    step = max(CHUNK // max(len(f.cosine), 1), 1)
    for first in range(0, len(centre), step):
        some = slice(first, first + step)
        near = model(f, centre[some], half[some])
        bound, gain = highest(near, half[some])
        bounds.append(bound)
        joints.append(np.argmax(gain, axis=1))
        values.append(near.centre_value)
    return Boxes(centre, half, np.concatenate(bounds), np.concatenate(joints)), np.concatenate(values)
