"""Calls from Python at the cost of a C function: a compiled builtin around a kernel's code.

Called with exact float64 arrays, of one state or of a small batch, it checks them in machine code,
makes the result arrays and fills them. Anything else, and every state that wants a second look,
goes to a Python function that knows all cases.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from armdyn.native.interpreter import Layout
from armdyn.native.llvm import Loaded

METH_FASTCALL = 0x0080
METH_KEYWORDS = 0x0002


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
