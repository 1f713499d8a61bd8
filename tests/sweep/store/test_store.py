"""The store: files that prove themselves, set aside where they are damaged; one writer at a time."""

import json
import os

import pytest

from armdyn.errors import InputError
from armdyn.sweep.inputs import digest
from armdyn.sweep.store.layout import chunk_name, row_files
from armdyn.sweep.store.lock import FolderBusyError, locked
from armdyn.sweep.store.reader import open_results
from armdyn.sweep.store.writer import opened
from sweep_runs import computed_here


@pytest.fixture(scope="module")
def computed(tmp_path_factory):
    return computed_here(tmp_path_factory.mktemp("study"))


@pytest.fixture
def folder(tmp_path, computed):
    """A finished sweep of two chunks."""
    _, manifest, chunks = computed
    with opened(tmp_path / "out") as store:
        store.begin(manifest)
        for chunk in chunks:
            store.write(chunk)
    return tmp_path / "out"


def checked(folder, manifest):
    with opened(folder) as store:
        return store.checked(manifest, lambda k, n: None)


def test_what_is_written_is_read(folder, computed):
    _, manifest, _ = computed
    results = open_results(folder)
    assert (results.done, results.total) == (20, 20)
    assert results.table()["index"].to_pylist() == list(range(20))
    assert results.table(["q1"]).column_names == ["q1"]
    assert results.manifest == manifest
    assert results.study.axes[0].name == "q1"
    assert checked(folder, manifest).numbers == {0, 1}


def test_files_say_what_they_are_of(folder, computed):
    import pyarrow.parquet as pq

    study, manifest, _ = computed
    schema = pq.read_schema(row_files(folder)[0])
    about = json.loads(schema.metadata[b"armdyn"])
    assert about["text"] == study.text
    assert about["identity"] == manifest.identity
    assert set(about["versions"]) >= {"armdyn", "numpy", "llvmlite"}
    assert about["processor"]
    assert schema.names[0] == "index"
    assert schema.names[-1] == "error"
    assert schema.field("q1").metadata[b"unit"] == b"rad"
    assert schema.field("g1").metadata[b"unit"] == b"N m"


def test_a_flipped_bit_is_found_wherever_it_is(folder, computed):
    _, manifest, _ = computed
    file = row_files(folder)[0]
    good = file.read_bytes()
    for place in range(0, len(good), 97):
        file.write_bytes(good[:place] + bytes([good[place] ^ (1 << place % 8)]) + good[place + 1 :])
        found = checked(folder, manifest)
        assert found.numbers == {1}, place
        assert "is damaged; it was set aside" in found.notes[0]
        assert not file.exists()
        (folder / "damaged" / file.name).replace(file)


@pytest.mark.parametrize("harm", ["cut", "empty", "renamed", "foreign", "folder"])
def test_other_damage_is_found(folder, computed, harm):
    _, manifest, _ = computed
    file = row_files(folder)[0]
    match harm:
        case "cut":
            file.write_bytes(file.read_bytes()[:-1])
        case "empty":
            file.write_bytes(b"")
        case "renamed":  # a digest that holds, under another number
            file.rename(file.with_name(file.name.replace("chunk-00000000", "chunk-00000007")))
        case "foreign":
            file.rename(file.with_name("copy of " + file.name))
        case "folder":
            file.unlink()
            file.mkdir()
    found = checked(folder, manifest)
    assert found.numbers == {1}
    assert len(found.notes) == 1
    assert len(list((folder / "damaged").iterdir())) == 1


def test_rows_of_another_study_are_found_though_they_are_whole(folder, computed, tmp_path):
    _, manifest, _ = computed
    _, _, (foreign, *_) = computed_here(tmp_path, kind="sobol")  # as many rows in each chunk
    row_files(folder)[0].unlink()
    (folder / "rows" / chunk_name(0, foreign.digest)).write_bytes(foreign.data)
    found = checked(folder, manifest)
    assert found.numbers == {1}
    assert "is of another study; it was set aside" in found.notes[0]


def test_who_reads_finds_damage_too(folder):
    file = row_files(folder)[0]
    file.write_bytes(file.read_bytes()[:-9] + b"#" + file.read_bytes()[-8:])
    results = open_results(folder)
    assert results.table()["index"].to_pylist() == list(range(10, 20))
    assert "is damaged; it was set aside" in results.notes[0]
    assert results.done == 10
    assert (folder / "damaged" / file.name).exists()


def test_who_reads_beside_a_sweep_moves_nothing(folder):
    file = row_files(folder)[0]
    file.write_bytes(b"")
    with locked(folder):
        results = open_results(folder)
        assert results.table().num_rows == 10
    assert "left out" in results.notes[0]
    assert file.exists()


def test_rows_that_are_there_twice_are_read_once(folder, computed):
    _, manifest, _ = computed
    write_twin(folder)
    assert open_results(folder).table()["index"].to_pylist() == list(range(20))
    found = checked(folder, manifest)
    assert found.numbers == {0, 1}
    assert "is there twice; it was set aside" in found.notes[0]
    assert len(row_files(folder)) == 2


def write_twin(folder):
    """The first chunk once more, whole, in other bytes."""
    import io

    import pyarrow.parquet as pq

    sink = io.BytesIO()
    pq.write_table(pq.read_table(row_files(folder)[0]), sink, compression="none")
    (folder / "rows" / chunk_name(0, digest(sink.getvalue()))).write_bytes(sink.getvalue())


def test_a_damaged_manifest_is_read_from_the_rows(folder, computed):
    _, manifest, _ = computed
    good = (folder / "manifest.json").read_bytes()
    for harm in (b"", b"{}", b"[1]", good.replace(b'"rows": 10', b'"rows": 20'), good[:-30]):
        (folder / "manifest.json").write_bytes(harm)
        assert open_results(folder).manifest == manifest


def test_a_folder_without_results(tmp_path):
    with pytest.raises(InputError, match="holds no results of a sweep"):
        open_results(tmp_path)


def test_what_a_killed_sweep_was_writing_is_removed(folder, computed):
    _, manifest, _ = computed
    stale = folder / "rows" / ".chunk-00000003-0123.parquet.abcd1234"
    own = folder / ".own.notes"
    for file in (stale, own, folder / ".manifest.json.x1"):
        file.write_bytes(b"half")
    assert checked(folder, manifest).notes == []
    assert not stale.exists()
    assert not (folder / ".manifest.json.x1").exists()
    assert own.exists()


def test_one_writer_at_a_time(folder):
    busy = "another sweep is writing into it"
    with opened(folder), pytest.raises(FolderBusyError, match=busy), opened(folder):
        pass
    with opened(folder):
        pass


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "out").write_text("")
    with pytest.raises(InputError, match="is a file, expected a folder"), opened(tmp_path / "out"):
        pass


def test_rows_are_on_the_disk_before_they_have_their_name(folder, computed, monkeypatch):
    _, _, chunks = computed
    for file in row_files(folder):
        file.unlink()
    synced: list[str] = []
    usual = os.fsync

    def fsync(handle: int) -> None:
        synced.append("folder" if os.path.isdir(f"/proc/self/fd/{handle}") else str(len(row_files(folder))))  # noqa: PTH112
        usual(handle)

    monkeypatch.setattr(os, "fsync", fsync)
    with opened(folder) as store:
        store.write(chunks[0])
    assert synced == ["0", "folder"]
