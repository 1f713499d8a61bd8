"""What a program says, as a tree: declarations, statements, expressions, each with its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Place(NamedTuple):
    """A place in the program; both count from 1."""

    line: int
    column: int


# Expressions ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Literal:
    """A value as written: a number, a string, true or false."""

    at: Place
    value: float | int | bool | str


@dataclass(frozen=True, slots=True)
class Number(Literal):
    """A number as written, with its text."""

    written: str


@dataclass(frozen=True, slots=True)
class Name:
    """Something by its name."""

    at: Place
    written: str

    @property
    def key(self) -> str:
        """The name in small letters: case does not count."""
        return self.written.lower()


@dataclass(frozen=True, slots=True)
class Call:
    """A function, or a value put together: `position(1, 2, 3)`."""

    at: Place
    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Several values in parentheses: `(1, 2, 3)`."""

    at: Place
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Prefixed:
    """A sign or `not`, once or more, before a value."""

    at: Place
    signs: tuple[str, ...]
    operand: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """A chain of operators of one rank, from left to right: a chain is no deep tree."""

    first: Expression
    rest: tuple[tuple[Name, Expression], ...]

    @property
    def at(self) -> Place:
        """Where it begins."""
        return self.first.at


Expression = Literal | Name | Call | Group | Prefixed | Operation


# Statements -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Declaration:
    """One name, its type, and what it is at first."""

    at: Place
    constant: bool
    type: Name
    name: Name
    value: Expression | None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A name takes a value."""

    at: Place
    name: Name
    value: Expression


@dataclass(frozen=True, slots=True)
class Option:
    """`speed = 760`, or `c_speed` alone."""

    name: Name
    value: Expression | None


@dataclass(frozen=True, slots=True)
class MoveStatement:
    """`move KIND TARGET, .. OPTION ..`."""

    at: Place
    kind: Name
    targets: tuple[Expression, ...]
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`if`: the first block whose condition holds, or the other one."""

    at: Place
    branches: tuple[tuple[Expression, tuple[Statement, ...]], ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Loop:
    """`for`."""

    at: Place
    name: Name
    first: Expression
    down: bool
    last: Expression
    step: Expression | None
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class WaitStatement:
    """`wait SECONDS`."""

    at: Place
    duration: Expression


@dataclass(frozen=True, slots=True)
class ToolStatement:
    """`tool POSITION[, ORIENTATION]`."""

    at: Place
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Hold:
    """`grasp` or `payload`: MASS[, CENTRE[, INERTIA]]; `payload` replaces what the program has grasped."""

    at: Place
    word: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """`release`: what the program has grasped is gone; the robot keeps the payloads of its own."""

    at: Place


Statement = Assignment | MoveStatement | Choice | Loop | WaitStatement | ToolStatement | Hold | Release


@dataclass(frozen=True, slots=True)
class Tree:
    """A whole program."""

    name: str
    declarations: tuple[Declaration, ...]
    statements: tuple[Statement, ...]
