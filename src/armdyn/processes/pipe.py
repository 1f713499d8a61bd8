"""What processes send each other: parts with a kind, a length and bytes."""

from __future__ import annotations

import struct
from typing import IO, Literal

Kind = Literal[b"R", b"J", b"P", b"T", b"B", b"F"]
"""Ready; a job; progress; an answer as text; an answer as a binary frame; a failure."""
HEAD = struct.Struct("<cI")


def part(kind: Kind, data: bytes) -> bytes:
    """A part as it is sent."""
    return HEAD.pack(kind, len(data)) + data


def read_part(stream: IO[bytes]) -> tuple[bytes, bytes] | None:
    """The next part; None at the end, also where that cuts a part."""
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        return None
    kind, length = HEAD.unpack(head)
    data = stream.read(length)
    return (kind, data) if len(data) == length else None
