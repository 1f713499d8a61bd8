"""What the README, the docs and the examples tell people to type works as written."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import armdyn as ad

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
        "language.md",
        "simulation.md",
        "studies.md",
    )
}


RUN = [
    "README.md",
    "formulations.md",
    "engine.md",
    "drives.md",
    "verification.md",
    "language.md",
    "simulation.md",
    "studies.md",
]


@pytest.mark.parametrize("page", RUN)
def test_python_of_the_page_runs(page):
    """All blocks in one namespace, in order, as a reader would."""
    exec(compile("\n".join(blocks(PAGES[page], "python")), page, "exec"), {})


COMMANDS = {
    line.removeprefix("$ ")
    for text in PAGES.values()
    for block in blocks(text, "console")
    for line in block.splitlines()
}


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_commands_of_the_pages_run(command, tmp_path):
    words = shlex.split(command)
    assert words[0] == "armdyn"
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    subprocess.run([sys.executable, "-m", *words], check=True, capture_output=True, cwd=tmp_path)


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
