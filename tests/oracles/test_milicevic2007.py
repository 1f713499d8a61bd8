"""The page about [Milicevic2007]: every equation is judged, and a verdict that does not hold is refused.

`test_generated_pages` computes the page anew; it is not written unless every check on it holds.
"""

import re
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def page():
    """As the documentation has it."""
    return (DOCS / "papers" / "milicevic2007.md").read_text(encoding="utf-8")


@pytest.fixture
def generators(monkeypatch):
    """What imports a module that makes the page."""
    monkeypatch.syspath_prepend(str(DOCS / "generators"))
    return import_module


def test_every_numbered_equation_and_table_is_judged(page):
    judged = " ".join(line.split("|")[1] for line in page.splitlines() if line.startswith("| "))
    for equation in (*(f"(2.{k})" for k in range(1, 16)), *(f"(4.{k})" for k in range(1, 6))):
        assert equation in judged
    for table in ("Table 1", "Table 2", "Table 3"):
        assert table in judged


def test_what_is_wrong_is_called_so(page):
    wrong = [line.split("|")[1].strip() for line in page.splitlines() if "**wrong sign**" in line]
    assert wrong == ["(2.4)", "after Tables 1, 2"]


def test_rows_have_four_cells(page):
    rows = [line for line in page.splitlines() if line.startswith("|")]
    assert {len(re.findall(r"\|", row)) for row in rows} == {5}


def test_a_wrong_result_gives_no_page(generators):
    """A verdict stands on its check: with a wrong H of armdyn's no claim about it can be written."""
    cases = generators("milicevic2007_cases").cases()[:6]
    claims = generators("milicevic2007_lagrange")
    claims.lagrange_claims(cases)
    claims.coefficient_claims(cases)
    for case in cases:
        vars(case)["mass"] = case.mass + 1e-6 * np.eye(case.arm.n)
    for judged in (claims.lagrange_claims, claims.coefficient_claims):
        with pytest.raises(AssertionError, match=r"differs by|expected all to hold"):
            judged(cases)


def test_printed_equations_agree_with_one_another(generators):
    """Three sections of the document, one arm: D qdd + h + c of each, with the errata mended."""
    printed, rng = generators("milicevic2007_print"), np.random.default_rng(4)
    arm = printed.Arm.random(["revolute"] * 4, rng)
    q, qd, qdd = rng.uniform(-2, 2, (3, 4))
    tau = printed.table_1(arm, q, qd, qdd, -arm.gravity).tau
    lagrange = printed.D(arm, q) @ qdd + printed.h(arm, q) @ qd @ qd + printed.c(arm, q)
    D = printed.D_rot(arm, q) + printed.D_tran(arm, q)
    bias = printed.h_tran(arm, q, qd) + printed.h_rot(arm, q, qd) + printed.c_dalembert(arm, q)
    for other in (printed.table_2(arm, q, qd, qdd, -arm.gravity), lagrange, D @ qdd + bias):
        assert other == pytest.approx(tau, rel=1e-10, abs=1e-10)
