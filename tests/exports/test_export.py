"""A robot written for something else: files, what is lost, and what does not belong."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path

import casadi
import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.exports.exported import Exported
from armdyn.exports.targets import TARGETS
from armdyn.formats.toml import write_toml
from armdyn.formats.urdf import write_urdf
from armdyn.robot import Visual


@pytest.mark.parametrize("name", TARGETS)
def test_options_are_those_of_the_function_that_writes(name: str) -> None:
    target = TARGETS[name]
    robot, folder, *options = inspect.signature(target.export).parameters
    assert (robot, folder) == ("robot", "folder")
    assert set(target.options) | set(target.inputs) <= set(options)
    assert target.about


@pytest.mark.parametrize("name", ad.catalog())
def test_toml_is_the_same_robot(name: str, tmp_path: Path) -> None:
    robot = ad.load(name)
    found = ad.export(robot, "toml", tmp_path / "new" / "folder")
    assert found == Exported((tmp_path / "new" / "folder" / f"{name}.toml",))
    assert ad.load(found.files[0]) == robot
    assert found.files[0].read_text(encoding="utf-8") == write_toml(robot)


def test_urdf_says_what_is_lost(tmp_path: Path) -> None:
    robot = ad.load("planar3")
    found = ad.export(robot, "urdf", tmp_path)
    assert (found.files, found.lost) == ((tmp_path / "planar3.urdf",), write_urdf(robot)[1])
    bare = ad.export(robot, "urdf", tmp_path, motors="none")
    assert "rotors motor1, motor2, motor3: their masses are left out" in bare.lost
    assert ad.load(bare.files[0]).total_mass == 150.0


def test_casadi_functions_are_those_of_dynamics(tmp_path: Path) -> None:
    robot = ad.load("lola15")
    found = ad.export(robot, "casadi", tmp_path, quantities=("inverse", "pose"), friction=False, wrench=True)
    assert [file.name for file in found.files] == ["lola15_inverse.casadi", "lola15_pose.casadi"]
    assert found.lost == ()
    inverse = casadi.Function.load(str(found.files[0]))
    assert inverse.name_in() == ["q", "qd", "qdd", "wrench"]
    q, qd, qdd, wrench = np.random.default_rng(0).uniform(-1, 1, (4, 6))
    tau = ad.Dynamics(robot, friction=False).inverse(q, qd, qdd, wrench)
    assert np.array(inverse(q, qd, qdd, wrench)).ravel() == pytest.approx(tau, rel=1e-12)
    assert casadi.Function.load(str(found.files[1])).name_in() == ["q"]


def test_casadi_says_what_it_does_not_decide(tmp_path: Path) -> None:
    names = ("forward", "limited_acceleration", "inverse")
    with_friction, stepping = ad.export("irb6", "casadi", tmp_path, quantities=names).lost
    assert with_friction.startswith(
        "forward, limited_acceleration: what friction holds at rest is not decided"
    )
    assert stepping == "limited_acceleration: an element is infinite where a few steps do not settle it"
    assert len(ad.export("irb6", "casadi", tmp_path, quantities=names, friction=False).lost) == 1


def test_a_point_without_a_wrench_is_for_places_alone(tmp_path: Path) -> None:
    names = ("bias", "jacobian", "operational_space")
    found = ad.export("ur5", "casadi", tmp_path, quantities=names, at=True)
    inputs = [casadi.Function.load(str(file)).name_in() for file in found.files]
    assert inputs == [["q", "qd"], ["q", "at"], ["q", "qd", "at"]]


def test_steps_of_an_arm_that_friction_can_hold_take_its_ways(tmp_path: Path) -> None:
    found = ad.export("pendulum", "casadi", tmp_path, quantities=("euler_step",), ways=True)
    assert casadi.Function.load(str(found.files[0])).name_in() == ["q", "qd", "tau", "dt", "ways"]


def test_names_of_files_are_such_everywhere(tmp_path: Path) -> None:
    named = replace(ad.load("planar2"), name="../a b/é")
    assert ad.export(named, "toml", tmp_path).files == (tmp_path / "a_b.toml",)


def test_meshes_are_not_copied(tmp_path: Path) -> None:
    robot = ad.load("planar2")
    first = replace(robot.bodies[0], visuals=(Visual("mesh", (), "package://arm/link.stl"),))
    drawn = replace(robot, bodies=(first, *robot.bodies[1:]))
    for to in ("toml", "urdf"):
        assert "1 mesh: named as in the robot's file, not copied" in ad.export(drawn, to, tmp_path).lost


# Refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "options", "sentence"),
    [
        ("urfd", {}, f'no target "urfd"; did you mean "urdf"? expected one of {", ".join(TARGETS)}'),
        ("toml", {"motors": "none"}, "motors does not belong to toml, expected with "),
        ("toml", {"colour": 1}, "colour does not belong to toml, expected none such"),
        ("urdf", {"wrench": True}, "wrench does not belong to urdf, expected with "),
        ("urdf", {"motors": "exact"}, 'motors "exact": URDF knows no motors, expected "none" or nothing'),
        (
            "casadi",
            {"quantities": ("gravity",), "wrench": True},
            "none of gravity takes wrench; leave it out",
        ),
        ("casadi", {"quantities": ("gravty",)}, 'no quantity "gravty"; did you mean "gravity"?'),
        ("casadi", {"motors": "exact"}, 'motors "exact" for robot "ur5"'),
    ],
)
def test_what_does_not_belong_is_refused_before_anything_is_written(
    to: str, options: dict[str, object], sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(ad.ArmdynError) as caught:
        ad.export("ur5", to, tmp_path / "out", **options)
    assert str(caught.value).startswith(sentence)
    assert not (tmp_path / "out").exists()


def test_a_file_in_the_way_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("mine")
    for folder in (tmp_path / "taken", tmp_path / "taken" / "deeper"):
        with pytest.raises(
            InputError, match=r"a file stands where the folder should be; name another folder$"
        ):
            ad.export("planar2", "toml", folder)
    with pytest.raises(InputError, match="the folder cannot be made, "):
        ad.export("planar2", "toml", tmp_path / "a\0b")
    assert (tmp_path / "taken").read_text() == "mine"


def test_files_are_replaced_whole(tmp_path: Path) -> None:
    (tmp_path / "planar2.toml").write_text("old")
    (tmp_path / "planar2.urdf").mkdir()
    ad.export("planar2", "toml", tmp_path)
    assert ad.load(tmp_path / "planar2.toml") == ad.load("planar2")
    with pytest.raises(InputError, match=r"planar2\.urdf: cannot be written, Is a directory"):
        ad.export("planar2", "urdf", tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["planar2.toml", "planar2.urdf"]
