"""Calls from Python at the cost of a C function: compiled builtins around a kernel's code.

Called with exact float64 arrays, of one state or of a small batch, a builtin checks them in machine
code, makes the result arrays and fills them. Anything else, and every state that wants a second look,
goes to a Python function that knows all cases.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable
from typing import Any

from armdyn.native.interpreter import Layout
from armdyn.native.llvm import Loaded

METH_FASTCALL = 0x0080
METH_KEYWORDS = 0x0002

_new_builtin = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)(
    ("PyCFunction_NewEx", ctypes.pythonapi)
)


class _Definition(ctypes.Structure):
    """PyMethodDef of Python's C interface."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_spare: list[_Definition] = []
"""Definitions whose builtins are gone. None is ever freed: Python looks at it last of all."""


class _Otherwise:
    """The Python function for all other cases."""

    __slots__ = ("_function",)

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    def __call__(self, *args: Any, **options: Any) -> Any:
        return self._function(*args, **options)

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickled builtin is the method of this name of what the function belongs to."""
        return _itself, (getattr(self._function, "__self__", None),)


def _itself(one: Any) -> Any:
    return one


def builtin(loaded: Loaded, name: str, doc: str, otherwise: Callable[..., Any], keep: object) -> Any:
    """The builtin for a kernel's inputs; `otherwise` takes the calls that it does not.

    Whatever the garbage collector does, `keep` stays in memory as long as the builtin.
    """
    return _created(name, doc, loaded.function("call"), _Otherwise(otherwise), (keep, loaded))


def filler(loaded: Loaded) -> Callable[..., bool]:
    """A builtin that runs `batch` on arrays (rows, size), inputs then results; other threads run meanwhile.

    It trusts its caller: real arrays of doubles side by side, with as many rows as one vector at least.
    """
    return _created("fill", "", loaded.function("fill"), None, loaded)


def _created(name: str, doc: str, function: int, owner: object, keep: object) -> Any:
    try:
        definition = _spare.pop()
    except IndexError:  # none, or another thread took the last
        definition = _immortal(_Definition())
    definition.name, definition.doc = name.encode(), doc.encode()
    definition.function, definition.flags = function, METH_FASTCALL | METH_KEYWORDS
    made = _new_builtin(ctypes.addressof(definition), owner, None)
    weakref.finalize(made, _give_back, definition, keep).atexit = False
    return made


def _give_back(definition: _Definition, _keep: object) -> None:
    _spare.append(definition)


def _immortal(definition: _Definition) -> _Definition:
    ctypes.PYFUNCTYPE(None, ctypes.py_object)(("Py_IncRef", ctypes.pythonapi))(definition)
    return definition


def give_addresses(loaded: Loaded, known: Layout) -> None:
    """Tell the code where Python and NumPy are in this process."""
    table = (ctypes.c_void_p * len(known.addresses)).from_address(loaded.data("python"))
    table[:] = list(known.addresses.values())


def set_wide(loaded: Loaded, batch: int) -> None:
    """Tell the builtin's module where the code for batches is."""
    ctypes.c_void_p.from_address(loaded.data("wide")).value = batch
