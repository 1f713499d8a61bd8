"""A program's text with other speeds and accelerations; everything else stays as it is, to the letter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lark import Token

from armdyn.motion.moves import PathMove, PointToPoint
from armdyn.program.lexer import words
from armdyn.program.programs import ParsedProgram, Program
from armdyn.program.settings import ASPECTS, Aspect, Setting, move_statements, number_text, settings_of
from armdyn.program.tree import MoveStatement, Place

Factors = Mapping[tuple[Place, Aspect], float]
"""Factors, above 0 and at most 1, by statement and aspect; those that are left out are 1."""
Change = tuple[Setting, float]
"""With its factor."""
Edit = tuple[int, int, str]
"""From one character to before another there shall be this text."""
SAME = 1e-12
"""Relative: values this near are the same, but for rounding."""


def rewritten(parsed: ParsedProgram, program: Program, factors: Factors) -> str:
    """The text in which the moves have speeds and accelerations multiplied by factors.

    Numbers are replaced, expressions multiplied. A speed holds until another is given: where a move says
    nothing and what holds is not what it shall have any more, that is written at the move.

    Args:
        parsed: the program.
        program: its steps for a robot.
        factors: by statement and aspect.
    """
    settings = settings_of(parsed, program)
    factor = {id(s): factors.get((s.place, s.aspect), 1.0) for s in settings}
    unsaid = _not_held(settings, factor, program)
    changes: dict[Place, dict[Aspect, Change]] = {}
    for setting in settings:
        known = id(setting) not in unsaid if setting.written is None else factor[id(setting)] >= 1
        if not known:
            changes.setdefault(setting.place, {})[setting.aspect] = (setting, factor[id(setting)])
    if not changes:
        return parsed.source
    tokens = words(parsed.source).tokens
    first = {_at(token): k for k, token in enumerate(tokens)}
    edits = [
        edit
        for statement in move_statements(parsed.tree.statements)
        if statement.at in changes
        for edit in _edits(statement, changes[statement.at], tokens[first[statement.at] :])
    ]
    return _edited(parsed.source, sorted(edits, key=lambda edit: edit[:2]))


def _not_held(settings: Sequence[Setting], factor: Mapping[int, float], program: Program) -> set[int]:
    """Settings that the text does not say, and that do not come about by what holds from before."""
    at = {(setting.place, setting.option): setting for setting in settings}
    wanted = {
        (id(s), step): value
        for s in settings
        for step, value in zip(s.steps, s.with_factor(factor[id(s)]), strict=True)
    }
    unsaid: set[int] = set()
    known = -1
    while known < len(
        unsaid
    ):  # written at its move, one holds for others, in earlier turns of a loop as well
        known = len(unsaid)
        held: dict[str, float] = {"speed_ptp": 1.0, "acc_ptp": 1.0}
        for k, option, place in _executed(program):
            setting = at[place, option]
            value = wanted[id(setting), k]
            if setting.written is not None:
                held[option] = value
                continue
            if abs(held[option] - value) > SAME * value:
                unsaid.add(id(setting))
            if id(setting) in unsaid:
                held[option] = float(setting.replacement(factor[id(setting)]))
    return unsaid


def _executed(program: Program) -> Iterator[tuple[int, str, Place]]:
    """Speeds and accelerations in the order in which they are used: step, option and statement."""
    for k, (step, place) in enumerate(zip(program.steps, program.places, strict=True)):
        match step:
            case PointToPoint():
                yield from ((k, option, place) for option in ("speed_ptp", "acc_ptp"))
            case PathMove():
                yield from ((k, option, place) for option in ("speed", "acc"))
            case _:
                pass


@dataclass(frozen=True)
class _Written:
    """The words of one move statement."""

    targets_end: int
    """The character behind the last target"""
    values: Mapping[str, Sequence[Token]]
    """The words of each option's value; of one that stands alone none"""

    @classmethod
    def of(cls, statement: MoveStatement, tokens: Sequence[Token]) -> _Written:
        """Those from `move` to the semicolon."""
        last = next(k for k, token in enumerate(tokens) if token.type == "SEMICOLON")
        names = {option.name.at for option in statement.options}
        begins = [k for k in range(last) if _at(tokens[k]) in names]
        values = {tokens[a].lower(): tokens[a + 2 : b] for a, b in pairwise([*begins, last])}
        return cls(_end(tokens[[*begins, last][0] - 1]), values)

    def place_for(self, setting: Setting) -> int:
        """Where an option is added: the acceleration behind the speed, else behind the targets."""
        speed = self.values.get("speed_ptp" if setting.kind == "ptp" else "speed")
        return _end(speed[-1]) if speed else self.targets_end


def _edits(statement: MoveStatement, chosen: Mapping[Aspect, Change], tokens: Sequence[Token]) -> list[Edit]:
    """What is to be written in one move, whose words come first."""
    found = _Written.of(statement, tokens)
    edits: list[Edit] = []
    for aspect in ASPECTS:
        if aspect not in chosen:
            continue
        setting, factor = chosen[aspect]
        if setting.written is None:
            place = found.place_for(setting)
            edits.append((place, place, f" {setting.option}={setting.replacement(factor)}"))
        else:
            edits += _changed(setting, factor, found.values[setting.option])
    return edits


def _changed(setting: Setting, factor: float, value: Sequence[Token]) -> Iterator[Edit]:
    """Another number, or an expression times a number."""
    assert setting.written is not None
    if not setting.is_scaled:
        number = next(token for token in value if _at(token) == setting.written.at)
        yield _start(number), _end(number), setting.replacement(factor)
        return
    if setting.is_sum:
        yield _start(value[0]), _start(value[0]), "("
    yield _end(value[-1]), _end(value[-1]), f"{')' if setting.is_sum else ''}*{number_text(factor)}"


def _at(token: Token) -> Place:
    return Place(token.line or 1, token.column or 1)


def _start(token: Token) -> int:
    return token.start_pos or 0


def _end(token: Token) -> int:
    return token.end_pos or 0


def _edited(text: str, edits: Sequence[Edit]) -> str:
    """The text with all edits, which are in its order; two at one place follow one another."""
    parts: list[str] = []
    done = 0
    for start, stop, new in edits:
        parts += [text[done:start], new]
        done = stop
    return "".join([*parts, text[done:]])
