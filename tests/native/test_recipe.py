"""Texts that tell data apart to the last bit."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

import armdyn as ad
from armdyn.native.recipe import recipe


@dataclass
class Pair:
    a: object
    b: object = None


def test_the_last_bit_of_an_array_counts():
    with np.printoptions(precision=2):
        assert recipe(np.array([1.0, 2.0])) != recipe(np.array([1.0, np.nextafter(2.0, 3.0)]))
        assert recipe(np.zeros(5000)) != recipe(np.eye(1, 5000, 2500)[0])
    assert recipe(Pair(np.float64(0.1))) == recipe(Pair(0.1))


def test_structure_and_kind_count():
    texts = {
        recipe(x) for x in (1, 1.0, True, "1", None, (1,), [[1]], {"a": 1}, {"a": "1"}, Pair(1), Pair(1, 1))
    }
    assert len(texts) == 11
    assert recipe(("a", "b")) != recipe(("a,str:b",))


def test_what_has_no_exact_text_is_refused():
    with pytest.raises(TypeError, match="object has no exact text"):
        recipe(object())


@pytest.mark.parametrize("name", ad.catalog())
def test_every_robot_of_the_catalog_has_one(name):
    arm = ad.load(name)
    assert recipe(arm) == recipe(ad.load(name))
    heavier = arm.with_gravity((0.0, 0.0, float(np.nextafter(-9.81, 0.0))))
    assert recipe(heavier) != recipe(arm.with_gravity((0.0, 0.0, -9.81)))


def test_robots_with_arrays_do_not_share_code():
    arm = ad.load("planar2")
    q = np.array([0.3, 0.4])
    heavy, heavier = (replace(arm, gravity=np.array([0.0, g, 0.0])) for g in (-9.81, -9.8100000001))
    assert not np.array_equal(ad.Dynamics(heavy).gravity(q), ad.Dynamics(heavier).gravity(q))
