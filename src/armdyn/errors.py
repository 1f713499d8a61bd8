"""Everything armdyn raises on purpose.

    ArmdynError                     root: catch this to catch all of armdyn
    ├── InputError                  an argument, option or array is wrong
    │   └── ShapeError              an array has the wrong shape
    ├── RobotError                  a robot description is wrong
    │   ├── FormatError             a robot file cannot be read; knows file and line
    │   ├── InertiaError            no body can have this inertia; knows body and place
    │   └── UnknownRobotError       no such catalog robot or file
    ├── ProgramError                a robot program cannot be understood; knows line and column
    ├── PlanError                   a move cannot be planned; knows its line
    ├── InfeasibleError             a motion is possible at no speed; knows where and why
    ├── SimulationError             a simulation cannot go on; keeps what it has computed
    └── MissingDataError            the robot does not carry what the question needs

Messages read: subject, value, expectation, next step. What a program may want to
look at is kept as attributes.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class ArmdynError(Exception):
    """Root of everything armdyn raises on purpose."""


class InputError(ArmdynError):
    """An argument, option or array is wrong."""


class ShapeError(InputError):
    """An array has the wrong shape."""

    def __init__(self, name: str, shape: tuple[int, ...], reason: str, expected: str) -> None:
        """Say which array has which shape, and which one is expected why."""
        self.name, self.shape, self.reason, self.expected = name, shape, reason, expected
        super().__init__(f"{name} has shape {shape}; {reason}, expected {expected}")


class RobotError(ArmdynError):
    """A robot description is wrong; `part` says where in it, as ("bodies", 3)."""

    part: tuple[str | int, ...] = ()


class FormatError(RobotError):
    """A robot file cannot be read."""

    def __init__(self, message: str, *, file: str | None = None, line: int | None = None) -> None:
        """Put the place in the file in front of the message."""
        self.file, self.line = file, line
        place = ", ".join(p for p in (file, f"line {line}" if line else None) if p)
        super().__init__(f"{place}: {message}" if place else message)


_ACCEPT = (
    'mend it, or accept it with a reason (TOML: `accept_unphysical = "why"`, '
    'Python: `load(..., accept_unphysical="why")`, command line: `--accept-unphysical "why"`)'
)


class InertiaError(RobotError):
    """No body can have this inertia."""

    def __init__(self, body: str, reason: str, *, place: str = "", payload: bool = False) -> None:
        """Name the body (or what carries a payload), where it was written, and why it is unphysical."""
        self.body, self.reason, self.place = body, reason, place
        subject = f'payload on body "{body}"' if payload else f'body "{body}"'
        where = f" ({place})" if place else ""
        advice = "mend it" if payload else _ACCEPT
        super().__init__(f"{subject}{where}: inertia is not physical, {reason}; {advice}")


class UnknownRobotError(RobotError):
    """No such catalog robot or file."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        """Name the robot asked for and suggest the nearest known one."""
        self.name = name
        super().__init__(f'no robot "{name[:60]}"; {suggestion(name, known)}`armdyn robots` lists all')


class ProgramError(ArmdynError):
    """A robot program cannot be understood."""

    def __init__(self, message: str, *, line: int, column: int, file: str | None = None) -> None:
        """Put the place in the program in front of the message; lines and columns count from 1."""
        self.message, self.line, self.column, self.file = message, line, column, file
        place = f"line {line}, column {column}"
        super().__init__(f"{file}, {place}: {message}" if file else f"{place}: {message}")


class PlanError(ArmdynError):
    """A move cannot be planned."""

    def __init__(self, message: str, *, line: int, file: str | None = None) -> None:
        """Put the move's line in front of the message."""
        self.message, self.line, self.file = message, line, file
        super().__init__(f"{file}, line {line}: {message}" if file else f"line {line}: {message}")


class InfeasibleError(ArmdynError):
    """A motion is possible at no speed; says which limit is exceeded where, as far as that is known."""

    def __init__(
        self,
        message: str,
        *,
        quantity: str,
        joint: int | None = None,
        line: int = 0,
        time: float | None = None,
        required: float | None = None,
        limit: float | None = None,
    ) -> None:
        """Keep what the sentence says; joints count from 1, `time` [s] is that of the motion as given."""
        self.quantity, self.joint, self.line, self.time = quantity, joint, line, time
        self.required, self.limit = required, limit
        super().__init__(message)


class SimulationError(ArmdynError):
    """A simulation cannot go on; `result` is what it has computed so far."""

    def __init__(self, message: str, result: Any) -> None:
        """Keep the run beside the sentence."""
        self.result = result
        super().__init__(message)


class MissingDataError(ArmdynError):
    """The robot does not carry what the question needs."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return `did you mean "..."? ` for the nearest known word, or nothing."""
    near = difflib.get_close_matches(word.lower(), list(known), n=1)
    return f'did you mean "{near[0]}"? ' if near else ""


def counted(count: int, noun: str) -> str:
    """A number of things in words: 1 joint, 2 joints, no joints."""
    return f"{count or 'no'} {noun}{'' if count == 1 else 's'}"
