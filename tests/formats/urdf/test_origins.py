"""Rotations as roll, pitch and yaw."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import given

from armdyn.formats.urdf.origins import rpy_of
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from formats.urdf.samples import seeds


@given(seeds)
def test_rotations_survive_as_roll_pitch_yaw(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis, near = rng.normal(size=3), 10.0 ** rng.uniform(-17, 0)
    for rotation in (
        from_axis_angle(tuple(axis), rng.uniform(-4, 4)),
        from_rpy(rng.uniform(-4, 4), math.pi / 2 + near, rng.uniform(-4, 4)),  # where yaw and roll are one
        from_rpy(rng.uniform(-4, 4), -math.pi / 2 + near, 0.0),
        from_rpy(*(math.pi / 2 * rng.integers(-2, 3, 3))),
    ):
        again = from_rpy(*(float(repr(x)) for x in rpy_of(rotation)))
        assert np.abs(np.array(again) - np.array(rotation)).max() <= 1e-15
