import numpy as np
import pytest

from armdyn.errors import InputError, ShapeError
from armdyn.motion.inverse_kinematics.poses import pose_of, poses_of
from armdyn.spatial import Transform


def pose(digits: int) -> np.ndarray:
    result = np.eye(4)
    result[:3, :3] = np.round(np.array(Transform.of(rpy=(0.3, 0.4, 0.5)).rotation, float), digits)
    return result


def test_rounded_rotations_are_mended() -> None:
    R = poses_of(pose(7))[:3, :3]
    np.testing.assert_allclose(R.T @ R, np.eye(3), atol=1e-15)
    np.testing.assert_allclose(R, pose(15)[:3, :3], atol=1e-7)


def test_exact_rotations_are_left_alone() -> None:
    assert poses_of(np.eye(4)).tolist() == np.eye(4).tolist()


def test_what_is_no_rotation_is_refused() -> None:
    with pytest.raises(InputError, match="from orthonormal, expected less than 1e-06; write it with more"):
        poses_of(pose(3))
    mirror = np.diag([1.0, 1.0, -1.0, 1.0])
    with pytest.raises(InputError, match="mirrors"):
        poses_of(mirror)


@pytest.mark.parametrize(("shape", "dimensions"), [((3, 3), None), ((2, 4, 4), 2), ((4, 4), 3)])
def test_shapes_are_checked(shape: tuple[int, ...], dimensions: int | None) -> None:
    with pytest.raises(ShapeError, match="a pose is a 4x4 matrix, expected"):
        poses_of(np.zeros(shape), dimensions)


def test_poses_that_are_not_numbers_stay() -> None:
    poses = np.stack([pose(15), np.full((4, 4), np.nan)])
    assert np.isnan(poses_of(poses)[1]).all()
    assert np.isnan(poses_of(poses[1])).all()
    endless = pose(15)
    endless[0, 3] = np.inf
    assert np.isnan(poses_of(endless)[0, 3])
    with pytest.raises(InputError, match="expected finite numbers"):
        pose_of(endless)
