"""Before a process is watched it has imported all that reading ever needs, good files or bad ones."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from armdyn.errors import ArmdynError
from hostile.good_files import good
from hostile.readers import READERS


def warmed(kind: str, file: Path) -> Iterator[bytes]:
    """Read good files and broken ones, which are also where fuzzing begins."""
    import codecs
    import csv  # noqa: F401
    import difflib  # noqa: F401

    from armdyn.formats.units import to_si

    to_si("1 kg*m^2", "inertia")
    for name in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"):
        codecs.lookup(name)  # JSON may be written so
    whole = good(kind)
    for data in (whole, whole[: len(whole) // 2], b"", b"\xff\xfe", whole.replace(b"q", b"z")):
        file.write_bytes(data)
        with suppress(ArmdynError):
            READERS[kind].read(file)
        yield data
