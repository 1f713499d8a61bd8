import numpy as np
import pytest

import armdyn as ad
from armdyn.motion.inverse_kinematics.turns import Turns

TURNS = Turns(np.array([True, True, False]), np.array([-4.0, -1.0, 0.0]), np.array([4.0, 1.0, 2.0]))


def test_limits_and_kinds_of_a_robot() -> None:
    turns = Turns.of(ad.load("scara"))
    assert turns.turning.tolist() == [True, True, False, True]
    assert turns.upper[2] == 0.21
    assert np.isinf(Turns.of(ad.load("lola15")).upper).all()


def test_principal_angles_are_above_minus_pi_and_up_to_pi() -> None:
    q = TURNS.principal(np.array([[np.pi, -np.pi, 9.0], [7.0, -7.0, -9.0]]))
    np.testing.assert_allclose(q, [[np.pi, np.pi, 9.0], [7 - 2 * np.pi, 2 * np.pi - 7, -9.0]])


def test_angles_beside_a_reference_slides_untouched() -> None:
    q = TURNS.beside(np.array([0.1, 0.1, 0.1]), np.array([13.0, -6.0, 50.0]))
    np.testing.assert_allclose(q, [0.1 + 4 * np.pi, 0.1 - 2 * np.pi, 0.1])


@pytest.mark.parametrize(
    ("q", "reference", "expected"),
    [(3.0, -3.1, 3.0 - 2 * np.pi), (3.0, -9.0, 3.0 - 2 * np.pi), (2.0, -3.1, 2.0), (0.5, 13.0, 0.5)],
)
def test_whole_turns_inside_the_limits(q: float, reference: float, expected: float) -> None:
    found = TURNS.beside_inside(np.array([q, 0.0, 1.0]), np.array([reference, 0.0, 1.0]))
    np.testing.assert_allclose(found, [expected, 0.0, 1.0])


def test_what_no_turn_brings_inside_stays_beside_the_reference() -> None:
    found = TURNS.beside_inside(np.array([0.0, 2.0, 3.0]), np.array([0.0, 9.0, 1.0]))
    np.testing.assert_allclose(found, [0.0, 2.0 + 2 * np.pi, 3.0])
    assert TURNS.inside(found).tolist() == [True, False, False]


def test_postures_that_differ_by_whole_turns_are_one() -> None:
    q = np.array([[0.1, 0.2, 0.3], [0.1 + 2 * np.pi, 0.2, 0.3], [0.1, 0.2, 0.3 + 2 * np.pi]])
    assert TURNS.distinct(q).tolist() == [[0.1, 0.2, 0.3], [0.1, 0.2, 0.3 + 2 * np.pi]]


def test_a_motion_without_jumps() -> None:
    smooth = np.linspace(0, 20, 50)[:, None] * [1.0, -1.0, 1.0] + [0.0, 2 * np.pi, 0.0]
    wound = TURNS.principal(smooth)
    np.testing.assert_allclose(TURNS.unwound(wound, smooth[0]), smooth, atol=1e-12)
