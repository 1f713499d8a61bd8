"""Base parameters: how many, which, and that nothing is lost; numbers beside Pinocchio's own regressor."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats import catalog, load, save
from armdyn.identification.base_parameters import base_parameters

pytestmark = pytest.mark.numpy
pin: Any = import_module("pinocchio")  # its type information knows none of its names

SAME = 1e-11
"""Relative to the largest torque: the same sums in another order."""

PUBLISHED = {"puma560": 36, "stanford": 33, "panda": 43, "ur5": 36}
"""Inertial base parameters of the links, the first axis vertical: 7 for each turning joint but the first,
which has 1, and 4 for each sliding joint (PUMA 560: 36, Mayeda et al. 1990; Panda: 43, Gaz et al. 2019)."""


@pytest.mark.parametrize(("name", "count"), PUBLISHED.items())
def test_known_robots_have_the_known_number(name, count):
    assert len(base_parameters(Dynamics(load(name), "none", friction=False))) == count


@pytest.mark.parametrize("name", ["puma560", "stanford", "panda", "irb6"])
def test_pinocchio_finds_as_many(name, tmp_path):
    robot = load(name)
    save(robot, tmp_path / "arm.urdf")
    model = pin.buildModelFromUrdf(str(tmp_path / "arm.urdf"))
    model.gravity.linear = np.array(robot.gravity, float)
    rng, data = np.random.default_rng(0), model.createData()
    rows = [
        pin.computeJointTorqueRegressor(model, data, *rng.uniform(-1, 1, (3, model.nq))).copy()
        for _ in range(200)
    ]
    assert len(base_parameters(Dynamics(robot, "none", friction=False))) == np.linalg.matrix_rank(
        np.vstack(rows)
    )


@pytest.mark.parametrize("name", catalog())
def test_torques_are_the_kept_columns_times_the_combinations(name):
    dyn = Dynamics(load(name))
    base = base_parameters(dyn)
    q, qd, qdd = np.random.default_rng(7).uniform(-1, 1, (3, 60, dyn.n))
    Y, tau = dyn.regressor(q, qd, qdd), dyn.inverse(q, qd, qdd)
    found = base.regressor(Y) @ base.values(dyn.parameter_values)
    assert np.abs(found - tau).max() <= SAME * np.abs(tau).max()
    columns = Y.reshape(-1, Y.shape[-1])
    size = np.linalg.norm(columns, axis=0)
    felt = size > 1e-9 * size.max()  # the rest is rounding
    assert len(base) == np.linalg.matrix_rank(columns[:, felt] / size[felt], tol=1e-9)


def test_the_planar_arm_has_five():
    """[Siciliano2009] (7.83) and Problem 7.4: eight parameters, five combinations of them."""
    dyn = Dynamics(load("planar2"), friction=False)
    base = base_parameters(dyn, among=["m", "mcx", "Izz", "I"])
    assert base.names == (
        "link1.mcx + link1.m + link2.m",
        "link1.Izz - link1.m - link2.m + 10000 motor1.I",
        "link2.mcx + link2.m",
        "link2.Izz - link2.m",
        "motor2.I",
    )
    assert base.short_names[1] == "link1.Izz"
    assert base.units == ("kg m", "kg m2", "kg m", "kg m2", "kg m2")


def test_what_no_motion_shows_is_named():
    base = base_parameters(Dynamics(load("puma560"), "none", friction=False))
    assert {"link1.m", "link1.mcx", "link1.Ixx"} <= set(base.unidentifiable)
    assert "link1.Iyy" not in base.unidentifiable  # about the vertical: counted in link 3's


def test_samples_of_a_motion_tell_less_than_random_states():
    dyn = Dynamics(load("planar3"), friction=False)
    q = np.linspace(-1, 1, 50)[:, None] * [1.0, 0.0, 0.0]
    Y = dyn.regressor(q, np.zeros_like(q), np.zeros_like(q))
    assert len(base_parameters(dyn, samples=Y)) < len(base_parameters(dyn))


def test_an_unknown_parameter_is_refused():
    with pytest.raises(
        InputError, match=r'no parameter "Ixs"; expected names as "link1\.m", or their endings'
    ):
        base_parameters(Dynamics(load("planar2")), among=["Ixs"])
