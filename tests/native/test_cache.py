"""Kernels on disk: found again, and safe whatever happens to the files."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

from armdyn.errors import InputError
from armdyn.native import cache
from armdyn.native.kernel import Kernel
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("ARMDYN_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def answer(recipe: str = "sum", traced_too: bool = True) -> list[float]:
    """x + y by a kernel that may or may not be on disk."""

    def trace():
        assert traced_too, "the program was traced although its code is on disk"
        x, y = Graph().inputs("x", 2)
        return program([x + y])

    kernel = Kernel(Signature((("x", 2),), ((1,),)), trace, recipe)
    return run_batch(kernel, {"x": np.array([[1.0, 2.0]] * 9)}, (1,))[:, 0].tolist()


def test_code_is_found_again_without_tracing(folder):
    assert answer() == [3.0] * 9
    assert len(cache.entries()) == 1
    assert answer(traced_too=False) == [3.0] * 9
    with pytest.raises(AssertionError, match="although"):
        answer("another", traced_too=False)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: content[:200] + bytes([content[200] ^ 1]) + content[201:],
        lambda content: b"#!/bin/sh\nexit 1\n",
        lambda content: os.urandom(5000),
        lambda content: cache.MAGIC + content[10:],
    ],
)
def test_damaged_and_foreign_files_are_replaced(folder, damage):
    answer()
    (entry,) = cache.entries()
    whole = entry.path.read_bytes()
    entry.path.write_bytes(damage(whole))
    assert answer() == [3.0] * 9
    assert entry.path.read_bytes() == whole


def test_a_folder_where_a_file_should_be_does_no_harm(folder):
    answer()
    (entry,) = cache.entries()
    entry.path.unlink()
    entry.path.mkdir()
    assert answer() == [3.0] * 9


def test_nothing_is_written_where_nothing_can_be(tmp_path, monkeypatch):
    file = tmp_path / "a file"
    file.write_text("not a folder")
    for place in (file, file / "below", Path("/proc/armdyn")):
        monkeypatch.setenv("ARMDYN_CACHE", str(place))
        assert answer() == [3.0] * 9
        assert cache.entries() == []
    assert file.read_text() == "not a folder"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_leaves_nothing_behind(folder, monkeypatch):
    def full(*_args, **_options):
        return Path("/dev/full").open("wb", buffering=0)

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", full)
    monkeypatch.setattr(Path, "unlink", lambda *_args, **_options: None)  # /dev/full itself must stay
    assert answer() == [3.0] * 9
    assert cache.entries() == []


def test_the_limit_is_kept_and_what_was_used_last_stays(folder, monkeypatch):
    for k in range(6):
        cache.write(f"{k}", bytes(1000))
        os.utime(folder / f"{k}.kernel", (k, k))
    assert cache.read("0") is not None
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "4000")
    cache.write("new", bytes(1000))
    names = {entry.path.stem for entry in cache.entries()}
    assert "0" in names
    assert "new" in names
    assert "1" not in names
    assert sum(entry.size for entry in cache.entries()) <= 4000
    assert not cache.write("too large", bytes(5000))
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "0")
    assert answer() == [3.0] * 9


def test_a_limit_that_is_no_number_is_refused(folder, monkeypatch):
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "much")
    with pytest.raises(InputError, match="ARMDYN_CACHE_LIMIT is much, expected a number of bytes"):
        cache.limit()


def test_clear_removes_everything_of_ours_and_nothing_else(folder):
    answer()
    (folder / "letter.txt").write_text("mine")
    (folder / "x.part").write_bytes(b"left over")
    (folder / "x.turn").write_bytes(b"")
    assert [entry.path.suffix for entry in cache.entries()] == [".kernel"]
    assert cache.clear() == 1
    assert [path.name for path in folder.iterdir()] == ["letter.txt"]


SHARING = """
import numpy as np
from armdyn.native.kernel import Kernel
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, program

for k in range(12):
    x, y = Graph().inputs("x", 2)
    kernel = Kernel(Signature((("x", 2),), ((1,),)), lambda: program([x + y]), f"recipe {k}")
    out = np.empty((9, 1))
    kernel.run({"x": np.array([[1.0, 2.0]] * 9)}, out)
    assert out.tolist() == [[3.0]] * 9
"""


def test_processes_may_share_the_cache(folder):
    processes = [subprocess.Popen([sys.executable, "-c", SHARING]) for _ in range(6)]
    assert [process.wait(timeout=60) for process in processes] == [0] * 6
    assert len(cache.entries()) == 12
    assert not list(folder.glob("*.part"))


def test_the_folder_is_only_for_its_owner(folder):
    answer()
    if sys.platform != "win32":
        assert folder.stat().st_mode & 0o077 == 0


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners here")
@pytest.mark.parametrize("what", ["folder", "file"])
def test_code_that_others_could_have_written_is_not_run(folder, what):
    answer()
    (entry,) = cache.entries()
    (folder if what == "folder" else entry.path).chmod(0o777)
    assert cache.read(entry.path.stem) is None
    assert answer() == [3.0] * 9
    assert cache.is_writable() == (what == "file")


def test_odd_files_are_left_alone(folder):
    answer()
    (entry,) = cache.entries()
    entry.path.unlink()
    os.mkfifo(entry.path)
    assert answer() == [3.0] * 9
    entry.path.unlink()
    with entry.path.open("wb") as sparse:
        sparse.truncate(60 * 2**30)
    assert answer() == [3.0] * 9


def test_without_a_home_there_is_a_folder_all_the_same(monkeypatch):
    import platformdirs

    def homeless(*_args, **_options):
        raise RuntimeError("no home")

    monkeypatch.delenv("ARMDYN_CACHE")
    monkeypatch.setattr(platformdirs, "user_cache_path", homeless)
    assert str(os.getuid()) in cache.folder().name
    monkeypatch.setenv("ARMDYN_CACHE", "~nosuchuser/x")
    with pytest.raises(InputError, match="ARMDYN_CACHE is ~nosuchuser/x, expected a folder"):
        cache.folder()


def test_an_edited_source_makes_other_keys(tmp_path):
    """A copy of the package, one file changed between two processes, and once within a process."""
    root = Path(cache.__file__).parents[1]
    shutil.copytree(root, tmp_path / "armdyn", ignore=shutil.ignore_patterns("__pycache__"))
    code = "import sys, pathlib\nfrom armdyn.native import versions\n"
    code += "if len(sys.argv) > 1: pathlib.Path(sys.argv[1]).write_text('# edited')\nprint(versions.key('a'))"
    file = str(tmp_path / "armdyn" / "cli" / "demo.py")
    (tmp_path / "armdyn" / ".#lock.py").symlink_to("nowhere")

    def key(*edited: str) -> str:
        settings = {**os.environ, "PYTHONPATH": str(tmp_path)}
        command = [sys.executable, "-c", code, *edited]
        return subprocess.run(command, env=settings, check=True, capture_output=True, text=True).stdout

    first = key()
    assert key() == first
    within = key(file)
    assert len({first, within, key()}) == 3


def test_a_killed_process_leaves_no_broken_kernel(folder):
    code = "from armdyn.native import cache; import os\n"
    code += "while True: cache.write('k', os.urandom(3_000_000))"
    process = subprocess.Popen([sys.executable, "-c", code])
    while not (folder / "k.kernel").exists():
        assert process.poll() is None
    process.kill()
    process.wait()
    content = cache.read("k")
    assert content is not None
    assert len(content) == 3_000_000
