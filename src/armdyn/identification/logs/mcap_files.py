"""MCAP files: their topics and messages, a chunk at a time, and one sentence if they are damaged.

A file whose end is missing, as its writer was killed or the disk was full, is read up to its last whole
record.
"""

from __future__ import annotations

import struct
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from armdyn.errors import InputError
from armdyn.formats.reading import opened
from armdyn.identification.logs.unfinished import Beginning, Packed, checked_chunks, end_of_records

LARGEST_PART = 2**30
"""Bytes of a part of a file that must be in memory as a whole."""
READING: dict[str, Any] = {"validate_crcs": True, "record_size_limit": LARGEST_PART}
PROBED = 100
"""Messages of a topic that are looked at to see what it is: several senders may share it."""


@dataclass(frozen=True)
class Topic:
    """A topic of a file, with its first messages if they are JSON."""

    name: str
    encoding: str
    schema: str
    probes: tuple[bytes, ...]


@dataclass(frozen=True)
class Message:
    """A message of a topic."""

    time: int
    """When it was logged [ns]"""
    data: bytes


@contextmanager
def open_log(file: Path) -> Generator[BinaryIO]:
    """A file to be read; one sentence if it cannot be."""
    try:
        stream = opened(file)
    except FileNotFoundError as error:
        raise InputError(f"{file}: no such file") from error
    except OSError as error:
        raise InputError(f"{file}: cannot be read, {error.strerror or error}") from error
    except ValueError as error:  # a null byte in the name
        raise InputError(f"no file can have the name {str(file)!r}") from error
    with stream:
        yield stream


class McapFile:
    """An open .mcap file."""

    def __init__(self, stream: BinaryIO, file: Path) -> None:
        """Read how it begins and ends."""
        self._mcap: Any = import_module("mcap.reader")
        self._file, self._stream = file, stream
        with _undamaged(file, "not an MCAP file that can be read"):
            self._reader: Any = self._mcap.SeekingReader(stream, **READING)
        with self._damage():
            self._end = end_of_records(stream)
        with _undamaged(file, "its chunks cannot be unpacked; mend it with `mcap recover`", said=True):
            packed = checked_chunks(stream)
        with self._damage():
            self._summary: Any = self._reader.get_summary() if self._end is None else None
            self._check_index(packed)

    def _check_index(self, packed: Packed) -> None:
        """Refuse an index that points to what is no chunk: nobody has looked at it."""
        indexes = () if self._summary is None else self._summary.chunk_indexes
        if any(index.chunk_start_offset not in packed.places for index in indexes):
            raise ValueError("its index points to what is no chunk")

    @property
    def notes(self) -> list[str]:
        """What to say of the file itself."""
        said = "its end is missing, as after a crash: read up to its last whole part"
        return [] if self._end is None else [said]

    def metadata(self, name: str) -> dict[str, str]:
        """What a file says of itself under a name, as far as it says anything."""
        with self._damage():
            records = self._open().iter_metadata()
            while (record := self._next(records)) is not None:
                if record.name == name:
                    return dict(record.metadata)
        return {}

    def topics(self) -> list[Topic]:
        """All topics that have messages, in the order of the file."""
        if self._summary is None or not self._summary.channels:
            found = self._probed(self._messages(None))
        else:
            names = dict.fromkeys(channel.topic for channel in self._summary.channels.values())
            found = {
                k: v for name in names for k, v in self._probed(islice(self._messages(name), PROBED)).items()
            }
        return [
            Topic(name, encoding, schema, tuple(probes))
            for (name, encoding), (schema, probes) in found.items()
        ]

    def messages(self, topic: str) -> Iterator[Message]:
        """The JSON messages of a topic, as they stand in the file."""
        for _, channel, message in self._messages(topic):
            if channel.message_encoding == "json":
                yield Message(message.log_time, message.data)

    def _probed(self, messages: Iterator[Any]) -> dict[tuple[str, str], tuple[str, list[bytes]]]:
        """By topic and encoding the schema's name and the first messages."""
        found: dict[tuple[str, str], tuple[str, list[bytes]]] = {}
        for schema, channel, message in messages:
            key = (channel.topic, channel.message_encoding)
            _, probes = found.setdefault(key, ("" if schema is None else schema.name, []))
            if channel.message_encoding == "json" and len(probes) < PROBED:
                probes.append(message.data)
        return found

    def _messages(self, topic: str | None) -> Iterator[Any]:
        # not in the order of time: that could take all of them into memory
        iterator: Iterator[Any] = self._open().iter_messages(topic, log_time_order=False)
        while True:
            with self._damage():
                found = self._next(iterator)
            if found is None:
                return
            yield found

    def _open(self) -> Any:
        """A reader; of an unfinished file one that goes from its begin to its last whole record."""
        if self._end is None:
            return self._reader
        with self._damage():
            return self._mcap.NonSeekingReader(Beginning(self._stream, self._end), **READING)

    def _next(self, iterator: Iterator[Any]) -> Any:
        """The next message, None at the end, which is missing of an unfinished file."""
        exceptions: Any = import_module("mcap.exceptions")
        try:
            return next(iterator, None)
        except exceptions.EndOfFile:
            if self._end is None:
                raise
            return None

    def _damage(self) -> Any:
        return _undamaged(self._file, "damaged or cut off; mend it with `mcap recover`")


@contextmanager
def _undamaged(file: Path, sentence: str, *, said: bool = False) -> Generator[None]:
    """Whatever bytes that make no sense lead to, in one sentence; with what was `said` of it."""
    exceptions: Any = import_module("mcap.exceptions")
    zstandard: Any = import_module("zstandard")
    failures = (
        *(exceptions.McapError, zstandard.ZstdError, struct.error),
        *(ValueError, LookupError, RuntimeError, EOFError, OverflowError, MemoryError, OSError),
    )
    try:
        yield
    except failures as error:
        why = f"{error}; " if said and isinstance(error, ValueError) else ""
        raise InputError(f"{file}: {why}{sentence}") from error
