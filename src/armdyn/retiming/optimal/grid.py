"""A path cut into intervals, and what limits the motion at both ends of each.

In an interval the acceleration u of the path's parameter is constant; x is the square of its rate at the
start, z = x + 2 step u at the end. Intervals end where anything jumps (where curves meet, and where a
friction point turns back), so that at each end the limits are those inside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from armdyn.feasibility.arm import Arm
from armdyn.retiming.limits import Limits, limits
from armdyn.retiming.path.joint_path import JointPath, Piece
from armdyn.retiming.torques import Course
from armdyn.robot import Robot
from armdyn.scalars import Array

INTERVALS = 1000
"""Of a path, if nothing else is said."""
STARTS, ENDS = slice(None, -1), slice(1, None)
"""Of all ends of intervals, those at which an interval starts, and ends."""
GRADED = 0.5 ** np.arange(1, 6)
"""Next to rest intervals become shorter, by these shares of one: viscous friction goes with the root of x."""
FEWEST = 8
"""Intervals of a curve."""
ROUNDING = 1e-12
"""A rate relative to those that cancel in it, below which it is none."""
NEARINGS, HALF = 14, 0.5
"""Steps in which the place where a rate turns is found: Illinois' rule, which halves the value at an end that
stays a second time."""
NEAR = 1e-6
"""Share of an interval: places that are no farther apart are one."""


@dataclass(frozen=True, eq=False)
class Part:
    """The intervals of one piece."""

    piece: Piece
    p: Array
    """(m + 1) where they begin and end"""
    q: Array
    """(m + 1, n)"""
    first: Array
    """(m + 1, n) dq/dp"""
    second: Array
    """(m + 1, n) d2q/dp2"""
    ways: Array
    """(m, points) which way each friction point moves in an interval"""

    @property
    def count(self) -> int:
        """How many intervals."""
        return len(self.p) - 1


@dataclass(frozen=True, eq=False)
class Grid:
    """All intervals (N) of a path, and what limits them."""

    path: JointPath
    arms: Sequence[Arm]
    """One for each part"""
    parts: Sequence[Part]
    margin: float = 0.0
    tool_speed: float | None = None
    starts_at_rest: bool = True
    room: Array | None = None
    """(N) which share of the limits, less the margin, may be used in each interval; all of it if None"""

    @property
    def largest_margin(self) -> float:
        """The largest share of the limits that is left free anywhere."""
        return 1 - (1 - self.margin) * (1.0 if self.room is None else float(self.room.min()))

    @cached_property
    def step(self) -> Array:
        """(N) how much of the parameter each takes."""
        return np.concatenate([np.diff(part.p) for part in self.parts])

    @cached_property
    def part_of(self) -> NDArray[np.intp]:
        """(N) number of the part."""
        return np.repeat(np.arange(len(self.parts)), [part.count for part in self.parts])

    @cached_property
    def ratio(self) -> Array:
        """(N) x at the start of the next interval by z: 1 but where the next piece has another parameter."""
        ratio = np.ones(len(self.step))
        lasts = np.cumsum([part.count for part in self.parts]) - 1
        for last, before, after in zip(lasts[:-1], self.parts[:-1], self.parts[1:], strict=True):
            a, b = before.first[-1], after.first[0]
            ratio[last] = float(a @ a / (b @ b))
        return ratio

    @cached_property
    def rests_after(self) -> NDArray[np.bool_]:
        """(N) whether the arm must rest at the end of the interval."""
        rests = np.zeros(len(self.step), dtype=bool)
        rests[np.cumsum([part.count for part in self.parts]) - 1] = [part.piece.stops for part in self.parts]
        return rests

    @cached_property
    def from_rest(self) -> NDArray[np.bool_]:
        """(N) whether the arm rests at the start of the interval."""
        return np.append(self.starts_at_rest, self.rests_after[:-1])

    @cached_property
    def starts(self) -> Limits:
        """What limits the motion at the start of each interval."""
        return self._both.part(slice(0, len(self.step)))

    @cached_property
    def breakaway(self) -> Limits:
        """What limits the start from rest where starting takes more than moving; none where it does not."""
        if all(
            point.friction.at_rest == point.friction.coulomb
            for arm in self.arms
            for point in arm.dyn.friction_points
        ):
            return Limits(len(self.step), (), ())
        return self._limits((STARTS,), breaking_away=True)

    @cached_property
    def ends(self) -> Limits:
        """What limits it at the end of each."""
        return self._both.part(slice(len(self.step), None))

    @cached_property
    def _both(self) -> Limits:
        """Those at all starts, and then at all ends."""
        return self._limits((STARTS, ENDS))

    def _limits(self, sides: Sequence[slice], *, breaking_away: bool = False) -> Limits:
        found: list[tuple[NDArray[np.intp], Limits]] = []
        for arm in {id(arm): arm for arm in self.arms}.values():
            mine = [k for k, other in enumerate(self.arms) if other is arm]
            parts = [self.parts[k] for k in mine]
            chosen = [(p.q[at], p.first[at], p.second[at], p.ways) for at in sides for p in parts]
            q, first, second, ways = (np.concatenate(arrays) for arrays in zip(*chosen, strict=True))
            still = np.zeros_like(q)
            course = Course(q, still, first, still) if breaking_away else Course(q, first, first, second)
            known = None if breaking_away else ways
            places = np.flatnonzero(np.isin(np.tile(self.part_of, len(sides)), mine))
            free = self.margin
            if self.room is not None:
                free = 1 - (1 - self.margin) * np.tile(self.room, len(sides))[places]
            limited = limits(arm, course, known, margin=free, tool_speed=self.tool_speed)
            found.append((places, limited))
        return Limits.joined(found, len(sides) * len(self.step))


def grid_of(
    path: JointPath,
    arm_of: Callable[[Robot], Arm],
    count: int,
    *,
    margin: float = 0.0,
    tool_speed: float | None = None,
    starts_at_rest: bool = True,
) -> Grid:
    """The path in about so many intervals."""
    of_robot = {robot: arm_of(robot) for robot in dict.fromkeys(piece.robot for piece in path.pieces)}
    arms = [of_robot[piece.robot] for piece in path.pieces]
    lengths = np.array([_length(piece) for piece in path.pieces])
    shares = np.ceil(count * (lengths / lengths.sum())).astype(int)
    rests = [starts_at_rest, *(piece.stops for piece in path.pieces)]
    parts = [
        _part(piece, arm, max(int(share), FEWEST), rests[k : k + 2])
        for k, (piece, arm, share) in enumerate(zip(path.pieces, arms, shares, strict=True))
    ]
    return Grid(path, arms, parts, margin, tool_speed, starts_at_rest)


def _length(piece: Piece) -> float:
    """In joint space [rad or m]."""
    p = np.linspace(0.0, piece.curve.length, FEWEST + 1)
    return float(np.linalg.norm(np.diff(piece.curve.at(p)[0], axis=0), axis=1).sum())


def _part(piece: Piece, arm: Arm, count: int, rests: Sequence[bool]) -> Part:
    """A piece in so many intervals and some more; `rests` says whether the arm rests at its ends."""
    length = piece.curve.length
    p = np.linspace(0.0, length, count + 1)
    graded = GRADED * p[1]
    shorter = [x for x, rest in ((graded, rests[0]), (length - graded, rests[1])) if rest]
    p = np.unique(np.concatenate([p, *shorter]))
    p = np.union1d(p, _turns(piece, arm, p))
    q, first, second = piece.curve.at(p)
    middle = 0.5 * (p[1:] + p[:-1])
    return Part(piece, p, q, first, second, np.sign(_rates(piece, arm, middle)))


def _rates(piece: Piece, arm: Arm, p: Array) -> Array:
    """(t, points) d theta/dp of the friction points, exactly 0 where they rest."""
    q, first, _ = piece.curve.at(p)
    if not arm.dyn.friction_points:
        return np.zeros((len(p), 0))
    each = arm.dyn.friction_gradients(q) * first[:, None, :]
    rates = each.sum(axis=2)
    return np.where(np.abs(rates) <= ROUNDING * np.abs(each).sum(axis=2), 0.0, rates)


def _turns(piece: Piece, arm: Arm, p: Array) -> Array:
    """Where friction points turn back, between the places p and not at them."""
    rates = _rates(piece, arm, p)
    sign = np.sign(rates)
    interval, point = np.nonzero(sign[1:] * sign[:-1] < 0)
    if not len(interval):
        return np.empty(0)
    low, high = p[interval], p[interval + 1]
    at_low, at_high = rates[interval, point], rates[interval + 1, point]
    place, stayed = low, np.zeros(len(low))  # 1 where the upper end stayed last, -1 the lower one
    for _ in range(NEARINGS):
        place = (low * at_high - high * at_low) / (at_high - at_low)
        value = _rates(piece, arm, place)[np.arange(len(point)), point]
        before = value * at_low > 0
        low, high = np.where(before, place, low), np.where(before, high, place)
        kept_low = np.where(stayed < 0, HALF * at_low, at_low)
        kept_high = np.where(stayed > 0, HALF * at_high, at_high)
        at_low, at_high = np.where(before, value, kept_low), np.where(before, kept_high, value)
        stayed = np.where(before, 1.0, -1.0)
        if not value.any():
            break
    near = NEAR * (p[interval + 1] - p[interval])
    inside = (place > p[interval] + near) & (place < p[interval + 1] - near)
    places, first = np.unique(place[inside], return_index=True)
    apart = np.diff(places, prepend=-np.inf) > near[inside][first]  # a joint and its motor turn together
    return places[apart]
