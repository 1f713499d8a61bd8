"""What an equation may do with a number, whatever kind of number it is.

Equations use the operators `+ - * /`, unary minus, and the functions of this module. They
never look at a value: where a value must decide, they use `select`, so that tracing sees
both sides. A kind of scalar joins by registering its own `sin`, `cos`, `sqrt`, `select`.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any, Protocol


class Scalar(Protocol):
    """A number as equations see it: real, symbolic, counted, or a node of a graph."""

    def __add__(self, other: Any, /) -> Scalar: ...
    def __radd__(self, other: Any, /) -> Scalar: ...
    def __sub__(self, other: Any, /) -> Scalar: ...
    def __rsub__(self, other: Any, /) -> Scalar: ...
    def __mul__(self, other: Any, /) -> Scalar: ...
    def __rmul__(self, other: Any, /) -> Scalar: ...
    def __truediv__(self, other: Any, /) -> Scalar: ...
    def __rtruediv__(self, other: Any, /) -> Scalar: ...
    def __neg__(self) -> Scalar: ...


@singledispatch
def sin(x: Any) -> Any:
    """Sine of an angle [rad]."""
    raise TypeError(f"sin is not defined for {type(x).__name__}")


@singledispatch
def cos(x: Any) -> Any:
    """Cosine of an angle [rad]."""
    raise TypeError(f"cos is not defined for {type(x).__name__}")


@singledispatch
def sqrt(x: Any) -> Any:
    """Square root."""
    raise TypeError(f"sqrt is not defined for {type(x).__name__}")


@singledispatch
def reciprocal(x: Any) -> Any:
    """1 / x; infinite at zero, where Python's own division of floats would raise."""
    return 1 / x


@singledispatch
def select(condition: Any, positive: Any, otherwise: Any) -> Any:  # noqa: ARG001  kinds of scalar use them
    """`positive` where condition > 0, `otherwise` elsewhere (NaN included)."""
    raise TypeError(f"select is not defined for {type(condition).__name__}")


def is_literal(x: Any, *values: int) -> bool:
    """Whether x is one of these whole numbers of an equation itself: structure, in every kind of scalar.

    A parameter that happens to have the value is a number like any other.
    """
    return type(x) is int and x in values


def absolute(x: Any) -> Any:
    """|x|, with both sides visible to tracing."""
    return select(x, x, -x)


def sign(x: Any) -> Any:
    """-1, 0 or 1."""
    return select(x, 1, select(-x, -1, 0))
