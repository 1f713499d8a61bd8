"""Every option of every command given garbage: one sentence and code 2, or an answer; never a fault."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from armdyn.cli.main import COMMANDS, application
from command_line import called, process

BASES = {
    "robots": (),
    "show": ("pendulum",),
    "dynamics": ("pendulum",),
    "coefficients": ("pendulum",),
    "derive": ("pendulum", "gravity"),
    "motors": ("planar2",),
    "verify": ("nothing.lirl", "--robot", "planar2"),
    "retime": ("nothing.csv", "--robot", "planar2"),
    "simulate": ("pendulum", "--duration", "0.01"),
    "excite": ("nobody",),
    "identify": ("nobody", "nothing.csv"),
    "study": ("nobody", "gravity"),
    "export": ("nobody",),
    "sweep": ("nothing.toml",),
    "studio": ("nothing.lirl",),
    "telemetry": ("nothing.toml", "http://127.0.0.1:1/login?token=none"),
    "counts": ("nobody",),
    "bench": ("--robot", "nobody"),
    "cache": (),
    "demo": (),
}
"""What each command is given beside the garbage; what is not there where it would be long at work."""
GARBAGE = ("", "nan", "1e999", "☃", "-1", "1,,2", "x" * 5000, "../../..", "a=b=c", "[1,2", "0x10", "\x1b[31m")
DESTRUCTIVE = {"cache": {"--clear"}}
"""Options that delete something."""


def _options() -> Iterator[tuple[str, str, bool]]:
    """Command, option, and whether it takes a value."""
    commands: Any = typer.main.get_command(application(COMMANDS.values()))
    for name, command in commands.commands.items():
        for option in command.params:
            if option.param_type_name == "option" and option.opts[0] not in DESTRUCTIVE.get(name, ()):
                yield name, option.opts[0], not option.is_flag


OPTIONS = list(_options())


def test_every_command_is_tried() -> None:
    assert {command for command, _, _ in OPTIONS} | {"robots", "demo", "cache"} == set(BASES)


def check(code: int, out: str, err: str) -> None:
    """An answer, a no, or one sentence; 70 would be a fault of armdyn itself."""
    assert code in (0, 1, 2), err
    assert "Traceback" not in err
    if code == 2:
        assert out == ""
        assert err.startswith("armdyn: ")
        assert err.count("\n") == 1


@pytest.mark.parametrize(("command", "option", "valued"), OPTIONS, ids=str)
def test_an_option_with_garbage(
    command: str,
    option: str,
    valued: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    which = OPTIONS.index((command, option, valued))
    thorough = os.environ.get("HYPOTHESIS_PROFILE") == "thorough"
    chosen = GARBAGE if thorough else (GARBAGE[which % len(GARBAGE)], GARBAGE[(which * 5 + 1) % len(GARBAGE)])
    for garbage in chosen if valued else ("",):
        words = (f"{option}={garbage}",) if valued else (option, option)
        said = called(monkeypatch, capsys, (command, *BASES[command], *words))
        check(said.code, said.out, said.err)


@pytest.mark.parametrize(("command", "option"), [(c, o) for c, o, valued in OPTIONS if valued], ids=str)
def test_an_option_without_its_value(
    command: str, option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = called(monkeypatch, capsys, (command, *BASES[command], option))
    assert (said.code, said.out) == (2, "")
    assert "requires" in said.err
    check(said.code, said.out, said.err)


@pytest.mark.parametrize("garbage", ["", "☃", "--", "-", "x" * 5000, "/", "\x1b[31m", "a\nb"])
@pytest.mark.parametrize("command", ["show", "dynamics", "verify", "simulate", "export", "identify", "☃"])
def test_an_argument_that_is_garbage(
    command: str,
    garbage: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    said = called(monkeypatch, capsys, (command, garbage))
    assert said.code == 2
    check(said.code, said.out, said.err)


@pytest.mark.parametrize(
    "words",
    [
        ("dynamics", "pendulum", "--q=nan"),
        ("simulate", "pendulum", "--duration=1e999"),
        ("show", b"\xff\xfe.toml"),
        ("verify", "x" * 100_000),
        ("retime", "nothing.csv", "--mode=☃"),
    ],
    ids=["nan", "endless", "no text", "long", "snowman"],
)
def test_garbage_in_a_process(words: tuple[Any, ...], tmp_path: Path) -> None:
    said = process(*words, cwd=tmp_path)
    assert said.code == 2
    check(said.code, said.out, said.err)
