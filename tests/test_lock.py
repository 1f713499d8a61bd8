"""The locks name every dependency, with hashes, and agree with what the projects ask for."""

import json
import re

import pytest
from packaging.utils import canonicalize_name

from locked_dependencies import ROOT, generator

lock = generator("locked_packages")
LOCKED = lock.locked()
NPM = json.loads((ROOT / "web/package-lock.json").read_text(encoding="utf-8"))["packages"]
FILES = ("requirements/dev.txt", "web/package-lock.json", "web/.npmrc", "pyproject.toml", "Makefile")


def test_every_locked_package_has_one_version_and_hashes() -> None:
    assert len(LOCKED) > 100
    for package in LOCKED:
        assert re.fullmatch(r"==[^,*]+", str(package.requirement.specifier)), package
        assert package.requirement.url is None
        assert package.hashes, package
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", found) for found in package.hashes), package


def test_the_lock_has_nothing_but_requirements_hashes_and_reasons() -> None:
    """No index, no link, no file: nothing that says where to fetch from."""
    for line in lock.LOCK.read_text(encoding="utf-8").splitlines():
        assert re.match(r"[a-z0-9]|    --hash=sha256:|    #|#", line), line


@pytest.mark.parametrize("need", [need for needs in lock.asked().values() for need in needs], ids=str)
def test_what_pyproject_asks_for_is_locked_within_its_range(need) -> None:
    versions = [package.version for package in LOCKED if package.name == canonicalize_name(need.name)]
    assert versions, f"{need.name} is not locked: run `make lock`"
    assert all(need.specifier.contains(version) for version in versions), "run `make lock`"


def test_the_build_backend_is_locked() -> None:
    assert "hatchling" in {package.name for package in LOCKED}


def test_nobody_is_locked_whom_nobody_asks_for() -> None:
    assert set(lock.uses()) == {package.name for package in LOCKED}


def test_every_npm_package_has_a_hash() -> None:
    for path, package in NPM.items():
        assert not path or package["integrity"].startswith("sha512-"), path
        assert "resolved" not in package, path


def test_npm_asks_for_exact_versions() -> None:
    page = json.loads((ROOT / "web/package.json").read_text(encoding="utf-8"))
    for kind in ("dependencies", "devDependencies", "overrides"):
        assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in page[kind].values())
    assert NPM[""]["dependencies"] == page["dependencies"]
    assert NPM[""]["devDependencies"] == page["devDependencies"]


@pytest.mark.parametrize("file", FILES)
def test_no_file_says_where_packages_come_from(file) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    assert not re.search(r"index-url|find-links|trusted-host|registry *=|resolved\":", text)


def test_development_installs_by_hash() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.split("\n.venv/dev.installed:")[1].split("\n\n")[0]
    assert "\nLOCKED := install --require-hashes $(WHEELS) --requirement\n" in makefile
    installs = [line for line in recipe.splitlines() if re.search(r"\b(install|LOCKED)\b", line)]
    assert all(re.search(r"\$\(LOCKED\) \S+\.txt|install --no-index", line) for line in installs), installs
    assert "install --no-index --no-deps --no-build-isolation --editable ." in recipe
    assert "npm ci" in makefile
    assert "npm install" not in makefile
