"""What to say about a word that cannot stand where it stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lark import Token

from armdyn.errors import suggestion
from armdyn.program.lexer import short
from armdyn.program.words import (
    ALL_OPTIONS,
    FLAGS,
    MOVES,
    RESERVED,
    STATEMENTS,
    TYPES,
    UNSUPPORTED,
    UNSUPPORTED_MOVES,
)

Complaint = tuple[str, Token, bool]
"""A message, the word it is about, and whether its place is after that word."""

_SIGNS = {
    "SEMICOLON": '";"',
    "COMMA": '","',
    "CLOSE": '")"',
    "OPEN": '"("',
    "COLON": '":"',
    "EQUALS": '"="',
}
_VALUE = frozenset({"NUMBER", "STRING", "TRUE", "FALSE", "OPEN", "ADD", "NOT", "NAME"})
_OPERATORS = frozenset({"ADD", "MULTIPLY", "COMPARE", "AND", "OR", "OPEN"})
_OPENED_BY = {"ENDPROGRAM": "program", "ENDVAR": "var", "ENDSEQ": "seq", "ENDIF": "if", "ENDFOR": "for"}
_WRITTEN = {kind: word for word, kind in RESERVED.items() if kind != "MULTIPLY"} | _SIGNS


@dataclass(frozen=True)
class Situation:
    """The words, where the statement begins, the word at fault, what could stand there, open blocks."""

    tokens: Sequence[Token]
    begin: int
    at: int
    expected: set[str]
    open: tuple[Token, ...]

    @property
    def found(self) -> Token:
        """The word at fault."""
        return self.tokens[self.at]

    @property
    def first(self) -> Token:
        """The word that begins the statement."""
        return self.tokens[min(self.begin, self.at)]

    @property
    def previous(self) -> Token:
        """The word before the one at fault."""
        return self.tokens[max(self.at - 1, 0)]


def misses(situation: Situation, missing: Sequence[str]) -> Complaint:
    """What is not there, and where it should be."""
    found, previous = situation.found, situation.previous
    named = listed([_WRITTEN[kind] for kind in missing], "and")
    openers = {_OPENED_BY.get(kind) for kind in missing}
    since = [
        f"the {block.lower()} of line {block.line}" for block in situation.open if block.lower() in openers
    ]
    closed = f" for {' and '.join(reversed(since))}" if since else ""
    are = "is" if len(missing) == 1 else "are"
    if found.type == "$END":
        return f"the program ends here, {named} {are} missing{closed}", found, False
    if missing[0] == "SEMICOLON":
        after = f' after "{short(previous)}"'
        return f"{named} {are} missing{after}{closed}, found {_shown(found)}", previous, True
    return f"{named} {are} missing{closed} before {_shown(found)}", found, False


def complaint(situation: Situation) -> Complaint:
    """What is wrong, in the language's own words."""
    return (
        _unsupported(situation)
        or _misplaced(situation)
        or _of_a_move(situation)
        or _unknown_statement(situation)
        or _reserved(situation)
        or _general(situation)
    )


def _unsupported(situation: Situation) -> Complaint | None:
    """A word that belongs to the language elsewhere."""
    assigned = situation.at > situation.begin and situation.tokens[situation.begin + 1].type in (
        "EQUALS",
        "ASSIGN",
    )
    for token in (situation.found, *([] if assigned else [situation.first])):
        if token.type == "NAME" and token.lower() in UNSUPPORTED:
            return f'"{token}" is not supported; {UNSUPPORTED[token.lower()]}', token, False
    if situation.found.type == "POINT" and situation.previous.type == "NAME":
        whole = short(situation.previous)
        message = f'parts of a value, as of "{whole}", are not supported; use names of their own'
        return message, situation.found, False
    return None


def _misplaced(situation: Situation) -> Complaint | None:
    """A declaration among statements, an end without a beginning, something after the end."""
    found, first = situation.found, situation.first
    if situation.expected <= {"$END", "SEMICOLON", "POINT"} and "$END" in situation.expected:
        return f"nothing stands after endprogram, found {_shown(found)}", found, False
    if found.type == "COLON" and first.type == "NAME" and first.lower() in TYPES:
        return "declarations stand between var and endvar, before seq", first, False
    if found.type == "VAR":
        return "var .. endvar stands once, between program and seq", found, False
    if situation.at == situation.begin and found.type in (*_OPENED_BY, "ELSE", "ELSIF"):
        opener = _OPENED_BY.get(found.type, "if")
        return f'"{found}" belongs to no {opener}{_open_block(situation)}', found, False
    return None


def _open_block(situation: Situation) -> str:
    if not situation.open:
        return ""
    block = situation.open[-1]
    return f'; what is open here is the "{block.lower()}" of line {block.line}'


def _of_a_move(situation: Situation) -> Complaint | None:
    """A kind of move that does not exist, a target that is not there, a value without its sign."""
    if situation.first.type != "MOVE" or situation.at == situation.begin:
        return None
    kind, found, previous = situation.tokens[situation.begin + 1], situation.found, situation.previous
    if kind.lower() not in MOVES and (kind.type == "NAME" or found is kind):
        return unknown_move(kind), kind, False
    if situation.at == situation.begin + 2:
        return f"move {kind.lower()} has no target, found {_shown(found)}", found, False
    if (
        found.type in ("EQUALS", "ASSIGN")
        and situation.at == situation.begin + 3
        and previous.lower() in ALL_OPTIONS
    ):
        return f'move {kind.lower()} has no target, expected one before "{previous}"', previous, False
    if found.type in ("NUMBER", "STRING") and previous.lower() in ALL_OPTIONS:
        if previous.lower() in FLAGS:
            return f'"{previous}" stands alone, found {_shown(found)} after it', found, False
        return f'"=" is missing after "{previous}", found {_shown(found)}', found, False
    if found.type == "COMMA" and previous.type != "MOVE" and "NAME" in situation.expected:
        return "options stand without commas between them", found, False
    return None


def unknown_move(kind: Token | str) -> str:
    """Why this is no kind of move."""
    word = str(kind)
    if word.lower() in UNSUPPORTED_MOVES:
        return f'move "{word}" is not supported; {UNSUPPORTED_MOVES[word.lower()]}'
    if not word[:1].isalpha():
        return "move has no kind, expected ptp, lin or circle"
    return f'"{short(word)}" is no kind of move; {suggestion(word, MOVES)}expected ptp, lin or circle'


def _unknown_statement(situation: Situation) -> Complaint | None:
    """A word that should begin a statement and does not."""
    first = situation.first
    wanted = situation.tokens[situation.begin + 1 : situation.begin + 2]
    if (
        first.type != "NAME"
        or situation.at > situation.begin + 1
        or (wanted and wanted[0].type in ("EQUALS", "ASSIGN"))
    ):
        return None
    in_block = bool(situation.open)
    section = situation.open[-1].type if in_block else ""
    known = (*STATEMENTS, *(_WRITTEN[k] for k in _OPENED_BY), "else", "elsif", "program", "var", "seq")
    near = suggestion(first, known)
    if not in_block:
        return f'"{short(first)}" begins no program; {near}expected program NAME;', first, False
    if section == "VAR":
        return (f'"{short(first)}" is no declaration; {near}', first, False) if near else None
    if situation.at == situation.begin and not near:
        return None
    return f'"{short(first)}" is no statement; {near}{_expected_words(situation)}', first, False


def _expected_words(situation: Situation) -> str:
    if situation.at == situation.begin or not situation.open:
        return f"expected {_listed(situation.expected)}"
    return f"expected {', '.join(STATEMENTS)} or NAME = value"


def _reserved(situation: Situation) -> Complaint | None:
    """A word of the language where a name belongs."""
    found = situation.found
    if found.lower() in RESERVED and situation.expected == {"NAME"}:
        return f'"{found}" is a word of the language, expected a name of your own', found, False
    return None


def _general(situation: Situation) -> Complaint:
    """What was expected, and what was found."""
    return f"expected {_listed(situation.expected)}, found {_shown(situation.found)}", situation.found, False


def _shown(token: Token) -> str:
    if token.type == "$END":
        return "the end of the program"
    return short(str(token)) if token.type == "STRING" else f'"{short(str(token))}"'


def _listed(expected: set[str]) -> str:
    """The kinds of words in the language's own words, groups of them by what they begin."""
    rest, said = expected - {"ASSIGN", "POINT"}, list[str]()
    if {"MOVE", "WAIT"} <= rest:
        said.append("a statement")
        rest -= {*(s.upper() for s in STATEMENTS), "NAME", "SEMICOLON"}
    elif "NUMBER" in rest:
        said.append("a value")
        rest -= _VALUE | {"SEC"}
    elif {"CONST", "NAME"} <= rest:
        said.append("a declaration as real:x=1;")
        rest -= {"CONST", "SEMICOLON"}
    elif "NAME" in rest:
        said.append("an option" if "SEMICOLON" in rest else "a name")
    rest -= {"NAME"}
    plain = rest - _OPERATORS - ({"EQUALS"} if "COMPARE" in rest else set[str]())
    said += sorted(_WRITTEN.get(kind, "the end of the program") for kind in plain or rest)
    return listed(said, "or")


def listed(said: Sequence[str], last: str) -> str:
    """Several things in one sentence."""
    return said[0] if len(said) == 1 else f"{', '.join(said[:-1])} {last} {said[-1]}"
