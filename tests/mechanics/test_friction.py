"""Friction of one coordinate: the law by hand, in motion and at rest, and forward dynamics under it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.mechanics.friction import bounds, resistance
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot, Rotor, ScrewTriangle
from armdyn.scalars import Graph, program
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal

ROUNDING = 1e-13
"""Relative: one line of arithmetic."""
INVERTED = 1e-9
"""[rad/s2] of some 2 rad/s2: the mass matrix's condition number of some 1e3 times rounding of torques."""

SEED = 11
FULL = Friction(viscous=2.0, coulomb=3.0, starting=5.0, load=0.1)

rates, loads = st.floats(-5, 5), st.floats(-100, 100)
ways = st.sampled_from([-1.0, 1.0])
laws = st.builds(
    lambda viscous, coulomb, more, share, included: Friction(
        viscous, coulomb, coulomb + more, share, included
    ),
    st.floats(0, 5),
    st.floats(0, 20),
    st.floats(0, 20),
    st.floats(0.01, 0.9),
    st.booleans(),
)


# In motion ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("friction", "rate", "load", "expected"),
    [
        (Friction(), 1.5, 40.0, 0.0),
        (Friction(viscous=2.0), 1.5, 40.0, 3.0),
        (Friction(viscous=2.0), -1.5, 40.0, -3.0),
        (Friction(coulomb=3.0), 0.001, 40.0, 3.0),
        (Friction(coulomb=3.0), -0.001, 40.0, -3.0),
        (Friction(coulomb=3.0, starting=5.0), 0.001, 40.0, 3.0),  # starting friction is for rest alone
        (Friction(load=0.1), 1.5, 40.0, 4.0),
        (Friction(load=0.1), 1.5, -40.0, 4.0),  # |load|: friction brakes when the load drives, too
        (Friction(load=0.1), -1.5, 40.0, -4.0),
        (Friction(load=0.1), -1.5, -40.0, -4.0),
        (FULL, 1.5, -40.0, 3.0 + 3.0 + 4.0),
        (FULL, -1.5, 40.0, -3.0 - 3.0 - 4.0),
        (FULL, 0.0, 40.0, 0.0),
    ],
)
def test_the_law_gives_what_hand_and_pencil_give(
    friction: Friction, rate: float, load: float, expected: float
) -> None:
    assert resistance(friction, rate, load) == pytest.approx(expected, rel=ROUNDING)


@given(laws, rates, loads)
def test_a_load_that_includes_friction_obeys_its_implicit_relation(
    friction: Friction, rate: float, load: float
) -> None:
    f = resistance(replace(friction, load_includes_friction=True), rate, load)
    implied = friction.viscous * rate + np.sign(rate) * (friction.coulomb + friction.load * abs(load + f))
    size = max(1.0, abs(load + f)) / (1 - friction.load)
    assert abs(f - implied) <= 10 * ROUNDING * size


@given(laws, rates, loads, st.floats(-5, 5))
def test_friction_never_drives(friction: Friction, rate: float, load: float, onset: float) -> None:
    assert resistance(friction, rate, load, onset) * rate >= 0


@given(laws, rates.filter(bool), loads, st.floats(-5, 5))
def test_what_moves_does_not_ask_where_it_is_bound(
    friction: Friction, rate: float, load: float, onset: float
) -> None:
    assert resistance(friction, rate, load, onset) == resistance(friction, rate, load)


# At rest --------------------------------------------------------------------------------------


@pytest.mark.parametrize("included", [False, True])
@pytest.mark.parametrize("load", [-30.0, 0.0, 30.0])
def test_what_stays_at_rest_takes_nothing(load: float, included: bool) -> None:
    assert resistance(replace(FULL, load_includes_friction=included), 0.0, load) == 0
    assert resistance(replace(FULL, load_includes_friction=included), 0.0, load, 0.0) == 0


@pytest.mark.parametrize(
    ("friction", "load", "onset", "expected"),
    [
        (FULL, 40.0, 0.3, 5.0 + 4.0),
        (FULL, 40.0, -0.3, -5.0 - 4.0),
        (FULL, -40.0, 1e-300, 5.0 + 4.0),  # the direction counts, not how much
        (Friction(coulomb=3.0), 40.0, -0.3, -3.0),  # unknown starting friction is that in motion
        (Friction(viscous=2.0), 40.0, 0.3, 0.0),
    ],
)
def test_a_motion_that_starts_overcomes_starting_friction(
    friction: Friction, load: float, onset: float, expected: float
) -> None:
    assert resistance(friction, 0.0, load, onset) == pytest.approx(expected, rel=ROUNDING)


def test_a_rate_that_is_rounding_is_rest() -> None:
    """Its sign says nothing, nor does Coulomb's friction act."""
    tiny = 1e-17
    assert resistance(FULL, tiny, 40.0, -1.0, moving=-1.0) == pytest.approx(-9.0, rel=ROUNDING)
    assert resistance(FULL, tiny, 40.0, moving=-1.0) == pytest.approx(0.0, abs=1e-15)


@given(laws, loads, ways)
def test_what_a_start_takes_is_the_bound(friction: Friction, load: float, way: float) -> None:
    least, most = bounds(friction, load)
    assert least <= 0 <= most
    assert resistance(friction, 0.0, load, way) == (most if way > 0 else least)


@given(laws, loads)
def test_bounds_are_the_same_to_both_sides_where_friction_does_not_load_itself(
    friction: Friction, load: float
) -> None:
    least, most = bounds(replace(friction, load_includes_friction=False), load)
    assert most == pytest.approx(friction.at_rest + friction.load * abs(load), rel=ROUNDING)
    assert least == -most


def test_bounds_of_a_load_that_includes_friction_by_hand() -> None:
    """|f| <= 1 + |10 + f|/4: up to f = 1 + (10 + f)/4 = 14/3, and down to -f = 1 + (10 + f)/4, f = -14/5."""
    grip = Friction(starting=1.0, load=0.25, load_includes_friction=True)
    assert bounds(grip, 10.0) == pytest.approx((-14 / 5, 14 / 3), rel=ROUNDING)
    assert bounds(grip, -10.0) == pytest.approx((-14 / 3, 14 / 5), rel=ROUNDING)


@given(laws, loads, st.floats(0, 1), st.floats(1e-6, 10.0))
def test_all_between_the_bounds_and_nothing_beyond_obeys_the_law_of_rest(
    friction: Friction, load: float, share: float, beyond: float
) -> None:
    """|f| <= starting + load |u + f|, or |u| where the load does not include friction."""

    def spare(f: float) -> float:
        on = load + f if friction.load_includes_friction else load
        return friction.at_rest + friction.load * abs(on) - abs(f)

    least, most = bounds(friction, load)
    size = ROUNDING * max(1.0, abs(load), -least, most) / (1 - friction.load)
    assert spare(least + share * (most - least)) >= -10 * size
    assert spare(most + beyond) < 10 * size
    assert spare(least - beyond) < 10 * size


@given(laws, rates | st.just(0.0), loads, st.sampled_from([-1.0, 0.0, 1.0]))
def test_the_traced_law_is_the_law(friction: Friction, rate: float, load: float, onset: float) -> None:
    given_ = {"v": rate, "u": load, "a": onset}
    graph = Graph()
    v, u, a = (graph.inputs(name, 1)[0] for name in given_)
    out = np.empty((1, 3))
    traced = program([resistance(friction, v, u, a), *bounds(friction, u)])
    traced.run({name: np.array([[x]]) for name, x in given_.items()}, out)
    expected = [resistance(friction, rate, load, onset), *bounds(friction, load)]
    assert out[0] == pytest.approx(expected, rel=ROUNDING, abs=ROUNDING)


# Forward undoes inverse -----------------------------------------------------------------------


def arm(joints: tuple[Friction, ...], drives: tuple[Drive, ...] = ()) -> Robot:
    """Links of 0.5 m one on another, turning about z under gravity along -y."""
    inertia = Inertia(3.0, (0.25, 0.0, 0.0), diagonal(0.1, 0.2, 0.2))
    bodies = tuple(
        Body(
            f"b{k}",
            Joint(f"j{k}", placement=Transform(translation=(0.5 if k else 0.0, 0.0, 0.0)), friction=friction),
            f"b{k - 1}" if k else "base",
            inertia,
        )
        for k, friction in enumerate(joints)
    )
    return Robot("arm", bodies, drives, gravity=(0.0, -9.81, 0.0))


def random_states(n: int, count: int) -> np.ndarray:
    return np.random.default_rng(SEED).uniform(-2, 2, (3, count, n))


def geared(friction: Friction) -> Robot:
    """Two joints with coupled gears, friction at joints and motors."""
    drives = (
        Drive("m0", "j0", Coupling.of({"j0": 80.0}), Rotor(0.002), friction=friction),
        Drive("m1", "j1", Coupling.of({"j0": 3.0, "j1": 60.0}), Rotor(0.001), friction=friction),
    )
    return arm((Friction(0.5, 1.0, None, 0.2), Friction(0.2, 0.4, None, 0.15, True)), drives)


def screwed(friction: Friction) -> Robot:
    """A joint on a ball screw whose ratio stays between 10 and 60, another on gears."""
    screw = ScrewTriangle(0.5, 0.2, 0.1, 300.0)
    drives = (
        Drive("m0", "j0", Coupling.of({"j0": 0.3}, 1.8, screw), Rotor(0.002), friction=friction),
        Drive("m1", "j1", Coupling.of({"j0": 3.0, "j1": 60.0}), Rotor(0.001), friction=friction),
    )
    return arm((Friction(0.5, 1.0), Friction()), drives)


@pytest.mark.parametrize(
    "robot",
    [
        pytest.param(load("lola15"), id="lola15"),
        pytest.param(arm((FULL, replace(FULL, load_includes_friction=True))), id="joints"),
        pytest.param(geared(Friction(0.001, 0.01, None, 0.2)), id="motors"),
        pytest.param(geared(Friction(0.001, 0.01, None, 0.2, True)), id="motors, friction included"),
        pytest.param(screwed(Friction(0.001, 0.01, None, 0.2)), id="ball screw"),
        pytest.param(screwed(Friction(0.001, 0.01, None, 0.2, True)), id="ball screw, friction included"),
    ],
)
def test_forward_undoes_inverse_under_load_dependent_friction(robot: Robot) -> None:
    dyn = Dynamics(robot, friction=True)
    q, qd, qdd = random_states(robot.n, 1000)
    assert np.abs(dyn.forward(q, qd, dyn.inverse(q, qd, qdd)) - qdd).max() <= INVERTED


def test_forward_undoes_inverse_with_contact_and_moving_base() -> None:
    dyn = Dynamics(load("lola15"))
    q, qd, qdd = random_states(6, 100)
    rng = np.random.default_rng(SEED)
    more: dict[str, Any] = {"wrench": rng.uniform(-100, 100, 6), "base": rng.uniform(-1, 1, 12)}
    tau = dyn.inverse(q, qd, qdd, at=(0.1, 0.2, 0.3), **more)
    assert np.abs(dyn.forward(q, qd, tau, at=(0.1, 0.2, 0.3), **more) - qdd).max() <= INVERTED


@pytest.mark.parametrize("place", ["q", "qd", "tau"])
def test_a_state_that_is_not_a_number_spoils_only_its_own_row(place: str) -> None:
    dyn = Dynamics(load("lola15"))
    q, qd, tau = random_states(6, 5)
    good = dyn.forward(q, qd, tau)
    inputs = {"q": q.copy(), "qd": qd.copy(), "tau": tau.copy()}
    inputs[place][2, 3] = math.nan
    spoilt = dyn.forward(**inputs)
    assert np.isnan(spoilt[2]).any()
    assert np.array_equal(np.delete(spoilt, 2, 0), np.delete(good, 2, 0))


def test_one_state_gives_the_same_as_the_same_state_in_a_batch() -> None:
    dyn = Dynamics(load("lola15"))
    q, qd, tau = random_states(6, 20)
    batch = dyn.forward(q, qd, tau)
    single = np.array([dyn.forward(*row) for row in zip(q, qd, tau, strict=True)])
    assert np.abs(batch - single).max() <= INVERTED


def test_switched_off_friction_takes_nothing() -> None:
    robot = load("lola15")
    q, qd, qdd = random_states(6, 10)
    terms = Dynamics(robot, friction=False).terms(q, qd, qdd)
    assert not terms["friction"].any()
    assert Dynamics(robot).terms(q, qd, qdd)["friction"].all()


def test_strong_friction_on_both_sides_gives_the_torque_asked_for_or_no_number() -> None:
    """Here full steps of Newton's method go round in circles for some states."""
    rub = Friction(load=0.7)
    link = Inertia(2.0, (0.15, 0, 0), ((0.02, 0, 0), (0, 0.02, 0), (0, 0, 0.02)))
    shoulder = Joint("j0", axis=(0, 1, 0), friction=rub)
    elbow = Joint("j1", axis=(0, 1, 0), placement=Transform(translation=(0.3, 0, 0)), friction=rub)
    drives = (
        Drive("d0", "j0", Coupling.of({"j0": 1.0}), Rotor(0.1), friction=rub),
        Drive("d1", "j1", Coupling.of({"j0": 1.0, "j1": 1.0}), Rotor(0.1), friction=rub),
    )
    dyn = Dynamics(Robot("r", (Body("b0", shoulder, inertia=link), Body("b1", elbow, "b0", link)), drives))
    q, qd, qdd = np.random.default_rng(0).uniform(-2, 2, (3, 50_000, 2))
    tau = dyn.inverse(q, qd, qdd)
    found = dyn.forward(q, qd, tau)
    known = np.isfinite(found).all(axis=-1)
    assert known.mean() > 0.999
    missed = np.abs(dyn.inverse(q[known], qd[known], found[known]) - tau[known]).max(axis=-1)
    assert (missed / (1 + np.abs(tau[known]).max(axis=-1))).max() < 1e-9
