"""What all tests of commands share."""

import pytest

from command_line import Armdyn, Said, called


@pytest.fixture
def armdyn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Armdyn:
    """The command line, in this process."""

    def call(*arguments: str) -> Said:
        return called(monkeypatch, capsys, arguments)

    return call
