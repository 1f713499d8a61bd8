"""Calls from Python at the cost of a C function: a compiled builtin around a kernel's code.

Called with exact float64 arrays, of one state or of a small batch, it checks them in machine code,
makes the result arrays and fills them. Anything else, and every state that wants a second look,
goes to a Python function that knows all cases.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from typing import Any

from armdyn.native.interpreter import READABLE, Layout
from armdyn.native.llvm import Loaded
from armdyn.native.signature import Signature

METH_FASTCALL = 0x0080
METH_KEYWORDS = 0x0002
SMALL = 4096
"""States up to which a batch is run without giving others the interpreter: some tens of microseconds."""


class _MethodDefinition(ctypes.Structure):
    """PyMethodDef of Python's C interface."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class _Otherwise:
    """The Python function for all other cases; it keeps the builtin's code alive."""

    __slots__ = ("_function", "_kept")

    def __init__(self, function: Callable[..., Any], *kept: Any) -> None:
        self._function, self._kept = function, kept

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._function(*args, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled builtin is the method of this name of what the function belongs to."""
        return _itself, (getattr(self._function, "__self__", None),)


def _itself(one: Any) -> Any:
    return one


def builtin(loaded: Loaded, name: str, doc: str, otherwise: Callable[..., Any], keep: object) -> Any:
    """The builtin for a kernel's inputs; `otherwise` takes the calls that it does not.

    What the code needs in memory must stay as long as the builtin: it holds on to `keep`.
    """
    flags = METH_FASTCALL | METH_KEYWORDS
    definition = _MethodDefinition(name.encode(), loaded.function("call"), flags, doc.encode())
    return _created(definition, _Otherwise(otherwise, keep, loaded, definition))


def filler(loaded: Loaded) -> Callable[..., bool]:
    """A builtin that runs `batch` on arrays (rows, size), inputs then results; other threads run meanwhile.

    It trusts its caller: real arrays of doubles side by side, with as many rows as one vector at least.
    """
    definition = _MethodDefinition(b"fill", loaded.function("fill"), METH_FASTCALL, b"")
    return _created(definition, (loaded, definition))


def _created(definition: _MethodDefinition, owner: object) -> Any:
    create = ctypes.pythonapi.PyCFunction_NewEx
    create.restype = ctypes.py_object
    create.argtypes = [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    return create(ctypes.addressof(definition), owner, None)


def give_addresses(loaded: Loaded, known: Layout) -> None:
    """Tell the code where Python and NumPy are in this process."""
    table = (ctypes.c_void_p * len(known.addresses)).from_address(loaded.data("python"))
    table[:] = list(known.addresses.values())


def set_wide(loaded: Loaded, batch: int) -> None:
    """Tell the builtin's module where the code for batches is."""
    ctypes.c_void_p.from_address(loaded.data("wide")).value = batch


def fill_ir(signature: Signature, known: Layout) -> str:
    """The function `fill`: PyObject *(self, args, count), and the table of addresses."""
    table = f"@python = global [{len(known.addresses)} x ptr] zeroinitializer"
    return "\n".join([table, *_Fill(signature, known).lines])


def call_ir(signature: Signature, known: Layout, width: int) -> str:
    """The function `call`: PyObject *(self, args, count, keywords), where self takes the other calls.

    `width` is the fewest rows that the code for batches can do.
    """
    return "\n".join(["@wide = global ptr null", *_Call(signature, known, width).lines])


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

    def _argument(self, k: int) -> str:
        return self._new(f"load ptr, ptr {self._new(f'getelementptr ptr, ptr %args, i64 {k}')}")

    def _field(self, array: str, name: str, kind: str) -> str:
        place = self._new(f"getelementptr i8, ptr {array}, i64 {self._known.fields[name]}")
        return self._new(f"load {kind}, ptr {place}")


class _Fill(_Function):
    """The lines of `fill`."""

    def __init__(self, signature: Signature, known: Layout) -> None:
        super().__init__(known, "@fill(ptr %self, ptr %args, i64 %count)")
        arrays = len(signature.inputs) + len(signature.results)
        table = self._new(f"alloca [{2 * arrays} x i64]")
        for k in range(arrays):
            array = self._argument(k)
            self._put(table, 2 * k, "ptr", self._field(array, "data", "ptr"))
            stride = self._new(f"load i64, ptr {self._field(array, 'strides', 'ptr')}")
            self._put(table, 2 * k + 1, "i64", stride)
        rows = self._new(f"load i64, ptr {self._field(self._argument(arrays - 1), 'shape', 'ptr')}")
        state = self._new(f"call ptr {self._known_address('PyEval_SaveThread')}()")
        found = self._new(f"call i64 @batch(i64 {rows}, ptr {table})")
        self.lines.append(f"  call void {self._known_address('PyEval_RestoreThread')}(ptr {state})")
        answer = self._new(f"call ptr {self._known_address('PyBool_FromLong')}(i64 {found})")
        self.lines += [f"  ret ptr {answer}", "}"]


class _Call(_Function):
    """The lines of `call`, check by check."""

    def __init__(self, signature: Signature, known: Layout, width: int) -> None:
        super().__init__(known, "@call(ptr %self, ptr %args, i64 %count, ptr %keywords)")
        self._signature = signature
        self._table = self._new(f"alloca [{2 * (len(signature.inputs) + len(signature.results))} x i64]")
        self._shape = self._new(f"alloca [{1 + max(len(shape) for shape in signature.results)} x i64]")
        self._go_on_if("icmp eq ptr %keywords, null")
        self._go_on_if(f"icmp eq i64 %count, {len(signature.inputs)}")
        self._kind, self._dtype = self._known_address("PyArray_Type"), self._known_address("float64")
        arrays = [self._exact_array(k) for k in range(len(signature.inputs))]
        self._go_on_if(f"icmp eq i32 {self._field(arrays[0], 'dimensions', 'i32')}, 1", "batch")
        self._one_state(arrays)
        self.lines.append("batch:")
        self._small_batch(arrays, width)
        self.lines += ["otherwise:"]
        call = self._known_address("PyObject_Vectorcall")
        made = self._new(f"call ptr {call}(ptr %self, ptr %args, i64 %count, ptr %keywords)")
        self.lines += [f"  ret ptr {made}", "}"]

    def _one_state(self, arrays: list[str]) -> None:
        sizes = [size for _, size in self._signature.inputs]
        rows = [self._data_of(array, (size,)) for array, size in zip(arrays, sizes, strict=True)]
        results = self._new_arrays(self._signature.results)
        rows += [self._field(array, "data", "ptr") for array in results]
        parameters = ", ".join(f"ptr {row}, i64 0" for row in rows)
        self._returned(self._new(f"call i64 @block({parameters})"), results)

    def _small_batch(self, arrays: list[str], width: int) -> None:
        wide = self._new("load ptr, ptr @wide")
        self._go_on_if(f"icmp ne ptr {wide}, null")
        self._go_on_if(f"icmp eq i32 {self._field(arrays[0], 'dimensions', 'i32')}, 2")
        rows = self._new(f"load i64, ptr {self._field(arrays[0], 'shape', 'ptr')}")
        self._go_on_if(f"icmp sge i64 {rows}, {width}")
        self._go_on_if(f"icmp sle i64 {rows}, {SMALL}")
        sizes = [size for _, size in self._signature.inputs]
        places = [self._data_of(array, (rows, size)) for array, size in zip(arrays, sizes, strict=True)]
        results = self._new_arrays([(rows, *shape) for shape in self._signature.results])
        places += [self._field(array, "data", "ptr") for array in results]
        for k, (place, size) in enumerate(zip(places, [*sizes, *self._signature.sizes], strict=True)):
            self._put(self._table, 2 * k, "ptr", place)
            self._put(self._table, 2 * k + 1, "i64", str(8 * size))
        self._returned(self._new(f"call i64 {wide}(i64 {rows}, ptr {self._table})"), results)

    # Small steps --------------------------------------------------------------------------

    def _go_on_if(self, condition: str, otherwise: str = "otherwise") -> None:
        flag = self._new(condition)
        following = f"b{self._names}"
        self.lines += [f"  br i1 {flag}, label %{following}, label %{otherwise}", f"{following}:"]

    # Arguments ----------------------------------------------------------------------------

    def _exact_array(self, k: int) -> str:
        """An argument that is an array of doubles side by side, not of a subclass."""
        array = self._argument(k)
        self._go_on_if(f"icmp eq ptr {self._field(array, 'type', 'ptr')}, {self._kind}")
        self._go_on_if(f"icmp eq ptr {self._field(array, 'dtype', 'ptr')}, {self._dtype}")
        flags = self._new(f"and i32 {self._field(array, 'flags', 'i32')}, {READABLE}")
        self._go_on_if(f"icmp eq i32 {flags}, {READABLE}")
        return array

    def _data_of(self, array: str, shape: tuple[int | str, ...]) -> str:
        """The data of an array of this shape."""
        self._go_on_if(f"icmp eq i32 {self._field(array, 'dimensions', 'i32')}, {len(shape)}")
        sizes = self._field(array, "shape", "ptr")
        for k, wanted in enumerate(shape):
            size = self._new(f"load i64, ptr {self._new(f'getelementptr i64, ptr {sizes}, i64 {k}')}")
            self._go_on_if(f"icmp eq i64 {size}, {wanted}")
        return self._field(array, "data", "ptr")

    # Results ------------------------------------------------------------------------------

    def _new_arrays(self, shapes: Sequence[tuple[int | str, ...]]) -> list[str]:
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
