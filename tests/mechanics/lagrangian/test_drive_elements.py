"""Gear wheels and grasped objects as changes of the coefficients."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuated_robots import agree, belt_arm, driven_parallelogram, expected, without_wheels
from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.mechanics.actuated_lagrangian import arm_coefficients, coefficients
from armdyn.mechanics.lagrangian.actuated_arm import actuated_arm
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.lagrangian.drive_elements import drive_elements, grasped_object
from armdyn.robot import Payload, Robot
from armdyn.spatial import Inertia
from armdyn.spatial.vector import diagonal
from random_robots import Features, random_inertia, robots, states

STANDING = Features(moving_base=False)
seeds = st.integers(0, 10_000)


# (15) -----------------------------------------------------------------------------------------


def with_weighed_wheels(robot: Robot) -> Robot:
    """Every wheel has a mass apart from its carrier's: it can be left out."""
    drives = tuple(
        replace(drive, stages=tuple(replace(s, rotor=replace(s.rotor, mass=0.7)) for s in drive.stages))
        for drive in robot.drives
    )
    return replace(robot, drives=drives)


@given(robots(STANDING).filter(lambda r: any(drive.stages for drive in r.drives)), seeds)
def test_drive_elements_are_what_wheels_add(robot, seed):
    """Exact without them, and (15), are exact with them."""
    robot = with_weighed_wheels(robot)
    q = states(robot, seed, 1)[0, 0].tolist()
    agree(
        expected(without_wheels(robot), q, "exact") + drive_elements(actuated_arm(robot), q),
        expected(robot, q, "exact"),
    )


def test_a_wheel_is_an_element_and_a_rotor_an_actuator() -> None:
    arm = actuated_arm(driven_parallelogram())
    names = [arm.tree.links[a.rotor].name for a in arm.actuators]
    assert (names, [arm.tree.links[i].name for i in arm.elements]) == (["m1", "m2"], ["m2.stage1"])


def test_a_drive_of_wheels_alone_has_no_actuator() -> None:
    robot = driven_parallelogram()
    robot = replace(robot, drives=(robot.drives[0], replace(robot.drives[1], rotor=None)))
    arm, q = actuated_arm(robot), [0.5, 1.9]
    assert (len(arm.actuators), len(arm.elements)) == (1, 1)
    agree(coefficients(robot, q), expected(robot, q, "exact"))


# (16) -----------------------------------------------------------------------------------------


@given(robots(STANDING), seeds)
def test_a_grasped_object_changes_what_its_payload_changes(robot, seed):
    q = states(robot, seed, 1)[0, 0].tolist()
    held = Payload(robot.tool.body, random_inertia(np.random.default_rng(seed)))
    loaded = replace(robot, payloads=(*robot.payloads, held))
    arm = actuated_arm(robot)
    agree(coefficients(robot, q) + grasped_object(arm, q, held), coefficients(loaded, q))
    motors = "exact" if robot.drives else "none"
    agree(coefficients(robot, q) + grasped_object(arm, q, held), expected(loaded, q, motors))


@pytest.mark.parametrize("name", ["irb6", "scara", "planar3"])
def test_a_grasped_object_on_catalog_robots(name: str) -> None:
    robot, cube = load(name), Inertia(1.8, (0.0, 0.02, 0.05), diagonal(0.003, 0.003, 0.003))
    held = Payload(robot.tool.body, cube)
    for q in states(robot, 3)[0].tolist():
        changed = arm_coefficients(actuated_arm(robot), q) + grasped_object(actuated_arm(robot), q, held)
        agree(changed, expected(replace(robot, payloads=(held,)), q, "exact"))


def test_what_the_base_holds_changes_nothing() -> None:
    change = grasped_object(actuated_arm(belt_arm()), [0.1, 0.2], Payload("base", Inertia(5.0)))
    agree(change, Coefficients([0.0] * 2, [[0.0] * 2] * 2, [[[0.0] * 2] * 2] * 2))


def test_an_unknown_body_holds_nothing() -> None:
    with pytest.raises(InputError, match=r'^payload on body "hand", expected one of base, link1, link2$'):
        grasped_object(actuated_arm(belt_arm()), [0.1, 0.2], Payload("hand", Inertia(5.0)))
