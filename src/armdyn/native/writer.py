"""Writing LLVM IR: one line per operation, each on a vector of W doubles.

Sums of products are fused only where the program says so (`llvm.fma`), never at the compiler's
choice, so that the bits of a result do not depend on W.
"""

from __future__ import annotations

import struct


class Writer:
    """The body of a function whose values are vectors of `width` doubles."""

    def __init__(self, width: int, fused: bool) -> None:
        """Start an empty body."""
        self.width = width
        self.fused = fused
        self.lines: list[str] = []
        self.block = "entry"
        self._names = 0
        wide = width > 1
        self.type = f"<{width} x double>" if wide else "double"
        self.integers = f"<{width} x i64>" if wide else "i64"
        self.flags = f"<{width} x i1>" if wide else "i1"
        self._suffix = f"v{width}f64" if wide else "f64"

    def new(self, operation: str) -> str:
        """A value of its own name."""
        self._names += 1
        self.lines.append(f"  %v{self._names} = {operation}")
        return f"%v{self._names}"

    def do(self, operation: str) -> None:
        """An operation without a value."""
        self.lines.append(f"  {operation}")

    def start(self, block: str) -> None:
        """Begin a basic block."""
        self.lines.append(f"{block}:")
        self.block = block

    # Constants ----------------------------------------------------------------------------

    def constant(self, x: float) -> str:
        """A number in every lane."""
        return hexadecimal(x) if self.width == 1 else f"splat (double {hexadecimal(x)})"

    def integer(self, x: int) -> str:
        """A whole number in every lane."""
        return str(x) if self.width == 1 else f"splat (i64 {x})"

    def everywhere(self, kind: str, value: str) -> str:
        """One value, an i64 or a double, in every lane."""
        if self.width == 1:
            return value
        vector = f"<{self.width} x {kind}>"
        one = self.new(f"insertelement {vector} poison, {kind} {value}, i64 0")
        return self.new(
            f"shufflevector {vector} {one}, {vector} poison, <{self.width} x i32> zeroinitializer"
        )

    # Arithmetic ---------------------------------------------------------------------------

    def binary(self, kind: str, a: str, b: str) -> str:
        """One of fadd, fsub, fmul, fdiv."""
        return self.new(f"{kind} {self.type} {a}, {b}")

    def negative(self, a: str) -> str:
        """-a."""
        return self.new(f"fneg {self.type} {a}")

    def fma(self, a: str, b: str, c: str) -> str:
        """The sum a b + c, rounded once where the processor can."""
        if not self.fused:
            return self.binary("fadd", self.binary("fmul", a, b), c)
        t = self.type
        return self.new(f"call {t} @llvm.fma.{self._suffix}({t} {a}, {t} {b}, {t} {c})")

    def function(self, name: str, a: str) -> str:
        """One of LLVM's functions of one value, such as sqrt or fabs."""
        return self.new(f"call {self.type} @llvm.{name}.{self._suffix}({self.type} {a})")

    def compare(self, how: str, a: str, b: str) -> str:
        """Flags, one per lane."""
        return self.new(f"fcmp {how} {self.type} {a}, {b}")

    def choose(self, flags: str, a: str, b: str) -> str:
        """The value a where the flag is set, b elsewhere."""
        return self.new(f"select {self.flags} {flags}, {self.type} {a}, {self.type} {b}")

    def on_integers(self, kind: str, a: str, b: str) -> str:
        """An operation on whole numbers such as shl, and, xor, add."""
        return self.new(f"{kind} {self.integers} {a}, {b}")

    def as_integers(self, a: str) -> str:
        """The bits of a."""
        return self.new(f"bitcast {self.type} {a} to {self.integers}")

    def as_doubles(self, a: str) -> str:
        """The numbers with these bits."""
        return self.new(f"bitcast {self.integers} {a} to {self.type}")

    def any(self, flags: str) -> str:
        """Whether a flag of any lane is set, as an i1."""
        if self.width == 1:
            return flags
        w = self.width
        return self.new(f"call i1 @llvm.vector.reduce.or.v{w}i1({self.flags} {flags})")

    # Memory -------------------------------------------------------------------------------

    def address(self, pointer: str, element: int) -> str:
        """The place of the element-th double after a pointer."""
        return pointer if element == 0 else self.new(f"getelementptr double, ptr {pointer}, i64 {element}")

    def load(self, kind: str, address: str) -> str:
        """A value from memory."""
        return self.new(f"load {kind}, ptr {address}, align 8")

    def store(self, kind: str, value: str, address: str) -> None:
        """A value to memory."""
        self.do(f"store {kind} {value}, ptr {address}, align 8")

    def fence(self) -> None:
        """Keeps stores on their side; a word to the compiler, not to the processor."""
        self.do('fence syncscope("singlethread") seq_cst')

    def shuffle(self, lanes: int, a: str, b: str, pick: list[int]) -> str:
        """The picked lanes of two vectors of `lanes` doubles, counted through both."""
        kind = f"<{lanes} x double>"
        mask = ", ".join(f"i32 {k}" for k in pick)
        return self.new(f"shufflevector {kind} {a}, {kind} {b}, <{len(pick)} x i32> <{mask}>")

    def declarations(self) -> list[str]:
        """What this writer may call."""
        t, s = self.type, self._suffix
        one = [f"declare {t} @llvm.{name}.{s}({t})" for name in ("sqrt", "fabs")]
        reduce = f"declare i1 @llvm.vector.reduce.or.v{self.width}i1({self.flags})"
        return [f"declare {t} @llvm.fma.{s}({t}, {t}, {t})", *one, *([reduce] if self.width > 1 else [])]


def hexadecimal(x: float) -> str:
    """A double, exactly, as LLVM reads it."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"
