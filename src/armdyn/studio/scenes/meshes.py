"""Meshes of robots: where they lie, and which files may be fetched.

A robot file may refer to meshes of its own folder tree, of the package it belongs to (the folder above it
that has the package's name), and of the folder that the studio was started with. Addresses name such a root,
signed by the server.
"""

from __future__ import annotations

import base64
import binascii
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from urllib.parse import quote

MESHES = (".stl", ".obj", ".dae", ".glb", ".gltf")
PARTS = (".mtl", ".png", ".jpg", ".jpeg", ".bin")
"""What meshes refer to: materials, pictures, buffers."""
LARGEST = 64 * 2**20
"""Bytes of a mesh."""
PACKAGE, FILE = "package://", "file://"
Signature = Callable[[str], str]


@dataclass(frozen=True)
class Meshes:
    """The meshes that one robot file may refer to."""

    file: Path | None
    """The robot's file; a robot of the catalog has no meshes"""
    folder: Path
    """What the studio was started with"""
    signature: Signature

    def address(self, reference: str) -> str | None:
        """Where the page fetches what a file refers to; None where there is nothing to be fetched."""
        for root, path in self._candidates(reference):
            found = _inside(root, path)
            if found is not None:
                return f"/mesh/{root_key(self.signature, root)}/{quote(found.relative_to(root).as_posix())}"
        return None

    def _candidates(self, reference: str) -> Iterator[tuple[Path, str]]:
        """Roots and paths below them."""
        if self.file is None:
            return
        own = self.file.parent
        if reference.startswith(PACKAGE):
            package, _, rest = reference.removeprefix(PACKAGE).partition("/")
            for above in self.file.parents:
                if above.name == package:
                    yield above, rest
                if above.is_relative_to(self.folder):
                    yield self.folder, str((above / package / rest).relative_to(self.folder))
            return
        path = Path(own, reference.removeprefix(FILE))
        for root in (own, self.folder):
            yield root, str(path)


def root_key(signature: Signature, root: Path) -> str:
    """What stands in addresses for a folder of meshes: only this server can make it."""
    named = base64.urlsafe_b64encode(str(root).encode()).decode().rstrip("=")
    return f"{_signed(signature, named)}/{named}"


def mesh_file(signature: Signature, key: str, root: str, path: str) -> Path | None:
    """The file of an address; None unless this server has made it, and the file lies below its root."""
    if not secrets.compare_digest(key.encode("utf-8", "replace"), _signed(signature, root).encode()):
        return None
    try:
        folder = base64.urlsafe_b64decode(root + "=" * (-len(root) % 4)).decode()
    except (binascii.Error, ValueError):
        return None
    return _inside(Path(folder), path, (*MESHES, *PARTS))


def _signed(signature: Signature, named: str) -> str:
    return signature(f"mesh {named}")[:32]


def _inside(root: Path, path: str, suffixes: tuple[str, ...] = MESHES) -> Path | None:
    """A file that is there, below a root when links are followed, and of a kind that is served."""
    if PurePosixPath(path).suffix.lower() not in suffixes:
        return None
    try:
        file = (root / path).resolve(strict=True)
        fits = file.is_file() and file.stat().st_size <= LARGEST
    except (OSError, RuntimeError, ValueError):
        return None
    return file if fits and file.is_relative_to(root) and file.suffix.lower() in suffixes else None
