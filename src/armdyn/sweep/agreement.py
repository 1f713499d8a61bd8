"""Whether a folder of results is that of the sweep that is about to start."""

from __future__ import annotations

from pathlib import Path

from armdyn.errors import InputError
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.store.writer import Store
from armdyn.sweep.versions import difference


def agreed(store: Store, asked: Manifest, resume: bool) -> tuple[Manifest | None, tuple[str, ...]]:
    """The manifest that goes on, None where a sweep starts afresh, and what should be known about it."""
    folder = store.folder
    if not store.holds_rows():
        return None, ()
    before = store.manifest()
    if before is not None and before.identity != asked.identity:
        raise InputError(f'folder "{folder}" holds {_other(before, asked)}; name another folder')
    if not resume:
        raise InputError(f'folder "{folder}" holds rows already; go on with --resume, or name another folder')
    if before is None:
        return None, ()
    if other := difference(dict(asked.versions), dict(before.versions)):
        raise InputError(f'folder "{folder}": its rows are of {other}; use that, or another folder')
    return before, _of_processor(folder, before, asked)


def _other(before: Manifest, asked: Manifest) -> str:
    changed = [name for name, mark in asked.inputs.items() if before.inputs.get(name, mark) != mark]
    if changed:
        return f'rows of "{changed[0]}" as it was before it was changed'
    return "rows of another study"


def _of_processor(folder: Path, before: Manifest, asked: Manifest) -> tuple[str, ...]:
    if before.processor == asked.processor:
        return ()
    return (
        f'folder "{folder}" was begun on "{before.processor}", this is "{asked.processor}": last digits of '
        "rows may differ between them",
    )
