"""What is minimised: its derivatives beside numerical ones, and that it ends at the limits."""

import numpy as np
import pytest

from armdyn.feasibility.verify import arms
from armdyn.formats import load
from armdyn.identification.base_parameters import base_parameters
from armdyn.identification.excitation.bases import Fourier, Polynomials
from armdyn.identification.excitation.course import Course
from armdyn.identification.excitation.criterion import CriterionName
from armdyn.identification.excitation.draws import draw
from armdyn.identification.excitation.given import experiment_of, limits_of
from armdyn.identification.excitation.objective import Objective, Stage

DIFFERENCE = 1e-5
NUMERICAL = 2e-5
"""Of central differences, in parts of the largest derivative: where the condition number is 1e4, as for
random motions of an arm that rubs at joints and motors, smaller ones are rounding."""
STAGE = Stage(1e-2, 2, 0.1)
ROOM = [(-1.0, 1.0), (-1.0, 1.0), (-1.0, 1.5)]


def objective_of(name, basis, friction, criterion: CriterionName = "condition", room=None):
    arm = arms(None, friction)(load(name))
    limits = limits_of(arm, None, None, None, room, 1.0)
    experiment, _ = experiment_of(arm, base_parameters(arm.dyn), limits, None, scaled=True)
    time = np.linspace(0.0, basis.duration, 41)
    objective = Objective(experiment, limits, basis, criterion, time)
    drawn = draw(limits, basis, time, 5, np.random.default_rng(0))
    return objective, drawn.course(0).shrunk(0.6, drawn.centres[0])  # off the walls


def assert_gradient(objective, course):
    x = objective.variables(course)
    slopes = objective.gradient(x, STAGE)
    chosen = np.random.default_rng(0).permutation(len(x))[:12]
    for k in chosen:
        step = DIFFERENCE * np.eye(len(x))[k]
        change = objective.value(x + step, STAGE) - objective.value(x - step, STAGE)
        assert change / (2 * DIFFERENCE) == pytest.approx(slopes[k], abs=NUMERICAL * np.abs(slopes).max())


@pytest.mark.parametrize(
    ("name", "friction", "criterion", "room"),
    [
        ("ur5", True, "condition", ROOM),
        ("planar3", True, "d_optimal", None),
        ("scara", True, "d_optimal", None),  # motors of which friction is known, a sliding joint
        pytest.param(
            "jpl_rrp", False, "d_optimal", None, marks=pytest.mark.slow
        ),  # motors and an effort limit
        pytest.param("irb6", False, "d_optimal", None, marks=pytest.mark.slow),  # gears that change
        pytest.param("lola15", False, "d_optimal", None, marks=pytest.mark.slow),  # coupled gears
    ],
)
def test_the_gradient_is_the_gradient(name, friction, criterion, room):
    assert_gradient(*objective_of(name, Fourier(10.0, 3), friction, criterion, room))


def test_the_gradient_of_polynomials():
    assert_gradient(*objective_of("planar3", Polynomials(10.0, 4), True))


def test_beyond_a_limit_there_is_a_wall():
    objective, course = objective_of("planar3", Fourier(10.0, 3), False)
    x = objective.variables(course)
    assert np.isfinite(objective.value(x, STAGE))
    assert objective.value(10 * x, STAGE) == np.inf


def test_variables_and_motions_are_one():
    objective, course = objective_of("planar3", Fourier(10.0, 3), False)
    again = objective.course(objective.variables(course))
    assert again.coefficients == pytest.approx(course.coefficients)
    alone = np.zeros_like(course.coefficients)
    alone[2, 1] = objective.sizes[2, 1]  # a variable of size one uses a joint's limits in full
    q, qd, qdd = Course(objective.basis, alone).at(objective.time)
    limits = objective.limits
    half = 0.5 * (limits.high - limits.low)
    peaks = (
        (np.abs(q) / half).max(),
        (np.abs(qd) / limits.velocity).max(),
        (np.abs(qdd) / limits.acceleration).max(),
    )
    assert max(peaks) == pytest.approx(1)
