"""Robot files in TOML: every mistake one sentence with its place, and nothing lost there and back."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.errors import FormatError, InertiaError, RobotError
from armdyn.formats import catalog, load, save
from armdyn.formats.schema import RobotTable
from armdyn.formats.toml import read_toml, write_toml
from armdyn.robot import (
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Estimated,
    Friction,
    GearStage,
    Joint,
    Limits,
    Motor,
    Robot,
    Rotor,
    ScrewTriangle,
    Tool,
    Visual,
)
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_axis_angle, from_rpy
from armdyn.spatial.vector import diagonal
from random_robots import Features, robots

SCHEMA = Path(__file__).parents[2] / "docs" / "robot.schema.json"

ARM = """\
# An arm, with comments, empty lines and nested tables.
name = "arm" # its = sign
gravity = [0, 0, "-9.81 m/s^2"]

[[bodies]]
name = "upper"

[bodies.joint] # the shoulder
name = "shoulder"
offset = "10 deg"
[bodies.joint.limits]
velocity = "180 deg/s"

[bodies.inertia]
mass = 2.0
com = [0.1, 0, 0]
tensor = { xx = 0.1, yy = 0.1, zz = 0.1 }

[[bodies]]
name = "fore"
[bodies.joint]
name = "elbow"
kind = "prismatic"
friction = { coulomb = "2 N" }
[bodies.joint.placement]
xyz = ["500 mm", 0, 0]
rpy = [0, "90 deg", 0]

[[drives]]
joint = "elbow"
ratio = "2 turn/mm"
rotor = { axial = "42 kg*cm^2" }
[drives.motor]
peak_torque = 3

[tool]
body = "fore"

[[payloads]]
inertia = { mass = 1 }
"""


def test_the_arm_without_mistakes_is_read_in_si() -> None:
    robot = read_toml(ARM, "arm.toml")
    shoulder, elbow = robot.joints
    assert (robot.gravity, robot.tool.body) == ((0.0, 0.0, -9.81), "fore")
    assert shoulder.offset == pytest.approx(0.17453292519943295)
    assert shoulder.limits.velocity == pytest.approx(3.141592653589793)
    assert elbow.friction == Friction(coulomb=2.0)
    assert elbow.placement == Transform(from_rpy(0, 1.5707963267948966, 0), (0.5, 0.0, 0.0))
    assert robot.drives[0].coupling.weights[0][1] == pytest.approx(4000 * 3.141592653589793)
    assert robot.drives[0].rotor == Rotor(42 * 1e-4)
    assert robot.payloads[0].body == "fore"


# One sentence with file and line --------------------------------------------------------------

# What is replaced, by what ("#!" ends the line that the message must name), what it must say.
MISTAKES = [
    # unknown, missing and misspelt
    ("mass = 2.0", "mas = 2.0 #!", 'bodies[1].inertia.mas: unknown field; did you mean "mass"?'),
    (
        "velocity =",
        "colour = 1 #!\nvelocity =",
        "bodies[1].joint.limits.colour: unknown field; known: position",
    ),
    (
        "peak_torque = 3",
        "peak_torqe = 3 #!",
        'drives[1].motor.peak_torqe: unknown field; did you mean "peak_t',
    ),
    ("gravity =", "gravty = 0 #!\ngravity =", 'gravty: unknown field; did you mean "gravity"?'),
    ("[tool]", "[tols] #!", 'tols: unknown field; did you mean "tool"?'),
    ('[[bodies]]\nname = "fore"', "[[bodies]] #!", "bodies[2].name: is missing"),
    ("mass = 2.0", "#", "bodies[1].inertia: mass is missing"),
    ("{ xx = 0.1, yy = 0.1,", "{ xx = 0.1, ", "bodies[1].inertia.tensor.yy: is missing"),
    ("rotor = { axial", "rotor = { mass", "drives[1].rotor.axial: is missing"),
    ("inertia = { mass = 1 }", "#", "payloads[1].inertia: is missing"),
    # wrong kinds
    ('"prismatic"', '"ball" #!', "bodies[2].joint.kind: 'ball': expected 'revolute', 'prismatic' or"),
    ('name = "upper"', "name = 3 #!", "bodies[1].name: 3: expected a text in quotes"),
    ("mass = 2.0", 'mass = "2 m" #!', 'bodies[1].inertia.mass: "2 m" is not a mass, expected a mass in kg'),
    ("mass = 2.0", 'mass = "2 kgs" #!', 'bodies[1].inertia.mass: "2 kgs": unknown unit "kgs"'),
    ("mass = 2.0", "mass = true #!", "bodies[1].inertia.mass: True is not a number"),
    ("mass = 2.0", "mass = nan #!", "bodies[1].inertia.mass: nan is not a finite number"),
    ("mass = 2.0", "mass = -inf #!", "bodies[1].inertia.mass: -inf is not a finite number"),
    ("mass = 2.0", "mass = 2026-01-01 #!", "bodies[1].inertia.mass: "),
    ("mass = 2.0", "mass = [2.0] #!", "bodies[1].inertia.mass: [2.0] is not a number"),
    ("com = [0.1, 0, 0]", "com = [0.1, 0] #!", "bodies[1].inertia.com[3]: is missing"),
    ("com = [0.1, 0, 0]", "com = [0.1, 0, 0, 0] #!", "bodies[1].inertia.com: "),
    ("com = [0.1, 0, 0]", "com = 3 #!", "bodies[1].inertia.com: 3: "),
    ("com = [0.1, 0, 0]", 'com = [0.1, "2 deg", 0] #!', 'bodies[1].inertia.com[2]: "2 deg" is not a length'),
    ("[0, 0, ", "[0, true, ", "gravity[2]: True is not a number"),
    ('[0, "90 deg", 0]', '[0, "90 mm", 0] #!', 'bodies[2].joint.placement.rpy[2]: "90 mm" is not a'),
    # booleans, and what only the joint's kind can judge
    ('offset = "10 deg"', "offset = true #!", "True is not a number"),
    ('offset = "10 deg"', "offset = [1] #!", "bodies[1].joint.offset: "),
    ("velocity = ", "effort = true #!\nvelocity = ", "True is not a number"),
    ('ratio = "2 turn/mm"', "ratio = true #!", "True is not a number"),
    ("gravity =", "home = [true, 0] #!\ngravity =", "True is not a number"),
    # said twice, or not at all
    (
        "[bodies.joint.placement]",
        "[bodies.joint.placement] #!\nrotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]",
        "bodies[2].joint.placement: give the rotation once: rpy, or axis and angle, or rotation",
    ),
    (
        "[bodies.joint.placement]",
        "[bodies.joint.placement] #!\naxis = [0, 0, 1]",
        "bodies[2].joint.placement: axis and angle go together",
    ),
    (
        "tensor = {",
        "gyration = [0.1, 0.1, 0.1]\ntensor = {",
        "bodies[1].inertia: give tensor or gyration, not both",
    ),
    (
        "mass = 2.0",
        "mass = 2.0\npseudo = [[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1]]",
        "bodies[1].inertia: pseudo says it all, leave out the rest",
    ),
    ("[[drives]]", "[[drives]] #!\ncoupling = {}", "drives[1]: give ratio or coupling, not both"),
]
IMPLIED_LINES = {  # where a comment would not do
    "bodies[1].inertia: mass is missing": "[bodies.inertia]",
    "bodies[1].inertia.tensor.yy: is missing": "tensor =",
    "drives[1].rotor.axial: is missing": "rotor =",
    "payloads[1].inertia: is missing": "[[payloads]]",
    "gravity[2]: True is not a number": "gravity =",
    "bodies[1].inertia: give tensor or gyration, not both": "[bodies.inertia]",
    "bodies[1].inertia: pseudo says it all, leave out the rest": "[bodies.inertia]",
}


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    MISTAKES,
    ids=[f"{new.split('#!')[0]}: {said}"[:60] for _, new, said in MISTAKES],
)
def test_a_mistake_gives_one_sentence_with_file_and_line(old: str, new: str, sentence: str) -> None:
    assert old in ARM
    text = ARM.replace(old, new, 1)
    mark = IMPLIED_LINES.get(sentence, "#!")
    line = next(k for k, row in enumerate(text.splitlines(), start=1) if mark in row)
    with pytest.raises(FormatError) as caught:
        read_toml(text, "arm.toml")
    message = str(caught.value)
    assert sentence in message
    assert message.startswith(f"arm.toml, line {line}: ")
    assert (caught.value.file, caught.value.line) == ("arm.toml", line)
    assert "\n" not in message
    assert ".float" not in message  # how the schema is built is not the reader's business


# Here the message names the body or drive that the mistake is in ("#<" its table), or the line itself.
LATER_MISTAKES = [
    (
        "upper",
        'offset = "10 deg"',
        "dh = { a = 1 } #!",
        "DH rows are given, but not which convention; add dh =",
    ),
    ("upper", "velocity =", "effort = inf #!\nvelocity =", "inf"),
    ("upper", 'offset = "10 deg"', 'offset = "10 m" #!', 'offset: "10 m" is not a'),
    (
        "upper",
        'velocity = "180 deg/s"',
        "velocity = -3 #!",
        "limits: velocity is -3, expected a finite number",
    ),
    ("upper", "velocity =", "position = [2, 1] #!\nvelocity =", "limits: lower position 2 is above upper 1"),
    ("fore", 'coulomb = "2 N"', 'coulomb = "2 N*m"', 'coulomb: "2 N*m" is not a'),
    ("fore", 'coulomb = "2 N"', "load = 1.5", "friction: load is 1.5, expected less than 1"),
    ("fore", 'rpy = [0, "90 deg", 0]', "rotation = [[2, 0, 0], [0, 1, 0], [0, 0, 1]] #!", "not a rotation"),
    (
        "fore",
        'kind = "prismatic"',
        "axis = [0, 0, 0] #!",
        'joint "elbow": axis (0.0, 0.0, 0.0) has no direction',
    ),
    (
        "upper",
        'offset = "10 deg"',
        'kind = "fixed"\nfriction.coulomb = 2',
        'joint "shoulder" is fixed, expected',
    ),
    (
        "elbow",
        "peak_torque = 3",
        "peak_torque = 0 #!",
        'drive "motor1", motor: peak_torque is 0, expected a finite number above zero',
    ),
    (
        "elbow",
        "peak_torque = 3",
        "torque_constant = 0 #!",
        'drive "motor1", motor: torque_constant is 0, expected a finite number above zero',
    ),
    (
        "elbow",
        "peak_torque = 3",
        'back_emf = "-5 V/krpm" #!',
        'drive "motor1", motor: back_emf is -0.0477465, expected a finite number above zero',
    ),
    (
        "elbow",
        "[drives.motor]",
        "friction = { load = 2 }\n[drives.motor]",
        'drive "motor1", friction: load is 2',
    ),
    ("elbow", 'ratio = "2 turn/mm"', 'ratio = "2 m" #!', 'drive "motor1", "2 m" is not a screw ratio'),
    (
        "elbow",
        "rotor = {",
        "joint_inertia = 3\nrotor = {",
        'drive "motor1": both joint_inertia and a rotor or stages',
    ),
    (
        "elbow",
        "rotor = {",
        "rotor = { mass = 1, ",
        'drive "motor1", rotor: a mass of its own needs carrier and placement',
    ),
]


@pytest.mark.parametrize(
    ("part", "old", "new", "sentence"), LATER_MISTAKES, ids=[said[:40] for *_, said in LATER_MISTAKES]
)
def test_a_mistake_found_later_names_its_body_or_drive_or_its_line(
    part: str, old: str, new: str, sentence: str
) -> None:
    assert old in ARM
    rows = ARM.replace(old, new, 1).splitlines()
    own = [k for k, row in enumerate(rows, start=1) if "#!" in row]
    named = f'joint = "{part}"' if part == "elbow" else f'name = "{part}"'
    table = rows.index(named)  # the line before it, counted from 1
    with pytest.raises(FormatError) as caught:
        read_toml("\n".join(rows), "arm.toml")
    assert sentence in str(caught.value)
    assert ".float" not in str(caught.value)
    assert caught.value.line is not None
    assert caught.value.line in (table, *own) or table < caught.value.line < table + 16


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('name = "fore"', 'name = "upper"', 'are called "upper"'),
        ('name = "fore"', 'name = "base"', 'are called "base"'),
        ('name = "fore"', 'name = "fore"\nparent = "uper"', 'no parent body "uper"; did you mean "upper"?'),
        ('body = "fore"', 'body = "four"', 'tool: no body "four"; did you mean "fore"?'),
        ('joint = "elbow"', 'joint = "elbo"', 'no independent joint "elbo"; did you mean "elbow"?'),
        ("[[payloads]]", '[[payloads]]\nbody = "hand"', 'payload: no body "hand"'),
        ("gravity =", "home = [1]\ngravity =", "home has 1 value, expected 2"),
    ],
)
def test_parts_that_do_not_fit_together_are_named_with_the_file(old: str, new: str, sentence: str) -> None:
    assert old in ARM
    with pytest.raises(RobotError) as caught:
        read_toml(ARM.replace(old, new, 1).replace('"2 turn/mm"', "3"), "arm.toml")
    assert str(caught.value).startswith("arm.toml")
    assert sentence in str(caught.value)


def test_a_misspelt_joint_is_named_before_the_units_of_its_ratio_are_judged() -> None:
    with pytest.raises(RobotError, match=r'no independent joint "elbo"; did you mean "elbow"\?'):
        read_toml(ARM.replace('joint = "elbow"', 'joint = "elbo"'), "arm.toml")


def test_a_misspelt_field_is_named_before_the_one_that_is_missing_for_it() -> None:
    with pytest.raises(FormatError, match=r'bodies\[1\]\.nam: unknown field; did you mean "name"\?'):
        read_toml('name = "a"\n[[bodies]]\nnam = "b"\n', "arm.toml")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "arm.toml: the file is empty, expected a robot file"),
        ('name = "a"', "arm.toml: bodies: is missing"),
        ('name = "a"\nbodies = []', "bodies is empty, expected at least one body"),
        ('name = "a"\nbodies = 3', "arm.toml, line 2: bodies: 3: "),
        (
            'name = "a"\nbodies = [3]',
            "arm.toml, line 2: bodies[1]: 3 is not a table, expected { .. } with name, ",
        ),
        ("name = ", "arm.toml: not valid TOML, "),
        ('name = "a"\nname = "b"', "arm.toml: not valid TOML, "),
        ("[[bodies]\n", "arm.toml: not valid TOML, "),
        ('name = "a\0"', "arm.toml: not valid TOML, "),
    ],
)
def test_what_is_hardly_a_robot_file_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=re.escape(sentence)):
        read_toml(text, "arm.toml")


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("a = " + "[" * 100_000, id="open lists"),
        pytest.param("a = " + "[" * 5000 + "]" * 5000, id="lists"),
        pytest.param("a = " + "{ a = " * 5000, id="tables"),
        pytest.param("a." * 5000 + "a = 1", id="dotted keys"),
        pytest.param("a = " + "9" * 5000, id="a number too long for Python"),
        pytest.param(ARM.replace("mass = 2.0", "mass = " + "9" * 400), id="a number too large for a float"),
    ],
)
def test_hostile_files_are_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_toml(text, "arm.toml")
    assert str(caught.value).startswith("arm.toml")
    assert len(str(caught.value)) < 500


# Inertias that no body has --------------------------------------------------------------------

FLAWED = ARM.replace("zz = 0.1", "zz = 0.3")


def test_an_unphysical_body_says_where_it_stands_and_how_to_accept_it() -> None:
    with pytest.raises(InertiaError) as caught:
        read_toml(FLAWED, "arm.toml")
    line = 1 + FLAWED.splitlines().index("[bodies.inertia]")
    place = f'body "upper" (arm.toml, line {line}): '
    assert str(caught.value).startswith(
        f"{place}inertia is not physical, Ixx + Iyy < Izz (0.2 < 0.3); mend it"
    )


def test_an_unphysical_body_is_accepted_with_a_reason_in_the_file_or_beside_it() -> None:
    in_file = FLAWED.replace('name = "upper"', 'name = "upper"\naccept_unphysical = "as printed"')
    assert read_toml(in_file).bodies[0].accept_unphysical == "as printed"
    assert read_toml(FLAWED, accept_unphysical="as printed").bodies[0].accept_unphysical == "as printed"


def test_an_empty_reason_is_none() -> None:
    with pytest.raises(InertiaError):
        read_toml(FLAWED.replace('name = "upper"', 'name = "upper"\naccept_unphysical = ""'))


@pytest.mark.parametrize("payload", ["mass = -1", "mass = 1, tensor = { xx = 1, yy = 1, zz = 3 }"])
def test_an_unphysical_payload_is_refused(payload: str) -> None:
    with pytest.raises(RobotError, match="inertia is not physical"):
        read_toml(ARM.replace("inertia = { mass = 1 }", f"inertia = {{ {payload} }}"), "arm.toml")


# Forms of placements and inertias -------------------------------------------------------------


def body_with(joint: str = "", inertia: str = "mass = 1") -> Body:
    text = f'name = "a"\n[[bodies]]\nname = "b"\njoint = {{ {joint} }}\ninertia = {{ {inertia} }}\n'
    return read_toml(text).bodies[0]


@pytest.mark.parametrize(
    ("placement", "expected"),
    [
        ("xyz = [1, 2, 3]", Transform(translation=(1.0, 2.0, 3.0))),
        ('rpy = ["90 deg", 0, 0]', Transform(((1, 0, 0), (0, 0, -1), (0, 1, 0)), (0.0, 0.0, 0.0))),
        (
            'axis = [0, 0, 2], angle = "180 deg"',
            Transform(((-1, 0, 0), (0, -1, 0), (0, 0, 1)), (0.0, 0.0, 0.0)),
        ),
        (
            "rotation = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]",
            Transform(((0, -1, 0), (1, 0, 0), (0, 0, 1)), (0.0, 0.0, 0.0)),
        ),
    ],
)
def test_a_rotation_may_be_written_in_three_ways(placement: str, expected: Transform) -> None:
    assert body_with(f"placement = {{ {placement} }}").joint.placement == expected


@pytest.mark.parametrize(
    ("inertia", "expected"),
    [
        ("mass = 2", Inertia(2.0, (0.0, 0.0, 0.0), diagonal(0.0, 0.0, 0.0))),
        (
            'mass = 2, com = ["100 mm", 0, 0], tensor = { xx = 1, yy = 2, zz = 2.5, xy = 0.1 }',
            Inertia(2.0, (0.1, 0.0, 0.0), ((1.0, 0.1, 0.0), (0.1, 2.0, 0.0), (0.0, 0.0, 2.5))),
        ),
        (
            "mass = 2, com = [1, 0, 0], tensor = { xx = 1, yy = 3, zz = 3 }, about = 'origin'",
            Inertia(2.0, (1.0, 0.0, 0.0), diagonal(1.0, 1.0, 1.0)),
        ),
        (
            "mass = 2, gyration = [1, 1, 1]",
            Inertia(2.0, (0.0, 0.0, 0.0), diagonal(2.0, 2.0, 2.0)),
        ),
        (
            "pseudo = [[3, 0, 0, 2], [0, 1, 0, 0], [0, 0, 1, 0], [2, 0, 0, 2]]",
            Inertia(2.0, (1.0, 0.0, 0.0), diagonal(2.0, 2.0, 2.0)),
        ),
    ],
)
def test_an_inertia_may_be_written_in_many_ways(inertia: str, expected: Inertia) -> None:
    assert body_with(inertia=inertia).inertia == expected


def test_a_placed_base_moves_the_first_body_and_what_stands_on_the_base() -> None:
    robot = read_toml(ARM + "[base]\nplacement = { xyz = [0, 0, 2] }\n")
    assert robot == read_toml(ARM).placed(Transform(translation=(0.0, 0.0, 2.0)))


def test_a_motor_is_read_in_si() -> None:
    motor = 'torque_constant = "100 mN*m/A", back_emf = "10.5 V/krpm", resistance = "600 mohm"'
    limits = 'maximum_current = "20 A", maximum_voltage = "45 V", rated_torque = "60 N*cm"'
    text = ARM.replace("[drives.motor]\npeak_torque = 3", f"motor = {{ {motor}, {limits} }}")
    read = read_toml(text).drives[0].motor
    expected = (0.1, 0.10026761414789408, 0.6, 20.0, 45.0, 0.6)
    names = (
        "torque_constant",
        "back_emf",
        "resistance",
        "maximum_current",
        "maximum_voltage",
        "rated_torque",
    )
    assert [getattr(read, name) for name in names] == pytest.approx(expected, rel=1e-14)
    assert read.peak_torque is None
    assert read_toml(write_toml(read_toml(text))) == read_toml(text)


# There and back -------------------------------------------------------------------------------


@given(robot=robots(Features(friction=True)))
def test_a_random_robot_comes_back_the_same(robot: Robot) -> None:
    assert read_toml(write_toml(robot)) == robot


@given(robot=robots(Features(friction=True)), data=st.data())
def test_a_locked_robot_comes_back_the_same(robot: Robot, data: st.DataObject) -> None:
    names = data.draw(st.sets(st.sampled_from(robot.joint_names), max_size=robot.n - 1))
    locked = robot.locked(dict.fromkeys(sorted(names), 0.3))
    assert read_toml(write_toml(locked)) == locked


@pytest.mark.parametrize("name", catalog())
def test_a_catalog_robot_with_a_locked_joint_and_a_payload_comes_back_the_same(name: str) -> None:
    robot = load(name).with_payload(1.5, (0.1, 0.0, 0.2), (0.02, 0.03, 0.025, 0.001, -0.002, 0.003))
    for joint in range(1, robot.n + 1) if robot.n > 1 else ():
        locked = robot.locked({joint: 0.3})
        assert read_toml(write_toml(locked)) == locked


def test_starting_friction_of_zero_is_not_unknown() -> None:
    robot = read_toml(
        ARM.replace('friction = { coulomb = "2 N" }', "friction = { viscous = 1, starting = 0 }")
    )
    assert robot.joints[1].friction == Friction(1.0, starting=0.0)
    assert read_toml(write_toml(robot)) == robot


@pytest.mark.parametrize("name", catalog())
def test_a_catalog_robot_comes_back_the_same(name: str, tmp_path: Path) -> None:
    """With everything that may be added to one."""
    motion = BaseMotion((0.1, 0.2, 0.3), acceleration=(1.0, 0.0, 0.0))
    robot = load(name).with_base_motion(motion).with_gravity((0.1, 0.0, -1.62)).with_payload(2.0)
    robot = replace(robot, estimates=(Estimated("link1.m", 1.0, 0.1, "kg"), Estimated("x", 2.0)))
    save(robot, tmp_path / "again.toml")
    assert load(tmp_path / "again.toml") == robot


def test_everything_a_robot_can_say_comes_back_the_same() -> None:
    place = Transform(from_axis_angle((1.0, 2.0, 3.0), 0.7), (0.1, -0.2, 1e-17))
    screw = Coupling.of({"j1": 1.0, "j 2": -0.5}, 0.25, ScrewTriangle(0.08, 0.01, -0.02, 300.0, 0.25))
    first = Joint(
        "j1",
        "revolute",
        (0.0, 1.0, 0.0),
        place,
        place,
        0.1,
        None,
        Limits((-1.0, 2.0), 3.0, 4.0, 5.0),
        Friction(0.1, 0.2, 0.3, 0.4, True),
    )
    visuals = (
        Visual("box", (0.1, 0.2, 0.3), None, place, (1.0, 0.5, 0.0, 1.0)),
        Visual("mesh", (1.0, 1.0, -1.0), "meshes/ö \"quoted\" 'name'.stl"),
    )
    tensor = ((0.02, 0.001, 0.002), (0.001, 0.03, 0.003), (0.002, 0.003, 0.04))
    bodies = (
        Body("b1", first, inertia=Inertia(1.0, (0.1, 0.2, 0.3), tensor), visuals=visuals),
        Body("b 2", Joint("j 2", "prismatic", limits=Limits(effort=0.0)), "b1"),
        Body("b3", Joint("j3", coupling=screw, friction=Friction(0.5)), "b1", Inertia(-1.0), (), "why not"),
        Body("b4", Joint("flange", "fixed"), "b3"),
    )
    rotor = Rotor(0.01, 0.006, 0.5, "b1", Transform())
    drive = Drive(
        "motor A",
        "j1",
        screw,
        rotor,
        (GearStage(Rotor(0.01, carrier="base", placement=place), -0.5),),
        Motor(0.1, 0.11, 0.2, 3.0, 2.0, 1.0, 300.0, 20.0, 48.0),
        Friction(load=0.1),
    )
    robot = Robot(
        "everything",
        bodies,
        (drive, Drive("felt", "j 2", Coupling(), joint_inertia=0.5)),
        Tool("b4", place),
        home=(0.1, -0.2),
        gravity=(1.0, 2.0, 3.0),
        base_motion=BaseMotion((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)),
        description='two\nlines and "quotes"',
        source="\\back\\slash, ünïcode",
        notes=("one", "two = 2"),
    ).with_payload(1.5, body="b1")
    assert read_toml(write_toml(robot)) == robot


@pytest.mark.parametrize("name", ["", " ", "ö", 'a"b', "a'b", "a\nb", "a\\b", "[[bodies]]", "a = 1"])
def test_any_name_comes_back_the_same(name: str) -> None:
    robot = read_toml(ARM)
    if name:
        robot = replace(robot, tool=Tool("upper"), payloads=(), drives=())
        bodies = (replace(robot.bodies[0], name=name), replace(robot.bodies[1], parent=name))
        robot = replace(robot, bodies=bodies, tool=Tool(name), description=name, notes=(name,))
    else:
        robot = replace(robot, description=name)
    assert read_toml(write_toml(robot)) == robot


# The schema -----------------------------------------------------------------------------------


def test_the_published_schema_is_the_one_in_use() -> None:
    """`python -m pytest -k published_schema` red: write what json.dumps gives here into the file."""
    generated = json.dumps(RobotTable.model_json_schema(), indent=2) + "\n"
    assert SCHEMA.read_text(encoding="utf-8") == generated


def test_a_key_of_thousands_of_names_is_refused_before_it_is_parsed() -> None:
    """Parsed, fifty thousand take minutes and gigabytes."""
    for text in ("a" + ".a" * 50_000 + " = 1\n", "[[a" + ".a" * 50_000 + "]]\n"):
        with pytest.raises(FormatError, match="nested too deeply"):
            read_toml(text)


@pytest.mark.parametrize(
    ("pseudo", "sentence"),
    [
        ("[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]", "pseudo is not symmetric"),
        ("[[1, 0, 0, 5], [0, 1, 0, 0], [0, 0, 1, 0], [5, 0, 0, 0]]", "a first moment but no mass"),
    ],
)
def test_a_pseudo_inertia_that_is_none_is_refused(pseudo: str, sentence: str) -> None:
    with pytest.raises(FormatError, match=sentence):
        read_toml(f'name = "a"\n[[bodies]]\nname = "b"\ninertia = {{ pseudo = {pseudo} }}\n')
