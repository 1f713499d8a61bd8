"""Friction that holds: decided for all coordinates together, exact at rest, in batches and single calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.mechanics.body_parameters import parameters_of
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot, Rotor, ScrewTriangle
from armdyn.scalars.batch import Losses
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal
from dynamics.differences import close, differences_of

EXACT = 1e-14
"""Some operations on numbers near one."""
SAME = 1e-10
"""Relative to the largest: accelerations of another order of operations, or of another engine."""
SEED = 5

GRIP = Friction(coulomb=1.0)


def sliders(first: Friction, second: Friction, drives: tuple[Drive, ...] = ()) -> Robot:
    """Two bodies of 1 kg along x, the second on the first, on level ground: H = [[2, 1], [1, 1]]."""
    bodies = (
        Body("b1", Joint("x1", "prismatic", (1, 0, 0), friction=first), "base", Inertia(1.0)),
        Body("b2", Joint("x2", "prismatic", (1, 0, 0), friction=second), "b1", Inertia(1.0)),
    )
    return Robot("sliders", bodies, drives)


H = np.array([[2.0, 1.0], [1.0, 1.0]])
STILL = np.zeros(2)


# Two axes by hand -----------------------------------------------------------------------------


def axis_by_axis(G: np.ndarray, tau: np.ndarray) -> np.ndarray:
    """qdd if each coordinate y = G q sticks for itself, where its own force does not exceed 1."""
    back = np.linalg.inv(G)
    M, u = back.T @ H @ back, back.T @ tau
    moves = np.abs(u) > 1.0
    ydd = np.zeros(2)
    ydd[moves] = np.linalg.solve(M[np.ix_(moves, moves)], (u - np.sign(u))[moves])
    return back @ ydd


def belted() -> Robot:
    """Body 2 rubs on body 1, and its motor on the ground: theta = x1 + x2, no inertia of its own."""
    belt = Drive("m2", "x2", Coupling.of({"x1": 1.0, "x2": 1.0}), Rotor(0.0), friction=GRIP)
    return sliders(Friction(), GRIP, (belt,))


SIDES = {
    "joints": (sliders(GRIP, GRIP), np.eye(2)),
    "a joint and a coupled motor": (belted(), np.array([[0.0, 1.0], [1.0, 1.0]])),
}


@pytest.mark.parametrize(
    ("side", "tau", "qdd", "taken", "sticks"),
    [
        pytest.param(
            # |0.9| <= 1: axis 1 would stick, and axis 2 alone accelerate with 3 - 1 = 2; but body 2 then
            # pushes body 1 back with 2, and 0.9 - 2 = -1.1 is more than friction holds. Both move, 1 back:
            # H qdd = (0.9 + 1, 3 - 1), qdd = (1.9 - 2, -1.9 + 2 * 2) = (-0.1, 2.1)
            "joints",
            (0.9, 3.0),
            (-0.1, 2.1),
            (-1.0, 1.0),
            (False, False),
            id="coupling breaks loose, backwards, what seems to stick",
        ),
        pytest.param(
            # |1.4| > 1: axis 1 would move: H qdd = (0.4, 0.6), qdd = (-0.2, 0.8), backwards, driven by its
            # own friction. It sticks: qdd_2 = 1.6 - 1 = 0.6, and friction at 1 takes 1.4 - 0.6 = 0.8 <= 1
            "joints",
            (1.4, 1.6),
            (0.0, 0.6),
            (0.8, 1.0),
            (True, False),
            id="coupling holds what seems to move",
        ),
        pytest.param(
            # y = (x2, x1 + x2), u = (tau2 - tau1, tau1) = (0.9, 3), M = [[1, -1], [-1, 2]]. |0.9| <= 1: y1
            # would stick, y2 accelerate with (3 - 1)/2 = 1; but that takes 0.9 + 1 = 1.9 > 1 of friction.
            # Both move: M y'' = (-0.1, 2), y'' = (2 * -0.1 + 2, -0.1 + 2) = (1.8, 1.9), qdd = (0.1, 1.8)
            "a joint and a coupled motor",
            (3.0, 3.9),
            (0.1, 1.8),
            (1.0, 1.0),
            (False, False),
            id="a coupled motor breaks loose what seems to stick",
        ),
        pytest.param(
            # u = (-1.5, 3): |-1.5| > 1, y1 would move backwards: M y'' = (-0.5, 2), y'' = (1, 1.5), forwards.
            # It sticks: y2'' = (3 - 1)/2 = 1, and friction at y1 takes -1.5 + 1 = -0.5
            "a joint and a coupled motor",
            (3.0, 1.5),
            (1.0, 0.0),
            (-0.5, 1.0),
            (True, False),
            id="a coupled motor holds what seems to move",
        ),
    ],
)
def test_two_axes_stick_together_and_not_each_for_itself(
    side: str,
    tau: tuple[float, float],
    qdd: tuple[float, float],
    taken: tuple[float, float],
    sticks: tuple[bool, bool],
) -> None:
    robot, G = SIDES[side]
    dyn = Dynamics(robot, friction=True)
    assert dyn.mass_matrix(STILL) == pytest.approx(H, rel=EXACT)
    for sign in (1, -1):
        caused = dyn.sticking(STILL, STILL, sign * np.array(tau))
        assert np.abs(caused.acceleration - sign * np.array(qdd)).max() <= EXACT
        assert np.abs(caused.resistances - sign * np.array(taken)).max() <= EXACT
        assert caused.friction == pytest.approx(G.T @ caused.resistances, rel=EXACT)
        assert tuple(caused.sticks) == sticks
        assert np.abs(dyn.forward(STILL, STILL, sign * np.array(tau)) - sign * np.array(qdd)).max() <= EXACT
        wrong = axis_by_axis(G, sign * np.array(tau))
        assert np.abs(wrong - caused.acceleration).max() > 0.05


@pytest.mark.parametrize(
    ("tau", "qdd"),
    [
        ((0.9, -0.9), (0.0, 0.0)),
        ((3.0, 1.0), (1.0, 0.0)),  # qdd_1 = (3 - 1)/2, which leaves 1 - 1 = 0 for friction at 2
        ((6.0, 4.0), (2.0, 1.0)),  # H qdd = (6 - 1, 4 - 1)
    ],
)
def test_where_each_axis_for_itself_is_right_we_agree(
    tau: tuple[float, float], qdd: tuple[float, float]
) -> None:
    dyn = Dynamics(sliders(GRIP, GRIP), friction=True)
    assert axis_by_axis(np.eye(2), np.array(tau)) == pytest.approx(qdd, abs=EXACT)
    assert dyn.forward(STILL, STILL, tau) == pytest.approx(qdd, abs=EXACT)


def test_what_moves_pulls_on_what_rests() -> None:
    """Axis 2 slides back, friction pulls it forwards: f2 = -1, qdd_2 = 0.5 + 1, f1 = 0.2 - 1.5."""
    dyn = Dynamics(sliders(replace(GRIP, starting=1.4), GRIP), friction=True)
    caused = dyn.sticking(STILL, [0.0, -0.1], [0.2, 0.5])
    assert caused.acceleration == pytest.approx([0.0, 1.5], abs=EXACT)
    assert caused.resistances == pytest.approx([-1.3, -1.0], abs=EXACT)
    assert caused.sticks.tolist() == [True, False]
    loose = Dynamics(sliders(GRIP, GRIP), friction=True).forward(STILL, [0.0, -0.1], [0.2, 0.5])
    assert loose == pytest.approx([-0.3, 1.8], abs=EXACT)  # H qdd = (0.2 + 1, 0.5 + 1)


# Held exactly ---------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["irb6", "puma560"])
def held(request: pytest.FixtureRequest) -> Dynamics:
    return Dynamics(load(request.param))


@pytest.fixture(scope="module")
def irb6() -> Dynamics:
    return Dynamics(load("irb6"))


@pytest.fixture(scope="module")
def lola() -> Dynamics:
    return Dynamics(load("lola15"))


def postures(dyn: Dynamics, count: int) -> np.ndarray:
    """Near home, where no screw of irb6 comes to its dead point."""
    return dyn.robot.home + np.random.default_rng(SEED).uniform(-0.3, 0.3, (count, dyn.n))


def starting(dyn: Dynamics) -> np.ndarray:
    """What the friction of each motor holds."""
    assert all(point.side == "motor" for point in dyn.friction_points)
    return np.array([point.friction.at_rest for point in dyn.friction_points])


INSIDE, OUTSIDE = 1 - 1e-9, 1 + 1e-6


def test_an_arm_within_the_bands_of_all_motors_stays_put_exactly(held: Dynamics) -> None:
    """Motor torques K^-T g hold the arm; friction takes what is missing, up to its bound at every motor."""
    q, S = postures(held, 200), starting(held)
    missing = np.random.default_rng(SEED).uniform(-1, 1, q.shape)
    missing[:64] = np.sign(missing[:64])  # corners of the box
    tau = held.gravity(q) + held.torque_of_motors(q, INSIDE * S * missing)
    caused = held.sticking(q, 0 * q, tau)
    assert (caused.acceleration == 0.0).all()
    assert (held.forward(q, 0 * q, tau) == 0.0).all()
    assert caused.sticks.all()
    assert np.abs(caused.resistances - S * missing).max() <= 1e-6 * S.max()


@pytest.mark.parametrize("way", [-1, 1])
def test_each_motor_starts_when_it_should_and_where_to(held: Dynamics, way: int) -> None:
    S = starting(held)
    for q in postures(held, 5):
        for k, unit in enumerate(np.eye(held.n)):
            torque = way * S * unit
            resting, loose = (
                held.sticking(q, 0 * q, held.gravity(q) + held.torque_of_motors(q, share * torque))
                for share in (INSIDE, OUTSIDE)
            )
            assert (resting.acceleration == 0.0).all()
            accelerations = held.motor_acceleration(q, 0 * q, loose.acceleration)
            inertia = held.effective_inertia(q)[k]  # the other motors stick
            expected = way * S[k] * (OUTSIDE - 1) / inertia
            assert accelerations[k] == pytest.approx(expected, rel=1e-6)
            assert loose.sticks.tolist() == [j != k for j in range(held.n)]
            assert np.abs(np.delete(accelerations, k)).max() <= 1e-9 * abs(expected)


def test_starting_friction_holds_and_that_in_motion_does_not(irb6: Dynamics) -> None:
    """A torque between the two: nothing at rest, ever more speed in motion; below both, less of it."""
    q = irb6.robot.home
    for k, point in enumerate(irb6.friction_points):
        law = point.friction
        assert law.coulomb < law.at_rest
        for way in (-1, 1):
            spin = np.linalg.solve(irb6.gear_matrix(q), way * 1e-6 * np.eye(5)[k])
            for torque, faster in ((0.5 * (law.coulomb + law.at_rest), 1), (0.9 * law.coulomb, -1)):
                tau = irb6.gravity(q) + irb6.torque_of_motors(q, way * torque * np.eye(5)[k])
                assert (irb6.forward(q, np.zeros(5), tau) == 0.0).all()
                moving = irb6.motor_acceleration(q, spin, irb6.forward(q, spin, tau))
                assert np.sign(moving[k]) == way * faster


def test_a_motor_whose_joints_turn_against_each_other_rests_and_holds() -> None:
    """theta = 3 q1 - q2 at rates (0.1, 0.3): it stands but for rounding, and friction keeps it there."""
    drive = Drive("m", "x1", Coupling.of({"x1": 3.0, "x2": -1.0}), Rotor(0.0), friction=GRIP)
    dyn = Dynamics(sliders(Friction(), Friction(), (drive,)), friction=True)
    qd, tau = np.array([0.1, 0.3]), np.array([0.4, 0.2])
    caused = dyn.sticking(STILL, qd, tau)
    assert caused.sticks.tolist() == [True]
    assert 3 * caused.acceleration[0] - caused.acceleration[1] == pytest.approx(0.0, abs=EXACT)
    # along (1, 3) nothing rubs: (1, 3) H (1, 3)^T = 17 and (1, 3) tau = 1
    assert caused.acceleration == pytest.approx([1 / 17, 3 / 17], rel=100 * EXACT)


@pytest.mark.parametrize("cosine", [-0.02, 0.02])
def test_a_screw_at_its_dead_point_holds_nothing(cosine: float) -> None:
    """There its ratio is zero, and friction of the motor does not reach the joint, at rest or passing by."""
    screw = ScrewTriangle(0.08, cosine, 0.0, 10.0, 0.2)
    drive = Drive("m", "j", Coupling.of({"j": 1.0}, 0.0, screw), friction=GRIP)
    body = Body("b", Joint("j"), "base", Inertia(0.0, tensor=diagonal(0.5, 0.5, 0.5)))
    dyn = Dynamics(Robot("dead", (body,), (drive,)), friction=True)
    assert dyn.gear_matrix([0.0]) == 0.0
    for rate in (0.0, 0.7, -0.7):
        caused = dyn.sticking([0.0], [rate], [1.0])
        assert caused.acceleration == pytest.approx([2.0], rel=EXACT)
        assert not caused.sticks.any()
        assert dyn.forward([0.0], [rate], [1.0]) == pytest.approx([2.0], rel=EXACT)
    assert dyn.forward([0.1], [0.0], [0.01]) == 0.0


# Another method -------------------------------------------------------------------------------


def rubbing_on_both_sides() -> Robot:
    """Four links with friction at joints and coupled motors at once: more points than joints."""
    rng = np.random.default_rng(SEED)
    bodies = tuple(
        Body(
            f"b{k}",
            Joint(
                f"j{k}",
                axis=tuple(rng.normal(size=3).tolist()),
                placement=Transform(translation=(0.3, 0.0, 0.0)),
                friction=Friction(0.1, 2.0, 3.0) if k != 1 else Friction(),
            ),
            f"b{k - 1}" if k else "base",
            Inertia(2.0, (0.15, 0.0, 0.0), diagonal(0.05, 0.06, 0.07)),
        )
        for k in range(4)
    )
    K = np.diag([50.0, 60.0, 40.0, 30.0]) + 40.0 * np.triu(rng.uniform(-1, 1, (4, 4)), 1)
    drives = tuple(
        Drive(
            f"m{k}",
            f"j{k}",
            Coupling.of({f"j{j}": float(K[k, j]) for j in range(4)}),
            Rotor(3e-4),
            friction=Friction(0.001, 0.03, 0.05),
        )
        for k in range(4)
    )
    return Robot("both sides", bodies, drives)


@pytest.fixture(scope="module")
def both() -> Dynamics:
    return Dynamics(rubbing_on_both_sides(), friction=True)


def some_at_rest(dyn: Dynamics, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """States at rest, partly at rest and in motion, under torques around those that hold the arm."""
    rng = np.random.default_rng(SEED)
    q = dyn.robot.home + rng.uniform(-0.3, 0.3, (count, dyn.n))
    share = rng.choice([0.0, 0.5, 1.0], (count, 1))
    qd = np.where(rng.random(q.shape) < share, rng.uniform(-1, 1, q.shape), 0.0)
    pull = rng.uniform(-1, 1, q.shape) * rng.choice([1.0, 3.0, 10.0, 50.0], (count, 1))
    return q, qd, dyn.bias(q, qd) + pull


def test_accelerations_are_those_of_the_convex_problem(both: Dynamics) -> None:
    """The dual of min 1/2 qdd^T H qdd - r qdd + sum S |G qdd| by SciPy's bounded least squares."""
    q, qd, tau = some_at_rest(both, 400)
    found, losses = np.empty_like(q), Losses()
    both.forward(q, qd, tau, out=found, losses=losses)
    assert losses.rows == 0
    H_all, bias = both.mass_matrix(q), both.bias(q, qd)
    G = np.zeros((len(both.friction_points), 4))
    for k, point in enumerate(both.friction_points):
        for j, weight in point.coordinate.weights:
            G[k, j] = weight
    laws = [point.friction for point in both.friction_points]
    coulomb, viscous, S = (np.array([getattr(f, k) for f in laws]) for k in ("coulomb", "viscous", "at_rest"))
    for row in range(len(q)):
        rates = G @ qd[row]
        rests = np.abs(rates) <= 1e-12 * np.abs(G) @ np.abs(qd[row])
        running = np.where(rests, 0.0, viscous * rates + coulomb * np.sign(rates))
        r = tau[row] - bias[row] - G.T @ running
        L = np.linalg.cholesky(H_all[row])
        A = np.linalg.solve(L, (G[rests] * S[rests, None]).T)
        f = S[rests] * bounded(A, np.linalg.solve(L, r))
        expected = np.linalg.solve(H_all[row], r - G[rests].T @ f)
        assert np.abs(found[row] - expected).max() <= 10 * SAME * max(1.0, np.abs(expected).max())


def bounded(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """x of min |A x - b|, |x| <= 1."""
    if not A.shape[1]:
        return np.zeros(0)
    return lsq_linear(A, b, (-1, 1), method="bvls", tol=1e-15, max_iter=1000).x


def test_where_joint_and_motor_stick_their_sum_is_what_holds(both: Dynamics) -> None:
    q = both.robot.home
    pull = np.array([1.0, 0.5, -1.0, 1.0])
    caused = both.sticking(q, np.zeros(4), both.gravity(q) + pull)
    assert (caused.acceleration == 0.0).all()
    assert caused.sticks.all()
    assert caused.friction == pytest.approx(pull, abs=1e-9)


# Under load -----------------------------------------------------------------------------------


def test_lola_holds_within_a_share_of_its_load(lola: Dynamics) -> None:
    """Friction mu |u| holds tau between u (1 - mu) and u (1 + mu), u the load by weight, and exactly."""
    q = postures(lola, 100)
    mu = np.array([point.friction.load for point in lola.friction_points[:6]])
    u = lola.gravity(q)
    share = np.random.default_rng(SEED).uniform(-1, 1, q.shape)
    caused = lola.sticking(q, 0 * q, u * (1 + INSIDE * mu * share))
    loaded = [
        1,
        2,
        3,
        4,
    ]  # joints 1 and 6 turn about lines through what they carry, or upright: no load, no friction
    assert (caused.acceleration[:, loaded] == 0.0).all()
    assert np.abs(caused.acceleration).max() <= 1e-13
    assert caused.sticks[:, loaded].all()
    assert not caused.sticks[:, 6:].any()  # viscous friction of the motors holds nothing
    assert np.abs(caused.resistances[:, :6] - u * mu * share).max() <= 1e-6 * np.abs(u).max()


@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("way", [-1, 1])
def test_lola_moves_outside_of_it(lola: Dynamics, k: int, way: int) -> None:
    q = postures(lola, 1)[0]
    mu, u = lola.friction_points[k].friction.load, lola.gravity(q)
    for beyond in (1e-6, 0.1):
        tau = u.copy()
        tau[k] += way * (1 + beyond) * mu * abs(u[k])
        caused = lola.sticking(q, 0 * q, tau)
        assert np.sign(caused.acceleration[k]) == way
        assert not caused.sticks[k]
        assert lola.inverse(q, 0 * q, caused.acceleration)[k] == pytest.approx(tau[k], rel=1e-9)


def weighed(friction: Friction) -> Dynamics:
    """A joint that its level arm of 0.5 kg m2 loads with 10 N m."""
    body = Body(
        "b",
        Joint("j", axis=(0.0, -1.0, 0.0), friction=friction),
        "base",
        Inertia(1.0, (0.5, 0.0, 0.0), diagonal(0.0, 0.25, 0.25)),
    )
    return Dynamics(Robot("weighed", (body,), gravity=(0.0, 0.0, -20.0)), friction=True)


@pytest.mark.parametrize(
    ("included", "least", "most", "moving"),
    [
        # |f| <= 1 + 10/4 = 3.5.
        # Up: tau = u + 1 + u/4, 14 = 1 + 1.25 u: u = 10.4. Down: 6 = -1 + 0.75 u: u = 28/3
        (False, 6.5, 13.5, {14.0: 0.4 / 0.5, 6.0: (28 / 3 - 10) / 0.5}),
        # |f| <= 1 + tau/4, as tau = u + f: 10 + 1 + tau/4 = tau or 10 - 1 - tau/4 = tau.
        # Up: u = 16 - 1 - 4. Down: u = 6 + 1 + 1.5
        (True, 9 / 1.25, 11 / 0.75, {16.0: 1.0 / 0.5, 6.0: (8.5 - 10) / 0.5}),
    ],
)
def test_one_joint_under_load_by_hand(
    included: bool, least: float, most: float, moving: dict[float, float]
) -> None:
    dyn = weighed(Friction(starting=1.0, coulomb=0.5, load=0.25, load_includes_friction=included))
    assert dyn.gravity([0.0]) == pytest.approx([10.0], rel=EXACT)
    width = 1e-9 * (most - least)
    for tau in (least + width, 10.0, most - width):
        assert dyn.forward([0.0], [0.0], [tau]) == 0.0
        assert dyn.sticking([0.0], [0.0], [tau]).resistances == pytest.approx([tau - 10.0], abs=1e-12)
    assert dyn.forward([0.0], [0.0], [least - 1e-6])[0] < 0
    assert dyn.forward([0.0], [0.0], [most + 1e-6])[0] > 0
    for tau, expected in moving.items():
        assert dyn.forward([0.0], [0.0], [tau]) == pytest.approx([expected], rel=100 * EXACT)


# Derivatives ----------------------------------------------------------------------------------


def test_what_is_held_does_not_answer_to_torques(held: Dynamics) -> None:
    q = postures(held, 20)
    tau = held.gravity(q)
    size = np.abs(np.linalg.inv(held.mass_matrix(q))).max()
    slopes = held.forward_derivatives(q, 0 * q, tau)
    assert np.abs(slopes[2]).max() <= EXACT * size
    assert (
        np.abs(slopes[0]).max() <= EXACT * size * np.abs(held.inverse_derivatives(q, 0 * q, 0 * q)[0]).max()
    )
    assert np.abs(held.forward_parameter_derivatives(q, 0 * q, tau)).max() <= 1e-12 * size


def loose_at(name: str) -> tuple[Dynamics, np.ndarray, np.ndarray]:
    """A robot, a state (q, qd, tau) in which some points stick and others move, and which joints rest."""
    if name == "sliders":
        dyn = Dynamics(sliders(GRIP, Friction(0.2, 1.0)), friction=True)
        return dyn, np.array([[0.0, 0.1], [0.0, -0.1], [0.8, 0.3]]), np.array([True, False])
    dyn = Dynamics(load("irb6" if name == "irb6" else "lola15"))
    q = postures(dyn, 1)[0]
    qd = np.zeros(dyn.n)
    tau = dyn.gravity(q)
    if name == "irb6":  # motor 1 turns; motor 2 starts, the others stick
        qd[0] = 0.3
        tau += dyn.torque_of_motors(q, [0.2, 0.3, 0.0, 0.0, 0.0])
    else:  # joint 1 turns, joint 2 starts, joint 3 sticks; the wrist carries too little to stick in motion
        qd[[0, 3, 4, 5]] = 0.3, 0.2, -0.4, 0.5
        tau[0] += 50.0
        tau[1] *= 1.5
    return dyn, np.array([q, qd, tau]), qd == 0


@pytest.mark.parametrize("name", ["sliders", "irb6", "lola15"])
def test_where_some_stick_and_some_move_derivatives_are_what_differences_say(name: str) -> None:
    dyn, x, resting = loose_at(name)
    sticks = dyn.sticking(*x).sticks
    assert sticks.any()
    assert not sticks.all()
    size = np.abs(np.linalg.inv(dyn.mass_matrix(x[0]))).max()
    by_q, by_qd, by_tau = dyn.forward_derivatives(*x)
    close(by_q, differences_of(dyn.forward, x, 0), 1e-5, least=size)
    close(by_qd[:, ~resting], differences_of(dyn.forward, x, 1)[:, ~resting], 1e-5, least=size)
    close(by_tau, differences_of(dyn.forward, x, 2), 1e-5, least=size)
    A, B = dyn.linearisation(*x)
    n = dyn.n
    assert np.array_equal(A, np.block([[np.zeros((n, n)), np.eye(n)], [by_q, by_qd]]))
    assert np.array_equal(B, np.concatenate([np.zeros((n, n)), by_tau]))


@pytest.mark.numpy
@pytest.mark.parametrize("name", ["sliders", "irb6", "lola15"])
def test_a_heavier_body_changes_what_moves_as_its_parameters_say(name: str) -> None:
    """Beside differences of forward dynamics, one-sided (no mass is negative) but of second order."""
    dyn, x, _ = loose_at(name)
    slopes, share = dyn.forward_parameter_derivatives(*x), 1e-4
    extra = Inertia(1.0, (0.1, -0.05, 0.07), diagonal(0.02, 0.03, 0.04))
    k = 1  # a body that rests or starts, on one that rests or moves
    none, once, twice = (
        Dynamics(heavier(dyn.robot, k, extra, many * share), dyn.motors, True).forward(*x)
        for many in (0, 1, 2)
    )
    expected = (4 * once - twice - 3 * none) / (2 * share)
    close(slopes[:, k] @ np.array(parameters_of(extra), float), expected, 1e-6)


def heavier(robot: Robot, k: int, extra: Inertia, share: float) -> Robot:
    """The robot with a share of an inertia added to a body."""
    tensor: Any = (share * np.array(extra.tensor)).tolist()
    inertia = robot.bodies[k].inertia + Inertia(share * extra.mass, extra.com, tensor)
    return replace(
        robot, bodies=(*robot.bodies[:k], replace(robot.bodies[k], inertia=inertia), *robot.bodies[k + 1 :])
    )


def test_lolas_derivatives_in_motion_are_what_differences_say(lola: Dynamics) -> None:
    q, qd, qdd = np.random.default_rng(SEED).uniform(-1, 1, (3, 4, 6))
    tau = lola.inverse(q, qd, qdd)
    for row in zip(q, qd, tau, strict=True):
        x = np.array(row)
        for k, slope in enumerate(lola.forward_derivatives(*x)):
            close(slope, differences_of(lola.forward, x, k), 1e-6, least=1.0)


# Batches --------------------------------------------------------------------------------------

QUANTITIES: dict[str, Callable[..., Any]] = {
    "forward": lambda dyn, *x, **run: (dyn.forward(*x, **run),),
    "forward_derivatives": lambda dyn, *x, **run: dyn.forward_derivatives(*x, **run),
    "linearisation": lambda dyn, *x, **run: dyn.linearisation(*x, **run),
    "forward_parameter_derivatives": lambda dyn, *x, **run: (dyn.forward_parameter_derivatives(*x, **run),),
}
every_quantity = pytest.mark.parametrize("name", QUANTITIES)


def nearly(ours: np.ndarray, theirs: np.ndarray) -> None:
    size = max(1.0, float(np.abs(theirs).max(initial=0.0)))
    assert np.abs(ours - theirs).max(initial=0.0) <= 100 * SAME * size


@pytest.fixture(scope="module", params=["irb6", "lola15", "both sides"])
def any_dyn(request: pytest.FixtureRequest) -> Dynamics:
    if request.param == "both sides":
        return Dynamics(rubbing_on_both_sides(), friction=True)
    return Dynamics(load(request.param))


@every_quantity
def test_a_batch_with_rows_in_motion_and_at_rest_is_its_rows(any_dyn: Dynamics, name: str) -> None:
    x = some_at_rest(any_dyn, 12)
    whole = QUANTITIES[name](any_dyn, *x)
    for k in range(12):
        for result, one in zip(whole, QUANTITIES[name](any_dyn, *(a[k] for a in x)), strict=True):
            nearly(result[k], one)


@every_quantity
def test_the_other_engine_gives_the_same(
    any_dyn: Dynamics, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    x = some_at_rest(any_dyn, 30)
    compiled = QUANTITIES[name](any_dyn, *x)
    monkeypatch.setenv("ARMDYN_NATIVE", "0")
    for ours, theirs in zip(QUANTITIES[name](any_dyn, *x), compiled, strict=True):
        nearly(ours, theirs)


@every_quantity
def test_rows_that_are_no_numbers_stay_alone(irb6: Dynamics, name: str) -> None:
    x = [a.copy() for a in some_at_rest(irb6, 9)]
    x[1][:3] = 0.0
    good = QUANTITIES[name](irb6, *x)
    x[0][1, 2], x[1][4, 0], x[2][7, 1] = np.nan, np.inf, np.nan
    losses = Losses()
    for spoilt, whole in zip(QUANTITIES[name](irb6, *x, losses=losses), good, strict=True):
        bad = [1, 4, 7]
        assert np.isnan(spoilt[bad]).all(axis=tuple(range(1, spoilt.ndim))).all()
        nearly(np.delete(spoilt, bad, 0), np.delete(whole, bad, 0))
    assert losses.rows == 0  # their inputs were none


@every_quantity
def test_out_is_filled_and_returned(irb6: Dynamics, name: str) -> None:
    x = some_at_rest(irb6, 9)
    expected = QUANTITIES[name](irb6, *x)
    out = tuple(np.full(result.shape, np.nan) for result in expected)
    given = QUANTITIES[name](
        irb6, *x, out=out[0] if name in ("forward", "forward_parameter_derivatives") else out
    )
    for result, filled, whole in zip(given, out, expected, strict=True):
        assert result is filled
        assert np.array_equal(filled, whole)


@pytest.mark.parametrize("place", [0, 1, 2])
def test_out_may_be_one_of_the_inputs(irb6: Dynamics, place: int) -> None:
    x = [a.copy() for a in some_at_rest(irb6, 9)]
    expected = irb6.forward(*x)
    assert np.array_equal(irb6.forward(*x, out=x[place]), expected)
    assert np.array_equal(x[place], expected)


def test_out_may_lie_anywhere(irb6: Dynamics) -> None:
    x = some_at_rest(irb6, 9)
    wide = np.zeros((9, 10))
    irb6.forward(*x, out=wide[:, ::2])
    assert np.array_equal(wide[:, ::2], irb6.forward(*x))
    assert not wide[:, 1::2].any()


@every_quantity
def test_threads_change_nothing(irb6: Dynamics, name: str) -> None:
    x = some_at_rest(irb6, 200 if name != "forward" else 9000)
    for ours, theirs in zip(
        QUANTITIES[name](irb6, *x, threads=3), QUANTITIES[name](irb6, *x, threads=1), strict=True
    ):
        nearly(ours, theirs)
    assert np.array_equal(irb6.sticking(*x, threads=3).sticks, irb6.sticking(*x).sticks)


@pytest.mark.parametrize("batch", [(0,), (2, 0), (), (1,), (2, 3)])
def test_results_have_the_shape_of_the_batch(irb6: Dynamics, batch: tuple[int, ...]) -> None:
    q = np.zeros((*batch, 5))
    tau = irb6.gravity(q) + 1.0
    assert irb6.forward(q, q, tau).shape == (*batch, 5)
    caused = irb6.sticking(q, q, tau)
    shapes = [x.shape for x in (caused.acceleration, caused.friction, caused.resistances, caused.sticks)]
    assert shapes == [(*batch, 5)] * 4
    assert irb6.resistances(q, q, q).shape == (*batch, 5)
    assert [x.shape for x in irb6.linearisation(q, q, tau)] == [(*batch, 10, 10), (*batch, 10, 5)]


def test_batches_broadcast(irb6: Dynamics) -> None:
    q, qd, tau = (a.reshape(2, 3, 5) for a in some_at_rest(irb6, 6))
    wide = irb6.forward(q[:, :1], qd[0], tau[0, 0])
    full = irb6.forward(*(np.broadcast_to(a, (2, 3, 5)) for a in (q[:, :1], qd[0], tau[0, 0])))
    assert np.array_equal(wide, full)
    assert irb6.sticking(q[:, :1], qd[0], tau[0, 0]).sticks.shape == (2, 3, 5)


def test_contact_and_a_moving_base_count_at_rest(irb6: Dynamics) -> None:
    """Forces that friction holds change nothing, more of them move the arm; torques to match hold it."""
    q, zero = irb6.robot.home, np.zeros(5)
    tau, push = irb6.gravity(q), np.array([0.0, 0.0, 10.0, 0.0, 0.0, 0.0])
    assert (irb6.forward(q, zero, tau, push) == 0.0).all()
    assert irb6.forward(q, zero, tau, 100 * push).any()
    lifted = np.zeros(12)
    lifted[9:] = 0.0, 0.0, 30.0
    for base in (lifted, np.roll(lifted, -3), np.roll(lifted, -6)):
        needed = irb6.bias(q, zero, 100 * push, at=(0.1, 0.0, 0.2), base=base)
        caused = irb6.sticking(q, zero, needed, 100 * push, at=(0.1, 0.0, 0.2), base=base)
        assert (caused.acceleration == 0.0).all()
        assert np.abs(caused.resistances).max() <= 1e-9


def test_what_has_no_mass_is_lost_and_counted() -> None:
    bodies = (Body("b1", Joint("x1", "prismatic", (1, 0, 0), friction=GRIP), "base", Inertia(0.0)),)
    losses = Losses()
    found = Dynamics(Robot("nothing", bodies), friction=True).forward(
        [[0.0], [0.0]], [[0.0], [1.0]], [[2.0], [2.0]], losses=losses
    )
    assert np.isnan(found).all()
    assert losses.rows == 2


# Single calls ---------------------------------------------------------------------------------


def test_single_calls_in_motion_and_at_rest_take_turns() -> None:
    """In motion one compiled builtin answers; it leaves a state at rest to another, or to the method."""
    dyn = Dynamics(load("irb6"))
    q, qd, tau = (a[:12] for a in some_at_rest(dyn, 12))
    qd = np.where(np.arange(12)[:, None] % 3 == 2, 0.0, np.random.default_rng(SEED).uniform(-1, 1, qd.shape))
    tau[5] = dyn.gravity(q[5])
    expected = dyn.sticking(q, qd, tau).acceleration
    for k in range(12):
        nearly(dyn.forward(q[k], qd[k], tau[k]), expected[k])
        nearly(dyn.forward(q[k], qd[k], tau[k]), expected[k])
    assert (dyn.forward(q[5], qd[5], tau[5]) == 0.0).all()
    nearly(dyn.forward(q, qd, tau), expected)


def test_friction_that_is_off_holds_nothing() -> None:
    dyn = Dynamics(load("irb6"), friction=False)
    q = postures(dyn, 3)
    caused = dyn.sticking(q, 0 * q, dyn.gravity(q) + 1.0)
    assert caused.resistances.shape == caused.sticks.shape == (3, 0)
    assert not caused.friction.any()
    nearly(caused.acceleration, dyn.forward(q, 0 * q, dyn.gravity(q) + 1.0))
