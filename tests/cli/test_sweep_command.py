"""`armdyn sweep`: the command, stopped, killed, and gone on with."""

import json
import os
import signal

import pytest

from armdyn.sweep.store.writer import opened
from command_line import Armdyn, assert_refused
from sweep_runs import (
    assert_same_rows,
    burden,
    children,
    chunk_count,
    computed_here,
    kill,
    running,
    study_file,
    wait_for,
)


@pytest.fixture
def begun(tmp_path):
    """A study of 40 rows, of which 20 are there."""
    file = study_file(tmp_path, 40)
    _, manifest, chunks = computed_here(tmp_path, 40, 20)
    with opened(tmp_path / "out") as store:
        store.begin(manifest)
        store.write(chunks[1])
    return file


def test_what_is_missing_is_computed(begun, armdyn: Armdyn):
    assert_refused(armdyn("sweep", str(begun)), "holds rows already; go on with --resume")
    document = armdyn("sweep", str(begun), "--resume", "--workers", "1", "--json").document
    assert (document["done"], document["total"], document["computed"]) == (40, 40, 20)
    assert document["output"] == str(begun.parent / "out")
    assert document["failed"] == []
    assert_same_rows(begun, 40)


def test_what_is_there_is_summed_up_with_a_note_if_the_study_has_changed(begun, armdyn: Armdyn):
    begun.write_text(begun.read_text().replace("seed = 7", "seed = 8"))
    drawn = begun.parent / "drawn"
    document = armdyn("sweep", str(begun), "--summary", "--figures", str(drawn), "--json").document
    assert (document["done"], document["total"]) == (20, 40)
    assert document["summary"]["rows"]["missing"] == 20
    note = "these are rows of another study, not of the study file as it is now"
    assert document["summary"]["notes"] == [note]
    assert (drawn / "summary.svg").exists()
    assert (drawn / "summary.html").exists()


def test_mistakes_are_one_sentence(tmp_path, armdyn: Armdyn):
    file = study_file(tmp_path)
    assert_refused(armdyn("sweep", str(tmp_path / "none.toml")), "no such file")
    assert_refused(armdyn("sweep", str(file), "--workers", "0"), "workers is 0, expected at least 1")
    file.write_text(file.read_text().replace("[axes.q2]", "[axes.q9]"))
    assert_refused(armdyn("sweep", str(file)), 'axis "q9"')
    assert not (tmp_path / "out").exists()


def test_a_killed_sweep_leaves_no_process_and_is_gone_on_with(tmp_path, armdyn: Armdyn):
    file = study_file(tmp_path, 300)
    with running(file, "--workers", "2", "--chunk-rows", "20", **burden(seconds=4)) as first:
        wait_for(lambda: chunk_count(tmp_path / "out") >= 2)
        assert_refused(armdyn("sweep", str(file), "--resume"), "another sweep is writing into it")
        workers = children(first.pid)
        kill(first.pid)
        first.wait()
    wait_for(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in workers))  # noqa: PTH110
    assert 2 <= chunk_count(tmp_path / "out") < 15
    assert armdyn("sweep", str(file), "--resume", "--workers", "1", "--json").document["done"] == 300
    assert_same_rows(file, 300)


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), pytest.param(signal.SIGTERM, 143, marks=pytest.mark.slow)]
)
def test_a_sweep_that_is_interrupted_says_how_to_go_on(tmp_path, number, code):
    file = study_file(tmp_path, 300)
    with running(file, "--workers", "1", "--chunk-rows", "20", **burden(seconds=0.1)) as stopped:
        wait_for(lambda: chunk_count(tmp_path / "out") >= 1)
        stopped.send_signal(number)
        out, err = stopped.communicate(timeout=60)
    assert stopped.returncode == code
    assert "of 300 rows done" in out
    assert err.startswith("armdyn: stopped; ")
    assert f"`armdyn sweep {file} --resume` goes on" in err
    assert err.count("\n") == 1
    assert chunk_count(tmp_path / "out") < 15


@pytest.mark.slow
def test_rows_that_kill_give_exit_code_1(tmp_path):
    file = study_file(tmp_path, 40)
    options = ("--workers", "1", "--chunk-rows", "20", "--json")
    with running(file, *options, **burden(deadly_row=3)) as ended:
        out, err = ended.communicate(timeout=120)
    assert ended.returncode == 1
    document = json.loads(out)
    assert (document["done"], document["failed"][0]["rows"]) == (20, [0, 19])
    assert "20 of 40 rows done: rows 0 to 19, its worker process died 3 times" in err
    assert "--resume` tries the rest again" in err
