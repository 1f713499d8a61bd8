"""The parser that lark makes of the grammar, fed word by word: it can be asked, marked and taken back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from armdyn.program.builder import Builder

Mark = tuple[tuple[Any, ...], tuple[Any, ...]]
"""What the parser knows at a place."""


class _NoLexer(Lexer):
    """lark finds no words here: lexer.py does."""

    def __init__(self, lexer_conf: Any) -> None:
        """Take what lark gives to every lexer."""

    def lex(self, lexer_state: Any, parser_state: Any) -> Any:  # noqa: ARG002
        """No words."""
        return iter(())


@cache
def _grammar() -> Lark:
    text = (resources.files("armdyn.program") / "grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_NoLexer, transformer=Builder(), maybe_placeholders=True)


class Machine:
    """A parser at work."""

    def __init__(self) -> None:
        """Begin before the first word."""
        grammar: Any = _grammar()
        self._state: Any = grammar.parse_interactive().parser_state
        self._states: Any = self._state.parse_conf.states

    def feed(self, token: Token) -> Any:
        """Take one word, and give the tree after the last one; `UnexpectedToken` if it cannot stand here."""
        return self._state.feed_token(token, token.type == "$END")

    def mark(self) -> Mark:
        """What is known now."""
        return tuple(self._state.state_stack), tuple(self._state.value_stack)

    def back(self, mark: Mark) -> None:
        """Know what was known then."""
        self._state.state_stack[:], self._state.value_stack[:] = mark

    def takes(self, kinds: Sequence[str]) -> bool:
        """Whether words of these kinds could follow, one after the other."""
        stack: list[Any] = list(self._state.state_stack)
        return all(self._shifted(stack, kind) for kind in kinds)

    def expected(self) -> set[str]:
        """The kinds of words that could follow."""
        kinds = self._states[self._state.state_stack[-1]]
        return {kind for kind in kinds if kind.isupper() and self.takes([kind])}

    def _shifted(self, stack: list[Any], kind: str) -> bool:
        """Let the states take a word of this kind, if they can."""
        end = self._state.parse_conf.end_state
        while kind in self._states[stack[-1]]:
            action, argument = self._states[stack[-1]][kind]
            if str(action) == "Shift":
                stack.append(argument)
                return True
            if argument.expansion:
                del stack[-len(argument.expansion) :]
            stack.append(self._states[stack[-1]][argument.origin.name][1])
            if kind == "$END" and stack[-1] == end:
                return True
        return False


__all__ = ["Machine", "Mark", "UnexpectedToken"]
