"""The table [options] of a study: every option taken once, what nobody takes refused."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from armdyn.errors import InputError, suggestion


class Options:
    """Options of a study, checked as they are taken."""

    def __init__(self, given: Mapping[str, Any], quantity: str) -> None:
        """Nothing is taken yet."""
        self._given, self._quantity = given, quantity
        self._known: list[str] = []

    def value(self, name: str, otherwise: Any = None) -> Any:
        """What is given, whatever it is."""
        self._known.append(name)
        return self._given.get(name, otherwise)

    def number(self, name: str, otherwise: float | None = None, *, positive: bool = False) -> Any:
        """A number, above 0 if it must be."""
        value = self.value(name)
        if value is None:
            return otherwise
        if not _is_number(value) or (positive and value <= 0):
            raise self._wrong(name, value, "a number above 0" if positive else "a number")
        return float(value)

    def count(self, name: str, otherwise: int) -> int:
        """A whole number, 1 or more."""
        value = self.value(name, otherwise)
        if isinstance(value, bool) or not isinstance(value, int) or value < 1:
            raise self._wrong(name, value, "a whole number of 1 or more")
        return value

    def flag(self, name: str, otherwise: bool | None = None) -> bool | None:
        """True or false."""
        value = self.value(name, otherwise)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, value, "true or false")
        return value

    def text(self, name: str, otherwise: str | None = None, known: Sequence[str] = ()) -> Any:
        """A text, one of those known if there are any."""
        value = self.value(name, otherwise)
        if value is None:
            return None
        if not isinstance(value, str) or (known and value not in known):
            near = suggestion(value, known) if isinstance(value, str) else ""
            expected = (
                f"{near}expected {' or '.join([', '.join(known[:-1]), known[-1]]).removeprefix(' or ')}"
            )
            raise InputError(f"option {name}: {value!r}, {expected if known else 'expected a text'}")
        return value

    def vector(self, name: str, size: int | None = None) -> list[float] | None:
        """Numbers, so many if that is known."""
        value = self.value(name)
        if value is None:
            return None
        expected = "numbers" if size is None else f"{size} number{'' if size == 1 else 's'}"
        if not isinstance(value, list):
            raise self._wrong(name, value, f"a list of {expected}")
        listed = cast("list[Any]", value)
        if size not in (None, len(listed)) or not all(map(_is_number, listed)):
            raise self._wrong(name, listed, f"a list of {expected}")
        return [float(x) for x in listed]

    def texts(self, name: str) -> list[str] | None:
        """Texts."""
        value = self.value(name)
        if value is None:
            return None
        listed: list[Any] = value if isinstance(value, list) else [value]  # pyright: ignore[reportUnknownVariableType]
        if not listed or not all(isinstance(x, str) for x in listed):
            raise self._wrong(name, value, "a list of texts")
        return listed

    def table(self, name: str, fields: Iterable[str]) -> dict[str, Any] | None:
        """A table of some fields."""
        value = self.value(name)
        if value is None:
            return None
        known = tuple(fields)
        if not isinstance(value, dict):
            raise self._wrong(name, value, f"a table of {', '.join(known)}")
        table = cast("dict[str, Any]", value)
        for field in table:
            if field not in known:
                near = suggestion(field, known)
                raise InputError(f'option {name} has no field "{field}"; {near}expected {", ".join(known)}')
        return table

    def finish(self) -> None:
        """Refuse what nobody has taken."""
        for name in self._given:
            if name not in self._known:
                near, known = suggestion(name, self._known), ", ".join(sorted(self._known))
                raise InputError(f'{self._quantity} has no option "{name}"; {near}expected of {known}')

    def _wrong(self, name: str, value: Any, expected: str) -> InputError:
        return InputError(f"option {name} is {value!r}, expected {expected}")


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
