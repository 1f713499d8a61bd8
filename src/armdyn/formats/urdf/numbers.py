"""Numbers in attributes: plain finite decimals in, the digits that give exactly them back out."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from armdyn.formats.urdf.elements import Element, attribute, mistake
from armdyn.formats.urdf.wording import short

_DECIMAL = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_LONGEST = 100


def read_numbers(
    element: Element, name: str, count: int, default: Sequence[float] | None = None
) -> tuple[float, ...]:
    """The numbers of an attribute; without a default it must be there."""
    text = element.get(name)
    if text is None and default is not None:
        return tuple(default)
    words = attribute(element, name).split()
    if len(words) != count:
        expected = "a number" if count == 1 else f"{count} numbers"
        raise mistake(element, f'{name}="{short(text or "")}" has {len(words)} values, expected {expected}')
    return tuple(_number(element, name, word) for word in words)


def read_number(element: Element, name: str, default: float | None = None) -> float:
    """The one number of an attribute; without a default it must be there."""
    return read_numbers(element, name, 1, None if default is None else (default,))[0]


def _number(element: Element, name: str, word: str) -> float:
    if len(word) > _LONGEST or not _DECIMAL.fullmatch(word):
        hint = "; run xacro first" if "${" in word else ""
        raise mistake(element, f'{name} has "{short(word)}", expected a finite number such as 0.25{hint}')
    value = float(word)
    if math.isinf(value):
        raise mistake(element, f'{name} has "{short(word)}", which is too large, expected a finite number')
    return value


def number_text(value: Any) -> str:
    """A number in the digits that give exactly it back."""
    return repr(float(value) + 0.0)  # + 0.0: no minus zero


def numbers_text(values: Iterable[Any]) -> str:
    """Numbers with spaces between them."""
    return " ".join(number_text(value) for value in values)
