"""The files below one folder, and no others: what a page may read and write."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from armdyn.errors import InputError
from armdyn.formats.reading import opened
from armdyn.formats.whole_file import whole_file
from armdyn.studio.messages.answers import FileEntry, FileKind
from armdyn.studio.messages.model import LARGEST_TEXT

KINDS: dict[str, FileKind] = {
    ".toml": "robot",
    ".urdf": "robot",
    ".lirl": "program",
    ".csv": "run",
    ".parquet": "run",
    ".mcap": "run",
}
TEXTS = (".lirl", ".toml", ".urdf")
"""Files that are read as texts."""
WRITTEN = (".lirl", ".toml")
"""Files that are written."""
MOST_FILES, MOST_ENTRIES, DEEPEST = 1000, 20000, 6
"""Listed files, entries looked at, and folders in folders."""
ROBOT_HEAD = 65536
"""Bytes of a .toml file in which a robot has its first body."""
PASSED_OVER = frozenset({"node_modules", "__pycache__", "site-packages"})


@dataclass(frozen=True)
class Folder:
    """A folder whose files are shown and written."""

    root: Path
    """Resolved"""

    @classmethod
    def of(cls, path: Path) -> Folder:
        """A folder that is there."""
        try:
            root = path.resolve(strict=True)
        except (OSError, RuntimeError, ValueError) as error:
            raise InputError(f'folder "{path}": there is none; make it first, or name another') from error
        if not root.is_dir():
            raise InputError(f'folder "{path}" is a file, expected a folder')
        return cls(root)

    # Names ----------------------------------------------------------------------------------

    def inside(self, name: str, suffixes: Sequence[str]) -> Path:
        """The file of a name, refused unless it lies below the folder, links followed."""
        suffix = PurePosixPath(name).suffix.lower()
        if suffix not in suffixes:
            raise InputError(f'file "{_shown(name)}" ends in "{suffix}", expected {", ".join(suffixes)}')
        parts = PurePosixPath(name)
        strange = "\\" in name or ":" in name or not name.isprintable()
        if strange or parts.is_absolute() or ".." in parts.parts:
            raise self._outside(name)
        try:
            found = (self.root / parts).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise self._outside(name) from error
        if not found.is_relative_to(self.root):
            raise self._outside(name)
        return found

    def name_of(self, file: Path) -> str:
        """How a file below the folder is called, with slashes."""
        try:
            return file.resolve().relative_to(self.root).as_posix()
        except ValueError as error:
            raise self._outside(str(file)) from error

    def _outside(self, name: str) -> InputError:
        return InputError(
            f'file "{_shown(name)}" is not below the folder of the studio; copy it there, or start the '
            "studio with --folder"
        )

    # Texts ----------------------------------------------------------------------------------

    def read(self, name: str) -> str:
        """The text of a program or robot file."""
        file = self.inside(name, TEXTS)
        try:
            with opened(file) as source:
                data = source.read(LARGEST_TEXT + 1)
        except FileNotFoundError as error:
            raise InputError(f"{name}: no such file") from error
        except OSError as error:
            raise InputError(f"{name}: cannot be read, {error.strerror or error}") from error
        if len(data) > LARGEST_TEXT:
            raise InputError(f"{name}: larger than {LARGEST_TEXT // 2**20} MiB, too large for an editor")
        try:
            return data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: not UTF-8 text (byte {error.start})") from error

    def write(self, name: str, text: str, *, overwrite: bool) -> bool:
        """Save a text, all of it or nothing; whether something was replaced."""
        file = self.inside(name, WRITTEN)
        there = file.exists()
        if there and not overwrite:
            raise InputError(f"{name} is there already; replace it, or choose another name")
        if not file.parent.is_dir():
            raise InputError(f"{name}: there is no such folder; make it first")
        with whole_file(file) as sink:
            sink.write(text.encode("utf-8", "replace"))
        return there

    # What there is --------------------------------------------------------------------------

    def listing(self) -> tuple[list[FileEntry], bool]:
        """The files that a studio can open, by name, and whether these are all."""
        found: list[FileEntry] = []
        looked = 0
        for entry, name in self._entries():
            looked += 1
            if looked > MOST_ENTRIES or len(found) >= MOST_FILES:
                return sorted(found, key=lambda file: file.path), False
            kind = KINDS.get(PurePosixPath(name).suffix.lower())
            if kind is None or (kind == "robot" and not _describes_robot(entry)):
                continue
            said = entry.stat()
            found.append(FileEntry(path=name, kind=kind, size=said.st_size, changed=said.st_mtime))
        return sorted(found, key=lambda file: file.path), True

    def _entries(self) -> Iterator[tuple[os.DirEntry[str], str]]:
        """Plain files, folder by folder, hidden ones and links left out."""
        folders = [(self.root, "")]
        for folder, prefix in folders:
            try:
                entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
            except OSError:  # a folder that may not be looked into
                continue
            for entry in entries:
                name = f"{prefix}{entry.name}"
                if entry.name.startswith(".") or not entry.name.isprintable():
                    continue
                if entry.is_file(follow_symlinks=False):
                    yield entry, name
                elif (
                    entry.is_dir(follow_symlinks=False)
                    and entry.name not in PASSED_OVER
                    and name.count("/") < DEEPEST
                ):
                    folders.append((folder / entry.name, f"{name}/"))


def _describes_robot(entry: os.DirEntry[str]) -> bool:
    """Whether a .toml file looks like a robot: many other things are written so."""
    if not entry.name.lower().endswith(".toml"):
        return True
    try:
        with Path(entry.path).open("rb") as file:
            return b"bodies" in file.read(ROBOT_HEAD)
    except OSError:
        return False


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[:100])
