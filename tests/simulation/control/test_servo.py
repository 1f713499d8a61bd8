"""The servo of one joint: what inertia and gains make of it, and what a step response says about it."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from armdyn.errors import InputError, ShapeError
from armdyn.simulation.control.servo import critical_velocity_gain, measured_servo, servo, step_response

EXACT = 1e-12
"""Relative: a few roundings."""
FITTED = 1e-7
"""Relative: where least squares of exact responses end."""


@pytest.mark.parametrize("n", [1.5, 4.0, 10.0])
def test_less_inertia_is_faster_and_more_damped_by_the_root(n: float) -> None:
    """[Bejczy1974] II."""
    J, kp = 3.0, 200.0
    kv = critical_velocity_gain(J, kp)
    nominal, lighter = servo(J, kp, kv), servo(J / n, kp, kv)
    assert nominal.damping == pytest.approx(1, rel=EXACT)
    assert lighter.frequency / nominal.frequency == pytest.approx(np.sqrt(n), rel=EXACT)
    assert lighter.damping / nominal.damping == pytest.approx(np.sqrt(n), rel=EXACT)
    restored = servo(J / n, kp, kv / np.sqrt(n))
    assert restored.damping == pytest.approx(1, rel=EXACT)
    assert critical_velocity_gain(J / n, kp) == pytest.approx(kv / np.sqrt(n), rel=EXACT)


def test_many_servos_at_once() -> None:
    found = servo([1.0, 4.0], 100.0, [20.0, 10.0])
    np.testing.assert_allclose(found.frequency, [10, 5], rtol=EXACT)
    np.testing.assert_allclose(found.damping, [1, 0.25], rtol=EXACT)


@pytest.mark.parametrize("damping", [0.05, 0.7, 0.9999, 1.0, 1.0001, 2.5, 30.0])
def test_step_response_solves_its_equation(damping: float) -> None:
    w, time = 6.0, np.linspace(0, 3, 41)
    run = solve_ivp(
        lambda _, x: [x[1], -w * w * x[0] - 2 * damping * w * x[1]],
        (0, 3),
        [1.0, 0.0],
        method="Radau" if damping > 10 else "DOP853",
        t_eval=time,
        rtol=1e-10,
        atol=1e-12,
    )
    np.testing.assert_allclose(step_response(time, w, damping), run.y[0], atol=1e-8)


def test_step_response_of_a_long_time_is_nothing() -> None:
    assert not step_response([1e6], 10.0, 50.0).any()


@pytest.mark.parametrize("damping", [0.03, 0.3, 0.99, 1.0, 1.01, 2.0, 8.0])
@pytest.mark.parametrize("frequency", [0.5, 40.0])
def test_exact_responses_are_recognised(frequency: float, damping: float) -> None:
    time = np.linspace(0, 6 * max(damping, 1 / damping) / frequency, 1001)
    found = measured_servo(time + 2, 0.2 - 0.5 * step_response(time, frequency, damping), 0.2)
    assert found.frequency == pytest.approx(frequency, rel=FITTED)
    assert found.damping == pytest.approx(damping, rel=FITTED)


def test_uneven_instants_and_noise() -> None:
    rng = np.random.default_rng(5)
    time = np.append(0.0, np.sort(rng.uniform(0, 2, 500)))
    left = step_response(time, 9.0, 0.8)
    left[1:] += rng.normal(0, 1e-3, 500)
    found = measured_servo(time, 1 - left, 1.0)
    assert found.frequency == pytest.approx(9, rel=2e-3)
    assert found.damping == pytest.approx(0.8, rel=5e-3)


def test_what_is_no_servo_is_refused() -> None:
    time = np.linspace(0, 3, 200)
    with pytest.raises(InputError, match=r"% of the step off that of any servo"):
        measured_servo(time, np.cos(9 * time) * np.sign(np.sin(2 * time) + 1e-9), 3.0)
    with pytest.raises(InputError, match="a step of 0"):
        measured_servo(time, 0 * time, 0.0)
    with pytest.raises(InputError, match="not finite"):
        measured_servo(time, time, float("nan"))
    with pytest.raises(ShapeError, match="200 instants"):
        measured_servo(time, np.zeros(5), 1.0)


def test_impossible_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="inertia is 0, expected a finite number above 0"):
        servo(0, 1, 1)
    with pytest.raises(InputError, match="kv is -1"):
        servo(1, 1, -1)
    with pytest.raises(InputError, match="kp is nan"):
        critical_velocity_gain(1, float("nan"))
