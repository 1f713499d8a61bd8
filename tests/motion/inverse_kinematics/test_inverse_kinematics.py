"""The nearest posture: branches, whole turns, limits, and the sentences where there is none."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.errors import InputError, ShapeError
from armdyn.motion.inverse_kinematics import InverseKinematics, UnreachableError
from armdyn.spatial import Transform
from motion.inverse_kinematics.sample_arms import arm_from, unlimited, with_limits

SAME = 1e-8
"""Of postures [rad or m], away from singularities."""

LOLA = ad.load("lola15")
SOLVER = InverseKinematics(LOLA)
BENT = np.array([0.3, 0.6, -0.9, 0.7, 0.5, 0.2])


def pose_of(robot: ad.Robot, q: np.ndarray) -> np.ndarray:
    return ad.Dynamics(robot, "none").pose(q)


POSE = pose_of(LOLA, BENT)


@given(st.lists(st.floats(-3, 3), min_size=6, max_size=6), st.integers(0, 7))
def test_no_other_branch_is_nearer(near: list[float], k: int) -> None:
    q = np.array(near)
    found = SOLVER.nearest(POSE, q)
    assert np.abs(pose_of(LOLA, found) - POSE).max() < 1e-12
    other = SOLVER.branches(POSE)[k]
    other = other - 2 * np.pi * np.rint((other - q) / (2 * np.pi))
    assert np.abs(found - q).max() <= np.abs(other - q).max() + SAME


def test_whole_turns_lie_nearest() -> None:
    turns = 2 * np.pi * np.array([1, 0, -1, 2, 0, 0])
    np.testing.assert_allclose(SOLVER.nearest(POSE, BENT + turns + 0.1), BENT + turns, atol=SAME)


@pytest.mark.parametrize("branch", range(1, 9))
def test_a_branch_may_be_asked_for_by_its_number(branch: int) -> None:
    found = SOLVER.nearest(POSE, np.zeros(6), branch)
    expected = SOLVER.branches(POSE)[branch - 1]
    np.testing.assert_allclose(np.exp(1j * found), np.exp(1j * expected), atol=SAME)


def test_names_of_branches() -> None:
    assert SOLVER.branch_names[0] == "front, elbow up, wrist plain"
    assert SOLVER.branch_names[7] == "back, elbow down, wrist flipped"
    assert InverseKinematics(ad.load("stanford")).branch_names[2] == "front, arm backwards, wrist plain"


def test_in_the_wrist_singularity_the_first_wrist_angle_stays() -> None:
    q = np.array([0.3, 0.6, -0.9, 0.0, 0.0, 0.9])
    near = np.array([0.2, 0.5, -0.8, 0.6, 0.1, 0.2])
    found = SOLVER.nearest(pose_of(LOLA, q), near)
    np.testing.assert_allclose(found, [0.3, 0.6, -0.9, 0.6, 0.0, 0.3], atol=SAME)


# Limits ---------------------------------------------------------------------------------------


def test_a_posture_inside_the_limits_goes_before_a_nearer_one_outside() -> None:
    robot = with_limits(LOLA, {5: (-2.0, 0.4)})
    found = InverseKinematics(robot).nearest(POSE, BENT)
    assert found[4] < 0.4
    assert np.abs(found - BENT).max() > 3
    np.testing.assert_allclose(pose_of(LOLA, found), POSE, atol=1e-12)


def test_whole_turns_stay_inside_the_limits() -> None:
    robot = with_limits(LOLA, {6: (-7.0, 4.0)})
    found = InverseKinematics(robot).nearest(POSE, BENT + 7.0 * np.eye(6)[5], branch=1)
    np.testing.assert_allclose(found, BENT, atol=SAME)


def test_a_joint_at_its_limit_is_inside() -> None:
    robot = with_limits(LOLA, {1: (-1.0, float(BENT[0]))})
    np.testing.assert_allclose(InverseKinematics(robot).nearest(POSE, BENT), BENT, atol=SAME)


def test_no_posture_inside_the_limits_names_the_joint() -> None:
    robot = with_limits(LOLA, {1: (1.0, 1.5)})
    with pytest.raises(UnreachableError, match=r'joint 1 \("joint1"\) at 0.3 rad, outside \[1, 1.5\]'):
        InverseKinematics(robot).nearest(POSE, BENT)
    stanford = ad.load("stanford")
    q = np.array([0.3, 1.0, 1.5, 0.2, 0.6, 0.3])
    with pytest.raises(UnreachableError, match=r"joint 3 .* at 1.5 m, outside \[0.3048, 1.27\]"):
        InverseKinematics(stanford).nearest(pose_of(stanford, q), q)


# No posture -----------------------------------------------------------------------------------


def at(x: float, y: float, z: float, rpy: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> np.ndarray:
    T = Transform.of((x, y, z), rpy)
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = np.array(T.rotation), np.array(T.translation)
    return pose


def test_too_far() -> None:
    with pytest.raises(
        UnreachableError, match=r'"lola15" does not reach \(3, 0, 1\) m: it is too far, its wr'
    ):
        SOLVER.nearest(at(3, 0, 1), BENT)
    with pytest.raises(UnreachableError, match="too far, the tool stops"):
        InverseKinematics(ad.load("ur5")).nearest(at(0, 2, 0), BENT)


def test_too_near() -> None:
    puma = ad.load("puma560")
    with pytest.raises(UnreachableError, match=r"too near, the tool stops 0.1\d* m from where"):
        InverseKinematics(puma).nearest(at(0.02, 0.01, 1.2), np.array(puma.home))


@pytest.mark.parametrize("name", ["scara", "irb6", "planar3"])
def test_too_few_joints_for_the_orientation(name: str) -> None:
    robot = ad.load(name)
    pose = pose_of(robot, np.array(robot.home))
    pose[:3, :3] = pose[:3, :3] @ np.array(Transform.of(rpy=(0.3, 0.4, 0.5)).rotation, float)
    with pytest.raises(
        UnreachableError, match=f"but its {robot.n} joints cannot give the tool this orientation"
    ):
        InverseKinematics(robot).nearest(pose, np.array(robot.home))


def test_an_orientation_that_a_wrist_cannot_give() -> None:
    """Six joints, but the last two axes only 30 degrees apart."""
    a = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 1, 0], [0.5, 0.866, 0]], float)
    p = np.array([[0, 0, 0], [0, 0, 0], [0.5, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0]], float)
    robot = arm_from("stiff", a, p)
    q = np.array([0.2, 0.4, -0.9, 0.3, 0.4, 0.1])
    pose = pose_of(robot, q)
    solver = InverseKinematics(robot)
    np.testing.assert_allclose(solver.nearest(pose, q), q, atol=SAME)
    x, y, z = pose[:3, 3].tolist()
    poses = np.array([at(x, y, z, (0.0, pitch, 0.0)) for pitch in np.linspace(0, 6, 40)])
    lost = np.isnan(solver.branches(poses)[..., 0]).all(axis=-1)
    assert lost.any()
    with pytest.raises(UnreachableError, match="but no posture gives the tool this orientation"):
        solver.nearest(poses[np.argmax(lost)], q)


def test_a_branch_that_does_not_exist_here_names_those_that_do() -> None:
    """Far ahead the arm reaches forwards only."""
    pose = pose_of(LOLA, np.array([0.0, 0.2, 1.2, 0.0, 0.5, 0.0]))
    existing = ~np.isnan(SOLVER.branches(pose)[:, 0])
    assert existing.tolist() == [True] * 4 + [False] * 4
    with pytest.raises(
        UnreachableError, match=r"on branch 5 \(back, elbow up, .*; choose one of 1, 2, 3, 4$"
    ):
        SOLVER.nearest(pose, BENT, 5)


# Arguments ------------------------------------------------------------------------------------


@pytest.mark.parametrize("branch", [0, 9, -1])
def test_numbers_of_branches_are_checked(branch: int) -> None:
    with pytest.raises(InputError, match=f'branch is {branch}, expected 1 to 8 for robot "lola15"'):
        SOLVER.nearest(POSE, BENT, branch)


def test_a_numerical_arm_has_no_branches_to_choose() -> None:
    panda = ad.load("panda")
    with pytest.raises(InputError, match="solved numerically and has no numbered branches; leave it out"):
        InverseKinematics(panda).nearest(POSE, np.array(panda.home), 1)


def test_postures_are_checked() -> None:
    with pytest.raises(ShapeError, match=r'q has shape \(5,\); robot "lola15" has 6 joints, expected \(6,\)'):
        SOLVER.nearest(POSE, np.zeros(5))
    with pytest.raises(InputError, match="expected 6 finite numbers"):
        SOLVER.follow(POSE[None], np.full(6, np.nan))


def test_an_arm_without_limits_is_the_same_arm() -> None:
    robot = unlimited(ad.load("puma560"))
    q = np.array([0.3, 0.6, -0.9, 0.7, 0.5, 0.2])
    np.testing.assert_allclose(InverseKinematics(robot).nearest(pose_of(robot, q), q), q, atol=SAME)


def test_solver_and_motion_can_be_sent_to_another_process() -> None:
    result = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(SOLVER)).follow(POSE[None], BENT)))
    np.testing.assert_allclose(result.q[0], BENT, atol=SAME)
    assert result.singularity.shape == (1,)
    assert repr(SOLVER) == "InverseKinematics(lola15, spherical wrist)"


def test_a_ur5_whose_wrist_is_straight_reaches_what_it_reaches() -> None:
    """The angle that q5 = 0 leaves free turns the elbow's triangle, which does not close for every value."""
    robot = ad.load("ur5")
    solver, rng = InverseKinematics(robot), np.random.default_rng(1)
    q = rng.uniform(-2.5, 2.5, (200, 6))
    q[:, 4] = 0.0
    poses = ad.Dynamics(robot, "none").pose(q)
    found = solver.branches(poses)
    assert np.isfinite(found[..., 0]).any(axis=-1).all()
    reached = ad.Dynamics(robot, "none").pose(np.nan_to_num(found))
    off = np.abs(reached - poses[:, None]).max(axis=(-1, -2))
    assert off[np.isfinite(found[..., 0])].max() < 1e-9
    for pose in poses:
        near = solver.nearest(pose, np.array([0, -1.5, 1.5, 0, 0, 0]))
        assert np.abs(pose_of(robot, near) - pose).max() < 1e-9


def test_few_joints_that_nearly_reach_a_place_have_too_little_freedom() -> None:
    """A tool on the second axis goes along a circle only: a line leaves it by little at first."""
    robot = ad.load("planar2").with_tool(Transform(translation=(-1.0, 0, 0)))
    pose = pose_of(robot, np.array([0.3, 0.2]))
    pose[:2, 3] *= 1 - 1e-6
    with pytest.raises(
        UnreachableError, match=r"its 2 joints cannot bring the tool to .* in this orientation"
    ):
        InverseKinematics(robot).nearest(pose, np.array([0.3, 0.2]))
