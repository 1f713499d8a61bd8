"""Moments about the centre of mass, and what has one."""

import numpy as np
import pytest

from armdyn.scalars import Graph, Tally
from armdyn.scalars.symbolic import symengine
from armdyn.spatial import Moments
from armdyn.spatial.vector import ZERO, diagonal, matrix, vector

ROUNDING = 1e-13
"""Some ten products of numbers of order one."""


def cloud() -> tuple[np.ndarray, np.ndarray]:
    """Masses [kg] and places [m] of a few points."""
    rng = np.random.default_rng(3)
    return rng.uniform(0.2, 2.0, 5), rng.uniform(-0.4, 0.4, (5, 3))


def moments_of(masses: np.ndarray, places: np.ndarray) -> Moments:
    second = (places.T * masses) @ places
    return Moments(float(masses.sum()), vector((masses @ places).tolist()), matrix(second.tolist()))


def test_moments_about_the_centre_are_those_of_points_seen_from_it():
    masses, places = cloud()
    c, about = moments_of(masses, places).about_centre()
    centre = masses @ places / masses.sum()
    assert np.array(c, float) == pytest.approx(centre, abs=ROUNDING)
    assert about.mass == masses.sum()
    assert about.first == ZERO
    expected = moments_of(masses, places - centre).second
    assert np.array(about.second, float) == pytest.approx(np.array(expected, float), abs=ROUNDING)


def test_moving_back_from_the_centre():
    body = moments_of(*cloud())
    c, about = body.about_centre()
    again = about.shifted(c)
    assert np.array(again.first, float) == pytest.approx(np.array(body.first, float), abs=ROUNDING)
    assert np.array(again.second, float) == pytest.approx(np.array(body.second, float), abs=ROUNDING)


@pytest.mark.parametrize("mass", [0, 0.0])
def test_without_mass_there_is_no_centre(mass):
    """Base parameters leave first moments without a mass: they stay where they are."""
    body = Moments(mass, (1.0, 2.0, 3.0), diagonal(1.0, 2.0, 3.0))
    assert body.massless
    assert body.about_centre() == (ZERO, body)


def test_a_mass_of_any_other_kind_is_a_mass():
    """Whether there is one is structure: a symbol, an input or a counted number may turn out zero."""
    for mass in (symengine.Symbol("m"), Graph().inputs("m", 1)[0], Tally().number(0.0), 1e-300):
        assert not Moments(mass).massless
    m = symengine.Symbol("m")
    c, _ = Moments(m, (0.5 * m, 0, 0)).about_centre()
    assert symengine.expand(c[0]) == 0.5
