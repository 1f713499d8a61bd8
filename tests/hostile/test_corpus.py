"""Every bad file of the corpus gives its sentence, and nothing else: from readers, and from commands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from armdyn.errors import ArmdynError
from hostile.corpus import Case, cases
from hostile.made_files import MADE
from hostile.readers import READERS

CASES = cases()
ENOUGH = 300
"""Bad files that there must be."""
MOTION = str(Path(__file__).parents[2] / "examples" / "motions" / "lola15_swing.csv")
COMMANDS = {
    "robot_toml": ("show", "FILE"),
    "urdf": ("show", "FILE"),
    "program": ("verify", "FILE", "--robot", "lola15"),
    "motion_csv": ("verify", "FILE", "--robot", "planar2"),
    "motion_parquet": ("verify", "FILE", "--robot", "planar2"),
    "log_csv": ("identify", "planar2", "FILE"),
    "log_parquet": ("identify", "planar2", "FILE"),
    "mcap": ("identify", "planar2", "FILE"),
    "input_csv": ("simulate", "planar2", "--input", "FILE", "--duration", "0.1"),
    "schedule": ("simulate", "planar2", "--input", "FILE", "--duration", "0.1"),
    "candidates": ("study", "lola15", "sizing", "--motion", MOTION, "--candidates", "FILE"),
    "mapping": ("telemetry", "FILE", "http://127.0.0.1:1/login?token=none"),
}
"""A command that reads a file of the kind."""


def identity(case: Case) -> str:
    return f"{case.kind}-{case.name}"


def test_there_are_enough_and_none_is_forgotten() -> None:
    names = [identity(case) for case in CASES]
    assert len(names) >= ENOUGH
    assert len(set(names)) == len(names)
    assert {case.kind for case in CASES} == set(READERS)
    made = {(case.kind, case.name) for case in CASES if not {"text", "hex", "edit"} & set(case.how)}
    assert made == {(kind, name) for kind, files in MADE.items() for name in files}


@pytest.mark.parametrize("case", CASES, ids=identity)
def test_a_bad_file_gives_its_sentence(case: Case, tmp_path: Path) -> None:
    file = case.written(tmp_path)
    with pytest.raises(ArmdynError) as caught:
        READERS[case.kind].read(file)
    assert str(caught.value) == case.sentence(file)


@pytest.mark.parametrize("kind", COMMANDS)
def test_a_command_says_the_sentence_and_leaves_with_two(kind: str, tmp_path: Path) -> None:
    case = next(case for case in CASES if case.kind == kind and "empty" not in case.name)
    check_command(case, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", [case for case in CASES if case.kind in COMMANDS][::7], ids=identity)
def test_a_command_says_the_sentence_of_many(case: Case, tmp_path: Path) -> None:
    check_command(case, tmp_path)


def check_command(case: Case, folder: Path) -> None:
    """Run armdyn as a process of its own on the file."""
    file = case.written(folder)
    arguments = [str(file) if word == "FILE" else word for word in COMMANDS[case.kind]]
    done = subprocess.run(
        [sys.executable, "-m", "armdyn", *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    expected = " ".join(case.sentence(file).split())
    assert done.stderr.startswith(f"armdyn: {expected[:60]}")
