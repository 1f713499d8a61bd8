"""What an expression gives; whatever has no value says where."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from armdyn.program.lexer import short
from armdyn.program.operations import called, checked, fault, operated, prefixed
from armdyn.program.tree import Call, Expression, Group, Literal, Name, Operation, Prefixed


class Evaluation:
    """The values that names have, and how much work was done."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        """Look names up in these values."""
        self.values = values
        self.work = 0

    def of(self, expression: Expression) -> Any:
        """The value of an expression whose types have been checked."""
        self.work += 1
        match expression:
            case Literal():
                return expression.value
            case Name():
                return self._named(expression)
            case Group():
                return tuple(map(self.of, expression.items))
            case Call():
                return called(expression.name, tuple(map(self.of, expression.arguments)), expression.at)
            case Prefixed():
                return prefixed(expression.signs, self.of(expression.operand))
            case Operation():
                return self._chain(expression)

    def _named(self, name: Name) -> Any:
        value = math.pi if name.key == "pi" else self.values.get(name.key)
        if value is None:
            raise fault(
                f'"{short(name.written)}" has no value yet, expected one in var or before this', name.at
            )
        return value

    def _chain(self, chain: Operation) -> Any:
        value = self.of(chain.first)
        for sign, operand in chain.rest:
            word = sign.key
            if word in ("and", "or") and value is (word == "or"):
                continue  # decided; types were checked
            value = checked(operated(value, word, self.of(operand), sign.at), sign.at)
        return value
