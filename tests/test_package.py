"""The wheel and the source archive hold what they must, and the wheel works far from its sources."""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def files_below(folder: str, *endings: str) -> set[str]:
    """Paths of the repository's files, caches left out."""
    found = (ROOT / folder).rglob("*")
    return {
        file.relative_to(ROOT).as_posix()
        for file in found
        if file.is_file() and "__pycache__" not in file.parts and (not endings or file.suffix in endings)
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both archives, built by the backend that is installed, without a download."""
    folder = tmp_path_factory.mktemp("dist")
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    (file,) = built.glob("*.whl")
    return file


def test_the_wheel_holds_all_of_the_package_and_nothing_else(wheel: Path) -> None:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert names == {file.removeprefix("src/") for file in files_below("src/armdyn")}
    assert "armdyn/py.typed" in names
    assert "armdyn/studio/static/index.html" in names
    assert "armdyn/studio/static/notices.txt" in names
    assert "armdyn/robot/catalog/lola15.toml" in names
    assert any(name.endswith("/lola15.lirl") for name in names)


def test_the_wheel_brings_its_licence(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if name.endswith(".dist-info/licenses/LICENSE")]


def test_the_source_archive_builds_tests_and_documents_itself(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames()}
    ours = (
        files_below("src")
        | files_below("tests", ".py")
        | files_below("examples")
        | files_below("requirements")
    )
    needed = {
        "pyproject.toml",
        "Makefile",
        "LICENSE",
        "README.md",
        "SECURITY.md",
        "CHANGELOG.md",
        "web/build.mjs",
    }
    assert ours | needed <= names
    assert not [name for name in names if "node_modules" in name or "__pycache__" in name]


def test_the_build_backend_is_what_development_locks() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert set(project["build-system"]["requires"]) <= set(project["project"]["optional-dependencies"]["dev"])


@pytest.fixture(scope="module")
def elsewhere(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but the wheel, unpacked by pip; `make package` has a new environment for it."""
    folder = tmp_path_factory.mktemp("elsewhere")
    alone = ("--quiet", "--no-index", "--no-deps", "--target", str(folder / "installed"))
    command = [sys.executable, "-m", "pip", "install", *alone, str(wheel)]
    subprocess.run(command, check=True, capture_output=True)
    return folder


def said(folder: Path, *arguments: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(folder / "installed")}
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


@pytest.mark.slow
@pytest.mark.parametrize("command", ["demo", "robots", "show ur5", "studio --help", "verify ur5_palletising"])
def test_the_wheel_works_elsewhere(elsewhere: Path, command: str) -> None:
    where = said(elsewhere, "-c", "import armdyn; print(armdyn.__file__)")
    assert where.startswith(str(elsewhere))
    assert said(elsewhere, "-m", "armdyn", *command.split())
