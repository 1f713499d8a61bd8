"""The files below one folder, and no others: what a page may read and write."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from armdyn.errors import InputError
from armdyn.formats.reading import opened
from armdyn.formats.whole_file import whole_file
from armdyn.studio.digests import digest
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
LONGEST_NAME = 200
"""Bytes of a name that is saved: what file systems take, less what is put around it while it is written."""

COPY_IT = "copy it there, or start the studio with --folder"
CALL_IT_PLAINLY = 'choose a name without "..", ":" or "\\", and not that of a link'
"""What to do about a name that leads out of the folder: one to be read, one to be saved."""


class FileConflictError(InputError):
    """The file that would be replaced is not the one that was read."""


@dataclass(frozen=True)
class FileContent:
    """What a file holds."""

    text: str
    digest: str
    """Tells it from other contents"""


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

    def inside(self, name: str, suffixes: Sequence[str], advice: str = COPY_IT) -> Path:
        """The file of a name, refused unless it lies below the folder, links followed."""
        suffix = PurePosixPath(name).suffix.lower()
        if suffix not in suffixes:
            raise InputError(f'file "{_shown(name)}" ends in "{suffix}", expected {", ".join(suffixes)}')
        parts = PurePosixPath(name)
        strange = "\\" in name or ":" in name or not name.isprintable()
        if strange or parts.is_absolute() or ".." in parts.parts:
            raise _outside(name, advice)
        try:
            found = (self.root / parts).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise _outside(name, advice) from error
        if not found.is_relative_to(self.root):
            raise _outside(name, advice)
        return found

    def name_of(self, file: Path) -> str:
        """How a file below the folder is called, with slashes."""
        try:
            return file.resolve().relative_to(self.root).as_posix()
        except ValueError as error:
            raise _outside(str(file), COPY_IT) from error

    # Texts ----------------------------------------------------------------------------------

    def read(self, name: str) -> FileContent:
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
            return FileContent(data.decode("utf-8-sig"), digest(data))
        except UnicodeDecodeError as error:
            raise InputError(f"{name}: not UTF-8 text (byte {error.start})") from error

    def write(
        self, name: str, text: str, *, known: str | None = None, overwrite: bool = False
    ) -> tuple[bool, str]:
        """Save a text, all of it or nothing; whether something was replaced, and the file's digest.

        Only the file with the digest `known` is replaced, unless any may be.
        """
        file = self._new_file(name)
        there = file.exists()
        if not overwrite:
            _refuse_another(file, name, known)
        if not file.parent.is_dir():
            raise InputError(f"{name}: there is no such folder; make it first")
        data = text.encode("utf-8", "replace")
        with whole_file(file) as sink:
            sink.write(data)
        return there, digest(data)

    def _new_file(self, name: str) -> Path:
        """Where a text is saved: under a name that is listed again."""
        file = self.inside(name, WRITTEN, CALL_IT_PLAINLY)
        for part in PurePosixPath(name).parts:
            if part.startswith("."):
                raise InputError(
                    f'"{_shown(part)}" begins with a dot: it would be hidden; choose another name'
                )
            if len(part.encode("utf-8", "replace")) > LONGEST_NAME:
                raise InputError(f"the name has {len(part)} characters, too many; choose a shorter one")
        return file

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


def _outside(name: str, advice: str) -> InputError:
    return InputError(f'file "{_shown(name)}" is not below the folder of the studio; {advice}')


def _refuse_another(file: Path, name: str, known: str | None) -> None:
    """Whether a file is as it was when it was read, or not there if there was none."""
    if not file.exists():
        if known is not None:
            raise FileConflictError(f"{name} is gone: it was deleted or renamed since it was read")
    elif known is None:
        raise FileConflictError(f"{name} is there already; replace it, or choose another name")
    elif _digest_of(file) != known:
        raise FileConflictError(f"{name} has changed since it was read; replace it, or choose another name")


def _digest_of(file: Path) -> str | None:
    """None where it cannot be read."""
    try:
        with opened(file) as source:
            return digest(source.read(LARGEST_TEXT + 1))
    except OSError:
        return None


def _shown(name: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in name[:100])
