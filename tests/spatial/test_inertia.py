"""Inertias: every form back and forth, against point masses, and what no body can have."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.spatial import Inertia, Transform
from armdyn.spatial.inertia import NEGLIGIBLE_GYRATION, PHYSICAL_TOLERANCE, second_to_tensor, tensor_to_second
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal, matrix, vector

ROUNDING = 1e-13
"""Masses up to 20 kg within 1 m: moments up to some 10 kg m2, a dozen operations off by 1e-16 each."""

seeds = st.integers(0, 2**32 - 1)


def array(values: Any) -> np.ndarray:
    return np.array(values, dtype=float)


def cloud(seed: int, count: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Masses [kg] and places [m] of a few points."""
    rng = np.random.default_rng(seed)
    return rng.uniform(0.2, 2.0, count), rng.uniform(-0.4, 0.4, (count, 3))


def tensor_of(masses: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Sum of m (r.r 1 - r r^T)."""
    return np.array(
        sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, places, strict=True))
    )


def body_of(masses: np.ndarray, places: np.ndarray) -> Inertia:
    """The points as one body, its tensor summed about the centre of mass."""
    com = masses @ places / masses.sum()
    tensor = tensor_of(masses, places - com)
    return Inertia(float(masses.sum()), vector(com.tolist()), matrix(tensor.tolist()))


def placement(seed: int) -> Transform:
    rng = np.random.default_rng(seed)
    return Transform(from_rpy(*rng.uniform(-3, 3, 3).tolist()), vector(rng.uniform(-1, 1, 3).tolist()))


def assert_same(a: Inertia, b: Inertia) -> None:
    assert abs(a.mass - b.mass) <= ROUNDING
    assert np.abs(array(a.com) - array(b.com)).max() <= ROUNDING
    assert np.abs(array(a.tensor) - array(b.tensor)).max() <= ROUNDING


# Forms ----------------------------------------------------------------------------------------


@given(seed=seeds)
def test_every_form_comes_back_as_the_same_body(seed: int) -> None:
    body = body_of(*cloud(seed))
    assert_same(Inertia.about_origin(body.mass, body.com, body.tensor_about_origin), body)
    assert_same(Inertia.from_pseudo(body.pseudo), body)
    assert_same(Inertia.from_moments(body.mass, body.moment, body.second_moment), body)


@given(seed=seeds)
def test_moments_are_those_of_point_masses(seed: int) -> None:
    masses, places = cloud(seed)
    body = body_of(masses, places)
    assert np.abs(array(body.moment) - masses @ places).max() <= ROUNDING
    assert np.abs(array(body.tensor_about_origin) - tensor_of(masses, places)).max() <= ROUNDING
    assert np.abs(array(body.second_moment) - (places.T * masses) @ places).max() <= ROUNDING


@given(seed=seeds)
def test_the_pseudo_inertia_is_the_second_moment_of_homogeneous_points(seed: int) -> None:
    masses, places = cloud(seed)
    points = np.column_stack([places, np.ones(len(places))])
    assert np.abs(array(body_of(masses, places).pseudo) - (points.T * masses) @ points).max() <= ROUNDING


@given(seed=seeds)
def test_tensor_and_second_moment_are_inverse_to_each_other(seed: int) -> None:
    tensor = body_of(*cloud(seed)).tensor
    there_and_back = second_to_tensor(tensor_to_second(tensor))
    assert np.abs(array(there_and_back) - array(tensor)).max() <= ROUNDING


def test_parallel_axes_of_a_point_mass_by_hand() -> None:
    point = Inertia(2.0, (3.0, 0.0, 4.0))
    assert point.tensor_about_origin == ((32.0, 0.0, -24.0), (0.0, 50.0, 0.0), (-24.0, 0.0, 18.0))


def test_radii_of_gyration_by_hand() -> None:
    about_com = Inertia.from_gyration(2.0, (1.0, 0.0, 0.0), (0.1, 0.2, 0.3))
    assert about_com.tensor == diagonal(2 * 0.1 * 0.1, 2 * 0.2 * 0.2, 2 * 0.3 * 0.3)
    about_origin = Inertia.from_gyration(2.0, (1.0, 0.0, 0.0), (0.1, 1.2, 1.3), about="origin")
    assert_same(about_origin, Inertia(2.0, (1.0, 0.0, 0.0), diagonal(0.02, 2 * 1.44 - 2, 2 * 1.69 - 2)))


@given(mass=st.floats(0.1, 20), radii=st.tuples(*[st.floats(0.01, 1)] * 3))
def test_radii_of_gyration_come_back(mass: float, radii: Any) -> None:
    tensor = Inertia.from_gyration(mass, (0.1, 0.2, 0.3), radii).tensor
    assert np.sqrt(np.diag(array(tensor)) / mass) == pytest.approx(radii)


def test_nothing_has_no_centre_but_is_no_error() -> None:
    nothing = Inertia.from_moments(0.0, (0.0, 0.0, 0.0), diagonal(0.0, 0.0, 0.0))
    assert nothing == Inertia()
    assert nothing.unphysical() is None


# Moving and merging ---------------------------------------------------------------------------


@given(seed=seeds)
def test_a_moved_body_is_the_body_of_the_moved_points(seed: int) -> None:
    masses, places = cloud(seed)
    T = placement(seed)
    moved = array([T.apply(vector(p.tolist())) for p in places])
    assert_same(body_of(masses, places).seen_from(T), body_of(masses, moved))


@given(seed=seeds)
def test_moving_back_restores_the_body(seed: int) -> None:
    body, T = body_of(*cloud(seed)), placement(seed)
    assert_same(body.seen_from(T).seen_from(T.inverse()), body)


@given(seed=seeds, split=st.integers(1, 4))
def test_two_parts_merge_into_the_whole(seed: int, split: int) -> None:
    masses, places = cloud(seed)
    parts = [body_of(masses[s], places[s]) for s in (slice(None, split), slice(split, None))]
    assert_same(parts[0] + parts[1], body_of(masses, places))
    assert_same(parts[1] + parts[0], body_of(masses, places))


@given(seed=seeds)
def test_merging_with_nothing_changes_nothing(seed: int) -> None:
    body = body_of(*cloud(seed))
    assert_same(body + Inertia(), body)
    assert_same(Inertia() + body, body)


# What no body can have ------------------------------------------------------------------------


@given(seed=seeds, count=st.integers(1, 6))
def test_point_masses_are_physical_however_few_and_however_turned(seed: int, count: int) -> None:
    body = body_of(*cloud(seed, count))
    assert body.unphysical() is None
    assert body.seen_from(placement(seed)).unphysical() is None


@pytest.mark.parametrize(
    ("inertia", "reason"),
    [
        (Inertia(-1.0), "mass -1 kg is negative"),
        (Inertia(1.0, tensor=diagonal(1.0, 1.0, 3.0)), "Ixx + Iyy < Izz (2 < 3)"),
        (Inertia(1.0, tensor=diagonal(3.0, 1.0, 1.0)), "Iyy + Izz < Ixx (2 < 3)"),
        (Inertia(1.0, tensor=diagonal(1.0, 3.0, 1.0)), "Ixx + Izz < Iyy (2 < 3)"),
        (Inertia(1.0, tensor=diagonal(-1.0, 1.0, 1.0)), "Ixx = -1 < 0"),
        (
            Inertia(1.0, tensor=((1.0, 0.1, 0.0), (0.2, 1.0, 0.0), (0.0, 0.0, 1.0))),
            "the tensor is not symmetric",
        ),
        (Inertia(math.nan), "a number is not finite"),
        (Inertia(1.0, (math.inf, 0.0, 0.0)), "a number is not finite"),
        (Inertia(1.0, tensor=diagonal(1.0, math.nan, 1.0)), "a number is not finite"),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_the_reason_says_what_is_wrong_in_the_files_own_axes(inertia: Inertia, reason: str) -> None:
    assert inertia.unphysical() == reason


def test_what_only_principal_axes_show_is_said_in_principal_axes() -> None:
    turned = Inertia(1.0, tensor=diagonal(1.0, 1.0, 3.0)).seen_from(Transform(from_rpy(0.6, 0.7, 0.3)))
    diagonals = np.diag(array(turned.tensor))
    assert 2 * max(diagonals) < sum(diagonals)  # the triangle inequality holds in these axes
    reason = turned.unphysical()
    assert reason is not None
    assert reason.startswith("the largest principal moment")
    assert reason.endswith("3 is above the sum of the others, 1 + 1")


def test_what_a_printed_number_rounds_is_forgiven_and_no_more() -> None:
    def flat(excess: float) -> str | None:
        """A plate: Ixx + Iyy = Izz, off by a share of the largest element."""
        return Inertia(1.0, tensor=diagonal(1.0, 1.0, 2.0 * (1 + excess))).unphysical()

    assert flat(0.1 * PHYSICAL_TOLERANCE) is None
    assert flat(10 * PHYSICAL_TOLERANCE) is not None


def test_small_bodies_are_judged_by_their_own_size() -> None:
    assert Inertia(1e-6, tensor=diagonal(1e-12, 1e-12, 3e-12)).unphysical() is not None
    assert Inertia(1e-6, tensor=diagonal(1e-12, 1e-12, 2e-12)).unphysical() is None


def test_below_a_micrometre_a_body_is_a_point_whatever_its_tensor_says() -> None:
    def slight(gyration: float) -> str | None:
        moment = 2.0 * gyration**2
        return Inertia(2.0, tensor=diagonal(moment, moment, -moment)).unphysical()

    assert slight(0.5 * NEGLIGIBLE_GYRATION) is None
    assert slight(5 * NEGLIGIBLE_GYRATION) is not None


def test_numbers_that_would_overflow_are_no_bodys() -> None:
    assert Inertia(1e200).unphysical() == "1e+200 is larger than any body"
    assert Inertia(1.0, (0.0, -1e200, 0.0)).unphysical() == "1e+200 is larger than any body"


def test_no_mass_but_a_tensor_is_what_a_rotor_in_its_carrier_looks_like() -> None:
    assert Inertia(0.0, tensor=diagonal(0.01, 0.01, 0.02)).unphysical() is None
