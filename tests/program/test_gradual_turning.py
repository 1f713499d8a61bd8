"""A turn acceleration written into a program: at its first path move, and nothing else changes."""

from __future__ import annotations

import math

import pytest

import armdyn as ad
from armdyn.motion.moves import PathMove
from armdyn.program import parse_program, run_program
from armdyn.program.gradual_turning import turn_option, turning_gradually

LOLA15 = ad.load("lola15")
THIRTY = math.radians(30)


def written(*statements: str) -> tuple[list[str], list[float | None]]:
    """The statements with 30 deg/s2, and what the path moves then have [deg/s2]."""
    lines = ("program p;", "var real:v=300; robtarg:a=robtarg(position(1,2,3)); endvar", "seq")
    parsed = parse_program("\n".join([*lines, *statements, "endseq", "endprogram"]))
    new = turning_gradually(parsed, LOLA15, THIRTY)
    given = [step.turn_acceleration for step in run_program(new, LOLA15).steps if isinstance(step, PathMove)]
    degrees = [None if turning is None else round(math.degrees(turning), 9) for turning in given]
    return new.source.split("\n")[3:-2], degrees


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("move lin a speed=100 acc=200 c_speed;", "move lin a speed=100 acc=200 acc_ori=30 c_speed;"),
        ("move lin a acc={soft}(v+1) speed=1;", "move lin a acc={soft}(v+1) acc_ori=30 speed=1;"),
        ("MOVE CIRCLE a,\ta SPEED=1 ACC:=2;{x}", "MOVE CIRCLE a,\ta SPEED=1 ACC:=2 acc_ori=30;{x}"),
    ],
)
def test_the_first_path_move_says_it(before: str, after: str) -> None:
    assert written("move ptp a;", before) == (["move ptp a;", after], [30])


def test_the_first_that_is_executed() -> None:
    text = ("if v > 1000 then move lin a speed=1 acc=1; endif", "move lin a speed=2 acc=2;", "move lin a;")
    found, turning = written(*text)
    assert found == [text[0], "move lin a speed=2 acc=2 acc_ori=30;", text[2]]
    assert turning == [30, 30]


def test_others_that_say_one_keep_it() -> None:
    text = ("move lin a speed=1 acc=1;", "move lin a;", "move lin a acc_ori=5;", "move lin a;")
    found, turning = written(*text)
    assert found == ["move lin a speed=1 acc=1 acc_ori=30;", *text[1:]]
    assert turning == [30, 30, 5, 5]


def test_in_a_loop_it_holds_in_all_turns() -> None:
    _, turning = written("for i = 1 to 2 do", "move lin a speed=1 acc=1;", "move lin a acc_ori=5;", "endfor")
    assert turning == [30, 5, 30, 5]


@pytest.mark.parametrize("text", ["move ptp a;", "move lin a speed=1 acc=1 acc_ori=v;", "wait 1;"])
def test_nothing_changes_where_it_is_said_or_no_path_is(text: str) -> None:
    found, _ = written(text)
    assert found == [text]


@pytest.mark.parametrize(
    ("acceleration", "said"),
    [(0.5, "acc_ori=28.64"), (math.pi, "acc_ori=180"), (1e308, "acc_ori=1000000000")],
)
def test_degrees_rounded_down(acceleration: float, said: str) -> None:
    assert turn_option(acceleration) == said
