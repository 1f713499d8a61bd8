"""The lines of an interval as machine code: rows divided by |a|, and which of them bound u at some x.

All lines lie in `room`, three rows of `count` doubles: which way a line bounds u (above: positive, below:
negative, not at all: 0), its d and its s: u <= d + s x, or -u <= d + s x. Answers are written as doubles.
"""

from __future__ import annotations

from math import inf

from armdyn.native.loops import Code, Module, Variable
from armdyn.native.values import (
    DOUBLE,
    NOTHING,
    POINTER,
    WHOLE,
    Value,
    any_of,
    as_double,
    choose,
    counted,
    everywhere,
    is_nan,
    least_of,
    smaller,
)
from armdyn.retiming.optimal.passes_problem import NEGLIGIBLE, TINIEST

LEAST, MOST, NANS = range(3)
"""The answers of `lines`: bounds of x alone, and how many rows in a lane are no numbers."""
UP, D, S, LINE = range(4)
"""The answers of `limits` for the line that bounds u from above: d + s x, d, s and its number."""
BELOW = 4
"""Where those for the line below begin."""
ANSWERS = 8


def yielding(value: Value, slack: Value | float) -> Value:
    """A little more than a value."""
    return value + abs(value) * slack


def lines(made: Module) -> Code:
    """Write `lines(m, count, a, b, c, reach, slack, room, answers)`: rows, giving way a little -> room."""
    code = made.function("lines", NOTHING, [WHOLE, WHOLE, *[POINTER] * 3, DOUBLE, DOUBLE, POINTER, POINTER])
    m, count, *rows, reach, slack, room, answers = code.arguments
    zero = everywhere(code.number(0.0), made.width)
    least, most, nans = Variable(zero), Variable(zero + inf), Variable(zero)
    with code.loop(m, made.width) as loop:
        k = smaller(loop.index, m - made.width)  # the last rows are done twice rather than one by one
        a, b, c = (code.load_vector(pointer, k) for pointer in rows)
        nans.value = choose(is_nan(a + b + c), nans.value + 1.0, nans.value)
        size = abs(a)
        flat = (size * reach <= abs(c) * NEGLIGIBLE) | (size <= (abs(b) + abs(c) + 1.0) * TINIEST)
        share = (zero + 1.0) / size
        for part, value in enumerate((a, yielding(c * share, slack), yielding(-b * share, slack))):
            code.store(choose(~flat, value, 0.0), room, k + count * part)
        with code.when(any_of(flat)):
            low, high = _bounds(b, c)
            least.value = choose(flat & (low > least.value), low, least.value)
            most.value = choose(flat & (high < most.value), high, most.value)
    for answer, values in ((LEAST, -least.value), (MOST, most.value), (NANS, -nans.value)):
        found, _ = least_of(values, values)
        code.store(found if answer == MOST else -found, answers, answer)
    code.end()
    return code


def _bounds(b: Value, c: Value) -> tuple[Value, Value]:
    """The least and the largest x by b x <= c."""
    bound = c / b
    never = (b <= 0.0) & (b >= 0.0) & (c < 0.0)
    nothing = bound.constant(0.0)
    low = choose(b < 0.0, bound, choose(never, everywhere(nothing + inf, bound.lanes), nothing))
    return low, choose(b > 0.0, bound, inf)


def limits(made: Module, *, gives_way: bool) -> Code:
    """Write `limits(count, room, x, slack, answers)`: the lines with the least d + s x, above and below.

    Where it `gives_way`, to each is added the slack's share of |d| + |s| x.
    """
    name = "yielding_limits" if gives_way else "limits"
    code = made.function(name, NOTHING, [WHOLE, POINTER, DOUBLE, DOUBLE, POINTER])
    count, room, x, slack, answers = code.arguments
    endless, nobody = (everywhere(v, made.width) for v in (code.number(inf), code.whole(0)))
    sides = [(Variable(endless), Variable(nobody)) for _ in range(2)]
    with code.loop(count, made.width) as loop:
        k = loop.index
        way, d, s = (code.load_vector(room, k + count * part) for part in range(3))
        value = d + s * x
        if gives_way:
            value += (abs(d) + abs(s) * x) * slack
        for bounds, (best, line) in zip((way > 0.0, way < 0.0), sides, strict=True):
            nearer = bounds & (value < best.value)
            best.value = choose(nearer, value, best.value)
            line.value = choose(nearer, counted(k, made.width), line.value)
    for first, (best, line) in zip((0, BELOW), sides, strict=True):
        value, number = least_of(best.value, line.value)
        d, s = (code.load(room, number + count * part) for part in (1, 2))
        for answer, found in ((UP, value), (D, d), (S, s), (LINE, as_double(number))):
            code.store(found, answers, first + answer)
    code.end()
    return code
