"""Derivatives of torques and accelerations of catalog robots: beside Pinocchio, and over batches."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.dynamics.quantities import QUANTITIES
from armdyn.dynamics.traced import Traced
from armdyn.errors import InputError
from armdyn.formats import load, save
from armdyn.robot import Friction
from armdyn.scalars import Graph, program
from armdyn.scalars.factoring import factored
from armdyn.spatial import Inertia
from dynamics.differences import DIFFERENCES, close, differences_of
from random_robots import states

pin: Any = import_module("pinocchio")  # its type information knows none of its names

SAME_NUMBERS = 1e-9
"""Relative to the largest element: Pinocchio's own derivatives, from the same numbers."""
ROUNDING = 1e-10
"""Relative to the largest element: the same sums in another order."""

STATE = ("inverse_derivatives", "forward_derivatives", "linearisation")
PARAMETERS = ("inverse_parameter_derivatives", "forward_parameter_derivatives")
every_derivative = pytest.mark.parametrize("name", STATE + PARAMETERS)


def as_tuple(results: Any) -> tuple[np.ndarray, ...]:
    return results if isinstance(results, tuple) else (results,)


@pytest.fixture(scope="module")
def lola() -> Dynamics:
    """Its friction depends on the load."""
    return Dynamics(load("lola15"))


@pytest.fixture(scope="module")
def ur5() -> Dynamics:
    return Dynamics(load("ur5"))


# Pinocchio ------------------------------------------------------------------------------------


@cache
def pinocchio_model(name: str) -> Any:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "arm.urdf"
        save(load(name), file)
        return pin.buildModelFromUrdf(str(file))


arms = pytest.mark.parametrize("name", ["ur5", "panda"])


@arms
def test_torques_by_the_state_agree_with_pinocchio(name: str) -> None:
    model, dyn = pinocchio_model(name), Dynamics(load(name), "none")
    data = model.createData()
    for q, qd, qdd in np.swapaxes(states(dyn.robot, 1, 5), 0, 1):
        theirs = pin.computeRNEADerivatives(model, data, q, qd, qdd)
        for ours, expected in zip(dyn.inverse_derivatives(q, qd, qdd), theirs, strict=True):
            close(ours, expected, SAME_NUMBERS)


@arms
def test_accelerations_by_the_state_agree_with_pinocchio(name: str) -> None:
    model, dyn = pinocchio_model(name), Dynamics(load(name), "none")
    data = model.createData()
    for q, qd, qdd in np.swapaxes(states(dyn.robot, 2, 5), 0, 1):
        tau = pin.rnea(model, data, q, qd, qdd)
        theirs = pin.computeABADerivatives(model, data, q, qd, tau)
        for ours, expected in zip(dyn.forward_derivatives(q, qd, tau), theirs, strict=True):
            close(ours, expected, SAME_NUMBERS)


@arms
def test_torques_by_the_parameters_agree_with_pinocchio(name: str) -> None:
    """Its regressor is for the bodies at its joints; ours that ride on them have their own frames."""
    model, dyn = pinocchio_model(name), Dynamics(load(name), "none")
    data = model.createData()
    for q, qd, qdd in np.swapaxes(states(dyn.robot, 3, 5), 0, 1):
        theirs = pin.computeJointTorqueRegressor(model, data, q, qd, qdd).reshape(dyn.n, -1, 10)
        ours = dyn.inverse_parameter_derivatives(q, qd, qdd)
        for k, body in enumerate(dyn.robot.bodies):
            frame = model.frames[model.getFrameId(body.name)]
            at_joint = theirs[:, frame.parentJoint - 1]
            close(ours[:, k], at_joint @ in_pinocchios_order(frame.placement), SAME_NUMBERS, least=1.0)


def in_pinocchios_order(place: Any) -> np.ndarray:
    """The parameters of a body at `place` as Pinocchio has them, one column for each of ours."""
    T = np.array(place.homogeneous)
    columns = []
    for unit in np.eye(10):
        m, h, (xx, xy, xz, yy, yz, zz) = unit[0], unit[1:4], unit[4:]
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        P = T @ np.block([[np.trace(tensor) / 2 * np.eye(3) - tensor, h[:, None]], [h, m]]) @ T.T
        S = P[:3, :3]
        tensor = np.trace(S) * np.eye(3) - S
        columns.append([P[3, 3], *P[:3, 3], *(tensor[i, j] for j in range(3) for i in range(j + 1))])
    return np.array(columns).T


# Catalog robots -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lola15", "irb6", "parallelogram", "jpl_rrp"])
def test_accelerations_by_the_state_are_what_differences_say(name: str) -> None:
    dyn = Dynamics(load(name))
    q, qd, qdd = 0.3 + 0.2 * states(dyn.robot, 5, 1)[:, 0]
    wrench = np.array([3.0, -2.0, 5.0, 0.3, 0.2, -0.1])
    x = np.array([q, qd, dyn.inverse(q, qd, qdd, wrench)])
    for k, slope in enumerate(dyn.forward_derivatives(*x, wrench=wrench)):
        close(slope, differences_of(dyn.forward, x, k, wrench=wrench), DIFFERENCES)


@pytest.mark.parametrize("name", ["ur5", "lola15", "irb6", "pendulum"])
def test_a_linearisation_is_made_of_the_derivatives_of_accelerations(name: str) -> None:
    dyn = Dynamics(load(name))
    x = 0.3 + 0.2 * states(dyn.robot, 6, 3)
    A, B = dyn.linearisation(*x)
    by_q, by_qd, by_tau = dyn.forward_derivatives(*x)
    n, still = dyn.n, np.zeros((3, dyn.n, dyn.n))
    assert np.array_equal(A[:, :n], np.concatenate([still, still + np.eye(n)], -1))
    assert np.array_equal(B[:, :n], still)
    close(A[:, n:], np.concatenate([by_q, by_qd], -1), ROUNDING)
    close(B[:, n:], by_tau, ROUNDING)


def test_viscous_friction_is_a_slope_of_its_own() -> None:
    bodies = load("planar2").bodies
    rubbing = tuple(
        replace(body, joint=replace(body.joint, friction=Friction(viscous, 1.0)))
        for body, viscous in zip(bodies, (2.0, 3.0), strict=True)
    )
    robot = replace(load("planar2"), bodies=rubbing, drives=())
    x = states(robot, 7, 2)
    with_it, without = (Dynamics(robot, friction=on).inverse_derivatives(*x) for on in (True, False))
    for k, added in enumerate((np.zeros((2, 2)), np.diag([2.0, 3.0]), np.zeros((2, 2)))):
        close(with_it[k], without[k] + added, ROUNDING, least=1.0)


# Operations -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "most"), [("ur5", (802, 636)), ("panda", (2456, 2126))])
def test_torques_by_the_state_keep_their_limits(name: str, most: tuple[int, int]) -> None:
    """Multiplications with divisions, and additions, of d tau/d q and d tau/d qd."""
    traced, graph = Traced(load(name), "none", None), Graph()
    quantity, n = QUANTITIES["inverse_derivatives"], load(name).n
    nodes = {k: graph.inputs(k, size) for k, size in traced.signature("inverse_derivatives").inputs}
    counts = factored(program(quantity.build(traced, nodes)[: 2 * n * n])).counts()
    assert counts["multiplications"] + counts["divisions"] <= most[0]
    assert counts["additions"] <= most[1]


# Shapes and batches ---------------------------------------------------------------------------


@every_derivative
@pytest.mark.parametrize("batch", [(), (1,), (2, 3), (0,)])
def test_results_have_the_shape_of_the_batch(lola: Dynamics, name: str, batch: tuple[int, ...]) -> None:
    x = np.random.default_rng(8).uniform(-1, 1, (3, *batch, 6))
    expected = lola._traced.signature(name).results
    assert [r.shape for r in as_tuple(getattr(lola, name)(*x))] == [(*batch, *shape) for shape in expected]


@pytest.mark.numpy
@every_derivative
@pytest.mark.parametrize("dyn", ["ur5", "lola"])
def test_batches_broadcast(name: str, dyn: str, request: pytest.FixtureRequest) -> None:
    evaluate = getattr(request.getfixturevalue(dyn), name)
    q, qd, last = np.random.default_rng(9).uniform(-1, 1, (3, 4, 3, 6))
    wrench = np.arange(6.0)
    wide = as_tuple(evaluate(q[:, :1], qd[0], last[0, 0], wrench))
    row = as_tuple(evaluate(q[2, 0].tolist(), qd[0, 1].tolist(), last[0, 0].tolist(), wrench))
    for result, expected in zip(wide, row, strict=True):
        assert result.shape[:2] == (4, 3)
        close(result[2, 1], expected, ROUNDING)


@every_derivative
@pytest.mark.parametrize("dyn", ["ur5", "lola"])
def test_a_state_that_is_not_a_number_spoils_its_whole_row_alone(
    name: str, dyn: str, request: pytest.FixtureRequest
) -> None:
    evaluate = getattr(request.getfixturevalue(dyn), name)
    x = np.random.default_rng(10).uniform(-1, 1, (3, 4, 6))
    good = as_tuple(evaluate(*x))
    x[2, 2, 1] = math.nan
    for result, expected in zip(as_tuple(evaluate(*x)), good, strict=True):
        assert np.isnan(result[2]).all()
        assert np.array_equal(np.delete(result, 2, 0), np.delete(expected, 2, 0))


@every_derivative
@pytest.mark.parametrize("dyn", ["ur5", "lola"])
def test_out_is_filled_and_returned(name: str, dyn: str, request: pytest.FixtureRequest) -> None:
    evaluate = getattr(request.getfixturevalue(dyn), name)
    x = np.random.default_rng(11).uniform(-1, 1, (3, 5, 6))
    expected = evaluate(*x, threads=2)
    out = tuple(np.full_like(result, math.nan) for result in as_tuple(expected))
    filled = as_tuple(evaluate(*x, out=out if isinstance(expected, tuple) else out[0]))
    assert all(a is b for a, b in zip(filled, out, strict=True))
    assert all(np.array_equal(a, b) for a, b in zip(out, as_tuple(expected), strict=True))


@pytest.mark.parametrize("dyn", ["ur5", "lola"])
@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        (np.empty((3, 6, 6)), "out is a ndarray, expected a tuple of 3 arrays"),
        ((np.empty((6, 6)),), "out has 1 elements, expected a tuple of 3 arrays"),
        ((np.empty((6, 6)),) * 2 + (np.empty(6),), "out has shape (6,) and type float64, expected (6, 6)"),
    ],
)
def test_an_out_that_does_not_fit_is_refused(
    dyn: str, out: Any, sentence: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(InputError) as caught:
        request.getfixturevalue(dyn).forward_derivatives(*np.zeros((3, 6)), out=out)
    assert str(caught.value).startswith(sentence)


def test_a_singular_mass_matrix_gives_no_number() -> None:
    weightless = replace(
        load("pendulum"), bodies=tuple(replace(b, inertia=Inertia()) for b in load("pendulum").bodies)
    )
    for result in Dynamics(weightless, "none").forward_derivatives([0.1], [0.2], [0.3]):
        assert not np.isfinite(result).any()
