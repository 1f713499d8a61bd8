"""Loading by name or file, and saving all or nothing."""

import subprocess
import sys
from pathlib import Path

import pytest

from armdyn.errors import FormatError, InputError, UnknownRobotError
from armdyn.formats import catalog, files, load, save
from armdyn.formats.toml import write_toml

ARM = 'name = "arm"\n[[bodies]]\nname = "link"\n'


@pytest.fixture
def arm(tmp_path: Path) -> Path:
    path = tmp_path / "arm.toml"
    path.write_text(ARM, encoding="utf-8")
    return path


def contents(folder: Path) -> dict[str, str]:
    """Every file below a folder, hidden ones too."""
    return {str(p.relative_to(folder)): p.read_text() for p in folder.rglob("*") if p.is_file()}


# Loading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lola15", "LOLA15", "planar-pr", "Planar PR", "planar_pr"])
def test_a_catalog_name_may_be_written_loosely(name: str) -> None:
    assert load(name).name == name.lower().replace("-", "_").replace(" ", "_")


def test_a_path_may_be_a_string_or_a_path(arm: Path) -> None:
    assert load(arm) == load(str(arm))


def test_capital_suffixes_are_suffixes(arm: Path) -> None:
    assert load(arm.rename(arm.with_suffix(".TOML"))).name == "arm"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("lola51", 'no robot "lola51"; did you mean "lola15"? `armdyn robots` lists all'),
        ("Pumba560", 'no robot "Pumba560"; did you mean "puma560"? `armdyn robots` lists all'),
        ("zzz", 'no robot "zzz"; `armdyn robots` lists all'),
        ("", 'no robot ""; `armdyn robots` lists all'),
        ("a" * 5000, 'no robot "aaa'),
        ("a\0b", 'no robot "a\0b"; '),
    ],
    ids=lambda text: repr(text[:20]),
)
def test_an_unknown_name_suggests_the_nearest(name: str, sentence: str) -> None:
    with pytest.raises(UnknownRobotError) as caught:
        load(name)
    assert str(caught.value).startswith(sentence)
    assert caught.value.name == name


def test_the_catalog_is_sorted_and_complete() -> None:
    folder = Path(files.__file__).parents[1] / "robot" / "catalog"
    assert list(catalog()) == sorted(path.stem for path in folder.glob("*.toml"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"nowhere\.toml: no such file$") as caught:
        load(tmp_path / "nowhere.toml")
    assert caught.value.file == str(tmp_path / "nowhere.toml")


def test_a_folder_is_no_robot_file(tmp_path: Path) -> None:
    (tmp_path / "arm.toml").mkdir()
    with pytest.raises(FormatError, match=r"arm\.toml: cannot be read, Is a directory$"):
        load(tmp_path / "arm.toml")


def test_a_file_below_a_file_cannot_be_read(arm: Path) -> None:
    with pytest.raises(FormatError, match=r"arm\.toml: cannot be read, Not a directory$"):
        load(arm / "arm.toml")


@pytest.mark.parametrize("suffix", [".json", ".xml", ""])
def test_an_unknown_kind_of_file_lists_the_known_ones(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"arm{suffix}"
    path.write_text(ARM)
    with pytest.raises(
        FormatError, match=rf'unknown kind of robot file "{suffix}", expected \.toml or \.urdf'
    ):
        load(path)


def test_a_name_with_a_null_byte_is_refused() -> None:
    with pytest.raises((FormatError, UnknownRobotError)):
        load("arm\0.toml")


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b'name = "\xff"', r"arm\.toml: not UTF-8 text \(byte 8\), expected a robot file; save it so$"),
        (ARM.encode("utf-16"), r"arm\.toml: not UTF-8 text \(byte 0\), expected a robot file; save it so$"),
        (b"\x00" * 100, r"arm\.toml: not valid TOML, "),
        (b"\x7fELF\x02\x01", r"arm\.toml: not valid TOML, "),
    ],
)
def test_what_is_not_text_is_refused(arm: Path, data: bytes, sentence: str) -> None:
    arm.write_bytes(data)
    with pytest.raises(FormatError, match=sentence):
        load(arm)


@pytest.mark.parametrize("suffix", [".toml", ".urdf"])
def test_a_file_larger_than_any_robot_is_refused(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "LARGEST_FILE", 2**20)
    monkeypatch.setattr(files, "LARGEST_TOML", 2**20)
    path = tmp_path / f"arm{suffix}"
    path.write_bytes(b"#" * (2**20 + 1))
    with pytest.raises(FormatError, match=r"larger than 1 MiB, no robot file is$"):
        load(path)
    path.write_bytes(ARM.encode().ljust(2**20, b"\n"))
    if suffix == ".toml":
        assert load(path).name == "arm"


def test_a_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "arm.toml").symlink_to("/dev/zero")
    with pytest.raises(FormatError, match="it is a pipe or a device, expected a file"):
        load(tmp_path / "arm.toml")


@pytest.mark.parametrize(
    "change", [lambda t: "\ufeff" + t, lambda t: t.replace("\n", "\r\n")], ids=["BOM", "CRLF"]
)
def test_what_windows_editors_write_is_read(arm: Path, change) -> None:
    arm.write_bytes(change(ARM).encode())
    assert load(arm).name == "arm"


def test_unphysical_inertias_are_accepted_with_a_reason(arm: Path) -> None:
    arm.write_text(ARM + "inertia = { mass = -1 }\n")
    assert load(arm, accept_unphysical="as printed").bodies[0].accept_unphysical == "as printed"


# Saving ---------------------------------------------------------------------------------------


def test_a_saved_robot_is_the_robot(tmp_path: Path) -> None:
    robot = load("lola15").with_payload(3.0, (0.1, 0.0, 0.0))
    assert save(robot, tmp_path / "lola.toml") == ()
    assert load(tmp_path / "lola.toml") == robot
    assert contents(tmp_path) == {"lola.toml": write_toml(robot)}
    assert (tmp_path / "lola.toml").stat().st_mode & 0o777 == 0o644


def test_saving_replaces_what_was_there(arm: Path) -> None:
    save(load("planar2"), arm)
    assert load(arm).name == "planar2"


def test_saving_says_what_urdf_cannot_carry(tmp_path: Path) -> None:
    assert save(load("lola15"), tmp_path / "lola.urdf")
    assert load(tmp_path / "lola.urdf", accept_unphysical="as printed").n == 6


@pytest.mark.parametrize("suffix", [".json", "", ".toml.bak"])
def test_an_unknown_kind_is_not_written(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match=r'^cannot save a robot as ".*", expected \.toml or \.urdf$'):
        save(load("planar2"), tmp_path / f"arm{suffix}")
    assert contents(tmp_path) == {}


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing/arm.toml", "No such file or directory"),
        ("file/arm.toml", "Not a directory"),
        ("folder.toml", "Is a directory"),
        ("a" * 300 + ".toml", "File name too long"),
    ],
    ids=["missing folder", "folder is a file", "target is a folder", "long name"],
)
def test_a_place_that_cannot_be_written_is_named_and_left_alone(
    tmp_path: Path, place: str, reason: str
) -> None:
    (tmp_path / "file").write_text("old")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match=rf"{place}: cannot be written, {reason}$"):
        save(load("planar2"), tmp_path / place)
    assert contents(tmp_path) == {"file": "old"}


FULL_DISK = """
import resource, sys
from armdyn import ArmdynError, load, save
robot = load("lola15")
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))  # bytes a file may have, as if the disk were full
try:
    save(robot, sys.argv[1])
except ArmdynError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
def test_a_full_disk_leaves_what_was_there_and_nothing_else(arm: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(arm)], capture_output=True, text=True, check=True, timeout=60
    )
    assert run.stdout == f"{arm}: cannot be written, File too large\n"
    assert run.stderr == ""
    assert contents(arm.parent) == {"arm.toml": ARM}


def test_an_interruption_leaves_what_was_there_and_nothing_else(
    arm: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save(load("planar2"), arm)
    assert contents(arm.parent) == {"arm.toml": ARM}


def test_saving_through_a_link_keeps_link_and_mode(tmp_path: Path) -> None:
    target, link = tmp_path / "arm.toml", tmp_path / "link.toml"
    save(load("pendulum"), target)
    target.chmod(0o600)
    link.symlink_to(target)
    save(load("planar2"), link)
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o600
    assert load(target).name == "planar2"
