"""A real server, for all tests of a session, and pages that talk to it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from armdyn.program import example_program
from studio_pages import Page, RunningStudio

DATA = Path(__file__).parents[1] / "data"


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the studio shows: a program, a robot with a mesh, a run, and something outside."""
    outside = tmp_path_factory.mktemp("outside")
    (outside / "secret.lirl").write_text("program Secret;")
    root = tmp_path_factory.mktemp("studio")
    shutil.copy(example_program("panda"), root / "panda.lirl")
    (root / "link.lirl").symlink_to(outside / "secret.lirl")
    (root / "way_out").symlink_to(outside)
    return root


@pytest.fixture(scope="session")
def studio(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningStudio]:
    """One server with one worker."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ARMDYN_STATE", str(tmp_path_factory.mktemp("state")))
        patch.setenv("ARMDYN_NATIVE", "1")
        with RunningStudio(folder) as running:
            yield running


@pytest.fixture
def page(studio: RunningStudio) -> Iterator[Page]:
    """A page that is connected."""
    with studio.page() as opened:
        yield opened
