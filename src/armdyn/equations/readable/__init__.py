"""Harmonics as a person would write them: the shortest form found, exact."""

from armdyn.equations.readable.definitions import Definition, definitions, names_in, with_definitions
from armdyn.equations.readable.writer import Writer, readable

__all__ = ["Definition", "Writer", "definitions", "names_in", "readable", "with_definitions"]
