"""The language, feature by feature: what a program asks for, in SI."""

import math
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.errors import InputError, ProgramError
from armdyn.motion.moves import ChangePayload, ChangeTool, JointTarget, PathMove, PointToPoint, Target, Wait
from armdyn.program import (
    catalog_name,
    example_program,
    parse_program,
    problems,
    read_program,
    run_program,
)
from armdyn.program.files import LARGEST_FILE
from armdyn.spatial.rotation import from_rpy

UR5 = ad.load("ur5")
EXAMPLES = ("lola15", "ur5_palletising", "panda")


def run(statements: str, declarations: str = "", robot=UR5) -> Any:
    return run_program(
        parse_program(f"program p; var {declarations} endvar seq {statements} endseq endprogram"), robot
    )


def value(expression: str, declarations: str = "") -> float:
    """What a number comes to."""
    (step,) = run(f"wait {expression};", declarations).steps
    return step.duration


def goal(expression: str, declarations: str = "") -> Any:
    return run(f"move ptp {expression};", declarations).steps[0].target


# Structure ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "program p; seq endseq endprogram",
        "PROGRAM P; VAR ENDVAR SEQ ENDSEQ ENDPROGRAM",
        "Program p;\r\nvar\r\nendvar;\r\nseq\r\nendseq;\r\nendprogram.\r\n",
        "{ a\ncomment } program p; { b } seq ; ; endseq. endprogram; { c }",
        "program p; var ; real:x; endvar. seq endseq endprogram",
        "\ufeffprogram p; seq endseq endprogram",
    ],
)
def test_programs_without_steps(text):
    program: Any = run_program(parse_program(text), UR5)
    assert program.name.lower() == "p"
    assert program.steps == ()
    assert program.source == text
    assert program.robot is None


def test_a_comment_does_not_nest_and_may_have_any_text():
    assert run("{ move { \"it's } wait 1;").steps == (Wait(1, 1.0),)


# Values ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1 + 2*3", 7),
        ("(1 + 2)*3", 9),
        ("7 - 2 - 1", 4),
        ("8 / 4 / 2", 1),
        ("7 div 2", 3),
        ("-7 div 2 + 5", 2),
        ("7 mod 3", 1),
        ("-7 mod 3 + 5", 4),
        ("- -3", 3),
        ("+3", 3),
        ("2 - -1", 3),
        ("sqrt(16)", 4),
        ("sin(30)", 0.5),
        ("cos(60)", 0.5),
        ("sin(180)", 0),
        ("tan(45)", 1),
        ("atan2(1, 1)", 45),
        ("abs(-2.5)", 2.5),
        ("pi", math.pi),
        ("PI", math.pi),
        ("1.5e1", 15),
        (".5", 0.5),
        ("5.", 5),
        ("x*2", 3),
        ("X", 1.5),
    ],
)
def test_arithmetic(expression, expected):
    assert value(expression, "real:x=1.5;") == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("1 < 2", True),
        ("1 >= 2", False),
        ("1 = 1.0", True),
        ("1 <> 1", False),
        ("not 1 > 2", True),
        ("not not b", True),
        ("b and 1 > 2 or 3 > 2", True),
        ("b and (1 > 2 or 2 > 3)", False),
        ("b = true", True),
        ('t = "a"', True),
        ("false and 1/0 > 1", False),
    ],
)
def test_conditions(condition, holds):
    steps = run(f"if {condition} then wait 1; else wait 2; endif", 'bool:b=true; string:t="a";').steps
    assert steps == (Wait(1, 1.0 if holds else 2.0),)


def test_a_pose_with_status():
    target = goal("robtarg(((100, 200, 300), (10, 20, 30)), 4)")
    assert target.position == (0.1, 0.2, 0.3)
    a, b, c = np.radians([10, 20, 30])
    expected: Any = from_rpy(c, b, a)
    assert np.allclose(target.rotation, expected)
    assert target.branch == 4


@pytest.mark.parametrize(
    "expression",
    [
        "robtarg(((1, 2, 3), (0, 0, 90)))",
        "robtarg(position(1, 2, 3), orientation(0, 0, 90))",
        "robtarg(p, o)",
        "robtarg((p, o))",
        "robtarg((1, 2, 3), (0, 0, 90))",
    ],
)
def test_ways_to_write_a_pose(expression):
    target = goal(expression, "position:p=position(1, 2, 3); orientation:o=(0, 0, 90);")
    assert np.allclose(target.position, (1e-3, 2e-3, 3e-3))
    assert target.rotation == ((1, 0, 0), (0, 0, -1), (0, 1, 0))
    assert target.branch is None


@pytest.mark.parametrize("expression", ["robtarg(position(1, 2, 3))", "position(1, 2, 3)", "(1, 2, 3)", "t"])
def test_a_position_alone_keeps_the_orientation(expression):
    target = goal(expression, "robtarg:t=position(1, 2, 3);")
    assert target.rotation is None
    assert target.name == ("t" if expression == "t" else "")


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("t + p", (2, 4, 6)),
        ("t - (1, 1, 1)", (0, 1, 2)),
        ("p + t", (2, 4, 6)),
        ("p + p", (2, 4, 6)),
        ("2*p", (2, 4, 6)),
        ("p*2 - p/2", (1.5, 3, 4.5)),
        ("(1, 1, 1) + p", (2, 3, 4)),
        ("-p", (-1, -2, -3)),
    ],
)
def test_shifted_targets(expression, expected):
    target = goal(expression, "robtarg:t=robtarg(((1, 2, 3), (0, 0, 0)), 2); position:p=position(1, 2, 3);")
    assert np.allclose(np.multiply(target.position, 1e3), expected)
    if "t" in expression:
        assert (target.rotation is not None, target.branch) == (True, 2)


def test_joint_values_turn_or_slide():
    scara = ad.load("scara")
    kinds = [joint.kind for joint in scara.joints]
    target = run("move ptp joint(mainjoint(90, 90, 90));", robot=scara).steps[0].target
    expected = [0.09 if kind == "prismatic" else math.pi / 2 for kind in kinds[:3]]
    assert target.q == pytest.approx(expected)


def test_missing_joint_values_are_kept_and_noted():
    program = run("move ptp j;", "joint:j=joint(mainjoint(90, 0, 0, 0, 0));")
    assert program.steps[0].target == JointTarget((math.pi / 2, 0, 0, 0, 0), "j")
    assert program.notes == ("line 1: j gives 5 of 6 joint values; wrist_3_joint keeps its value",)


def test_declarations_in_every_form():
    declarations = 'const real:a=1, b=2; int:n:=3; real:c; bool:d=a < b; string:e="x"; joint:j;'
    assert value("a + b + n", declarations) == 6
    assert run("c := 4; j = joint(mainjoint(1)); wait c; move ptp j;", declarations).steps[0] == Wait(1, 4.0)


# Statements -----------------------------------------------------------------------------------


def test_options_of_a_point_to_point_move():
    (first, second) = run("move ptp (1,2,3) c_ptp acc_ptp=0.5 speed_ptp=0.25; move ptp (1,2,3);").steps
    assert (first.speed, first.acceleration, first.blend) == (0.25, 0.5, True)
    assert (second.speed, second.acceleration, second.blend) == (0.25, 0.5, False)
    (alone,) = run("move ptp (1,2,3);").steps
    assert (alone.speed, alone.acceleration) == (1.0, 1.0)


def test_options_of_path_moves():
    text = 'move lin t c_cp=5 speed=100 act_rob="UR 5" acc=200 c_speed c_ori=o_pco;'
    program = run(
        text + "move circle (1,0,0), t c_ori=O_PVO c_ptp speed=2*100; move lin t c_cp=0;",
        "robtarg:t=(1,2,3);",
    )
    line, circle, last = program.steps
    assert isinstance(line, PathMove)
    assert (line.speed, line.acceleration, line.corner) == (0.1, 0.2, 0.005)
    assert (line.orientation, line.keep_speed, line.blend, line.via) == ("pco", True, False, None)
    assert isinstance(circle, PathMove)
    assert circle.via == Target((1e-3, 0, 0))
    assert circle.end.name == "t"
    assert (circle.speed, circle.acceleration) == (0.2, 0.2)
    assert (circle.orientation, circle.keep_speed, circle.blend) == ("pvo", False, True)
    assert (last.orientation, last.corner) == ("var", None)
    assert program.robot == "UR 5"


def test_a_turn_acceleration_holds_until_another_is_given():
    moves = ("", "acc_ori=90", "", "acc_ori=2*90", "")
    text = "".join(f"move lin t {option} speed=100 acc=200;" for option in moves)
    steps = run(text + "move ptp t; move circle (1,0,0), t;", "robtarg:t=(1,2,3);").steps
    given = [step.turn_acceleration for step in steps if isinstance(step, PathMove)]
    assert given == [None, math.pi / 2, math.pi / 2, math.pi, math.pi, math.pi]


def test_a_turn_acceleration_that_only_running_shows_to_be_none():
    with pytest.raises(ProgramError, match="acc_ori is -1, expected deg/s2 above 0"):
        run("move lin t speed=1 acc=1 acc_ori=a - 2;", "robtarg:t=(1,2,3); real:a=1;")


@pytest.mark.parametrize(
    ("header", "expected"),
    [
        ("i = 1 to 3", [1, 2, 3]),
        ("i := 3 downto 1", [3, 2, 1]),
        ("i = 0 to 10 step 5", [0, 5, 10]),
        ("i = 10 downto 1 step 4", [10, 6, 2]),
        ("i = 0 to 0.3 step 0.1", [0, 0.1, 0.2, 0.3]),
        ("i = 2 to 1", []),
        ("i = 1 to n", [1, 2]),
        ("k = 1 to 2", [1, 2]),
    ],
)
def test_loops(header, expected):
    name = header.split()[0]
    steps = run(f"for {header} do wait {name}; endfor;", "int:n=2; int:k;").steps
    assert [step.duration for step in steps] == pytest.approx(expected)


def test_nested_loops_and_choices():
    inner = "if i = j then wait 1; elsif i < j then wait 2; else wait 3; endif"
    steps = run(f"for i = 1 to 2 do for j = 1 to 2 do {inner} endfor endfor").steps
    assert [step.duration for step in steps] == [1, 2, 3, 1]
    assert run("if false then wait 1; endif;").steps == ()


def test_wait_in_seconds():
    assert run("wait 0.5; WAIT SEC 1/4;").steps == (Wait(1, 0.5), Wait(1, 0.25))


def test_tool_frames():
    first, second = run("tool (0, 0, 100); tool p, (90, 0, 0);", "position:p=(1, 2, 3);").steps
    assert isinstance(first, ChangeTool)
    assert first.placement.translation == (0, 0, 0.1)
    assert first.placement.rotation == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert second.placement.rotation == ((0, -1, 0), (1, 0, 0), (0, 0, 1))


def test_payloads():
    text = "grasp 2; payload 3, (10, 20, 30); release; grasp 1, (0, 0, 0), (1, 2, 2.5, 0.1, 0.2, 0.3);"
    steps = run(text).steps
    assert all(isinstance(step, ChangePayload) for step in steps)
    held = [step.payload for step in steps]
    assert held[2] is None
    assert {payload.body for payload in held if payload} == {"wrist_3_link"}
    assert [payload.inertia.mass for payload in held if payload] == [2, 3, 1]
    assert held[1].inertia.com == (0.01, 0.02, 0.03)
    assert held[3].inertia.tensor == ((1, 0.1, 0.2), (0.1, 2, 0.3), (0.2, 0.3, 2.5))


def test_steps_know_their_lines():
    text = "program p; seq\nfor i = 1 to 2 do\n wait i;\nmove ptp\n (1,2,3);\nendfor endseq endprogram"
    assert [step.line for step in run_program(parse_program(text), UR5).steps] == [3, 4, 3, 4]


# Robots ---------------------------------------------------------------------------------------


def named(robot: str):
    return parse_program(f'program p; seq\n move ptp (1,2,3) act_rob="{robot}"; endseq endprogram', "a.lirl")


@pytest.mark.parametrize("robot", ["lola_15", "Lola 15", "LOLA15", "lola15"])
def test_catalog_names(robot):
    assert catalog_name(named(robot), ad.catalog()) == "lola15"


def test_catalog_names_with_underscores_and_unknown_ones():
    assert catalog_name(named("JPL RRP"), ad.catalog()) == "jpl_rrp"
    assert catalog_name(parse_program("program p; seq endseq endprogram"), ad.catalog()) is None
    with pytest.raises(
        ProgramError, match=r'a\.lirl, line 2, column 27: no robot "lola_51".*did you mean "lola15"\?'
    ):
        catalog_name(named("lola_51"), ad.catalog())


def test_another_robot_is_noted():
    program: Any = run_program(named("lola_15"), UR5)
    assert program.notes == ('line 2: act_rob names robot "lola_15", the program runs on "ur5"',)
    assert run_program(named("UR 5"), UR5).notes == ()


def test_problems_of_a_run_need_a_robot():
    text = "program p; seq move ptp joint(mainjoint(1,2,3,4,5,6,7)); endseq endprogram"
    assert problems(text) == []
    (error,) = problems(text, UR5)
    assert error.message == '7 joint values, robot "ur5" has 6 joints'


# Files ----------------------------------------------------------------------------------------


def test_a_file_with_a_byte_order_mark(tmp_path):
    file = tmp_path / "a.lirl"
    file.write_bytes(b"\xef\xbb\xbfprogram p; seq endseq endprogram\r\n")
    assert read_program(file).file == str(file)


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"program \xff", "not UTF-8 text (byte 8)"),
        (b"program\0", "null byte 7"),
        (b" " * (LARGEST_FILE + 1), "larger than 1 MiB"),
    ],
)
def test_files_that_are_no_programs(tmp_path, data, part):
    file = tmp_path / "a.lirl"
    file.write_bytes(data)
    with pytest.raises(InputError) as caught:
        read_program(file)
    assert part in str(caught.value)


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        read_program(tmp_path / "a.lirl")
    with pytest.raises(InputError, match="cannot be read"):
        read_program(tmp_path)
    with pytest.raises(
        InputError,
        match=r'no such file, and no example program "ur5_paletising"; did you mean "ur5_palletising"',
    ):
        read_program("ur5_paletising")
    with pytest.raises(InputError, match="no file can have the name"):
        read_program("a\0b")


def test_a_text_too_long():
    with pytest.raises(ProgramError, match="characters"):
        parse_program(" " * (LARGEST_FILE + 1))


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_run(name):
    parsed = read_program(example_program(name))
    robot = ad.load(catalog_name(parsed, ad.catalog()) or "")
    assert run_program(parsed, robot).steps


def test_no_such_example():
    with pytest.raises(InputError, match='did you mean "lola15"'):
        example_program("lola51")


def test_the_program_of_lola15():
    """[Kvrgic2020] Fig. 8 with its slips mended (twelve moves)."""
    parsed = read_program(example_program("lola15"))
    program: Any = run_program(parsed, ad.load("lola15"))
    assert (program.name, program.robot) == ("Lola15DD", "lola_15")
    kinds = [("ptp" if isinstance(s, PointToPoint) else "circle" if s.via else "lin") for s in program.steps]
    assert kinds == [
        "ptp",
        "circle",
        "circle",
        "lin",
        "circle",
        "lin",
        "lin",
        "circle",
        "lin",
        "circle",
        "ptp",
        "ptp",
    ]
    s7 = program.steps[4]
    assert s7.via.position[2] == pytest.approx(0.8736763)
    assert program.steps[6].end.position[2] == pytest.approx(0.8902428)
    assert program.steps[5].corner == 0.15
    assert program.steps[-1].target.q == pytest.approx(np.radians([-115.70, 55.70, 68.70]))
    assert len(program.notes) == 2


def test_the_palletising_program_holds_every_part_once():
    program: Any = run_program(read_program(example_program("ur5_palletising")), UR5)
    held = [step.payload is not None for step in program.steps if isinstance(step, ChangePayload)]
    assert held == [True, False] * 6
