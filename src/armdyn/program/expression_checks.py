"""Whether an expression makes sense: its names are known, its types fit."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from armdyn.errors import suggestion
from armdyn.program.kinds import FORMS, Kind, combined, described, is_number, made_by
from armdyn.program.lexer import short
from armdyn.program.operations import LARGEST_WHOLE
from armdyn.program.tree import Call, Expression, Group, Literal, Name, Number, Operation, Place, Prefixed
from armdyn.program.words import CONSTRUCTORS, FUNCTIONS, ORIENTATIONS, UNSUPPORTED

Report = Callable[[str, Place], None]


class ExpressionChecks:
    """The types of names, and where to report what is wrong."""

    def __init__(self, names: Mapping[str, Kind | None], report: Report) -> None:
        """Look names up here; a name of None is known but its type is not."""
        self.names, self.report = names, report

    def kind(self, expression: Expression) -> Kind | None:
        """The type of an expression; None after something wrong in it, which has been reported."""
        match expression:
            case Number():
                return self._number(expression)
            case Literal():
                return "bool" if isinstance(expression.value, bool) else "string"
            case Name():
                return self._name(expression)
            case Group():
                return self._all(expression.items)
            case Call():
                return self._call(expression)
            case Prefixed():
                return self._prefixed(expression)
            case Operation():
                return self._chain(expression)

    def _number(self, number: Number) -> Kind | None:
        value, written = number.value, short(number.written)
        if isinstance(value, float) and (not math.isfinite(value) or _digits_alone(number.written)):
            self.report(f"{written} is too large for a number", number.at)
            return None
        if isinstance(value, int) and value > LARGEST_WHOLE:
            self.report(f"{written} is too large for a whole number, expected at most 2^53", number.at)
            return None
        return "int" if isinstance(value, int) else "real"

    def _name(self, name: Name) -> Kind | None:
        if name.key == "pi":
            return "real"
        if name.key in self.names:
            return self.names[name.key]
        self.report(self._unknown(name), name.at)
        return None

    def _unknown(self, name: Name) -> str:
        written = short(name.written)
        if name.key in ORIENTATIONS:
            return f'"{written}" is a value of c_ori, expected a name of your own'
        if name.key in FORMS:
            return f'"{written}" stands without its values, expected {FORMS[name.key]}'
        if name.key in UNSUPPORTED:
            return f'"{written}" is not supported; {UNSUPPORTED[name.key]}'
        near = suggestion(name.key, (*self.names, "pi"))
        return f'"{written}" is not declared; {near or "declare it between var and endvar"}'.rstrip()

    def _all(self, items: tuple[Expression, ...]) -> tuple[Kind, ...] | None:
        """The types of several; None if one is unknown, with every one looked at."""
        kinds = [self.kind(item) for item in items]
        known = tuple(kind for kind in kinds if kind is not None)
        return known if len(known) == len(kinds) else None

    def _call(self, call: Call) -> Kind | None:
        if call.name not in FUNCTIONS and call.name not in CONSTRUCTORS:
            self.report(self._no_function(call.name), call.at)
            return None
        kinds = self._all(call.arguments)
        if kinds is None:
            return None
        made = made_by(call.name, kinds)
        if made is None:
            given = f"({', '.join(map(_listed, kinds))})" if kinds else "nothing"
            self.report(f"{call.name} of {given}, expected {FORMS[call.name]}", call.at)
        return made

    def _no_function(self, name: str) -> str:
        if name in UNSUPPORTED:
            return f'"{name}" is not supported; {UNSUPPORTED[name]}'
        known = (*CONSTRUCTORS, *FUNCTIONS)
        near = suggestion(name, known) or f"expected {', '.join(known)}"
        return f'"{short(name)}" is no function; {near}'.rstrip()

    def _prefixed(self, expression: Prefixed) -> Kind | None:
        kind = self.kind(expression.operand)
        if kind is None:
            return None
        sign = expression.signs[0]
        fine = kind == "bool" if sign == "not" else is_number(kind) or kind == "position"
        if not fine:
            wanted = "a bool" if sign == "not" else "a number or a position"
            self.report(f'"{sign}" before {described(kind)}, expected {wanted}', expression.at)
            return None
        return kind

    def _chain(self, chain: Operation) -> Kind | None:
        kind = self.kind(chain.first)
        for sign, operand in chain.rest:
            right = self.kind(operand)
            if kind is None or right is None:
                kind = None
                continue
            result = combined(kind, sign.key, right)
            if result is None:
                self.report(
                    f'"{sign.written}" between {described(kind)} and {described(right)}{_hint(sign.key)}',
                    sign.at,
                )
            kind = result
        return kind


def _hint(sign: str) -> str:
    if sign in ("div", "mod"):
        return ", expected two whole numbers"
    if sign in ("and", "or"):
        return ", expected two bools"
    return " has no meaning"


def _digits_alone(written: str) -> bool:
    return written.isdecimal()


def _listed(kind: Kind) -> str:
    return f"({', '.join(map(_listed, kind))})" if isinstance(kind, tuple) else kind


def is_constant(expression: Expression) -> bool:
    """Whether an expression is the same whenever it is asked."""
    match expression:
        case Literal():
            return True
        case Name():
            return expression.key == "pi"
        case Group():
            return all(map(is_constant, expression.items))
        case Call():
            return all(map(is_constant, expression.arguments))
        case Prefixed():
            return is_constant(expression.operand)
        case Operation():
            return is_constant(expression.first) and all(
                is_constant(operand) for _, operand in expression.rest
            )
