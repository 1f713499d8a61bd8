"""Symbols: equations a person can read, on symengine."""

from __future__ import annotations

import importlib
from typing import Any

from armdyn.scalars.protocol import cos, select, sin, sqrt

symengine: Any = importlib.import_module("symengine")  # ships no type information


def symbols(stem: str, n: int) -> list[Any]:
    """The symbols stem1 .. stemn."""
    return [symengine.Symbol(f"{stem}{i + 1}") for i in range(n)]


def number(value: float) -> Any:
    """A constant, exact where it is a whole number, so that zeros and ones disappear."""
    return symengine.Integer(int(value)) if float(value).is_integer() else symengine.RealDouble(value)


@select.register(symengine.Basic)
def _select(condition: Any, positive: Any, otherwise: Any) -> Any:
    return symengine.Piecewise((positive, condition > 0), (otherwise, True))


for _function, _symbolic in ((sin, symengine.sin), (cos, symengine.cos), (sqrt, symengine.sqrt)):
    _function.register(symengine.Basic, _symbolic)
