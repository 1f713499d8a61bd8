"""The ten parameters of a body, and bodies with more of them."""

import numpy as np
import pytest

from armdyn.formats import load
from armdyn.mechanics.body_parameters import PARAMETERS, moments_of, parameters_of, with_added
from armdyn.mechanics.tree import tree
from armdyn.spatial import Inertia, Moments
from random_robots import random_inertia


def test_they_are_mass_first_moment_and_tensor_about_the_origin() -> None:
    point = Inertia(2.0, (1.0, 2.0, 3.0))
    named = dict(zip(PARAMETERS, parameters_of(point), strict=True))
    assert named == {
        "m": 2.0, "m cx": 2.0, "m cy": 4.0, "m cz": 6.0,
        "Ixx": 26.0, "Ixy": -4.0, "Ixz": -6.0, "Iyy": 20.0, "Iyz": -12.0, "Izz": 10.0,
    }  # fmt: skip


def test_a_body_has_the_moments_of_its_parameters() -> None:
    inertia = random_inertia(np.random.default_rng(1))
    ours, expected = moments_of(parameters_of(inertia)), Moments.of(inertia)
    assert ours.mass == expected.mass
    assert ours.first == expected.first
    assert np.array(ours.second) == pytest.approx(np.array(expected.second), rel=1e-13, abs=1e-15)


def test_what_is_added_rides_on_its_body() -> None:
    robot, extra = load("panda"), random_inertia(np.random.default_rng(2))
    whole = tree(robot, "none", lump=False)
    heavier = with_added(whole, {"panda_hand": parameters_of(extra)})
    for link, before in zip(heavier.links, whole.links, strict=True):
        expected = before.inertia
        if link.name == "panda_hand":
            expected += Moments.of(extra.seen_from(whole.frames["panda_hand"][1]))
        assert link.inertia.mass == expected.mass
        assert np.array(link.inertia.second) == pytest.approx(np.array(expected.second), rel=1e-12)
