"""An FMU linked into a C program that uses and misuses it, under the eyes of sanitizers and valgrind."""

import shutil
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fmpy import read_model_description

from armdyn.exports.fmu import export_fmu

SANITIZERS = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


def linked(robot: str, folder: Path, flags: list[str], **options: Any) -> Path:
    """The host with the FMU in it."""
    path = export_fmu(robot, folder, build=False, **options).files[0]
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    shutil.copy(Path(__file__).parent / "host.c", folder / "sources")
    token = f'-DTOKEN="{read_model_description(path).instantiationToken}"'
    command = ["cc", "-std=c99", "-O1", *flags, token, *map(str, (folder / "sources").glob("*.c")), "-lm"]
    subprocess.run([*command, "-o", str(folder / "host")], check=True)
    return folder / "host"


def said(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["planar3", "scara", "irb6", "lola15"])
@pytest.mark.parametrize("integrator", ["rk4", "semi_implicit"])
def test_sanitizers_find_nothing(tmp_path: Path, robot: str, integrator: str) -> None:
    options = {"payload": True, "wrench": True, "integrator": integrator}
    assert "variables" in said(str(linked(robot, tmp_path, SANITIZERS, **options)))


@pytest.mark.slow
@pytest.mark.parametrize("robot", ["planar3", "scara"])
def test_valgrind_finds_nothing(tmp_path: Path, robot: str) -> None:
    if shutil.which("valgrind") is None:
        pytest.skip("no valgrind on this machine")
    host = linked(robot, tmp_path, ["-g"], payload=True)
    checks = [
        "--error-exitcode=9",
        "--leak-check=full",
        "--show-leak-kinds=all",
        "--errors-for-leak-kinds=all",
    ]
    said("valgrind", "--quiet", *checks, str(host))
