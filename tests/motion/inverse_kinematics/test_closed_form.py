"""Every branch of arms with a closed form: right, complete, distinct, and called by its name."""

import numpy as np
import pytest

import armdyn as ad
from armdyn.motion.inverse_kinematics import InverseKinematics
from armdyn.motion.inverse_kinematics.numerical import Search
from armdyn.motion.inverse_kinematics.turns import Turns
from armdyn.spatial import Transform
from motion.inverse_kinematics.sample_arms import KINDS, STRUCTURES, arm_from, random_arm

REPRODUCED = 1e-12
"""Of poses [m, or elements of R]: they are solved to rounding."""
ITSELF = 1e-6
"""Of postures [rad or m]: near a singularity rounding of the pose weighs as its root."""
POSTURES = 1000

CATALOG = {
    "lola15": "spherical wrist",
    "puma560": "spherical wrist",
    "stanford": "spherical wrist",
    "jpl_rrp": "spherical wrist",
    "ur5": "three parallel axes",
}


def moved(name: str) -> ad.Robot:
    """A catalog robot that stands elsewhere and carries a tool."""
    placement, tool = (
        Transform.of((0.3, -0.2, 0.5), (0.4, 2.0, -1.0)),
        Transform.of((0.1, 0.2, 0.3), (1, 2, 3)),
    )
    return ad.load(name).placed(placement).with_tool(tool)


ARMS = {
    **{name: (ad.load(name), kind) for name, kind in CATALOG.items()},
    **{f"{name}, moved": (moved(name), kind) for name, kind in CATALOG.items()},
    **{f"random, {name}": (random_arm(name, 11), KINDS[name]) for name in STRUCTURES},
}
arms = pytest.mark.parametrize(("robot", "kind"), ARMS.values(), ids=ARMS.keys())


def drawn(robot: ad.Robot, seed: int = 0, count: int = POSTURES) -> tuple[np.ndarray, np.ndarray]:
    """Random postures (count, n) and their poses (count, 4, 4)."""
    q = np.random.default_rng(seed).uniform(-np.pi, np.pi, (count, robot.n))
    return q, ad.Dynamics(robot, "none").pose(q)


def deviation(robot: ad.Robot, q: np.ndarray, poses: np.ndarray) -> float:
    """The largest difference of the poses of the branches that exist."""
    return float(np.nanmax(np.abs(ad.Dynamics(robot, "none").pose(q) - poses)))


@arms
def test_every_branch_reproduces_the_pose(robot: ad.Robot, kind: str) -> None:
    solver = InverseKinematics(robot)
    _, poses = drawn(robot)
    branches = solver.branches(poses)
    assert solver.kind == kind
    assert branches.shape == (POSTURES, len(solver.branch_names), 6)
    assert deviation(robot, branches, poses[:, None]) < REPRODUCED
    turning = branches[..., Turns.of(robot).turning]
    assert np.nanmax(turning) <= np.pi
    assert np.nanmin(turning) > -np.pi


@arms
def test_the_posture_is_among_the_branches(robot: ad.Robot, kind: str) -> None:
    q, poses = drawn(robot)
    apart = Turns.of(robot).apart(InverseKinematics(robot).branches(poses), q[:, None])
    assert apart.min(axis=-1).max() < ITSELF


@arms
def test_branches_differ_from_one_another(robot: ad.Robot, kind: str) -> None:
    _, poses = drawn(robot)
    turns, branches = Turns.of(robot), InverseKinematics(robot).branches(poses)
    same = turns.apart(branches[:, :, None], branches[:, None]) < ITSELF
    existing = ~np.isnan(branches[..., 0])
    assert (same.sum(axis=-1)[existing] == 1).mean() > 0.999
    assert (existing.sum(axis=-1) % 2 == 0).mean() > 0.999  # solutions come and go in pairs


@arms
def test_there_are_as_many_as_a_search_from_many_seeds_finds(robot: ad.Robot, kind: str) -> None:
    _, poses = drawn(robot, seed=7, count=3)
    solver, turns = InverseKinematics(robot), Turns.of(robot)
    search = Search(ad.Dynamics(robot, "none"), turns)
    for pose, branches in zip(poses, solver.branches(poses), strict=True):
        found = search.solutions(pose, search.seeds(400) * np.where(turns.turning, 1.0, 2.0))
        existing = branches[~np.isnan(branches[:, 0])]
        for row in found:
            assert turns.apart(existing, row).min() < ITSELF
        reached = sum(turns.apart(found, row).min() < ITSELF for row in existing)
        assert reached == len(existing)


@arms
def test_a_pose_alone_gives_what_it_gives_among_many(robot: ad.Robot, kind: str) -> None:
    _, poses = drawn(robot, count=6)
    solver = InverseKinematics(robot)
    many = solver.branches(poses.reshape(2, 3, 4, 4))
    assert many.shape == (2, 3, len(solver.branch_names), 6)
    np.testing.assert_allclose(solver.branches(poses[4]), many[1, 1], atol=1e-9)


def test_poses_out_of_reach_have_no_branch_and_the_others_keep_theirs() -> None:
    robot = ad.load("lola15")
    _, poses = drawn(robot, count=3)
    expected = InverseKinematics(robot).branches(poses)
    poses[1, :3, 3] += [5.0, 0.0, 0.0]
    poses[2] = np.nan
    branches = InverseKinematics(robot).branches(poses)
    assert np.isnan(branches[1:]).all()
    np.testing.assert_allclose(branches[0], expected[0])


@pytest.mark.parametrize("name", ["lola15", "puma560", "ur5"])
def test_names_say_what_the_branches_are(name: str) -> None:
    """Front, up and flipped, looked up in where the axes are; axes 4 and 6 line up at q5 = 0."""
    robot = ad.load(name)
    solver, dynamics = InverseKinematics(robot), ad.Dynamics(robot, "none")
    _, poses = drawn(robot, seed=3, count=200)
    checked = 0
    for branches in solver.branches(poses):
        for q, words in zip(branches, solver.branch_names, strict=True):
            if np.isnan(q[0]):
                continue
            side, elbow, wrist = words.split(", ")
            assert (np.sin(q[4]) > 0) == (wrist == "wrist plain")
            a, feet, centre = axes_at(dynamics, q)
            ahead = forwards(dynamics, q[0])
            assert (ahead @ centre > 0) == (side == "front")
            across = np.cross(ahead if side == "front" else -ahead, [0.0, 0.0, 1.0])
            end = feet[3] if name == "ur5" else centre  # what joints 2 and 3 place
            upper, whole = feet[2] - feet[1], end - feet[1]
            assert (np.cross(upper, whole - a[1] * (a[1] @ whole)) @ across < 0) == (elbow == "elbow up")
            checked += 1
    assert checked > 400


def axes_at(dynamics: ad.Dynamics, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Directions of the axes, the points of them nearest to the tool, and where axes 5 and 6 meet."""
    J, T = dynamics.jacobian(q), dynamics.pose(q)
    a, feet = J[3:].T, T[:3, 3] - np.cross(J[:3].T, J[3:].T)
    along = np.linalg.lstsq(np.stack([a[4], -a[5]], axis=-1), feet[5] - feet[4], rcond=None)[0][0]
    return a, feet, feet[4] + along * a[4]


def forwards(dynamics: ad.Dynamics, q1: float) -> np.ndarray:
    """The direction in which the wrist stands at q = 0, across axis 2, turned with joint 1."""
    a, _, centre = axes_at(dynamics, np.zeros(6))
    ahead = np.cross([0.0, 0.0, 1.0], a[1])
    c, s = np.cos(q1), np.sin(q1)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ ahead * np.sign(ahead @ centre)


def test_axes_that_are_not_quite_parallel_are_solved_numerically() -> None:
    """As of a calibrated arm: no closed form that is a little wrong."""
    a = np.array([[0, 0, 1], [0, 1, 0], [0, 1, 1e-5], [0, 1, 0], [0, 0, 1], [0, 1, 0]], float)
    p = np.array([[0, 0, 0], [0, 0.1, 0], [0.4, 0, 0], [0.8, 0, 0], [0.8, 0.1, 0], [0.8, 0.1, -0.1]], float)
    assert InverseKinematics(arm_from("calibrated", a, p)).kind == "numerical"
    a[2, 2] = 0
    assert InverseKinematics(arm_from("nominal", a, p)).kind == "three parallel axes"


@pytest.mark.parametrize("name", ["panda", "irb6", "scara", "planar3", "parallelogram"])
def test_other_arms_are_numerical(name: str) -> None:
    solver = InverseKinematics(ad.load(name))
    assert solver.kind == "numerical"
    assert solver.branch_names == ()


def test_a_panda_with_one_joint_locked_has_no_closed_form_but_solutions() -> None:
    robot = ad.load("panda").locked({3: 0.3})
    solver = InverseKinematics(robot)
    q = np.array(robot.home) + 0.1
    pose = ad.Dynamics(robot, "none").pose(q)
    assert solver.kind == "numerical"
    assert Turns.of(robot).apart(solver.branches(pose), q).min() < ITSELF
