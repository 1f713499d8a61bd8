"""What pydantic found wrong with a robot file, as one clear sentence with its line."""

from __future__ import annotations

import re
from typing import Any, get_args, get_origin

from pydantic import ValidationError

from armdyn.errors import FormatError, suggestion
from armdyn.formats import schema
from armdyn.formats.lines import line_of


def first_mistake(
    error: ValidationError, text: str, file: str, root: type[schema.Table] = schema.RobotTable
) -> FormatError:
    """One clear sentence for the first thing pydantic found; `root` is what the file holds."""
    details = error.errors(include_url=False)
    # a misspelt field is also missing under its right name: say the misspelling
    first = next((d for d in details if d["type"] == "extra_forbidden"), details[0])
    path = [part for part in first["loc"] if not str(part).startswith(_INTERNAL)]
    field = "".join(f"[{p + 1}]" if isinstance(p, int) else f".{p}" for p in path).lstrip(".")
    message = first["msg"].removeprefix("Value error, ")
    match first["type"]:
        case "extra_forbidden":
            known = _fields_at(path[:-1], root)
            message = f"unknown field; {suggestion(str(path[-1]), known)}known: {', '.join(known)}"
        case "missing":
            message = "is missing"
        case "model_type":
            fields = ", ".join(_fields_at(path, root))
            message = f"{_short(first['input']) or 'a list'} is not a table, expected {{ .. }} with {fields}"
        case "too_long":
            message = f"more than {first.get('ctx', {})['max_length']} entries, expected fewer"
        case _:
            message = _plainly(message)
            value = _short(first["input"])
            if value and not _says(message, value.strip("'")):
                message = f"{value}: {message[0].lower()}{message[1:]}"
    more = f" (and {len(details) - 1} more)" if len(details) > 1 else ""
    return FormatError(
        f"{field}: {message}{more}" if field else message + more, file=file, line=line_of(text, path)
    )


_INTERNAL = ("function-", "tuple[", "constrained-", "[key]")
"""Parts of a path that are pydantic's, not the file's."""
_PLAIN = {
    "Input should be a valid string": "expected a text in quotes",
    "Input should be a valid tuple": "expected a list [..]",
    "Input should be a valid list": "expected a list [..]",
    "Input should be a valid dictionary": "expected a table { .. }",
    "Input should be a valid boolean": "expected true or false",
    "Input should be a valid number": "expected a number",
    "Input should be a valid integer": "expected a whole number",
    "Input should be greater": "expected a number greater",
    "Input should be less": "expected a number less",
    "Input should be ": "expected ",
    "String should have ": "expected ",
    "Tuple should have ": "expected ",
}
"""What pydantic says of values, and how it is said to people who write files."""


def _plainly(message: str) -> str:
    for said, plain in _PLAIN.items():
        if message.startswith(said):
            rest = re.sub(" after validation, not .*", "", message.removeprefix(said))
            return plain + ("" if rest.startswith(",") else rest)
    return message


def _says(message: str, value: str) -> bool:
    """Whether a message has the value already, and not as a part of another one."""
    return re.search(rf"(?<![\w.]){re.escape(value)}(?![\w.])", message) is not None


def _short(value: Any) -> str:
    """What was written, if it is one word or number that a sentence can hold."""
    if not isinstance(value, (str, int, float)) or (isinstance(value, int) and abs(value) > 10**40):
        return ""
    return repr(value) if len(repr(value)) < 60 else ""


def _fields_at(path: list[Any], root: type[schema.Table]) -> list[str]:
    """The fields that the schema knows at a path."""
    table: type[schema.Table] | None = root
    named = False
    for part in path:
        if named or not isinstance(part, str):  # a name that the file's author has chosen, or a number
            named = False
            continue
        fields: dict[str, Any] = {} if table is None else dict(table.model_fields)
        annotation = fields[part].annotation if part in fields else None
        table, named = _table_in(annotation), get_origin(annotation) is dict
    return [] if table is None else list(table.model_fields)


def _table_in(annotation: Any) -> type[schema.Table] | None:
    """The table that an annotation such as `tuple[BodyTable, ...]` is about."""
    if isinstance(annotation, type) and issubclass(annotation, schema.Table):
        return annotation
    return next((table for part in get_args(annotation) if (table := _table_in(part))), None)
