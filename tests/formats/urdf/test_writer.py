"""Robots written and read again, by armdyn and by Pinocchio."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from armdyn.errors import InputError
from armdyn.formats import load, save
from armdyn.formats.urdf import read_urdf, write_urdf
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.robot import BASE, Body, Joint, Robot
from armdyn.spatial import Inertia
from formats.urdf.comparison import SAME_NUMBERS, PinocchioTree, assert_same, dynamics, random_state
from formats.urdf.samples import PUBLISHED, arm, joint, link, seeds
from random_robots import Features, robots

PLAIN = Features(bodies=7, nonlinear=False, drives=False, moving_base=False)


def reordered(values: np.ndarray, old: Robot, new: Robot) -> np.ndarray:
    """A vector on the old robot's q in the order of the new one's."""
    return values[[old.joint_names.index(name) for name in new.joint_names]]


def tool_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    model = tree(robot, "none")
    T = pose_of(model, placed(model, q.tolist()), model.tool)
    return np.column_stack([np.array(T.rotation, float), np.array(T.translation, float)])


@given(robots(PLAIN), seeds)
def test_a_robot_written_and_read_moves_alike(robot: Robot, seed: int) -> None:
    robot = robot.with_gravity((0.0, 0.0, -9.81))
    if robot.n > 1 and seed % 2:
        robot = robot.locked({robot.n: 0.7})
    text, _ = write_urdf(robot)
    again = read_urdf(text.encode(), literal=True)
    state = random_state(robot.n, seed)
    there = [reordered(x, robot, again) for x in state]
    expected, found = dynamics(robot, *state), dynamics(again, *there)
    for name, value in expected.items():
        if value.ndim == 2:
            expected[name] = reordered(reordered(value, robot, again).T, robot, again).T
        elif len(value) == robot.n and name != "kinetic energy":
            expected[name] = reordered(value, robot, again)
    assert_same(found, expected, SAME_NUMBERS)
    assert tool_pose(again, there[0]) == pytest.approx(tool_pose(robot, state[0]), abs=1e-13)


@given(robots(PLAIN), seeds)
def test_others_read_what_is_written(robot: Robot, seed: int) -> None:
    robot = robot.with_gravity((0.0, 0.0, -9.81))
    text, _ = write_urdf(robot)
    q, qd, qdd = random_state(robot.n, seed)
    theirs = PinocchioTree(text, robot.joint_names).dynamics(q, qd, qdd)
    assert_same(dynamics(robot, q, qd, qdd), theirs, SAME_NUMBERS)


@pytest.mark.parametrize("name", ["ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf"])
def test_a_published_robot_written_is_the_same_robot(name: str, tmp_path: Path) -> None:
    robot = load(PUBLISHED[name], literal=True)
    save(robot, tmp_path / "again.urdf")
    again = load(tmp_path / "again.urdf", literal=True)
    q, qd, qdd = random_state(robot.n, 1)
    assert_same(dynamics(again, q, qd, qdd), dynamics(robot, q, qd, qdd), SAME_NUMBERS)
    assert again.joint_names == robot.joint_names
    assert [body.visuals for body in again.bodies if body.visuals] == [
        b.visuals for b in robot.bodies if b.visuals
    ]
    assert [j.limits for j in again.joints] == [j.limits for j in robot.joints]
    assert [j.friction for j in again.joints] == [j.friction for j in robot.joints]
    save(again, tmp_path / "third.urdf")  # writing what was read adds nothing more
    assert load(tmp_path / "third.urdf", literal=True).bodies == again.bodies


def test_locked_joints_are_written_as_fixed() -> None:
    robot = read_urdf(arm(extra=joint("b", "l1", "l2") + link("l2"))).locked({"b": 0.7})
    text, lost = write_urdf(robot)
    again = read_urdf(text.encode(), literal=True)
    state = random_state(1, 3)
    assert again.joint_names == ("a",)
    assert_same(dynamics(again, *state), dynamics(robot, *state), SAME_NUMBERS)
    assert lost[-1] == "the robot's source: not carried"


def test_names_that_xml_cannot_write_are_refused() -> None:
    robot = Robot("bell\a", (Body("b", Joint("j"), BASE, Inertia(1.0)),))
    with pytest.raises(InputError, match="cannot write; rename it"):
        write_urdf(robot)


def test_names_that_xml_must_escape_come_back() -> None:
    robot = Robot('<a & "b">', (Body("l'été <1>", Joint("j&k"), BASE, Inertia(1.0)),))
    again = read_urdf(write_urdf(robot)[0].encode())
    assert (again.name, again.body_names[0], again.joint_names) == (robot.name, "l'été <1>", ("j&k",))
