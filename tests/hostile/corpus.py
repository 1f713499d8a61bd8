"""The corpus: bad files of every kind, each with the sentence that it must give; FILE stands for its name.

A case changes a good file (`edit`), or is a text, bytes in hexadecimal, or a file that made_files.py makes.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hostile.good_files import good
from hostile.made_files import MADE
from hostile.readers import READERS

FOLDER = Path(__file__).parent / "corpus"


@dataclass(frozen=True)
class Case:
    """A bad file, and what must be said of it."""

    kind: str
    name: str
    message: str
    how: dict[str, Any]

    def data(self) -> bytes:
        """The file's bytes."""
        if "text" in self.how:
            return self.how["text"].encode(self.how.get("encoding", "utf-8"))
        if "hex" in self.how:
            return bytes.fromhex(self.how["hex"])
        if "edit" not in self.how:
            return MADE[self.kind][self.name]()
        text = good(self.kind).decode()
        for old, new in self.how["edit"]:
            assert old in text, f"{self.name}: the good file has no {old!r}"
            text = text.replace(old, new, 1)
        return text.encode()

    def written(self, folder: Path) -> Path:
        """The file in a folder."""
        file = folder / f"bad{READERS[self.kind].suffix}"
        file.write_bytes(self.data())
        return file

    def sentence(self, file: Path) -> str:
        """What must be said of the file under its name."""
        return self.message.replace("FILE", str(file))


def cases() -> list[Case]:
    """All of them, kind after kind."""
    found: list[Case] = []
    for manifest in sorted(FOLDER.glob("*.toml")):
        given = tomllib.loads(manifest.read_text(encoding="utf-8"))["case"]
        found += [Case(how.get("kind", manifest.stem), how["name"], how["message"], how) for how in given]
    return found
