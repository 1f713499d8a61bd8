"""Binary frames: JSON and float32 arrays in one message.

u32 0x41524D31, u32 length of the JSON (a multiple of 4), the JSON in UTF-8 padded with spaces,
then the arrays that its `arrays` lists, one behind the other, row by row; all little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from armdyn.studio.messages.model import Message
from armdyn.studio.messages.run import ArrayPlace

MAGIC = 0x41524D31
_HEAD = struct.Struct("<II")


@dataclass(frozen=True, eq=False)
class Frame:
    """An answer with arrays; the message lists them in its `arrays`."""

    message: Message
    arrays: Mapping[str, NDArray[Any]]

    def encoded(self, number: int | None = None) -> bytes:
        """As it is sent: as the result of a request, or as an event."""
        said = self.message.model_dump_json()
        return packed(said if number is None else f'{{"id":{number},"result":{said}}}', self.arrays)


def places(arrays: Mapping[str, NDArray[Any]]) -> list[ArrayPlace]:
    """Names and shapes, in the order in which they are sent."""
    return [ArrayPlace(name=name, shape=list(array.shape)) for name, array in arrays.items()]


def packed(json: str, arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """A frame of a JSON text and arrays."""
    text = json.encode()
    text += b" " * (-len(text) % 4)
    data = (np.ascontiguousarray(array, dtype="<f4").tobytes() for array in arrays.values())
    return b"".join((_HEAD.pack(MAGIC, len(text)), text, *data))


def unpacked(frame: bytes) -> tuple[str, bytes]:
    """The JSON text of a frame, and the bytes of its arrays."""
    magic, length = _HEAD.unpack_from(frame)
    if magic != MAGIC:
        raise ValueError(f"no frame: it begins with {magic:#x}, expected {MAGIC:#x}")
    end = _HEAD.size + length
    return frame[_HEAD.size : end].decode(), frame[end:]
