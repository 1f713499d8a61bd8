"""Spins: forces and masses against the energy, and the rule of those that have a joint of their own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics.spins import felt_by, spin_curvature, spin_state
from armdyn.mechanics.tree.coordinates import curvature_of
from armdyn.mechanics.tree.links import Coordinate, Spin
from armdyn.robot import ScrewTriangle
from armdyn.scalars import Graph, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import jacobian

# A dozen products.
RELATIVE = 1e-11

LAW = ScrewTriangle(0.08, 0.01, -0.02, 12.0, 0.2)
COORDINATES = st.sampled_from(
    [Coordinate(((0, 5.0), (2, -1.5)), scale=2.0), Coordinate(((1, 1),), inner=0.3, law=LAW, scale=-3.0)]
)
SEEDS = st.integers(0, 10_000)


def motion(seed: int) -> list[list[float]]:
    return np.random.default_rng(seed).uniform(-1, 1, (3, 3)).tolist()


@given(COORDINATES, SEEDS)
def test_torques_are_those_of_lagrange(coordinate, seed):
    """tau = d/dt (dT/dqd) - dT/dq of T = 1/2 I thetadot^2, by derivatives of the graph."""
    spin, x = Spin("s", 0.7, coordinate), motion(seed)
    graph = Graph()
    q, qd, qdd = (graph.inputs(name, 3) for name in ("q", "qd", "qdd"))
    energy = spin_state(spin, q, qd).energy
    (momentum,) = jacobian([energy], qd)
    (slope,) = jacobian([energy], q)
    rates = zip(jacobian(momentum, q), jacobian(momentum, qd), slope, strict=True)
    tau = [
        sum(a * v + b * w for a, v, b, w in zip(by_q, qd, by_qd, qdd, strict=True)) - s
        for by_q, by_qd, s in rates
    ]
    expected = run_batch(program(tau), dict(zip(("q", "qd", "qdd"), map(np.array, x), strict=True)), (3,))
    found = np.zeros(3)
    for j, torque in spin_state(spin, *x).torques:
        found[j] += torque
    assert found == pytest.approx(expected, rel=RELATIVE, abs=RELATIVE)


@given(COORDINATES, st.sampled_from([None, 0, 1, 2]), SEEDS)
def test_energy_is_half_of_masses_times_rates(coordinate, own, seed):
    """With a joint of its own, of that joint's rate alone."""
    spin, (q, qd, _) = Spin("s", 0.7, coordinate, own), motion(seed)
    H = np.zeros((3, 3))
    for i, j, mass in spin_state(spin, q).masses:
        assert i >= j
        H[i, j] = H[j, i] = mass
    assert float(spin_state(spin, q, qd).energy) == pytest.approx(0.5 * np.array(qd) @ H @ qd, rel=RELATIVE)
    felt = felt_by(spin)
    assert felt == {j for j, _ in spin_state(spin, q).gradient} == set(np.flatnonzero(np.diag(H)))
    assert felt <= {own} if own is not None else len(felt) >= 1


def test_a_joint_of_its_own_leaves_the_change_of_the_slope_out():
    """theta'^2 I qdd, though the law bends; at rest, and of rates alone, nothing."""
    (q, qd, qdd), coordinate = motion(4), Coordinate(((1, 1),), law=LAW)
    spin = Spin("s", 0.7, coordinate, own=1)
    ((_, slope),) = spin_state(spin, q).gradient
    ((joint, torque),) = spin_state(spin, q, qd, qdd).torques
    assert joint == 1
    assert torque == pytest.approx(slope**2 * 0.7 * qdd[1], rel=RELATIVE)
    assert spin_state(spin, q, qd).torques == []
    assert spin_curvature(spin, q) == ()
    whole = Spin("s", 0.7, coordinate)
    assert spin_curvature(whole, q) == curvature_of(coordinate, q) != ()
    assert abs(spin_state(whole, q, qd).torques[0][1]) > 0
