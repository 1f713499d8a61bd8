"""[Szkodny1995] sec. 3: the IRb-6 under armature currents comes to rest where friction holds it."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from armdyn.simulation.integration.course import IntegratorName
from armdyn.simulation.results import Simulation

SCHEDULE = Path(__file__).parents[2] / "examples" / "motions" / "irb6_currents.toml"
ANGLES = [-130.0, -66.7, -51.0, -199.0, -199.0]
"""[rad] The printed static state,"""
CURRENTS = [0.0, 3.18, -0.73, 0.0, 0.0]
"""[A] and the currents that maintain it."""
NEAR = 1.0
"""[rad] The schedule was made for representative inertias, with currents of two decimals."""
ALMOST = 0.1
"""[A] Printed are "about" 0 A."""
HELD = 10.0
"""[s]"""
INTEGRATORS = ["euler", "semi_implicit", "rk4", "dop853", "lsoda"]


@pytest.fixture(autouse=True)
def _compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tens of thousands of steps: minutes with NumPy."""
    monkeypatch.setenv("ARMDYN_NATIVE", "quick")


@cache
def run(integrator: IntegratorName) -> Simulation:
    """12 s of the schedule from home; fixed steps of 1 ms, as in the paper."""
    return ad.simulate("irb6", 12.0, input=SCHEDULE, integrator=integrator, sample=0.01)


def known(values: np.ndarray | None) -> np.ndarray:
    assert values is not None
    return values


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_motors_come_to_rest_near_the_printed_state(integrator: IntegratorName) -> None:
    found = run(integrator)
    np.testing.assert_allclose(known(found.motor_position)[0], 0, atol=1e-4)  # screws: printed zeros
    np.testing.assert_allclose(known(found.motor_position)[-1], ANGLES, atol=NEAR)
    np.testing.assert_allclose(known(found.current)[-1], CURRENTS, atol=ALMOST)
    assert {event.kind for event in found.events} == {"slips", "sticks"}, "no joint leaves its range"


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_nothing_moves_for_ten_seconds(integrator: IntegratorName) -> None:
    found = run(integrator)
    stops = {event.motor: event.time for event in found.events if event.kind == "sticks"}
    assert set(stops) == {1, 2, 3, 4, 5}
    resting = found.time > max(stops.values())
    assert found.time[resting][0] < found.time[-1] - HELD
    assert (found.q[resting] == found.q[-1]).all(), "to the last bit"
    assert not found.qd[resting].any()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_every_motor_is_held_by_friction(integrator: IntegratorName) -> None:
    found = run(integrator)
    held = found.dyn.sticking(found.q[-1], found.qd[-1], found.tau[-1])
    starting = [point.friction.at_rest for point in found.dyn.friction_points]
    assert held.sticks.all()
    assert (np.abs(held.resistances) > 1e-4).all(), "friction takes something of every motor"
    assert (np.abs(held.resistances) < starting).all()
    carried = ad.Dynamics(found.robot, friction=False).gravity(found.q[-1])
    motors = found.dyn.motor_torque(found.q[-1], carried)
    np.testing.assert_allclose(known(found.motor_torque)[-1] - motors, held.resistances, atol=1e-12)


def test_without_friction_nothing_holds() -> None:
    found = run("dop853")
    free = ad.Dynamics(found.robot, friction=False)
    assert np.abs(free.forward(found.q[-1], found.qd[-1], found.tau[-1])).min() > 1e-3


def test_adaptive_integrators_agree() -> None:
    np.testing.assert_allclose(run("lsoda").q, run("dop853").q, atol=1e-7)


def test_euler_ends_near_by() -> None:
    """It is of first order, and the arm tips over: what is off grows."""
    gap = known(run("euler").motor_position)[-1] - known(run("dop853").motor_position)[-1]
    assert 0.01 < np.abs(gap).max() < 0.5


def test_power_balances() -> None:
    found = run("dop853")
    assert np.abs(found.power_residual).max() < 1e-9
    assert np.abs(found.energy_residual).max() < 1e-9 * found.dissipated[-1]
