"""From words to the tree, with every statement's error: after one, the parser goes on at the next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lark import Token

from armdyn.errors import ProgramError
from armdyn.program.complaints import Situation, complaint, misses
from armdyn.program.lexer import MOST_PROBLEMS, words
from armdyn.program.machine import Machine, Mark, UnexpectedToken
from armdyn.program.tree import Tree
from armdyn.program.words import CLOSERS, STATEMENTS

DEEPEST = 32
"""So many parentheses, or blocks, may stand inside one another."""

_OPENING = {"PROGRAM": "ENDPROGRAM", "VAR": "ENDVAR", "SEQ": "ENDSEQ", "IF": "ENDIF", "FOR": "ENDFOR"}
_CLOSING = frozenset(_OPENING.values())
_BOUNDARY = _CLOSING | {"SEMICOLON", "POINT", "VAR", "SEQ", "THEN", "ELSE", "DO"}
_STATEMENT = frozenset(word.upper() for word in STATEMENTS)
_STRUCTURE = _CLOSING | _STATEMENT | {"VAR", "SEQ", "ELSIF", "ELSE", "$END"}
_HEADERS = {
    "PROGRAM": ("PROGRAM", "NAME", "SEMICOLON"),
    "IF": ("IF", "TRUE", "THEN"),
    "ELSIF": ("ELSIF", "TRUE", "THEN"),
    "FOR": ("FOR", "NAME", "EQUALS", "NUMBER", "TO", "NUMBER", "DO"),
}
"""What stands in for a header that cannot be understood, so that its block can be."""


@dataclass(frozen=True)
class Syntax:
    """What was understood of a text, and what was not."""

    tree: Tree | None
    problems: tuple[ProgramError, ...]
    damaged: frozenset[str]
    """Names whose declarations or loops were not understood"""
    garbled: frozenset[int]
    """Lines with something that is no word: what follows there is not worth a message"""


def syntax(text: str, file: str | None = None) -> Syntax:
    """Parse a whole text, however many errors it has."""
    found = words(text, file)
    parser = _Parser(found.tokens, file)
    tree = parser.run()
    garbled = frozenset(problem.line for problem in found.problems)
    first = {problem.line: problem for problem in reversed(found.problems)}
    others = (problem for problem in parser.problems if problem.line not in garbled)
    return Syntax(tree, (*first.values(), *others), frozenset(parser.damaged), garbled)


class _Parser:
    """The machine, the words, and where the statement at hand began."""

    def __init__(self, tokens: Sequence[Token], file: str | None) -> None:
        self.machine, self.tokens, self.file = Machine(), tokens, file
        self.problems: list[ProgramError] = []
        self.damaged: set[str] = set()
        self.open: list[Token] = []
        self.at, self.begin, self.parentheses = 0, 0, 0
        self.marked: tuple[Mark, tuple[Token, ...]] = (self.machine.mark(), ())

    def run(self) -> Tree | None:
        """Feed all words; the tree, unless too much is wrong."""
        tree: Any = None
        while self.at < len(self.tokens) and len(self.problems) < MOST_PROBLEMS:
            token = self.tokens[self.at]
            if self._too_deep(token):
                return None
            try:
                tree = self.machine.feed(token)
            except UnexpectedToken:
                self._recover(token)
            else:
                self._keep_count(token, self.at)
                self.at += 1
        return tree

    def _keep_count(self, token: Token, at: int) -> None:
        """Know which blocks and parentheses are open, and where the next statement begins."""
        kind = token.type
        if kind == "OPEN":
            self.parentheses += 1
        elif kind == "CLOSE":
            self.parentheses -= 1
        elif kind in _OPENING:
            self.open.append(token)
        elif kind in _CLOSING:
            self.open.pop()
        if kind in _BOUNDARY:
            self._begin(at + 1)

    def _begin(self, at: int) -> None:
        self.begin, self.parentheses = at, 0
        self.marked = self.machine.mark(), tuple(self.open)

    def _too_deep(self, token: Token) -> bool:
        what = {"OPEN": "parentheses", "IF": "blocks", "FOR": "blocks"}.get(token.type)
        depth = self.parentheses if token.type == "OPEN" else len(self.open)
        if what is None or depth < DEEPEST:
            return False
        self._report(f"more than {DEEPEST} {what} inside one another, expected fewer; use names", token)
        return True

    def _report(self, message: str, token: Token, after: bool = False) -> None:
        line, column = (token.end_line, token.end_column) if after else (token.line, token.column)
        self.problems.append(ProgramError(message, line=line or 1, column=column or 1, file=self.file))

    # After an error ---------------------------------------------------------------------------

    def _recover(self, token: Token) -> None:
        """Say what is wrong; put in what is missing, or go on at the next statement."""
        missing = self._missing(token)
        expected = self.machine.expected()
        situation = Situation(self.tokens, self.begin, self.at, expected, tuple(self.open))
        if missing:
            self._report(*misses(situation, missing))
            for kind in missing:
                self._put_in(kind)
            return
        if not self._is_forgiven():
            self._report(*complaint(situation))
        self._note_damage()
        if token.type == "$END":
            self.at = len(self.tokens)
        elif not self._exchanged(token):
            self._skip(token, self.at + 1 if expected == {"NAME"} else self.at)

    def _is_forgiven(self) -> bool:
        """Whether this is the end of something that has been said to be unsupported."""
        first = str(self.tokens[self.begin]).lower()
        return first in CLOSERS and any("is not supported" in problem.message for problem in self.problems)

    def _missing(self, token: Token) -> tuple[str, ...]:
        """The fewest words whose absence explains this one: a semicolon, ends of blocks, then, do, seq."""
        if token.type not in _STRUCTURE and not self._begins_statement(token):
            return ()
        closing = [_OPENING[block.type] for block in reversed(self.open)]
        if any(word.type == "ENDVAR" for word in self.tokens[self.at + 1 :]) and "ENDVAR" in closing:
            closing = []  # it is there, further on
        candidates = [
            (*before, *closing[:k], *after, *closing[k:last])
            for last in range(len(closing) + 1)
            for k in range(last + 1)
            for before in ((), ("SEMICOLON",), ("THEN",), ("DO",))
            for after in ((), ("VAR",), ("SEQ",), ("SEQ", "ENDSEQ"))
        ]
        candidates.sort(key=len)
        return next((kinds for kinds in candidates if kinds and self.machine.takes([*kinds, token.type])), ())

    def _begins_statement(self, token: Token) -> bool:
        """Whether a name begins an assignment or a declaration, rather than being out of place."""
        if token.type != "NAME" or self.tokens[self.at + 1].type not in ("COLON", "EQUALS", "ASSIGN"):
            return False
        apart = self.at == self.begin or self.tokens[self.at - 1].line != token.line
        return apart or self.machine.takes(["THEN"]) or self.machine.takes(["DO"])

    def _exchanged(self, token: Token) -> bool:
        """Take endfor for endif, or the other way round."""
        block = self.open[-1].type if self.open else ""
        if self.at != self.begin or token.type not in ("ENDIF", "ENDFOR") or block not in ("IF", "FOR"):
            return False
        self._put_in(_OPENING[block])
        self.at += 1
        self._begin(self.at)
        return True

    def _put_in(self, kind: str, word: Token | None = None) -> None:
        """Feed a word that is not there."""
        here = self.tokens[self.at]
        text = {"NAME": "program", "NUMBER": "1"}.get(kind, kind.lower())
        token = word or Token(
            kind, text, here.start_pos, here.line, here.column, here.line, here.column, here.end_pos
        )
        self.machine.feed(token)
        self._keep_count(token, self.at - 1)

    def _skip(self, token: Token, at: int) -> None:
        """Forget the statement; go on after its semicolon, or at the next word that begins or ends one."""
        self.machine.back(self.marked[0])
        self.open[:] = self.marked[1]
        if not self.open and self.machine.takes(["$END"]):  # after endprogram
            self.at = len(self.tokens) - 1
            return
        first = self.tokens[self.begin]
        header = _HEADERS.get("PROGRAM" if self.machine.takes(["PROGRAM"]) else first.type, ())
        header = header if self.machine.takes(header) else ()
        name = self.tokens[self.begin + 1] if first.type == "FOR" else None
        self.at = self._next_statement(token, at if header else max(at, self.begin + 1), header)
        for kind in header:
            self._put_in(kind, name if kind == "NAME" and name and name.type == "NAME" else None)
        self._begin(self.at)

    def _next_statement(self, token: Token, at: int, header: Sequence[str]) -> int:
        """Where to go on after an error."""
        kinds = [word.type for word in self.tokens]
        if token.type == "VAR" and "ENDVAR" in kinds[at:]:
            return kinds.index("ENDVAR", at) + 1
        first = self.tokens[self.begin]
        if first.lower() in CLOSERS and first.lower().startswith("end"):
            return self.begin + 1
        ends = {"SEMICOLON", *(("DO", "THEN") if first.type == "NAME" else header[-1:])}
        while kinds[at] not in ends | _STRUCTURE:
            at += 1
        return at + 1 if kinds[at] in ends else at

    def _note_damage(self) -> None:
        """Remember which name the statement would have declared."""
        kinds = [token.type for token in self.tokens[self.begin : self.begin + 4]]
        at = {("CONST", "NAME", "COLON", "NAME"): 3, ("NAME", "COLON", "NAME"): 2}
        for pattern, k in at.items():
            if tuple(kinds[: len(pattern)]) == pattern:
                self.damaged.add(str(self.tokens[self.begin + k]).lower())
        if kinds[:2] == ["FOR", "NAME"]:
            self.damaged.add(str(self.tokens[self.begin + 1]).lower())
