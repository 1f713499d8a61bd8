"""The tree that equations see: which motor model the data support, and what each one adds."""

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, MissingDataError
from armdyn.formats import load
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import MotorModel, check_motors, default_motors
from armdyn.robot import BASE, Body, Coupling, Drive, GearStage, Joint, Robot, Rotor, ScrewTriangle
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal

PRINTED = 5e-5
"""Half a unit of the fourth printed decimal."""
ROUNDING = 1e-12
"""Relative: sums of a few products."""

RATIO = 100.0
STATE = [0.4, 0.9]


def planar_links() -> tuple[Body, ...]:
    """Two links of 1 m, centre at 0.5 m, 50 kg, 10 kg m2, turning about z."""
    inertia = Inertia(50.0, (0.5, 0.0, 0.0), diagonal(10.0, 10.0, 10.0))
    elbow = Joint("elbow", placement=Transform(translation=(1.0, 0.0, 0.0)))
    return (Body("upper", Joint("shoulder"), BASE, inertia), Body("fore", elbow, "upper", inertia))


def placed_rotor(carrier: str, x: float = 0.0, y: float = 0.0) -> Rotor:
    return Rotor(0.01, 0.005, 5.0, carrier, Transform(translation=(x, y, 0.0)))


def belt_arm() -> Robot:
    """The belt example of [Szkodny1995]: both motors on the base, the second drives q1 + q2."""
    drives = (
        Drive("m1", "shoulder", Coupling.of({"shoulder": RATIO}), placed_rotor(BASE)),
        Drive("m2", "elbow", Coupling.of({"shoulder": RATIO, "elbow": RATIO}), placed_rotor(BASE, 0.3, 0.1)),
    )
    return Robot("belt", planar_links(), drives, gravity=(0.0, -9.81, 0.0))


def geared_arm(rotor: Rotor, stages: tuple[GearStage, ...] = ()) -> Robot:
    """The same links with one motor, on the elbow."""
    elbow = Drive("m2", "elbow", Coupling.of({"elbow": RATIO}), rotor, stages)
    return Robot("geared", planar_links(), (elbow,), gravity=(0.0, -9.81, 0.0))


def H(robot: Robot, motors: MotorModel | None = None) -> np.ndarray:
    return np.array(mass_matrix(tree(robot, motors), STATE), dtype=float)


# The belt -------------------------------------------------------------------------------------


def test_the_belt_arm_has_the_exact_inertia() -> None:
    expected = np.array([[326.0805, 138.0402], [138.0402, 122.5]])
    assert np.abs(H(belt_arm(), "exact") - expected).max() <= PRINTED


def test_the_belt_arm_has_the_inertia_written_by_hand() -> None:
    rotor, elbow = 0.01 * RATIO**2, 25.0 * math.cos(STATE[1])
    D22 = 10.0 + 50.0 * 0.25 + rotor
    D12 = D22 + elbow
    D11 = (10.0 + 50.0 * 0.25) + rotor + (10.0 + 50.0 * 1.25 + 2 * elbow) + rotor
    expected = np.array([[D11, D12], [D12, D22]])
    assert np.abs(H(belt_arm(), "exact") - expected).max() <= ROUNDING * D11


def test_coupled_motors_on_the_base_lose_nothing() -> None:
    assert np.abs(H(belt_arm(), "coupled") - H(belt_arm(), "exact")).max() <= ROUNDING * 326


def test_reflected_motors_miss_the_belts_coupling() -> None:
    exact, reflected = H(belt_arm(), "exact"), H(belt_arm(), "reflected")
    assert 1 - reflected[0, 1] / exact[0, 1] == pytest.approx(0.72, abs=0.005)
    assert exact - reflected == pytest.approx(np.array([[100.0, 100.0], [100.0, 0.0]]))


def test_without_motors_the_links_are_left() -> None:
    assert H(belt_arm(), "none") == pytest.approx(H(belt_arm(), "exact") - [[200.0, 100.0], [100.0, 100.0]])


def test_gravity_feels_the_links_alone_when_motors_stand_on_the_base() -> None:
    g = [
        Dynamics(belt_arm(), motors).gravity(STATE)
        for motors in ("exact", "augmented", "coupled", "reflected", "none")
    ]
    first, both = math.cos(STATE[0]), math.cos(sum(STATE))
    expected = 9.81 * 50.0 * np.array([1.5 * first + 0.5 * both, 0.5 * both])
    assert np.array(g) == pytest.approx(np.array([expected] * 5), rel=ROUNDING)


# What each motor model adds -------------------------------------------------------------------


def test_a_motor_on_a_moving_link_adds_terms_of_first_order_in_the_ratio() -> None:
    """T = I/2 (q1' + k q2')^2: the coupled model keeps k^2 I and drops k I, as does the reflected."""
    robot = geared_arm(placed_rotor("upper"))
    expected = np.array([[0.0, 1.0], [1.0, 0.0]])  # k I
    assert H(robot, "exact") - H(robot, "coupled") == pytest.approx(expected)
    assert H(robot, "coupled") == pytest.approx(H(robot, "reflected"))


def test_a_rotors_mass_rides_on_its_carrier_in_every_model_but_none() -> None:
    riding = geared_arm(placed_rotor("upper", 0.8))
    added = {
        m: H(riding, m)[0, 0] - H(riding, "none")[0, 0]
        for m in ("exact", "augmented", "coupled", "reflected")
    }
    assert added == pytest.approx(dict.fromkeys(added, 5.0 * 0.8**2 + 0.01))


def test_a_rotor_counted_in_its_carrier_adds_only_its_spin() -> None:
    counted = geared_arm(Rotor(0.01, carrier="upper", placement=Transform(translation=(0.8, 0.0, 0.0))))
    added = H(counted, "exact") - H(counted, "none")
    assert added == pytest.approx(np.array([[0.0, 1.0], [1.0, 100.0]]))  # k I beside k^2 I


def test_a_gear_stage_spins_by_its_share_of_the_motors_angle() -> None:
    stage = GearStage(Rotor(0.04, carrier="upper", placement=Transform()), -0.5)
    robot = geared_arm(placed_rotor("upper"), (stage,))
    for motors in ("exact", "augmented", "coupled", "reflected"):
        added = H(robot, motors) - H(geared_arm(placed_rotor("upper")), motors)
        first_order = -0.5 * RATIO * 0.04 if motors in ("exact", "augmented") else 0.0
        expected = [[0.0, first_order], [first_order, 0.25 * RATIO**2 * 0.04]]
        assert added == pytest.approx(np.array(expected)), motors


def test_exact_motors_are_links_and_the_others_spins() -> None:
    def names(motors: MotorModel) -> tuple[list[str], list[str]]:
        built = tree(belt_arm(), motors)
        return [link.name for link in built.links], [spin.name for spin in built.spins]

    assert names("exact") == (["upper", "fore", "m1", "m2"], [])
    assert names("augmented") == names("exact")
    assert names("coupled") == (["upper", "fore"], ["m1", "m2"])
    assert names("reflected") == (["upper", "fore"], ["m1", "m2"])
    assert names("none") == (["upper", "fore"], [])
    assert [link.driven for link in tree(belt_arm(), "exact").links] == [True, True, False, False]
    assert [spin.own for spin in tree(belt_arm(), "coupled").spins] == [None, None]
    assert [spin.own for spin in tree(belt_arm(), "reflected").spins] == [0, 1]


def test_an_augmented_rotor_keeps_its_spin_alone() -> None:
    """Its mass and all but its axial inertia ride on its carrier; its axes need not turn."""
    upper, _, rotor = tree(geared_arm(placed_rotor("upper", 0.8)), "augmented").links
    assert rotor.inertia.mass == 0
    assert np.array(rotor.inertia.tensor) == pytest.approx(np.diag([0.0, 0.0, 0.01]))
    assert (rotor.axes, rotor.driven) == ("round", False)
    bare = tree(geared_arm(placed_rotor("upper", 0.8)), "none").links[0]
    assert upper.inertia.mass == pytest.approx(bare.inertia.mass + 5.0)


def test_an_inertia_felt_at_the_joint_adds_itself() -> None:
    drive = Drive("m2", "elbow", Coupling.of({"elbow": RATIO}), joint_inertia=7.0)
    robot = Robot("felt", planar_links(), (drive,))
    assert H(robot) - H(robot, "none") == pytest.approx(np.array([[0.0, 0.0], [0.0, 7.0]]))


def test_the_motor_of_a_locked_joint_no_longer_spins() -> None:
    robot = geared_arm(placed_rotor("upper", 0.8)).locked({"elbow": 0.3})
    for motors in ("exact", "augmented", "coupled", "reflected"):
        built, bare = (np.array(mass_matrix(tree(robot, m), [0.2]), float) for m in (motors, "none"))
        assert built - bare == pytest.approx(np.array([[5.0 * 0.8**2 + 0.01]])), motors


# Folding what is constant ---------------------------------------------------------------------


def test_bodies_on_fixed_joints_and_payloads_join_their_carrier() -> None:
    hand = Body("hand", Joint("flange", "fixed", placement=Transform(translation=(1.0, 0.0, 0.0))), "fore")
    robot = Robot("arm", (*planar_links(), replace(hand, inertia=Inertia(2.0)))).with_payload(3.0)
    lumped, whole = tree(robot), tree(robot, lump=False)
    assert [link.name for link in lumped.links] == ["upper", "fore"]
    assert [link.name for link in whole.links] == ["upper", "fore", "hand"]
    assert [link.inertia.mass for link in (lumped.links[1], *whole.links[1:3])] == [55.0, 50.0, 5.0]
    state = [0.4, 0.9]
    pair = [np.array(mass_matrix(t, state), float) for t in (lumped, whole)]
    assert pair[0] == pytest.approx(pair[1], rel=ROUNDING)


def test_joint_axes_come_along_z_of_their_links() -> None:
    tilted = Body("b", Joint("j", axis=(0.0, 1.0, 0.0), placement=Transform(from_rpy(0.0, math.pi / 2, 0.3))))
    (link,) = tree(Robot("arm", (replace(tilted, inertia=Inertia(1.0, (0.1, 0.2, 0.3))),))).links
    axis = np.array(from_rpy(0.0, math.pi / 2, 0.3)) @ [0.0, 1.0, 0.0]
    assert np.array(link.rotation, float)[:, 2] == pytest.approx(axis)


# Which model the data support -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("drives", "model"),
    [
        pytest.param((), "none", id="no drives"),
        pytest.param((Drive("m", "elbow", Coupling.of({"elbow": 1.0})),), "none", id="a gear alone"),
        pytest.param(
            (Drive("m", "elbow", Coupling.of({"elbow": 1.0}), joint_inertia=1.0),), "reflected", id="felt"
        ),
        pytest.param(
            (Drive("m", "elbow", Coupling.of({"elbow": 1.0}), Rotor(0.01)),), "coupled", id="no place"
        ),
        pytest.param(
            (Drive("m", "elbow", Coupling.of({"elbow": 1.0}), placed_rotor("upper")),), "exact", id="placed"
        ),
        pytest.param(
            (
                Drive("m", "elbow", Coupling.of({"elbow": 1.0}), placed_rotor("upper")),
                Drive("n", "shoulder", Coupling.of({"shoulder": 1.0}), Rotor(0.01)),
            ),
            "coupled",
            id="one of two placed",
        ),
        pytest.param(
            (
                Drive(
                    "m",
                    "elbow",
                    Coupling.of({"elbow": 1.0}),
                    placed_rotor("upper"),
                    (GearStage(Rotor(0.1), 0.5),),
                ),
            ),
            "coupled",
            id="a stage without a place",
        ),
        pytest.param(
            (
                Drive("m", "elbow", Coupling.of({"elbow": 1.0}), Rotor(0.01)),
                Drive("n", "shoulder", Coupling.of({"shoulder": 1.0}), joint_inertia=1.0),
            ),
            "reflected",
            id="one of two felt",
        ),
    ],
)
def test_the_default_is_the_best_that_the_data_support(drives: tuple[Drive, ...], model: str) -> None:
    assert default_motors(Robot("arm", planar_links(), drives)) == model


@pytest.mark.parametrize(
    ("robot", "motors", "sentence"),
    [
        (
            "ur5",
            "reflected",
            'motors "reflected" for robot "ur5": no drive gives an inertia; '
            '"none" is the best its data support',
        ),
        (
            "lola15",
            "exact",
            'motors "exact" for robot "lola15": drive "motor1" does not say where its rotor sits '
            '(carrier, placement); "coupled" is the best its data support',
        ),
        (
            "jpl_rrp",
            "coupled",
            "gives only the inertia felt at its joint, not its rotor; "
            '"reflected" is the best its data support',
        ),
    ],
)
def test_a_model_the_data_do_not_support_says_what_is_missing(robot: str, motors: str, sentence: str) -> None:
    with pytest.raises(MissingDataError, match=re.escape(sentence)):
        check_motors(load(robot), motors)


def test_an_unknown_model_lists_the_known_ones() -> None:
    with pytest.raises(
        InputError, match=r'^motors "exakt", expected one of exact, augmented, coupled, reflected, none$'
    ):
        check_motors(belt_arm(), "exakt")


@pytest.mark.parametrize("motors", ["exact", "augmented", "coupled", "reflected", "none"])
def test_a_lesser_model_may_always_be_asked_for(motors: str) -> None:
    assert check_motors(belt_arm(), motors) == motors


# Motor torques --------------------------------------------------------------------------------


def test_motor_torques_carry_the_same_power() -> None:
    dyn, q, qd = Dynamics(load("lola15")), np.full(6, 0.3), np.arange(1.0, 7.0)
    tau = np.array([100.0, -200.0, 300.0, 40.0, -50.0, 60.0])
    assert dyn.motor_torque(q, tau) @ dyn.motor_velocity(q, qd) == pytest.approx(tau @ qd)


def with_drives(*rows: dict[str, float], law: ScrewTriangle | None = None) -> Dynamics:
    drives = tuple(
        Drive(f"m{k}", next(iter(row)), Coupling.of(row, 0.0, law), Rotor(0.01)) for k, row in enumerate(rows)
    )
    return Dynamics(Robot("arm", planar_links(), drives))


def test_a_singular_gear_matrix_says_so() -> None:
    dyn = with_drives({"shoulder": 2.0, "elbow": 4.0}, {"shoulder": 1.0, "elbow": 2.0})
    with pytest.raises(
        MissingDataError, match=r'^robot "arm": the gear matrix is singular, motor torques do'
    ):
        dyn.motor_torque([0.0, 0.0], [1.0, 1.0])


def test_too_few_drives_say_so() -> None:
    dyn = with_drives({"shoulder": 2.0})
    sentence = r'^robot "arm": 1 drives? for 2 joints, motor torques need as many drives as joints$'
    with pytest.raises(MissingDataError, match=sentence):
        dyn.motor_torque([0.0, 0.0], [1.0, 1.0])


def test_a_state_that_is_not_a_number_spoils_only_its_own_motor_torques() -> None:
    """A screw's slope depends on the state, and is NaN there: that is no singular gear."""
    dyn = with_drives({"shoulder": 1.0}, {"elbow": 1.0}, law=ScrewTriangle(0.5, 0.2, 0.1, 300.0))
    q: Any = np.array([[0.3, 0.4], [math.nan, 0.4], [0.5, 0.6]])
    torque = dyn.motor_torque(q, np.ones(2))
    assert np.isnan(torque[1]).any()
    assert torque[[0, 2]] == pytest.approx(dyn.motor_torque(q[[0, 2]], np.ones(2)))
