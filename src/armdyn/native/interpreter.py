"""What compiled code may assume of the running Python and NumPy, checked before it does.

A compiled builtin reads the fields of NumPy arrays and calls the C interfaces of both. That is
right on 64-bit CPython with its lock and on a NumPy whose arrays look as `FIELDS` says; `layout`
looks at real arrays, and gives None where anything differs: then a plain Python function serves.
"""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

FIELDS = {"type": 8, "data": 16, "dimensions": 24, "shape": 32, "strides": 40, "dtype": 56, "flags": 64}
"""Bytes from the beginning of an array object to its fields."""
READABLE = 0x1 | 0x100
"""C-contiguous and aligned."""
WRITABLE = 0x400
OUT = sys.intern("out")
"""The keyword, which compiled code knows by its address."""

NUMPY_FUNCTIONS = {"PyArray_Type": 2, "PyArray_NewFromDescr": 94}
"""Positions in NumPy's table of C functions, which its releases keep."""
PYTHON_FUNCTIONS = (
    "PyObject_Vectorcall",
    "Py_IncRef",
    "Py_DecRef",
    "PyTuple_New",
    "PyTuple_SetItem",
    "PyTuple_Size",
    "PyTuple_GetItem",
    "PyBool_FromLong",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
)


@dataclass(frozen=True)
class Layout:
    """Where compiled code finds what it needs; the keys of `addresses` are in the order of its table."""

    fields: dict[str, int]
    addresses: dict[str, int]


@cache
def layout() -> Layout | None:
    """What compiled builtins may rely on in this process; None if they must not be used."""
    if not _is_known_python():
        return None
    table = _numpy_table()
    if table is None:
        return None
    addresses = {name: int(table[position] or 0) for name, position in NUMPY_FUNCTIONS.items()}
    addresses["float64"] = id(np.dtype(np.float64))
    addresses["out"] = id(OUT)
    for name in PYTHON_FUNCTIONS:
        addresses[name] = ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0
    found = Layout(FIELDS, addresses)
    return found if all(addresses.values()) and agrees(found) else None


def agrees(found: Layout) -> bool:
    """Whether arrays of this NumPy look as the layout says."""
    return all(_seen(found, array) == _expected(array) for array in _samples())


def _is_known_python() -> bool:
    locked = getattr(sys, "_is_gil_enabled", lambda: True)()
    traced = hasattr(sys, "getobjects")  # a debugging build whose objects begin with other fields
    return (
        sys.implementation.name == "cpython"
        and struct.calcsize("P") == 8
        and sys.byteorder == "little"
        and locked
        and not traced
    )


def _numpy_table() -> Any:
    """NumPy's table of C functions, or None."""
    capsule = getattr(getattr(np, "_core", None), "multiarray", None)
    capsule = getattr(capsule, "_ARRAY_API", None)
    if type(capsule).__name__ != "PyCapsule":
        return None
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return ctypes.cast(pointer(capsule, None), ctypes.POINTER(ctypes.c_void_p))


def _samples() -> Iterator[Any]:
    """Arrays that differ in everything that is looked at."""
    yield np.zeros(3)
    yield np.zeros((2, 5))[:, ::2]
    yield np.zeros(4, dtype=np.float32)
    read_only = np.arange(7.0)
    read_only.flags.writeable = False
    yield read_only


def _seen(found: Layout, array: Any) -> tuple[int, ...]:
    start, at = id(array), found.fields
    dimensions = ctypes.c_int32.from_address(start + at["dimensions"]).value
    if dimensions != array.ndim:  # then what stands for shape and strides may point anywhere
        return ()
    shape, strides = (ctypes.c_uint64.from_address(start + at[name]).value for name in ("shape", "strides"))
    if (
        min(shape, strides) < 4096 or abs(shape - strides) != 8 * dimensions
    ):  # they lie in one piece of memory
        return ()
    return (
        ctypes.c_uint64.from_address(start + at["type"]).value - found.addresses["PyArray_Type"],
        ctypes.c_uint64.from_address(start + at["data"]).value,
        dimensions,
        *(ctypes.c_int64.from_address(shape + 8 * k).value for k in range(dimensions)),
        *(ctypes.c_int64.from_address(strides + 8 * k).value for k in range(dimensions)),
        ctypes.c_uint64.from_address(start + at["dtype"]).value,
        ctypes.c_int32.from_address(start + at["flags"]).value,
    )


def _expected(array: Any) -> tuple[int, ...]:
    sizes = (*array.shape, *array.strides)
    return (0, array.ctypes.data, array.ndim, *sizes, id(array.dtype), array.flags.num)
