"""Changes of a program's text at the words of its moves; every other letter stays."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lark import Token

from armdyn.program.lexer import words
from armdyn.program.programs import ParsedProgram
from armdyn.program.settings import move_statements
from armdyn.program.tree import MoveStatement, Place

Edit = tuple[int, int, str]
"""From one character to before another there shall be this text."""


@dataclass(frozen=True)
class MoveWords:
    """The words of one move statement."""

    statement: MoveStatement
    targets_end: int
    """The character behind the last target"""
    values: Mapping[str, Sequence[Token]]
    """The words of each option's value; of one that stands alone none"""

    @classmethod
    def of(cls, statement: MoveStatement, tokens: Sequence[Token]) -> MoveWords:
        """Those from `move` to the semicolon."""
        last = next(k for k, token in enumerate(tokens) if token.type == "SEMICOLON")
        names = {option.name.at for option in statement.options}
        begins = [k for k in range(last) if place_of(tokens[k]) in names]
        values = {tokens[a].lower(): tokens[a + 2 : b] for a, b in pairwise([*begins, last])}
        return cls(statement, end_of(tokens[[*begins, last][0] - 1]), values)

    def behind(self, option: str) -> int:
        """The character behind an option's value, or behind the targets where the move does not say it."""
        value = self.values.get(option)
        return end_of(value[-1]) if value else self.targets_end


def moves_at(parsed: ParsedProgram, places: Collection[Place]) -> Iterator[MoveWords]:
    """The words of the moves that stand at some places, in the order of the text."""
    tokens = words(parsed.source).tokens
    first = {place_of(token): k for k, token in enumerate(tokens)}
    for statement in move_statements(parsed.tree.statements):
        if statement.at in places:
            yield MoveWords.of(statement, tokens[first[statement.at] :])


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with all edits; two at one place follow one another."""
    parts: list[str] = []
    done = 0
    for start, stop, new in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[done:start], new]
        done = stop
    return "".join([*parts, text[done:]])


def place_of(token: Token) -> Place:
    """Line and column of a word."""
    return Place(token.line or 1, token.column or 1)


def start_of(token: Token) -> int:
    """The character with which a word begins."""
    return token.start_pos or 0


def end_of(token: Token) -> int:
    """The character behind a word."""
    return token.end_pos or 0
