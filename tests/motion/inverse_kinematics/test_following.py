"""Motions along poses: continuous, exact, through singularities where that can be, lost where not."""

import numpy as np
import pytest

import armdyn as ad
from armdyn.motion.inverse_kinematics import Followed, InverseKinematics
from armdyn.motion.inverse_kinematics.turns import Turns
from armdyn.spatial import Transform
from motion.inverse_kinematics.sample_arms import arm_from, random_arm, wandering

EXACT = 1e-12
"""Of poses [m, or elements of R]."""
SAME = 1e-8
"""Of motions [rad or m], away from singularities."""

LOLA = ad.load("lola15")
DYNAMICS = ad.Dynamics(LOLA, "none")
SOLVER = InverseKinematics(LOLA)
BENT = np.array([0.3, 0.6, -0.9, 0.7, 0.5, 0.2])
STRAIGHT = np.array([0.3, 0.6, -0.9, 0.7, 0.0, 0.2])  # axes 4 and 6 line up


def motion(middle: np.ndarray, sweep: list[float], count: int = 401) -> np.ndarray:
    """Postures (count, n) on a line in joint space, count odd: the middle is one of them."""
    return middle + np.linspace(-1, 1, count)[:, None] * np.array(sweep)


def followed(q: np.ndarray) -> Followed:
    """What the solver makes of the poses of a motion, begun where that begins."""
    result = SOLVER.follow(DYNAMICS.pose(q), q[0])
    assert result.lost is None
    assert np.abs(DYNAMICS.pose(result.q) - DYNAMICS.pose(q)).max() < EXACT
    return result


def steps(q: np.ndarray) -> float:
    return float(np.abs(np.diff(q, axis=0)).max())


@pytest.mark.parametrize("name", ["lola15", "puma560", "ur5", "stanford", "jpl_rrp"])
def test_a_motion_is_found_again_from_its_poses(name: str) -> None:
    robot = ad.load(name)
    dynamics = ad.Dynamics(robot, "none")
    q = motion(np.array([0.3, -0.6, 0.9, 0.7, 0.8, 0.2]), [1.0, 0.3, 0.2, 0.6, 0.5, 1.4])
    result = InverseKinematics(robot).follow(dynamics.pose(q), q[0])
    assert result.lost is None
    np.testing.assert_allclose(result.q, q, atol=SAME)


@pytest.mark.parametrize(("structure", "seed"), [("three parallel", 58), ("upright", 9), ("upright", 36)])
def test_a_motion_goes_straight_on_where_its_branch_ends_in_another(structure: str, seed: int) -> None:
    """Where two solutions for joint 1 meet, elbow and wrist may exist on one side only."""
    robot, q = random_arm(structure, 1000 + seed), wandering(seed)
    solver = InverseKinematics(robot)
    poses = ad.Dynamics(robot, "none").pose(q)
    result = solver.follow(poses, q[0])
    first = int(np.argmin(Turns.of(robot).apart(solver.branches(poses[0]), q[0])))
    assert np.isnan(solver.branches(poses)[:, first]).any()
    assert result.lost is None
    assert steps(result.q) < 0.02


@pytest.mark.parametrize(("structure", "seed"), [("three parallel", 10), ("upright", 57)])
def test_a_motion_whose_branch_ends_does_not_leap_to_another(structure: str, seed: int) -> None:
    robot, q = random_arm(structure, 1000 + seed), wandering(seed)
    solver = InverseKinematics(robot)
    poses = ad.Dynamics(robot, "none").pose(q)
    result = solver.follow(poses, q[0])
    assert result.lost is not None
    assert np.isfinite(solver.branches(poses[result.lost])).any()
    assert steps(result.q[: result.lost]) < 0.2


def test_whole_turns_add_up() -> None:
    q = motion(BENT, [9.0, 0.1, 0.1, 20.0, 0.2, 30.0], count=1001)
    np.testing.assert_allclose(followed(q).q, q, atol=SAME)


def test_the_motion_begins_in_the_turn_of_the_posture_given() -> None:
    q = motion(BENT, [0.1] * 6)
    turns = 2 * np.pi * np.array([1, 0, -1, 2, 0, -3])
    np.testing.assert_allclose(SOLVER.follow(DYNAMICS.pose(q), q[0] + turns).q, q + turns, atol=SAME)


@pytest.mark.parametrize("branch", range(1, 9))
def test_every_branch_can_be_followed(branch: int) -> None:
    poses = DYNAMICS.pose(motion(BENT, [0.2, 0.1, 0.1, 0.2, 0.1, 0.2]))
    start = SOLVER.branches(poses[0])[branch - 1]
    result = SOLVER.follow(poses, start)
    np.testing.assert_allclose(result.q[0], start, atol=SAME)
    np.testing.assert_allclose(
        SOLVER.branches(poses)[:, branch - 1], result.q - turns_of(result.q), atol=SAME
    )


def turns_of(q: np.ndarray) -> np.ndarray:
    return 2 * np.pi * np.ceil((q - np.pi) / (2 * np.pi))


def test_a_coarse_motion_takes_the_nearest_solution_each_time() -> None:
    q = motion(BENT, [2.0, 0.3, 0.3, 2.0, 0.3, 2.5], count=7)
    np.testing.assert_allclose(followed(q).q, q, atol=SAME)


@pytest.mark.parametrize("count", [401, 400], ids=["a pose in the singularity", "poses beside it"])
def test_straight_through_a_wrist_singularity(count: int) -> None:
    q = motion(STRAIGHT, [0.2, 0.1, -0.2, 0.0, 0.4, 0.0], count)
    result = followed(q)
    np.testing.assert_allclose(result.q, q, atol=SAME)
    assert np.argmin(result.singularity) in (199, 200)
    assert result.singularity.min() < 1e-3


@pytest.mark.parametrize("name", ["puma560", "ur5", "stanford", "jpl_rrp"])
def test_straight_through_the_wrist_singularity_of_other_arms(name: str) -> None:
    robot = ad.load(name)
    dynamics = ad.Dynamics(robot, "none")
    q = motion(np.array([0.3, -0.6, 0.9, 0.7, 0.0, 0.2]), [0.2, 0.1, -0.2, 0.0, 0.4, 0.0])
    result = InverseKinematics(robot).follow(dynamics.pose(q), q[0])
    assert result.lost is None
    assert np.abs(dynamics.pose(result.q) - dynamics.pose(q)).max() < EXACT
    np.testing.assert_allclose(result.q, q, atol=SAME)


def test_a_motion_within_the_wrist_singularity_keeps_the_first_wrist_angle() -> None:
    result = followed(motion(STRAIGHT, [0.5, 0.3, -0.2, 0.2, 0.0, 0.4]))
    np.testing.assert_allclose(result.q[:, 3], STRAIGHT[3] - 0.2, atol=SAME)
    assert result.singularity.max() < 1e-12
    assert steps(result.q) < 0.01


def test_a_motion_that_begins_and_ends_in_the_wrist_singularity() -> None:
    q = STRAIGHT + np.sin(np.linspace(0, np.pi, 301))[:, None] * np.array([0.2, 0.1, 0, 0, 0.3, 0])
    np.testing.assert_allclose(followed(q).q, q, atol=SAME)


@pytest.mark.parametrize("aside", [1e-14, 1e-12, 1e-10, 1e-8, 1e-6, 1e-4, 1e-2])
def test_past_a_wrist_singularity(aside: float) -> None:
    """Whether the wrist swings round or goes through, every pose is exact."""
    poses = DYNAMICS.pose(motion(STRAIGHT, [0.0, 0.0, 0.0, 0.0, 0.4, 0.0]))
    poses[:, :3, :3] = np.array(Transform.of(rpy=(0, 0, aside)).rotation, float) @ poses[:, :3, :3]
    result = SOLVER.follow(poses, motion(STRAIGHT, [0.0, 0.0, 0.0, 0.0, 0.4, 0.0])[0])
    assert result.lost is None
    assert np.abs(DYNAMICS.pose(result.q) - poses).max() < 1e-11
    assert steps(result.q) < np.pi / 2 + 0.1
    assert steps(result.q[:, [0, 1, 2, 4]]) < 0.01


@pytest.mark.parametrize("start", range(8))
def test_the_wrist_straight_through_axis_1(start: int) -> None:
    """The arm leans over backwards, front becomes back, and joint 1 keeps its angle."""
    poses = np.repeat(DYNAMICS.pose(BENT)[None], 201, axis=0)
    J, p = DYNAMICS.jacobian(BENT), DYNAMICS.pose(BENT)[:3, 3]
    feet, a = p - np.cross(J[:3].T, J[3:].T), J[3:].T
    along = np.linalg.lstsq(np.stack([a[4], -a[5]], axis=-1), feet[5] - feet[4], rcond=None)[0][0]
    centre = feet[4] + along * a[4]
    poses[:, :3, 3] += np.array([0.0, 0.0, 1.3]) - centre + np.linspace(-0.3, 0.3, 201)[:, None] * [1, 0, 0]
    result = SOLVER.follow(poses, SOLVER.branches(poses[0])[start])
    assert result.lost is None
    assert steps(result.q) < 0.02
    np.testing.assert_allclose(result.q[:, 0], result.q[0, 0], atol=SAME)


def test_a_motion_out_of_reach_is_lost_where_the_arm_is_stretched() -> None:
    poses = np.repeat(DYNAMICS.pose(BENT)[None], 100, axis=0)
    poses[:, 0, 3] += np.linspace(0, 2, 100)
    result = SOLVER.follow(poses, BENT)
    reachable = ~np.isnan(SOLVER.branches(poses)[..., 0]).all(axis=-1)
    assert result.lost == np.argmin(reachable)
    assert np.isnan(result.q[result.lost :]).all()
    assert np.isfinite(result.q[: result.lost]).all()
    assert np.isnan(result.singularity[result.lost :]).all()
    elbow = result.q[: result.lost, 2]
    assert (np.diff(elbow) > 0).all()  # stretching, on one branch


def test_a_motion_lost_at_once_and_one_without_poses() -> None:
    far = np.eye(4)[None] + [[[0, 0, 0, 9.0], [0] * 4, [0] * 4, [0] * 4]]
    result = SOLVER.follow(far, BENT)
    assert result.lost == 0
    assert np.isnan(result.singularity).all()
    nothing = SOLVER.follow(np.empty((0, 4, 4)), BENT)
    assert nothing.lost is None
    assert nothing.q.shape == (0, 6)
    assert nothing.singularity.shape == (0,)


def test_singularity_is_that_of_the_scaled_jacobian() -> None:
    """Independent of the unit of length: a robot ten times as large has the same."""
    small, large = (planar(length) for length in (0.1, 1.0))
    q = np.array([0.2, 0.5, 0.9])
    ratios = []
    for robot in (small, large):
        pose = ad.Dynamics(robot, "none").pose(q)
        ratios.append(InverseKinematics(robot).follow(pose[None], q).singularity[0])
    np.testing.assert_allclose(ratios[0], ratios[1])
    assert 0.01 < ratios[0] < 1


def planar(length: float) -> ad.Robot:
    points = np.array([[0, 0, 0], [length, 0, 0], [2 * length, 0, 0]], float)
    arm = arm_from("planar", np.array([[0, 0, 1.0]] * 3), points)
    return arm.with_tool(Transform.of((length, 0, 0)))
