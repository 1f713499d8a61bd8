"""What the README, the docs and the examples tell people to type works as written."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import armdyn as ad
from command_line import called, process

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


PAGES = {"README.md": README} | {
    name: (ROOT / "docs" / name).read_text(encoding="utf-8")
    for name in (
        "formulations.md",
        "engine.md",
        "command-line.md",
        "drives.md",
        "verification.md",
        "retiming.md",
        "language.md",
        "simulation.md",
        "equations.md",
        "studies.md",
        "sweeps.md",
        "identification.md",
        "operational-space.md",
        "c-code.md",
        "casadi.md",
        "fmu.md",
        "studio.md",
    )
}


RUN = [
    "README.md",
    "formulations.md",
    "engine.md",
    "drives.md",
    "verification.md",
    "retiming.md",
    "language.md",
    "simulation.md",
    "equations.md",
    "studies.md",
    "sweeps.md",
    "identification.md",
    "operational-space.md",
    "c-code.md",
    "casadi.md",
    "fmu.md",
    "studio.md",
]


@pytest.mark.parametrize("page", RUN)
def test_python_of_the_page_runs(page, tmp_path, monkeypatch):
    """All blocks in one namespace, in order, as a reader would; what they write is not left behind."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    exec(compile("\n".join(blocks(PAGES[page], "python")), page, "exec"), {})


def commands() -> dict[str, list[str]]:
    """Every command of the pages, with the lines of output that stand below it."""
    found: dict[str, list[str]] = {}
    for text in PAGES.values():
        for block in blocks(text, "console"):
            for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, *shown = part.splitlines()
                found.setdefault(command, []).extend(shown)
    return found


COMMANDS = commands()
FRESH = set({command.split()[1]: command for command in sorted(COMMANDS)}.values())
"""One command of each verb, for a process of its own: nobody has imported there what it forgets to import."""


@pytest.mark.parametrize("command", sorted(COMMANDS), ids=str)
def test_commands_of_the_pages_run(command, tmp_path, monkeypatch, capsys):
    """And print what the pages show of it."""
    program, *words = shlex.split(command)
    assert program == "armdyn"
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    said = process(*words) if command in FRESH else called(monkeypatch, capsys, words)
    assert said.code == 0, said.err
    assert [line for line in COMMANDS[command] if line.strip() and line not in said.out] == []


def test_every_line_of_a_console_block_follows_a_command():
    for text in PAGES.values():
        for block in blocks(text, "console"):
            assert block.startswith("$ ")


@pytest.mark.parametrize("example", sorted((ROOT / "examples").glob("*.py")), ids=lambda p: p.stem)
def test_examples_run(example):
    run = subprocess.run([sys.executable, str(example)], check=True, capture_output=True, text=True)
    assert run.stdout


def test_robot_file_of_the_docs_loads(tmp_path):
    whole, more = blocks((ROOT / "docs/robot-files.md").read_text(encoding="utf-8"), "toml")
    file = tmp_path / "two_links.toml"
    file.write_text(whole, encoding="utf-8")
    arm = ad.load(file)
    assert arm.joint_names == ("shoulder", "elbow")
    assert len(arm.payloads) == 1
    assert ad.Dynamics(arm).motors == "coupled"
    settings, tables = more.split("[base]")
    file.write_text(settings + whole.split("[[drives]]")[0] + "[base]" + tables, encoding="utf-8")
    assert ad.Dynamics(ad.load(file)).motors == "exact"


def test_readme_counts_the_catalog():
    assert f"[{len(ad.catalog())} robots]" in README
