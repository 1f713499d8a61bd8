"""Which joints points hold that do not move."""

import numpy as np
import pytest

from armdyn.formats import load
from armdyn.mechanics.holding import held_joints, joints_as_sums
from armdyn.mechanics.rubbing import FrictionPoint, friction_points
from armdyn.mechanics.tree.links import Coordinate
from armdyn.robot import Friction


def points(*rows: tuple[float, ...]) -> list[FrictionPoint]:
    return [
        FrictionPoint(
            f"m{k}",
            "motor",
            Coordinate(tuple((j, w) for j, w in enumerate(row) if w)),
            Friction(coulomb=1.0),
            k,
        )
        for k, row in enumerate(rows)
    ]


@pytest.mark.parametrize(
    ("rows", "held"),
    [
        (((1.0, 0.0),), [0]),
        (((1.0, 1.0),), []),
        (((1.0, 1.0), (1.0, -1.0)), [0, 1]),  # a differential
        (((2.0, 100.0), (4.0, 200.0)), []),  # the same thing twice
        (((1.0, 119.0), (1e-3, 0.0)), [0, 1]),
        (((1.0, 1.0, 0.0), (1.0, 1.0, 1.0)), [2]),
        ((), []),
    ],
)
def test_joints_are_held_by_what_spans_them(rows: tuple[tuple[float, ...], ...], held: list[int]) -> None:
    n = len(rows[0]) if rows else 2
    assert held_joints(points(*rows), n).tolist() == held


def test_a_joint_is_a_sum_of_points_in_one_way() -> None:
    """Of irb6's motors 3, 4 and 5 turn by q2 + q3, .. + q4, .. + q5: joint 4 hangs on motors 3 and 4."""
    robot = load("irb6")
    assert joints_as_sums(friction_points(robot), robot.n) == [[0], [1], [1, 2], [2, 3], [3, 4]]


def test_no_sums_where_a_point_follows_from_others() -> None:
    assert joints_as_sums(points((1.0, 0.0), (1.0, 1.0), (0.0, 1.0)), 2) is None
    assert joints_as_sums(points((1.0, 1.0)), 2) == [[], []]


@pytest.mark.parametrize("seed", range(20))
def test_sums_say_what_is_held(seed: int) -> None:
    """Any set of points holds a joint exactly if it has all that the joint is a sum of."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 6))
    rows = rng.integers(-2, 3, (n, n)) * rng.uniform(1, 100, (n, 1))
    made = points(*(tuple(row) for row in rows.tolist() if any(row)))
    sums = joints_as_sums(made, n)
    if sums is None:
        return
    for _ in range(10):
        chosen = set(np.flatnonzero(rng.random(len(made)) < 0.6).tolist())
        expected = [j for j, members in enumerate(sums) if members and chosen >= set(members)]
        assert held_joints([made[k] for k in sorted(chosen)], n).tolist() == expected
