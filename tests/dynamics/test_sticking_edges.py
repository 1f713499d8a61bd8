"""Friction at rest where numbers lie far apart: dead centres, light joints, weak couplings, locks."""

import math
from dataclasses import replace

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot, Rotor, ScrewTriangle
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal

EXACT = 1e-9


def screwed(friction: Friction) -> Robot:
    """A pendulum of 1 kg at 0.5 m, driven by a screw whose triangle is stretched out at q = 0 and q = pi."""
    arm = Body("arm", Joint("j", axis=(0, 1, 0)), inertia=Inertia(1.0, (-0.5, 0.0, 0.0)))
    screw = Coupling.of({"j": 1.0}, 0.0, ScrewTriangle(0.08, 0.02, 0.0, 20.0, 0.2))
    return Robot("screwed", (arm,), (Drive("m", "j", screw, Rotor(1e-9), friction=friction),))


@pytest.mark.parametrize("q", [0.0, 1e-13, 1e-11, 1e-8, math.pi, -math.pi, 2 * math.pi])
@pytest.mark.parametrize("tau", [0.0, 5.0, 60.0])
def test_a_screw_at_its_dead_centre_holds_nothing(q: float, tau: float) -> None:
    robot = screwed(Friction(coulomb=0.5, starting=0.8))
    free = Dynamics(robot, friction=False).forward([q], [0.0], [tau])
    dyn = Dynamics(robot, friction=True)
    for found in (dyn.forward([q], [0.0], [tau]), dyn.sticking([q], [0.0], [tau]).acceleration):
        assert found == pytest.approx(free, rel=2e-7, abs=2e-7)  # what is left of 0.8 N m at q = 1e-8


@pytest.mark.parametrize("q", [1e-13, 1e-8, 0.5])
def test_a_share_of_the_load_holds_at_a_dead_centre_too(q: float) -> None:
    """The motor's load grows as its lever shrinks: 10 % of the weight's torque stays 10 %."""
    robot = screwed(Friction(load=0.1))
    dyn, weight = Dynamics(robot, friction=True), Dynamics(robot, friction=False).gravity([q])
    assert dyn.forward([q], [0.0], 1.09 * weight).tolist() == [0.0]
    assert (dyn.forward([q], [0.0], 1.11 * weight) * weight > 0).all()


@pytest.mark.parametrize("light", [1e-2, 1e-4, 1e-6, 1e-9])
def test_a_joint_that_is_light_at_home_is_held_elsewhere(light: float) -> None:
    """A slider of 1 kg at 1 m on a joint that turns: at home, d = 0, that joint feels next to nothing."""
    rub = Friction(coulomb=1.0)
    turning = Body("hub", Joint("turn", friction=rub), inertia=Inertia(light, tensor=diagonal(*[light] * 3)))
    slide = Joint("slide", "prismatic", (1, 0, 0), friction=rub)
    robot = Robot("rp", (turning, Body("mass", slide, "hub", Inertia(1.0))), gravity=(0, 0, 0))
    dyn = Dynamics(robot, friction=True)
    for tau, expected in (
        ((0.5, 0.5), (0.0, 0.0)),
        ((3.0, 0.5), (2 / (1 + light), 0.0)),
        ((0.5, 3.0), (0.0, 2.0)),
    ):
        found = dyn.sticking([0.3, 1.0], [0.0, 0.0], tau)
        assert found.acceleration == pytest.approx(expected, rel=EXACT, abs=0)
        assert dyn.forward([0.3, 1.0], [0.0, 0.0], tau) == pytest.approx(expected, rel=EXACT, abs=0)
    *_, by_tau = dyn.forward_derivatives([0.3, 1.0], [0.0, 0.0], [0.5, 3.0])
    assert by_tau == pytest.approx(np.diag([0.0, 1.0]), abs=1e-12)


def sliders(count: int, gears: np.ndarray, friction: Friction) -> Robot:
    """Carriages of 1 kg on one another, with a motor for each."""
    bodies = tuple(
        Body(f"b{k}", Joint(f"x{k}", "prismatic", (1, 0, 0)), f"b{k - 1}" if k else "base", Inertia(1.0))
        for k in range(count)
    )
    drives = tuple(
        Drive(
            f"m{k}",
            f"x{k}",
            Coupling.of({f"x{j}": float(w) for j, w in enumerate(row)}),
            Rotor(1e-4),
            friction=friction if k else Friction(),
        )
        for k, row in enumerate(gears)
    )
    return Robot("sliders", bodies, drives, gravity=(0, 0, 0))


def test_a_weak_coupling_moves_what_it_moves() -> None:
    """Motors 2 to 4 hold their shafts: each joint must follow the one before it by a hundredth."""
    gears = 100.0 * np.eye(4) + np.eye(4, k=-1)
    dyn = Dynamics(sliders(4, gears, Friction(coulomb=100.0)))
    tau = [50.0, 0.0, 0.0, 0.0]
    rest = np.zeros(4)
    for found in (dyn.forward(rest, rest, tau), dyn.sticking(rest, rest, tau).acceleration):
        assert found[1:] == pytest.approx(-found[:-1] / 100, rel=EXACT)
        assert found[3] != 0


def test_rounding_starts_nothing() -> None:
    """A motor that turns by the sum of two joints stays where 0.1 + 0.2 and -0.3 cancel."""
    dyn = Dynamics(sliders(2, np.array([[100.0, 0.0], [1 / 3, 1 / 3]]), Friction(coulomb=0.5, starting=1.0)))
    rest = [0.0, 0.0]
    assert dyn.resistances(rest, rest, [0.1 + 0.2, -0.3]).tolist() == [0.0]
    assert dyn.resistances(rest, rest, [0.3, -0.2]).tolist() == [1.0]


def test_ratios_may_be_far_apart() -> None:
    dyn = Dynamics(sliders(2, np.diag([1e9, 1e-9]), Friction()))
    assert dyn.motor_torque([0.0, 0.0], [1.0, 1.0]) == pytest.approx([1e-9, 1e9], rel=EXACT)


def test_friction_of_a_joint_whose_leader_is_locked_is_gone() -> None:
    link = Inertia(1.0, (0.2, 0.0, 0.0), diagonal(0.1, 0.1, 0.1))
    follower = Joint(
        "f",
        placement=Transform(translation=(0.4, 0, 0)),
        coupling=Coupling.of({"b": -1.0}),
        friction=Friction(0.1, 0.5),
    )
    bodies = (
        Body("one", Joint("a", friction=Friction(coulomb=0.2)), inertia=link),
        Body("two", Joint("b"), "one", link),
        Body("three", follower, "two", link),
    )
    whole = Robot("led", bodies, gravity=(0, 0, 0))
    assert [point.name for point in Dynamics(whole, friction=True).friction_points] == ["a", "f"]
    locked = Dynamics(whole.locked({"b": 0.3}), friction=True)
    assert [point.name for point in locked.friction_points] == ["a"]
    assert locked.forward([0.1], [0.0], [0.1]).tolist() == [0.0]
    stiff = replace(
        whole, bodies=(*bodies[:2], replace(bodies[2], joint=replace(follower, friction=Friction())))
    )
    same = Dynamics(stiff.locked({"b": 0.3}), friction=True)
    for qd in (0.0, 0.7):
        state = [0.1], [qd], [1.0]
        assert locked.forward(*state) == pytest.approx(same.forward(*state), rel=EXACT)
