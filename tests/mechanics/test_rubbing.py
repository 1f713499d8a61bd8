"""Friction of a whole robot: where it acts, its loads, and what comes to the joints."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import MissingDataError
from armdyn.formats import load
from armdyn.mechanics.loads import Loads
from armdyn.mechanics.rubbing import REST, friction_points, projected, rubs
from armdyn.robot import Body, Coupling, Drive, Friction, Joint, Robot, Rotor, ScrewTriangle
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.vector import diagonal

ROUNDING = 1e-13
"""Relative: one line of arithmetic."""

NONE = Friction()
DRY = Friction(viscous=0.1, coulomb=0.4, starting=0.6)
UNDER_LOAD = Friction(load=0.1)
SCREW = ScrewTriangle(0.5, 0.2, 0.1, 300.0)


def arm(joints: tuple[Friction, ...], drives: tuple[Drive, ...] = ()) -> Robot:
    """Links of 0.5 m one on another, turning about z under gravity along -y."""
    inertia = Inertia(3.0, (0.25, 0.0, 0.0), diagonal(0.1, 0.2, 0.2))
    place = Transform(translation=(0.5, 0.0, 0.0))
    bodies = tuple(
        Body(
            f"b{k}", Joint(f"j{k}", placement=place, friction=friction), f"b{k - 1}" if k else "base", inertia
        )
        for k, friction in enumerate(joints)
    )
    return Robot("arm", bodies, drives, gravity=(0.0, -9.81, 0.0))


def motor(name: str, friction: Friction = NONE, law: ScrewTriangle | None = None, **ratios: float) -> Drive:
    """A motor that turns `ratios` times as far as the joints, through a screw if there is one."""
    return Drive(
        name, next(iter(ratios), "j0"), Coupling.of(ratios, 0.0, law), Rotor(0.01), friction=friction
    )


def following(robot: Robot, k: int, **ratios: float) -> Robot:
    """The robot with a joint that follows others."""
    joint = replace(robot.bodies[k].joint, coupling=Coupling.of(ratios))
    bodies = (*robot.bodies[:k], replace(robot.bodies[k], joint=joint), *robot.bodies[k + 1 :])
    return replace(robot, bodies=bodies, home=())


def taken(robot: Robot, q: Any, qd: Any, joint: Any = None, rotors: Any = None) -> list[float]:
    """What friction takes from q in a motion under loads of joints and rotors."""
    loads = None if joint is None else Loads(joint, rotors or [0.0] * robot.n)
    return projected(rubs(robot, q, qd, None, loads), robot.n)


# Where friction acts --------------------------------------------------------------------------


def test_joints_in_the_order_of_their_bodies_then_motors() -> None:
    drives = (motor("m0", j0=2.0), motor("m1", DRY, j0=3.0, j1=5.0), motor("m2", UNDER_LOAD, j3=7.0))
    robot = following(arm((NONE, DRY, DRY, UNDER_LOAD), drives), 2, j0=-2.0)
    assert [(p.name, p.side, p.owner, p.friction) for p in friction_points(robot)] == [
        ("j1", "joint", 1, DRY),
        ("j2", "joint", None, DRY),
        ("j3", "joint", 2, UNDER_LOAD),  # third among the independent joints
        ("m1", "motor", 1, DRY),
        ("m2", "motor", 2, UNDER_LOAD),
    ]


def test_a_motor_that_stands_whatever_the_joints_do_does_not_rub() -> None:
    assert not friction_points(arm((NONE,), (motor("m", DRY),)))


def test_a_robot_without_friction_has_no_points() -> None:
    assert friction_points(load("ur5")) == ()
    assert rubs(load("ur5"), [0.0] * 6, [1.0] * 6) == []
    assert projected([], 3) == [0, 0, 0]


def test_dynamics_has_points_only_with_friction() -> None:
    lola = load("lola15")
    assert [p.name for p in Dynamics(lola).friction_points][:7] == [*lola.joint_names, "motor1"]
    assert Dynamics(lola, friction=False).friction_points == ()


# Through gears --------------------------------------------------------------------------------


def test_a_motors_friction_comes_to_the_joints_through_its_gears() -> None:
    robot = arm((NONE, NONE), (motor("m", Friction(0.1, 0.4), j0=2.0, j1=50.0),))
    f = 0.1 * (2.0 * 0.3 + 50.0 * 0.7) + 0.4
    assert taken(robot, [0.1, 0.2], [0.3, 0.7]) == pytest.approx([2.0 * f, 50.0 * f], rel=ROUNDING)


def test_friction_at_joint_and_motor_adds_up() -> None:
    robot = arm((Friction(3.0, 4.0),), (motor("m", Friction(0.1, 0.4), j0=-50.0),))
    expected = 3.0 * 0.7 + 4.0 + 50.0 * (0.1 * 50.0 * 0.7 + 0.4)
    assert taken(robot, [0.1], [0.7]) == pytest.approx([expected], rel=ROUNDING)


def test_a_following_joint_rubs_on_those_it_follows() -> None:
    robot = following(arm((NONE, Friction(viscous=3.0))), 1, j0=-2.0)
    assert taken(robot, [0.1], [0.5]) == pytest.approx([-2.0 * 3.0 * -2.0 * 0.5], rel=ROUNDING)


def test_a_screws_friction_comes_through_its_ratio_there() -> None:
    q, qd = 0.4, -0.7
    _, ratio, _ = SCREW.evaluate(q)
    robot = arm((NONE,), (motor("m", Friction(0.1, 0.4), SCREW, j0=1.0),))
    f = 0.1 * ratio * qd + 0.4 * np.sign(ratio * qd)
    assert taken(robot, [q], [qd]) == pytest.approx([ratio * f], rel=ROUNDING)


# Loads ----------------------------------------------------------------------------------------


def test_a_joint_is_loaded_by_what_passes_through_it_not_by_its_rotors() -> None:
    assert taken(arm((UNDER_LOAD,)), [0.0], [0.3], [70.0], [10.0]) == pytest.approx([7.0], rel=ROUNDING)


def test_a_motors_load_is_what_its_joints_take_with_their_friction() -> None:
    """With theta = 50 q a joint torque of 100 is 2 at the motor, and 10 % of that is 10 at the joint."""
    robot = arm((Friction(coulomb=20.0),), (motor("m", UNDER_LOAD, j0=50.0),))
    expected = 20.0 + 0.1 * (80.0 + 20.0)
    assert taken(robot, [0.0], [0.3], [70.0], [10.0]) == pytest.approx([expected], rel=ROUNDING)


def test_coupled_motors_share_the_joints_loads_as_their_gears_say() -> None:
    """theta_1 = 2 q1, theta_2 = 3 q1 + 5 q2: joint 2 hangs on motor 2 alone, joint 1 on both."""
    drives = (motor("m0", UNDER_LOAD, j0=2.0), motor("m1", UNDER_LOAD, j0=3.0, j1=5.0))
    ours = taken(arm((NONE, NONE), drives), [0, 0], [0.3, 0.7], [80.0, 50.0])
    second = 50.0 / 5.0
    first = (80.0 - 3.0 * second) / 2.0
    assert ours == pytest.approx([0.1 * (2.0 * first + 3.0 * second), 0.1 * 5.0 * second], rel=ROUNDING)


def test_a_motor_behind_a_screw_carries_its_load_through_the_ratio_there() -> None:
    """Power-consistent: 10 % at the motor are 10 % at the joint, whatever the ratio."""
    robot = arm((NONE,), (motor("m", UNDER_LOAD, SCREW, j0=1.0),))
    for q in (-1.0, 0.4):
        assert taken(robot, [q], [0.3], [-80.0]) == pytest.approx([8.0], rel=ROUNDING)
    dyn = Dynamics(robot, friction=True)
    loaded = dyn.bias([0.4], [0.3])
    assert dyn.terms([0.4], [0.3], [0.0])["friction"] == pytest.approx(0.1 * abs(loaded), rel=ROUNDING)


REFUSED = [
    pytest.param(
        (motor("m", UNDER_LOAD, j0=1.0), motor("n", j0=2.0)),
        "2 drives for 1 joint, motor torques need as many drives as joints",
        id="two motors on one joint",
    ),
    pytest.param(
        (Drive("m", "j0", Coupling(), Rotor(0.01)), motor("n", UNDER_LOAD, j0=1.0)),
        "2 drives for 1 joint, motor torques need as many drives as joints",
        id="a motor that stands beside it",
    ),
]


@pytest.mark.parametrize(("drives", "reason"), REFUSED)
def test_a_motors_load_that_cannot_be_known_is_refused_in_one_sentence(
    drives: tuple[Drive, ...], reason: str
) -> None:
    check_refusal(arm((NONE,), drives), reason)


def test_so_is_one_behind_gears_that_leave_a_motion_free() -> None:
    drives = (motor("m", UNDER_LOAD, j0=1.0, j1=2.0), motor("n", j0=2.0, j1=4.0))
    reason = "the gear matrix is singular, motor torques do not follow from joint torques"
    check_refusal(arm((NONE, NONE), drives), reason)


def check_refusal(robot: Robot, reason: str) -> None:
    dyn, x = Dynamics(robot, friction=True), np.full((3, robot.n), 0.1)
    for evaluate in (dyn.inverse, dyn.forward, dyn.sticking, dyn.resistances):
        with pytest.raises(MissingDataError) as caught:
            evaluate(*x)
        assert str(caught.value) == (
            f'robot "arm": {reason}; friction at a motor that depends on its load needs them, '
            "give that friction at the joint instead"
        )


# Rest -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rate", [1e-300, -1e-12, 3.0])
def test_a_joint_of_its_own_moves_however_slowly(rate: float) -> None:
    (rub,) = rubs(arm((DRY,)), [0.0], [rate])
    assert rub.moving > 0
    assert rub.resistance == pytest.approx(np.sign(rate) * 0.4 + 0.1 * rate, rel=ROUNDING)


def test_rates_that_cancel_but_for_rounding_leave_a_coupled_motor_at_rest() -> None:
    """3 * 0.1 - 0.3 is 5.6e-17 in doubles: the motor stands, and takes what starts it."""
    robot = arm((NONE, NONE), (motor("m", DRY, j0=3.0, j1=-1.0),))
    qd = [0.1, 0.3]
    assert 3 * qd[0] - qd[1] != 0
    (still,), (started,) = rubs(robot, [0, 0], qd), rubs(robot, [0, 0], qd, [-1.0, 0.0])
    assert still.moving < 0
    assert still.resistance == pytest.approx(0.0, abs=1e-16)
    assert started.resistance == pytest.approx(-0.6, rel=ROUNDING)


@pytest.mark.parametrize(("share", "moves"), [(0.4, False), (10.0, True)])
def test_rest_is_relative_to_the_rates_that_cancel(share: float, moves: bool) -> None:
    """theta' = 2 qd1 - qd2 of rates of 1e3: at rest below REST times 4e3."""
    robot = arm((NONE, NONE), (motor("m", DRY, j0=2.0, j1=-1.0),))
    (rub,) = rubs(robot, [0, 0], [1e3, 2e3 + share * REST * 4e3])
    assert (rub.moving > 0) == moves


def test_a_coupled_motor_stands_only_if_all_its_joints_do() -> None:
    robot = arm((NONE, NONE), (motor("m", DRY, j0=2.0, j1=5.0),))
    assert rubs(robot, [0, 0], [0.0, 1e-9])[0].moving > 0
    assert not rubs(robot, [0, 0], [0.0, 0.0])[0].moving > 0


@pytest.mark.parametrize(
    ("asked", "given", "sticking"),
    [(0.0, 0.0, 1), (0.5, 0.5, 1), (-0.5, -0.5, 1), (0.6, 0.6, 1), (0.7, 0.6, 0), (-9.0, -0.6, 0)],
)
def test_friction_at_rest_gives_what_is_asked_within_its_bounds(
    asked: float, given: float, sticking: int
) -> None:
    (rub,) = rubs(arm((DRY,)), [0.0], [0.0], [0.0], None, [asked])
    assert (rub.resistance, rub.sticking) == (given, sticking)


def test_nothing_is_asked_of_what_moves_nor_of_what_cannot_hold() -> None:
    (moving,) = rubs(arm((DRY,)), [0.0], [-2.0], [0.0], None, [0.1])
    assert (moving.resistance, moving.sticking) == (pytest.approx(-0.6), 0)
    (viscous,) = rubs(arm((Friction(viscous=3.0),)), [0.0], [0.0], [0.0], None, [0.1])
    assert (viscous.resistance, viscous.sticking) == (0, 0)


def test_bounds_at_rest_follow_the_load() -> None:
    loads = Loads([-70.0], [-10.0])
    (rub,) = rubs(arm((UNDER_LOAD,)), [0.0], [0.0], [0.0], loads, [99.0])
    assert rub.resistance == pytest.approx(7.0, rel=ROUNDING)
