"""Programs written back: speeds and accelerations change, every other letter stays."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.motion.moves import PathMove, PointToPoint
from armdyn.program import example_program, parse_program, run_program
from armdyn.program.rewriting import rewritten
from armdyn.program.settings import Aspect, number_text, settings_of
from armdyn.program.tree import Place

LOLA15 = ad.load("lola15")
COMMENTS = re.compile(r"\{[^}]*\}")
ULPS = 1e-14
"""Relative: products of floats in another order."""


def program(*statements: str, end: str = "\n") -> str:
    lines = ("program p;", "var real:v=300; robtarg:a=robtarg(position(1,2,3)); endvar", "seq")
    return end.join([*lines, *statements, "endseq", "endprogram"])


def written(text: str, *factors: tuple[int, Aspect, float]) -> str:
    """The text with factors by line, counted from the first statement, and aspect."""
    parsed = parse_program(text)
    ran = run_program(parsed, LOLA15)
    lines = {place.line: place for place in ran.places}
    return rewritten(parsed, ran, {(lines[3 + k], aspect): factor for k, aspect, factor in factors})


def statements(text: str) -> list[str]:
    return re.split(r"\r?\n", text)[3:-2]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("move lin a speed=760 acc=1000;", "move lin a speed=380 acc=1000;"),
        ("move lin a acc=1000 speed=760 c_speed;", "move lin a acc=1000 speed=380 c_speed;"),
        ("MOVE LIN a SPEED := 760 Acc=1;", "MOVE LIN a SPEED := 380 Acc=1;"),
        ("move lin a speed = {fast} (760) {mm/s} acc=1;", "move lin a speed = {fast} (380) {mm/s} acc=1;"),
        ("move lin a speed=v acc=1;", "move lin a speed=v*0.5 acc=1;"),
        ("move lin a speed=2*v acc=1;", "move lin a speed=2*v*0.5 acc=1;"),
        ("move lin a speed=v+{more}1 acc=1;", "move lin a speed=(v+{more}1)*0.5 acc=1;"),
        ("move lin a speed=+760 acc=1;", "move lin a speed=+760*0.5 acc=1;"),
        ("move lin a speed=sqrt(v) acc=1;", "move lin a speed=sqrt(v)*0.5 acc=1;"),
        ("move lin a speed=1e3 acc=1;", "move lin a speed=500 acc=1;"),
        ("move ptp a;", "move ptp a speed_ptp=0.5;"),
        ("move ptp a {here} acc_ptp=0.7;", "move ptp a speed_ptp=0.5 {here} acc_ptp=0.7;"),
        ("move ptp a c_ptp;move ptp a;", "move ptp a speed_ptp=0.5 c_ptp;move ptp a speed_ptp=1;"),
    ],
)
def test_a_speed(before: str, after: str) -> None:
    text = program(before)
    parsed = parse_program(text)
    ran = run_program(parsed, LOLA15)
    assert statements(rewritten(parsed, ran, {(ran.places[0], "speed"): 0.5})) == [after]


def test_what_holds_from_before_is_written_where_it_would_change() -> None:
    text = program("move lin a speed=100 acc=500;", "move lin a;", "move lin a speed=50;", "move lin a;")
    assert statements(written(text, (1, "acceleration", 0.5))) == [
        "move lin a speed=100 acc=250;",
        "move lin a acc=500;",
        "move lin a speed=50;",
        "move lin a;",
    ]
    assert statements(written(text, (2, "speed", 0.5), (2, "acceleration", 0.1)))[1:3] == [
        "move lin a speed=50 acc=50;",
        "move lin a speed=50 acc=500;",
    ]


def test_one_number_for_all_turns_of_a_loop() -> None:
    text = program(
        "move lin a speed=100 acc=500;",
        "for i = 1 to 2 do",
        "  move lin a;",  # at first with 100, then with 200
        "  move lin a speed=200;",
        "endfor",
    )
    assert statements(written(text, (3, "speed", 0.5)))[2] == "  move lin a speed=50;"
    changed = statements(written(text, (4, "speed", 0.25)))
    assert changed[2:4] == ["  move lin a speed=100;", "  move lin a speed=50;"]


def test_a_factor_goes_with_an_expression_of_the_loop() -> None:
    text = program("for i = 1 to 3 do", "  move lin a speed=i*v acc=100*i;", "endfor")
    new = written(text, (2, "speed", 1 / 3))
    assert statements(new)[1] == "  move lin a speed=i*v*0.3333 acc=100*i;"
    speeds = [
        step.speed for step in run_program(parse_program(new), LOLA15).steps if isinstance(step, PathMove)
    ]
    assert speeds == pytest.approx([0.3 * k * 0.3333 for k in (1, 2, 3)], rel=ULPS)


def test_moves_that_are_not_executed_stay() -> None:
    text = program("if v > 1000 then", "  move lin a speed=1 acc=1;", "else", "  move ptp a;", "endif")
    assert statements(written(text, (4, "speed", 0.5)))[1:4:2] == [
        "  move lin a speed=1 acc=1;",
        "  move ptp a speed_ptp=0.5;",
    ]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_and_letters_stay(end: str) -> None:
    text = program("{ größer, 速い }", "move lin a speed=7 acc=1; { ärger }", "\t move ptp a ;", end=end)
    parsed = parse_program(text)
    ran = run_program(parsed, LOLA15)
    new = rewritten(parsed, ran, {(ran.places[0], "speed"): 0.5, (ran.places[1], "speed"): 0.25})
    assert new == text.replace("speed=7", "speed=3.5").replace("ptp a ", "ptp a speed_ptp=0.25 ")


def test_nothing_to_change() -> None:
    for name, robot in (("lola15", "lola15"), ("ur5_palletising", "ur5"), ("panda", "panda")):
        parsed = parse_program(example_program(name).read_bytes().decode())
        assert rewritten(parsed, run_program(parsed, ad.load(robot)), {}) is parsed.source


@pytest.mark.parametrize(
    ("value", "text"), [(0.12345, "0.1234"), (999.99, "999.9"), (123456.0, "123400"), (0.6 * 0.42, "0.252")]
)
def test_numbers_are_rounded_down(value: float, text: str) -> None:
    assert number_text(value) == text


# Any program ----------------------------------------------------------------------------------

NOTHING = st.sampled_from(["", " ", "\r\n", " { speed=1; } ", "\t{ä}"])
NUMBERS = st.sampled_from(["760", "0.5", "(3.25)", "v", "v+1", "i*v", "(v - 1)*2", "+8", "1e2"])
SHARES = st.sampled_from(["0.5", "1", "(0.25)", "1/(i + 1)", "v/1000 + 0.1", "+0.3"])


@st.composite
def moves(draw: st.DrawFn, first: bool = False) -> str:
    kind = draw(st.sampled_from(["lin"] if first else ["ptp", "lin", "circle"]))
    names, values = (("speed_ptp", "acc_ptp"), SHARES) if kind == "ptp" else (("speed", "acc"), NUMBERS)
    given = [name for name in names if first or draw(st.booleans())]
    options = [f"{name}{draw(NOTHING)}={draw(NOTHING)}{draw(values)}" for name in given]
    options += draw(st.lists(st.sampled_from(["c_ptp"]), max_size=1))
    target = "a, a + (i, 0, 0)" if kind == "circle" else draw(st.sampled_from(["a", "a + (0, i, v)"]))
    parts = ["move", kind, target, *draw(st.permutations(options))]
    return f" {draw(NOTHING)}".join(parts) + f"{draw(NOTHING)};"


@st.composite
def programs(draw: st.DrawFn) -> str:
    parts = [draw(moves(first=True))]
    for _ in range(draw(st.integers(0, 4))):
        body = f"{draw(NOTHING)}".join(draw(st.lists(moves(), min_size=1, max_size=3)))
        kind = draw(st.sampled_from(["plain", "loop", "choice"]))
        if kind == "loop":
            body = f"for i = 1 to 3 do {body} endfor;"
        elif kind == "choice":
            body = f"for i = 1 to 2 do if i = 1 then {body} else {draw(moves())} endif endfor"
        parts.append(body)
    lines = ("program p;", "var real:v=300; int:i=1; robtarg:a=robtarg(position(1,2,3)); endvar", "seq")
    return f"{draw(NOTHING)}\n".join([*lines, *parts, "endseq", "endprogram"])


@given(programs(), st.data())
def test_any_program_differs_in_these_numbers_only(text: str, data: st.DataObject) -> None:
    text = text.replace("for i", "for k").replace("if i", "if k")
    parsed = parse_program(text)
    before = run_program(parsed, LOLA15)
    settings = settings_of(parsed, before)
    some = st.sampled_from([1.0, 1.0, 0.5, 0.123456, 0.9999])
    factors: dict[tuple[Place, Aspect], float] = {(s.place, s.aspect): data.draw(some) for s in settings}
    new = rewritten(parsed, before, factors)
    after = run_program(parse_program(new), LOLA15)
    assert COMMENTS.findall(new) == COMMENTS.findall(text)
    assert _without_numbers(new) == _without_numbers(text)
    wanted = {
        (k, s.aspect): (value, min(s.values))
        for s in settings
        for k, value in zip(s.steps, s.with_factor(factors[s.place, s.aspect]), strict=True)
    }
    for k, (old, step) in enumerate(zip(before.steps, after.steps, strict=True)):
        assert isinstance(old, PointToPoint | PathMove)
        assert isinstance(step, PointToPoint | PathMove)
        assert replace(step, line=0, speed=1.0, acceleration=1.0) == replace(
            old, line=0, speed=1.0, acceleration=1.0
        )
        unit = 1.0 if isinstance(step, PointToPoint) else 1e3
        for aspect, value in (("speed", step.speed), ("acceleration", step.acceleration)):
            likely, least = wanted[k, aspect]
            assert unit * value == pytest.approx(likely, rel=ULPS) or unit * value == pytest.approx(least)


def _without_numbers(text: str) -> str:
    """The text without speeds and accelerations, and without space."""
    options = r"(?:speed|acc)(?:_ptp)?(?:\s|\{[^}]*\})*=.*?(?=move|c_ptp|speed|acc|;)"
    plain = COMMENTS.sub("", text)
    return re.sub(r"\s", "", re.sub(options, "", plain, flags=re.DOTALL))
