"""The cache under many processes at once, and under whatever can happen to a disk."""

import contextlib
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from armdyn.native import cache, turns

KERNELS = 3
STARTING = """
import os, sys, time
import numpy as np
from pathlib import Path
from armdyn.native.kernel import Kernel
from armdyn.native.signature import Signature
from armdyn.scalars import Graph, program

notes = Path(sys.argv[1])

def sum_of(k):
    def trace():
        (notes / f"{k} by {os.getpid()}").touch()
        x, y = Graph().inputs("x", 2)
        return program([x + y * float(k)])

    kernel = Kernel(Signature((("x", 2),), ((1,),)), trace, f"recipe {k}")
    out = np.empty((9, 1))
    kernel.run({"x": np.array([[1.0, 2.0]] * 9)}, out)
    return out

(notes / f"ready {os.getpid()}").touch()
while not (notes / "go").exists():
    time.sleep(0.002)
for k in range(int(sys.argv[2])):
    assert sum_of(k).tolist() == [[1.0 + 2.0 * k]] * 9
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("ARMDYN_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def run_together(count: int, notes: Path) -> list[str]:
    """So many processes that begin at the same moment; what was traced, once for every time it was."""
    notes.mkdir()
    command = [sys.executable, "-c", STARTING, str(notes), str(KERNELS)]
    processes = [subprocess.Popen(command) for _ in range(count)]
    while len(list(notes.glob("ready *"))) < count:
        time.sleep(0.01)
        assert all(process.poll() is None for process in processes)
    (notes / "go").touch()
    assert [process.wait(timeout=300) for process in processes] == [0] * count
    return sorted(note.name.partition(" by ")[0] for note in notes.glob("* by *"))


@pytest.mark.parametrize("count", [3, pytest.param(16, marks=pytest.mark.slow)])
def test_processes_that_start_at_once_share_the_work(folder: Path, tmp_path: Path, count: int) -> None:
    """Each kernel is traced and compiled once, whoever does it."""
    assert run_together(count, tmp_path / "notes") == [str(k) for k in range(KERNELS)]
    assert len(cache.entries()) == KERNELS
    assert {path.suffix for path in folder.iterdir()} == {cache.ENDING}


# Turns ----------------------------------------------------------------------------------------

HOLDING = """
import sys, time
from pathlib import Path
from armdyn.native.turns import alone
with alone(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[tuple[Path, subprocess.Popen[str]]]:
    """A process that makes something and never comes to an end."""
    place = tmp_path / "k.turn"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDING, str(place)], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield place, process
        process.kill()


def test_who_is_killed_gives_his_turn_back(holder: tuple[Path, subprocess.Popen[str]]) -> None:
    place, process = holder
    process.kill()
    process.wait()
    with turns.alone(place):
        assert place.exists()
    assert not place.exists()


def test_nobody_waits_for_ever(
    holder: tuple[Path, subprocess.Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    place, process = holder
    process.send_signal(signal.SIGSTOP)
    monkeypatch.setattr(turns, "PATIENCE", 0.05)
    with turns.alone(place):
        pass
    assert place.exists()  # it is still the other's
    process.send_signal(signal.SIGCONT)


def test_where_no_file_can_be_there_is_no_waiting(tmp_path: Path) -> None:
    with turns.alone(tmp_path / "nowhere" / "k.turn"):
        assert not (tmp_path / "nowhere").exists()


# Damage ---------------------------------------------------------------------------------------


def test_no_flipped_bit_goes_unnoticed(folder: Path) -> None:
    code = random.Random(0).randbytes(2000)
    choose = random.Random(1)
    assert cache.write("k", code)
    whole = (folder / "k.kernel").read_bytes()
    for _ in range(300):
        place, bit = choose.randrange(len(whole)), 1 << choose.randrange(8)
        damaged = bytes(b ^ bit if k == place else b for k, b in enumerate(whole))
        (folder / "k.kernel").write_bytes(damaged)
        assert cache.read("k") is None
        assert not (folder / "k.kernel").exists()
    for length in range(0, len(whole), 100):
        (folder / "k.kernel").write_bytes(whole[:length])
        assert cache.read("k") is None


def test_code_under_another_name_is_foreign(folder: Path) -> None:
    assert cache.write("a", b"the code of a")
    (folder / "a.kernel").rename(folder / "b.kernel")
    assert cache.read("b") is None


def test_files_of_another_version_are_not_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache.write("k", b"code")
    monkeypatch.setattr(cache, "MAGIC", b"armdyn kernel 3\n")
    assert cache.read("k") is None


# Disks ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def mounted(place: Path, options: str) -> Iterator[None]:
    """A file system in memory, if this user may mount one."""
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"mode=700,{options}", "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        yield
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_takes_nothing_and_keeps_no_scraps(folder: Path) -> None:
    with mounted(folder, "size=64k"):
        assert cache.write("small", bytes(1000))
        assert not cache.write("large", bytes(200_000))
        assert [path.name for path in folder.iterdir()] == ["small.kernel"]
        assert cache.made_once("other", lambda: bytes(200_000)) == bytes(200_000)
        assert cache.read("small") == bytes(1000)


def test_a_read_only_disk_is_read(folder: Path) -> None:
    with mounted(folder, "size=64k"):
        assert cache.write("k", b"code")
        subprocess.run(["mount", "-o", "remount,ro", str(folder)], check=True)
        assert cache.read("k") == b"code"
        assert cache.made_once("other", lambda: b"made") == b"made"
        assert not cache.write("other", b"made")


def test_a_limit_on_files_is_a_full_disk(folder: Path) -> None:
    """The system itself refuses to write more, as it does to users who have used up their share."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, before[1]))
    try:
        assert not cache.write("k", bytes(100_000))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)
    assert list(folder.iterdir()) == []


def test_a_folder_that_vanishes_is_made_again(folder: Path) -> None:
    assert cache.write("k", b"code")
    shutil.rmtree(folder)
    assert cache.read("k") is None
    assert cache.made_once("k", lambda: b"code") == b"code"
    assert cache.read("k") == b"code"


def test_without_a_home_everything_is_computed_all_the_same() -> None:
    settings = {k: v for k, v in os.environ.items() if k not in ("ARMDYN_CACHE", "HOME", "XDG_CACHE_HOME")}
    code = "import numpy, armdyn as ad; print(ad.Dynamics(ad.load('pendulum')).gravity(numpy.zeros(1)))"
    run = [sys.executable, "-c", code]
    done = subprocess.run(
        run, env={**settings, "HOME": "/proc/nowhere"}, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("[")


# Together -------------------------------------------------------------------------------------

WRITING = """
import os
from armdyn.native import cache
while True:
    for k in range(20):
        cache.made_once(f"k{k}", lambda: bytes([k]) * 50_000)
"""


def test_clearing_while_others_write_and_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is read is whole; the limit holds but for what each writer may add before it looks."""
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "500000")
    writers = [subprocess.Popen([sys.executable, "-c", WRITING]) for _ in range(2)]
    try:
        while not cache.entries():
            assert all(writer.poll() is None for writer in writers)
        seen = 0
        for turn in range(400):
            k = turn % 20
            found = cache.read(f"k{k}")
            seen += found is not None
            assert found in (None, bytes([k]) * 50_000)
            assert sum(entry.size for entry in cache.entries()) <= 500_000 * (1 + 3 * cache.UNSEEN) + 150_000
            if turn % 50 == 0:
                cache.clear()
        assert all(writer.poll() is None for writer in writers)
    finally:
        for writer in writers:
            writer.kill()
            writer.wait()
    assert seen > 0
