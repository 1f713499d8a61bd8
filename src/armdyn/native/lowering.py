"""A program as LLVM IR: a function that does W states at once, and one that does a batch of them.

    i64 block(inputs.., results..)      each a pointer to the first row and the bytes between rows
    i64 batch(i64 rows, ptr arrays)     rows >= W; arrays: pointer and bytes between rows of each

Both return how many blocks look suspicious: some row may have had an input, or may have got a
result, that is not a finite number, and wants a second look.
"""

from __future__ import annotations

from armdyn.native.fusion import fused
from armdyn.native.propagation import watched
from armdyn.native.rounds import rounds
from armdyn.native.rows import load_elements, row_pointers, store_elements
from armdyn.native.signature import Signature
from armdyn.native.sines import LIBRARY, Pair, scratch, sines_and_cosines
from armdyn.native.writer import Writer
from armdyn.scalars.program import Program

PROBED = '"probe-stack"="inline-asm"'
"""A long program's values may need more than a page of stack: then every page is touched on the way."""
ARITHMETIC = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv"}


def kernel_ir(program: Program, signature: Signature, width: int, has_fma: bool) -> str:
    """The module with `block` and `batch` for vectors of `width` states."""
    w = Writer(width, has_fma)
    _write_block(w, fused(program), signature)
    attributes = f'"min-legal-vector-width"="{64 * width}" "prefer-vector-width"="{64 * width}" {PROBED}'
    arrays = len(signature.inputs) + len(signature.results)
    parameters = ", ".join(f"ptr noalias %p{k}, i64 %s{k}" for k in range(arrays))
    block = [f"define i64 @block({parameters}) noinline nounwind {attributes} {{", "entry:", *w.lines, "}"]
    head = [*w.declarations(), LIBRARY, '!0 = !{!"branch_weights", i32 1, i32 1000000}']
    return "\n".join([*head, *block, *_batch(width, arrays)])


def _write_block(w: Writer, program: Program, signature: Signature) -> None:
    body = _Body(w, program, signature)
    body.write()
    first = len(signature.inputs)
    start = 0
    for k, size in enumerate(signature.sizes):
        outputs = program.outputs[start : start + size]
        values = {e: body.values[output] for e, output in enumerate(outputs)}
        store_elements(w, row_pointers(w, f"%p{first + k}", f"%s{first + k}"), values)
        start += size
    w.do(f"ret i64 {_suspicion(w, body)}")


class _Body:
    """The values of a program's operations, written in order."""

    def __init__(self, w: Writer, program: Program, signature: Signature) -> None:
        self.w, self.program = w, program
        self._room = scratch(w)
        self.values: dict[int, str] = {}
        self.watch = watched(program, signature)
        self.inputs = self._loaded(signature)
        self._pairs: dict[int, Pair] = {}

    def _loaded(self, signature: Signature) -> dict[tuple[str, int], str]:
        """Every input element that is used or watched, as a vector."""
        asked = {o[1:] for o in self.program.operations if o[0] == "input"}
        asked |= set(self.watch.inputs)
        found: dict[tuple[str, int], str] = {}
        for k, (name, size) in enumerate(signature.inputs):
            used = {element for called, element in asked if called == name}
            if used:
                rows = row_pointers(self.w, f"%p{k}", f"%s{k}")
                columns = load_elements(self.w, rows, size, used)
                found.update({(name, element): column for element, column in columns.items()})
        return found

    def write(self) -> None:
        """Everything in order, angles as early as can be."""
        for level, (indices, angles) in enumerate(rounds(self.program)):
            for index in indices:
                self.values[index] = self._value(index)
            if angles:
                pairs = sines_and_cosines(self.w, [self.values[a] for a in angles], self._room, str(level))
                self._pairs.update(zip(angles, pairs, strict=True))

    def _value(self, index: int) -> str:
        w = self.w
        kind, *arguments = self.program.operations[index]
        if kind == "const":
            return w.constant(arguments[0])
        if kind == "input":
            return self.inputs[arguments[0], arguments[1]]
        if kind in ("sin", "cos"):
            return self._pairs[arguments[0]][("sin", "cos").index(kind)]
        x = [self.values[a] for a in arguments]
        match kind:
            case "fma":
                return w.fma(x[0], x[1], x[2])
            case "fms":
                return w.fma(x[0], x[1], w.negative(x[2]))
            case "fnma":
                return w.fma(w.negative(x[0]), x[1], x[2])
            case "neg":
                return w.negative(x[0])
            case "sqrt":
                return w.function("sqrt", x[0])
            case "select":
                return w.choose(w.compare("ogt", x[0], w.constant(0.0)), x[1], x[2])
            case _:
                return w.binary(ARITHMETIC[kind], x[0], x[1])


def _suspicion(w: Writer, body: _Body) -> str:
    """1 if anything watched is not finite in any lane: zero times it is then not zero."""
    watch = body.watch
    values = [body.inputs[key] for key in watch.inputs] + [body.values[k] for k in watch.outputs]
    total = w.constant(0.0)
    for value in values:
        total = w.fma(value, w.constant(0.0), total)
    return w.new(f"zext i1 {w.any(w.compare('uno', total, w.constant(0.0)))} to i64")


def _batch(width: int, arrays: int) -> list[str]:
    """Blocks of W rows; where W does not divide the rows, the last block does some of them again."""
    lines = [
        "define i64 @batch(i64 %rows, ptr %arrays) nounwind {",
        "entry:",
        f"  %last = sub i64 %rows, {width}",
    ]
    for k in range(arrays):
        lines += [
            f"  %pa{k} = getelementptr i64, ptr %arrays, i64 {2 * k}",
            f"  %p{k} = load ptr, ptr %pa{k}",
            f"  %sa{k} = getelementptr i64, ptr %arrays, i64 {2 * k + 1}",
            f"  %s{k} = load i64, ptr %sa{k}",
        ]
    lines += [
        "  br label %loop",
        "loop:",
        "  %row = phi i64 [ 0, %entry ], [ %next, %loop ]",
        "  %found = phi i64 [ 0, %entry ], [ %sum, %loop ]",
    ]
    for k in range(arrays):
        lines += [
            f"  %o{k} = mul i64 %row, %s{k}",
            f"  %a{k} = getelementptr i8, ptr %p{k}, i64 %o{k}",
        ]
    here = ", ".join(f"ptr %a{k}, i64 %s{k}" for k in range(arrays))
    return [
        *lines,
        f"  %new = call i64 @block({here})",
        "  %sum = add i64 %found, %new",
        f"  %after = add i64 %row, {width}",
        "  %overlaps = icmp sgt i64 %after, %last",
        "  %next = select i1 %overlaps, i64 %last, i64 %after",
        "  %done = icmp sge i64 %after, %rows",
        "  br i1 %done, label %end, label %loop",
        "end:",
        "  ret i64 %sum",
        "}",
    ]
