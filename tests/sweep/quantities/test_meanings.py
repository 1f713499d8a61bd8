"""Axes: what they mean, and what is said where they mean nothing."""

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError
from armdyn.sweep.quantities import axis_units, evaluator
from sweep_studies import a_study, evaluated, same

pytestmark = pytest.mark.numpy


def axis(name, values="[0, 1]"):
    return f'[axes."{name}"]\nvalues = {values}\n'


@pytest.mark.parametrize(
    ("quantity", "name", "said"),
    [
        ("gravity", "q7", 'axis "q7": robot "ur5" has 6 joints, expected q1 to q6'),
        ("gravity", "q.elbow_jont", 'did you mean "elbow_joint"? expected one of shoulder_pan_joint'),
        ("gravity", "tau2", 'axis "tau2": gravity takes q; name an axis of those'),
        ("gravity", "payload.maas", 'no axis "payload.maas"; did you mean "payload.mass"?'),
        ("gravity", "wrench.fx", 'axis "wrench.fx" does not go with gravity'),
        ("gravity", "program", 'axis "program" does not go with gravity'),
        ("gravity", "friction", 'robot "ur5" has no friction to vary'),
        ("gravity", "mass.hand", 'no body "hand"'),
        ("gravity", "payload.x", 'axis "payload.x" moves a payload, but there is none'),
        ("gravity", "robot.joints.9.a", 'robot has no joint "9"'),
        (
            "gravity",
            "robot.bodis.1.x",
            'robot has nothing called "bodis" (path "bodis.1.x"); did you mean "bodies"?',
        ),
        ("gravity", "robot.bodies.1.joint", 'robot has no number at "bodies.1.joint" but a table'),
        ("gravity", "robot.name", 'robot has no number at "name" but a text'),
        ("gravity", "robot.name.x", 'robot has no number at "name.x"'),
        (
            "gravity",
            "factor.bodies.1.joint.friction.viscous",
            "the robot file has no number there to multiply",
        ),
        ("verify", "q1", 'axis "q1": verify takes no state'),
        ("workspace", "w", 'no axis "w"'),
    ],
)
def test_an_axis_that_means_nothing_is_refused_in_a_sentence(quantity, name, said):
    values = '["a"]' if name == "program" else "[0, 1]"
    with pytest.raises(InputError) as raised:
        evaluator(a_study("ur5", quantity, axis(name, values)))
    assert said in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("axes", "said"),
    [
        (axis("q1") + axis("q.shoulder_pan_joint"), 'axes "q1" and "q.shoulder_pan_joint" are the same'),
        (axis("q1", '["2 mm"]'), 'axis "q1" is in m, expected rad'),
        (axis("q1", '["a"]'), 'axis "q1" has texts, expected numbers'),
        (axis("payload.mass", '["2 deg"]'), 'axis "payload.mass" is in rad, expected kg'),
    ],
)
def test_axes_that_do_not_fit_are_refused(axes, said):
    with pytest.raises(InputError) as raised:
        evaluator(a_study("ur5", "gravity", axes))
    assert said in str(raised.value)


def test_joints_are_found_by_name_as_by_number():
    _, by_number = evaluated("ur5", "gravity", axis("q3", "[0.1, 0.2]"))
    _, by_name = evaluated("ur5", "gravity", axis("q.elbow_joint", "[0.1, 0.2]"))
    assert same(by_number["g2"], by_name["g2"])


def changed(arm_text, old, new, tmp_path):
    assert old in arm_text
    file = tmp_path / "arm.toml"
    file.write_text(arm_text.replace(old, new), encoding="utf-8")
    return ad.load(file)


ARM = """
name = "two"
dh = "standard"
[[bodies]]
name = "upper"
joint = { name = "shoulder", dh = { a = "400 mm" }, friction = { viscous = 2.0, coulomb = 1.0 } }
inertia = { mass = 5.0, com = [-0.2, 0, 0], tensor = { xx = 0.01, yy = 0.1, zz = 0.1 } }
[[bodies]]
name = "fore"
joint = { name = "elbow", dh = { a = 0.3 } }
inertia = { mass = 3.0, com = [-0.1, 0, 0], tensor = { xx = 0.01, yy = 0.1, zz = 0.1 } }
[[drives]]
ratio = 100.0
rotor = { axial = 1e-4 }
[[drives]]
ratio = 80.0
rotor = { axial = 1e-4 }
"""


@pytest.mark.parametrize(
    ("name", "value", "old", "new"),
    [
        ("robot.joints.1.a", "0.5", 'a = "400 mm"', "a = 0.5"),
        ("robot.joints.elbow.a", "0.35", "a = 0.3", "a = 0.35"),
        ("robot.links.fore.mass", "4.5", "mass = 3.0", "mass = 4.5"),
        ("robot.bodies.2.inertia.com.1", "-0.15", "com = [-0.1,", "com = [-0.15,"),
        ("robot.drives.1.gear", "90.0", "ratio = 100.0", "ratio = 90.0"),
        (
            "robot.drives.2.rotor.axial",
            "2e-4",
            "ratio = 80.0\nrotor = { axial = 1e-4 }",
            "ratio = 80.0\nrotor = { axial = 2e-4 }",
        ),
        ("factor.joints.1.a", "0.5", 'a = "400 mm"', 'a = "200 mm"'),
        ("factor.drives.2.gear", "0.5", "ratio = 80.0", "ratio = 40.0"),
        ("robot.gravity.3", "-1.62", 'dh = "standard"', 'dh = "standard"\ngravity = [0, 0, -1.62]'),
        ("gravity.x", "2.5", 'dh = "standard"', 'dh = "standard"\ngravity = [2.5, 0, -9.81]'),
        ("friction", "0.5", "viscous = 2.0, coulomb = 1.0", "viscous = 1.0, coulomb = 0.5"),
        ("friction.dry", "0.5", "coulomb = 1.0", "coulomb = 0.5"),
    ],
)
def test_numbers_of_the_robot_are_those_of_a_file_with_them(name, value, old, new, tmp_path):
    (tmp_path / "two.toml").write_text(ARM, encoding="utf-8")
    if name == "robot.gravity.3":
        (tmp_path / "two.toml").write_text(
            ARM.replace("[[bodies]]", "gravity = [0, 0, -9.81]\n[[bodies]]", 1)
        )
    arm = changed(ARM, old, new, tmp_path)
    q, qd = [0.4, 0.7], [1.0, -2.0]
    study = a_study(
        "two.toml", "motor_demand", axis(name, f"[{value}]"), f"q = {q}\nqd = {qd}\n", base=tmp_path
    )
    made = evaluator(study)
    found = made.evaluate({name: np.array([float(value) for value in study.axes[0].values or ()])})
    expected = ad.Dynamics(arm).motor_demand([q], [qd], [[0.0, 0.0]])[0]
    assert same([found["motor_demand1"][0], found["motor_demand2"][0]], expected)


def test_masses_of_robots_are_multiplied_with_their_tensors():
    once = ad.Dynamics(ad.load("planar2"), motors="none").kinetic_energy([[0, 0]], [[1, 1]])
    _, bare = evaluated(
        "planar2", "kinetic_energy", axis("mass", "[2.0]"), 'q = [0, 0]\nqd = [1, 1]\nmotors = "none"\n'
    )
    assert bare["kinetic_energy"][0] == pytest.approx(2 * once[0])


@pytest.mark.parametrize(
    ("quantity", "expected"), [("kinetic_energy", "a factor of 0 or more"), ("linearisation", "0 or more")]
)
def test_a_negative_factor_is_the_rows_mistake(quantity, expected):
    """Where it is an input of the equations, and where a robot is made for it."""
    _, found = evaluated("planar2", quantity, axis("mass", "[-1.0, 1.0]"))
    assert f"expected {expected}" in found["error"][0]
    assert found["error"][1] is None


def test_units_are_known_of_plain_numbers_too():
    study = a_study("ur5", "inverse", axis("q1") + axis("payload.mass") + axis("wrench.fx") + axis("qd2"))
    assert axis_units(study) == {"q1": "rad", "payload.mass": "kg", "wrench.fx": "N", "qd2": "rad/s"}
