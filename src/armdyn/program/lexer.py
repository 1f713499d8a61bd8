"""The words of a program text, with their places; what is no word is a problem of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lark import Token

from armdyn.errors import ProgramError
from armdyn.program.words import RESERVED

MOST_PROBLEMS = 100
"""So many problems are told at once."""
MOST_WORDS = 400_000
"""So many words may a program have; each takes half a kilobyte until it is understood."""

_NUMBER = r"(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\w.])"
_KINDS = {
    "SPACE": r"[ \t\r\n\f\v\ufeff]+",
    "NAME": r"[^\W\d]\w*",
    "NUMBER": _NUMBER,
    "COMMA": r",",
    "EQUALS": r"=",
    "OPEN": r"\(",
    "CLOSE": r"\)",
    "SEMICOLON": r";",
    "ADD": r"[+-]",
    "STRING": r'"[^"\n]*"',
    "BRACE": r"\{",
    "ASSIGN": r":=",
    "COLON": r":",
    "COMPARE": r"<>|<=|>=|<|>",
    "MULTIPLY": r"[*/]",
    "POINT": r"\.(?![0-9])",
    "WRONG_NUMBER": r"[\d.][\w.]*",
    "WRONG": r".",
}
_WORD = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()))

_OLD_LINE_END = re.compile(r"\r(?!\n)")  # of files that have no other


@dataclass(frozen=True)
class Words:
    """A program text word by word, and what in it is no word."""

    tokens: list[Token]
    problems: list[ProgramError]


def words(text: str, file: str | None = None) -> Words:
    """Split a text into the words of the language; the last one is its end."""
    text = _OLD_LINE_END.sub("\n", text)
    tokens: list[Token] = []
    problems: list[ProgramError] = []
    line, line_start, position, end = 1, 0, 0, (1, 1)
    for piece, start, stop in _pieces(text):
        kind, word = piece, text[start:stop]
        if kind == "SPACE" or (kind == "BRACE" and stop > start + 1):
            if "\n" in word:
                line, line_start = line + word.count("\n"), start + word.rindex("\n") + 1
            continue
        column = start - line_start + 1
        if kind == "NAME":
            kind = RESERVED.get(word.lower(), kind)
        elif kind in ("WRONG", "WRONG_NUMBER", "BRACE"):
            if len(problems) < MOST_PROBLEMS:
                problems.append(ProgramError(_no_word(word), line=line, column=column, file=file))
            if kind != "WRONG_NUMBER":
                continue
            word, kind = "1", "NUMBER"  # so that what follows is understood
        if len(tokens) >= MOST_WORDS:
            said = f"more than {MOST_WORDS:,} words, expected fewer; use loops, or two programs"
            return Words([], [ProgramError(said, line=line, column=column, file=file)])
        end = (line, start - line_start + 1 + stop - start)
        tokens.append(Token(kind, word, start, line, column, line, end[1], stop))
        position = stop
    tokens.append(Token("$END", "", position, *end, *end, position))
    return Words(tokens, problems)


def _pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, beginning and end of every piece of the text; an open brace that is never closed is a piece."""
    position, matched, last_brace = 0, _WORD.match, text.rfind("}")
    while position < len(text):
        found = matched(text, position)
        assert found is not None, "every character belongs to some kind"
        start, stop, kind = position, found.end(), str(found.lastgroup)
        if kind == "BRACE" and start < last_brace:
            stop = text.index("}", start) + 1
        yield kind, start, stop
        position = stop


def _no_word(word: str) -> str:
    """Why something is no word of the language, and what to do."""
    if word == "{":
        return 'this "{" is never closed; a comment is written { so }: close it, or take the brace away'
    if word == "}":
        return 'this "}" closes nothing; a comment is written { so }, without comments inside'
    if word == '"':
        return 'this string is not closed in its line, expected a second "'
    if word == "'":
        return "strings are written with \", not with '"
    if word in "[]":
        return f'"{word}" is not supported; there are no arrays, use names of their own'
    if word == "^":
        return '"^" is not supported; write the product, or sqrt'
    if word[0] in "0123456789.":
        return f'"{short(word)}" is no number, and a name begins with a letter'
    return f"{_shown(word)} is no word of the language"


def _shown(character: str) -> str:
    return f'"{character}"' if character.isprintable() else f"the character U+{ord(character):04X}"


def short(word: str) -> str:
    """A word as a message shows it."""
    return word if len(word) <= 40 else f"{word[:37]}..."
