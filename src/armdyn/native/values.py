"""Expressions of machine code: `+ - * / < <= > >= & |` on values write the instructions that compute them.

A value is a double, a whole number, a flag or a pointer, or a vector of as many as the processor takes at
once; a single one beside a vector stands in all its lanes. Sums and products are rounded one by one, as NumPy
rounds them. A comparison with NaN is false.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

from armdyn.native.forking import LOCK

with LOCK:
    ir: Any = importlib.import_module("llvmlite.ir")

DOUBLE, WHOLE, FLAG, POINTER, NOTHING = (
    ir.DoubleType(),
    ir.IntType(64),
    ir.IntType(1),
    ir.PointerType(),
    ir.VoidType(),
)


class Value:
    """What the machine will have computed."""

    __slots__ = ("builder", "raw")

    def __init__(self, builder: Any, raw: Any) -> None:
        """Stand where llvmlite's builder is."""
        self.builder, self.raw = builder, raw

    @property
    def lanes(self) -> int:
        """How many a vector has; 0 for a single value."""
        return self.raw.type.count if isinstance(self.raw.type, ir.VectorType) else 0

    @property
    def element(self) -> Any:
        """The kind of a single value, or of each in a vector."""
        return self.raw.type.element if self.lanes else self.raw.type

    def __add__(self, other: Value | float) -> Value:
        return _binary("add", self, other)

    def __sub__(self, other: Value | float) -> Value:
        return _binary("sub", self, other)

    def __mul__(self, other: Value | float) -> Value:
        return _binary("mul", self, other)

    def __truediv__(self, other: Value | float) -> Value:
        return _binary("div", self, other)

    def __and__(self, other: Value | float) -> Value:
        return _binary("and_", self, other)

    def __or__(self, other: Value | float) -> Value:
        return _binary("or_", self, other)

    def __invert__(self) -> Value:
        return self.new(self.builder.not_(self.raw))

    def __neg__(self) -> Value:
        return self.new(self.builder.fneg(self.raw))

    def __lt__(self, other: Value | float) -> Value:
        return _compared("<", self, other)

    def __le__(self, other: Value | float) -> Value:
        return _compared("<=", self, other)

    def __gt__(self, other: Value | float) -> Value:
        return _compared(">", self, other)

    def __ge__(self, other: Value | float) -> Value:
        return _compared(">=", self, other)

    def __abs__(self) -> Value:
        kind, name = self.raw.type, f"llvm.fabs.v{self.lanes}f64" if self.lanes else "llvm.fabs.f64"
        module = self.builder.module
        function = module.globals.get(name) or ir.Function(module, ir.FunctionType(kind, [kind]), name)
        return self.new(self.builder.call(function, [self.raw]))

    def new(self, raw: Any) -> Value:
        """Another value at the same place in the code."""
        return Value(self.builder, raw)

    def constant(self, x: float) -> Value:
        """A number of this value's kind."""
        return self.new(ir.Constant(self.element, float(x) if self.element == DOUBLE else int(x)))


def _alike(a: Value, b: Value | float) -> tuple[Value, Value]:
    """Both as vectors if one is."""
    b = b if isinstance(b, Value) else a.constant(b)
    lanes = max(a.lanes, b.lanes)
    return everywhere(a, lanes), everywhere(b, lanes)


def _binary(kind: str, a: Value, b: Value | float) -> Value:
    a, b = _alike(a, b)
    return a.new(getattr(a.builder, f"f{kind}" if a.element == DOUBLE else kind)(a.raw, b.raw))


def _compared(kind: str, a: Value, b: Value | float) -> Value:
    a, b = _alike(a, b)
    write = a.builder.fcmp_ordered if a.element == DOUBLE else a.builder.icmp_signed
    return a.new(write(kind, a.raw, b.raw))


def everywhere(value: Value, lanes: int) -> Value:
    """A vector with one value in all lanes; one that is a vector already, as it is."""
    if value.lanes == lanes:
        return value
    empty = ir.Constant(ir.VectorType(value.element, lanes), ir.Undefined)
    one = value.new(value.builder.insert_element(empty, value.raw, ir.Constant(WHOLE, 0)))
    return _picked(one, [0] * lanes)


def counted(value: Value, lanes: int) -> Value:
    """A whole number and those after it, as a vector."""
    ahead = ir.Constant(ir.VectorType(WHOLE, lanes), list(range(lanes)))
    return everywhere(value, lanes) + value.new(ahead)


# Choices --------------------------------------------------------------------------------------


def choose(flags: Value, a: Value, b: Value | float) -> Value:
    """The value a where the flag is set, b elsewhere."""
    a, b = _alike(a, b)
    return a.new(a.builder.select(flags.raw, a.raw, b.raw))


def smaller(a: Value, b: Value | float) -> Value:
    """The smaller of two; b where one is NaN."""
    return choose(a < b, a, b)


def larger(a: Value, b: Value | float) -> Value:
    """The larger of two; b where one is NaN."""
    return choose(a > b, a, b)


def is_nan(a: Value) -> Value:
    """Flags, set where a value is no number."""
    return a.new(a.builder.fcmp_unordered("uno", a.raw, a.raw))


# Across the lanes of a vector -----------------------------------------------------------------


def any_of(flags: Value) -> Value:
    """Whether a flag of any lane is set."""
    bits = flags.builder.bitcast(flags.raw, ir.IntType(flags.lanes))
    return flags.new(flags.builder.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0)))


def least_of(values: Value, beside: Value) -> tuple[Value, Value]:
    """The least value of all lanes, and what stands beside it in another vector.

    By halves: where only one lane of a rotated vector is needed, LLVM 22 compares the wrong one with AVX-512.
    """
    while values.lanes > 1:
        (a, b), (c, d) = _halves(values), _halves(beside)
        below = b < a
        values, beside = choose(below, b, a), choose(below, d, c)
    return _only(values), _only(beside)


def _halves(values: Value) -> tuple[Value, Value]:
    half = values.lanes // 2
    return _picked(values, range(half)), _picked(values, range(half, 2 * half))


def _picked(values: Value, lanes: Sequence[int]) -> Value:
    mask = ir.Constant(ir.VectorType(ir.IntType(32), len(lanes)), list(lanes))
    return values.new(values.builder.shuffle_vector(values.raw, values.raw, mask))


def _only(values: Value) -> Value:
    return values.new(values.builder.extract_element(values.raw, ir.Constant(WHOLE, 0)))


# From one kind to another ---------------------------------------------------------------------


def as_double(a: Value) -> Value:
    """A whole number as a double."""
    return a.new(a.builder.sitofp(a.raw, DOUBLE))


def as_whole(a: Value) -> Value:
    """A double, or a flag, as a whole number."""
    return a.new(a.builder.fptosi(a.raw, WHOLE) if a.element == DOUBLE else a.builder.zext(a.raw, WHOLE))
