"""MCAP files record by record: how far they are whole, and how much what is packed in them unpacks to.

A record is an opcode (u8), the length of its content (u64, little-endian) and the content. A writer that was
killed leaves whole records, then perhaps a piece of one, and no closing magic.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any, BinaryIO

MAGIC = b"\x89MCAP0\r\n"
CHUNK = 0x06
LARGEST_CHUNK = 64 * 2**20
"""Bytes of a chunk when it is unpacked; writers make them a hundred times smaller."""
LARGEST_RATIO, ALWAYS = 500, 2**30
"""So many times its own size a file may be when it is unpacked; so many bytes any file may."""
_RECORD = struct.Struct("<BQ")
_CHUNK = struct.Struct("<QQQ")
_HEAD = struct.Struct("<QQQII")
_BLOCK = 2**20


def end_of_records(stream: BinaryIO) -> int | None:
    """Where the last whole record of an unfinished file ends; None of a finished one."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - len(MAGIC)))
    finished = stream.read() == MAGIC and size > len(MAGIC)
    end = len(MAGIC)
    for _, _, end in _records(stream, size):  # noqa: B007  the last one's is wanted
        pass
    stream.seek(0)
    return None if finished else end


def _records(stream: BinaryIO, size: int) -> Iterator[tuple[int, int, int]]:
    """Opcode, beginning and end of every whole record."""
    end = len(MAGIC)
    while end + _RECORD.size <= size:
        stream.seek(end)
        opcode, length = _RECORD.unpack(stream.read(_RECORD.size))
        start, end = end, end + _RECORD.size + length
        if end > size:
            return
        yield opcode, start, end


# What is packed --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Packed:
    """Where chunks stand in a file."""

    places: frozenset[int]


def checked_chunks(stream: BinaryIO) -> Packed:
    """The chunks of a file, refused with a `ValueError` if unpacking them would fill the memory."""
    size = stream.seek(0, os.SEEK_END)
    places: set[int] = set()
    total = 0
    for opcode, start, end in _records(stream, size):
        if opcode == CHUNK:
            places.add(start)
            total += _unpacked_size(stream, start + _RECORD.size, end)
        if total > max(ALWAYS, LARGEST_RATIO * size):
            raise ValueError(f"it unpacks to more than {LARGEST_RATIO} times its size")
    stream.seek(0)
    return Packed(frozenset(places))


def _unpacked_size(stream: BinaryIO, start: int, end: int) -> int:
    """Bytes of a chunk's content when it is unpacked."""
    stream.seek(start)
    _, _, said, _, length = _HEAD.unpack(stream.read(_HEAD.size))
    if said > LARGEST_CHUNK:
        raise ValueError(f"a chunk unpacks to {said} bytes, expected {LARGEST_CHUNK} or less")
    compression = stream.read(min(length, 16))
    (count,) = struct.unpack("<Q", stream.read(8))
    if stream.tell() + count > end:
        raise ValueError("a chunk is longer than its record")
    if compression == b"lz4":
        _check_lz4(stream, count, said)
    elif compression == b"zstd":
        _check_zstd(stream, said)
    return said


def _check_zstd(stream: BinaryIO, said: int) -> None:
    """The frame says itself how much it unpacks to, and that is what is believed when it is unpacked."""
    zstandard: Any = import_module("zstandard")
    found: int = zstandard.frame_content_size(stream.read(32))
    if found > said:
        raise ValueError(f"a chunk unpacks to {found} bytes, and says {said}")


def _check_lz4(stream: BinaryIO, count: int, said: int) -> None:
    """Only unpacking shows how much there is: it is done piece by piece, up to what the chunk says."""
    lz4: Any = import_module("lz4.frame")
    decompressor: Any = lz4.LZ4FrameDecompressor()
    found = 0
    while count and not decompressor.eof:
        data = stream.read(min(count, _BLOCK))
        count -= len(data)
        found += len(decompressor.decompress(data, _BLOCK))
        while not decompressor.needs_input and not decompressor.eof:
            found += len(decompressor.decompress(b"", _BLOCK))
            if found > said:
                break
        if not data or found > said:
            break
    if found > said:
        raise ValueError(f"a chunk unpacks to more than the {said} bytes that it says")


class Beginning:
    """The first bytes of a stream, as a stream that can only be read."""

    def __init__(self, stream: BinaryIO, end: int) -> None:
        """Start again at the beginning, and stop there."""
        self._stream, self._left = stream, end
        stream.seek(0)

    def read(self, size: int) -> bytes:
        """So many bytes, fewer at the end."""
        data = self._stream.read(min(size, self._left))
        self._left -= len(data)
        return data
