"""The format of telemetry: a hello, then samples as JSON text or as binary records. SI throughout.

    {"hello": 1, "robot": "ur5", "name": "cell 3", "fields": ["q", "tau"]}
    {"sequence": 17, "time": 12.34, "q": [..n], "tau": [..n]}

A binary frame holds records one after another, little-endian: sequence (u64), time (f64), then the numbers
(f64) of the fields in the order of the hello. docs/live.md is the authority.
"""

from __future__ import annotations

import json
import math
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from armdyn.errors import InputError, counted
from armdyn.scalars import Array

VERSION = 1
PATH = "/telemetry"
"""Of the websocket that telemetry is sent to."""
EFFORTS = ("tau", "motor_torque", "current")
"""What moves the arm: a stream has one of them, or none."""
LARGEST_FRAME = 256 * 1024
"""Bytes of a message."""
MOST_PER_SECOND = 2000
"""Samples of a stream."""
LARGEST_NUMBER = 1e12
"""Beyond it nothing is measured."""
LATEST = 2.0**33
"""[s] Time as a log can hold it."""
HEAD = struct.Struct("<Qd")

FieldName = Literal["q", "qd", "tau", "motor_torque", "current"]


class Hello(BaseModel):
    """What a sender says first."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    hello: Literal[1]
    robot: Annotated[str, Field(min_length=1, max_length=200)]
    name: Annotated[str | None, Field(max_length=80)] = None
    fields: Annotated[tuple[FieldName, ...], Field(min_length=1, max_length=3)]


@dataclass(frozen=True, slots=True)
class Sample:
    """What was measured at an instant."""

    sequence: int
    time: float
    """[s] by the controller's clock"""
    values: Array
    """Numbers of all fields, one after another"""


@dataclass(frozen=True)
class Layout:
    """Fields and how many numbers each has."""

    widths: Mapping[str, int]

    @cached_property
    def places(self) -> dict[str, slice]:
        """Where the numbers of each field are."""
        ends = np.cumsum([0, *self.widths.values()]).tolist()
        return {name: slice(ends[k], ends[k + 1]) for k, name in enumerate(self.widths)}

    @cached_property
    def width(self) -> int:
        """Numbers of a sample."""
        return sum(self.widths.values())

    @cached_property
    def record(self) -> struct.Struct:
        """A binary record."""
        return struct.Struct(f"<Qd{self.width}d")

    @cached_property
    def effort(self) -> str | None:
        """Which field moves the arm."""
        return next((name for name in self.widths if name in EFFORTS), None)

    def title(self, k: int) -> str:
        """What to call a number: q3."""
        name, place = next((n, p) for n, p in self.places.items() if p.start <= k < p.stop)
        return f"{name}{k - place.start + 1}"


def hello_of(text: str) -> Hello:
    """The hello in a text message."""
    try:
        return Hello.model_validate(_object(text))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in first["loc"]) or "hello"
        expected = '{"hello": 1, "robot": .., "fields": ["q", "tau"]}'
        raise InputError(f"hello: {key}: {first['msg']}; expected {expected}") from error


def layout_of(fields: Sequence[str], joints: int, drives: int, robot: str) -> Layout:
    """The layout of a robot's samples, refused if positions are missing or efforts are several."""
    if "q" not in fields or len(set(fields)) != len(fields):
        raise InputError(f"hello: fields are {', '.join(fields)}; expected q, each once")
    efforts = [name for name in fields if name in EFFORTS]
    if len(efforts) > 1:
        raise InputError(f"hello: {' and '.join(efforts)} are given, expected one of them")
    if not drives and any(name in ("motor_torque", "current") for name in fields):
        raise InputError(f'hello: {efforts[0]} is given, robot "{robot}" has no drives; send tau')
    return Layout({name: drives if name in ("motor_torque", "current") else joints for name in fields})


# Samples --------------------------------------------------------------------------------------


def sample_of_text(text: str, layout: Layout) -> Sample:
    """The sample in a text message."""
    content = _object(text)
    sequence, time = content.get("sequence"), content.get("time")
    if isinstance(sequence, bool) or not isinstance(sequence, int) or not 0 <= sequence < 2**63:
        raise InputError(f"sample: sequence is {_short(sequence)}, expected a whole number of 0 or more")
    if isinstance(time, bool) or not isinstance(time, int | float):
        raise InputError(f"sample {sequence}: time is {_short(time)}, expected seconds")
    if odd := content.keys() ^ {"sequence", "time", *layout.widths}:
        known = ", ".join(("sequence", "time", *layout.widths))
        raise InputError(
            f'sample {sequence}: "{min(odd)[:40]}" is {_odd(min(odd), content)}; expected {known}'
        )
    rows = [_numbers(content[name], name, width, sequence) for name, width in layout.widths.items()]
    return checked(Sample(sequence, float(time), np.concatenate(rows)), layout)


def samples_of_bytes(data: bytes, layout: Layout) -> list[Sample | InputError]:
    """The samples in a binary frame; in the place of a bad one what is wrong with it."""
    size = layout.record.size
    if not data or len(data) % size:
        numbers = f"a record of {', '.join(layout.widths)} has {size}"
        raise InputError(f"frame has {counted(len(data), 'byte')}; {numbers}, expected a multiple")
    found: list[Sample | InputError] = []
    for offset in range(0, len(data), size):
        sequence, time = HEAD.unpack_from(data, offset)
        values = np.frombuffer(data, "<f8", layout.width, offset + HEAD.size)
        try:
            found.append(checked(Sample(sequence, time, values), layout))
        except InputError as error:
            found.append(error)
    return found


def record_of(sample: Sample, layout: Layout) -> bytes:
    """A sample as a binary record."""
    return layout.record.pack(sample.sequence, sample.time, *sample.values)


def checked(sample: Sample, layout: Layout) -> Sample:
    """The sample, refused if a number of it is none that can be measured."""
    if not 0 <= sample.time < LATEST:  # NaN is not
        raise InputError(f"sample {sample.sequence}: time is {sample.time:g}, expected seconds from 0 on")
    usable = np.abs(sample.values) < LARGEST_NUMBER
    if not usable.all():
        k = int(np.argmin(usable))
        value = sample.values[k]
        said = "no number" if math.isnan(value) else f"{value:g}"
        raise InputError(f"sample {sample.sequence}: {layout.title(k)} is {said}, expected a finite number")
    return sample


def _object(text: str) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"message {_short(text)} is not JSON, expected an object") from error
    if not isinstance(content, dict):
        raise InputError(f"message {_short(text)} is not an object, expected one")
    return cast("dict[str, Any]", content)


def _numbers(values: Any, name: str, width: int, sequence: int) -> Array:
    expected = f"expected a list of {counted(width, 'number')}"
    if not isinstance(values, list):
        raise InputError(f"sample {sequence}: {name} is {_short(values)}, {expected}")
    given = cast("list[Any]", values)
    if len(given) != width:
        raise InputError(f"sample {sequence}: {name} has {counted(len(given), 'element')}, {expected}")
    if odd := [x for x in given if isinstance(x, bool) or not isinstance(x, int | float)]:
        raise InputError(f"sample {sequence}: {name} has {_short(odd[0])}, {expected}")
    try:
        return np.array(given, dtype=float)
    except OverflowError as error:
        raise InputError(f"sample {sequence}: {name} has too large a number, {expected}") from error


def _odd(key: str, content: Mapping[str, Any]) -> str:
    return "unknown" if key in content else "missing"


def _short(value: Any) -> str:
    """A value as a message shows it, printable and not long."""
    text = re.sub(r"[^\x20-\x7e]", "?", str(value)[:200])
    return f'"{text}"' if len(text) <= 40 else f'"{text[:37]}..."'
