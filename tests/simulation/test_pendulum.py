"""One joint against closed forms: the swinging, the damped and the rubbing pendulum, and mass on a spring."""

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import ellipj, ellipk

from armdyn.dynamics import Dynamics
from armdyn.robot import Body, Friction, Joint, Robot
from armdyn.simulation.control.controllers import pid
from armdyn.simulation.control.references import fixed
from armdyn.simulation.integration.course import IntegratorName
from armdyn.simulation.results import Simulation
from armdyn.simulation.simulate import simulate
from armdyn.spatial import Inertia

MASS, LENGTH, GRAVITY = 2.0, 0.6, 9.81
W = math.sqrt(GRAVITY / LENGTH)
"""[rad/s] of small swings"""
WEIGHT, INERTIA = MASS * GRAVITY * LENGTH, MASS * LENGTH**2
AGREES = 1e-9
"""[rad, or relative] What adaptive integration leaves over some ten seconds."""
INSTANT = 1e-9
"""[s] How far off an event may be."""


def pendulum(friction: Friction | None = None) -> Dynamics:
    """A point mass that hangs at q = 0."""
    joint = Joint("pivot", axis=(0, 1, 0), friction=friction or Friction())
    inertia = Inertia(MASS, com=(0, 0, -LENGTH))
    robot = Robot("pendulum", (Body("rod", joint, inertia=inertia),), gravity=(0, 0, -GRAVITY))
    return Dynamics(robot, friction=True)


def times_of_passing(run: Simulation) -> np.ndarray:
    """When the pendulum hangs down: by the quintic through positions, velocities and accelerations."""
    q, qd, qdd, h = run.q[:, 0], run.qd[:, 0], run.qdd[:, 0], run.time[1]
    found = []
    for k in np.flatnonzero(q[:-1] * q[1:] < 0):
        rows = [
            [math.comb(p, d) * math.factorial(d) * h ** (p - d) if p >= d else 0 for p in range(6)]
            for d in range(3)
        ]
        start = np.array([q[k], qd[k], qdd[k] / 2])
        rest = [q[k + 1], qd[k + 1], qdd[k + 1]] - np.array(rows)[:, :3] @ start
        polynomial = np.polynomial.Polynomial([*start, *np.linalg.solve(np.array(rows)[:, 3:], rest)])
        found.append(run.time[k] + brentq(polynomial, 0, h, xtol=1e-15))
    return np.array(found)


# Swinging -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("degrees", "integrator"),
    [(1, "dop853"), (90, "dop853"), (150, "dop853"), (179, "dop853"), (90, "lsoda"), (150, "lsoda")],
)
def test_period_is_the_elliptic_integral(degrees: float, integrator: IntegratorName) -> None:
    """T = 4 K(sin^2(A/2))/w, and sin(q/2) = sin(A/2) sn(K - w t) all along.

    Near 180 degrees the period depends on the last bit of energy, and LSODA is 1e-7 off.
    """
    amplitude = math.radians(degrees)
    k = math.sin(amplitude / 2)
    period = 4 * ellipk(k * k) / W
    run = simulate(
        pendulum(), 2.5 * period, q=[amplitude], integrator=integrator, dt=5e-3, rtol=1e-12, atol=1e-14
    )
    passed = times_of_passing(run)
    np.testing.assert_allclose(np.diff(passed), period / 2, rtol=AGREES)
    wanted = 2 * np.arcsin(k * ellipj(ellipk(k * k) - W * run.time, k * k)[0])
    np.testing.assert_allclose(run.q[:, 0], wanted, atol=50 * AGREES)


def test_large_swings_are_slow() -> None:
    """So that the test above could not pass with 2 pi/w."""
    assert ellipk(math.sin(math.radians(75)) ** 2) > 1.7 * math.pi / 2


# Damped ---------------------------------------------------------------------------------------


def miss_of_small_angles(amplitude: float, damping: float, duration: float) -> float:
    """How far a damped swing is off J q'' + b q' + m g l q = 0, relative to its amplitude."""
    viscous = 2 * damping * W * INERTIA
    run = simulate(pendulum(Friction(viscous=viscous)), duration, q=[amplitude], rtol=1e-13, atol=1e-20)
    wd = W * math.sqrt(1 - damping**2)
    t = run.time
    wanted = np.exp(-damping * W * t) * (np.cos(wd * t) + damping * W / wd * np.sin(wd * t))
    return float(np.abs(run.q[:, 0] / amplitude - wanted).max())


def test_small_damped_swings() -> None:
    """The miss is that of sin(q) = q - q^3/6: a phase that lags by A^2 w t/16 where nothing damps."""
    amplitude, damping, duration = 1e-4, 0.05, 10.0
    assert 1e-11 < miss_of_small_angles(amplitude, damping, duration) < amplitude**2 / 16 * W * duration


def test_what_is_missed_grows_with_the_square_of_the_amplitude() -> None:
    small, large = (miss_of_small_angles(amplitude, 0.05, 10.0) for amplitude in (1e-3, 1e-2))
    assert large / small == pytest.approx(100, rel=1e-3)


# Rubbing --------------------------------------------------------------------------------------

STIFFNESS, RUBS = 50.0, 0.5


def carriage(starting: float | None = None) -> Dynamics:
    """A mass that slides with dry friction."""
    joint = Joint(
        "rail", kind="prismatic", axis=(1, 0, 0), friction=Friction(coulomb=RUBS, starting=starting)
    )
    return Dynamics(Robot("carriage", (Body("carriage", joint, inertia=Inertia(MASS)),)), friction=True)


@pytest.mark.parametrize("start", [0.2345, -0.155, 0.0251])
def test_mass_on_a_spring_stops_where_and_when_it_must(start: float) -> None:
    """Every half cycle takes pi/w and 2 F/k of the amplitude; below F/k friction holds."""
    dyn = carriage()
    spring = pid(dyn, fixed([0.0]), kp=STIFFNESS, kv=0.0)
    run = simulate(dyn, 8.0, controller=spring, q=[start])
    halves = math.ceil((abs(start) - RUBS / STIFFNESS) / (2 * RUBS / STIFFNESS))
    half = math.pi / math.sqrt(STIFFNESS / MASS)
    turns = [event.time for event in run.events if event.kind == "reverses"]
    stops = [event.time for event in run.events if event.kind == "sticks"]
    np.testing.assert_allclose(turns, half * np.arange(1, halves), atol=INSTANT)
    np.testing.assert_allclose(stops, [halves * half], atol=INSTANT)
    stopped = (-1) ** halves * (abs(start) - 2 * halves * RUBS / STIFFNESS) * np.sign(start)
    assert run.q[-1, 0] == pytest.approx(stopped, abs=AGREES)
    assert not run.qd[-1].any()


def test_amplitude_falls_in_a_line() -> None:
    """By 4 F/k every cycle."""
    dyn = carriage()
    period = 2 * math.pi / math.sqrt(STIFFNESS / MASS)
    run = simulate(
        dyn,
        5 * period,
        controller=pid(dyn, fixed([0.0]), kp=STIFFNESS, kv=0.0),
        q=[0.25],
        sample=period,
        dt=period,
    )
    np.testing.assert_allclose(run.q[:, 0], 0.25 - 4 * RUBS / STIFFNESS * np.arange(6), atol=AGREES)


@pytest.mark.slow
def test_rubbing_pendulum_turns_where_energy_says() -> None:
    """m g l (cos a' - cos a) = F (a + a') from one turning point a to the next, -a'."""
    rubs = 0.6
    run = simulate(pendulum(Friction(coulomb=rubs)), 20.0, q=[2.0], dt=2e-3)
    turns = [event.time for event in run.events if event.kind == "reverses"]
    (stop,) = [event.time for event in run.events if event.kind == "sticks"]
    wanted = [2.0]
    while math.sin(wanted[-1]) * WEIGHT > rubs:
        a = wanted[-1]
        root: Any = brentq(lambda b, a=a: WEIGHT * (math.cos(b) - math.cos(a)) - rubs * (a + b), 1e-6 - a, a)
        wanted.append(root)
    extremes = np.array(wanted) * (-1.0) ** np.arange(len(wanted))
    assert len(turns) == len(wanted) - 2
    assert run.q[-1, 0] == pytest.approx(extremes[-1], abs=AGREES)
    for time, extreme in zip([*turns, stop], extremes[1:], strict=True):
        before = int(np.searchsorted(run.time, time)) - 1
        late = time - run.time[before]
        at = run.q[before, 0] + late * run.qd[before, 0] + late**2 * run.qdd[before, 0] / 2
        assert at == pytest.approx(extreme, abs=1e-6)
    assert run.energy[-1] - run.energy[0] == pytest.approx(
        -rubs * np.abs(np.diff(extremes)).sum(), rel=AGREES
    )
