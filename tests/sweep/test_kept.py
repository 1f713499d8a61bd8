"""What comes back from workers is kept once, and only if it is what was computed."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from armdyn.errors import InputError
from armdyn.sweep.kept import Kept
from armdyn.sweep.store.layout import row_files
from armdyn.sweep.store.writer import opened
from armdyn.sweep.workbench import Computed
from sweep_runs import computed_here


@pytest.fixture
def kept_and_come(tmp_path: Path) -> Iterator[tuple[Kept, list[Computed]]]:
    """Nothing kept yet, and two chunks of ten rows that come."""
    study, manifest, come = computed_here(tmp_path)
    with opened(study.folder) as store:
        store.begin(manifest)
        yield Kept(store, manifest, store.checked(manifest, lambda *_: None)), come


def test_a_chunk_that_comes_twice_counts_once(kept_and_come: tuple[Kept, list[Computed]], tmp_path: Path):
    kept, (first, second) = kept_and_come
    for computed in (first, second, first):
        kept.take(computed)
    assert (kept.done, kept.computed, kept.numbers) == (20, 20, {0, 1})
    assert len(list(row_files(tmp_path / "out"))) == 2


def test_rows_that_changed_on_their_way_are_refused(kept_and_come: tuple[Kept, list[Computed]]):
    kept, (first, second) = kept_and_come
    bits = bytearray(first.data)
    bits[len(bits) // 2] ^= 1
    with pytest.raises(InputError, match="rows were damaged on their way from a worker; check the network"):
        kept.take(replace(first, data=bytes(bits)))
    kept.take(second)
    assert kept.numbers == {1}


def test_rows_of_other_versions_are_refused(kept_and_come: tuple[Kept, list[Computed]]):
    kept, (first, _) = kept_and_come
    with pytest.raises(InputError, match=r"a worker has .*numpy 1\.0.*; give all machines the same versions"):
        kept.take(replace(first, versions={**first.versions, "numpy": "1.0"}))
    assert not kept.numbers


def test_another_processor_is_noted_once(kept_and_come: tuple[Kept, list[Computed]]):
    kept, come = kept_and_come
    for computed in come:
        kept.take(replace(computed, processor="another one"))
    assert len(kept.notes) == 1
    assert '"another one"' in kept.notes[0]
