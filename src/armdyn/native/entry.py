"""The functions that Python calls, as LLVM IR around a kernel's `block` and `batch`.

`call` looks at its arguments: exact float64 arrays side by side, of one state or of a small batch, with or
without `out=`. It takes every other call, and every state that wants a second look, to the Python function
that is its `self`. `fill` is for callers who have looked already.
"""

from __future__ import annotations

from collections.abc import Sequence

from armdyn.native.interpreter import READABLE, WRITABLE, Layout
from armdyn.native.signature import Signature

SMALL = 4096
"""States up to which a batch does not need the pieces and threads of larger ones."""

Shape = tuple[int | str, ...]
"""Sizes that are known now, or the names of values that hold them."""


def fill_ir(signature: Signature, known: Layout) -> str:
    """The function `fill`: PyObject *(self, args, count), and the table of addresses."""
    table = f"@python = global [{len(known.addresses)} x ptr] zeroinitializer"
    return "\n".join([table, *_Fill(signature, known).lines])


def call_ir(signature: Signature, known: Layout, width: int, fewest: int) -> str:
    """The function `call`: PyObject *(self, args, count, keywords), where self takes the other calls.

    In a module of width 1 it does one state, and batches of `fewest` rows or more once it is told where their
    code is; in any other module it does batches.
    """
    wide = f"@wide = global ptr {'null' if width == 1 else '@batch'}"
    return "\n".join([wide, *_Call(signature, known, fewest, one_state=width == 1).lines])


class _Function:
    """The lines of a function that handles Python objects."""

    def __init__(self, known: Layout, head: str) -> None:
        self._known = known
        self._names = 0
        self.lines: list[str] = [f"define ptr {head} nounwind {{", "entry:"]

    def _new(self, operation: str) -> str:
        self._names += 1
        self.lines.append(f"  %c{self._names} = {operation}")
        return f"%c{self._names}"

    def _put(self, table: str, position: int, kind: str, value: str) -> None:
        place = self._new(f"getelementptr i64, ptr {table}, i64 {position}")
        self.lines.append(f"  store {kind} {value}, ptr {place}")

    def _known_address(self, name: str) -> str:
        """A pointer from the table that is filled when the code is loaded."""
        position = list(self._known.addresses).index(name)
        return self._new(f"load ptr, ptr {self._new(f'getelementptr ptr, ptr @python, i64 {position}')}")

    def _unlocked(self, operation: str) -> str:
        """A value computed while other threads may run Python."""
        state = self._new(f"call ptr {self._known_address('PyEval_SaveThread')}()")
        found = self._new(operation)
        self.lines.append(f"  call void {self._known_address('PyEval_RestoreThread')}(ptr {state})")
        return found

    def _argument(self, k: int) -> str:
        return self._new(f"load ptr, ptr {self._new(f'getelementptr ptr, ptr %args, i64 {k}')}")

    def _field(self, array: str, name: str, kind: str) -> str:
        place = self._new(f"getelementptr i8, ptr {array}, i64 {self._known.fields[name]}")
        return self._new(f"load {kind}, ptr {place}")


class _Fill(_Function):
    """The lines of `fill`."""

    def __init__(self, signature: Signature, known: Layout) -> None:
        super().__init__(known, "@fill(ptr %self, ptr %args, i64 %count, ptr %keywords)")
        arrays = len(signature.inputs) + len(signature.results)
        table = self._new(f"alloca [{2 * arrays} x i64]")
        for k in range(arrays):
            array = self._argument(k)
            self._put(table, 2 * k, "ptr", self._field(array, "data", "ptr"))
            stride = self._new(f"load i64, ptr {self._field(array, 'strides', 'ptr')}")
            self._put(table, 2 * k + 1, "i64", stride)
        rows = self._new(f"load i64, ptr {self._field(self._argument(arrays - 1), 'shape', 'ptr')}")
        found = self._unlocked(f"call i64 @batch(i64 {rows}, ptr {table})")
        answer = self._new(f"call ptr {self._known_address('PyBool_FromLong')}(i64 {found})")
        self.lines += [f"  ret ptr {answer}", "}"]


class _Call(_Function):
    """The lines of `call`, check by check."""

    def __init__(self, signature: Signature, known: Layout, fewest: int, *, one_state: bool) -> None:
        super().__init__(known, "@call(ptr %self, ptr %args, i64 %count, ptr %keywords)")
        self._signature, self._fewest, self._does_one = signature, fewest, one_state
        self._table = self._new(f"alloca [{2 * (len(signature.inputs) + len(signature.results))} x i64]")
        self._shape = self._new(f"alloca [{1 + max(len(shape) for shape in signature.results)} x i64]")
        self._go_on_if(f"icmp eq i64 %count, {len(signature.inputs)}")
        self._kind, self._dtype = self._known_address("PyArray_Type"), self._known_address("float64")
        self._inputs = [self._exact_array(k, READABLE) for k in range(len(signature.inputs))]
        self._go_on_if("icmp eq ptr %keywords, null", "with_words" if self._takes_out else "otherwise")
        self._one_state_or_more(None)
        if self._takes_out:
            self.lines.append("with_words:")
            self._one_state_or_more(self._out())
        self.lines += ["otherwise:"]
        call = self._known_address("PyObject_Vectorcall")
        made = self._new(f"call ptr {call}(ptr %self, ptr %args, i64 %count, ptr %keywords)")
        self.lines += [f"  ret ptr {made}", "}"]

    @property
    def _takes_out(self) -> bool:
        """Several results have several arrays to fill: they are Python's business."""
        return len(self._signature.results) == 1

    def _one_state_or_more(self, out: str | None) -> None:
        if self._does_one:
            batch = f"batch{self._names}"
            self._go_on_if(f"icmp eq i32 {self._field(self._inputs[0], 'dimensions', 'i32')}, 1", batch)
            self._one_state(out)
            self.lines.append(f"{batch}:")
        self._small_batch(out)

    def _one_state(self, out: str | None) -> None:
        places, results = self._places((), "1", out)
        parameters = ", ".join(f"ptr {place}, i64 0" for place in places)
        self._returned(self._new(f"call i64 @block({parameters})"), results)

    def _small_batch(self, out: str | None) -> None:
        wide = self._new("load ptr, ptr @wide")
        self._go_on_if(f"icmp ne ptr {wide}, null")
        self._go_on_if(f"icmp eq i32 {self._field(self._inputs[0], 'dimensions', 'i32')}, 2")
        rows = self._new(f"load i64, ptr {self._field(self._inputs[0], 'shape', 'ptr')}")
        self._go_on_if(f"icmp sge i64 {rows}, {self._fewest}")
        self._go_on_if(f"icmp sle i64 {rows}, {SMALL}")
        places, results = self._places((rows,), rows, out)
        sizes = [*(size for _, size in self._signature.inputs), *self._signature.sizes]
        for k, (place, size) in enumerate(zip(places, sizes, strict=True)):
            self._put(self._table, 2 * k, "ptr", place)
            self._put(self._table, 2 * k + 1, "i64", str(8 * size))
        self._returned(self._unlocked(f"call i64 {wide}(i64 {rows}, ptr {self._table})"), results)

    def _places(self, batch: Shape, rows: str, out: str | None) -> tuple[list[str], list[str]]:
        """The data of all inputs and results, and the results, of which we own a reference each."""
        sizes = [size for _, size in self._signature.inputs]
        given = [self._data_of(a, (*batch, size)) for a, size in zip(self._inputs, sizes, strict=True)]
        shapes: list[Shape] = [(*batch, *shape) for shape in self._signature.results]
        if out is None:
            results = self._new_arrays(shapes)
        else:
            filled = (self._data_of(out, shapes[0]), self._signature.sizes[0])
            for place, size in zip(given, sizes, strict=True):
                self._go_on_if_apart(filled, (place, size), rows)
            self.lines.append(f"  call void {self._known_address('Py_IncRef')}(ptr {out})")
            results = [out]
        return [*given, *(self._field(array, "data", "ptr") for array in results)], results

    # Small steps --------------------------------------------------------------------------

    def _go_on_if(self, condition: str, otherwise: str = "otherwise") -> None:
        flag = self._new(condition)
        following = f"b{self._names}"
        self.lines += [f"  br i1 {flag}, label %{following}, label %{otherwise}", f"{following}:"]

    def _go_on_if_apart(self, one: tuple[str, int], other: tuple[str, int], rows: str) -> None:
        """Where neither of two pieces of memory, (pointer, doubles in a row), reaches into the other."""
        (a, a_end), (b, b_end) = (self._reach(*piece, rows) for piece in (one, other))
        before, after = self._new(f"icmp ule ptr {a_end}, {b}"), self._new(f"icmp ule ptr {b_end}, {a}")
        self._go_on_if(f"or i1 {before}, {after}")

    def _reach(self, pointer: str, size: int, rows: str) -> tuple[str, str]:
        length = self._new(f"mul i64 {rows}, {8 * size}")
        return pointer, self._new(f"getelementptr i8, ptr {pointer}, i64 {length}")

    # Arguments ----------------------------------------------------------------------------

    def _out(self) -> str:
        """The array to fill, if that is the one keyword given."""
        count = self._new(f"call i64 {self._known_address('PyTuple_Size')}(ptr %keywords)")
        self._go_on_if(f"icmp eq i64 {count}, 1")
        word = self._new(f"call ptr {self._known_address('PyTuple_GetItem')}(ptr %keywords, i64 0)")
        self._go_on_if(f"icmp eq ptr {word}, {self._known_address('out')}")
        return self._exact_array(len(self._signature.inputs), READABLE | WRITABLE)

    def _exact_array(self, k: int, allowed: int) -> str:
        """An argument that is an array of doubles side by side, not of a subclass."""
        array = self._argument(k)
        self._go_on_if(f"icmp eq ptr {self._field(array, 'type', 'ptr')}, {self._kind}")
        self._go_on_if(f"icmp eq ptr {self._field(array, 'dtype', 'ptr')}, {self._dtype}")
        flags = self._new(f"and i32 {self._field(array, 'flags', 'i32')}, {allowed}")
        self._go_on_if(f"icmp eq i32 {flags}, {allowed}")
        return array

    def _data_of(self, array: str, shape: Shape) -> str:
        """The data of an array of this shape."""
        self._go_on_if(f"icmp eq i32 {self._field(array, 'dimensions', 'i32')}, {len(shape)}")
        sizes = self._field(array, "shape", "ptr")
        for k, wanted in enumerate(shape):
            size = self._new(f"load i64, ptr {self._new(f'getelementptr i64, ptr {sizes}, i64 {k}')}")
            self._go_on_if(f"icmp eq i64 {size}, {wanted}")
        return self._field(array, "data", "ptr")

    # Results ------------------------------------------------------------------------------

    def _new_arrays(self, shapes: Sequence[Shape]) -> list[str]:
        keep, create = self._known_address("Py_IncRef"), self._known_address("PyArray_NewFromDescr")
        made: list[str] = []
        for shape in shapes:
            for k, size in enumerate(shape):
                self._put(self._shape, k, "i64", str(size))
            self.lines.append(f"  call void {keep}(ptr {self._dtype})")  # the array takes one over
            what = f"ptr {self._kind}, ptr {self._dtype}, i32 {len(shape)}, ptr {self._shape}"
            array = self._new(f"call ptr {create}({what}, ptr null, ptr null, i32 0, ptr null)")
            self._given_back_if_null(array, made)
            made.append(array)
        return made

    def _given_back_if_null(self, made: str, earlier: list[str]) -> None:
        """Where memory is out, release what was made before and report the error that is set."""
        failed = f"f{self._names}"
        self._go_on_if(f"icmp ne ptr {made}, null", failed)
        following = self.lines.pop()
        self.lines.append(f"{failed}:")
        self._release(earlier)
        self.lines += ["  ret ptr null", following]

    def _release(self, arrays: list[str]) -> None:
        if arrays:
            release = self._known_address("Py_DecRef")
            self.lines += [f"  call void {release}(ptr {array})" for array in arrays]

    def _returned(self, suspicious: str, results: list[str]) -> None:
        """Return the results; where a state wants a second look, drop them and let Python look."""
        drop = f"d{self._names}"
        self._go_on_if(f"icmp eq i64 {suspicious}, 0", drop)
        returned = results[0] if len(results) == 1 else self._tuple(results)
        self.lines += [f"  ret ptr {returned}", f"{drop}:"]
        self._release(results)
        self.lines.append("  br label %otherwise")

    def _tuple(self, results: list[str]) -> str:
        made = self._new(f"call ptr {self._known_address('PyTuple_New')}(i64 {len(results)})")
        self._given_back_if_null(made, results)
        put = self._known_address("PyTuple_SetItem")
        for k, array in enumerate(results):
            self._new(f"call i32 {put}(ptr {made}, i64 {k}, ptr {array})")
        return made
