"""Formulations side by side."""

import numpy as np
import pytest

from armdyn.cli.options import AnyMethod
from armdyn.formats import load
from armdyn.mechanics.methods import METHODS
from armdyn.studies.formulations import compare_formulations

ROUNDING = 1e-11


def test_the_option_knows_every_formulation():
    assert AnyMethod.__args__ == (*METHODS, "all")


@pytest.mark.parametrize("name", ["lola15", "jpl_rrp", "irb6", "parallelogram"])
def test_every_formulation_gives_its_own_and_the_same(name):
    robot = load(name)
    q, qd, qdd = 0.3 + 0.2 * np.random.default_rng(3).uniform(-1, 1, (3, robot.n))
    found = compare_formulations(robot, q, qd, qdd)
    assert [f["method"] for f in found["formulations"]] == list(METHODS)
    by = {f["method"]: f for f in found["formulations"]}
    assert by["articulated_body"]["gives"] == ["acceleration"]
    assert by["mrnea"]["gives"] == ["torque", "mass_matrix", "acceleration"]
    for formulation in by.values():
        assert set(formulation["difference"]) == set(formulation["gives"])
        for term in formulation["gives"]:
            size = max(1.0, float(np.abs(formulation[term]).max()))
            assert formulation["difference"][term] <= ROUNDING * size
