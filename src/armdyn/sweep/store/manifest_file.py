"""The manifest of a folder: read from its file or, where that is damaged, from a file of rows."""

from __future__ import annotations

import json
from pathlib import Path

from armdyn.errors import InputError
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.store.checking import Proven, proven
from armdyn.sweep.store.layout import MANIFEST, chunk_files


def read_manifest(folder: Path) -> Manifest | None:
    """What a folder is of; None where there is neither a manifest nor a whole file of rows."""
    try:
        found = Manifest.of(json.loads((folder / MANIFEST).read_bytes()))
    except FileNotFoundError:
        found = None
    except OSError as error:
        raise InputError(f'folder "{folder}" cannot be read, {error.strerror or error}') from error
    except ValueError:
        found = None
    return found or _from_rows(folder)


def _from_rows(folder: Path) -> Manifest | None:
    for file in chunk_files(folder):
        whole = proven(file, None)
        if isinstance(whole, Proven):
            return whole.manifest
    return None
