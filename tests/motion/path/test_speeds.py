"""Speeds at junctions: as high as limits and ramps allow, from rest to rest."""

import math

import pytest

from armdyn.motion.path.speeds import junction_speeds


def test_limits_hold_where_there_is_room() -> None:
    assert junction_speeds([1, 1, 1], [2, 2, 2], [0.5, 0.3]) == [0.5, 0.3]


def test_a_short_first_and_a_short_last_move_slow_the_junctions() -> None:
    speeds = junction_speeds([0.01, 1, 0.02], [2, 2, 1], [0.5, 0.5])
    assert speeds == pytest.approx([math.sqrt(2 * 2 * 0.01), math.sqrt(2 * 1 * 0.02)])


def test_braking_reaches_back_over_several_moves() -> None:
    speeds = junction_speeds([1, 0.01, 0.01], [1, 1, 1], [1, 1])
    assert speeds == pytest.approx([math.sqrt(0.04), math.sqrt(0.02)])
