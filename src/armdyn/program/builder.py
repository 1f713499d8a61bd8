"""From the grammar's rules to the tree; lists are chains while they grow, so that a parser can go back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lark import Token, Transformer

from armdyn.program.tree import (
    Assignment,
    Call,
    Choice,
    Declaration,
    Expression,
    Group,
    Hold,
    Literal,
    Loop,
    MoveStatement,
    Name,
    Number,
    Operation,
    Option,
    Place,
    Prefixed,
    Release,
    ToolStatement,
    Tree,
    WaitStatement,
)


def place(token: Token) -> Place:
    """Where a word stands."""
    return Place(token.line or 1, token.column or 1)


def _name(token: Token) -> Name:
    return Name(place(token), str(token))


def _unchained(chain: Any) -> tuple[Any, ...]:
    """A chain of pairs (rest, last) as a tuple; what is empty is left out."""
    items: list[Any] = []
    while chain is not None:
        chain, item = chain
        if item is not None:
            items.append(item)
    return tuple(reversed(items))


class Builder(Transformer[Token, Any]):
    """One method for each rule of the grammar."""

    def start(self, children: Sequence[Any]) -> Tree:
        """The whole program."""
        _, name, _, declarations, statements, *_ = children
        return Tree(str(name), declarations or (), statements)

    def variables(self, children: Sequence[Any]) -> tuple[Declaration, ...]:
        """What stands between var and endvar, one declaration a name."""
        return tuple(item for items in _unchained(children[1]) for item in items)

    def sequence(self, children: Sequence[Any]) -> tuple[Any, ...]:
        """What stands between seq and endseq."""
        return _unchained(children[1])

    def nothing(self, _: Sequence[Any]) -> None:
        """An empty list."""

    def empty(self, _: Sequence[Any]) -> None:
        """A lone semicolon."""

    def stop(self, _: Sequence[Any]) -> None:
        """What may stand after a word that ends something."""

    def more(self, children: Sequence[Any]) -> tuple[Any, Any]:
        """A list and one more."""
        return children[0], children[1]

    def declaration(self, children: Sequence[Any]) -> tuple[Declaration, ...]:
        """One type, one name or more."""
        constant, kind, _, *rest = children
        items: list[tuple[Name, Expression | None]] = [item for item in rest if not isinstance(item, Token)]
        return tuple(Declaration(name.at, constant is not None, _name(kind), name, v) for name, v in items)

    def item(self, children: Sequence[Any]) -> tuple[Name, Expression | None]:
        """A name and what it is at first."""
        return _name(children[0]), children[2]

    def assignment(self, children: Sequence[Any]) -> Assignment:
        """A name takes a value."""
        name = _name(children[0])
        return Assignment(name.at, name, children[2])

    def move(self, children: Sequence[Any]) -> MoveStatement:
        """A move, whatever its kind and options."""
        word, kind, *rest = children
        options = tuple(part for part in rest if isinstance(part, Option))
        targets = tuple(part for part in rest if not isinstance(part, Option | Token))
        return MoveStatement(place(word), _name(kind), targets, options)

    def option(self, children: Sequence[Any]) -> Option:
        """A name, with a value or alone."""
        return Option(_name(children[0]), children[2])

    def choice(self, children: Sequence[Any]) -> Choice:
        """The branches of an if, and its else."""
        *branches, otherwise_word, otherwise, _ = children
        conditions, blocks = branches[1::4], branches[3::4]
        pairs = ((c, _unchained(b)) for c, b in zip(conditions, blocks, strict=True))
        return Choice(place(children[0]), tuple(pairs), _unchained(otherwise) if otherwise_word else ())

    def loop(self, children: Sequence[Any]) -> Loop:
        """A for and its body."""
        word, name, _, first, way, last, _, step, _, body, _ = children
        return Loop(place(word), _name(name), first, way.type == "DOWNTO", last, step, _unchained(body))

    def wait(self, children: Sequence[Any]) -> WaitStatement:
        """Standing still."""
        return WaitStatement(place(children[0]), children[2])

    def tool(self, children: Sequence[Any]) -> ToolStatement:
        """Another tool frame."""
        return ToolStatement(place(children[0]), children[1])

    def hold(self, children: Sequence[Any]) -> Hold:
        """Something in the hand."""
        return Hold(place(children[0]), children[0].lower(), children[1])

    def release(self, children: Sequence[Any]) -> Release:
        """Empty hands."""
        return Release(place(children[0]))

    # Expressions ------------------------------------------------------------------------------

    def operation(self, children: Sequence[Any]) -> Operation:
        """A chain of operators of one rank."""
        pairs = zip(children[1::2], children[2::2], strict=True)
        return Operation(children[0], tuple((_name(sign), operand) for sign, operand in pairs))

    comparison = operation

    def prefixed(self, children: Sequence[Any]) -> Prefixed:
        """Signs before a value."""
        return Prefixed(place(children[0]), tuple(str(s).lower() for s in children[:-1]), children[-1])

    def number(self, children: Sequence[Any]) -> Number:
        """A number: whole if it is written so, and not too long to be one."""
        written = str(children[0])
        value = int(written) if written.isdecimal() and len(written) < 20 else float(written)
        return Number(place(children[0]), value, written)

    def text(self, children: Sequence[Any]) -> Literal:
        """A string without its quotes."""
        return Literal(place(children[0]), str(children[0])[1:-1])

    def truth(self, children: Sequence[Any]) -> Literal:
        """True or false."""
        return Literal(place(children[0]), children[0].type == "TRUE")

    def name(self, children: Sequence[Any]) -> Name:
        """Something by its name."""
        return _name(children[0])

    def call(self, children: Sequence[Any]) -> Call:
        """A name with arguments."""
        return Call(place(children[0]), str(children[0]).lower(), children[2] or ())

    def group(self, children: Sequence[Any]) -> Expression:
        """Several values, or one in parentheses."""
        items = children[1]
        return items[0] if len(items) == 1 else Group(place(children[0]), items)

    def list(self, children: Sequence[Any]) -> tuple[Expression, ...]:
        """Values between commas."""
        return tuple(children[::2])
