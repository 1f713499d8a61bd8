"""Whether a move makes sense: its kind, its targets, its options."""

from __future__ import annotations

from collections.abc import Callable

from armdyn.errors import suggestion
from armdyn.program.complaints import unknown_move
from armdyn.program.expression_checks import ExpressionChecks
from armdyn.program.kinds import described, fits
from armdyn.program.lexer import short
from armdyn.program.tree import Expression, Literal, MoveStatement, Name, Option
from armdyn.program.words import ALL_OPTIONS, FLAGS, MOVES, OPTIONS, ORIENTATIONS, UNSUPPORTED_OPTIONS

_FORMS = {"ptp": "move ptp TARGET", "lin": "move lin TARGET", "circle": "move circle VIA, END"}
_INSTEAD = {"speed": "speed_ptp", "acc": "acc_ptp", "speed_ptp": "speed", "acc_ptp": "acc"}


def check_move(
    move: MoveStatement, expressions: ExpressionChecks, want_number: Callable[[str, Expression], None]
) -> Name | None:
    """Report what is wrong with a move; the robot that it names, if it does."""
    kind = move.kind.key
    if kind not in MOVES:
        expressions.report(unknown_move(move.kind.written), move.kind.at)
        return None
    _check_targets(move, expressions)
    seen: set[str] = set()
    robot: Name | None = None
    for option in move.options:
        name = option.name.key
        if name not in OPTIONS[kind]:
            expressions.report(_no_option(option, kind), option.name.at)
        elif name in seen:
            expressions.report(f'"{option.name.written}" stands twice, expected once', option.name.at)
        elif (option.value is None) != (name in FLAGS):
            expressions.report(_wrong_form(option), option.name.at)
        elif name == "c_ori":
            _check_orientation(option, kind, expressions)
        elif name == "act_rob":
            robot = _named_robot(option, expressions)
        elif option.value is not None:
            want_number(name, option.value)
        seen.add(name)
    return robot


def _check_targets(move: MoveStatement, expressions: ExpressionChecks) -> None:
    kind, count = move.kind.key, len(move.targets)
    wanted = 2 if kind == "circle" else 1
    if count != wanted:
        at = move.targets[wanted].at if count > wanted else move.kind.at
        given = f"{count} target{'s' if count > 1 else ''}"
        expressions.report(f"move {kind} has {given}, expected {_FORMS[kind]}", at)
    for target in move.targets:
        given = expressions.kind(target)
        if given is None or fits(given, "robtarg") or (kind == "ptp" and given == "joint"):
            continue
        joints = "; joint values are for move ptp" if given == "joint" else ""
        expected = "a robtarg, a position or a joint" if kind == "ptp" else "a robtarg or a position"
        expressions.report(f"the target is {described(given)}, expected {expected}{joints}", target.at)


def _no_option(option: Option, kind: str) -> str:
    name, written = option.name.key, short(option.name.written)
    if name in UNSUPPORTED_OPTIONS:
        return f'"{written}" is not supported; {UNSUPPORTED_OPTIONS[name]}'
    if name in ALL_OPTIONS:
        instead = f"; use {_INSTEAD[name]}" if name in _INSTEAD else ""
        return f'"{written}" is no option of move {kind}{instead}'
    known = ", ".join(OPTIONS[kind])
    near = suggestion(name, OPTIONS[kind])
    return f'"{written}" is no option of move {kind}; {near or f"expected {known}"}'.rstrip()


def _wrong_form(option: Option) -> str:
    written = option.name.written
    if option.value is not None:
        return f'"{written}" stands alone, without a value'
    return f'"{written}" has no value, expected {written}=..'


def _check_orientation(option: Option, kind: str, expressions: ExpressionChecks) -> None:
    value, expected = option.value, " or ".join(ORIENTATIONS)
    assert value is not None
    if not isinstance(value, Name):
        expressions.report(f"c_ori has a value that is no word, expected {expected}", value.at)
    elif value.key not in ORIENTATIONS:
        near = suggestion(value.key, ORIENTATIONS)
        expressions.report(f'c_ori is "{short(value.written)}"; {near}expected {expected}', value.at)
    elif value.key == "o_pvo" and kind == "lin":
        expressions.report(
            "o_pvo goes through the orientation of a via point; move lin has none, use o_var", value.at
        )


def _named_robot(option: Option, expressions: ExpressionChecks) -> Name | None:
    value = option.value
    if isinstance(value, Literal) and isinstance(value.value, str) and value.value.strip():
        return Name(value.at, value.value)
    assert value is not None
    expressions.report('act_rob is no robot, expected a name in quotes, as act_rob="lola_15"', value.at)
    return None
