"""What all tests of commands share."""

import sys

import pytest

from armdyn.cli import main as entry
from command_line import Armdyn, Said


@pytest.fixture
def armdyn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Armdyn:
    """The command line, in this process."""

    def call(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["armdyn", *arguments])
        with pytest.raises(SystemExit) as leave:
            entry.main()
        assert isinstance(leave.value.code, int)
        captured = capsys.readouterr()
        return Said(leave.value.code, captured.out, captured.err)

    return call
