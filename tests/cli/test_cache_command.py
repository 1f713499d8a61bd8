"""`armdyn cache`."""

from pathlib import Path

import pytest

from command_line import Armdyn, assert_refused


@pytest.fixture
def folder(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("ARMDYN_CACHE", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def test_shows_and_clears(armdyn: Armdyn, folder: Path) -> None:
    empty = armdyn("cache", "--json").document
    assert empty["kernels"] == empty["bytes"] == 0
    assert empty["writable"]
    assert empty["folder"] == str(folder)
    assert not folder.exists()
    armdyn("dynamics", "planar2", "--q", "0.1,0.2")
    full = armdyn("cache", "--json").document
    assert full["kernels"] > 0
    assert 0 < full["bytes"] <= full["limit_bytes"]
    assert full["removed"] is None
    cleared = armdyn("cache", "--clear", "--json").document
    assert cleared["removed"] == full["kernels"]
    assert cleared["kernels"] == 0


def test_tells_people_where_and_how_much(armdyn: Armdyn, folder: Path) -> None:
    shown = armdyn("cache").out
    assert str(folder) in shown
    assert "0 kernels" in shown
    assert "ARMDYN_CACHE_LIMIT" in shown


def test_a_bad_limit_is_one_sentence(armdyn: Armdyn, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARMDYN_CACHE_LIMIT", "-3")
    assert_refused(armdyn("cache"), "ARMDYN_CACHE_LIMIT is -3, expected a number of bytes")


def test_says_when_nothing_can_be_written(
    armdyn: Armdyn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARMDYN_CACHE", str(tmp_path / "file"))
    assert f"(not used: {tmp_path / 'file'} cannot be written)" in armdyn("cache").out
    assert armdyn("dynamics", "planar2", "--q", "0.1,0.2").out


def test_says_who_else_could_have_written(armdyn: Armdyn, folder: Path) -> None:
    folder.mkdir()
    folder.chmod(0o777)
    assert f"(not used: {folder} can be written by others (mode 777))" in armdyn("cache").out
    found = armdyn("cache", "--json").document
    assert not found["writable"]
    assert found["unused"] == f"{folder} can be written by others (mode 777)"
    folder.chmod(0o700)
    assert armdyn("cache", "--json").document["unused"] is None
