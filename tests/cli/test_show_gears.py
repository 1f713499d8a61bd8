"""`armdyn show` draws the gear coupling, and gives it as a matrix."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from actuated_robots import belt_arm, gyroscope, planar_links
from armdyn.cli.gear_drawing import ASCII, BOXES, TITLE, WIDTH, gear_drawing
from armdyn.dynamics import Dynamics
from armdyn.formats import catalog, load
from armdyn.robot import Coupling, Drive, Robot
from command_line import Armdyn, process

WITH_DRIVES = [name for name in catalog() if load(name).drives]

LOLA15 = """\
gears [rad of a motor per rad or m of a joint]

          joint1  joint2  joint3  joint4   joint5   joint6
          │       │       │       │        │        │
motor1 ───● 120   │       │       │        │        │
motor2 ───────────● 119   │       │        │        │
motor3 ───────────○ 1 ────● 119   │        │        │
motor4 ───────────────────────────● 133.7  │        │
motor5 ───────────────────────────○ 1.714 ─● 219.4  │
motor6 ───────────────────────────○ -1 ────○ 53.33 ─● 53.33

● the joint that a motor serves   ○ another that it turns with
"""

IRB6 = """\
gears [rad of a motor per rad or m of a joint]

          joint1  joint2    joint3    joint4  joint5
          |       |         |         |       |
motor1 ---@ -158  |         |         |       |          on base
motor2 ~~~~~~~~~~~@ -173.7  |         |       |          on column, screw
motor3 ~~~~~~~~~~~o -175.1 ~@ -175.1  |       |          on column, screw
motor4 -----------o 128 ----o 128 ----@ 128   |          on column
motor5 -----------o 128 ----o 128 ----o 128 --@ -76.8    on column

@ the joint that a motor serves   o another that it turns with
~ screw: ratio at home
"""

PLANAR2 = """\
gears [rad of a motor per rad or m of a joint]

          joint1  joint2
          │       │
motor1 ───● 100   │         on base
motor2 ───────────● 100     on link1
"""


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def chain(n: int) -> Robot:
    """Motors that turn with their own joint and the one before."""
    drives = tuple(
        Drive(f"m{i}", f"q{i}", Coupling.of({f"q{i - 1}": -1.5, f"q{i}": 100.0} if i > 1 else {"q1": 100.0}))
        for i in range(1, n + 1)
    )
    return Robot("chain", planar_links(n), drives)


# The command ----------------------------------------------------------------------------------


def in_utf8(*arguments: str) -> str:
    return process(*arguments, encoding="utf-8", env={**os.environ, "PYTHONIOENCODING": "utf-8"}).out


def test_a_coupled_wrist_is_drawn() -> None:
    assert f"\n{LOLA15}\n" in in_utf8("show", "lola15")


def test_a_diagonal_gear_needs_no_legend() -> None:
    assert f"\n{PLANAR2}\n" in in_utf8("show", "planar2")


def test_an_output_without_lines_gets_letters() -> None:
    said = process("show", "irb6", encoding="latin-1", env={**os.environ, "PYTHONIOENCODING": "latin-1"})
    assert (said.code, said.err) == (0, "")
    assert f"\n{IRB6}\n" in said.out


def test_nothing_is_drawn_without_drives(armdyn: Armdyn) -> None:
    said = armdyn("show", "ur5")
    assert said.code == 0
    assert "gears" not in said.out


def test_a_motor_of_a_locked_joint_stands_still(armdyn: Armdyn) -> None:
    said = armdyn("show", "irb6", "--lock", "2=0.1")
    (line,) = (x for x in said.out.splitlines() if "stands still" in x)
    assert line.startswith("motor2 ")
    assert line.endswith("  on column, stands still")
    given = armdyn("show", "irb6", "--lock", "2=0.1", "--json").document["gear_matrix"]
    assert given["K"][1] == [0.0] * 4
    assert given["nonlinear"] == ["motor3"]


def test_names_cannot_command_the_terminal(armdyn: Armdyn, tmp_path: Path) -> None:
    text = (
        'name = "arm"\n[[bodies]]\nname = "link"\n[bodies.joint]\nname = "j\\u001b[2J"\n'
        '[bodies.inertia]\nmass = 1.0\n[[drives]]\nname = "m\\u001b[2J"\nratio = 50.0\n'
    )
    file = tmp_path / "arm.toml"
    file.write_text(text)
    said = armdyn("show", str(file))
    assert (said.code, said.err) == (0, "")
    assert TITLE in said.out
    assert "\x1b" not in said.out


@pytest.mark.parametrize("name", catalog())
def test_the_gear_matrix_at_home(armdyn: Armdyn, name: str) -> None:
    robot, given = load(name), armdyn("show", name, "--json").document["gear_matrix"]
    assert list(given) == ["joints", "motors", "K", "constant", "nonlinear", "at"]
    assert given["joints"] == list(robot.joint_names)
    assert given["motors"] == [drive.name for drive in robot.drives]
    assert given["at"] == list(robot.home)
    expected = Dynamics(robot).gear_matrix(robot.home)
    np.testing.assert_allclose(np.reshape(given["K"], expected.shape), expected, rtol=1e-14)
    assert given["nonlinear"] == (["motor2", "motor3"] if name == "irb6" else [])
    assert given["constant"] == (name != "irb6")


def test_the_gear_matrix_of_lola15(armdyn: Armdyn) -> None:
    K = armdyn("show", "lola15", "--json").document["gear_matrix"]["K"]
    assert K[4] == pytest.approx([0.0, 0.0, 0.0, 12 / 7, 1536 / 7, 0.0])


# The picture ----------------------------------------------------------------------------------


def test_letters_draw_what_lines_draw() -> None:
    boxes, ascii_ = ("".join(vars(glyphs).values()) for glyphs in (BOXES, ASCII))
    for name in WITH_DRIVES:
        letters = text(gear_drawing(load(name), glyphs=ASCII))
        assert letters.isascii()
        assert text(gear_drawing(load(name))).translate(str.maketrans(boxes, ascii_)) == letters


@pytest.mark.parametrize("name", WITH_DRIVES)
def test_the_catalog_fits_eighty_columns_side_by_side(name: str) -> None:
    robot = load(name)
    lines = gear_drawing(robot)
    assert max(map(len, lines)) <= WIDTH
    assert lines[2].split() == list(robot.joint_names)


def test_a_joint_runs_down_to_its_last_motor() -> None:
    belt = belt_arm()
    assert gear_drawing(replace(belt, drives=belt.drives[::-1]))[2:6] == [
        "      q1     q2",
        "      │      │",
        "m2 ───○ 100 ─● 100    on base",
        "m1 ───● 100           on base",
    ]


def test_a_motor_passes_joints_that_it_does_not_turn_with() -> None:
    arm = chain(2)
    drives = (Drive("m2", "q2", Coupling.of({"q2": 7.0})), arm.drives[0])
    assert gear_drawing(replace(arm, drives=drives))[2:] == [
        "      q1     q2",
        "      │      │",
        "m2 ───┼──────● 7",
        "m1 ───● 100",
    ]


def test_a_joint_may_have_no_motor() -> None:
    lines = gear_drawing(gyroscope())
    assert lines[3].split() == ["x", "x", "│"]
    assert lines[-1] == "x no motor"


def test_many_joints_go_on_below() -> None:
    robot = chain(30)
    lines = gear_drawing(robot)
    assert max(map(len, lines)) <= WIDTH
    headers = [line for line in lines if "q" in line and "m" not in line]
    assert [name for line in headers for name in line.split()] == list(robot.joint_names)
    assert len(headers) > 1
    drawn = "".join(lines)
    assert drawn.count("● 100") == 30
    assert drawn.count("○ -1.5") == 29
    # the motor between two pictures stands in both
    assert sum(line.endswith("…") for line in lines) == len(headers) - 1


def test_long_names_are_cut() -> None:
    arm = belt_arm()
    drives = tuple(replace(d, name=f"{d.name} with a very long name that says all") for d in arm.drives)
    lines = gear_drawing(replace(arm, drives=drives))
    assert max(map(len, lines)) <= WIDTH
    assert lines[4].startswith("m1 with a v… ──")


def test_which_outputs_know_lines() -> None:
    assert BOXES.drawable_in("utf-8")
    assert not BOXES.drawable_in("cp1252")
    assert not BOXES.drawable_in("ascii")
    assert not BOXES.drawable_in("no such encoding")
    assert ASCII.drawable_in("ascii")
