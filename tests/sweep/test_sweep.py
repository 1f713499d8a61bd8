"""Sweeps on processes of this machine: the same rows, whatever dies on the way."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.sweep.agreement import other_rows
from armdyn.sweep.progress import Progress
from armdyn.sweep.store.layout import row_files
from armdyn.sweep.store.reader import open_results
from armdyn.sweep.store.writer import opened
from armdyn.sweep.study_file import read_study
from armdyn.sweep.sweep import sweep
from sweep_runs import assert_same_rows, burden, children, computed_here, kill, rows_in, study_file


@pytest.fixture
def burdened(monkeypatch):
    """Worker processes suffer from here on."""

    def suffer(**settings: object) -> None:
        for name, value in burden(**settings).items():
            monkeypatch.setenv(name, value)

    return suffer


@pytest.mark.slow
def test_rows_are_those_of_one_process_and_the_result_says_where_they_are(tmp_path):
    file = study_file(tmp_path, 1000)
    told: list[Progress] = []
    done = ad.sweep(file, workers=3, chunk_rows=64, progress=told.append)
    assert (done.done, done.total, done.computed, done.failed, done.stopped) == (1000, 1000, 1000, (), None)
    assert done.complete
    assert done.output == tmp_path / "out"
    assert done.chunks == 16
    assert done.table().num_rows == 1000
    assert told[-1].done == 1000
    assert_same_rows(file, 1000)
    again = ad.sweep(file, workers=1, resume=True)
    assert (again.done, again.computed) == (1000, 0)


@pytest.mark.slow
def test_chunks_are_cut_by_what_rows_take(tmp_path):
    file = study_file(tmp_path, 30)
    done = sweep(file, workers=1)
    assert 1 <= done.chunks <= 30
    assert_same_rows(file, 30)


def test_a_worker_that_is_killed_is_replaced(tmp_path, burdened):
    file = study_file(tmp_path, 600)
    burdened(seconds=0.05)
    killed: list[int] = []

    def kill_one(at: Progress) -> None:
        if at.done and not killed:
            killed.append(children(os.getpid())[0])
            kill(killed[0])

    done = sweep(file, workers=2, chunk_rows=50, progress=kill_one)
    assert killed
    assert (done.done, done.failed) == (600, ())
    assert_same_rows(file, 600)


@pytest.mark.slow
def test_rows_that_kill_are_reported_and_the_others_are_computed(tmp_path, burdened):
    file = study_file(tmp_path, 200)
    burdened(deadly_row=57)
    done = sweep(file, workers=2, chunk_rows=20)
    assert done.done == 180
    assert not done.complete
    (failed,) = done.failed
    assert (failed.first, failed.last) == (40, 59)
    assert "its worker process died 3 times; the last was ended by SIGKILL" in failed.why
    burdened(deadly_row=-1)
    assert sweep(file, workers=1, resume=True).computed == 20
    assert_same_rows(file, 200)


@pytest.mark.slow
def test_a_fault_fails_its_rows_only(tmp_path, burdened):
    file = study_file(tmp_path, 60)
    burdened(faulty_row=0)
    done = sweep(file, workers=1, chunk_rows=20)
    assert done.done == 40
    assert "a fault in armdyn itself, please report it (ZeroDivisionError: a fault)" in done.failed[0].why


@pytest.mark.slow
def test_a_sweep_that_is_asked_to_stop_keeps_what_is_done(tmp_path, burdened):
    file = study_file(tmp_path, 400)
    burdened(seconds=0.02)
    told: list[Progress] = []
    done = sweep(
        file, workers=1, chunk_rows=40, progress=told.append, stopping=lambda: any(at.done for at in told)
    )
    assert 0 < done.done < 400
    assert done.stopped == "it was asked to stop"
    assert children(os.getpid()) == []
    assert sweep(file, workers=1, resume=True).computed == 400 - done.done
    assert_same_rows(file, 400)


# Folders --------------------------------------------------------------------------------------


@pytest.fixture
def begun(tmp_path):
    """A finished sweep of one chunk, with its study file."""
    file = study_file(tmp_path, 20)
    _, manifest, chunks = computed_here(tmp_path, 20, 20)
    with opened(tmp_path / "out") as store:
        store.begin(manifest)
        store.write(chunks[0])
    return file


def test_a_folder_with_rows_is_refused_unless_it_is_gone_on_with(begun):
    with pytest.raises(InputError, match="holds rows already; go on with --resume"):
        sweep(begun)


def test_a_folder_of_another_study_is_refused(begun):
    begun.write_text(begun.read_text().replace("seed = 7", "seed = 8"))
    for resume in (False, True):
        with pytest.raises(InputError, match="holds rows of another study; name another folder"):
            sweep(begun, resume=resume)


def test_rows_are_those_of_the_study_until_it_is_changed(begun):
    manifest = open_results(begun.parent / "out").manifest
    assert other_rows(manifest, read_study(begun)) is None
    begun.write_text(begun.read_text().replace("seed = 7", "seed = 8"))
    assert other_rows(manifest, read_study(begun)) == "rows of another study"


def test_comments_and_order_do_not_make_another_study(begun):
    begun.write_text("# once more\n" + begun.read_text())
    assert sweep(begun, resume=True).computed == 0


def test_a_damaged_chunk_is_computed_again(begun):
    file = row_files(begun.parent / "out")[0]
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 4
    file.write_bytes(data)
    done = sweep(begun, workers=1, resume=True)
    assert done.computed == 20
    assert "is damaged; it was set aside" in done.notes[0]
    assert_same_rows(begun, 20)


@pytest.mark.parametrize("name", ["study.toml", "manifest.json"])
def test_files_of_somebody_else_are_not_overwritten(tmp_path, name):
    file = study_file(tmp_path, 20)
    (tmp_path / "out").mkdir()
    theirs = tmp_path / "out" / name
    theirs.write_text("mine = 1")
    with pytest.raises(InputError, match=f'holds a "{name}" of something else; name another folder'):
        sweep(file, workers=1)
    assert theirs.read_text() == "mine = 1"


def test_a_file_in_the_place_of_copies(tmp_path):
    ad.save(ad.load("jpl_rrp"), tmp_path / "arm.toml")
    file = study_file(tmp_path, 20)
    file.write_text(file.read_text().replace('"jpl_rrp"', '"arm.toml"'))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "inputs").touch()
    with pytest.raises(InputError, match='inputs" cannot be made, File exists; name another'):
        sweep(file, workers=1)


def test_a_file_that_was_changed_since_is_not_mixed_in(tmp_path):
    ad.save(ad.load("jpl_rrp"), tmp_path / "arm.toml")
    file = study_file(tmp_path, 20)
    file.write_text(file.read_text().replace('"jpl_rrp"', '"arm.toml"'))
    sweep(file, workers=1, chunk_rows=20)
    arm = tmp_path / "arm.toml"
    arm.write_text(arm.read_text() + "\n# changed\n")
    with pytest.raises(InputError, match=r'holds rows of "arm.toml" as it was before it was changed'):
        sweep(file, resume=True)


def test_rows_of_other_versions_are_not_mixed_in(begun, monkeypatch):
    from armdyn.sweep import sweep as module

    monkeypatch.setattr(module, "versions", lambda: {"armdyn": "0.0.1"})
    with pytest.raises(InputError, match=r"its rows are of armdyn .*, here it is 0.0.1"):
        sweep(begun, resume=True)


def test_a_study_that_is_not_its_text_is_refused(begun):
    from dataclasses import replace

    with pytest.raises(InputError, match="differs from its text"):
        sweep(replace(read_study(begun), seed=9), resume=True)


@pytest.mark.parametrize("option", ["workers", "chunk_rows"])
def test_numbers_that_are_none(begun, option):
    with pytest.raises(InputError, match=f"{option} is 0, expected at least 1"):
        sweep(begun, **{option: 0})  # pyright: ignore[reportArgumentType]


# Disks ----------------------------------------------------------------------------------------


@contextmanager
def mounted(place: Path, *options: str) -> Iterator[None]:
    """A file system of its own; only root may mount one."""
    place.mkdir(exist_ok=True)
    if os.name != "posix" or os.geteuid() != 0:
        pytest.skip("only root can mount a file system")
    mount = subprocess.run(["mount", *options, str(place)], capture_output=True, text=True, check=False)
    if mount.returncode:
        pytest.skip(f"cannot mount: {mount.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_loses_nothing(tmp_path):
    disk = tmp_path / "disk"
    with mounted(disk, "-t", "tmpfs", "-o", "size=150k", "tmpfs"):
        file = study_file(disk, 6000)
        with pytest.raises(InputError, match=r"No space left on device; \d+ of 6000 rows are kept.*--resume"):
            sweep(file, workers=1, chunk_rows=500)
        kept = rows_in(disk / "out").num_rows
        assert 0 < kept < 6000
        assert list((disk / "out" / "rows").glob(".*")) == []
        subprocess.run(["mount", "-o", "remount,size=8m", str(disk)], check=True)
        done = sweep(file, workers=1, resume=True)
        assert (done.done, done.computed) == (6000, 6000 - kept)
        assert_same_rows(file, 6000)


def test_a_folder_that_cannot_be_written(begun):
    out = begun.parent / "out"
    with mounted(out, "--bind", "-o", "ro", str(out)):
        with pytest.raises(InputError, match="cannot be written, Read-only file system"):
            sweep(begun, resume=True)
        assert rows_in(out).num_rows == 20
