"""Operators and functions on values whose types have been checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from armdyn.errors import ProgramError
from armdyn.program.tree import Place
from armdyn.program.values import Joints, RobTarg, is_triple
from armdyn.scalars import exact_cos_sin

LARGEST_WHOLE = 2**53
"""Whole numbers up to here are exact."""


def fault(message: str, at: Place) -> ProgramError:
    """An error at a place."""
    return ProgramError(message, line=at.line, column=at.column)


def checked(value: Any, at: Place) -> Any:
    """The value, if it is made of numbers that can be worked with."""
    values: Any = value.position if isinstance(value, RobTarg) else value
    numbers: Sequence[Any] = values if is_triple(values) else (values,)
    for x in numbers:
        if isinstance(x, float) and not math.isfinite(x):
            raise fault("the result is too large for a number", at)
        if isinstance(x, int) and abs(x) > LARGEST_WHOLE:
            raise fault("the result is too large for a whole number, expected at most 2^53; use real", at)
    return value


# Operators ------------------------------------------------------------------------------------


def operated(left: Any, sign: str, right: Any, at: Place) -> Any:
    """The value of `left sign right`."""
    if sign in ("and", "or"):
        return right
    if sign in ("/", "div", "mod") and right == 0:
        raise fault(f'"{sign}" by zero', at)
    if sign in ("+", "-"):
        return _added(left, 1 if sign == "+" else -1, right)
    operator = _OPERATORS[sign]
    if is_triple(left):
        return tuple(operator(x, right) for x in left)
    return tuple(operator(left, x) for x in right) if is_triple(right) else operator(left, right)


def _added(left: Any, sign: int, right: Any) -> Any:
    if isinstance(left, RobTarg):
        return left.shifted(right, sign)
    if isinstance(right, RobTarg):
        return right.shifted(left)
    if is_triple(left):
        return tuple(a + sign * b for a, b in zip(left, right, strict=True))
    return left + sign * right


def _div(left: int, right: int) -> int:
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) == (right < 0) else -quotient


_OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "*": lambda a, b: a * b,
    "/": lambda a, b: float(a) / float(b),
    "div": _div,
    "mod": lambda a, b: a - b * _div(a, b),
    "=": lambda a, b: a == b,
    "<>": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


def prefixed(signs: Sequence[str], value: Any) -> Any:
    """The value after its signs."""
    if signs[0] == "not":
        return value if len(signs) % 2 == 0 else not value
    if signs.count("-") % 2 == 0:
        return value
    return tuple(-x for x in value) if is_triple(value) else -value


# Functions ------------------------------------------------------------------------------------


def called(name: str, arguments: tuple[Any, ...], at: Place) -> Any:
    """The value of a function, or the value put together."""
    if name in ("position", "orientation", "mainjoint"):
        return tuple(float(x) for x in arguments)
    if name == "joint":
        return Joints(arguments[0])
    if name == "robtarg":
        return _target(arguments)
    return checked(_FUNCTIONS[name](at, *arguments), at)


def _target(arguments: tuple[Any, ...]) -> RobTarg:
    first, *rest = arguments
    if len(first) == 2:
        first, rest = first[0], [first[1], *rest]
    return RobTarg(first, *rest)


def _sqrt(at: Place, x: float) -> float:
    if x < 0:
        raise fault(f"sqrt of {x:g}, expected 0 or more", at)
    return math.sqrt(x)


def _sin(_: Place, x: float) -> float:
    return exact_cos_sin(math.radians(x))[1]


def _cos(_: Place, x: float) -> float:
    return exact_cos_sin(math.radians(x))[0]


def _tan(at: Place, x: float) -> float:
    c, s = exact_cos_sin(math.radians(x))
    if c == 0:
        raise fault(f"tan of {x:g} degrees has no value", at)
    return s / c


def _atan2(at: Place, y: float, x: float) -> float:
    if x == y == 0:
        raise fault("atan2 of 0 and 0 has no value", at)
    return math.degrees(math.atan2(y, x))


def _abs(_: Place, x: float) -> float:
    return abs(x)


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "sqrt": _sqrt,
    "sin": _sin,
    "cos": _cos,
    "tan": _tan,
    "atan2": _atan2,
    "abs": _abs,
}
