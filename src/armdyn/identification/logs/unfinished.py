"""MCAP files whose end is missing: how far their records are whole.

A record is an opcode (u8), the length of its content (u64, little-endian) and the content. A writer that was
killed leaves whole records, then perhaps a piece of one, and no closing magic.
"""

from __future__ import annotations

import os
import struct
from typing import BinaryIO

MAGIC = b"\x89MCAP0\r\n"
CHUNK = 0x06
_RECORD = struct.Struct("<BQ")
_CHUNK = struct.Struct("<QQQ")


def end_of_records(stream: BinaryIO, largest: int) -> int | None:
    """Where the last whole record of an unfinished file ends; None of a finished one."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - len(MAGIC)))
    finished = stream.read() == MAGIC and size > len(MAGIC)
    stream.seek(0)
    return None if finished else _whole(stream, size, largest)


def _whole(stream: BinaryIO, size: int, largest: int) -> int:
    end = stream.seek(len(MAGIC))
    while end + _RECORD.size <= size:
        stream.seek(end)
        opcode, length = _RECORD.unpack(stream.read(_RECORD.size))
        if end + _RECORD.size + length > size:
            break
        if opcode == CHUNK and length >= _CHUNK.size:
            _, _, uncompressed = _CHUNK.unpack(stream.read(_CHUNK.size))
            if uncompressed > largest:
                raise ValueError(f"a chunk has {uncompressed} bytes, expected {largest} or less")
        end += _RECORD.size + length
    stream.seek(0)
    return end


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
