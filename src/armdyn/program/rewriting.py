"""A program's text with other speeds and accelerations; everything else stays as it is, to the letter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from lark import Token

from armdyn.motion.moves import PathMove, PointToPoint
from armdyn.program.edits import Edit, MoveWords, edited, end_of, moves_at, place_of, start_of
from armdyn.program.programs import ParsedProgram, Program
from armdyn.program.settings import ASPECTS, Aspect, Setting, number_text, settings_of
from armdyn.program.tree import Place

Factors = Mapping[tuple[Place, Aspect], float]
"""Factors, above 0 and at most 1, by statement and aspect; those that are left out are 1."""
Change = tuple[Setting, float]
"""With its factor."""
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
    edits = [edit for move in moves_at(parsed, changes) for edit in _edits(move, changes[move.statement.at])]
    return edited(parsed.source, edits)


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


def _edits(move: MoveWords, chosen: Mapping[Aspect, Change]) -> list[Edit]:
    """What is to be written in one move."""
    edits: list[Edit] = []
    for aspect in ASPECTS:
        if aspect not in chosen:
            continue
        setting, factor = chosen[aspect]
        if setting.written is None:  # the acceleration stands behind the speed
            place = move.behind("speed_ptp" if setting.kind == "ptp" else "speed")
            edits.append((place, place, f" {setting.option}={setting.replacement(factor)}"))
        else:
            edits += _changed(setting, factor, move.values[setting.option])
    return edits


def _changed(setting: Setting, factor: float, value: Sequence[Token]) -> Iterator[Edit]:
    """Another number, or an expression times a number."""
    assert setting.written is not None
    if not setting.is_scaled:
        number = next(token for token in value if place_of(token) == setting.written.at)
        yield start_of(number), end_of(number), setting.replacement(factor)
        return
    if setting.is_sum:
        yield start_of(value[0]), start_of(value[0]), "("
    yield end_of(value[-1]), end_of(value[-1]), f"{')' if setting.is_sum else ''}*{number_text(factor)}"
