"""Lines and arcs: through their points, on the line or circle, at unit speed over arc length."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from armdyn.errors import InputError
from armdyn.motion.path.arc import Arc
from armdyn.motion.path.line import Line

ON_IT = 1e-12
"""Points of about one metre, a dozen operations."""

points = st.tuples(*[st.floats(-2, 2)] * 3).map(np.array)


def arc_through(start: Any, via: Any, end: Any) -> Arc:
    """An arc whose three points are well apart and far from one line, so that rounding stays small."""
    sides = [np.linalg.norm(x) for x in (via - start, end - via, end - start)]
    assume(min(sides) > 0.05)
    assume(np.linalg.norm(np.cross(via - start, end - start)) > 0.05 * max(sides) ** 2)
    return Arc.through(start, via, end)


@given(start=points, end=points)
def test_a_line_stays_on_its_line(start: Any, end: Any) -> None:
    assume(np.linalg.norm(end - start) > 1e-3)
    line = Line.between(start, end)
    s = np.linspace(0, line.length, 50)
    x = line.point(s)
    assert np.abs(x[-1] - end).max() <= ON_IT
    assert np.linalg.norm(np.cross(x - start, line.direction), axis=-1).max() <= ON_IT
    assert np.abs(np.linalg.norm(x - start, axis=-1) - s).max() <= ON_IT
    assert np.abs(np.sum(line.normal(s) * line.tangent(s), axis=-1)).max() <= ON_IT


@given(start=points, via=points, end=points)
def test_an_arc_stays_on_its_circle_and_passes_its_points_in_order(start: Any, via: Any, end: Any) -> None:
    arc = arc_through(start, via, end)
    s = np.linspace(0, arc.length, 50)
    x = arc.point(s)
    assert 0 < arc.via < arc.length < math.tau * arc.radius
    assert np.abs(arc.point([0.0, arc.via, arc.length]) - [start, via, end]).max() <= 10 * ON_IT
    assert np.abs(np.linalg.norm(x - arc.centre, axis=-1) - arc.radius).max() <= ON_IT
    assert np.abs((x - arc.centre) @ arc.axis).max() <= ON_IT


@given(start=points, via=points, end=points)
def test_an_arcs_frame(start: Any, via: Any, end: Any) -> None:
    arc = arc_through(start, via, end)
    s, h = np.linspace(0, arc.length, 20), 1e-5 * arc.radius
    slope = (arc.point(s + h) - arc.point(s - h)) / (2 * h)
    bend = (arc.tangent(s + h) - arc.tangent(s - h)) / (2 * h)
    assert np.abs(slope - arc.tangent(s)).max() <= 1e-9
    assert np.abs(bend - arc.curvature * arc.normal(s)).max() <= 1e-9 * (1 + arc.curvature)
    assert np.abs(np.cross(arc.tangent(s), arc.normal(s)) - arc.axis).max() <= ON_IT


def test_an_arc_of_more_than_half_a_circle() -> None:
    arc = Arc.through([1, 0, 0], [-1, 0, 0], [0, -1, 0])
    assert arc.length == pytest.approx(1.5 * math.pi, rel=ON_IT)
    assert arc.via == pytest.approx(math.pi, rel=ON_IT)


def test_a_via_point_on_the_other_side_leads_the_other_way_round() -> None:
    short = Arc.through([1, 0, 0], [math.sqrt(0.5), math.sqrt(0.5), 0], [0, 1, 0])
    long = Arc.through([1, 0, 0], [-math.sqrt(0.5), -math.sqrt(0.5), 0], [0, 1, 0])
    assert short.length + long.length == pytest.approx(math.tau, rel=ON_IT)
    assert np.abs(short.axis + long.axis).max() <= ON_IT


@pytest.mark.parametrize(
    ("via", "end", "sentence"),
    [
        ((1, 0, 0), (2, 0, 0), "on one line"),
        ((2, 0, 0), (1, 0, 0), "on one line"),
        ((1, 0, 0), (0, 0, 0), "a full circle takes two moves"),
        ((0, 0, 0), (1, 0, 0), "via point of a circle is its start"),
        ((1, 0, 0), (1, 0, 0), "via point of a circle is its end"),
    ],
)
def test_points_with_no_circle_through_them_are_refused(via: Any, end: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Arc.through((0, 0, 0), via, end)


def test_a_line_from_a_point_to_itself_is_refused() -> None:
    with pytest.raises(InputError, match="no direction"):
        Line.between((1, 2, 3), (1, 2, 3))
