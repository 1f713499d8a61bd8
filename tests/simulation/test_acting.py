"""What acts on an arm, where it jumps and where it fails; against closed forms of one body along x."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import SimulationError
from armdyn.robot import Body, Joint, Robot
from armdyn.simulation import Simulation, sampled, simulate
from armdyn.simulation.control.called import of_function
from armdyn.simulation.signals import Function
from armdyn.spatial import Inertia

MASS = 2.0
FIXED = ("euler", "semi_implicit", "rk4")
EVERY = (*FIXED, "dop853", "lsoda")
END, DT = 0.1, 1e-3
"""[s] How long runs last, and their fixed step."""
EXACT = 1e-10
X, ACCELERATION = 0, 6
"""Where a wrench has its force along x, and a motion of the base its acceleration along x."""


@pytest.fixture(scope="module")
def dyn() -> Dynamics:
    """A body that slides along x without friction."""
    body = Body("body", Joint("x", "prismatic", (1, 0, 0)), "base", Inertia(MASS))
    return Dynamics(Robot("slider", (body,)), friction=False)


def along_x(width: int, k: int, *values: float) -> np.ndarray:
    """Rows of so many numbers, all 0 but for one of each."""
    rows = np.zeros((len(values), width))
    rows[:, k] = values
    return rows


def acting(name: str, values: tuple[float, ...], times: tuple[float, ...]) -> dict[str, Any]:
    """Forces on the body, held from instant to instant, in one of three ways."""
    shares = {"torque": (1, 0, 1.0), "wrench": (6, X, -1.0), "base": (12, ACCELERATION, -1 / MASS)}
    width, k, share = shares[name]
    return {name: sampled(times, along_x(width, k, *(share * value for value in values)), "hold")}


def motion(forces: tuple[float, ...], times: tuple[float, ...]) -> tuple[float, float]:
    """Where the body is after them, and how fast."""
    q = qd = 0.0
    for force, lasts in zip(forces, np.diff(times), strict=False):
        q += qd * lasts + 0.5 * force / MASS * lasts**2
        qd += force / MASS * lasts
    return q, qd


# Jumps ----------------------------------------------------------------------------------------

OFF_GRID, ON_GRID = (0.0, 0.0372, 0.2), (0.0, 0.037, 0.2)
FORCES = (6.0, -8.0, 0.0)


@pytest.mark.parametrize("integrator", ["dop853", "lsoda"])
@pytest.mark.parametrize("name", ["torque", "wrench", "base"])
def test_a_jump_between_two_steps_acts_from_its_instant(dyn, name, integrator):
    run = simulate(dyn, END, **acting(name, FORCES, OFF_GRID), integrator=integrator)
    q, qd = motion(FORCES, (0.0, OFF_GRID[1], END))
    assert run.q[-1] == pytest.approx([q], abs=EXACT)
    assert run.qd[-1] == pytest.approx([qd], abs=EXACT)
    assert run.qdd[:4, 0] == pytest.approx(FORCES[0] / MASS)
    assert run.qdd[4:, 0] == pytest.approx(FORCES[1] / MASS)


@pytest.mark.parametrize("integrator", FIXED)
@pytest.mark.parametrize("name", ["torque", "wrench", "base"])
def test_a_fixed_step_sees_a_jump_at_its_nearest_end(dyn, name, integrator):
    run = simulate(dyn, END, **acting(name, FORCES, OFF_GRID), integrator=integrator, dt=DT)
    _, qd = motion(FORCES, (0.0, OFF_GRID[1], END))
    _, seen = motion(FORCES, (0.0, 0.037, END))
    assert run.qd[-1] == pytest.approx([qd], abs=DT * abs(FORCES[0] - FORCES[1]) / MASS)
    assert run.qd[-1] == pytest.approx([seen], abs=EXACT)


@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize("name", ["torque", "wrench", "base"])
def test_a_jump_at_the_end_of_a_step_is_not_smeared(dyn, name, integrator):
    run = simulate(dyn, END, **acting(name, FORCES, ON_GRID), integrator=integrator, dt=DT)
    q, qd = motion(FORCES, (0.0, ON_GRID[1], END))
    assert run.qd[-1] == pytest.approx([qd], abs=EXACT)
    assert run.qdd[:37, 0] == pytest.approx(FORCES[0] / MASS)
    assert run.qdd[37:, 0] == pytest.approx(FORCES[1] / MASS)
    if integrator in ("rk4", "dop853", "lsoda"):  # the others have no second order in time
        assert run.q[-1] == pytest.approx([q], abs=EXACT)


@pytest.mark.parametrize("name", ["wrench", "base"])
def test_jumps_of_several_inputs_are_all_seen(dyn, name):
    other = acting("torque", (1.0, 5.0, 0.0), (0.0, 0.0611, 0.2))
    run = simulate(dyn, END, **acting(name, FORCES, OFF_GRID), **other)
    q, qd = motion((7.0, -7.0, -3.0), (0.0, OFF_GRID[1], 0.0611, END))
    assert run.q[-1] == pytest.approx([q], abs=EXACT)
    assert run.qd[-1] == pytest.approx([qd], abs=EXACT)


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
@pytest.mark.parametrize("name", ["wrench", "base"])
def test_what_goes_into_a_contact_or_the_base_is_counted(dyn, name, integrator):
    """5 N drive, 3 N are taken, and 2 N move the body."""
    run = simulate(dyn, END, torque=[5.0], **acting(name, (-3.0,) * 3, ON_GRID), integrator=integrator)
    q = run.q[:, 0]
    assert run.work == pytest.approx(5.0 * q, abs=EXACT)
    assert run.exerted == pytest.approx(3.0 * q, abs=EXACT)
    assert run.kinetic_energy == pytest.approx(2.0 * q, abs=EXACT)
    assert np.abs(run.energy_residual).max() < EXACT
    assert np.abs(run.power_residual).max() < EXACT


@pytest.mark.parametrize("integrator", ["dop853", "rk4"])
@pytest.mark.parametrize(("name", "said"), [("wrench", "the wrench"), ("base", "the motion of the base")])
def test_what_is_known_for_too_short_a_time_is_named(dyn, name, said, integrator):
    message, run = failed(dyn, 0.5, **acting(name, FORCES, OFF_GRID), integrator=integrator)
    assert message.startswith(f"{said} ends at 0.2 s but the run lasts 0.5 s")
    assert run.time[-1] == pytest.approx(0.2)


# Failures -------------------------------------------------------------------------------------


def failed(dyn: Dynamics, duration: float, **options: Any) -> tuple[str, Simulation]:
    """The sentence, and what there is."""
    return _told(caught(dyn, duration, **options))


def caught(dyn: Dynamics, duration: float, **options: Any) -> SimulationError:
    with pytest.raises(SimulationError) as found:
        simulate(dyn, duration, **options)
    return found.value


def _told(error: SimulationError) -> tuple[str, Simulation]:
    assert error.result.failure == str(error)
    assert "\n" not in str(error)
    return str(error), error.result


def assert_kept(run: Simulation, until: float) -> None:
    """The run has what it came to: a body that is pushed with 1 N."""
    assert run.time[-1] == pytest.approx(until, abs=0.011)
    assert run.q[:, 0] == pytest.approx(0.5 * run.time**2 / MASS, abs=1e-3)
    assert run.checkpoint.t <= until + 1.5 * DT  # one that asks at the end of its step is told there


@pytest.mark.parametrize("integrator", EVERY)
def test_a_function_whose_states_become_nan_is_named(dyn, integrator):
    def broken(t: float, q: np.ndarray, qd: np.ndarray, z: np.ndarray) -> tuple[Any, Any]:
        return np.ones(1), np.array([1.0, np.nan if t > 0.05 else 0.0])

    message, run = failed(dyn, END, controller=of_function(broken, 1, 2), integrator=integrator)
    assert "what the controller integrates: component 2 is nan at 0.05" in message
    assert_kept(run, 0.05)
    assert run.states[:, 0] == pytest.approx(run.time)
    assert (run.states[:, 1] == 0).all()


@pytest.mark.parametrize("integrator", EVERY)
@pytest.mark.parametrize(("name", "width"), [("wrench", 6), ("base", 12)])
def test_a_wrench_or_a_base_that_becomes_nan_is_named(dyn, name, width, integrator):
    def broken(t: float) -> np.ndarray:
        return along_x(width, 2, np.nan if t > 0.05 else 0.0)[0]

    options = {name: broken, "torque": [1.0], "integrator": integrator}
    message, run = failed(dyn, END, **options)
    assert f"{name}: component 3 is nan at 0.05" in message
    assert_kept(run, 0.05)


@pytest.mark.parametrize("integrator", EVERY)
def test_an_exception_of_a_controller_is_told_and_kept(dyn, integrator):
    def broken(t: float, q: np.ndarray, qd: np.ndarray) -> np.ndarray:
        if t > 0.05:
            raise KeyError("gain")
        return np.ones(1)

    error = caught(dyn, END, controller=broken, integrator=integrator)
    message, run = _told(error)
    assert "the controller raised KeyError: 'gain' at 0.05" in message
    assert isinstance(error.__cause__, KeyError)
    assert_kept(run, 0.05)


@pytest.mark.parametrize("name", ["torque", "wrench", "base"])
def test_an_exception_of_a_function_of_time_is_told_and_kept(dyn, name):
    width = {"torque": 1, "wrench": 6, "base": 12}[name]

    def broken(t: float) -> np.ndarray:
        if t > 0.05:
            raise ZeroDivisionError
        return np.zeros(width)

    error = caught(dyn, END, **{name: Function(broken, width, source="the schedule")})
    message, run = _told(error)
    assert "the schedule raised ZeroDivisionError at 0.05" in message
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert run.time[-1] == pytest.approx(0.05, abs=0.011)
