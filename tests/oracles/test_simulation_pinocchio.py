"""A simulation beside an independent one: Pinocchio's forward dynamics, integrated by SciPy."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import armdyn as ad
from armdyn.simulation import simulate
from formats.urdf.samples import PUBLISHED
from pinocchio_model import ProjectedTree

pin: Any = importlib.import_module("pinocchio")

CLOSE = 1e-8
"""[rad] Over 5 s; both integrate to 1e-12."""
DURATION = 5.0


def torque(gravity: np.ndarray, t: float) -> np.ndarray:
    """About what holds the arm at the start, and a swing of every joint."""
    k = np.arange(1.0, len(gravity) + 1)
    return gravity + 0.2 * np.abs(gravity).max() / k * np.sin((1.0 + 0.3 * k) * t)


@pytest.mark.parametrize("integrator", ["dop853", "lsoda"])
def test_a_swinging_ur5_agrees_with_pinocchio_and_scipy(integrator):
    path = str(PUBLISHED["ur_description/urdf/ur5_robot.urdf"])
    model = pin.buildModelFromUrdf(path)
    data = model.createData()
    q0 = np.array([0.1, -1.2, 1.1, -0.4, 0.3, 0.2])
    hold = pin.computeGeneralizedGravity(model, data, q0)
    damping = np.array([2.0, 2.0, 1.5, 0.4, 0.4, 0.3])

    def f(t: float, y: np.ndarray) -> np.ndarray:
        q, qd = y[:6], y[6:]
        return np.concatenate([qd, pin.aba(model, data, q, qd, torque(hold, t) - damping * qd)])

    start = np.concatenate([q0, np.zeros(6)])
    theirs = solve_ivp(f, (0.0, DURATION), start, "DOP853", rtol=1e-12, atol=1e-13)
    arm = ad.load(path, literal=True)
    ours = simulate(
        ad.Dynamics(arm, "none"),
        DURATION,
        controller=lambda t, q, qd: torque(hold, t) - damping * qd,
        q=q0,
        integrator=integrator,
        rtol=1e-12,
        atol=1e-13,
    )
    assert np.abs(ours.q[-1] - theirs.y[:6, -1]).max() < CLOSE
    assert np.abs(ours.qd[-1] - theirs.y[6:, -1]).max() < 10 * CLOSE  # faster than one radian a second
    assert np.ptp(ours.q, axis=0).min() > 0.05  # every joint has moved


def test_motors_and_rotors_of_an_irb6_agree_with_every_rotor_a_body():
    """Ball screws, a parallelogram, a coupled wrist; currents drive it, friction is left out."""
    arm = ad.load("irb6")
    dyn = ad.Dynamics(arm, "exact", friction=False)
    oracle = ProjectedTree(arm, rotors=True)
    q0 = np.array([0.1, 0.05, -0.1, 0.2, 0.1])

    def current(t: float) -> np.ndarray:
        return np.array([0.5, 3.0, -0.7, 0.2, 0.1]) * (1 + 0.3 * np.sin(3 * t))

    def f(t: float, y: np.ndarray) -> np.ndarray:
        q, qd = y[:5], y[5:]
        K = gears(q)
        tau = K.T @ (0.1 * current(t))
        bias = oracle.inverse(q, qd, np.zeros(5))
        return np.concatenate([qd, np.linalg.solve(oracle.mass_matrix(q), tau - bias)])

    def gears(q: np.ndarray) -> np.ndarray:
        """d theta/d q by differences of the motor positions, a central one of fourth order."""
        h = 1e-3
        columns = []
        for j in range(5):
            e = np.eye(5)[j] * h
            a, b, c, d = (dyn.motor_position(q + k * e) for k in (-2, -1, 1, 2))
            columns.append((a - 8 * b + 8 * c - d) / (12 * h))
        return np.array(columns).T

    duration = 0.5
    start = np.concatenate([q0, np.zeros(5)])
    theirs = solve_ivp(f, (0.0, duration), start, "DOP853", rtol=1e-11, atol=1e-12)
    ours = simulate(dyn, duration, current=current, q=q0)
    assert np.abs(ours.q[-1] - theirs.y[:5, -1]).max() < CLOSE
    assert np.abs(ours.q[-1] - q0).max() > 0.01
