"""The catalog: every robot loads, keeps itself in a file, and gives the numbers of its source."""

import math
import re
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.formats import catalog, load
from armdyn.formats.toml import read_toml, write_toml
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.drives import drive_states, gear_matrix
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.motors import MotorModel, default_motors
from armdyn.robot import Robot

ROUNDING = 1e-12
"""The same torques computed in two ways: some hundred operations, each off by 1e-16 of the largest."""

CURRENT_TOLERANCE = 0.1
"""[A] The IRb-6's masses are round numbers that come near the printed currents."""

SEED = 20
STATES = 20

MOTORS: dict[str, MotorModel] = {
    "cartesian2": "exact",
    "cartesian2_45": "exact",
    "centrifuge3": "coupled",
    "irb6": "exact",
    "jpl_rrp": "reflected",
    "lola15": "coupled",
    "panda": "none",
    "parallelogram": "none",
    "pendulum": "exact",
    "planar2": "exact",
    "planar3": "exact",
    "planar_pr": "exact",
    "puma560": "coupled",
    "scara": "exact",
    "sdt4": "coupled",
    "stanford": "reflected",
    "ur5": "none",
}
"""The best motor model that each robot's data support."""


def random_states(robot: Robot, scale: float = 2.0) -> list[np.ndarray]:
    """q, qd, qdd of a few random states, each of shape (3, n)."""
    generator = np.random.default_rng(SEED)
    return [generator.uniform(-scale, scale, (3, robot.n)) for _ in range(STATES)]


def torque(model: Tree, q: Any, qd: Any = None, qdd: Any = None) -> np.ndarray:
    """Torques of a state."""
    position = [float(x) for x in q]
    motion = [None if x is None else [float(v) for v in x] for x in (qd, qdd)]
    return np.array(inverse_dynamics(model, position, *motion).torque, dtype=float)


def inertia(model: Tree, q: Any) -> np.ndarray:
    """H(q)."""
    return np.array(mass_matrix(model, [float(x) for x in q]), dtype=float)


def pose(model: Tree, q: Any) -> np.ndarray:
    """T_base_tool."""
    T = pose_of(model, placed(model, [float(x) for x in q]), model.tool)
    return np.vstack([np.c_[np.array(T.rotation, float), np.array(T.translation, float)], [0, 0, 0, 1]])


def assert_close(actual: Any, expected: Any, tolerance: float) -> None:
    """Equal within the tolerance, relative to the largest expected value (at least 1)."""
    size = max(1.0, float(np.abs(expected).max()))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * size)


# Every robot ----------------------------------------------------------------------------------


def test_catalog_is_complete() -> None:
    assert set(catalog()) == set(MOTORS)


@pytest.mark.parametrize("name", catalog())
def test_says_where_its_numbers_come_from(name: str) -> None:
    robot = load(name)
    assert robot.name == name
    assert robot.source
    assert robot.description


@pytest.mark.parametrize("name", catalog())
def test_round_trip(name: str) -> None:
    robot = load(name)
    assert read_toml(write_toml(robot)) == robot


@pytest.mark.parametrize("name", catalog())
def test_home_is_within_limits(name: str) -> None:
    robot = load(name)
    for joint, home in zip(robot.joints, robot.home, strict=True):
        if joint.limits.position is not None:
            assert joint.limits.position[0] <= home <= joint.limits.position[1]


@pytest.mark.parametrize("name", catalog())
def test_sliding_joints_have_an_end(name: str) -> None:
    assert all(j.limits.position for j in load(name).joints if j.kind == "prismatic")


@pytest.mark.parametrize("name", catalog())
def test_default_motors(name: str) -> None:
    assert default_motors(load(name)) == MOTORS[name]


@pytest.mark.parametrize("name", catalog())
def test_inertia_is_positive_definite(name: str) -> None:
    robot = load(name)
    model = tree(robot)
    for q, _, _ in random_states(robot):
        H = inertia(model, q)
        assert_close(H, H.T, ROUNDING)
        assert np.linalg.eigvalsh(H).min() > 0


# Siciliano2009 --------------------------------------------------------------------------------


def planar2_terms(q: Any, qd: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """B, C qd and g of [Siciliano2009] (7.82) with the data of Example 7.2."""
    a1, l1, l2, ml, il, kr, mm, im, g0 = 1.0, 0.5, 0.5, 50.0, 10.0, 100.0, 5.0, 0.01, 9.81
    c1, c2, s2, c12 = math.cos(q[0]), math.cos(q[1]), math.sin(q[1]), math.cos(q[0] + q[1])
    b11 = il + ml * l1**2 + kr**2 * im + il + ml * (a1**2 + l2**2 + 2 * a1 * l2 * c2) + im + mm * a1**2
    b12 = il + ml * (l2**2 + a1 * l2 * c2) + kr * im
    b22 = il + ml * l2**2 + kr**2 * im
    h = -ml * a1 * l2 * s2
    velocity = np.array([2 * h * qd[0] * qd[1] + h * qd[1] ** 2, -h * qd[0] ** 2])
    g2 = ml * l2 * g0 * c12
    g1 = (ml * l1 + mm * a1 + ml * a1) * g0 * c1 + g2
    return np.array([[b11, b12], [b12, b22]]), velocity, np.array([g1, g2])


def test_planar2_is_equation_7_82() -> None:
    robot = load("planar2")
    model = tree(robot)
    for q, qd, qdd in random_states(robot):
        B, velocity, gravity = planar2_terms(q, qd)
        assert_close(inertia(model, q), B, ROUNDING)
        assert_close(torque(model, q), gravity, ROUNDING)
        assert_close(torque(model, q, qd) - torque(model, q), velocity, ROUNDING)
        assert_close(torque(model, q, qd, qdd), B @ qdd + velocity + gravity, ROUNDING)


def test_planar2_home_is_the_start_of_example_7_2() -> None:
    robot = load("planar2")
    assert_close(pose(tree(robot), robot.home)[:3, 3], [0.2, 0.0, 0.0], ROUNDING)


def test_planar3_has_the_links_of_planar2() -> None:
    three, two = load("planar3"), load("planar2")
    assert [body.inertia for body in three.bodies] == [two.bodies[0].inertia] * 3
    assert_close(pose(tree(three), [0.0, 0.0, 0.0])[:3, 3], [3.0, 0.0, 0.0], ROUNDING)


def test_pendulum_is_example_7_1() -> None:
    """(I + k_r^2 I_m) qdd + m g l sin(q) = tau, friction apart."""
    robot = load("pendulum")
    model = tree(robot)
    for q, qd, qdd in random_states(robot):
        expected = (0.6 + 50**2 * 1e-4) * qdd + 2.0 * 9.81 * 0.5 * np.sin(q)
        assert_close(torque(model, q, qd, qdd), expected, ROUNDING)


@pytest.mark.parametrize(("name", "cosine"), [("cartesian2", 0.0), ("cartesian2_45", math.sqrt(0.5))])
def test_cartesian_arms(name: str, cosine: float) -> None:
    """B of section 7.3.1; at 45 degrees (Problem 7.1) the axes share m2 cos(45 deg)."""
    m1, m2, mm2, k1, k2, im1, im2 = 20.0, 10.0, 1.5, 300.0, 300.0, 2e-4, 1e-4
    H = [[m1 + mm2 + k1**2 * im1 + m2, m2 * cosine], [m2 * cosine, m2 + k2**2 * im2]]
    model = tree(load(name))
    assert_close(inertia(model, [0.2, 0.7]), H, ROUNDING)
    assert_close(
        torque(model, [0.2, 0.7], [1.0, 2.0]), [(m1 + mm2 + m2) * 9.81, m2 * cosine * 9.81], ROUNDING
    )


def test_planar_pr_is_the_answer_to_problem_7_5() -> None:
    """H = [[m1 + mm2 + m2 + k1^2 Im1, -m2 l2 s2], [., I2 + m2 l2^2 + k2^2 Im2]]."""
    m, m2, l2, i2 = 20.0 + 1.5 + 10.0 + 300**2 * 2e-4, 10.0, 0.4, 0.5 + 80**2 * 2e-4
    robot = load("planar_pr")
    model = tree(robot)
    for q, qd, qdd in random_states(robot):
        c, s = math.cos(q[1]), math.sin(q[1])
        H = np.array([[m, -m2 * l2 * s], [-m2 * l2 * s, i2 + m2 * l2**2]])
        bias = np.array([-m2 * l2 * c * qd[1] ** 2, m2 * l2 * 9.81 * c])
        assert_close(torque(model, q, qd, qdd), H @ qdd + bias, ROUNDING)


def parallelogram_terms(q: Any) -> tuple[np.ndarray, np.ndarray]:
    """B_a and g_a of [Siciliano2009] section 7.3.3, b_a22 and g_a1 with the right indices."""
    a1, a1pp, m1, m2, m3, m1pp = 1.0, 0.4, 20.0, 12.0, 15.0, 8.0
    l1, l2, l3, l1pp, i1, i2, i3, i1pp = 0.5, 0.3, 1.2, 0.15, 1.7, 0.9, 1.3, 0.3
    beyond = l3 - a1
    b11 = i1 + m1 * l1**2 + m2 * a1**2 + i3 + m3 * beyond**2
    b12 = (a1 * m2 * l2 - a1pp * m3 * beyond) * math.cos(q[1] - q[0])
    b22 = i1pp + m1pp * l1pp**2 + i2 + m2 * l2**2 + m3 * a1pp**2
    g1 = (m1 * l1 + m2 * a1 - m3 * beyond) * 9.81 * math.cos(q[0])
    g2 = (m1pp * l1pp + m2 * l2 + m3 * a1pp) * 9.81 * math.cos(q[1])
    return np.array([[b11, b12], [b12, b22]]), np.array([g1, g2])


def test_parallelogram() -> None:
    robot = load("parallelogram")
    model = tree(robot)
    for q, _, _ in random_states(robot):
        H, gravity = parallelogram_terms(q)
        assert_close(inertia(model, q), H, ROUNDING)
        assert_close(torque(model, q), gravity, ROUNDING)


def test_parallelogram_closes() -> None:
    """The forearm passes the end of link 1'': that is where the tree was cut."""
    robot = load("parallelogram")
    model = tree(robot)
    link, T_link_body = model.frames["link3p"]
    for q, _, _ in random_states(robot):
        T = pose_of(model, placed(model, [float(x) for x in q]), (link, T_link_body))
        assert_close(T.apply((1.0, 0.0, 0.0)), [0.4 * math.cos(q[1]), 0.4 * math.sin(q[1]), 0.0], ROUNDING)


# Kvrgic2020, Szkodny1995 ----------------------------------------------------------------------


def test_sdt4_axes() -> None:
    """z0 to z3 as printed in [Kvrgic2020] (89), p1* and p2* as in section 5.4."""
    robot = load("sdt4")
    model = tree(robot)
    for q, _, _ in random_states(robot):
        links = placed(model, [float(x) for x in q])
        frames = [pose_of(model, links, model.frames[body.name]) for body in robot.bodies]
        c12, s12 = math.cos(q[0] + q[1]), math.sin(q[0] + q[1])
        c3, s3 = math.cos(q[2]), math.sin(q[2])
        axes = [[row[2] for row in frame.rotation] for frame in frames[:3]]
        assert_close(axes, [[0, 0, 1], [s12, -c12, 0], [c12 * c3, s12 * c3, s3]], ROUNDING)
        centre = [2.5 * math.cos(q[0]), 2.5 * math.sin(q[0]), 0.9]
        assert_close([frame.translation for frame in frames[1:]], [centre] * 3, ROUNDING)


def motor_angles(robot: Robot, q: Any) -> np.ndarray:
    """theta_m(q)."""
    return np.array([theta.variable + theta.offset for theta in drive_states(robot, list(q))], dtype=float)


def joints_at(robot: Robot, angles: Any, start: Any) -> np.ndarray:
    """q with theta_m(q) = angles, by Newton's method from a nearby posture."""
    q = np.array(start, dtype=float)
    for _ in range(20):
        K = np.array(gear_matrix(robot, q.tolist()), dtype=float)
        q -= np.linalg.solve(K, motor_angles(robot, q.tolist()) - angles)
    return q


def test_irb6_screws_stand_at_zero_at_home() -> None:
    """The published zero lengths, 0.1 um of rounding times 1257 rad/m."""
    robot = load("irb6")
    np.testing.assert_allclose(motor_angles(robot, robot.home), 0.0, atol=1e-4)


def test_irb6_static_state_of_szkodny() -> None:
    """[Szkodny1995] section 3: motors at rest at these angles are held by these currents.

    The file's first moments and torque constant were fitted to them: this guards the file, no more.
    """
    robot = load("irb6")
    q = joints_at(robot, [-130.0, -66.7, -51.0, -199.0, -199.0], [0.8, 0.3, 0.0, -1.5, 0.0])
    for joint, value in zip(robot.joints, q, strict=True):
        assert joint.limits.position is not None
        assert joint.limits.position[0] <= value <= joint.limits.position[1]
    K = np.array(gear_matrix(robot, q.tolist()), dtype=float)
    constants = [drive.motor.torque_constant for drive in robot.drives]
    current = np.linalg.solve(K.T, torque(tree(robot), q)) / np.array(constants, dtype=float)
    np.testing.assert_allclose(current, [0.0, 3.18, -0.73, 0.0, 0.0], atol=CURRENT_TOLERANCE)


def test_irb6_motors_load_their_own_coordinates() -> None:
    """Rotors that stand on the column add K^T I K, up to their ride and the screws' upright spin."""
    robot = load("irb6")
    q = [0.3, 0.2, -0.1, 0.4, 0.5]
    K = np.array(gear_matrix(robot, q), dtype=float)
    axial = np.diag([drive.rotor.axial for drive in robot.drives if drive.rotor is not None])
    added = inertia(tree(robot), q) - inertia(tree(robot, "none"), q)
    assert_close(added[1:, 1:], (K.T @ axial @ K)[1:, 1:], ROUNDING)


# Other tools' robots --------------------------------------------------------------------------

PUMA_QN = [0.0, math.pi / 4, math.pi, 0.0, math.pi / 4, 0.0]
PUMA_STATE = (
    [0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
    [0.7, -0.6, 0.5, -0.4, 0.3, -0.2],
    [-1.0, 0.8, -0.6, 0.4, -0.2, 0.1],
)


def test_puma560_torques_of_roboticstoolbox() -> None:
    """Printed by roboticstoolbox-python 1.4.4: models.DH.Puma560().nofriction(True, True).rne(q, qd, qdd)."""
    model = tree(load("puma560"))
    gravity_at_qn = [0.0, 31.63988037835712, 6.035138023010512, 0.0, 0.0282528, 0.0]
    moving = [
        -3.7216940190658887,
        36.17275390886177,
        -3.995823880245861,
        0.07785422938782086,
        -0.05702677885490117,
        0.019400716555272743,
    ]
    assert_close(torque(model, PUMA_QN), gravity_at_qn, ROUNDING)
    assert_close(torque(model, *PUMA_STATE), moving, ROUNDING)


def test_puma560_inertia_of_roboticstoolbox() -> None:
    """Printed by roboticstoolbox-python 1.4.4: inertia(qn), motors included."""
    diagonal = [
        3.65937541215279,
        4.41374193363579,
        0.9378415752150395,
        0.19253170612368,
        0.17134845165700002,
        0.19410450566800005,
    ]
    H = inertia(tree(load("puma560")), PUMA_QN)
    assert_close(np.diag(H), diagonal, ROUNDING)
    assert_close(
        [H[0, 1], H[0, 2], H[1, 2]],
        [-0.40436124604151863, 0.10061364777978395, 0.35089066495641474],
        ROUNDING,
    )


def test_puma560_pose_of_roboticstoolbox() -> None:
    """Printed by roboticstoolbox-python 1.4.4: fkine((0.1, .., 0.6))."""
    expected = [
        [0.12169768141653295, -0.6066717260175294, -0.7855820079334506, 0.2478027469236375],
        [0.8183638247039288, 0.5091974688455275, -0.266455602563102, -0.1259401814515313],
        [0.561667450324298, -0.6104648675986358, 0.5584463453851072, 1.1462879056952358],
        [0.0, 0.0, 0.0, 1.0],
    ]
    assert_close(pose(tree(load("puma560")), PUMA_STATE[0]), expected, ROUNDING)


URDF = {
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "tool0"),
    "panda": ("panda_description/urdf/panda.urdf", "panda_hand_tcp"),
}


def urdf_text(name: str) -> str:
    """The robot's file in example-robot-data, with its right angles exact as in the catalog."""
    path = f"cmeel.prefix/share/example-robot-data/robots/{URDF[name][0]}"
    file = Path(str(distribution("example-robot-data").locate_file(path)))
    return re.sub(r"1\.57079632679\b", repr(math.pi / 2), file.read_text())


def pinocchio_model(name: str) -> tuple[Any, Any]:
    """Pinocchio and its model of the URDF, finger joints locked at 0, right-angled joints snapped."""
    pin = pytest.importorskip("pinocchio")
    model = pin.buildModelFromXML(urdf_text(name))
    fingers = [i for i, joint in enumerate(model.names) if "finger" in joint]
    model = pin.buildReducedModel(model, fingers, pin.neutral(model))
    for i in range(1, model.njoints):
        R = model.jointPlacements[i].rotation
        model.jointPlacements[i].rotation = np.where(abs(R - R.round()) < 1e-9, R.round(), R)
    return pin, model


@pytest.mark.parametrize("name", URDF)
def test_urdf_robots_agree_with_pinocchio(name: str) -> None:
    pin, model = pinocchio_model(name)
    data, robot = model.createData(), load(name)
    ours, frame = tree(robot), model.getFrameId(URDF[name][1])
    assert list(model.names)[1:] == list(robot.joint_names)
    for q, qd, qdd in random_states(robot):
        assert_close(torque(ours, q, qd, qdd), pin.rnea(model, data, q, qd, qdd), ROUNDING)
        upper = np.triu(pin.crba(model, data, q))
        assert_close(inertia(ours, q), upper + np.triu(upper, 1).T, ROUNDING)
        pin.framesForwardKinematics(model, data, q)
        assert_close(pose(ours, q), data.oMf[frame].homogeneous, ROUNDING)


@pytest.mark.parametrize("name", URDF)
def test_urdf_robots_have_the_limits_of_their_file(name: str) -> None:
    _, model = pinocchio_model(name)
    limits = [joint.limits for joint in load(name).joints]
    ranges = np.column_stack([model.lowerPositionLimit, model.upperPositionLimit])
    positions = np.array([x.position for x in limits], dtype=float)
    np.testing.assert_allclose(positions, ranges, atol=1e-11)  # the file's digits of pi
    np.testing.assert_array_equal([x.velocity for x in limits], model.upperVelocityLimit)
    np.testing.assert_array_equal([x.effort for x in limits], model.upperEffortLimit)
