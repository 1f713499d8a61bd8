"""Right angles written as decimals."""

from __future__ import annotations

import math

import numpy as np
import pytest

from armdyn.formats.urdf import read_urdf
from formats.urdf.samples import arm


def test_small_angles_are_not_right_angles() -> None:
    """The cosine of 2e-5 is within 1e-9 of 1; taking it as 1 beside its sine would be no rotation."""
    turned = read_urdf(arm('<origin rpy="2e-5 0 1.57079632679"/><axis xyz="0 2e-5 1"/>')).joints[0]
    R = np.array(turned.placement.rotation)
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-15
    assert np.linalg.norm(np.array(turned.axis, float)) == pytest.approx(1.0, abs=1e-15)
    assert turned.axis[1] == pytest.approx(2e-5, rel=1e-9)


def test_right_angles_are_exact_unless_literal() -> None:
    data = arm('<origin rpy="1.5707963267 0 0"/><axis xyz="1e-10 0 1"/>')
    exact, literal = read_urdf(data), read_urdf(data, literal=True)
    assert exact.joints[0].placement.rotation == ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    assert exact.joints[0].axis == (0, 0, 1)
    assert exact.notes == (
        "right angles written as decimals were read as exact (2 rotations, largest change 1e-10); "
        "literal=True or --literal keeps them as written",
    )
    assert literal.joints[0].placement.rotation[1][1] == math.cos(1.5707963267)
    assert literal.joints[0].axis[0] == 1e-10
    assert literal.notes == ()
