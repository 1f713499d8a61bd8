"""Numbers of a robot file by their paths: `joints.2.a`, `links.forearm.mass`, `drives.1.gear`.

A path goes through the tables of the file (docs/robot-files.md); lists are counted from 1 or entered by
name. Shorter words stand for what people mean: `joints` are those of the bodies in the order of q, with the
fields of their DH rows; `links` are bodies, with the fields of their inertias; `gear` is a drive's ratio.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from armdyn.errors import InputError, suggestion

DH = ("theta", "d", "a", "alpha")
INERTIA = ("mass", "com", "tensor", "gyration", "pseudo")
_NUMBER = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(.*)", re.DOTALL)


def found_path(document: Mapping[str, Any], path: str) -> tuple[str | int, ...]:
    """Where a number stands in the tables of a robot; refused where there is no such place."""
    words = path.split(".")
    steps = _spelled(document, words)
    place: Any = document
    for k, step in enumerate(steps[:-1]):
        place = _entered(place, step, path, steps, k)
    last = steps[-1]
    if isinstance(place, list):
        last = _position(cast("list[Any]", place), last, path)
        place = place[last]  # pyright: ignore[reportUnknownVariableType]
    elif isinstance(place, dict):
        place = cast("dict[str, Any]", place).get(str(last))
    else:
        raise InputError(f'robot has no number at "{path}": "{steps[-2]}" is a value; end the path there')
    if isinstance(place, dict | list | bool) or (isinstance(place, str) and not _NUMBER.fullmatch(place)):
        raise InputError(f'robot has no number at "{path}" but a {_kind(place)}; name a number in it')
    return (*_resolved(document, steps[:-1], path), last)


def changed(document: Mapping[str, Any], values: Sequence[tuple[tuple[str | int, ...], float, bool]]) -> Any:
    """The tables with numbers set, or multiplied where the third element says so."""
    copied: Any = copy.deepcopy(dict(document))
    for path, value, factor in values:
        table: Any = copied
        for step in path[:-1]:
            table = _inside(table, step)
        table[path[-1]] = _multiplied(table, path, value) if factor else value
    return copied


def _inside(table: Any, step: str | int) -> Any:
    """What stands there; a table that the file leaves out is made."""
    return table[step] if isinstance(step, int) else table.setdefault(step, {})


def number_at(document: Mapping[str, Any], path: tuple[str | int, ...]) -> Any:
    """What stands there: a number, a text with a unit, or None."""
    place: Any = document
    for step in path:
        try:
            place = place[step]
        except (KeyError, IndexError, TypeError):
            return None
    return place


def _multiplied(table: Any, path: tuple[str | int, ...], factor: float) -> Any:
    own = table[path[-1]]
    if not isinstance(own, str):
        return own * factor
    found = _NUMBER.fullmatch(own)
    assert found is not None  # found_path has looked
    return f"{float(found.group(1)) * factor!r}{found.group(2)}"


# Words ----------------------------------------------------------------------------------------


def _spelled(document: Mapping[str, Any], words: list[str]) -> list[str | int]:
    """The path with short words written out."""
    match words:
        case ["joints", which, *rest] if rest:
            body, own = _joint(document, which), rest
            short = [] if rest[0] not in DH else ["dh"]
            return ["bodies", body, "joint", *short, *own]
        case ["links", which, *rest] if rest:
            short = ["inertia"] if rest[0] in INERTIA else []
            return ["bodies", which, *short, *rest]
        case ["drives", which, "gear"]:
            return ["drives", which, "ratio"]
        case _:
            return list(words)


def _joint(document: Mapping[str, Any], which: str) -> int:
    """The position of the body that carries a joint, by the joint's number in q or its name."""
    names: dict[str, int] = {}
    for k, body in enumerate(document.get("bodies", [])):
        joint = body.get("joint", {})
        if joint.get("kind") == "fixed" or "coupling" in joint:
            continue
        number = len(names) + 1
        names[str(joint.get("name", f"joint{number}"))] = k
    if which in names:
        return names[which]
    if which.isdecimal() and 1 <= int(which) <= len(names):
        return list(names.values())[int(which) - 1]
    raise InputError(
        f'robot has no joint "{which}"; {suggestion(which, names)}expected 1 to {len(names)} or one of '
        f"{', '.join(names)}"
    )


# Steps ----------------------------------------------------------------------------------------


def _entered(place: Any, step: str | int, path: str, steps: list[str | int], k: int) -> Any:
    if isinstance(place, list):
        listed = cast("list[Any]", place)
        return listed[_position(listed, step, path)]
    if isinstance(place, dict):
        table = cast("dict[str, Any]", place)
        if step in table:
            return table[str(step)]
        if k == 0:
            near = suggestion(str(step), [*table, "joints", "links"])
            raise InputError(f'robot has nothing called "{step}" (path "{path}"); {near}look at its file')
        return {}  # a table that the file leaves out: the schema says whether there is one
    raise InputError(f'robot has no number at "{path}": "{steps[k - 1]}" is a value; end the path there')


def _position(listed: list[Any], step: str | int, path: str) -> int:
    """Of an entry by number, from 1, or by name."""
    if isinstance(step, int):
        return step
    tables = (cast("dict[str, Any]", entry) if isinstance(entry, dict) else {} for entry in listed)
    names = [str(table.get("name", "")) for table in tables]
    if step in names:
        return names.index(step)
    if step.isdecimal() and 1 <= int(step) <= len(listed):
        return int(step) - 1
    named = [name for name in names if name]
    also = f" or one of {', '.join(named)}" if named else ""
    raise InputError(
        f'robot has no "{step}" (path "{path}"); {suggestion(step, named)}expected 1 to {len(listed)}{also}'
    )


def _resolved(document: Mapping[str, Any], steps: list[str | int], path: str) -> tuple[str | int, ...]:
    """The steps with positions instead of numbers and names."""
    place: Any = document
    found: list[str | int] = []
    for k, step in enumerate(steps):
        found.append(_position(cast("list[Any]", place), step, path) if isinstance(place, list) else step)
        place = _entered(place, step, path, steps, k)
    return tuple(found)


def _kind(place: Any) -> str:
    return {dict: "table", list: "list", bool: "yes or no", str: "text"}[type(place)]
