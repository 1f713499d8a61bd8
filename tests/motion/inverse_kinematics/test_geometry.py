import numpy as np
import pytest

import armdyn as ad
from armdyn.motion.inverse_kinematics.geometry import axes_of, is_chain, reach
from armdyn.motion.inverse_kinematics.subproblems import rotated
from motion.inverse_kinematics.sample_arms import arm_from, random_arm


def test_axes_give_the_pose_of_any_posture() -> None:
    """T(q) = exp(S1 q1) .. exp(S6 q6) T(0), here of the tool's origin."""
    for robot in (ad.load("stanford"), ad.load("lola15"), random_arm("general", 3)):
        dynamics = ad.Dynamics(robot, "none")
        axes = axes_of(dynamics)
        q = np.random.default_rng(5).uniform(-2, 2, 6)
        p = axes.zero[:3, 3]
        for k in reversed(range(6)):
            a, origin = axes.directions[k], axes.points[k]
            p = p + q[k] * a if axes.slides[k] else origin + rotated(a, q[k], p - origin)
        np.testing.assert_allclose(p, dynamics.pose(q)[:3, 3], atol=1e-14)


def test_axes_that_meet_and_that_are_parallel() -> None:
    axes = axes_of(ad.Dynamics(ad.load("puma560"), "none"))
    assert axes.parallel(1, 2)
    assert not axes.parallel(0, 1)
    assert axes.meeting(1, 2) is None
    centre = axes.meeting(3, 4, 5)
    assert centre is not None
    np.testing.assert_allclose(centre, axes.zero[:3, 3], atol=1e-12)  # its tool is the wrist's centre


@pytest.mark.parametrize(
    ("name", "chain"), [("lola15", True), ("panda", True), ("irb6", True), ("parallelogram", False)]
)
def test_joints_that_follow_others_make_no_plain_chain(name: str, chain: bool) -> None:
    assert is_chain(ad.load(name)) is chain


def test_locked_joints_leave_a_plain_chain() -> None:
    assert is_chain(ad.load("panda").locked({3: 0.2}))


def test_reach_is_the_length_of_the_arm_without_its_base() -> None:
    arm = arm_from("two", np.array([[0, 0, 1.0], [0, 0, 1.0]]), np.array([[5.0, 0, 0], [5.3, 0.4, 0]]))
    assert reach(arm) == pytest.approx(0.5)
    assert reach(arm.with_tool(ad.Transform.of((0.0, 0.0, 0.25)))) == pytest.approx(0.75)
    assert reach(ad.load("planar3")) == 3.0
