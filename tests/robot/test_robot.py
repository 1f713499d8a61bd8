"""The robot and its parts: checked on construction, never changed, and copied with changes."""

import math
from collections.abc import Callable
from dataclasses import FrozenInstanceError, fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import InertiaError, InputError, RobotError
from armdyn.formats import load
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Friction,
    GearStage,
    Joint,
    Limits,
    Motor,
    Payload,
    Robot,
    Rotor,
    ScrewTriangle,
    Tool,
    Visual,
)
from armdyn.scalars import Graph, program
from armdyn.scalars.derivatives import forward
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal
from random_robots import Features, robots, states

ROUNDING = 1e-12
"""Relative to the largest torque: the same equations, terms summed in another order."""

LAW_ROUNDING = 1e-12
"""Relative: two ways to write a derivative of a square root."""

NAN = math.nan


def link(name: str, parent: str = BASE, **joint: Any) -> Body:
    return Body(name, Joint(f"{name}_joint", **joint), parent, Inertia(1.0, (0.1, 0.0, 0.0)))


def two_links(**changes: Any) -> Robot:
    settings = {"name": "arm", "bodies": (link("upper"), link("fore", "upper")), **changes}
    return Robot(**settings)


def drive(**changes: Any) -> Drive:
    settings = {"name": "m1", "joint": "upper_joint", "coupling": Coupling.of({"upper_joint": 100.0})}
    return Drive(**(settings | changes))


def torque(robot: Robot, q: Any, qd: Any, qdd: Any) -> np.ndarray:
    state = [np.asarray(x).tolist() for x in (q, qd, qdd)]
    return np.array(inverse_dynamics(tree(robot), *state).torque, dtype=float)


# Every mistake, one sentence --------------------------------------------------------------------

MISTAKES: list[tuple[Callable[[], Any], str]] = [
    # friction
    (lambda: Friction(viscous=-0.1), "friction: viscous is -0.1, expected a finite number of zero or more"),
    (lambda: Friction(coulomb=NAN), "friction: coulomb is nan, expected a finite number of zero or more"),
    (lambda: Friction(load=1.0), "friction: load is 1, expected less than 1"),
    (lambda: Friction(coulomb=2.0, starting=1.0), "friction: starting 1.0 is below coulomb 2, expected"),
    # limits
    (lambda: Limits((2.0, 1.0)), "limits: lower position 2 is above upper 1"),
    (lambda: Limits((NAN, 1.0)), "limits: nan is not a finite number"),
    (lambda: Limits(velocity=-1.0), "limits: velocity is -1, expected a finite number of zero or more"),
    (lambda: Limits(effort=math.inf), "limits: effort is inf, expected a finite number of zero or more"),
    # couplings
    (lambda: Coupling((("a", 1.0), ("a", 2.0))), "coupling: a joint is named twice in ['a', 'a']"),
    (lambda: Coupling((("a", NAN),)), "coupling: nan is not a finite number"),
    (lambda: Coupling((), math.inf), "coupling: inf is not a finite number"),
    (
        lambda: ScrewTriangle(0.04, 0.04, 0.03, 10.0),
        "screw triangle: length^2 = 0.04 + 0.04 cos + 0.03 sin is not positive at every angle",
    ),
    (
        lambda: ScrewTriangle(-1.0, 0.0, 0.0, 10.0),
        "screw triangle: length^2 = -1 + 0 cos + 0 sin is not positive at every angle",
    ),
    (lambda: ScrewTriangle(1.0, NAN, 0.0, 10.0), "screw triangle: nan is not a finite number"),
    # joints
    (lambda: Joint("a", "ball"), 'joint "a": kind "ball", expected one of revolute, prismatic, fixed'),  # pyright: ignore[reportArgumentType]
    (lambda: Joint("a", axis=(0, 0, 0)), 'joint "a": axis (0.0, 0.0, 0.0) has no direction, expected'),
    (lambda: Joint("a", offset=NAN), 'joint "a": nan is not a finite number'),
    (
        lambda: Joint("a", placement=Transform(translation=(0, math.inf, 0))),
        'joint "a": inf is not a finite number',
    ),
    (
        lambda: Joint("a", frame=Transform(diagonal(1, 1, -1))),
        'joint "a": not a rotation, expected orthonormal rows and determinant +1',
    ),
    (
        lambda: Joint("a", "fixed", friction=Friction(1.0)),
        'joint "a" is fixed, expected neither coupling nor friction',
    ),
    (
        lambda: Joint("a", "fixed", coupling=Coupling()),
        'joint "a" is fixed, expected neither coupling nor friction',
    ),
    (
        lambda: Joint("a", coupling=Coupling.of({"b": 1.0}), friction=Friction(load=0.1)),
        'joint "a" follows other joints: load-dependent friction needs a joint of its own',
    ),
    # rotors and drives
    (lambda: Rotor(-1.0), "rotor: axial is -1, expected a finite number of zero or more"),
    (
        lambda: Rotor(1.0, 0.4, 1.0, "base", Transform()),
        "rotor: axial inertia 1 ",
    ),
    (lambda: Rotor(1.0, carrier="base"), "rotor: carrier and placement go together, give both or neither"),
    (lambda: Rotor(1.0, mass=1.0), "rotor: a mass of its own needs carrier and placement"),
    (
        lambda: Rotor(1.0, 1.0, None, "base", Transform()),
        "rotor: transverse inertia is given without mass",
    ),
    (lambda: GearStage(Rotor(1.0), NAN), "gear stage: nan is not a finite number"),
    (lambda: Motor(peak_torque=0.0), "motor: peak_torque is 0, expected a finite number above zero"),
    (lambda: Motor(resistance=math.inf), "motor: resistance is inf, expected a finite number above zero"),
    (
        lambda: drive(rotor=Rotor(1.0), joint_inertia=1.0),
        'drive "m1": both joint_inertia and a rotor or stages, expected one of them',
    ),
    (
        lambda: drive(joint_inertia=-1.0),
        'drive "m1": joint_inertia is -1, expected a finite number of zero or more',
    ),
    # bodies
    (lambda: Visual("box", (1.0, 2.0)), "visual box: 2 sizes, expected 3"),
    (lambda: Visual("mesh"), "visual mesh: 0 sizes, expected 3 (a scale) and a file name"),
    (
        lambda: Visual("sphere", (-1.0,)),
        "visual sphere: size1 is -1, expected a finite number of zero or more",
    ),
    # robots
    (lambda: Robot("arm", ()), 'robot "arm" has no body, expected at least one'),
    (
        lambda: Robot("arm", (link("a", kind="fixed"),)),
        'robot "arm" has no joint that can move, expected at least one',
    ),
    (lambda: two_links(gravity=(0.0, 0.0, NAN)), 'robot "arm", gravity: nan is not a finite number'),
    (lambda: two_links(home=(0.0,)), 'robot "arm": home has 1 value, expected 2'),
    (lambda: two_links(home=(0.0, NAN)), 'robot "arm", home: nan is not a finite number'),
    (lambda: two_links(tool=Tool("fort")), 'robot "arm", tool: no body "fort"; did you mean "fore"?'),
    (
        lambda: two_links(tool=Tool("fore", Transform(diagonal(1, 1, 2)))),
        'robot "arm", tool: not a rotation, expected orthonormal rows and determinant +1',
    ),
    (
        lambda: two_links(tool=Tool("fore", Transform(translation=(NAN, 0, 0)))),
        'robot "arm", tool: nan is not a finite number',
    ),
    (
        lambda: two_links(payloads=(Payload("hand", Inertia(1.0)),)),
        'robot "arm", payload: no body "hand"; known: upper, fore',
    ),
    (
        lambda: two_links(drives=(drive(joint="uper_joint"),)),
        'robot "arm", drive "m1": no independent joint "uper_joint"; did you mean "upper_joint"?',
    ),
    (
        lambda: two_links(drives=(drive(coupling=Coupling.of({"x": 1.0})),)),
        'robot "arm", drive "m1": no independent joint "x"; known: upper_joint, fore_joint',
    ),
    (
        lambda: two_links(drives=(drive(rotor=Rotor(1.0, carrier="for", placement=Transform())),)),
        'robot "arm", drive "m1", rotor: no body "for"; did you mean "fore"?',
    ),
    (lambda: BaseMotion((NAN, 0.0, 0.0)), "base motion: nan is not a finite number"),
]


@pytest.mark.parametrize(("build", "sentence"), MISTAKES, ids=[sentence for _, sentence in MISTAKES])
def test_a_mistake_is_refused_with_subject_value_and_expectation(
    build: Callable[[], Any], sentence: str
) -> None:
    with pytest.raises((RobotError, InputError)) as caught:
        build()
    message = str(caught.value)
    assert message.startswith(sentence)
    assert "\n" not in message


@pytest.mark.parametrize(
    ("bodies", "sentence"),
    [
        ((link("a"), link("a", "a")), r'robot "arm": two bod(y|ie)s are called "a"'),
        ((link("a"), link("base", "a")), r'robot "arm": two bod(y|ie)s are called "base"'),
        ((link("a"), link("", "a")), r'robot "arm": a body has no name'),
        (
            (link("a"), Body("b", Joint("a_joint"), "a")),
            r'robot "arm": two joints are called "a_joint"',
        ),
        (
            (link("arm"), link("b", "amr")),
            r'robot "arm", body "b": no parent body "amr"; did you mean "arm"\?',
        ),
        ((link("a", "b"), link("b", "a")), r'body "a": parent "b" comes later or loops back, expected'),
        ((link("a", "a"),), r'body "a": parent "a" comes later or loops back, expected'),
        (
            (link("a"), link("b", coupling=Coupling.of({"a_jiont": 1.0}))),
            r'joint "b_joint": no independent joint "a_jiont"; did you mean "a_joint"\?',
        ),
        (
            (link("a"), link("b", coupling=Coupling.of({"b_joint": 1.0}))),
            r'joint "b_joint": no independent joint "b_joint"; did you mean "a_joint"\?',
        ),
    ],
)
def test_bodies_must_form_a_tree_of_distinct_names(bodies: tuple[Body, ...], sentence: str) -> None:
    with pytest.raises(RobotError, match=sentence):
        Robot("arm", bodies)


def test_two_drives_need_two_names() -> None:
    with pytest.raises(RobotError, match=r'robot "arm": two drives are called "m1"'):
        two_links(drives=(drive(), drive()))


@pytest.mark.parametrize("part", ["placement", "frame"])
def test_a_rotation_that_is_not_a_number_is_refused(part: str) -> None:
    with pytest.raises(RobotError, match=r'joint "a"'):
        replace(Joint("a"), **{part: Transform(diagonal(1.0, NAN, 1.0))})


@pytest.mark.parametrize(
    "place", [Transform(diagonal(1, 1, 2)), Transform(translation=(NAN, 0, 0))], ids=["stretched", "nan"]
)
def test_a_rotor_needs_a_place_that_is_one(place: Transform) -> None:
    with pytest.raises((RobotError, InputError), match=r"rotor"):
        two_links(drives=(drive(rotor=Rotor(1.0, carrier="upper", placement=place)),))


def test_an_unphysical_body_is_refused_unless_accepted_with_a_reason() -> None:
    impossible = Inertia(1.0, tensor=diagonal(1.0, 1.0, 3.0))
    with pytest.raises(InertiaError, match=r'body "a": inertia is not physical, Ixx \+ Iyy < Izz') as caught:
        Body("a", Joint("j"), inertia=impossible)
    assert (caught.value.body, caught.value.reason) == ("a", "Ixx + Iyy < Izz (2 < 3)")
    assert Body("a", Joint("j"), inertia=impossible, accept_unphysical="as printed").inertia is impossible


def test_no_reason_makes_nan_acceptable() -> None:
    with pytest.raises(InertiaError, match="a number is not finite"):
        Body("a", Joint("j"), inertia=Inertia(NAN), accept_unphysical="as printed")


@pytest.mark.parametrize(
    "inertia", [Inertia(-1.0), Inertia(NAN), Inertia(1.0, tensor=diagonal(1.0, 1.0, 3.0))]
)
def test_an_unphysical_payload_is_refused_however_it_comes(inertia: Inertia) -> None:
    with pytest.raises(InertiaError, match=r"payload.*inertia is not physical"):
        two_links(payloads=(Payload("fore", inertia),))


# What it has ----------------------------------------------------------------------------------


def test_tool_and_home_have_defaults() -> None:
    robot = two_links()
    assert robot.tool == Tool("fore")
    assert robot.home == (0.0, 0.0)


def test_axes_come_to_length_one() -> None:
    assert Joint("a", axis=(0, 3, 0)).axis == (0.0, 1.0, 0.0)
    assert Joint("a", axis=(3.0, 0.0, 4.0)).axis == pytest.approx((0.6, 0.0, 0.8))


def test_joints_are_found_by_number_from_one_or_by_name() -> None:
    robot = two_links()
    assert [robot.joint_index(k) for k in (1, 2, "upper_joint", "fore_joint")] == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("joint", "sentence"),
    [
        (0, r'no joint 0 in robot "arm"; expected 1 to 2 or one of upper_joint, fore_joint'),
        (3, r"no joint 3 in robot"),
        (-1, r"no joint -1 in robot"),
        ("uper_joint", r"no joint 'uper_joint' in robot \"arm\"; did you mean \"upper_joint\"\?"),
        (1.0, r"no joint 1\.0 in robot"),
    ],
)
def test_an_unknown_joint_is_named_with_what_there_is(joint: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        two_links().joint_index(joint)


def test_total_mass_counts_bodies_payloads_and_rotors_with_a_mass_of_their_own() -> None:
    apart = Rotor(0.01, 0.01, 0.5, "upper", Transform())
    included = Rotor(0.01, carrier="upper", placement=Transform())
    robot = two_links(
        drives=(
            drive(rotor=apart, stages=(GearStage(replace(apart, mass=0.25), 0.5),)),
            drive(name="m2", rotor=included),
        )
    )
    assert robot.total_mass == 2.0 + 0.75
    assert robot.with_payload(4.0).total_mass == 6.75
    assert robot.with_payload(4.0).without_payload().total_mass == 2.75


@pytest.mark.parametrize("part", ["robot", "body", "joint", "limits", "friction", "tool", "drive", "inertia"])
def test_nothing_can_be_changed(part: str) -> None:
    robot = two_links(drives=(drive(),))
    body = robot.bodies[0]
    whole: dict[str, Any] = {
        "robot": robot,
        "body": body,
        "joint": body.joint,
        "limits": body.joint.limits,
        "friction": body.joint.friction,
        "tool": robot.tool,
        "drive": robot.drives[0],
        "inertia": body.inertia,
    }
    for field in fields(whole[part]):
        with pytest.raises(FrozenInstanceError):
            setattr(whole[part], field.name, None)


def test_changed_copies_leave_the_original_alone() -> None:
    robot = load("lola15")
    before = load("lola15")
    robot.with_payload(5.0).with_gravity((0, 0, 0)).with_tool(Transform()).locked({1: 0.3})
    robot.placed(Transform(translation=(1.0, 0.0, 0.0))).with_base_motion(BaseMotion((1.0, 0.0, 0.0)))
    assert robot == before


# Payload --------------------------------------------------------------------------------------


def test_a_payload_is_held_by_the_tools_body_with_either_form_of_tensor() -> None:
    six = two_links().with_payload(2.0, (0.1, 0.2, 0.3), (1.0, 2.0, 2.5, 0.1, 0.2, 0.3))
    nine = two_links().with_payload(2.0, (0.1, 0.2, 0.3), [[1.0, 0.1, 0.2], [0.1, 2.0, 0.3], [0.2, 0.3, 2.5]])
    arrays: Any = np.array([0.1, 0.2, 0.3]), np.array(nine.payloads[0].inertia.tensor)
    array = two_links().with_payload(2.0, *arrays)
    assert six == nine == array
    assert six.payloads[0].body == "fore"


def test_payloads_add_up_and_can_sit_on_any_body() -> None:
    robot = two_links().with_payload(1.0).with_payload(2.0, body="upper")
    assert [(p.body, p.inertia.mass) for p in robot.payloads] == [("fore", 1.0), ("upper", 2.0)]


def test_a_payload_weighs_what_it_weighs() -> None:
    robot = two_links(gravity=(0.0, -10.0, 0.0))
    holding = robot.with_payload(3.0, (0.5, 0.0, 0.0))
    added = torque(holding, [0, 0], [0, 0], [0, 0]) - torque(robot, [0, 0], [0, 0], [0, 0])
    assert added == pytest.approx([15.0, 15.0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((1.0, (0, 0)), r"payload: centre of mass has 2 values, expected 3"),
        ((1.0, (0, 0, 0), (1, 1, 1)), r"payload: inertia \(1, 1, 1\), expected 3x3 or Ixx, Iyy, Izz, Ixy"),
        ((1.0, (0, 0, 0), ((1, 0), (0, 1))), r"payload: inertia .*, expected 3x3 or Ixx"),
        ((1.0, (0, 0, 0), "abcdef"), r"payload: inertia abcdef, expected 3x3 or Ixx"),
        ((-1.0,), r"payload.*: inertia is not physical, mass -1 kg is negative"),
        ((1.0, (0, 0, NAN)), r"payload.*: inertia is not physical, a number is not finite"),
        ((1.0, (0, 0, 0), (1, 1, 3, 0, 0, 0)), r"inertia is not physical, Ixx \+ Iyy < Izz"),
        ((1.0, (0, 0, 0), ((1, 0.5, 0), (0, 1, 0), (0, 0, 1))), r"the tensor is not symmetric"),
        ((1.0, (0, 0, 0), None, "hand"), r'robot "arm", payload: no body "hand"; known: upper, fore'),
    ],
)
def test_a_wrong_payload_is_refused(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises((InputError, RobotError), match=sentence):
        two_links().with_payload(*arguments)


# Locked joints --------------------------------------------------------------------------------


@pytest.mark.parametrize("held", [{2: 0.7, 5: -0.4}, {"joint2": 0.7, "joint5": -0.4}])
def test_a_locked_arm_moves_as_the_whole_arm_with_those_joints_at_rest(held: dict[int | str, float]) -> None:
    robot = load("lola15")
    locked = robot.locked(held)
    free = [0, 2, 3, 5]
    assert locked.joint_names == tuple(robot.joint_names[k] for k in free)
    assert locked.locked_joints == {robot.joint_names[robot.joint_index(k)]: x for k, x in held.items()}
    assert robot.locked_joints == {}
    rng = np.random.default_rng(3)
    q, qd, qdd = np.zeros((3, 6))
    for x in (q, qd, qdd):
        x[free] = rng.uniform(-2, 2, 4)
    q[[1, 4]] = 0.7, -0.4
    expected = torque(robot, q, qd, qdd)[free]
    ours = torque(locked, q[free], qd[free], qdd[free])
    assert np.abs(ours - expected).max() <= ROUNDING * np.abs(expected).max()


def test_a_locked_joint_takes_its_followers_along() -> None:
    follower = link("fore", "upper", coupling=Coupling.of({"upper_joint": -2.0}, 0.1))
    robot = Robot("arm", (link("upper"), follower, link("hand", "fore")))
    locked = robot.locked({1: 0.3})
    assert locked.bodies[1].joint.coupling == Coupling((), 0.1 - 2.0 * 0.3)
    poses = [pose_of(t, placed(t, q), t.tool) for t, q in ((tree(robot), [0.3, 0.5]), (tree(locked), [0.5]))]
    assert np.array(poses[0].rotation, float) == pytest.approx(np.array(poses[1].rotation, float))


def test_locking_keeps_what_is_left_of_home_and_drops_limits_and_friction() -> None:
    robot = replace(load("lola15"), home=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0)).locked({3: 0.0})
    assert robot.home == (1.0, 2.0, 4.0, 5.0, 6.0)
    held = robot.bodies[2].joint
    assert (held.limits, bool(held.friction)) == (Limits(), False)


def test_nothing_locked_is_the_same_robot() -> None:
    assert load("lola15").locked({}) == load("lola15")


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({1: 0.0, 2: 0.0}, r'robot "arm": all 2 joints would be locked, expected one free at least'),
        ({3: 0.0}, r'no joint 3 in robot "arm"; expected 1 to 2'),
        ({"fore_jont": 0.0}, r"no joint 'fore_jont' in robot \"arm\"; did you mean \"fore_joint\"\?"),
        ({1: NAN}, r"locked joint: nan is not a finite number"),
    ],
)
def test_what_cannot_be_locked_is_refused(values: Any, sentence: str) -> None:
    with pytest.raises((InputError, RobotError), match=sentence):
        two_links().locked(values)


# Placed elsewhere -----------------------------------------------------------------------------

ELSEWHERE = Transform(from_rpy(0.4, -0.3, 0.9), (1.0, -2.0, 0.5))


@given(robot=robots(Features(moving_base=False)), seed=st.integers(0, 2**32 - 1))
def test_a_placed_arm_is_the_arm_under_turned_gravity(robot: Robot, seed: int) -> None:
    there = robot.placed(ELSEWHERE)
    turned = robot.with_gravity((np.array(ELSEWHERE.rotation).T @ np.array(robot.gravity)).tolist())
    for q, qd, qdd in np.swapaxes(states(robot, seed, count=2), 0, 1):
        ours, expected = torque(there, q, qd, qdd), torque(turned, q, qd, qdd)
        assert np.abs(ours - expected).max() <= ROUNDING * max(1.0, np.abs(expected).max())
        model, moved = tree(robot), tree(there)
        pose, moved_pose = (pose_of(t, placed(t, q.tolist()), t.tool) for t in (model, moved))
        assert np.array((ELSEWHERE @ pose).translation, float) == pytest.approx(
            np.array(moved_pose.translation, float)
        )


@pytest.mark.parametrize("name", ["lola15", "irb6"])
def test_a_hanging_arm_is_the_arm_under_reversed_gravity(name: str) -> None:
    robot = load(name)
    hanging = robot.placed(Transform(from_rpy(math.pi, 0, 0), (0.0, 0.0, 2.0)))
    q, qd, qdd = states(robot, 5, count=1)[:, 0]
    expected = torque(robot.with_gravity((0.0, 0.0, 9.81)), q, qd, qdd)
    assert np.abs(torque(hanging, q, qd, qdd) - expected).max() <= ROUNDING * np.abs(expected).max()
    H, H_hanging = (np.array(mass_matrix(tree(r), q.tolist()), float) for r in (robot, hanging))
    assert np.abs(H - H_hanging).max() <= ROUNDING * np.abs(H).max()


def test_what_stands_on_the_base_is_placed_with_it_and_the_rest_rides() -> None:
    on_base, on_arm = (Rotor(0.01, carrier=c, placement=ELSEWHERE) for c in (BASE, "upper"))
    stages = (GearStage(on_base, 0.5), GearStage(on_arm, 0.5))
    moved = two_links(drives=(drive(rotor=on_base, stages=stages),)).placed(ELSEWHERE).drives[0]
    assert moved.rotor == replace(on_base, placement=ELSEWHERE @ ELSEWHERE)
    assert [stage.rotor for stage in moved.stages] == [moved.rotor, on_arm]


@pytest.mark.parametrize("gravity", [(0.0, 0.0), (0.0, 0.0, 0.0, 0.0)])
def test_gravity_has_three_elements(gravity: tuple[float, ...]) -> None:
    with pytest.raises(InputError, match=rf"gravity has {len(gravity)} values, expected 3"):
        two_links().with_gravity(gravity)


# Couplings ------------------------------------------------------------------------------------


def test_a_coupling_leaves_out_what_has_no_weight() -> None:
    assert Coupling.of({"a": 0.0, "b": 2.0}, 0.5) == Coupling((("b", 2.0),), 0.5)


def test_a_locked_coupling_keeps_its_value() -> None:
    coupling = Coupling.of({"a": 2.0, "b": 3.0}, 0.5)
    assert coupling.locked({"a": 0.25}) == Coupling((("b", 3.0),), 1.0)
    assert coupling.locked({"c": 0.25}) == coupling


@pytest.mark.parametrize("angle", [0.0, 0.4, math.pi / 2, 2.0, math.pi, -1.2])
def test_a_screw_is_as_long_as_the_law_of_cosines_says(angle: float) -> None:
    a, b = 0.25, 0.7
    screw = ScrewTriangle(a * a + b * b, -2 * a * b, 0.0, 100.0, b - a)
    side = math.dist((a, 0.0), (b * math.cos(angle), b * math.sin(angle)))
    assert screw.evaluate(angle)[0] == pytest.approx(100.0 * (side - (b - a)), rel=LAW_ROUNDING, abs=1e-13)


def test_a_screw_turns_fastest_where_it_stands_square_to_the_lever() -> None:
    a, b = 0.3, 0.5
    screw = ScrewTriangle(a * a + b * b, -2 * a * b, 0.0, 1.0)
    angle = math.acos(a / b)  # the screw is then square to the lever a, which is its moment arm
    _, slope, bend = screw.evaluate(angle)
    assert slope == pytest.approx(a, rel=LAW_ROUNDING)
    assert bend == pytest.approx(0.0, abs=LAW_ROUNDING)


@given(
    x=st.floats(-10, 10),
    constant=st.floats(0.1, 2.0),
    share=st.floats(0.0, 0.9),
    phase=st.floats(-4, 4),
    ratio=st.floats(-300, 300).filter(lambda r: abs(r) > 1e-3),
)
def test_the_derivatives_of_a_screw_are_those_of_its_length(
    x: float, constant: float, share: float, phase: float, ratio: float
) -> None:
    screw = ScrewTriangle(
        constant, constant * share * math.cos(phase), constant * share * math.sin(phase), ratio, 0.3
    )
    graph = Graph()
    (node,) = graph.inputs("x", 1)
    value, slope, bend = screw.evaluate(node)
    (first,) = forward([value], [(node, 1)])
    (second,) = forward([first], [(node, 1)])
    out = np.empty((1, 4))
    program([slope, bend, first, second]).run({"x": np.array([[x]])}, out)
    scale = abs(ratio) * max(1.0, np.abs(out).max() / abs(ratio))
    assert np.abs(out[0, :2] - out[0, 2:]).max() <= LAW_ROUNDING * scale
    assert screw.evaluate(x)[1:] == pytest.approx(out[0, :2], rel=LAW_ROUNDING, abs=LAW_ROUNDING * scale)


def test_joints_are_numbered_with_any_whole_number_but_no_truth() -> None:
    robot = two_links()
    assert robot.joint_index(np.int64(2)) == 1  # pyright: ignore[reportArgumentType]
    with pytest.raises(InputError, match="no joint True"):
        robot.joint_index(True)
