"""Functions of machine code with variables, loops and memory, around the expressions of `values`."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from armdyn.native.values import DOUBLE, WHOLE, Value, ir


class Module:
    """Functions that are compiled together, for vectors of `width` doubles."""

    def __init__(self, width: int) -> None:
        """Start without functions."""
        self.width = width
        self._raw = ir.Module()

    def function(self, name: str, result: Any, kinds: Sequence[Any], *, internal: bool = True) -> Code:
        """The body of a new function with arguments of these kinds."""
        raw = ir.Function(self._raw, ir.FunctionType(result, kinds), name)
        raw.linkage = "internal" if internal else ""
        raw.attributes.add("nounwind")
        return Code(raw, self.width)

    def text(self) -> str:
        """The module as LLVM reads it."""
        return str(self._raw)


class Code:
    """The body of a function, written from its beginning to its end."""

    def __init__(self, function: Any, width: int) -> None:
        """Start at the first line."""
        self.function, self.width = function, width
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.arguments = [Value(self.builder, argument) for argument in function.args]

    def number(self, x: float) -> Value:
        """A double."""
        return Value(self.builder, ir.Constant(DOUBLE, float(x)))

    def whole(self, x: int) -> Value:
        """A whole number."""
        return Value(self.builder, ir.Constant(WHOLE, x))

    # Memory -------------------------------------------------------------------------------

    def space(self, count: int) -> Value:
        """Room for this many doubles, as long as the function runs."""
        with self.builder.goto_entry_block():
            return Value(self.builder, self.builder.alloca(DOUBLE, count))

    def place(self, pointer: Value, index: Value | int) -> Value:
        """Where the index-th double after a pointer is."""
        at = index if isinstance(index, Value) else self.whole(index)
        return Value(self.builder, self.builder.gep(pointer.raw, [at.raw], source_etype=DOUBLE))

    def load(self, pointer: Value, index: Value | int = 0) -> Value:
        """The index-th double."""
        return self._loaded(pointer, index, DOUBLE)

    def load_vector(self, pointer: Value, index: Value | int = 0) -> Value:
        """The doubles from the index-th on."""
        return self._loaded(pointer, index, ir.VectorType(DOUBLE, self.width))

    def _loaded(self, pointer: Value, index: Value | int, kind: Any) -> Value:
        return Value(self.builder, self.builder.load(self.place(pointer, index).raw, typ=kind, align=8))

    def store(self, value: Value, pointer: Value, index: Value | int = 0) -> None:
        """Write a double, or a vector from the index-th on."""
        self.builder.store(value.raw, self.place(pointer, index).raw, align=8)

    # Ways through the code ----------------------------------------------------------------

    @contextmanager
    def when(self, flag: Value) -> Generator[None]:
        """What is done only if the flag is set, which is seldom."""
        with self.builder.if_then(flag.raw, likely=False):
            yield

    @contextmanager
    def loop(self, count: Value | int, step: int = 1) -> Generator[Loop]:
        """What is done with an index 0, step, 2 step, .. below count."""
        index = Variable(self.whole(0))
        again, body, after = (self.builder.append_basic_block(name) for name in ("again", "body", "after"))
        self.builder.branch(again)
        self.builder.position_at_end(again)
        self.builder.cbranch((index.value < count).raw, body, after)
        self.builder.position_at_end(body)
        yield Loop(index.value, after)
        index.value += step
        self.builder.branch(again)
        self.builder.position_at_end(after)

    def call(self, code: Code, *arguments: Value) -> None:
        """Run another function of the module that gives nothing back."""
        self.builder.call(code.function, [argument.raw for argument in arguments])

    def end(self, result: Value | None = None) -> None:
        """Return from the function."""
        if result is None:
            self.builder.ret_void()
        else:
            self.builder.ret(result.raw)


class Variable:
    """A place for a value that changes."""

    def __init__(self, first: Value) -> None:
        """Hold a first value."""
        self._builder, self._kind = first.builder, first.raw.type
        with self._builder.goto_entry_block():
            self._place = self._builder.alloca(self._kind)
        self.value = first

    @property
    def value(self) -> Value:
        """What it holds now."""
        return Value(self._builder, self._builder.load(self._place, typ=self._kind))

    @value.setter
    def value(self, value: Value) -> None:
        self._builder.store(value.raw, self._place)


class Loop:
    """A loop that is being written."""

    def __init__(self, index: Value, after: Any) -> None:
        """Know which round it is and what comes after the last."""
        self.index, self._after = index, after

    def leave(self, flag: Value) -> None:
        """Go on after the loop if the flag is set."""
        builder = self.index.builder
        stay = builder.append_basic_block("stay")
        builder.cbranch(flag.raw, self._after, stay)
        builder.position_at_end(stay)
