"""A base that moves by a coordinate of its own, beside a base that moves as prescribed."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from actuated_robots import AGREEMENT, AXIAL, K, agree, belt_arm, expected, rotor_at
from armdyn.errors import InputError
from armdyn.mechanics.actuated_lagrangian import coefficients
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.robot import BaseMotion, Coupling, Drive, Joint, Robot
from armdyn.robot.base_coordinate import CARRIAGE, with_base_coordinate
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal, vector
from random_robots import Features, robots, states

TRACK = Joint("q0", "prismatic", axis=(1.0, 0.0, 0.0))
PLACE = Transform.of((0.2, -0.4, 0.3), (0.3, 0.8, -0.5))
JOINTS = [
    Joint("q0", "prismatic", (1.0, 2.0, -0.5), PLACE, PLACE),
    Joint("q0", "revolute", (-0.3, 1.0, 0.6), PLACE, PLACE, 0.7),
]


def carried_as_prescribed(robot: Robot, whole: Robot, q: list, qd: list, qdd: list) -> Robot:
    """The robot on a base that moves as the carriage of the whole does at this moment."""
    dyn = ad.Dynamics(whole, friction=False)
    R = dyn.pose(q, CARRIAGE)[:3, :3]
    twist, acceleration = dyn.twist(q, qd, CARRIAGE), dyn.acceleration(q, qd, qdd, CARRIAGE)
    parts = (twist[:3], twist[3:], acceleration[:3], acceleration[3:])
    motion = BaseMotion(*(vector((R.T @ x).tolist()) for x in parts))
    gravity = vector((R.T @ np.array(whole.gravity, dtype=float)).tolist())
    return replace(robot, base_motion=motion, gravity=gravity)


@pytest.mark.parametrize("joint", JOINTS, ids=lambda joint: joint.kind)
@given(robot=robots(Features(bodies=4, moving_base=False)), seed=st.integers(0, 10_000))
def test_the_arm_feels_a_base_coordinate_as_a_prescribed_motion(joint, robot, seed):
    """F_1..F_n of the sums that begin at zero."""
    whole = with_base_coordinate(robot, joint, Inertia(3.0, (0.1, 0.0, 0.0), diagonal(0.2, 0.3, 0.4)))
    q, qd, qdd = states(whole, seed, 1)[:, 0].tolist()
    forces = coefficients(whole, q).forces(qd, qdd)[1:]
    moving = carried_as_prescribed(robot, whole, q, qd, qdd)
    motors = "exact" if robot.drives else "none"
    reference = inverse_dynamics(tree(moving, motors), q[1:], qd[1:], qdd[1:]).torque
    size = max(1.0, float(np.abs(reference).max()))
    np.testing.assert_allclose(forces, reference, rtol=0, atol=AGREEMENT * size)


@given(robot=robots(Features(bodies=4, moving_base=False)), seed=st.integers(0, 10_000))
def test_the_base_coordinate_is_a_coordinate_like_any_other(robot, seed):
    whole = with_base_coordinate(robot, JOINTS[1], Inertia(3.0))
    q = states(whole, seed, 1)[0, 0].tolist()
    agree(coefficients(whole, q), expected(whole, q, "exact" if robot.drives else "none"))


def test_a_track_carries_arm_and_motors() -> None:
    """Two links of 50 kg, two rotors of 5 kg on the track, 20 kg of its own, and T_a0 with its spin."""
    motor = Drive("m0", "q0", Coupling.of({"q0": K}), rotor_at("base", 0.0))
    whole = with_base_coordinate(belt_arm(), TRACK, Inertia(20.0), (motor,))
    D = np.array(coefficients(whole, [0.7, 0.4, 0.9]).inertia, dtype=float)
    assert D[0, 0] == pytest.approx(100.0 + 10.0 + 20.0 + K**2 * AXIAL)
    np.testing.assert_allclose(D[1:, 1:], coefficients(belt_arm(), [0.4, 0.9]).inertia)
    assert whole.joint_names == ("q0", "q1", "q2")


def test_a_base_moves_in_one_way_only() -> None:
    robot = belt_arm().with_base_motion(BaseMotion(velocity=(1.0, 0.0, 0.0)))
    with pytest.raises(InputError, match='robot "belt" has a base that moves as prescribed, expected one at'):
        with_base_coordinate(robot, TRACK)


def test_bases_can_be_stacked() -> None:
    """A turntable on a track; the outer one, given last, stands on the ground and carries all."""
    table = with_base_coordinate(belt_arm(), Joint("turn"), Inertia(7.0))
    whole = with_base_coordinate(table, TRACK, Inertia(20.0))
    assert whole.body_names == ("carriage2", CARRIAGE, "link1", "link2")
    assert whole.joint_names == ("q0", "turn", "q1", "q2")
    assert [body.parent for body in whole.bodies] == ["base", "carriage2", CARRIAGE, "link1"]
    assert {drive.rotor.carrier for drive in whole.drives if drive.rotor} == {CARRIAGE}
    q = [0.7, -0.3, 0.4, 0.9]
    D = np.array(coefficients(whole, q).inertia, dtype=float)
    assert D[0, 0] == pytest.approx(100.0 + 10.0 + 7.0 + 20.0)
    agree(coefficients(whole, q), expected(whole, q, "exact"))
