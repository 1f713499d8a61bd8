"""The command line as tests call it: in this process, or in one of its own."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from armdyn.cli import main as entry

BAD_INPUT = 2


@dataclass(frozen=True)
class Said:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        """The one JSON document on standard output."""
        assert (self.code, self.err) == (0, "")
        return json.loads(self.out, parse_constant=_no_constant)


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is no JSON")


Armdyn = Callable[..., Said]


def called(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: Sequence[str]
) -> Said:
    """The command line, in this process."""
    monkeypatch.setattr(sys, "argv", ["armdyn", *arguments])
    with pytest.raises(SystemExit) as leave:
        entry.main()
    assert isinstance(leave.value.code, int)
    captured = capsys.readouterr()
    return Said(leave.value.code, captured.out, captured.err)


def process(*arguments: str, **settings: Any) -> Said:
    """The command line, in a process of its own."""
    command = [sys.executable, "-m", "armdyn", *arguments]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **settings)
    return Said(run.returncode, run.stdout, run.stderr)


def assert_refused(said: Said, sentence: str) -> None:
    assert said.code == BAD_INPUT
    assert said.out == ""
    assert said.err.startswith("armdyn: ")
    assert sentence in said.err
    assert said.err.count("\n") == 1
    assert said.err.endswith("\n")
    assert "Traceback" not in said.err
