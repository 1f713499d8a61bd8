"""What is named instead of a file: folders, devices, pipes that nobody writes into, names that no file has.

And files that are larger than any of their kind, or point to others.
"""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from armdyn.errors import ArmdynError
from hostile.good_files import good
from hostile.guard import SECONDS
from hostile.readers import READERS

KINDS = list(READERS)


def sentence(kind: str, file: Path) -> str:
    with pytest.raises(ArmdynError) as caught:
        READERS[kind].read(file)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_there_is_no_such_file(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"none{READERS[kind].suffix}"
    assert sentence(kind, file) == f"{file}: no such file"


@pytest.mark.parametrize("kind", KINDS)
def test_a_folder(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"folder{READERS[kind].suffix}"
    file.mkdir()
    assert sentence(kind, file) == f"{file}: cannot be read, Is a directory"


@pytest.mark.parametrize("kind", KINDS)
def test_a_pipe_that_nobody_writes_into(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"pipe{READERS[kind].suffix}"
    os.mkfifo(file)
    assert sentence(kind, file).startswith(
        f"{file}: cannot be read, it is a pipe or a device, expected a file"
    )


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("device", ["/dev/zero", "/dev/urandom", "/dev/null"])
def test_a_device_that_never_ends(kind: str, device: str, tmp_path: Path) -> None:
    file = tmp_path / f"device{READERS[kind].suffix}"
    file.symlink_to(device)
    assert sentence(kind, file).startswith(
        f"{file}: cannot be read, it is a pipe or a device, expected a file"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_link_to_itself(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"link{READERS[kind].suffix}"
    file.symlink_to(file)
    assert "Too many levels of symbolic links" in sentence(kind, file)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["nul\0byte", "x" * 300])
def test_a_name_that_no_file_has(kind: str, name: str, tmp_path: Path) -> None:
    assert sentence(kind, tmp_path / f"{name}{READERS[kind].suffix}")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_may_not_be_read(kind: str, tmp_path: Path) -> None:
    file = tmp_path / f"closed{READERS[kind].suffix}"
    file.write_bytes(good(kind))
    file.chmod(0)
    assert sentence(kind, file) == f"{file}: cannot be read, Permission denied"


# Files that are large ----------------------------------------------------------------------------

MEMORY = 512 * 2**20
LARGE = {
    "robot_toml-keys": "b''.join(b'%x=1\\n' % k for k in range(2**18))",
    "robot_toml-lists": "b'home=[' + b'[],' * 600_000 + b']'",
    "robot_toml-bodies": "b'name=\"x\"\\nbodies=[' + b'{},' * 600_000 + b']'",
    "robot_toml-dotted": "b'x={' + b'a.' * 1_000_000 + b'b=1}'",
    "robot_toml-larger": "b'#' * (2 * 2**20 + 1)",
    "robot_toml-line": "b'name = \"' + b'x' * 10_000_000 + b'\"'",
    "urdf-elements": "b'<robot>' + b'<a/>' * 2_000_000 + b'</robot>'",
    "urdf-attributes": "b'<robot>' + b\"<a b='' c='' d='' e=''/>\" * 330_000 + b'</robot>'",
    "urdf-line": "b'<robot name=\"' + b'x' * 10_000_000 + b'\"/>'",
    "urdf-larger": "b'<robot>' + b' ' * 2**23 + b'</robot>'",
    "program-words": "b'program p; var real:x = 1' + b'+1' * 500_000 + b'; endvar seq endseq endprogram'",
    "program-minus": "b'program p; var real:x = ' + b'-' * 1_000_000 + b'1; endvar seq endseq endprogram'",
    "program-line": "b'program p; seq { ' + b'x' * 10_000_000",
    "motion_csv-line": "b'time,q1,q2\\n' + b'1' * 10_000_000",
    "motion_csv-header": "b't' * 10_000_000",
    "motion_csv-cells": "b'time,q1,q2\\n' + b',' * 5_000_000",
    "schedule-steps": "b'kind=\"tau\"\\nsteps=[' + b'{},' * 600_000 + b']'",
    "schedule-values": "b'kind=\"tau\"\\n[[steps]]\\ntime=0\\nvalues=[' + b'[],' * 600_000 + b']'",
    "candidates-motors": "b'motors=[' + b'{},' * 300_000 + b']'",
    "candidates-larger": "b'#' * (2**20 + 1)",
    "mapping-keys": "b''.join(b'%x=1\\n' % k for k in range(2**17))",
    "mapping-larger": "b'#' * (2**20 + 1)",
}
"""By kind and name what makes the file."""
MEASURED = """
import resource, sys, time
from pathlib import Path
from armdyn.errors import ArmdynError
from hostile.readers import READERS
from hostile.warming import warmed
kind, file, make = sys.argv[1:]
list(warmed(kind, Path(file)))
Path(file).write_bytes(eval(make))
before, begin = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
try:
    READERS[kind].read(Path(file))
except ArmdynError as error:
    print("sentence", error)
after, end = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
print(1024 * (after - before), end - begin)
"""


def measured(kind: str, make: str, folder: Path) -> tuple[str, int, float]:
    """What is said of a large file; the memory [bytes] and the CPU time [s] that it takes."""
    here = Path(__file__).parents[1]
    code = f"import sys; sys.path.insert(0, {str(here)!r})\n{MEASURED}"
    file = folder / f"large{READERS[kind].suffix}"
    words = [sys.executable, "-c", code, kind, str(file), make]
    done = subprocess.run(words, capture_output=True, text=True, timeout=900, check=True)
    said, numbers = done.stdout.strip().rsplit("\n", 1) if "\n" in done.stdout.strip() else ("", done.stdout)
    memory, seconds = numbers.split()
    return said, int(memory), float(seconds)


@pytest.mark.slow
@pytest.mark.parametrize("name", LARGE)
def test_a_large_file_takes_little_time_and_memory(name: str, tmp_path: Path) -> None:
    said, memory, seconds = measured(name.partition("-")[0], LARGE[name], tmp_path)
    assert said.startswith("sentence ")
    assert memory < MEMORY
    assert seconds < SECONDS


# Files that point to others ------------------------------------------------------------------------

POINTERS = {
    "entity": '<!DOCTYPE r [<!ENTITY x SYSTEM "PLACE">]><robot name="a">&x;</robot>',
    "parameter entity": '<!DOCTYPE r [<!ENTITY % p SYSTEM "PLACE"> %p;]><robot name="a"/>',
    "document type": '<!DOCTYPE robot SYSTEM "PLACE"><robot name="a"/>',
    "XInclude": '<robot xmlns:x="http://www.w3.org/2001/XInclude"><x:include href="PLACE"/></robot>',
    "style sheet": '<?xml-stylesheet type="text/xsl" href="PLACE"?><robot name="a"/>',
    "schema": '<robot xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="a PLACE"/>',
    "mesh": '<robot><link name="l"><visual><geometry><mesh filename="PLACE"/>'
    "</geometry></visual></link></robot>",
}
"""Ways in which XML may ask for another file."""


class Canary:
    """A file that notices when somebody opens it, whoever does and in whatever language (inotify)."""

    OPENED = 0x20

    def __init__(self, file: Path) -> None:
        file.write_text("secret")
        self._libc = ctypes.CDLL(None, use_errno=True)
        self._handle = self._libc.inotify_init1(os.O_NONBLOCK)
        assert self._libc.inotify_add_watch(self._handle, os.fsencode(file), self.OPENED) >= 0

    def was_opened(self) -> bool:
        try:
            data = os.read(self._handle, 4096)
        except BlockingIOError:
            return False
        return bool(struct.unpack_from("iIII", data)[1] & self.OPENED)


@pytest.mark.skipif(sys.platform != "linux", reason="inotify is Linux's")
@pytest.mark.parametrize("way", POINTERS)
def test_a_file_that_points_to_another_leaves_it_closed(way: str, tmp_path: Path) -> None:
    secret, file = tmp_path / "secret.txt", tmp_path / "points.urdf"
    canary = Canary(secret)
    file.write_text(POINTERS[way].replace("PLACE", secret.as_uri()))
    try:
        said = repr(READERS["urdf"].read(file))
    except ArmdynError as error:
        said = str(error)
    assert not canary.was_opened()
    assert "secret" not in said.replace(str(tmp_path), "")
    secret.read_text()
    assert canary.was_opened()
