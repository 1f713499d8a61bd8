"""C for controllers: a robot's quantities as functions that need nothing but <math.h>."""

from armdyn.exports.c.export import c_files, export_c
from armdyn.exports.c.function import function_text, prototype

__all__ = ["c_files", "export_c", "function_text", "prototype"]
