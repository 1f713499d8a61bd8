"""Whether a folder of results is that of the sweep that is about to start."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from armdyn.errors import InputError
from armdyn.sweep.inputs import contents, digests
from armdyn.sweep.manifest import Manifest, identity_of
from armdyn.sweep.store.writer import Store
from armdyn.sweep.study import Study
from armdyn.sweep.versions import difference


def agreed(store: Store, asked: Manifest, resume: bool) -> tuple[Manifest | None, tuple[str, ...]]:
    """The manifest that goes on, None where a sweep starts afresh, and what should be known about it."""
    folder = store.folder
    if not store.holds_rows():
        if name := store.foreign(asked.text):
            raise InputError(f'folder "{folder}" holds a "{name}" of something else; name another folder')
        return None, ()
    before = store.manifest()
    if before is not None and before.identity != asked.identity:
        raise InputError(f'folder "{folder}" holds {_other(before, asked.inputs)}; name another folder')
    if not resume:
        raise InputError(f'folder "{folder}" holds rows already; go on with --resume, or name another folder')
    if before is None:
        return None, ()
    if other := difference(dict(asked.versions), dict(before.versions)):
        raise InputError(f'folder "{folder}": its rows are of {other}; use that, or another folder')
    return before, _of_processor(folder, before, asked)


def other_rows(before: Manifest, study: Study) -> str | None:
    """In words, what a folder holds that does not hold the rows of a study as it is now."""
    inputs = digests(contents(study))
    return None if identity_of(study, inputs) == before.identity else _other(before, inputs)


def _other(before: Manifest, inputs: Mapping[str, str]) -> str:
    changed = [name for name, mark in inputs.items() if before.inputs.get(name, mark) != mark]
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
