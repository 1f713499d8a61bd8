"""The editor of the page knows the words of the language."""

import re
from pathlib import Path

import pytest

from armdyn.program.words import ALL_OPTIONS, FUNCTIONS, ORIENTATIONS

EDITOR = Path(__file__).parents[2] / "web" / "src" / "program" / "language.ts"


@pytest.mark.parametrize(
    ("kind", "words"), [("OPTIONS", (*ALL_OPTIONS, *ORIENTATIONS)), ("FUNCTIONS", FUNCTIONS)]
)
def test_words_of_a_kind(kind: str, words: tuple[str, ...]) -> None:
    (known,) = re.findall(rf'^const {kind} = words\("(.*)"\);$', EDITOR.read_text("utf-8"), re.MULTILINE)
    assert set(known.split()) == set(words)
