"""The numbers that C computes with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from armdyn.formats.c_text import c_number

Precision = Literal["double", "single"]


@dataclass(frozen=True)
class Numbers:
    """A type of C: how its constants and the functions on it are written."""

    type: str
    suffix: str
    """Of functions of <math.h>."""
    single: bool
    epsilon: float

    def constant(self, value: float) -> str:
        """A number as it is written in C."""
        return c_number(value, single=self.single)

    def call(self, function: str, argument: str) -> str:
        """A function of <math.h>."""
        return f"{function}{self.suffix}({argument})"


NUMBERS: dict[Precision, Numbers] = {
    "double": Numbers("double", "", single=False, epsilon=2.0**-52),
    "single": Numbers("float", "f", single=True, epsilon=2.0**-23),
}
