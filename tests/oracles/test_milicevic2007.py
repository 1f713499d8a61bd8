"""The page about [Milicevic2007]: it is not written unless every verdict on it holds."""

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

GENERATORS = Path(__file__).parents[2] / "docs" / "generators"


@pytest.fixture(scope="module")
def page():
    """As the documentation has it."""
    before = set(sys.modules)
    sys.path.insert(0, str(GENERATORS))
    yield import_module("milicevic2007").page()
    sys.path.remove(str(GENERATORS))
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(GENERATORS)):
            del sys.modules[name]


def test_every_numbered_equation_and_table_is_judged(page):
    judged = " ".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| "))
    for equation in (
        *(f"(2.{k})" for k in (*range(1, 8), *range(10, 16))),
        *(f"(4.{k})" for k in range(1, 6)),
    ):
        assert equation in judged
    for table in ("Table 1", "Table 2", "Table 3"):
        assert table in judged


def test_what_is_wrong_is_called_so(page):
    wrong = [line.split("|")[1].strip() for line in page.splitlines() if "**wrong sign**" in line]
    assert wrong == ["(2.4)", "after Tables 1, 2"]


def test_rows_have_four_cells(page):
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"\|", row)) for row in rows} == {5}


def test_the_page_is_the_same_every_time(page):
    sys.path.insert(0, str(GENERATORS))
    assert import_module("milicevic2007").page() == page
    sys.path.remove(str(GENERATORS))
