"""Friction where a few steps are not enough: they go round in circles, or points hold joints between them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from armdyn.dynamics import Dynamics, sticking
from armdyn.dynamics.friction_methods import Sticking
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot, Rotor
from armdyn.scalars.batch import Losses
from armdyn.spatial import Inertia
from dynamics.differences import DIFFERENCES, close, differences_of

EXACT = 1e-14
"""Some operations on numbers near one."""
SAME = 1e-9
"""Relative to the largest: numbers of another order of operations, their condition number below 1e4."""
COUNT = 3000

GRIP = Friction(coulomb=1.0)
NONE = Friction()

States = tuple[np.ndarray, np.ndarray, np.ndarray]


def carriages(
    joints: Sequence[Friction], gears: Sequence[Sequence[float]], motors: Sequence[Friction]
) -> Dynamics:
    """Bodies of 1 kg on one another along x, and motors without inertia: H_ij = n - max(i, j), from 0."""
    bodies = tuple(
        Body(f"b{k}", Joint(f"x{k}", "prismatic", (1, 0, 0), friction=f), f"b{k - 1}" if k else "base", ONE)
        for k, f in enumerate(joints)
    )
    drives = tuple(
        Drive(f"m{k}", f"x{k % len(joints)}", _coupling(row), Rotor(0.0), friction=f)
        for k, (row, f) in enumerate(zip(gears, motors, strict=True))
    )
    return Dynamics(Robot("carriages", bodies, drives), friction=True)


ONE = Inertia(1.0)


def _coupling(row: Sequence[float]) -> Coupling:
    return Coupling.of({f"x{j}": float(w) for j, w in enumerate(row) if w})


def mass_matrix(n: int) -> np.ndarray:
    return np.array([[n - max(i, j) for j in range(n)] for i in range(n)], dtype=float)


# Held between them ----------------------------------------------------------------------------


def held_exactly(dyn: Dynamics, tau: np.ndarray) -> None:
    """No joint moves, in a batch, by the iteration and in single calls."""
    rest = np.zeros_like(tau)
    caused = dyn.sticking(rest, rest, tau)
    assert caused.sticks.all()
    assert (caused.acceleration == 0.0).all()
    assert (dyn.forward(rest, rest, tau) == 0.0).all()
    for row in tau[:20]:
        assert (dyn.forward(rest[0], rest[0], row) == 0.0).all()


def test_what_is_held_through_three_others_stays_put_exactly() -> None:
    """x3 rests by its friction, then x2 by motor 2, x1 by motor 1, x0 by motor 0: against their order.

    Torques below 0.3 are held: motor 0 takes 0.3 at most, motor 1 0.3 + 0.7 * 0.3 = 0.51, motor 2
    0.3 + 0.7 * 0.51 = 0.657, and joint 3 with its own motor what is left.
    """
    gears = [[1, 0.7, 0, 0], [0, 1, 0.7, 0], [0, 0, 1, 0.7], [0, 0, 0, 2]]
    dyn = carriages([NONE, NONE, NONE, GRIP], gears, [GRIP] * 4)
    tau = np.random.default_rng(0).uniform(-0.3, 0.3, (200, 4))
    held_exactly(dyn, tau)
    rest = np.zeros_like(tau)
    (compiled,) = dyn._traced.evaluator(None)("forward from rest", {"q": rest, "qd": rest, "tau": tau})
    assert (compiled == 0.0).all()  # without the iteration


def test_what_no_point_holds_for_itself_stays_put_exactly() -> None:
    """Motors x0 + x1, x0 - x1 and x0 + 2 x1: the first two alone hold 0.5 (tau0 + tau1) <= 1."""
    dyn = carriages([NONE, NONE], [[1, 1], [1, -1], [1, 2]], [GRIP] * 3)
    held_exactly(dyn, np.random.default_rng(0).uniform(-0.9, 0.9, (200, 2)))


def test_a_point_that_sticks_alone_lets_its_joints_move_against_each_other() -> None:
    """Motor 0 on x0 + x1 sticks, x2 rests by joint and motor: along (1, -1, 0) H is 1 and tau 0.5 + 0.3.

    Then motor 0 takes 0.5 - (3 - 2) 0.8 = -0.3.
    """
    dyn = carriages([NONE, NONE, GRIP], [[1, 1, 0], [0, 0, 1]], [GRIP] * 2)
    rest, tau = np.zeros(3), np.array([0.5, -0.3, 0.0])
    caused = dyn.sticking(rest, rest, tau)
    assert caused.sticks.all()
    assert caused.friction == pytest.approx([-0.3, -0.3, 0.0], abs=SAME)
    for found in (caused.acceleration, dyn.forward(rest, rest, tau)):
        assert found == pytest.approx([0.8, -0.8, 0.0], abs=SAME)
        assert found[2] == 0.0


# Round in circles -----------------------------------------------------------------------------


def rubbing_twice(n: int, load: float, seed: int) -> tuple[Dynamics, np.ndarray]:
    """Friction at every joint and every motor, and the gears K of the motors."""
    K = np.eye(n) + np.triu(np.random.default_rng(seed).uniform(-1, 1, (n, n)), 1)
    law = Friction(0.1, 1.0, 1.5, load)
    return carriages([law] * n, K.tolist(), [law] * n), K


def some_at_rest(n: int, seed: int, resting: float = 0.7) -> States:
    """States, a share of whose joints rests, under torques of up to 1, 3 and 10."""
    rng = np.random.default_rng(seed)
    qd = np.where(rng.random((COUNT, n)) < resting, 0.0, rng.uniform(-1, 1, (COUNT, n)))
    return np.zeros((COUNT, n)), qd, rng.uniform(-1, 1, (COUNT, n)) * rng.choice([1.0, 3.0, 10.0], (COUNT, 1))


def lost(found: np.ndarray) -> np.ndarray:
    return np.isnan(found.sum(axis=-1))


def obeys(x: States, caused: Sticking, K: np.ndarray, load: float) -> None:
    """H qdd + G^T f = tau; |f| <= bound; f = bound sign(a) where a is not 0, the bound of the load there."""
    _, qd, tau = x
    n = len(K)
    u, f = caused.acceleration @ mass_matrix(n), caused.resistances
    assert np.abs(u + caused.friction - tau).max() <= SAME * np.abs(tau).max()
    G = np.concatenate([np.eye(n), K])
    np.testing.assert_allclose(f @ G, caused.friction, rtol=0, atol=SAME * np.abs(f).max())
    carried = np.concatenate([u, np.linalg.solve(K.T, (u + f[:, :n]).T).T], axis=1)
    rate, a = qd @ G.T, caused.acceleration @ G.T
    moving = np.abs(rate) > 1e-12 * np.abs(qd) @ np.abs(G).T
    running = np.sign(rate) * (1.0 + load * np.abs(carried)) + 0.1 * rate
    bound = 1.5 + load * np.abs(carried)
    near = SAME * bound.max()
    assert np.abs(f - running)[moving].max(initial=0.0) <= near
    assert (np.abs(f) - bound)[~moving].max(initial=0.0) <= near
    starts = ~moving & (np.abs(a) > 1e-6 * np.abs(a).max())
    assert np.abs(f - np.sign(a) * bound)[starts].max(initial=0.0) <= near
    assert not caused.sticks[moving | starts].any()


@pytest.mark.parametrize(("n", "seed"), [(2, 4), (3, 1), (4, 2)])
def test_one_change_at_a_time_leads_out_of_a_circle(
    n: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Friction without load, where Murty's rule always ends; shorter steps are not needed."""
    (dyn, K), x = rubbing_twice(n, 0.0, seed), some_at_rest(n, seed)
    with monkeypatch.context() as patch:
        patch.setattr(sticking, "ATTEMPTS", sticking.FULL)
        circling = lost(dyn.sticking(*x).acceleration)
    assert circling.any()
    hard = (x[0][circling], x[1][circling], x[2][circling])
    monkeypatch.setattr(sticking, "ATTEMPTS", sticking.PIVOTS)
    caused, losses = dyn.sticking(*hard), Losses()
    obeys(hard, caused, K, 0.0)
    found = dyn.forward(*x, losses=losses)
    assert losses.rows == 0
    close(found[circling], caused.acceleration, SAME)


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_shorter_steps_settle_what_one_change_at_a_time_does_not(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = 0.3
    (dyn, K), x = rubbing_twice(2, load, seed), some_at_rest(2, seed)
    with monkeypatch.context() as patch:
        patch.setattr(sticking, "ATTEMPTS", sticking.PIVOTS)
        assert lost(dyn.sticking(*x).acceleration).any()
    obeys(x, dyn.sticking(*x), K, load)
    losses = Losses()
    assert not lost(dyn.forward(*x, losses=losses)).any()
    assert losses.rows == 0


# Not found ------------------------------------------------------------------------------------


def test_what_is_not_found_is_no_number_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """One attempt is the state at rest without friction: whatever wants more gets no number."""
    monkeypatch.setattr(sticking, "ATTEMPTS", 1)
    (dyn, _), x = rubbing_twice(3, 0.3, 0), some_at_rest(3, 0)
    caused = dyn.sticking(*x)
    for found in (caused.acceleration, caused.friction, caused.resistances):
        assert lost(found).all()
    assert not caused.sticks.any()
    losses = Losses()
    found = dyn.forward(*x, losses=losses)
    assert 0 < losses.rows == np.count_nonzero(lost(found)) < COUNT
    few = tuple(a[:200] for a in x)
    losses = Losses()
    *_, by_tau = dyn.forward_derivatives(*few, losses=losses)
    assert 0 < losses.rows == np.count_nonzero(np.isnan(by_tau).any(axis=(1, 2)))


def test_a_lift_that_rubs_twice_is_held_moves_or_is_no_number() -> None:
    """A weight w of 5 N on a joint and a motor of ratio 2.2 that rub under their loads.

    At rest the joint takes 2.2 + w/2 at most, and the motor 0.65 + 0.89 |tau|/2.2, of all that it gives.
    """
    weight, ratio = 5.0, 2.2
    joint = Friction(coulomb=0.3, starting=2.2, load=0.5)
    motor = Friction(coulomb=0.2, starting=0.65, load=0.89, load_includes_friction=True)
    slide = Body("b", Joint("x", "prismatic", (0, 0, 1), friction=joint), inertia=Inertia(0.5))
    drive = Drive("m", "x", Coupling.of({"x": ratio}), Rotor(0.0), friction=motor)
    dyn = Dynamics(Robot("lift", (slide,), (drive,), gravity=(0, 0, -10.0)), friction=True)
    tau = np.linspace(-20.0, 130.0, 1501)[:, None]
    rest, losses = np.zeros_like(tau), Losses()
    found = dyn.forward(rest, rest, tau, losses=losses)
    assert losses.rows == np.count_nonzero(np.isnan(found)) < 0.05 * len(tau)
    beyond = np.abs(tau - weight) - (2.2 + 0.5 * weight + 0.65 * ratio + 0.89 * np.abs(tau))
    assert (beyond[found == 0.0] <= SAME).all()
    starts = np.isfinite(found) & (found != 0.0)
    assert starts[beyond > SAME].all()
    np.testing.assert_allclose(dyn.inverse(rest, rest, found)[starts], tau[starts], rtol=SAME)
    assert np.array_equal(np.sign(found[starts]), np.sign(tau - weight)[starts])


# In motion ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "load", "seed"), [(2, 0.3, 0), (2, 0.6, 1), (3, 0.6, 2)])
def test_in_motion_more_steps_than_the_compiled_ones_are_taken(n: int, load: float, seed: int) -> None:
    """There the law is undone motor by motor, then joint by joint: u + d (1 + mu |u|) + 0.1 v = given."""
    (dyn, K), x = rubbing_twice(n, load, seed), some_at_rest(n, seed, resting=0.0)
    _, qd, tau = x

    def carried(given: np.ndarray, rate: np.ndarray) -> np.ndarray:
        way = np.sign(rate)
        rest = given - way - 0.1 * rate
        return rest / (1 + load * way * np.sign(rest))

    at_motors = carried(np.linalg.solve(K.T, tau.T).T, qd @ K.T)
    u = carried(at_motors @ K, qd)
    losses = Losses()
    found = dyn.forward(*x, losses=losses)
    assert losses.rows == 0
    close(found, np.linalg.solve(mass_matrix(n), u.T).T, SAME)


# Derivatives ----------------------------------------------------------------------------------


def test_a_joint_that_sticks_loads_a_motor_that_slides() -> None:
    """theta = (x0 + x1/2, x1), x0 sticks, motor 1 slides forwards under (u1 - (u0 + f0)/2).

    u0 + f0 = tau0, u1 + mu (u1 - tau0/2) = tau1, and H_11 = 1: by mu = 1/4, qdd1 = 0.8 tau1 + 0.1 tau0.
    """
    dyn = carriages([GRIP, NONE], [[1, 0.5], [0, 1]], [NONE, Friction(load=0.25)])
    x = np.array([[0.0, 0.0], [0.0, 0.4], [0.6, 0.7]])
    caused = dyn.sticking(*x)
    assert caused.sticks.tolist() == [True, False]
    assert caused.acceleration == pytest.approx([0.0, 0.8 * 0.7 + 0.1 * 0.6], abs=100 * EXACT)
    *_, by_tau = dyn.forward_derivatives(*x)
    assert by_tau == pytest.approx(np.array([[0.0, 0.0], [0.1, 0.8]]), abs=1e-12)
    close(by_tau, differences_of(dyn.forward, x, 2), DIFFERENCES)


def test_a_turning_joint_that_sticks_loads_a_motor_that_slides() -> None:
    """The same of an arm that swings under its weight, beside differences by q, qd and tau."""
    link = Inertia(1.0, (0.3, 0.0, 0.0), ((0.02, 0, 0), (0, 0.03, 0), (0, 0, 0.04)))
    bodies = (
        Body("b0", Joint("j0", axis=(0, 1, 0), friction=Friction(coulomb=20.0)), "base", link),
        Body("b1", Joint("j1", axis=(0, 1, 0)), "b0", link),
    )
    drives = (
        Drive("m0", "j0", _angles([30.0, 12.0]), Rotor(1e-4)),
        Drive("m1", "j1", _angles([0.0, 25.0]), Rotor(1e-4), friction=Friction(0.01, 0.05, load=0.3)),
    )
    dyn = Dynamics(Robot("swinging", bodies, drives), friction=True)
    x = np.array([[0.3, 0.5], [0.0, 0.7], [4.0, 1.5]])
    assert dyn.sticking(*x).sticks.tolist() == [True, False]
    by_q, by_qd, by_tau = dyn.forward_derivatives(*x)
    assert abs(by_tau[1, 0]) > 1e-3  # through the motor's load alone
    close(by_q, differences_of(dyn.forward, x, 0), DIFFERENCES)
    close(by_qd[:, 1], differences_of(dyn.forward, x, 1)[:, 1], DIFFERENCES)
    close(by_tau, differences_of(dyn.forward, x, 2), DIFFERENCES)


def _angles(row: Sequence[float]) -> Coupling:
    return Coupling.of({f"j{j}": w for j, w in enumerate(row) if w})
