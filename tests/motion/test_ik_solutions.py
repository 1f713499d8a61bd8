"""All postures for a pose, with their turns, names and limits."""

import numpy as np
import pytest

import armdyn as ad
from armdyn.motion.inverse_kinematics import InverseKinematics, UnreachableError

NEAR = 1e-7


@pytest.mark.parametrize("name", ["ur5", "puma560", "panda"])
def test_every_solution_has_the_pose_and_the_nearest_is_among_them(name: str) -> None:
    arm = ad.load(name)
    dyn, solver = ad.Dynamics(arm, "none"), InverseKinematics(arm)
    q = np.clip(np.array(arm.home) + 0.3, *_limits(arm))
    pose = dyn.pose(q)
    found = solver.solutions(pose, q)
    assert len({each.name for each in found}) == len(found)
    for each in found:
        assert np.allclose(dyn.pose(each.q), pose, atol=NEAR)
        assert each.distance == pytest.approx(np.abs(each.q - q).max())
    allowed = [each for each in found if each.within_limits]
    best = min(allowed, key=lambda each: each.distance)
    if arm.n == 6:
        assert np.allclose(best.q, solver.nearest(pose, q), atol=NEAR)


def _limits(arm: ad.Robot) -> tuple[np.ndarray, np.ndarray]:
    ends = [joint.limits.position or (-np.inf, np.inf) for joint in arm.joints]
    return np.array([low for low, _ in ends]), np.array([high for _, high in ends])


def test_a_pose_out_of_reach_has_no_solution() -> None:
    far = np.eye(4)
    far[:3, 3] = 9.0
    with pytest.raises(UnreachableError, match="too far"):
        InverseKinematics(ad.load("ur5")).solutions(far, np.zeros(6))
