"""Small checks shared by the parts of a robot."""

from __future__ import annotations

import math
from collections.abc import Collection, Generator, Iterable
from contextlib import contextmanager
from typing import Any

from armdyn.errors import InputError, RobotError, suggestion
from armdyn.spatial import Mat3
from armdyn.spatial.rotation import check_rotation

SMALLEST, LARGEST = 1e-30, 1e100
"""In SI: between them ratios of data, and squares of ratios, are numbers; no robot has anything beyond."""


def require(condition: bool, message: str) -> None:
    """Raise RobotError unless the condition holds."""
    if not condition:
        raise RobotError(message)


def finite(subject: str, values: Iterable[Any]) -> None:
    """Raise RobotError unless every value is a finite number."""
    for value in values:
        require(_is_finite(value), f"{subject}: {_shown(value)} is not a finite number")


def not_negative(subject: str, **values: float | None) -> None:
    """Raise RobotError if a value is negative or not finite; None is unknown and passes."""
    for name, value in values.items():
        if value is not None:
            require(
                _is_finite(value) and value >= 0,
                f"{subject}: {name} is {_shown(value)}, expected a finite number of zero or more",
            )


def positive(subject: str, **values: float | None) -> None:
    """Raise RobotError if a value is not positive; None is unknown and passes."""
    for name, value in values.items():
        if value is not None:
            require(
                _is_finite(value) and value > 0,
                f"{subject}: {name} is {_shown(value)}, expected a finite number above zero",
            )


def dividing(subject: str, **values: float | None) -> None:
    """Raise RobotError if a value is too near to zero for shares of it to be numbers; zero itself passes."""
    for name, value in values.items():
        require(
            not value or abs(value) >= SMALLEST,
            f"{subject}: {name} is {_shown(value)}, expected {SMALLEST:g} or more, or leave it out",
        )


def bounded(subject: str, **values: float | None) -> None:
    """Raise RobotError if a value is larger than anything that a robot has."""
    for name, value in values.items():
        require(
            value is None or abs(value) <= LARGEST,
            f"{subject}: {name} is {_shown(value)}, expected {LARGEST:g} at most",
        )


def _is_finite(value: Any) -> bool:
    """Whether it is a number, and a finite one; texts and lists are none."""
    try:
        return math.isfinite(value)
    except (TypeError, ValueError, OverflowError):
        return False


def _shown(value: Any) -> str:
    """A value for a message: numbers short, texts in quotes and cut, of others what they are."""
    if isinstance(value, str):
        return f'"{value}"' if len(value) <= 40 else f'"{value[:37]}..."'
    try:
        return f"{float(value):g}"
    except OverflowError:
        return "too large a number"
    except (TypeError, ValueError):
        return f"of type {type(value).__name__}"


def known(subject: str, what: str, name: str, names: Collection[str]) -> None:
    """Raise RobotError unless the name is one of the names."""
    if name not in names:
        hint = suggestion(name, names) or f"known: {', '.join(names) or 'none'}"
        raise RobotError(f'{subject}: no {what} "{name}"; {hint.rstrip()}')


def distinct(subject: str, what: str, names: Iterable[str]) -> None:
    """Raise RobotError if a name is used twice or empty."""
    seen: set[str] = set()
    plural = {"body": "bodies"}.get(what, f"{what}s")
    for name in names:
        require(bool(name), f"{subject}: a {what} has no name")
        require(name not in seen, f'{subject}: two {plural} are called "{name}"')
        seen.add(name)


def require_rotation(subject: str, rotation: Mat3) -> None:
    """Raise RobotError unless the matrix is a proper rotation."""
    try:
        check_rotation(rotation, subject)
    except InputError as error:
        raise RobotError(str(error)) from error


@contextmanager
def about(*part: str | int) -> Generator[None]:
    """Let an error know which part of the robot it is about."""
    try:
        yield
    except RobotError as error:
        error.part = part
        raise
