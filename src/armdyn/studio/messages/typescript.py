"""The messages as TypeScript types, for the page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic.json_schema import models_json_schema

from armdyn.studio.messages.answers import Failure, Progress
from armdyn.studio.messages.model import LARGEST_TEXT, Message
from armdyn.studio.messages.table import EVENTS, REQUESTS, RESULTS

Schema = Mapping[str, Any]
HEAD = """\
// What page and server say to each other. Generated: `python -m armdyn.studio.messages` writes this file.
"""
PLAIN = {"string": "string", "number": "number", "integer": "number", "boolean": "boolean", "null": "null"}
FRAMES = """\
/** A binary frame begins with this, then the length of its JSON, both u32 little-endian. */
export const MAGIC = 0x41524d31;
"""
LIMITS = f"""\
/** Characters that a program may have. */
export const LARGEST_TEXT = {LARGEST_TEXT};
"""


def typescript() -> str:
    """All types of all messages."""
    asked = _interfaces(list(REQUESTS.values()), "validation")
    told = _interfaces([Failure, Progress, *RESULTS.values(), *EVENTS.values()], "serialization")
    both = {**told, **asked}  # what is said both ways may be said in short
    parts = [
        HEAD,
        FRAMES,
        LIMITS,
        *(both[name] for name in sorted(both)),
        _table(),
        _union("AnyEvent", EVENTS),
    ]
    return "\n".join(parts)


def _interfaces(models: list[type[Message]], mode: Literal["validation", "serialization"]) -> dict[str, str]:
    unique = dict.fromkeys(models)
    _, schema = models_json_schema([(model, mode) for model in unique])
    definitions: Mapping[str, Schema] = schema["$defs"]
    return {
        name: "\n".join(_interface(name, body, all_there=mode == "serialization"))
        for name, body in definitions.items()
    }


def _interface(name: str, schema: Schema, *, all_there: bool) -> Iterator[str]:
    needed = schema.get("required", ())
    yield from _comment(schema, "")
    if not schema.get("properties"):
        yield f"export type {name} = Record<string, never>;\n"
        return
    yield f"export interface {name} {{"
    for field, body in schema.get("properties", {}).items():
        yield from _comment(body, "  ")
        told = all_there or field in needed or "const" in body
        yield f"  {field}{'' if told else '?'}: {_type(body)};"
    yield "}\n"


def _comment(schema: Schema, indent: str) -> Iterator[str]:
    if said := schema.get("description"):
        yield f"{indent}/** {' '.join(said.split())} */"


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[-1]
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{word}"' for word in schema["enum"])
    for union in ("anyOf", "oneOf"):
        if union in schema:
            return " | ".join(dict.fromkeys(_type(each) for each in schema[union]))
    match schema.get("type"):
        case "array" if "prefixItems" in schema:
            return f"[{', '.join(_type(item) for item in schema['prefixItems'])}]"
        case "array":
            item = _type(schema["items"])
            return f"({item})[]" if " " in item else f"{item}[]"
        case "object":
            return f"Record<string, {_of_values(schema)}>"
        case str() as word:
            return PLAIN[word]
        case _:
            return "unknown"


def _of_values(schema: Schema) -> str:
    """What a dictionary holds; by a pattern of its keys it may be said otherwise."""
    patterns = list(schema.get("patternProperties", {}).values())
    values: Any = patterns[0] if patterns else schema.get("additionalProperties")
    return "unknown" if values in (None, True) else _type(values)


def _table() -> str:
    rows = [
        f"  {name}: {{ request: {request.__name__}; result: {RESULTS[name].__name__} }};"
        for name, request in REQUESTS.items()
    ]
    about = "/** Every request by name, and what answers it. */"
    return "\n".join([about, "export interface Requests {", *rows, "}", ""])


def _union(name: str, models: Mapping[str, type[Message]]) -> str:
    return f"export type {name} = {' | '.join(model.__name__ for model in models.values())};\n"
