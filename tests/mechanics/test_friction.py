"""Friction in motion: the law by hand, and forward dynamics that undoes inverse dynamics under it."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.formats import load
from armdyn.mechanics.friction import friction_torques, load_dependent, resistance
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


# The law --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("friction", "rate", "load", "expected"),
    [
        (Friction(), 1.5, 40.0, 0.0),
        (Friction(viscous=2.0), 1.5, 40.0, 3.0),
        (Friction(viscous=2.0), -1.5, 40.0, -3.0),
        (Friction(coulomb=3.0), 0.001, 40.0, 3.0),
        (Friction(coulomb=3.0), -0.001, 40.0, -3.0),
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


@given(
    rate=st.floats(-5, 5),
    load=st.floats(-100, 100),
    viscous=st.floats(0, 5),
    coulomb=st.floats(0, 20),
    share=st.floats(0.01, 0.9),
)
def test_a_load_that_includes_friction_obeys_its_implicit_relation(
    rate: float, load: float, viscous: float, coulomb: float, share: float
) -> None:
    f = resistance(Friction(viscous, coulomb, None, share, load_includes_friction=True), rate, load)
    implied = viscous * rate + np.sign(rate) * (coulomb + share * abs(load + f))
    size = max(1.0, abs(load + f)) / (1 - share)
    assert abs(f - implied) <= 10 * ROUNDING * size


@given(rate=st.floats(-5, 5), load=st.floats(-100, 100), included=st.booleans())
def test_friction_never_drives(rate: float, load: float, included: bool) -> None:
    assert resistance(replace(FULL, load_includes_friction=included), rate, load) * rate >= 0


@pytest.mark.parametrize("included", [False, True])
@pytest.mark.parametrize("load", [-30.0, 0.0, 30.0])
def test_at_rest_the_law_gives_nothing(load: float, included: bool) -> None:
    assert resistance(replace(FULL, load_includes_friction=included), 0.0, load) == 0


@given(rate=st.floats(-5, 5), load=st.floats(-100, 100), included=st.booleans())
def test_the_traced_law_is_the_law(rate: float, load: float, included: bool) -> None:
    friction = replace(FULL, load_includes_friction=included)
    graph = Graph()
    v, u = graph.inputs("v", 1)[0], graph.inputs("u", 1)[0]
    out = np.empty((1, 1))
    program([resistance(friction, v, u)]).run({"v": np.array([[rate]]), "u": np.array([[load]])}, out)
    assert out[0, 0] == pytest.approx(resistance(friction, rate, load), rel=ROUNDING, abs=ROUNDING)


# On a robot -----------------------------------------------------------------------------------


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


def test_a_motors_friction_comes_to_the_joints_through_its_gears() -> None:
    drive = Drive("m", "j1", Coupling.of({"j0": 2.0, "j1": 50.0}), Rotor(0.01), friction=Friction(0.1, 0.4))
    robot = arm((Friction(), Friction()), (drive,))
    rate = 2.0 * 0.3 + 50.0 * 0.7
    f = 0.1 * rate + 0.4
    ours = friction_torques(robot, [0.1, 0.2], [0.3, 0.7], [9.0, 9.0], [0.0, 0.0])
    assert ours == pytest.approx([2.0 * f, 50.0 * f], rel=ROUNDING)


def test_a_following_joint_rubs_on_those_it_follows() -> None:
    robot = arm((Friction(), Friction(viscous=3.0)))
    follower = replace(robot.bodies[1].joint, coupling=Coupling.of({"j0": -2.0}))
    robot = Robot("arm", (robot.bodies[0], replace(robot.bodies[1], joint=follower)))
    assert friction_torques(robot, [0.1], [0.5], [0.0], [0.0]) == pytest.approx([-2.0 * 3.0 * -2.0 * 0.5])


def test_a_motors_load_is_what_its_joints_take_with_their_friction() -> None:
    """With theta = 50 q a joint torque of 100 is 2 at the motor, and 10 % of that is 10 at the joint."""
    drive = Drive("m", "j0", Coupling.of({"j0": 50.0}), Rotor(0.01), friction=Friction(load=0.1))
    robot = arm((Friction(coulomb=20.0),), (drive,))
    (ours,) = friction_torques(robot, [0.0], [0.3], [70.0], [10.0])
    assert ours == pytest.approx(20.0 + 0.1 * (70.0 + 10.0 + 20.0), rel=ROUNDING)


def test_coupled_motors_share_the_joints_loads_as_their_gears_say() -> None:
    """theta_1 = 2 q1, theta_2 = 3 q1 + 5 q2: joint 2 hangs on motor 2 alone, joint 1 on both."""
    rub = Friction(load=0.1)
    drives = (
        Drive("m0", "j0", Coupling.of({"j0": 2.0}), Rotor(0.01), friction=rub),
        Drive("m1", "j1", Coupling.of({"j0": 3.0, "j1": 5.0}), Rotor(0.01), friction=rub),
    )
    ours = friction_torques(arm((Friction(), Friction()), drives), [0, 0], [0.3, 0.7], [80.0, 50.0], [0, 0])
    second = 50.0 / 5.0
    first = (80.0 - 3.0 * second) / 2.0
    assert ours == pytest.approx([0.1 * (2.0 * first + 3.0 * second), 0.1 * 5.0 * second], rel=ROUNDING)


def test_lola_is_load_dependent_and_planar2_is_not() -> None:
    assert load_dependent(load("lola15"))
    assert not load_dependent(load("planar2"))


@pytest.mark.parametrize(
    "drives",
    [
        pytest.param(
            (
                Drive(
                    "m",
                    "j0",
                    Coupling.of({"j0": 1.0}, 0.0, ScrewTriangle(0.5, 0.2, 0.1, 300.0)),
                    Rotor(0.01),
                    friction=Friction(load=0.1),
                ),
            ),
            id="a screw",
        ),
        pytest.param(
            (
                Drive("m", "j0", Coupling.of({"j0": 1.0}), Rotor(0.01), friction=Friction(load=0.1)),
                Drive("n", "j0", Coupling.of({"j0": 2.0}), Rotor(0.01)),
            ),
            id="two motors on one joint",
        ),
        pytest.param(
            (Drive("m", "j0", Coupling(), Rotor(0.01), friction=Friction(load=0.1)),),
            id="a motor that stands",
        ),
    ],
)
def test_a_motors_load_that_cannot_be_known_is_refused_in_one_sentence(drives: tuple[Drive, ...]) -> None:
    dyn = Dynamics(arm((Friction(),), drives))
    sentence = (
        r'^robot "arm": load-dependent friction at a motor needs a constant, square'
        r".* gear matrix,? to know the motor's load; give that friction at the joint instead$"
    )
    for evaluate in (dyn.inverse, dyn.forward):
        with pytest.raises(MissingDataError, match=sentence):
            evaluate([0.1], [0.2], [0.3])


# Forward undoes inverse -----------------------------------------------------------------------


def random_states(n: int, count: int) -> np.ndarray:
    return np.random.default_rng(SEED).uniform(-2, 2, (3, count, n))


def geared(friction: Friction) -> Robot:
    """Two joints with coupled gears, friction at joints and motors."""
    drives = (
        Drive("m0", "j0", Coupling.of({"j0": 80.0}), Rotor(0.002), friction=friction),
        Drive("m1", "j1", Coupling.of({"j0": 3.0, "j1": 60.0}), Rotor(0.001), friction=friction),
    )
    return arm((Friction(0.5, 1.0, None, 0.2), Friction(0.2, 0.4, None, 0.15, True)), drives)


@pytest.mark.parametrize(
    "robot",
    [
        pytest.param(load("lola15"), id="lola15"),
        pytest.param(arm((FULL, replace(FULL, load_includes_friction=True))), id="joints"),
        pytest.param(geared(Friction(0.001, 0.01, None, 0.2)), id="motors"),
        pytest.param(geared(Friction(0.001, 0.01, None, 0.2, True)), id="motors, friction included"),
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
