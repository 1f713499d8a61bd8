"""Files written whole: what is no plain file, or may not be written, is left alone."""

import os
from pathlib import Path

import pytest

from armdyn.errors import InputError
from armdyn.formats.whole_file import whole_file


def write(path: Path) -> None:
    with whole_file(path) as file:
        file.write(b"new")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_link_to_a_pipe_is_refused_and_stays(tmp_path: Path) -> None:
    """Not to a device: root would replace that of the machine, were it not refused."""
    pipe, link = tmp_path / "pipe", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to(pipe)
    with pytest.raises(InputError, match=r": cannot be written, it is a device or a pipe, expected a file$"):
        write(link)
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert sorted(tmp_path.iterdir()) == [link, pipe]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX")
def test_a_pipe_is_refused_and_stays(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(InputError, match=r"pipe\.csv: cannot be written, it is a device or a pipe"):
        write(tmp_path / "pipe.csv")
    assert (tmp_path / "pipe.csv").is_fifo()


def test_a_read_only_file_is_refused_and_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever runs the tests may be allowed to write anything."""

    def read_only(path: Path, mode: int) -> bool:
        return mode != os.W_OK

    path = tmp_path / "a.csv"
    path.write_text("old")
    monkeypatch.setattr(os, "access", read_only)
    with pytest.raises(InputError, match=r"a\.csv: cannot be written, it is read-only; name another file$"):
        write(path)
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]


def test_a_path_that_leads_nowhere_is_refused(tmp_path: Path) -> None:
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    for path in (tmp_path / "loop.csv", tmp_path / "a\0b.csv"):
        with pytest.raises(InputError, match=r": cannot be written, "):
            write(path)


@pytest.mark.parametrize("mistake", [ValueError, RuntimeError, KeyError])
def test_a_mistake_of_the_writer_stays_what_it_is(tmp_path: Path, mistake: type[Exception]) -> None:
    with pytest.raises(mistake, match="mine"), whole_file(tmp_path / "a.csv"):
        raise mistake("mine")
    assert list(tmp_path.iterdir()) == []
