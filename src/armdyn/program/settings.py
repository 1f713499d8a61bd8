"""The speeds and accelerations of a program's moves: where they are said, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, Decimal
from typing import Literal

from armdyn.motion.moves import PathMove, PointToPoint
from armdyn.program.programs import ParsedProgram, Program
from armdyn.program.tree import Choice, Expression, Loop, MoveStatement, Number, Operation, Place, Statement

DIGITS = 4
"""Significant digits of a number that is written."""
ROUNDING = Decimal(1) + Decimal("1e-12")
"""What a product of floats may lack of the number that is meant."""

Aspect = Literal["speed", "acceleration"]
ASPECTS: tuple[Aspect, Aspect] = ("speed", "acceleration")
OPTION = {
    ("ptp", "speed"): "speed_ptp",
    ("ptp", "acceleration"): "acc_ptp",
    ("path", "speed"): "speed",
    ("path", "acceleration"): "acc",
}
"""What the language calls an aspect of a kind of move."""


@dataclass(frozen=True)
class Setting:
    """The speed or the acceleration of one move statement, in all executions of it."""

    place: Place
    """Of the statement"""
    kind: str
    """ptp, lin or circle"""
    aspect: Aspect
    steps: tuple[int, ...]
    """Which steps of the program are executions of it, from 0"""
    values: tuple[float, ...]
    """What it is in each of them, in the program's units"""
    written: Expression | None
    """What the move says; None where what was said before holds"""

    @property
    def option(self) -> str:
        """What the language calls it."""
        return OPTION["ptp" if self.kind == "ptp" else "path", self.aspect]

    @property
    def is_scaled(self) -> bool:
        """Whether a factor is written behind an expression; a number is replaced by another one."""
        return self.written is not None and not isinstance(self.written, Number)

    def with_factor(self, factor: float) -> tuple[float, ...]:
        """What the executions have once the factor, above 0 and at most 1, is written."""
        if factor >= 1:
            return self.values
        if self.is_scaled:
            share = float(number_text(factor))
            return tuple(value * share for value in self.values)
        return (float(self.replacement(factor)),) * len(self.values)

    def replacement(self, factor: float) -> str:
        """The number to be written: the least value times the factor."""
        least = min(self.values)
        return exact_text(least) if factor >= 1 else number_text(least * factor)

    @property
    def is_sum(self) -> bool:
        """Whether what is written must be put into parentheses before it is multiplied."""
        written = self.written
        return isinstance(written, Operation) and written.rest[0][0].written in ("+", "-")


def settings_of(parsed: ParsedProgram, program: Program) -> tuple[Setting, ...]:
    """Two for each move statement that is executed, speed and acceleration, in the order of the text."""
    executions: dict[Place, list[int]] = {}
    for k, (step, place) in enumerate(zip(program.steps, program.places, strict=True)):
        if isinstance(step, PointToPoint | PathMove):
            executions.setdefault(place, []).append(k)
    return tuple(
        _setting(statement, aspect, executions[statement.at], program)
        for statement in move_statements(parsed.tree.statements)
        if statement.at in executions
        for aspect in ASPECTS
    )


def move_statements(statements: Sequence[Statement]) -> Iterator[MoveStatement]:
    """All of them, in the order of the text."""
    for statement in statements:
        match statement:
            case MoveStatement():
                yield statement
            case Choice():
                for _, block in statement.branches:
                    yield from move_statements(block)
                yield from move_statements(statement.otherwise)
            case Loop():
                yield from move_statements(statement.body)
            case _:
                pass


def _setting(statement: MoveStatement, aspect: Aspect, steps: Sequence[int], program: Program) -> Setting:
    kind = statement.kind.key
    option = OPTION["ptp" if kind == "ptp" else "path", aspect]
    written = next((o.value for o in statement.options if o.name.key == option), None)
    if isinstance(written, Number):
        values = (float(written.value),) * len(steps)
    else:
        values = tuple(_value(program.steps[k], aspect) for k in steps)
    return Setting(statement.at, kind, aspect, tuple(steps), values, written)


def _value(step: object, aspect: Aspect) -> float:
    """In the program's units: shares, or mm."""
    assert isinstance(step, PointToPoint | PathMove)
    value = step.speed if aspect == "speed" else step.acceleration
    return value if isinstance(step, PointToPoint) else float(f"{1e3 * value:.15g}")


# Numbers as they are written ------------------------------------------------------------------


def number_text(value: float) -> str:
    """A number above 0 with few significant digits, rounded down, without an exponent."""
    exact = Decimal(value) * ROUNDING
    return _plain(exact.quantize(Decimal(1).scaleb(exact.adjusted() - DIGITS + 1), rounding=ROUND_DOWN))


def exact_text(value: float) -> str:
    """A number with all its digits, without an exponent."""
    return _plain(Decimal(repr(float(value))))


def _plain(number: Decimal) -> str:
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
