"""Whatever the text: a program, or an error with its place; no other exception, no hang."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

import armdyn as ad
from armdyn.errors import ProgramError
from armdyn.program import example_program, parse_program, problems, run_program
from armdyn.program.words import ALL_OPTIONS, BUILT_IN, MOVES, RESERVED, UNSUPPORTED

LOLA15 = ad.load("lola15")
TEXTS = [
    example_program(name).read_text(encoding="utf-8")
    for name in ("lola15", "lola15_as_printed", "ur5_palletising", "panda")
]
WORDS = [
    *RESERVED,
    *MOVES,
    *ALL_OPTIONS,
    *BUILT_IN,
    *list(UNSUPPORTED)[::5],
    *';,:=<+-*/().{}"\n10xs',
    *(":=", "<>", "2.5", "1e999", "99999999999999999999", "o_var"),
    '"lola 15"',
    "program p;",
    "var real:x=1; robtarg:s=position(1,2,3); endvar",
    "for i = 1 to 3 do",
    "if x > 0 then",
]


def check(text: str) -> None:
    """All problems have places inside the text, and agree with what parsing raises."""
    found = problems(text)
    lines = re.split(r"\r\n|\r|\n", text)
    for problem in found:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1
    raised = first_error(text)
    assert raised is not None or not found
    if found:
        assert str(raised) == str(found[0])


def first_error(text: str) -> ProgramError | None:
    try:
        run_program(parse_program(text), LOLA15)
    except ProgramError as error:
        return error
    return None


@given(st.text(max_size=200))
def test_any_text(text):
    check(text)


@given(st.lists(st.sampled_from(WORDS), max_size=60), st.booleans())
@settings(max_examples=300, deadline=None)
def test_any_words(words, framed):
    text = " ".join(words)
    check(f"program p; var real:x=1; endvar seq {text} endseq endprogram" if framed else text)


@given(st.data())
@settings(max_examples=200, deadline=None)
def test_programs_with_changes(data):
    text = data.draw(st.sampled_from(TEXTS))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        gone = data.draw(st.integers(0, 20))
        new = data.draw(st.one_of(st.just(""), st.sampled_from(WORDS), st.text(max_size=3)))
        text = text[:at] + new + text[at + gone :]
    check(text)
