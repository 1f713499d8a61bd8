"""Laws of dry friction on random robots: what it may take, what it holds, and where the power goes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.optimize import lsq_linear

import armdyn as ad
from armdyn.dynamics.friction_methods import Sticking
from armdyn.mechanics.tree.coordinates import CoordinateState, state_of
from armdyn.mechanics.tree.motors import MotorModel
from random_robots import Features, robots, states

ROBOTS = settings(max_examples=max(20, settings().max_examples // 2))
"""Each robot's steps have to be traced: half as many robots as elsewhere, with several states each."""
COUNT = 8
RELATIVE = 1e-9
"""Of forces and accelerations: their condition number, up to some 1e3, times an allowed residual of 1e-13."""
BEYOND = 1e-7
"""A force beyond its bound, or an acceleration of what sticks, relative to the largest: rounding of gears."""

STEADY = Features(bodies=4, friction=True, load=False, moving_base=False)
"""Friction that does not depend on the load; gears may be nonlinear."""
LOADED = Features(bodies=4, friction=True, nonlinear=False, moving_base=False)
"""Friction that depends on the load too, at joints and motors."""
EITHER = st.sampled_from([STEADY, LOADED])
seeds = st.integers(0, 10_000)


@st.composite
def rubbing(draw: st.DrawFn, features: st.SearchStrategy[Features] = EITHER) -> ad.Dynamics:
    """A random robot with friction under a random motor model that conserves energy."""
    some = draw(features)
    robot = draw(robots(some))
    known: list[MotorModel] = [
        "exact",
        "augmented",
        "coupled",
        "none",
        *([] if some.nonlinear else ["reflected"]),
    ]
    return ad.Dynamics(robot, draw(st.sampled_from(known)) if robot.drives else "none", friction=True)


def partly(seed: int, *arrays: np.ndarray) -> list[np.ndarray]:
    """The arrays with some elements zero, the first row whole and the second all zero."""
    rng = np.random.default_rng(seed + 1)
    some = [np.where(rng.random(x.shape) < 0.5, x, 0.0) for x in arrays]
    for kept, x in zip(some, arrays, strict=True):
        kept[0], kept[1] = x[0], 0.0
    return some


@dataclass(frozen=True)
class Case:
    """States of a robot some of whose joints rest, and the motion that torques cause there."""

    dyn: ad.Dynamics
    q: np.ndarray
    qd: np.ndarray
    tau: np.ndarray

    @classmethod
    def of(cls, dyn: ad.Dynamics, seed: int) -> Case:
        """Torques that balance weight and velocity, and from a little to a lot more."""
        q, qd, pull = states(dyn.robot, seed, COUNT)
        (qd,) = partly(seed, qd)
        size = np.geomspace(0.05, 20.0, COUNT)[:, None]
        return cls(dyn, q, qd, dyn.bias(q, qd) + size * pull)

    @property
    def arrays(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What forward dynamics takes."""
        return self.q, self.qd, self.tau

    def thetas(self, row: int, qdd: np.ndarray) -> list[CoordinateState]:
        """The coordinates of all friction points in one of the states."""
        points = self.dyn.friction_points
        return [state_of(p.coordinate, self.q[row], self.qd[row], qdd[row]) for p in points]


def rests(theta: CoordinateState, qd: np.ndarray) -> bool:
    """Whether a coordinate is at rest but for rounding."""
    return bool(abs(theta.rate) <= 1e-12 * sum(abs(slope * qd[j]) for j, slope in theta.gradient))


# There and back -------------------------------------------------------------------------------


@ROBOTS
@given(rubbing(), seeds)
def test_forward_undoes_inverse_where_some_joints_rest_and_some_start(dyn: ad.Dynamics, seed: int) -> None:
    """At rest inverse takes starting friction in the direction of qdd, nothing where qdd = 0."""
    q, qd, qdd = states(dyn.robot, seed, COUNT)
    qd, qdd = partly(seed, qd, qdd)
    tau = dyn.inverse(q, qd, qdd)
    found = dyn.forward(q, qd, tau)
    # several accelerations may need the same torques where friction depends on the load
    loss = 1e-12 * np.linalg.cond(dyn.mass_matrix(q)).max() * max(1.0, np.abs(tau).max())
    assert np.abs(found - qdd).max() <= max(RELATIVE, loss)


# Complementarity ------------------------------------------------------------------------------


@ROBOTS
@given(rubbing(), seeds)
def test_torques_are_met(dyn: ad.Dynamics, seed: int) -> None:
    """H qdd + bias + friction = tau, with the friction that is reported."""
    case = Case.of(dyn, seed)
    caused = dyn.sticking(*case.arrays)
    free = ad.Dynamics(dyn.robot, dyn.motors, friction=False)
    assert np.isfinite(caused.acceleration).all()
    needed = free.inverse(case.q, case.qd, caused.acceleration) + caused.friction
    assert np.abs(needed - case.tau).max() <= RELATIVE * max(1.0, np.abs(case.tau).max())
    assert np.allclose(dyn.forward(*case.arrays), caused.acceleration, rtol=RELATIVE, atol=RELATIVE)


@ROBOTS
@given(rubbing(), seeds)
def test_what_is_reported_of_points_adds_up_to_what_joints_lose(dyn: ad.Dynamics, seed: int) -> None:
    case = Case.of(dyn, seed)
    caused = dyn.sticking(*case.arrays)
    for row in range(COUNT):
        lost = np.zeros(dyn.n)
        for f, theta in zip(caused.resistances[row], case.thetas(row, caused.acceleration), strict=True):
            for j, slope in theta.gradient:
                lost[j] += slope * f
        assert np.abs(lost - caused.friction[row]).max() <= RELATIVE * max(1.0, np.abs(lost).max())


@ROBOTS
@given(rubbing(), seeds)
def test_what_sticks_stays_and_what_slides_takes_its_bound(dyn: ad.Dynamics, seed: int) -> None:
    """|f| <= bound; f = bound sign(a) where a != 0; a = 0 where |f| < bound."""
    case = Case.of(dyn, seed)
    caused = dyn.sticking(*case.arrays)
    for row in range(COUNT):
        thetas = case.thetas(row, caused.acceleration)
        biggest = max(1.0, max((abs(theta.acceleration) for theta in thetas), default=0.0))
        on = loads_of(case, caused, row)
        for k, (point, theta) in enumerate(zip(dyn.friction_points, thetas, strict=True)):
            f, sticks = caused.resistances[row, k], caused.sticks[row, k]
            if not rests(theta, case.qd[row]) or not point.friction.dry:
                assert not sticks
                continue
            load = on[k] + f if point.friction.load_includes_friction else on[k]
            bound = point.friction.at_rest + point.friction.load * abs(load)
            size = BEYOND * max(1.0, bound)
            assert abs(f) <= bound + size
            if sticks:
                assert abs(theta.acceleration) <= BEYOND * biggest
            elif abs(theta.acceleration) > BEYOND * biggest:
                assert abs(f - np.sign(theta.acceleration) * bound) <= size
            else:
                assert abs(abs(f) - bound) <= size


def loads_of(case: Case, caused: Sticking, row: int) -> list[float]:
    """The load of each point: of a joint what passes through it, of a motor K^-T of all torques."""
    dyn, q, qd = case.dyn, case.q[row], case.qd[row]
    loads = dyn._traced.loads({"q": q.tolist()}, qd.tolist(), caused.acceleration[row].tolist())
    carried = np.array(loads.torque, float)
    points = dyn.friction_points
    for f, point, theta in zip(
        caused.resistances[row], points, case.thetas(row, caused.acceleration), strict=True
    ):
        if point.side == "joint":
            for j, slope in theta.gradient:
                carried[j] += slope * f
    on: list[float] = []
    for point in points:
        if not point.friction.load or point.owner is None:
            on.append(0.0)
        elif point.side == "joint":
            on.append(float(loads.joint[point.owner]))
        else:
            on.append(float(np.linalg.solve(dyn.gear_matrix(q).T, carried)[point.owner]))
    return on


@ROBOTS
@given(rubbing(), seeds)
def test_joints_that_friction_holds_have_exactly_no_acceleration(dyn: ad.Dynamics, seed: int) -> None:
    case = Case.of(dyn, seed)
    caused = dyn.sticking(*case.arrays)
    for row in range(COUNT):
        for k, point in enumerate(dyn.friction_points):
            if caused.sticks[row, k] and point.side == "joint" and point.owner is not None:
                assert caused.acceleration[row, point.owner] == 0.0
    assert np.array_equal(dyn.forward(*case.arrays) == 0.0, caused.acceleration == 0.0)


# Another method -------------------------------------------------------------------------------


@ROBOTS
@given(rubbing(st.just(STEADY)), seeds)
def test_accelerations_are_those_of_the_convex_problem(dyn: ad.Dynamics, seed: int) -> None:
    """Its dual, min |L^-1 (r - G^T f)| with |f| <= S and H = L L^T, by SciPy's bounded least squares."""
    case = Case.of(dyn, seed)
    found = dyn.forward(*case.arrays)
    free = ad.Dynamics(dyn.robot, dyn.motors, friction=False)
    H, bias = free.mass_matrix(case.q), free.bias(case.q, case.qd)
    assume(np.linalg.cond(H).max() < 1e4)
    for row in range(COUNT):
        expected = by_least_squares(case, row, H[row], case.tau[row] - bias[row])
        assert np.abs(found[row] - expected).max() <= RELATIVE * 100 * max(1.0, np.abs(expected).max())


def by_least_squares(case: Case, row: int, H: np.ndarray, r: np.ndarray) -> np.ndarray:
    """qdd; what moves takes its friction in motion, what rests is left to the solver."""
    G: list[np.ndarray] = []
    S: list[float] = []
    for point, theta in zip(case.dyn.friction_points, case.thetas(row, np.zeros_like(case.q)), strict=True):
        g = np.zeros(case.dyn.n)
        for j, slope in theta.gradient:
            g[j] = slope
        law = point.friction
        if not rests(theta, case.qd[row]):
            r = r - g * (law.viscous * theta.rate + np.sign(theta.rate) * law.coulomb)
        elif law.dry:
            G.append(g)
            S.append(law.at_rest)
    if not G:
        return np.linalg.solve(H, r)
    L = np.linalg.cholesky(H)
    A = np.linalg.solve(L, np.array(G).T * S)
    solved = lsq_linear(A, np.linalg.solve(L, r), (-1, 1), method="bvls", tol=1e-15, max_iter=1000)
    return np.linalg.solve(H, r - np.array(G).T @ (np.array(S) * solved.x))


# Power ----------------------------------------------------------------------------------------


@ROBOTS
@given(rubbing(), seeds)
def test_no_point_of_friction_ever_drives(dyn: ad.Dynamics, seed: int) -> None:
    """In a motion that is given, and in one that torques cause."""
    case = Case.of(dyn, seed)
    caused = dyn.sticking(*case.arrays)
    given_ = dyn.resistances(case.q, case.qd, caused.acceleration)
    for row in range(COUNT):
        thetas = case.thetas(row, caused.acceleration)
        for k, theta in enumerate(thetas):
            if not rests(theta, case.qd[row]):
                assert caused.resistances[row, k] * theta.rate >= 0
                assert given_[row, k] * theta.rate >= 0


STEP = 1e-4
"""[s] between energies: they lose STEP^2 of the third derivative, and 1e-16/STEP of the energy."""
BALANCE = 1e-5
"""Relative to the powers: rates of some 20/s cubed, times STEP^2."""


@ROBOTS
@given(rubbing(), seeds)
def test_power_in_is_the_rate_of_energy_and_what_friction_takes(dyn: ad.Dynamics, seed: int) -> None:
    """Tau . qd = dE/dt + sum f theta', the energies differenced along the motion that tau causes."""
    case = Case.of(dyn, seed)
    q, qd, tau = case.arrays
    caused = dyn.sticking(q, qd, tau)
    qdd = caused.acceleration

    def energy(t: float) -> np.ndarray:
        there, rate = q + t * qd + 0.5 * t * t * qdd, qd + t * qdd
        return dyn.kinetic_energy(there, rate) + dyn.potential_energy(there)

    gained = (energy(STEP) - energy(-STEP)) / (2 * STEP)
    for row in range(COUNT):
        thetas = case.thetas(row, qdd)
        rates = np.array([0.0 if rests(theta, qd[row]) else theta.rate for theta in thetas])
        lost = caused.resistances[row] @ rates
        power = tau[row] @ qd[row]
        size = max(1.0, abs(power), abs(lost), float(np.abs(tau[row] * qd[row]).sum()))
        assert lost >= 0
        assert abs(power - gained[row] - lost) <= BALANCE * size
