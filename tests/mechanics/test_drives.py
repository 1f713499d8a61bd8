"""The drives' coordinates and gear matrix: by hand, and torques through gears in any order."""

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.mechanics.drives import drive_states, gear_matrix, joint_torques, motor_torques
from armdyn.robot import Body, Coupling, Drive, Joint, Robot, Rotor, ScrewTriangle
from armdyn.spatial import Inertia
from armdyn.spatial.vector import diagonal

ROUNDING = 1e-14
"""Relative: some operations."""
ELIMINATION = 1e-10
"""Relative to the largest: a solution of few equations, their condition number below 1e4."""

Q = [0.3, -0.5, 0.7]


def driven(*couplings: Coupling) -> Robot:
    """Three joints with a motor for each coupling."""
    link = Inertia(1.0, tensor=diagonal(0.1, 0.1, 0.1))
    bodies = tuple(Body(f"b{k}", Joint(f"j{k}"), f"b{k - 1}" if k else "base", link) for k in range(3))
    drives = (Drive(f"m{k}", f"j{k % 3}", coupling, Rotor(0.0)) for k, coupling in enumerate(couplings))
    return Robot("driven", bodies, tuple(drives))


def geared(K: np.ndarray) -> Robot:
    """Motors with these rows of the gear matrix."""
    return driven(*(Coupling.of({f"j{j}": float(w) for j, w in enumerate(row) if w}) for row in K))


# Coordinates ----------------------------------------------------------------------------------


def test_a_motor_stands_where_its_joints_and_its_offset_put_it() -> None:
    """10 q0 - 4 q1 + 1.5, and 100 (|0.5 + 0.2 cos x + 0.1 sin x|^(1/2) - 0.3) of x = 2 q2 - 0.4."""
    screw = ScrewTriangle(0.5, 0.2, 0.1, 100.0, 0.3)
    robot = driven(Coupling.of({"j0": 10.0, "j1": -4.0}, 1.5), Coupling.of({"j2": 2.0}, -0.4, screw))
    x = 2 * Q[2] - 0.4
    expected = [10 * Q[0] - 4 * Q[1] + 1.5, 100 * (np.sqrt(0.5 + 0.2 * np.cos(x) + 0.1 * np.sin(x)) - 0.3)]
    positions = [theta.variable + theta.offset for theta in drive_states(robot, Q)]
    assert positions == pytest.approx(expected, rel=ROUNDING)
    assert Dynamics(robot).motor_position(Q) == pytest.approx(expected, rel=ROUNDING)


def test_an_offset_changes_neither_gears_nor_speeds() -> None:
    plain, moved = (driven(Coupling.of({"j0": 10.0, "j1": -4.0}, offset)) for offset in (0.0, 1.5))
    assert gear_matrix(moved, Q) == gear_matrix(plain, Q) == [[10.0, -4.0, 0]]
    (theta,) = drive_states(moved, Q, [1.0, 2.0, 0.0], [3.0, 1.0, 0.0])
    assert (theta.rate, theta.acceleration) == (10 * 1.0 - 4 * 2.0, 10 * 3.0 - 4 * 1.0)


# Torques --------------------------------------------------------------------------------------

CROSSED = {
    "two swapped": [[0, 5, 0], [4, 0, 0], [0, 0, 2]],
    "all in turn": [[0, 5, 0], [0, 0, 4], [2, 0, 0]],
    "backwards": [[0, 0, 5], [0, 4, 0], [2, 0, 0]],
    "zero at the tip": [[1, 2, 3], [4, 5, 6], [7, 8, 0]],
    "zero after a step": [[1, 2, 0], [0, 1, 1], [3, 1, 1]],
    "next to zero": [[1e-14, 2, 0], [0, 1e-14, 4], [3, 0, 1e-14]],
}


@pytest.mark.parametrize("name", CROSSED)
def test_motors_may_stand_in_any_order(name: str) -> None:
    """Gears whose diagonal is zero at first, or becomes zero on the way."""
    K = np.array(CROSSED[name], dtype=float)
    robot, tau = geared(K), [3.0, -2.0, 1.0]
    expected = np.linalg.solve(K.T, tau)
    size = np.abs(expected).max()
    np.testing.assert_allclose(motor_torques(robot, Q, tau), expected, rtol=0, atol=ELIMINATION * size)
    np.testing.assert_allclose(
        Dynamics(robot).motor_torque(Q, tau), expected, rtol=0, atol=ELIMINATION * size
    )
    np.testing.assert_allclose(joint_torques(robot, Q, expected.tolist()), tau, rtol=0, atol=ELIMINATION * 3)


@pytest.mark.parametrize("seed", range(10))
def test_any_gears_without_a_diagonal_are_undone(seed: int) -> None:
    K = np.random.default_rng(seed).uniform(-1, 1, (3, 3)) * (1 - np.eye(3))
    robot, tau = geared(K), [3.0, -2.0, 1.0]
    back = joint_torques(robot, Q, motor_torques(robot, Q, tau))
    np.testing.assert_allclose(back, tau, rtol=0, atol=ELIMINATION, err_msg=f"seed {seed}")


def test_motors_that_turn_together_leave_torques_open() -> None:
    robot = geared(np.array([[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [0.0, 0.0, 1.0]]))
    with pytest.raises(MissingDataError) as error:
        motor_torques(robot, Q, [1.0, 1.0, 1.0])
    assert str(error.value) == (
        'robot "driven": the gear matrix is singular, motor torques do not follow from joint torques'
    )
