"""Arms without a closed form: fewer joints, more joints, joints that follow others."""

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, ShapeError
from armdyn.motion.inverse_kinematics import InverseKinematics, UnreachableError
from armdyn.motion.inverse_kinematics.numerical import Search
from armdyn.motion.inverse_kinematics.turns import Turns

EXACT = 1e-12
"""Of poses [m, or elements of R]."""
SAME = 1e-8
"""Of postures [rad or m], away from singularities."""
ARMS = ("panda", "scara", "irb6", "planar2", "planar3", "parallelogram", "sdt4", "planar_pr", "cartesian2")

arms = pytest.mark.parametrize("name", ARMS)


def inside(robot: ad.Robot, seed: int, share: float = 0.8) -> np.ndarray:
    """A random posture inside the limits."""
    limits = np.array([joint.limits.position or (-np.pi, np.pi) for joint in robot.joints])
    middle, half = limits.mean(axis=1), np.diff(limits, axis=1)[:, 0] / 2
    return middle + share * half * np.random.default_rng(seed).uniform(-1, 1, robot.n)


@arms
@pytest.mark.parametrize("seed", range(4))
def test_the_nearest_posture_is_exact_and_inside_the_limits(name: str, seed: int) -> None:
    robot = ad.load(name)
    dynamics, solver, turns = ad.Dynamics(robot, "none"), InverseKinematics(robot), Turns.of(robot)
    q = inside(robot, seed)
    found = solver.nearest(dynamics.pose(q), inside(robot, seed + 100))
    assert np.abs(dynamics.pose(found) - dynamics.pose(q)).max() < EXACT
    assert turns.inside(found).all()


@arms
def test_the_posture_itself_is_nearest_to_itself(name: str) -> None:
    robot = ad.load(name)
    q = inside(robot, 3)
    pose = ad.Dynamics(robot, "none").pose(q)
    np.testing.assert_allclose(InverseKinematics(robot).nearest(pose, q), q, atol=SAME)


@arms
def test_a_motion_is_followed(name: str) -> None:
    robot = ad.load(name)
    dynamics, solver = ad.Dynamics(robot, "none"), InverseKinematics(robot)
    start, end = inside(robot, 5, 0.5), inside(robot, 6, 0.5)
    if name in ("planar2", "planar3", "scara"):
        end[1] = np.copysign(end[1], start[1])  # the same side of the elbow
    q = start + np.linspace(0, 1, 60)[:, None] * (end - start)
    result = solver.follow(dynamics.pose(q), q[0])
    assert result.lost is None
    assert np.abs(dynamics.pose(result.q) - dynamics.pose(q)).max() < EXACT
    assert np.abs(np.diff(result.q, axis=0)).max() < 0.5
    assert result.singularity.shape == (60,)
    if name != "panda":
        np.testing.assert_allclose(result.q, q, atol=1e-6)


def test_all_solutions_of_small_arms_are_found() -> None:
    counts = {"scara": 2, "irb6": 4, "planar3": 2, "parallelogram": 1}
    for name, count in counts.items():
        robot = ad.load(name)
        pose = ad.Dynamics(robot, "none").pose(inside(robot, 8))
        branches = InverseKinematics(robot).branches(pose)
        assert branches.shape == (count, robot.n), name
        np.testing.assert_array_equal(branches, InverseKinematics(robot).branches(pose))
        assert np.abs(ad.Dynamics(robot, "none").pose(branches) - pose).max() < EXACT


def test_an_arm_with_a_joint_to_spare_has_many() -> None:
    panda = ad.load("panda")
    pose = ad.Dynamics(panda, "none").pose(np.array(panda.home))
    branches = InverseKinematics(panda).branches(pose)
    assert len(branches) > 10
    assert np.abs(ad.Dynamics(panda, "none").pose(branches) - pose).max() < EXACT


def test_branches_of_many_poses_need_a_closed_form() -> None:
    with pytest.raises(ShapeError, match='robot "panda" has no closed form, expected'):
        InverseKinematics(ad.load("panda")).branches(np.eye(4)[None])


def test_a_pose_that_is_not_a_number_is_where_a_motion_is_lost() -> None:
    scara = ad.load("scara")
    home = np.array(scara.home)
    poses = np.repeat(ad.Dynamics(scara, "none").pose(home)[None], 3, axis=0)
    poses[2, 0, 3] = np.nan
    assert InverseKinematics(scara).follow(poses, home).lost == 2
    with pytest.raises(InputError, match="expected finite numbers"):
        InverseKinematics(scara).branches(poses[2])


def test_a_redundant_arm_moves_as_little_as_it_can() -> None:
    """Along a short way its steps are J^+ dx: none of them in the null space of J."""
    panda = ad.load("panda")
    dynamics = ad.Dynamics(panda, "none")
    home = np.array(panda.home)
    poses = np.repeat(dynamics.pose(home)[None], 20, axis=0)
    poses[:, 0, 3] += np.linspace(0, 0.002, 20)
    q = InverseKinematics(panda).follow(poses, home).q
    idle = np.linalg.svd(dynamics.jacobian(home))[2][6]
    assert np.abs((q - home) @ idle).max() < 1e-2 * np.abs(q - home).max()


def test_a_posture_outside_the_limits_is_replaced_by_one_inside() -> None:
    panda = ad.load("panda")
    dynamics, turns = ad.Dynamics(panda, "none"), Turns.of(panda)
    outside = np.array(panda.home) + 3.1 * np.eye(7)[0]
    found = InverseKinematics(panda).nearest(dynamics.pose(outside), outside)
    assert turns.inside(found).all()
    assert np.abs(dynamics.pose(found) - dynamics.pose(outside)).max() < EXACT


def test_limits_that_leave_no_posture() -> None:
    scara = ad.load("scara")
    q = np.array([1.2, 0.5, 0.1, 0.0])
    with pytest.raises(UnreachableError, match=r"joint 1 .* outside \[-0.8727, 0.8727\]"):
        InverseKinematics(scara).nearest(ad.Dynamics(scara, "none").pose(q), np.array(scara.home))


def test_a_motion_that_leaves_what_the_arm_can_do_is_lost() -> None:
    scara = ad.load("scara")
    home = np.array(scara.home)
    poses = np.repeat(ad.Dynamics(scara, "none").pose(home)[None], 50, axis=0)
    poses[:, 0, 3] += np.linspace(0, 0.5, 50)
    result = InverseKinematics(scara).follow(poses, home)
    reach = np.hypot(poses[:, 0, 3], poses[:, 1, 3]) <= 0.6
    assert result.lost == np.argmin(reach)
    assert np.isnan(result.q[result.lost :]).all()


def test_a_motion_may_begin_far_from_the_posture_given() -> None:
    for name in ("irb6", "scara", "panda"):
        robot = ad.load(name)
        dynamics = ad.Dynamics(robot, "none")
        poses = dynamics.pose(inside(robot, 21) + np.linspace(0, 0.1, 5)[:, None])
        result = InverseKinematics(robot).follow(poses, inside(robot, 22))
        assert result.lost is None
        assert np.abs(dynamics.pose(result.q) - poses).max() < EXACT
        assert np.abs(np.diff(result.q, axis=0)).max() < 0.5


def test_a_numerical_motion_does_not_leap() -> None:
    """The second pose is reached by a posture on the other side only."""
    arm = ad.load("planar2")
    dynamics = ad.Dynamics(arm, "none")
    q = np.array([[0.2, 1.0], [0.21, 1.01], [0.22, 1.02], [1.3, -1.0]])
    result = InverseKinematics(arm).follow(dynamics.pose(q), q[0])
    assert result.lost == 3


def test_ranks_say_which_arms_have_joints_to_spare() -> None:
    ranks = {"panda": (6, True), "scara": (4, False), "irb6": (5, False), "planar3": (3, False)}
    for name, (rank, redundant) in ranks.items():
        robot = ad.load(name)
        search = Search(ad.Dynamics(robot, "none"), Turns.of(robot))
        assert (search.rank, search.redundant) == (rank, redundant)
