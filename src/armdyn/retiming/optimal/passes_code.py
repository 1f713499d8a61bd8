"""The two passes as machine code; `passes_plain` says the same in NumPy.

    i64 passes(n, m, step, ratio, a, b, c, start_cap, end_cap, table, start, end, room, where)

with two doubles each for `start` and `end`, and place for the lines of an interval in `room`. The result is
an `Ending`, and the interval is written to `where`.
"""

from __future__ import annotations

from armdyn.native.loops import Code, Loop, Module, Variable
from armdyn.native.values import DOUBLE, POINTER, WHOLE, Value, as_double, as_whole, choose, larger, smaller
from armdyn.retiming.optimal.passes_lines import (
    ANSWERS,
    BELOW,
    LEAST,
    LINE,
    MOST,
    NANS,
    UP,
    D,
    S,
    limits,
    lines,
    yielding,
)
from armdyn.retiming.optimal.passes_problem import (
    CLOSE,
    ENDLESS,
    ROUNDING,
    ROUNDS,
    SLACKS,
    Ending,
)

Pair = tuple[Variable, Variable]
"""The numbers of two lines, one above u and one below."""


def module(width: int) -> str:
    """The text of all functions, for vectors of this width."""
    made = Module(width)
    _Passes(made, lines(made), limits(made, gives_way=False), limits(made, gives_way=True))
    return made.text()


class _Passes:
    """The function `passes`, written line by line."""

    def __init__(self, made: Module, lines: Code, limits: Code, yielding_limits: Code) -> None:
        kinds = [WHOLE, WHOLE, *[POINTER] * 8, *[DOUBLE] * 4, POINTER, POINTER]
        self.code = made.function("passes", WHOLE, kinds, internal=False)
        self.lines, self.limits, self.yielding_limits = lines, limits, yielding_limits
        self.n, self.m, self.step, self.ratio, *self.rows = self.code.arguments[:7]
        self.start_cap, self.end_cap, self.table = self.code.arguments[7:10]
        self.start, self.end = self.code.arguments[10:12], self.code.arguments[12:14]
        self.room, self.where = self.code.arguments[14:]
        self.answers = self.code.space(ANSWERS)
        self.count = (self.m + (made.width + 1)) & -made.width  # lines, those of z included, in whole vectors
        self._backward()
        self._forward()
        self.code.end(self.code.whole(Ending.DONE))

    def _column(self, row: int, i: Value) -> Value:
        """Where an element of the table is."""
        return self.code.place(self.table, self.n * row + i)

    def _stop(self, flag: Value, ending: Ending, i: Value) -> None:
        """End here if the flag is set."""
        with self.code.when(flag):
            self.code.store(as_double(i), self.where)
            self.code.end(self.code.whole(ending))

    def _ends(self, i: Value, low: Value, high: Value) -> tuple[Value, Value]:
        """The least and the largest z from which the path can be finished."""
        scale = self.code.load(self.ratio, i)
        top, bottom = smaller(high / scale, self.code.load(self.end_cap, i)), low / scale
        rounded = (bottom > top) & (bottom <= top * (1 + CLOSE))
        return choose(rounded, top, bottom), top

    def _set_lines(self, i: Value, low: Value, high: Value, slack: float) -> None:
        """All lines of an interval, giving way a little."""
        code = self.code
        twice = code.load(self.step, i) * 2.0
        reach = larger(code.load(self.start_cap, i), code.load(self.end_cap, i)) / twice
        rows = [code.place(pointer, i * self.m) for pointer in self.rows]
        code.call(self.lines, self.m, self.count, *rows, reach, code.number(slack), self.room, self.answers)
        one = code.number(1.0)
        for line, parts in enumerate(((one, high / twice, -one / twice), (-one, -low / twice, one / twice))):
            for part, value in enumerate(parts):
                more = yielding(value, slack) if part else value
                code.store(more, self.room, self.count * part + self.m + line)

    def _look(self, x: Value, slack: float) -> tuple[Value, Value, Value]:
        """The room between the lines at x, each giving way; d and s of the bounding two, not giving way."""
        code = self.code
        limits = self.limits if slack == ROUNDING else self.yielding_limits
        code.call(limits, self.count, self.room, x, code.number(slack), self.answers)
        d, s = (self._sum(self._answer(part), self._answer(BELOW + part)) for part in (D, S))
        return self._answer(UP) + self._answer(BELOW + UP), d, s

    def _answer(self, k: int) -> Value:
        return self.code.load(self.answers, k)

    def _sum(self, a: Value, b: Value) -> Value:
        """Of parts of two lines in the room, not giving way."""
        return yielding(a, -ROUNDING) + yielding(b, -ROUNDING)

    def _backward(self) -> None:
        """Fill lowest and highest from the last interval to the first."""
        code = self.code
        low, high = Variable(self.end[0]), Variable(self.end[1])
        pair = Variable(code.whole(0)), Variable(code.whole(0))
        with code.loop(self.n) as loop:
            i = self.n - 1 - loop.index
            self._set_lines(i, *self._ends(i, low.value, high.value), ROUNDING)
            self._stop(self._answer(NANS) > 0.0, Ending.NO_NUMBER, i)
            least = self._answer(LEAST)
            most = smaller(self._answer(MOST), code.load(self.start_cap, i))
            low.value = self._lowest(i, least, most)
            high.value = self._highest(most, low.value, pair)
            code.store(low.value, self._column(3, i))
            code.store(high.value, self._column(4, i))

    def _lowest(self, i: Value, least: Value, most: Value) -> Value:
        """The least x with room between the lines."""
        found, nowhere = self._up(least, most, ROUNDING)
        lowest = Variable(found)
        with self.code.when(nowhere):
            found, nowhere = self._up(least, most, CLOSE)
            self._stop(nowhere, Ending.NOT_CONTROLLABLE, i)
            lowest.value = found
        return lowest.value

    def _up(self, least: Value, most: Value, slack: float) -> tuple[Value, Value]:
        """Newton's method from the left on the room, which is concave over x; whether there is none."""
        code = self.code
        limit = most * (1 + slack)
        x, nowhere = Variable(least), Variable(as_whole(least > limit))
        with code.loop(ROUNDS) as loop:
            loop.leave(nowhere.value > 0)
            room, d, s = self._look(x.value, slack)
            loop.leave(room >= 0.0)
            crossing = -d / s
            nowhere.value = as_whole((s <= 0.0) | (crossing > limit))
            x.value = crossing
        return smaller(x.value, most), nowhere.value > 0

    def _highest(self, most: Value, lowest: Value, pair: Pair) -> Value:
        """The largest x with room between the lines.

        Newton's method starts where the two lines cross that bounded the interval beyond, if that is lower:
        any two lines bound x.
        """
        found, nowhere = self._down(self._crossing(most, pair), lowest, pair, ROUNDING)
        highest = Variable(found)
        with self.code.when(nowhere):
            highest.value = self._down(most, lowest, pair, CLOSE)[0]
        return highest.value

    def _down(self, first: Value, lowest: Value, pair: Pair, slack: float) -> tuple[Value, Value]:
        """Newton's method from the right, not below what is known to be possible; whether room is nowhere."""
        code = self.code
        x, nowhere = Variable(first), Variable(code.whole(0))
        with code.loop(ROUNDS) as loop:
            loop.leave((x.value <= lowest) | (nowhere.value > 0))
            room, d, s = self._look(x.value, slack)
            loop.leave(room >= 0.0)
            self._remember(pair)
            nowhere.value = as_whole(s >= 0.0)
            x.value = choose(s < 0.0, -d / s, lowest)
        return larger(x.value, lowest), nowhere.value > 0

    def _remember(self, pair: Pair) -> None:
        for line, first in zip(pair, (0, BELOW), strict=True):
            line.value = as_whole(self._answer(first + LINE))

    def _crossing(self, most: Value, pair: Pair) -> Value:
        """Where two lines cross, if they bound x from above, or `most`."""
        code = self.code
        j, k = pair[0].value, pair[1].value
        above, below = code.load(self.room, j) > 0.0, code.load(self.room, k) < 0.0
        parts = [self.count * part for part in (1, 2)]
        d, s = (self._sum(code.load(self.room, j + part), code.load(self.room, k + part)) for part in parts)
        crossing = -d / s
        return choose(above & below & (s < 0.0) & (crossing < most), crossing, most)

    def _forward(self) -> None:
        """Fill x, u and z from the first interval to the last."""
        code = self.code
        zero = code.whole(0)
        lowest, highest = code.load(self._column(3, zero)), code.load(self._column(4, zero))
        first = smaller(self.start[1], highest)
        self._stop(larger(self.start[0], lowest) > first * (1 + CLOSE), Ending.STUCK, zero)
        x = Variable(first)
        with code.loop(self.n) as loop:
            self._advance(loop, x)

    def _advance(self, loop: Loop, x: Variable) -> None:
        """One interval of the forward pass."""
        code, i = self.code, loop.index
        now = larger(x.value, code.load(self._column(3, i)))
        now = smaller(now, code.load(self._column(4, i)))
        low, high = self._beyond(i)
        self._set_lines(i, low, high, SLACKS[0])
        code.call(self.limits, self.count, self.room, now, code.number(0.0), self.answers)
        with code.when(self._answer(UP) < -self._answer(BELOW + UP)):
            self._give_way(i, now)
        u = self._answer(UP)
        z = larger(now + code.load(self.step, i) * 2.0 * u, low)
        z = smaller(z, high)
        self._stop(larger(now, z) >= ENDLESS, Ending.UNLIMITED, i)
        for row, value in enumerate((now, u, z)):
            code.store(value, self._column(row, i))
        x.value = code.load(self.ratio, i) * z

    def _give_way(self, i: Value, x: Value) -> None:
        """Limits that give way, each time a little more, until there is room."""
        code = self.code
        slack = Variable(code.number(SLACKS[1]))
        with code.loop(len(SLACKS) - 1) as loop:
            code.call(self.yielding_limits, self.count, self.room, x, slack.value, self.answers)
            loop.leave(self._answer(UP) >= -self._answer(BELOW + UP))
            slack.value *= SLACKS[1] / SLACKS[0]
        self._stop(self._answer(UP) < -self._answer(BELOW + UP), Ending.STUCK, i)

    def _beyond(self, i: Value) -> tuple[Value, Value]:
        """The least and the largest z at the end of an interval, from what the backward pass found."""
        code = self.code
        last = i >= self.n - 1
        following = smaller(i + 1, self.n - 1)
        known = (code.load(self._column(row, following)) for row in (3, 4))
        low, high = (choose(last, end, value) for end, value in zip(self.end, known, strict=True))
        return self._ends(i, low, high)
