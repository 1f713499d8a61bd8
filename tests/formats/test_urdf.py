"""URDF in and out: beside Pinocchio and MuJoCo, there and back, and against hostile files."""

from __future__ import annotations

import builtins
import contextlib
import math
import xml.etree.ElementTree as ET
from importlib import import_module, metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import FormatError, InertiaError, InputError
from armdyn.formats import load, save
from armdyn.formats.urdf import read_urdf, write_urdf
from armdyn.formats.urdf_write import rpy_of
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.kinematics import placed, pose_of
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Friction,
    Joint,
    Limits,
    Robot,
    ScrewTriangle,
    Visual,
)
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from random_robots import Features, random_inertia, robots

# their type information knows none of their names
pin: Any = import_module("pinocchio")
mujoco: Any = import_module("mujoco")

SAME_NUMBERS = 1e-12
"""Relative: both tools compute from the same numbers, rounding alone tells them apart."""
RIGHT_ANGLES = 1e-9
"""Relative: the reader moves entries of rotations by up to 1e-9."""
DIAGONALISED = 1e-9
"""Relative: MuJoCo turns inertia tensors into their principal axes first."""

seeds = st.integers(0, 2**32 - 1)


# What is compared -----------------------------------------------------------------------------


def dynamics(robot: Robot, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, np.ndarray]:
    """armdyn's side, without drives."""
    model = tree(robot, "none")
    state = [x.tolist() for x in (q, qd, qdd)]
    H = np.array(mass_matrix(model, state[0]), float)
    return {
        "torque": np.array(inverse_dynamics(model, *state).torque, float),
        "gravity": np.array(inverse_dynamics(model, state[0], None, None).torque, float),
        "bias": np.array(inverse_dynamics(model, state[0], state[1], None).torque, float),
        "mass matrix": H,
        "kinetic energy": np.array([0.5 * qd @ H @ qd]),
    }


def assert_same(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray], tolerance: float) -> None:
    # gravity may leave an axis alone and its torque be rounding: the scale of torques is that of the
    # largest, or of an acceleration by one
    torques = [name for name in theirs if name in ("torque", "gravity", "bias")]
    scale = max(np.abs(theirs[name]).max() for name in (*torques, "mass matrix"))
    for name, expected in theirs.items():
        size = scale if name in torques else np.abs(expected).max()
        error = np.abs(ours[name] - expected).max() / size
        assert error <= tolerance, f"{name}: relative error {error:.1e}"


class PinocchioTree:
    """Pinocchio's model of a URDF with every joint free, projected onto q by theta = K q + offset."""

    def __init__(self, text: str, joint_names: tuple[str, ...]) -> None:
        self.model = pin.buildModelFromXML(text)
        self.data = self.model.createData()
        mimics = {j.get("name"): j.find("mimic") for j in ET.fromstring(text).findall("joint")}
        self.K = np.zeros((self.model.nv, len(joint_names)))
        self.offset = np.zeros(self.model.nv)
        for name, joint in zip(self.model.names[1:], self.model.joints[1:], strict=True):
            factor, leader = 1.0, name
            while (mimic := mimics[leader]) is not None:
                self.offset[joint.idx_v] += factor * float(mimic.get("offset", 0))
                factor *= float(mimic.get("multiplier", 1))
                leader = mimic.get("joint", "")
            self.K[joint.idx_v, joint_names.index(leader)] = factor

    def dynamics(self, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> dict[str, np.ndarray]:
        model, data, K = self.model, self.data, self.K
        theta, v, a = K @ q + self.offset, K @ qd, K @ qdd
        configuration = pin.neutral(model)
        for joint in model.joints[1:]:
            x = theta[joint.idx_v]
            if joint.nq == 2:  # a continuous joint is a point on the circle
                configuration[joint.idx_q : joint.idx_q + 2] = math.cos(x), math.sin(x)
            else:
                configuration[joint.idx_q] = x
        upper = pin.crba(model, data, configuration)
        H = K.T @ (np.triu(upper) + np.triu(upper, 1).T) @ K
        return {
            "torque": K.T @ pin.rnea(model, data, configuration, v, a),
            "gravity": K.T @ pin.computeGeneralizedGravity(model, data, configuration),
            "bias": K.T @ pin.nonLinearEffects(model, data, configuration, v),
            "mass matrix": H,
            "kinetic energy": np.array([pin.computeKineticEnergy(model, data, configuration, v)]),
        }


def random_state(n: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-2, 2, (3, n))


# Robots of others ------------------------------------------------------------------------------

PUBLISHED = {
    str(file).partition("robots/")[2]: Path(str(file.locate()))
    for file in metadata.files("example-robot-data") or []
    if file.suffix == ".urdf"
}
REFUSED = {
    "alex_description/urdf/alex_psyonic_hands.urdf": 'no joint "index_q1"; did you mean "Left_index_q1"?',
    "hector_description/robots/quadrotor_base.urdf": "has no joint that can move",
    "iris_description/robots/iris_simple.urdf": "has no joint that can move",
    "ur_description/urdf/ur3.urdf": "no links",
}


@pytest.mark.parametrize("name", sorted(set(PUBLISHED) - set(REFUSED)))
@pytest.mark.parametrize("literal", [True, False], ids=["literal", "right angles"])
def test_published_robots_agree_with_pinocchio(name: str, literal: bool) -> None:
    robot = load(PUBLISHED[name], literal=literal, accept_unphysical="as published")
    text = PUBLISHED[name].read_text(encoding="utf-8")
    oracle = PinocchioTree(text, robot.joint_names)
    tolerance = SAME_NUMBERS if literal else RIGHT_ANGLES
    for seed in range(3):
        q, qd, qdd = random_state(robot.n, seed)
        assert_same(dynamics(robot, q, qd, qdd), oracle.dynamics(q, qd, qdd), tolerance)


@pytest.mark.parametrize("name", REFUSED)
def test_published_files_that_are_no_arms_are_refused(name: str) -> None:
    with pytest.raises(FormatError) as caught:
        load(PUBLISHED[name])
    assert REFUSED[name] in one_sentence(caught)


@pytest.mark.parametrize("name", ["ur_description/urdf/ur5_robot.urdf", "panda_description/urdf/panda.urdf"])
def test_a_published_robot_written_is_the_same_robot(name: str, tmp_path: Path) -> None:
    robot = load(PUBLISHED[name], literal=True)
    save(robot, tmp_path / "again.urdf")
    again = load(tmp_path / "again.urdf", literal=True)
    q, qd, qdd = random_state(robot.n, 1)
    assert_same(dynamics(again, q, qd, qdd), dynamics(robot, q, qd, qdd), SAME_NUMBERS)
    assert again.joint_names == robot.joint_names
    assert [body.visuals for body in again.bodies if body.visuals] == [
        b.visuals for b in robot.bodies if b.visuals
    ]
    assert [j.limits for j in again.joints] == [j.limits for j in robot.joints]
    assert [j.friction for j in again.joints] == [j.friction for j in robot.joints]
    save(again, tmp_path / "third.urdf")  # writing what was read adds nothing more
    assert load(tmp_path / "third.urdf", literal=True).bodies == again.bodies


def test_ur5_as_read() -> None:
    robot = load(PUBLISHED["ur_description/urdf/ur5_robot.urdf"])
    assert robot.name == "ur5"
    assert robot.source == "ur5_robot.urdf"
    assert robot.joint_names[:3] == ("shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint")
    assert robot.tool.body == "ee_link"
    assert robot.joints[0].limits == Limits((-6.28318530718, 6.28318530718), velocity=3.15, effort=150.0)
    lift = robot.joints[1].placement.rotation
    assert lift == ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0), (-1.0, 0.0, 0.0))
    assert (
        "right angles written as decimals were read as exact (5 rotations, largest change 5e-12)"
        in robot.notes[0]
    )
    assert 'link "base" is called "base_link_2" here' in " ".join(robot.notes)
    assert "mechanicalReduction of 6 transmissions" in " ".join(robot.notes)


# Random files ----------------------------------------------------------------------------------


def numbers(values: Any) -> str:
    return " ".join(repr(float(x)) for x in values)


def origin(rng: np.random.Generator) -> str:
    angles = math.pi / 2 * rng.integers(-2, 3, 3) if rng.random() < 0.5 else rng.uniform(-3, 3, 3)
    return f'<origin xyz="{numbers(rng.uniform(-0.5, 0.5, 3))}" rpy="{numbers(angles)}"/>'


def inertial(rng: np.random.Generator) -> str:
    body = random_inertia(rng)
    (xx, xy, xz), (_, yy, yz), (_, _, zz) = body.tensor
    return (
        f'<inertial>{origin(rng)}<mass value="{body.mass!r}"/><inertia ixx="{xx!r}" ixy="{xy!r}" '
        f'ixz="{xz!r}" iyy="{yy!r}" iyz="{yz!r}" izz="{zz!r}"/></inertial>'
    )


def random_urdf(seed: int, links: int, mimics: bool) -> str:
    """A tree: arbitrary axes, turned inertias, branches, fixed links, sliding and continuous joints."""
    rng = np.random.default_rng(seed)
    parts = [
        "<mujoco><compiler discardvisual='true' balanceinertia='false' boundmass='0' boundinertia='0' "
        "inertiafromgeom='false'/></mujoco>",
        f'<link name="root">{inertial(rng)}</link>',
    ]
    movable: list[str] = []
    for k in range(links):
        kind = str(rng.choice(["revolute", "continuous", "prismatic", "fixed"])) if k else "revolute"
        parent = "root" if not k else f"l{rng.integers(max(0, k - 3), k)}"
        axis = np.eye(3)[rng.integers(3)] if rng.random() < 0.4 else rng.normal(size=3)
        follows = mimics and movable and kind != "fixed" and rng.random() < 0.3
        a, b = rng.uniform(-1, 1, 2).tolist()
        mimic = f'<mimic joint="{rng.choice(movable)}" multiplier="{a!r}" offset="{b!r}"/>' if follows else ""
        parts.append(
            f'<joint name="j{k}" type="{kind}"><parent link="{parent}"/><child link="l{k}"/>{origin(rng)}'
            f'<axis xyz="{numbers(axis)}"/><limit lower="-1" upper="2" effort="10" velocity="3"/>{mimic}'
            f'</joint><link name="l{k}">{inertial(rng)}</link>'
        )
        movable += [f"j{k}"] if kind != "fixed" else []
    return f'<?xml version="1.0"?>\n<robot name="random">{"".join(parts)}</robot>'


@given(seeds, st.integers(1, 8), st.booleans())
def test_random_files_agree_with_pinocchio(seed: int, links: int, literal: bool) -> None:
    text = random_urdf(seed, links, mimics=True)
    robot = read_urdf(text.encode(), literal=literal)
    q, qd, qdd = random_state(robot.n, seed)
    theirs = PinocchioTree(text, robot.joint_names).dynamics(q, qd, qdd)
    assert_same(dynamics(robot, q, qd, qdd), theirs, SAME_NUMBERS if literal else RIGHT_ANGLES)


@given(seeds, st.integers(1, 8))
def test_random_files_agree_with_mujoco(seed: int, links: int) -> None:
    text = random_urdf(seed, links, mimics=False)
    robot = read_urdf(text.encode())
    q, qd, qdd = random_state(robot.n, seed)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    positions = [model.joint(name).qposadr[0] for name in robot.joint_names]
    dofs = [model.joint(name).dofadr[0] for name in robot.joint_names]
    data.qpos[positions], data.qvel[dofs] = q, qd
    mujoco.mj_forward(model, data)
    H = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, H)
    theirs = {"mass matrix": H[np.ix_(dofs, dofs)], "bias": data.qfrc_bias[dofs].copy()}
    assert model.nv == robot.n
    assert_same(dynamics(robot, q, qd, qdd), theirs, DIAGONALISED)


# There and back --------------------------------------------------------------------------------

PLAIN = Features(bodies=7, nonlinear=False, drives=False, moving_base=False)


def reordered(values: np.ndarray, old: Robot, new: Robot) -> np.ndarray:
    """A vector on the old robot's q in the order of the new one's."""
    return values[[old.joint_names.index(name) for name in new.joint_names]]


def tool_pose(robot: Robot, q: np.ndarray) -> np.ndarray:
    model = tree(robot, "none")
    T = pose_of(model, placed(model, q.tolist()), model.tool)
    return np.column_stack([np.array(T.rotation, float), np.array(T.translation, float)])


@given(robots(PLAIN), seeds)
def test_a_robot_written_and_read_moves_alike(robot: Robot, seed: int) -> None:
    robot = robot.with_gravity((0.0, 0.0, -9.81))
    if robot.n > 1 and seed % 2:
        robot = robot.locked({robot.n: 0.7})
    text, _ = write_urdf(robot)
    again = read_urdf(text.encode(), literal=True)
    state = random_state(robot.n, seed)
    there = [reordered(x, robot, again) for x in state]
    expected, found = dynamics(robot, *state), dynamics(again, *there)
    for name, value in expected.items():
        if value.ndim == 2:
            expected[name] = reordered(reordered(value, robot, again).T, robot, again).T
        elif len(value) == robot.n and name != "kinetic energy":
            expected[name] = reordered(value, robot, again)
    assert_same(found, expected, SAME_NUMBERS)
    assert tool_pose(again, there[0]) == pytest.approx(tool_pose(robot, state[0]), abs=1e-13)


@given(robots(PLAIN), seeds)
def test_others_read_what_is_written(robot: Robot, seed: int) -> None:
    robot = robot.with_gravity((0.0, 0.0, -9.81))
    text, _ = write_urdf(robot)
    q, qd, qdd = random_state(robot.n, seed)
    theirs = PinocchioTree(text, robot.joint_names).dynamics(q, qd, qdd)
    assert_same(dynamics(robot, q, qd, qdd), theirs, SAME_NUMBERS)


@given(seeds)
def test_rotations_survive_as_roll_pitch_yaw(seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis, near = rng.normal(size=3), 10.0 ** rng.uniform(-17, 0)
    for rotation in (
        from_axis_angle(tuple(axis), rng.uniform(-4, 4)),
        from_rpy(rng.uniform(-4, 4), math.pi / 2 + near, rng.uniform(-4, 4)),  # where yaw and roll are one
        from_rpy(rng.uniform(-4, 4), -math.pi / 2 + near, 0.0),
        from_rpy(*(math.pi / 2 * rng.integers(-2, 3, 3))),
    ):
        again = from_rpy(*(float(repr(x)) for x in rpy_of(rotation)))
        assert np.abs(np.array(again) - np.array(rotation)).max() <= 1e-15


def test_what_is_carried_and_what_is_lost(tmp_path: Path) -> None:
    friction = Friction(viscous=0.1, coulomb=0.2, starting=0.3, load=0.05)
    visual = Visual(
        "cylinder", (0.1, 0.4), placement=Transform(translation=(0.0, 0.0, 0.2)), color=(1.0, 0.5, 0.0, 1.0)
    )
    turned = Transform(from_rpy(0.3, -0.2, 0.5), (0.1, 0.2, 0.3))
    inertia = Inertia(2.0, (0.0, 0.1, 0.0), ((0.02, 0.0, 0.0), (0.0, 0.03, 0.0), (0.0, 0.0, 0.025)))
    robot = Robot(
        "arm",
        (
            Body(
                "upper",
                Joint(
                    "a",
                    frame=turned,
                    offset=0.4,
                    limits=Limits((-1.0, 2.0), 3.0, 4.0, 5.0),
                    friction=friction,
                ),
                BASE,
                inertia,
                (visual,),
            ),
            Body("slide", Joint("b", "prismatic", (1.0, 1.0, 0.0)), "upper", inertia),
            Body(
                "nut",
                Joint("c", coupling=Coupling((("a", 1.0),), law=ScrewTriangle(0.08, 0.01, 0.0, 5.0))),
                "slide",
            ),
            Body("payload", Joint("d", "fixed"), "slide", inertia),
            Body("sum", Joint("e", coupling=Coupling((("a", 1.0), ("b", 2.0)), 0.1)), "slide", inertia),
        ),
        (Drive("m1", "a", Coupling((("a", 100.0),))),),
        home=(0.5, 0.0),
        gravity=(0.0, 0.0, -1.62),
        base_motion=BaseMotion(acceleration=(1.0, 0.0, 0.0)),
        description="an arm",
        source="nowhere",
        notes=("odd",),
    ).with_payload(1.0, (0.0, 0.0, 0.1), body="slide")
    lost = save(robot, tmp_path / "arm.urdf")
    again = load(tmp_path / "arm.urdf", literal=True)
    assert [s for s in lost if "\n" in s] == []
    for fact in (
        'drives "m1"',
        'joint "a": starting friction 0.3',
        'joint "a": load-dependent friction 0.05',
        'joint "a": acceleration limit 4',
        'joint "b" slides without limits',
        'joint "c" follows "a" by a nonlinear law',
        "gravity 0.0 0.0 -1.62",
        "motion of the base",
        "home 0.5 0.0",
        "description",
        "source",
        "notes",
    ):
        assert any(fact in sentence for sentence in lost), fact
    assert len(lost) == 12
    assert again.joints[0].limits == Limits((-1.0, 2.0), 3.0, None, 5.0)
    assert again.joints[0].friction == Friction(0.1, 0.2)
    assert {"payload", "payload_2", "sum_a", "tool"} <= set(again.body_names)
    assert again.tool.body == "tool"
    assert again.bodies[0].visuals[0].color == visual.color
    drawn = turned @ visual.placement  # the link's frame is the joint's, the body's stands off from it
    assert again.bodies[0].visuals[0].placement.translation == pytest.approx(drawn.translation)
    assert np.array(again.bodies[0].visuals[0].placement.rotation) == pytest.approx(np.array(drawn.rotation))
    assert again.total_mass == pytest.approx(robot.total_mass)


def test_locked_joints_are_written_as_fixed() -> None:
    robot = read_urdf(arm(extra=joint("b", "l1", "l2") + link("l2"))).locked({"b": 0.7})
    text, lost = write_urdf(robot)
    again = read_urdf(text.encode(), literal=True)
    state = random_state(1, 3)
    assert again.joint_names == ("a",)
    assert_same(dynamics(again, *state), dynamics(robot, *state), SAME_NUMBERS)
    assert lost == ("the robot's source: not carried",)


def test_branches_written_out_of_order_are_reported() -> None:
    bodies = tuple(
        Body(name, Joint(f"q_{name}"), parent, Inertia(1.0))
        for name, parent in (("left", BASE), ("right", BASE), ("hand", "left"))
    )
    _, lost = write_urdf(Robot("tree", bodies))
    assert lost == ("the order of q is not carried: branch after branch it is q_left, q_hand, q_right",)


def test_names_that_xml_cannot_write_are_refused() -> None:
    robot = Robot("bell\a", (Body("b", Joint("j"), BASE, Inertia(1.0)),))
    with pytest.raises(InputError, match="cannot write; rename it"):
        write_urdf(robot)


def test_names_that_xml_must_escape_come_back() -> None:
    robot = Robot('<a & "b">', (Body("l'été <1>", Joint("j&k"), BASE, Inertia(1.0)),))
    again = read_urdf(write_urdf(robot)[0].encode())
    assert (again.name, again.body_names[0], again.joint_names) == (robot.name, "l'été <1>", ("j&k",))


# Reading, rule by rule -------------------------------------------------------------------------

MASS = '<inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>'


def link(name: str, inner: str = MASS) -> str:
    return f'<link name="{name}">{inner}</link>\n'


def joint(name: str, parent: str, child: str, inner: str = "", kind: str = "continuous") -> str:
    ends = f'<parent link="{parent}"/><child link="{child}"/>'
    return f'<joint name="{name}" type="{kind}">{ends}\n{inner}</joint>\n'


def urdf(*parts: str) -> bytes:
    return f'<?xml version="1.0"?>\n<robot name="r">\n{"".join(parts)}</robot>\n'.encode()


def arm(inner: str = "", kind: str = "continuous", extra: str = "", root: str = "l0") -> bytes:
    """Two links and a joint, which stands in lines 5 to 6 with `inner` in line 6."""
    return urdf(link(root, MASS), link("l1"), joint("a", root, "l1", inner, kind), extra)


def test_the_root_is_a_body_on_the_base() -> None:
    robot = read_urdf(arm())
    assert [(b.name, b.parent, b.joint.kind) for b in robot.bodies] == [
        ("l0", BASE, "fixed"),
        ("l1", "l0", "revolute"),
    ]
    assert robot.notes == ()


def test_an_empty_root_called_base_is_the_base() -> None:
    robot = read_urdf(urdf('<link name="base"/>', link("l1"), joint("a", "base", "l1")))
    assert [(b.name, b.parent) for b in robot.bodies] == [("l1", BASE)]
    assert robot.notes == ()


@pytest.mark.parametrize(("other", "renamed"), [("l1", "base_link"), ("base_link", "base_link_2")])
def test_a_root_called_base_with_mass_is_renamed(other: str, renamed: str) -> None:
    robot = read_urdf(urdf(link("base"), link(other), joint("a", "base", other)))
    assert robot.body_names == (renamed, other)
    assert robot.notes == (f'link "base" is called "{renamed}" here, "base" is what the robot stands on',)


def test_bodies_stand_depth_first_and_branches_in_file_order() -> None:
    names = ("r", "a", "b", "a1", "b1", "a2")
    edges = (("b", "r"), ("a2", "a1"), ("a", "r"), ("b1", "b"), ("a1", "a"))
    robot = read_urdf(urdf(*(link(n) for n in names), *(joint(f"j{c}", p, c) for c, p in edges)))
    assert robot.joint_names == ("jb", "jb1", "ja", "ja1", "ja2")
    assert robot.tool.body == "a2"


def test_of_equally_long_branches_the_first_carries_the_tool() -> None:
    fixed = joint("f1", "l1", "tcp", kind="fixed") + joint("f2", "l1", "flange", kind="fixed")
    robot = read_urdf(arm(extra=fixed + '<link name="flange"/><link name="tcp"/>'))
    assert robot.tool.body == "tcp"


def test_limits_dynamics_and_home() -> None:
    inner = '<limit lower="0.5" upper="1" effort="7" velocity="0"/><dynamics damping="0.1" friction="0.2"/>'
    robot = read_urdf(arm(inner, "revolute"))
    assert robot.joints[0].limits == Limits((0.5, 1.0), effort=7.0)
    assert robot.joints[0].friction == Friction(0.1, 0.2)
    assert robot.home == (0.5,)
    assert robot.notes == ('limits of 0 for velocity or effort were read as unknown (joints "a")',)


@pytest.mark.parametrize("inner", ["", '<limit effort="1" velocity="1"/>'])
def test_missing_position_limits_are_none_and_said(inner: str) -> None:
    robot = read_urdf(arm(inner, "prismatic"))
    assert robot.joints[0].limits.position is None
    assert robot.notes == ('no position limits given for joints "a": read as unlimited',)


def test_infinite_limits_are_none() -> None:
    inner = '<limit lower="-inf" upper="inf" effort="inf" velocity="Infinity"/>'
    assert read_urdf(arm(inner, "revolute")).joints[0].limits == Limits()


def test_fixed_joints_may_say_anything_about_motion() -> None:
    fixed = joint("f", "l1", "l2", '<axis xyz="0 0 0"/><dynamics damping="1"/><mimic joint="?"/>', "fixed")
    robot = read_urdf(arm(extra=fixed + link("l2")))
    assert robot.bodies[-1].joint == Joint("f", "fixed")


def test_the_axis_is_x_unless_given() -> None:
    assert read_urdf(arm()).joints[0].axis == (1.0, 0.0, 0.0)
    assert read_urdf(arm('<axis xyz="0 3 4"/>')).joints[0].axis == pytest.approx((0.0, 0.6, 0.8))


def test_mimic_of_mimic_follows_the_independent_joint() -> None:
    second = joint("b", "l1", "l2", '<mimic joint="c" multiplier="2" offset="0.5"/>') + link("l2")
    third = joint("c", "l2", "l3", '<mimic joint="a" multiplier="-3" offset="0.25"/>') + link("l3")
    still = joint("d", "l3", "l4", '<mimic joint="a" multiplier="0" offset="0.1"/>') + link("l4")
    robot = read_urdf(arm(extra=second + third + still))
    couplings = {body.joint.name: body.joint.coupling for body in robot.bodies}
    assert robot.joint_names == ("a",)
    assert couplings["b"] == Coupling((("a", -6.0),), 1.0)
    assert couplings["c"] == Coupling((("a", -3.0),), 0.25)
    assert couplings["d"] == Coupling((), 0.1)


def test_missing_inertia_is_said_unless_a_fixed_link_has_one() -> None:
    inner = joint("b", "l1", "l2") + link("l2", "") + joint("c", "l2", "l3") + link("l3", "")
    robot = read_urdf(arm(extra=inner + joint("f", "l3", "l4", kind="fixed") + link("l4")))
    assert robot.notes == ('no inertia given for "l2": dynamics may be wrong',)


def test_shapes_and_colours() -> None:
    shapes = "".join(
        f'<visual><origin xyz="1 2 3"/><geometry>{shape}</geometry>{material}</visual>'
        for shape, material in (
            ('<box size="1 2 3"/>', '<material name="red"/>'),
            (
                '<cylinder radius="1" length="2"/>',
                '<material name="own"><color rgba="0 0 1 0.5"/></material>',
            ),
            ('<sphere radius="1"/>', '<material name="own"/>'),
            ('<mesh filename="package://a/../../b.stl" scale="1 1 -1"/>', '<material name="unknown"/>'),
            ('<capsule radius="1"/>', ""),
        )
    )
    material = '<material name="red"><color rgba="1 0 0 1"/></material>'
    robot = read_urdf(urdf(material, link("l0"), link("l1", MASS + shapes), joint("a", "l0", "l1")))
    place = Transform(translation=(1.0, 2.0, 3.0))
    assert robot.bodies[1].visuals == (
        Visual("box", (1.0, 2.0, 3.0), None, place, (1.0, 0.0, 0.0, 1.0)),
        Visual("cylinder", (1.0, 2.0), None, place, (0.0, 0.0, 1.0, 0.5)),
        Visual("sphere", (1.0,), None, place, (0.0, 0.0, 1.0, 0.5)),
        Visual("mesh", (1.0, 1.0, -1.0), "package://a/../../b.stl", place),
    )
    assert robot.notes == ('URDF knows no shape "capsule": 1 visual left out',)


def test_small_angles_are_not_right_angles() -> None:
    """The cosine of 2e-5 is within 1e-9 of 1; taking it as 1 beside its sine would be no rotation."""
    turned = read_urdf(arm('<origin rpy="2e-5 0 1.57079632679"/><axis xyz="0 2e-5 1"/>')).joints[0]
    R = np.array(turned.placement.rotation)
    assert np.abs(R @ R.T - np.eye(3)).max() < 1e-15
    assert np.linalg.norm(np.array(turned.axis, float)) == pytest.approx(1.0, abs=1e-15)
    assert turned.axis[1] == pytest.approx(2e-5, rel=1e-9)


def test_right_angles_are_exact_unless_literal() -> None:
    data = arm('<origin rpy="1.5707963267 0 0"/><axis xyz="1e-10 0 1"/>')
    exact, literal = read_urdf(data), read_urdf(data, literal=True)
    assert exact.joints[0].placement.rotation == ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    assert exact.joints[0].axis == (0, 0, 1)
    assert exact.notes == (
        "right angles written as decimals were read as exact (2 rotations, largest change 1e-10); "
        "literal=True or --literal keeps them as written",
    )
    assert literal.joints[0].placement.rotation[1][1] == math.cos(1.5707963267)
    assert literal.joints[0].axis[0] == 1e-10
    assert literal.notes == ()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(encoding: str) -> None:
    text = arm().decode().replace("l1", "bras_levé").encode(encoding)
    assert read_urdf(text).tool.body == "bras_levé"


def test_comments_namespaces_and_a_missing_name_do_not_matter(tmp_path: Path) -> None:
    text = arm().replace(
        b'<robot name="r">', b'<!-- <!DOCTYPE x> --><robot xmlns="http://ros.org"><!-- hello -->'
    )
    (tmp_path / "my_arm.urdf").write_bytes(text)
    assert load(tmp_path / "my_arm.urdf").name == "my_arm"


# Mistakes --------------------------------------------------------------------------------------


def one_sentence(caught: pytest.ExceptionInfo[Any]) -> str:
    """The message, which must be one line, not long, and without a full stop in the middle."""
    message = str(caught.value)
    assert "\n" not in message
    assert ". " not in message
    assert len(message) < 600
    return message


TWO = link("l0") + link("l1")
MISTAKES = {
    "empty": (b"", 1, "the file is empty, expected XML with a <robot>"),
    "blank": (b" \n \n", 1, "the file is empty"),
    "binary": (bytes(range(256)) * 10, 1, "not XML"),
    "text": (b"hello\n", 1, "not XML"),
    "truncated": (arm()[:-40], 5, "not XML"),
    "crossed tags": (b"<robot>\n<link name='a'>\n</robot>", 3, "mismatch: link line 2 and robot"),
    "not UTF-8": (b"<robot>\n<link name='\xff'/></robot>", 2, "not XML"),
    "undeclared prefix": (b"<robot>\n<a:b/></robot>", 2, "Namespace prefix a on b is not defined"),
    "another root": (b"\n<sdf/>", 2, "the outermost element is <sdf>, expected <robot>"),
    "no links": (b"<robot name='r'/>", 1, "the robot has no links"),
    "no joint": (urdf(link("l0")), 2, "has no joint that can move"),
    "nameless link": (urdf("<link/>"), 3, 'link: name is missing, expected name="..."'),
    "two links of a name": (urdf(TWO, link("l0")), 5, 'link "l0": another link (line 3) has this name'),
    "two joints of a name": (
        arm(extra=joint("a", "l1", "l2") + link("l2")),
        7,
        'joint "a": another joint (line 5) has this name',
    ),
    "unknown link": (
        urdf(link("shoulder"), link("elbow"), joint("a", "sholder", "elbow")),
        5,
        'joint "a", parent: no link "sholder"; did you mean "shoulder"?',
    ),
    "unknown link, no guess": (
        urdf(TWO, joint("a", "l0", "zzz")),
        5,
        'child: no link "zzz"; known: "l0", "l1"',
    ),
    "no child": (
        urdf(TWO, '<joint name="a" type="fixed"><parent link="l0"/></joint>'),
        5,
        "<child> is missing",
    ),
    "no parent": (
        urdf(TWO, '<joint name="a" type="fixed"><child link="l0"/></joint>'),
        5,
        "<parent> is missing",
    ),
    "two parents": (
        arm(extra=joint("b", "l2", "l1") + joint("c", "l0", "l2") + link("l2")),
        7,
        'joint "b": its child "l1" hangs on joint "a" too (line 5), expected one parent',
    ),
    "circle": (
        urdf(TWO, joint("a", "l0", "l1"), joint("b", "l1", "l0")),
        5,
        'links "l0", "l1" hang on each other in a circle',
    ),
    "circle beside the root": (
        arm(extra=joint("b", "l2", "l3") + joint("c", "l3", "l2") + link("l2") + link("l3")),
        7,
        "hang on each other in a circle, expected a tree",
    ),
    "on itself": (arm(extra=joint("b", "l2", "l2") + link("l2")), 7, 'links "l2" hang on each other'),
    "several roots": (arm(extra=link("l2")), 7, 'links "l0", "l2" hang on no joint, expected one root'),
    "no type": (urdf(TWO, '<joint name="a"/>'), 5, 'joint "a": type is missing'),
    "unknown type": (arm(kind="revolut"), 5, 'type "revolut"; did you mean "revolute"? expected one of'),
    "floating": (
        arm(kind="floating"),
        5,
        'joint "a": type "floating" is not supported; an arm stands on a base',
    ),
    "planar": (arm(kind="planar"), 5, 'type "planar" is not supported; replace it by two prismatic joints'),
    "two values": (
        arm('<origin xyz="0 1"/>'),
        6,
        'joint "a", origin: xyz="0 1" has 2 values, expected 3 numbers',
    ),
    "word": (arm('<origin rpy="0 0 pi"/>'), 6, 'rpy has "pi", expected a finite number'),
    "nan": (arm('<origin xyz="0 nan 1"/>'), 6, 'xyz has "nan", expected a finite number'),
    "infinite": (arm('<axis xyz="0 inf 1"/>'), 6, 'axis: xyz has "inf", expected a finite number'),
    "too large": (arm('<axis xyz="0 1e999 1"/>'), 6, 'xyz has "1e999", which is too large'),
    "underscore": (arm('<axis xyz="0 1_0 1"/>'), 6, 'xyz has "1_0"'),
    "comma": (arm('<axis xyz="0,1 0 1"/>'), 6, 'xyz has "0,1"'),
    "macro in a number": (
        arm('<axis xyz="${x} 0 1"/>'),
        6,
        'xyz has "${x}", expected a finite number such as 0.25; run',
    ),
    "endless number": (arm(f'<axis xyz="{"1" * 10**6} 0 1"/>'), 6, 'xyz has "1111'),
    "no axis": (arm('<axis xyz="0 0 0"/>'), 6, 'joint "a", axis: xyz="0 0 0" has no direction'),
    "lower above upper": (
        arm('<limit lower="2" upper="1" effort="1" velocity="1"/>', "revolute"),
        6,
        'joint "a", limit: lower 2 is above upper 1, expected lower <= upper',
    ),
    "negative effort": (
        arm('<limit effort="-1" velocity="1"/>'),
        6,
        'joint "a", limit: limits: effort is -1',
    ),
    "half infinite": (
        arm('<limit lower="0" upper="inf" effort="1" velocity="1"/>', "revolute"),
        6,
        "one of lower and upper is infinite, expected both or neither",
    ),
    "negative damping": (arm('<dynamics damping="-1"/>'), 6, 'joint "a", dynamics: friction: viscous is -1'),
    "mimic of nothing": (arm('<mimic joint="b"/>'), 6, 'joint "a", mimic: no joint "b"; known: "a"'),
    "mimic of itself": (arm('<mimic joint="a"/>'), 6, 'joints "a" mimic each other'),
    "mimics of each other": (
        arm('<mimic joint="b"/>', extra=joint("b", "l1", "l2", '<mimic joint="a"/>') + link("l2")),
        6,
        'joints "a", "b" mimic each other, expected one that moves by itself',
    ),
    "mimic of a fixed joint": (
        arm('<mimic joint="b"/>', extra=joint("b", "l1", "l2", kind="fixed") + link("l2")),
        6,
        'joint "b" is fixed, expected one that moves',
    ),
    "mimic overflow": (
        arm(
            extra=joint("b", "l1", "l2", '<mimic joint="a" multiplier="1e308"/>')
            + link("l2")
            + joint("c", "l2", "l3", '<mimic joint="b" multiplier="1e308"/>')
            + link("l3")
        ),
        11,
        "is not a finite number",
    ),
    "no mass": (
        arm(extra=joint("b", "l1", "l2") + link("l2", "<inertial/>")),
        9,
        'link "l2", inertial: <mass> is',
    ),
    "no tensor": (
        arm(extra=joint("b", "l1", "l2") + link("l2", '<inertial><mass value="1"/></inertial>')),
        9,
        "<inertia> is missing, expected for example",
    ),
    "half a tensor": (
        arm(
            extra=joint("b", "l1", "l2")
            + link("l2", '<inertial><mass value="1"/><inertia ixx="1"/></inertial>')
        ),
        9,
        'link "l2", inertial inertia: iyy is missing',
    ),
    "no geometry": (arm(extra=joint("b", "l1", "l2") + link("l2", "<visual/>")), 9, "<geometry> is missing"),
    "negative size": (
        arm(
            extra=joint("b", "l1", "l2")
            + link("l2", '<visual><geometry><sphere radius="-1"/></geometry></visual>')
        ),
        9,
        'link "l2", visual geometry sphere: visual sphere: size1 is -1',
    ),
    "colour": (
        urdf('<material name="x"><color rgba="1 0 0"/></material>', TWO, joint("a", "l0", "l1")),
        3,
        'material color: rgba="1 0 0" has 3 values, expected 4 numbers',
    ),
    "macro": (
        urdf('<xacro:include xmlns:xacro="http://www.ros.org/wiki/xacro"/>'),
        3,
        "a macro (xacro:include), expected plain URDF; run xacro first",
    ),
    "too many links": (
        urdf(*(f'<link name="{k}"/>\n' for k in range(10_001))),
        10_003,
        "10001 links, expected at most 10000",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_told_in_one_sentence_with_their_line(name: str, tmp_path: Path) -> None:
    data, line, fact = MISTAKES[name]
    path = tmp_path / "arm.urdf"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        load(path)
    message = one_sentence(caught)
    assert message.startswith(f"{path}, line {line}: ")
    assert fact in message
    assert (caught.value.file, caught.value.line) == (str(path), line)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('<mass value="1"/>', '<mass value="-1"/>', "mass -1 kg is negative"),
        ('izz="1"', 'izz="5"', "Ixx + Iyy < Izz (2 < 5)"),
        ('ixy="0"', 'ixy="3"', "not physical"),
    ],
)
def test_unphysical_inertias_are_refused_unless_accepted(
    old: str, new: str, reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "arm.urdf"
    path.write_bytes(urdf(link("l0"), link("l1", MASS.replace(old, new)), joint("a", "l0", "l1")))
    with pytest.raises(InertiaError) as caught:
        load(path)
    assert f'body "l1" ({path}, line 4)' in one_sentence(caught)
    assert reason in str(caught.value)
    robot = load(path, accept_unphysical="as the maker printed it")
    assert robot.bodies[1].accept_unphysical == "as the maker printed it"


# Hostile files ---------------------------------------------------------------------------------

SECRET = "the secret of the house"
BILLION_LAUGHS = (
    '<!DOCTYPE lolz [<!ENTITY lol "lol">'
    + "".join(f'<!ENTITY lol{k} "{f"&lol{k - 1};" * 10}">' for k in range(2, 10)).replace("&lol1;", "&lol;")
    + ']>\n<robot name="&lol9;"><link name="&lol9;"/></robot>'
)


@pytest.fixture
def nothing_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """No file is opened from Python while a test reads bytes."""

    def refuse(*args: Any, **options: Any) -> None:
        raise AssertionError(f"opened {args[0]}")

    monkeypatch.setattr(builtins, "open", refuse)
    monkeypatch.setattr(Path, "open", refuse)


def hostile(tmp_path: Path) -> dict[str, tuple[bytes, str]]:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    external = f'<!DOCTYPE robot [<!ENTITY x SYSTEM "{secret.as_uri()}">]>\n'
    parameter = f'<!DOCTYPE robot [<!ENTITY % x SYSTEM "{secret.as_uri()}"> %x;]>\n'
    include = (
        f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{secret.as_uri()}" parse="text"/>'
    )
    declaration = "a document type declaration (<!DOCTYPE ...>)"
    return {
        "laughs": (BILLION_LAUGHS.encode(), declaration),
        "laughs in UTF-16": (BILLION_LAUGHS.encode("utf-16"), declaration),
        "external entity": (f"{external}<robot name='r'>&x;</robot>".encode(), declaration),
        "parameter entity": (f"{parameter}<robot name='r'/>".encode(), declaration),
        "external type": (f'<!DOCTYPE robot SYSTEM "{secret.as_uri()}"><robot/>'.encode(), declaration),
        "bare type": (b"<!DOCTYPE robot><robot/>", declaration),
        "inclusion": (b'<robot name="r">' + include.encode() + b"</robot>", "XInclude"),
        "style sheet": (
            f'<?xml-stylesheet href="{secret.as_uri()}"?><robot/>'.encode(),
            "a processing instruction that names another file",
        ),
        "undeclared entity": (b"<robot name='r'>&x;</robot>", "not XML, Entity 'x' not defined"),
        "deep": (b"<robot>" * 10**5, "nested more than 256 deep"),
        "deep and closed": (b"<robot>" * 10**5 + b"</robot>" * 10**5, "nested more than 256 deep"),
        "long attribute": (b'<robot name="' + b"a" * (15 * 2**20) + b'"/>', "not XML"),
    }


@pytest.mark.parametrize(
    "name",
    [
        "laughs",
        "laughs in UTF-16",
        "external entity",
        "parameter entity",
        "external type",
        "bare type",
        "inclusion",
        "style sheet",
        "undeclared entity",
        "deep",
        "deep and closed",
        "long attribute",
    ],
)
def test_hostile_files_are_refused(name: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    data, fact = hostile(tmp_path)[name]
    request.getfixturevalue("nothing_opened")
    with pytest.raises(FormatError) as caught:
        read_urdf(data, "evil.urdf")
    assert one_sentence(caught).startswith("evil.urdf, line 1: ")
    assert fact in str(caught.value)
    assert SECRET not in str(caught.value)


def test_the_line_of_a_document_type_is_found() -> None:
    for encoding in ("utf-8", "utf-16"):
        with pytest.raises(FormatError, match=r"robot\.urdf, line 3: a document type"):
            read_urdf(
                '<?xml version="1.0"?>\n\n<!DOCTYPE robot [\n<!ENTITY a "b">]>\n<robot/>'.encode(encoding)
            )


@pytest.mark.parametrize("size", [20 * 2**20, 16 * 2**20 + 1])
def test_large_files_are_refused(size: int, tmp_path: Path) -> None:
    path = tmp_path / "large.urdf"
    path.write_bytes(arm() + b" " * size)
    for read in (lambda: load(path), lambda: read_urdf(path.read_bytes(), str(path))):
        with pytest.raises(FormatError) as caught:
            read()
        assert one_sentence(caught) == f"{path}: larger than 16 MiB, no robot file is"


@pytest.mark.usefixtures("nothing_opened")
@pytest.mark.parametrize(
    "mesh",
    ["../../../etc/passwd", "file:///etc/passwd", "http://localhost:1/a.stl", "\\\\host\\share", "C:\\a.stl"],
)
def test_mesh_names_are_only_text(mesh: str) -> None:
    visual = f'<visual><geometry><mesh filename="{mesh}"/></geometry></visual>'
    robot = read_urdf(urdf(link("l0"), link("l1", MASS + visual), joint("a", "l0", "l1")))
    assert robot.bodies[1].visuals[0].mesh == mesh
    assert read_urdf(write_urdf(robot)[0].encode()).bodies[1].visuals[0].mesh == mesh


@given(seeds, st.integers(0, 30))
def test_damaged_files_are_read_or_refused_politely(seed: int, damage: int) -> None:
    rng = np.random.default_rng(seed)
    data = bytearray(random_urdf(seed, 3, mimics=True).encode())
    for _ in range(damage):
        at = rng.integers(len(data))
        data[at : at + rng.integers(0, 4)] = rng.bytes(int(rng.integers(0, 4)))
    with contextlib.suppress(FormatError, InertiaError):  # anything else is a crash
        read_urdf(bytes(data))


def test_a_long_chain_is_read_without_recursion() -> None:
    n = 2000
    links = (link(f"l{k}") for k in range(n + 1))
    robot = read_urdf(urdf(*links, *(joint(f"j{k}", f"l{k}", f"l{k + 1}") for k in range(n))))
    assert robot.n == n
    assert robot.tool.body == f"l{n}"
