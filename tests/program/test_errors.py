"""Malformed programs: each message has the right line and column, and says what is wrong."""

import re

import pytest

import armdyn as ad
from armdyn.errors import ProgramError
from armdyn.motion.moves import Wait
from armdyn.program import example_program, parse_program, problems, run_program

BEFORE = """\
program p;
var
robtarg:s=position(1,2,3); joint:j=joint(mainjoint(1)); real:x=1; int:n=2; bool:b=true; const int:k=3;
endvar
seq
"""
AFTER = "\nendseq endprogram"
UR5 = ad.load("ur5")

# Text of a statement, line (from where it begins) and column, how the message begins.
STATEMENTS = [
    ("while x > 0 do x = 1; endwhile", 1, 1, '"while" is not supported; use for'),
    ("repeat x = 1; until x > 3;", 1, 1, '"repeat" is not supported; use for'),
    ("case x of 1: x = 2; end;", 1, 1, '"case" is not supported; use if'),
    ("goto 10;", 1, 1, '"goto" is not supported; use for and if'),
    ("procedure foo;", 1, 1, '"procedure" is not supported; statements stand between seq a'),
    ("output(1, true);", 1, 1, '"output" is not supported; signals are left out of a program'),
    ("input(1, b);", 1, 1, '"input" is not supported; signals are left out of a program '),
    ("sem(1);", 1, 1, '"sem" is not supported; a program is one sequence'),
    ("parallel;", 1, 1, '"parallel" is not supported; a program is one sequence'),
    ("array = 1;", 1, 1, '"array" is not supported; use names of their own'),
    ("mvoe lin s;", 1, 1, '"mvoe" is no statement; did you mean "move"? expected move, '),
    ("move s speed=100;", 1, 6, '"s" is no kind of move; expected ptp, lin or circle'),
    ("move linear s;", 1, 6, 'move "linear" is not supported; use lin'),
    ("move spline s;", 1, 6, 'move "spline" is not supported; use lin with c_cp, or circle'),
    ("move lni s;", 1, 6, '"lni" is no kind of move; did you mean "lin"? expected ptp, '),
    ("move lin s spede=100 acc=1;", 1, 12, '"spede" is no option of move lin; did you mean "speed"?'),
    ("move lin s speed 100 acc=1;", 1, 18, '"=" is missing after "speed", found "100"'),
    ("move lin speed=100 acc=1;", 1, 10, 'move lin has no target, expected one before "speed"'),
    ("move lin s speed=100, acc=1;", 1, 21, "options stand without commas between them"),
    ("move lin s speed=100 acc=100 speed=3;", 1, 30, '"speed" stands twice, expected once'),
    ("move lin s speed=0 acc=1;", 1, 18, "speed is 0, expected mm/s above 0"),
    ("move lin s speed=-5 acc=1;", 1, 18, "speed is -5, expected mm/s above 0"),
    ("move lin s speed=1 acc=1 acc_ori=0;", 1, 34, "acc_ori is 0, expected deg/s2 above 0"),
    ("move lin s speed=1 acc=1 acc_ori=-5;", 1, 34, "acc_ori is -5, expected deg/s2 above 0"),
    ("move lin s speed=1 acc=1 acc_ori=true;", 1, 34, "acc_ori is a bool, expected a number"),
    ("move lin s speed=1 acc=1 acc_ori;", 1, 26, '"acc_ori" has no value, expected acc_ori=..'),
    ("move lin s speed=1 acc=1 acc_oir=5;", 1, 26, '"acc_oir" is no option of move lin; did you mean "acc_o'),
    ("move circle s, s speed=1 acc=1 acc_rot=5;", 1, 32, '"acc_rot" is not supported; use acc_ori'),
    ("move ptp s acc_ori=5;", 1, 12, '"acc_ori" is no option of move ptp'),
    ("move ptp s speed_ptp=1.5;", 1, 22, "speed_ptp is 1.5, expected a share of the joints' speed limi"),
    ("move ptp s speed=100;", 1, 12, '"speed" is no option of move ptp; use speed_ptp'),
    ("move lin s speed_ptp=0.5;", 1, 12, '"speed_ptp" is no option of move lin; use speed'),
    ("move lin j speed=1 acc=1;", 1, 10, "the target is a joint, expected a robtarg or a position; joi"),
    ("move circle s speed=1 acc=1;", 1, 6, "move circle has 1 target, expected move circle VIA, END"),
    ("move lin s, s speed=1 acc=1;", 1, 13, "move lin has 2 targets, expected move lin TARGET"),
    ("move ptp x;", 1, 10, "the target is a real, expected a robtarg, a position or a jo"),
    ("move ptp q0;", 1, 10, '"q0" is not declared; declare it between var and endvar'),
    ("move ptp sx;", 1, 10, '"sx" is not declared; did you mean "x"?'),
    (
        "move lin s c_ori=o_vra speed=1 acc=1;",
        1,
        18,
        'c_ori is "o_vra"; did you mean "o_var"? expected o_var or o_',
    ),
    (
        "move lin s c_ori=3 speed=1 acc=1;",
        1,
        18,
        "c_ori has a value that is no word, expected o_var or o_pco o",
    ),
    (
        "move lin s c_ori=o_pvo speed=1 acc=1;",
        1,
        18,
        "o_pvo goes through the orientation of a via point; move lin ",
    ),
    ("move lin s c_speed=3;", 1, 12, '"c_speed" stands alone, without a value'),
    ("move lin s speed acc=3;", 1, 12, '"speed" has no value, expected speed=..'),
    ("move lin s c_pos;", 1, 12, '"c_pos" is not supported; use c_cp for a corner'),
    ("move ptp s act_rob=lola;", 1, 20, 'act_rob is no robot, expected a name in quotes, as act_rob="'),
    (
        'move ptp s act_rob="a"; move ptp s act_rob="b";',
        1,
        44,
        'act_rob is "b", but "a" in line ',
    ),
    ("move ptp ;", 1, 10, 'move ptp has no target, found ";"'),
    ("move ;", 1, 6, "move has no kind, expected ptp, lin or circle"),
    ("move ptp s", 1, 11, '";" is missing after "s", found "endseq"'),
    ("x = 1", 1, 6, '";" is missing after "1", found "endseq"'),
    ("x = ;", 1, 5, 'expected a value, found ";"'),
    ("x = 1 + ;", 1, 9, 'expected a value, found ";"'),
    ("x = (1 + 2;", 1, 11, 'expected ")", found ";"'),
    ("x = 1 + 2);", 1, 10, 'expected ";", found ")"'),
    ("x = 1 / 0;", 1, 7, '"/" by zero'),
    ("x = n div 0;", 1, 7, '"div" by zero'),
    ("x = sqrt(-1);", 1, 5, "sqrt of -1, expected 0 or more"),
    ("x = sqrt(1, 2);", 1, 5, "sqrt of (int, int), expected sqrt(number)"),
    ("x = sqr(2);", 1, 5, '"sqr" is no function; did you mean "sqrt"?'),
    ("x = 1e999;", 1, 5, "1e999 is too large for a number"),
    (
        "n = 10000000000000000000000000000000;",
        1,
        5,
        "10000000000000000000000000000000 is too large for a number",
    ),
    ("n = 9007199254740992 * 2;", 1, 22, "the result is too large for a whole number, expected at most"),
    ("x = 1e300 * 1e300;", 1, 11, "the result is too large for a number"),
    ("n = 1.5;", 1, 5, 'the value of "n" is a real, expected an int'),
    ("x = true;", 1, 5, 'the value of "x" is a bool, expected a number'),
    ("b = 1;", 1, 5, 'the value of "b" is an int, expected a bool'),
    ("b = not 3;", 1, 5, '"not" before an int, expected a bool'),
    ("x = y;", 1, 5, '"y" is not declared; declare it between var and endvar'),
    ("k = 4;", 1, 1, '"k" is a constant and cannot be assigned'),
    ("x = 12abc;", 1, 5, '"12abc" is no number, and a name begins with a letter'),
    ("x = 1.2.3;", 1, 5, '"1.2.3" is no number, and a name begins with a letter'),
    ("x = 'a';", 1, 5, "strings are written with \", not with '"),
    ("x = a[1];", 1, 6, '"[" is not supported; there are no arrays, use names of thei'),
    ("x = 2^3;", 1, 6, '"^" is not supported; write the product, or sqrt'),
    ("x = s.x;", 1, 6, 'parts of a value, as of "s", are not supported; use names of'),
    ("x = pi();", 1, 5, '"pi" is no function; expected position, orientation, robtarg'),
    ("x = position;", 1, 5, '"position" stands without its values, expected position(x, y'),
    ("x = s * s;", 1, 7, '"*" between a robtarg and a robtarg has no meaning'),
    ("x = n mod 1.5;", 1, 7, '"mod" between an int and a real, expected two whole numbers'),
    ("if x then x = 1; endif", 1, 4, "the condition is a real, expected a bool"),
    ("if x > 1 x = 2; endif", 1, 10, 'then is missing before "x"'),
    ("if x > 1 then x = 2;", 2, 1, "endif is missing for the if of line "),
    ("if x > 1 then x = 2; endfor", 1, 22, '"endfor" belongs to no for; what is open here is the "if" of'),
    ("else x = 1;", 1, 1, '"else" belongs to no if; what is open here is the "seq" of l'),
    ("endif", 1, 1, '"endif" belongs to no if; what is open here is the "seq" of '),
    ("for i = 1 to 3 x = i; endfor", 1, 16, 'do is missing before "x"'),
    (
        "for i = 1 to 3 step 0 do x = i; endfor",
        1,
        21,
        "step is 0, expected a number above 0; downto counts down",
    ),
    (
        "for i = 3 to 1 step -1 do x = i; endfor",
        1,
        21,
        "step is -1, expected a number above 0; downto counts down",
    ),
    ("for i = 1 to 3 do i = 2; endfor", 1, 19, '"i" is the counter of its loop and cannot be assigned'),
    (
        "for i = 1 to 1e9 do x = i; endfor",
        1,
        1,
        "this loop turns 1e+09 times, expected at most 100,000 steps ",
    ),
    (
        "for i = 1 to 1000 do for l = 1 to 1000 do x = x + 1; endfor endfor",
        1,
        22,
        "more than 1,000,000 statements are run, expected at most 100",
    ),
    ("for = 1 to 3 do endfor", 1, 5, 'expected a name, found "="'),
    ("wait;", 1, 5, 'expected a value, found ";"'),
    ("wait -1;", 1, 6, "wait is -1, expected seconds from 0 to 3600"),
    ("wait 1e9;", 1, 6, "wait is 1000000000, expected seconds from 0 to 3600"),
    ("wait true;", 1, 6, "wait is a bool, expected a number"),
    ("tool (1, 2);", 1, 6, "the position of the tool is 2 values in parentheses, expecte"),
    ("tool (1,2,3), (1,2,3), (1,2,3);", 1, 1, "tool has 3 values, expected tool (x, y, z), (A, B, C)"),
    ("grasp;", 1, 6, 'expected a value, found ";"'),
    ("grasp 0;", 1, 7, "mass is 0, expected kg above 0; release empties the hands"),
    ("grasp 1, (0,0,0), (1, 1, 5);", 1, 1, "inertia is not physical, Ixx + Iyy < Izz (2 < 5); mend it"),
    ("grasp 1, (0,0,0), (1, 1);", 1, 19, "the inertia is 2 values in parentheses, expected 3 or 6 numb"),
    ("grasp 1; grasp 2;", 1, 10, "something is held since line "),
    ("release 3;", 1, 9, 'expected ";", found "3"'),
    ("real:z=3;", 1, 1, "declarations stand between var and endvar, before seq"),
    ("{ comment", 1, 1, 'this "{" is never closed; a comment is written { so }: close'),
    ("}", 1, 1, 'this "}" closes nothing; a comment is written { so }, withou'),
    ('x = "abc;', 1, 5, 'this string is not closed in its line, expected a second "'),
    ("x = 3 $ 4;", 1, 7, '"$" is no word of the language'),
    ("x = 3 xor 4;", 1, 7, '"xor" is not supported; use and, or, not'),
    ("move ptp joint(mainjoint(1,2,3,4,5,6,7));", 1, 10, '7 joint values, robot "ur5" has 6 joints'),
    ("move ptp joint(1,2,3);", 1, 10, "joint of (int, int, int), expected joint(mainjoint(value, .."),
    ("move ptp robtarg(1,2,3);", 1, 10, "robtarg of (int, int, int), expected robtarg(((x, y, z), (A,"),
    ("move ptp robtarg((1,2,3), 4);", 1, 10, "robtarg of ((int, int, int), int), expected robtarg(((x, y, "),
    ("move lin s acc=3;", 1, 1, "the first path move has no speed, expected speed=.. in mm/s"),
    ("tool = 3;", 1, 6, 'expected a value, found "="'),
    ("x := ;", 1, 6, 'expected a value, found ";"'),
    ("end;", 1, 1, '"end" is not supported; use endif, endfor, endseq or endprog'),
    ("begin", 1, 1, '"begin" is not supported; statements stand between seq and e'),
    ("foo(3);", 1, 1, '"foo" is no statement; did you mean "for"? expected move, if'),
    ("x;", 1, 1, '"x" is no statement; expected move, if, for, wait, tool, gra'),
    ("3;", 1, 1, 'expected a statement or endseq, found "3"'),
    ("move lin s c_speed c_cp=-1;", 1, 25, "c_cp is -1, expected mm, 0 or more"),
    ("var real:q=3; endvar", 1, 1, "var .. endvar stands once, between program and seq"),
]

PROGRAMS = [
    ("", 1, 1, "expected program, found the end of the program"),
    ("program", 1, 8, "expected a name, found the end of the program"),
    ("program p", 1, 10, 'the program ends here, ";", seq, endseq and endprogram are m'),
    ("program ;", 1, 9, 'expected a name, found ";"'),
    ("progam p; seq endseq endprogram", 1, 1, '"progam" begins no program; did you mean "program"? expected'),
    ("program p; endprogram", 1, 12, 'seq and endseq are missing before "endprogram"'),
    ("seq endseq endprogram", 1, 1, 'expected program, found "seq"'),
    ("program p; seq endseq", 1, 22, "the program ends here, endprogram is missing for the program"),
    ("program p; seq endseq endprogram x", 1, 34, 'nothing stands after endprogram, found "x"'),
    ("program p;\nmove ptp s;\nendprogram", 2, 1, 'seq is missing before "move"'),
    (
        "program p; var real:x=1; seq endseq endprogram",
        1,
        26,
        'endvar is missing for the var of line 1 before "seq"',
    ),
    (
        "program p; var reel:x=1; endvar seq endseq endprogram",
        1,
        16,
        '"reel" is no type; did you mean "real"? expected type:name=v',
    ),
    (
        "program p; var x:real; endvar seq endseq endprogram",
        1,
        16,
        '"x" is no type; expected type:name=value with real, int, boo',
    ),
    ("program p; var real x=1; endvar seq endseq endprogram", 1, 21, 'expected ":", found "x"'),
    (
        "program p; var real:x=1 endvar seq endseq endprogram",
        1,
        24,
        '";" is missing after "1", found "endvar"',
    ),
    (
        "program p; var real:x; real:X; endvar seq endseq endprogram",
        1,
        29,
        '"X" is declared twice, expected once',
    ),
    (
        "program p; var real:tool=1; endvar seq endseq endprogram",
        1,
        21,
        '"tool" is a word of the language, expected a name of your ow',
    ),
    (
        "program p; var real:sin=1; endvar seq endseq endprogram",
        1,
        21,
        '"sin" has a meaning already, expected a name of your own',
    ),
    (
        "program p; var const real:x; endvar seq endseq endprogram",
        1,
        27,
        'the constant "x" has no value, expected one',
    ),
    (
        "program p; var real:x; endvar seq x = x; endseq endprogram",
        1,
        39,
        '"x" has no value yet, expected one in var or before this',
    ),
    (
        "program p; var array:x; endvar seq endseq endprogram",
        1,
        16,
        '"array" is not supported; use names of their own',
    ),
    (
        "program p; var robtarg:s=robtarg(1); endvar seq endseq endprogram",
        1,
        26,
        "robtarg of (int), expected robtarg(((x, y, z), (A, B, C)), s",
    ),
    (
        "program p; var real:x=1; move lin x; endvar seq endseq endprogram",
        1,
        26,
        'expected a declaration as real:x=1; or endvar, found "move"',
    ),
    (
        "program move; seq endseq endprogram",
        1,
        9,
        '"move" is a word of the language, expected a name of your ow',
    ),
    ("program p; real:x=1; seq endseq endprogram", 1, 12, 'var is missing before "real"'),
    (
        "program p; var real:x=1; real:y=+; int:z=1.5; endvar seq x = y; q = 1; endseq endprogram",
        1,
        34,
        'expected a value, found ";"',
    ),
]


def first_of(text: str) -> ProgramError:
    with pytest.raises(ProgramError) as caught:
        run_program(parse_program(text), UR5)
    return caught.value


@pytest.mark.parametrize(("text", "line", "column", "part"), STATEMENTS)
def test_a_wrong_statement_is_told_with_its_place(text, line, column, part):
    error = first_of(BEFORE + text + AFTER)
    assert (error.line - 5, error.column) == (line, column)
    assert error.message.startswith(part)


@pytest.mark.parametrize(("text", "line", "column", "part"), PROGRAMS)
def test_a_wrong_program_is_told_with_its_place(text, line, column, part):
    error = first_of(text)
    assert (error.line, error.column) == (line, column)
    assert error.message.startswith(part)


@pytest.mark.parametrize("text", [row[0] for row in (*STATEMENTS, *PROGRAMS)])
def test_messages_are_one_sentence_in_the_words_of_the_language(text):
    whole = text if any(text == row[0] for row in PROGRAMS) else BEFORE + text + AFTER
    for error in problems(whole, UR5):
        assert "\n" not in error.message
        assert not re.search(r"\b[A-Z]{5,}\b(?<!TARGET)", error.message.replace("TARGET", "")), error.message
        assert len(error.message) < 250


def test_what_is_inside_one_another_is_bounded():
    parentheses = "(" * 40 + "1" + ")" * 40
    assert "more than 32 parentheses" in first_of(f"{BEFORE}x = {parentheses};{AFTER}").message
    assert "more than 32 blocks" in first_of(BEFORE + "if b then " * 40 + AFTER).message


def test_long_chains_are_no_deep_trees():
    chain = "+1" * 20_000
    program = run_program(parse_program(f"{BEFORE}x = 1{chain}; wait x - 20000;{AFTER}"), UR5)
    assert program.steps == (Wait(6, 1.0),)
    signs = "-" * 20_000
    parse_program(f"{BEFORE}x = {signs}1;{AFTER}")
    nots = "not " * 5_000
    parse_program(f"{BEFORE}b = {nots}b;{AFTER}")


def test_many_steps_are_refused_where_the_loop_is():
    error = first_of(BEFORE + "for i = 1 to 400000 do\n release;\nendfor" + AFTER)
    assert (error.line, error.column) == (6, 1)
    assert "more than 100,000 steps" in error.message


def test_many_words_are_refused_before_they_are_understood(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("armdyn.program.lexer.MOST_WORDS", 4_000)  # a hundredth, so that it is soon done
    error = first_of(BEFORE + "x = 1;\n" * 1_000 + AFTER)
    assert error.message.startswith("more than 4,000 words")


def test_every_statement_has_its_error():
    text = """\
program several;
var
  real:x = 1 +;
  int:y = 2.5;
endvar
seq
  mvoe ptp s;
  move lin (1, 2, 3) spede=3;
  if x > then
    wait -1;
  endif
  while x > 1 do
    x = z;
  endwhile
  x = 1
  wait 1;
endseq
"""
    found = [(error.line, error.column) for error in problems(text)]
    assert found == [(3, 15), (4, 11), (7, 3), (8, 22), (9, 10), (10, 10), (12, 3), (13, 9), (15, 8), (17, 7)]


def test_there_are_at_most_a_hundred_problems():
    assert len(problems(BEFORE + "x = ;\n" * 500 + AFTER)) == 100
    assert len(problems("@\n" * 500)) == 100


def test_the_file_stands_before_the_place():
    with pytest.raises(ProgramError, match=r"^cell\.lirl, line 1, column 1: "):
        parse_program("seq", "cell.lirl")


def test_the_printed_listing_of_lola15():
    """[Kvrgic2020] Fig. 8: an unmatched brace in line 26, and no end."""
    text = example_program("lola15_as_printed").read_text(encoding="utf-8")
    brace, end = problems(text)
    assert (brace.line, brace.column) == (26, 1)
    assert 'this "{" is never closed' in brace.message
    assert (end.line, end.column) == (36, 90)
    assert "endseq and endprogram are missing for the seq of line 22" in end.message


def test_lines_that_end_with_a_carriage_return_alone_count() -> None:
    (problem,) = problems("program p;\rseq\r  { a\r b }\r\n  wat 1;\rendseq\rendprogram")
    assert (problem.line, problem.column) == (5, 3)
