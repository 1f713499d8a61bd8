"""Folders that others could have written: machine code from there is never run."""

import os
import sys
from pathlib import Path

import pytest

from armdyn.native import cache
from armdyn.native.trust import distrusted

pytestmark = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no owners here")

SOMEBODY = 54321
only_root = pytest.mark.skipif(sys.platform == "win32" or os.geteuid() != 0, reason="only root can give away")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder two levels down."""
    place = tmp_path / "above" / "kernels"
    place.mkdir(parents=True)
    for part in (place, place.parent):
        part.chmod(0o700)
    return place


def test_a_folder_of_ours_is_trusted_and_so_is_one_that_is_not_there_yet(place: Path) -> None:
    assert distrusted(place) is None
    assert distrusted(place / "new" / "newer") is None


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707, 0o1777])
def test_a_folder_that_others_can_write_is_not(place: Path, mode: int) -> None:
    place.chmod(mode)
    assert f"{place} can be written by others (mode {mode:o})" == distrusted(place)


def test_nor_one_that_others_can_put_another_in_the_place_of(place: Path) -> None:
    place.parent.chmod(0o777)
    assert f"{place.parent}, above it, can be changed by others (mode 777)" == distrusted(place)
    place.parent.chmod(0o1777)  # as /tmp: nobody can move what belongs to others
    assert distrusted(place) is None


@only_root
def test_nor_one_of_another_user_nor_one_in_his_hands(place: Path) -> None:
    os.chown(place, SOMEBODY, -1)
    assert distrusted(place) == f"{place} belongs to another user"
    os.chown(place, 0, -1)
    os.chown(place.parent, SOMEBODY, -1)
    assert distrusted(place) == f"{place.parent} belongs to another user"


@only_root
def test_nor_one_behind_a_link_that_another_user_made(place: Path, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(place)
    assert distrusted(link) is None
    os.chown(link, SOMEBODY, -1, follow_symlinks=False)
    assert distrusted(link) == f"{link} belongs to another user"


@only_root
def test_a_group_with_other_members_is_somebody_else(place: Path) -> None:
    place.parent.chmod(0o770)
    assert distrusted(place) is None  # root's own group
    os.chown(place.parent, -1, SOMEBODY)
    assert "can be changed by others" in (distrusted(place) or "")


def test_code_from_there_is_not_read_and_none_is_put_there(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ARMDYN_CACHE", str(place))
    assert cache.write("k", b"code")
    assert cache.read("k") == b"code"
    place.parent.chmod(0o777)
    assert cache.read("k") is None
    assert not cache.write("other", b"code")
    assert "above it" in (cache.unused() or "")
    place.parent.chmod(0o700)
    assert cache.read("k") == b"code"
