"""Rounded corners: near the corner, tangent at both ends, and at unit speed over arc length."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.motion.path.arc import Arc
from armdyn.motion.path.corner import Corner
from armdyn.motion.path.line import Line

ROUNDING = 1e-12


def lines(angle: float) -> tuple[Line, Line]:
    """Two of a metre that meet at the origin, with an angle between their directions."""
    return Line.between((-1, 0, 0), (0, 0, 0)), Line.between((0, 0, 0), (math.cos(angle), math.sin(angle), 0))


def parabola_length(reach: float, angle: float) -> float:
    """Of y^2 = 4 f x from tip to tip, closed form: a = d cos(angle/2) half width, p = tangent there."""
    half, p = reach * math.cos(angle / 2), math.tan(angle / 2)
    return half * (math.sqrt(1 + p * p) + math.asinh(p) / p)


LINE_ARC = Corner.between(
    Line.between((0, -1, 0), (0, 0, 0)), Arc.through((0, 0, 0), (0.5, 0.1, 0.2), (1, 0, 0)), 0.2
)
ARC_ARC = Corner.between(
    Arc.through((-1, 0, 0), (-0.5, 0.3, 0), (0, 0, 0)), Arc.through((0, 0, 0), (0, 0.4, 0.5), (0, 0, 1)), 0.3
)
ALL = [LINE_ARC, ARC_ARC, *(Corner.between(*lines(angle), 0.2) for angle in (0.01, 1.0, math.pi / 2, 2.9))]


@given(angle=st.floats(0.01, math.radians(170)), reach=st.floats(1e-4, 1))
def test_between_lines_it_is_the_parabola(angle: float, reach: float) -> None:
    corner = Corner.between(*lines(angle), reach)
    assert corner.length == pytest.approx(parabola_length(reach, angle), rel=ROUNDING)
    bend = math.sin(angle / 2) / (reach * math.cos(angle / 2) ** 2)
    assert corner.sharpest() == pytest.approx(bend, rel=1e-9)
    assert corner.narrowest() == pytest.approx(math.cos(angle / 2), rel=1e-9)
    u = np.linspace(0, 1, 30)
    assert np.abs(np.diff(corner.point(u), 3, axis=0)).max() <= ROUNDING  # quadratic in u


@pytest.mark.parametrize("corner", ALL)
def test_it_stays_within_its_reach(corner: Corner) -> None:
    far = np.linalg.norm(corner.point(np.linspace(0, 1, 500)) - corner.after.point(0.0), axis=-1)
    assert far.max() <= corner.reach * (1 + ROUNDING)


@pytest.mark.parametrize("corner", ALL)
def test_it_goes_on_from_one_curve_into_the_other(corner: Corner) -> None:
    before, after, d = corner.before, corner.after, corner.reach
    x, slope = corner.point([0.0, 1.0]), corner.slope([0.0, 1.0]) / (2 * d)
    assert np.abs(x - [before.point(before.length - d), after.point(d)]).max() <= ROUNDING
    assert np.abs(slope - [before.tangent(before.length - d), after.tangent(d)]).max() <= ROUNDING


@pytest.mark.parametrize("corner", ALL)
def test_its_parameter_follows_arc_length(corner: Corner) -> None:
    h = 1e-5 * corner.reach
    s = np.linspace(h, corner.length - h, 300)
    steps = corner.point(corner.parameter(s + h)) - corner.point(corner.parameter(s - h))
    # a chord of 2h on a bend k is shorter by (k h)^2 / 6
    shorter = (corner.sharpest() * h) ** 2 / 6
    assert np.abs(np.linalg.norm(steps, axis=-1) / (2 * h) - 1).max() <= 1e-9 + shorter
    u = corner.parameter(s)
    slope = np.linalg.norm(corner.slope(u), axis=-1)
    gained = (corner.parameter(s + h) - corner.parameter(s - h)) / (2 * h)
    assert gained * slope == pytest.approx(1.0, abs=1e-6)
    assert corner.parameter([0.0, corner.length]) == pytest.approx([0.0, 1.0], abs=ROUNDING)


@pytest.mark.parametrize("corner", ALL)
def test_its_bend_is_the_slope_of_its_slope(corner: Corner) -> None:
    u, h = np.linspace(0.01, 0.99, 50), 1e-5
    expected = (corner.slope(u + h) - corner.slope(u - h)) / (2 * h)
    assert np.abs(corner.bend(u) - expected).max() <= 1e-8
