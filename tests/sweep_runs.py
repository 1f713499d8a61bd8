"""Sweeps as tests run them: small studies, rows compared, processes found and killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from armdyn.sweep.chunks import Chunk
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.store.reader import open_results
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import study_of
from armdyn.sweep.sweep import uncut
from armdyn.sweep.workbench import Computed, Workbench

BURDENED = Path(__file__).parent / "sweep" / "burdened"
TEXT = """
[study]
robot = "jpl_rrp"
quantity = "gravity"
seed = 7

[design]
kind = "{kind}"
{n}

[axes.q1]
range = ["-90 deg", "90 deg"]

[axes.q2]
range = [-1.0, 1.0]

[options]
elements = ["1", "2"]

[output]
folder = "out"
"""


def study_text(n: int = 1000, kind: str = "random") -> str:
    """Postures of a small arm."""
    return TEXT.format(kind=kind, n=f"n = {n}")


def study_file(folder: Path, n: int = 1000, kind: str = "random") -> Path:
    """A study file whose output goes beside it."""
    file = folder / "study.toml"
    file.write_text(study_text(n, kind))
    return file


def manifest_of(study: Study, rows: int) -> Manifest:
    """Of a sweep cut into chunks of so many rows."""
    from dataclasses import replace

    return replace(uncut(study, {}), rows=rows)


def computed_here(
    folder: Path, n: int = 20, rows: int = 10, kind: str = "random"
) -> tuple[Study, Manifest, list[Computed]]:
    """All chunks of a study, computed in this process."""
    study = study_of(study_text(n, kind), folder)
    manifest, bench = manifest_of(study, rows), Workbench(study)
    return (
        study,
        manifest,
        [bench.computed(manifest, manifest.chunks[k]) for k in range(manifest.chunks.count)],
    )


def expected_rows(file: Path, n: int, kind: str = "random") -> Any:
    """The rows of a study as one process gives them in one piece."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    study = study_of(file.read_text(), file.parent)
    computed = Workbench(study).computed(manifest_of(study, n), Chunk(0, 0, n))
    return pq.read_table(pa.BufferReader(computed.data)).replace_schema_metadata(None)


def rows_in(folder: Path) -> Any:
    """The rows of a folder, in order."""
    return open_results(folder).table().replace_schema_metadata(None)


def assert_same_rows(file: Path, n: int, kind: str = "random") -> None:
    """No row lost, none twice, none different."""
    found, expected = rows_in(file.parent / "out"), expected_rows(file, n, kind)
    assert found["index"].to_pylist() == list(range(n))
    assert found.equals(expected)


def children(pid: int) -> list[int]:
    """The processes that a process has started, and that live."""
    found: list[int] = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(stat.parent.name))
    return found


def kill(pid: int) -> None:
    """As `kill -9` does."""
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


@contextmanager
def running(file: Path, *options: str, **environment: str) -> Iterator[subprocess.Popen[str]]:
    """`armdyn sweep` in a process of its own."""
    command = [sys.executable, "-m", "armdyn", "sweep", str(file), *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def process_ended(process: subprocess.Popen[str]) -> bool:
    """Whether it has."""
    return process.poll() is not None


def wait_for(condition: Any, seconds: float = 120.0) -> None:
    """Until it is so; much longer than it ever takes."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)


def chunk_count(folder: Path) -> int:
    """How many chunks are in their place."""
    return len(list((folder / "rows").glob("chunk-*.parquet")))


def burden(**settings: object) -> dict[str, str]:
    """What worker processes suffer: seconds, deadly_row, faulty_row."""
    path = os.pathsep.join([str(BURDENED), *filter(None, [os.environ.get("PYTHONPATH")])])
    named = {f"SWEEP_TEST_{name.upper()}": str(value) for name, value in settings.items()}
    return {"PYTHONPATH": path, **named}
