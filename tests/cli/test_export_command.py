"""`armdyn export`: files, what is lost, and one sentence for everything that does not belong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import casadi
import pytest

import armdyn as ad
from armdyn.exports.targets import TARGETS
from command_line import Armdyn, assert_refused, process


def test_the_document_has_files_and_losses(armdyn: Armdyn, tmp_path: Path) -> None:
    out = tmp_path / "out"
    document = armdyn("export", "planar3", "--to", "urdf", "--out", str(out), "--json").document
    assert document["files"] == [str(out / "planar3.urdf")]
    assert document["lost"] == list(ad.export("planar3", "urdf", tmp_path).lost)
    assert (document["robot"], document["to"]) == ("planar3", "urdf")


def test_people_get_a_table_of_files_and_what_is_lost(tmp_path: Path) -> None:
    said = process("export", "pendulum", "--to", "urdf", "--out", str(tmp_path))
    assert said.code == 0
    assert said.err == ""
    size = (tmp_path / "pendulum.urdf").stat().st_size
    assert any("pendulum.urdf" in line and str(size) in line for line in said.out.splitlines())
    assert "  gravity 0.0 -9.81 0.0 m/s2 is not carried, readers take their own" in said.out.splitlines()
    said = process("export", "pendulum", "--to", "toml", "--out", str(tmp_path))
    assert said.out.splitlines()[-1] == "lost: nothing"


def test_the_robot_is_changed_first(armdyn: Armdyn, tmp_path: Path) -> None:
    changes = ["--payload", "2,0,0,0.1", "--lock", "6=90", "--degrees", "--gravity", "moon"]
    armdyn("export", "ur5", "--to", "toml", "--out", str(tmp_path), *changes)
    robot = ad.load(tmp_path / "ur5.toml")
    assert robot.n == 5
    assert robot.payloads[0].inertia.mass == 2.0
    assert robot.gravity[2] == pytest.approx(-1.62)
    assert robot.locked_joints == {"wrist_3_joint": pytest.approx(1.5707963267948966)}


def test_casadi_takes_quantities_inputs_and_models(armdyn: Armdyn, tmp_path: Path) -> None:
    options = [
        "--quantities",
        "inverse, pose",
        "--inputs",
        "wrench,at",
        "--friction",
        "off",
        "--motors",
        "none",
    ]
    said = armdyn("export", "irb6", "--to", "casadi", "--out", str(tmp_path), *options, "--json")
    files = said.document["files"]
    assert [Path(file).name for file in files] == ["irb6_inverse.casadi", "irb6_pose.casadi"]
    inverse, pose = (casadi.Function.load(file) for file in files)
    assert inverse.name_in() == ["q", "qd", "qdd", "wrench", "at"]
    assert pose.name_in() == ["q", "at"]
    q = [0.1, 0.2, 0.3, 0.4, 0.5]
    state = (q, [1.0] * 5, q)
    found = inverse(*state, [0.0] * 6, [0.0] * 3)
    expected = ad.Dynamics(ad.load("irb6"), "none", friction=False).inverse(*state)
    assert [float(x) for x in found.elements()] == pytest.approx(expected.tolist(), rel=1e-12)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--to", "urfd"], f'no target "urfd"; did you mean "urdf"? expected one of {", ".join(TARGETS)}'),
        (
            ["--to", "toml", "--motors", "none"],
            "--motors does not belong to toml, expected with ",
        ),
        (["--to", "urdf", "--friction", "on"], "--friction does not belong to urdf, expected with "),
        (["--to", "urdf", "--inputs", "at"], "--inputs does not belong to urdf, expected with "),
        (["--to", "toml", "--quantities", "x"], "--quantities does not belong to toml, expected with "),
        (
            ["--to", "casadi", "--inputs", "wrnch"],
            '--inputs: casadi has no input "wrnch"; did you mean "wrench"?',
        ),
        (["--to", "casadi", "--quantities", "a,,b"], '--quantities is "a,,b", expected names with commas'),
        (["--to", "casadi", "--quantities", "inertia"], 'no quantity "inertia"; '),
        (["--to", "urdf", "--motors", "exact"], 'motors "exact": URDF knows no motors'),
        ([], "--to"),
    ],
)
def test_what_does_not_belong_is_refused(
    armdyn: Armdyn, tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    assert_refused(armdyn("export", "ur5", "--out", str(tmp_path / "out"), *arguments), sentence)
    assert not (tmp_path / "out").exists()


def test_help_names_every_target(armdyn: Armdyn) -> None:
    said = armdyn("export", "--help")
    assert all(name in said.out for name in TARGETS)


# Folders and disks ----------------------------------------------------------------------------


def test_a_file_in_the_way_is_one_sentence(armdyn: Armdyn, tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    said = armdyn("export", "ur5", "--to", "toml", "--out", str(tmp_path / "taken"))
    assert_refused(said, "taken: a file stands where the folder should be; name another folder")


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="no folder that nobody can write into")
def test_a_folder_that_cannot_be_written_is_one_sentence(armdyn: Armdyn) -> None:
    assert_refused(armdyn("export", "ur5", "--to", "toml", "--out", "/proc/self"), ": cannot be written, ")
    assert_refused(armdyn("export", "ur5", "--to", "toml", "--out", "/proc/self/new"), "cannot be made, ")


FULL_DISK = """
import resource, sys
from armdyn.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))  # bytes a file may have, as if the disk were full
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
@pytest.mark.parametrize(
    ("to", "name", "sentence"),
    [
        ("toml", "planar2.toml", "planar2.toml: cannot be written, File too large"),
        ("casadi", "planar2_inverse.casadi", "function inverse cannot be written there; make room"),
    ],
)
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, to: str, name: str, sentence: str) -> None:
    (tmp_path / name).write_text("old")
    command = [sys.executable, "-c", FULL_DISK, "export", "planar2", "--to", to, "--out", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("armdyn: ")
    assert sentence in run.stderr
    assert run.stderr.count("\n") == 1
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]
