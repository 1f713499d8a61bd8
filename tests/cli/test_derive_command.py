"""`derive`: the contract's keys, every form, short equations, files, and one sentence on bad input."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.cli import derive as command
from armdyn.equations.quantities import QUANTITIES
from command_line import Armdyn, assert_refused

PAYLOAD = ("--payload", "1.8,0,0,0")


def test_the_help_knows_every_quantity() -> None:
    assert re.split(r", | or ", command.QUANTITIES) == list(QUANTITIES)


def test_equations_have_the_keys_of_the_contract(armdyn: Armdyn) -> None:
    document = armdyn("derive", "planar2", "mass_matrix", "--json").document
    assert [row["index"] for row in document["equations"]] == [[1, 1], [1, 2], [2, 2]]
    for row in document["equations"]:
        assert set(row) >= {"quantity", "index", "expression", "latex", "operations"}
    (H12,) = armdyn("derive", "planar2", "mass_matrix", "--element", "2,1", "--json").document["equations"]
    assert H12["index"] == [1, 2]


def test_base_parameters_in_symbols(armdyn: Armdyn) -> None:
    document = armdyn(
        "derive", "planar2", "base_parameters", "--symbolic", "--element", "3", "--json"
    ).document
    (row,) = document["equations"]
    assert row["expression"] == "kr1**2*motor1.I - a1**2*(link1.m + link2.m) + link1.Izz"
    assert row["latex"].startswith(r"k_{r1}^2 I_{\mathrm{motor1}}")
    assert row["operations"]["total"] == 7
    assert document["values"]["link1.m"] == 55.0  # with the rotor that rides on it


def test_short_equations_say_what_they_miss(armdyn: Armdyn) -> None:
    document = armdyn(
        "derive", "jpl_rrp", "gravity", "--element", "2", "--simplify", "0.05", *PAYLOAD, "--json"
    ).document
    (row,) = document["equations"]
    assert set(row["error"]) >= {"mean", "p95", "maximum", "certified"}
    assert row["error"]["certified"] is True
    assert 0 < row["error"]["relative_mean"] <= 0.05
    assert row["simplified"]["operations"]["total"] < row["operations"]["total"]
    assert [case["load"] for case in row["simplified"]["cases"]] == ["none", "payload"]


@pytest.mark.slow
def test_ranges_and_budgets(armdyn: Armdyn) -> None:
    narrow = ("derive", "jpl_rrp", "mass_matrix", "--element", "1,1", "--simplify", "0.02", "--json")
    wide = armdyn(*narrow).document["equations"][0]["simplified"]["operations"]["total"]
    still = armdyn(*narrow, "--range", "2=-1:1,3=0.2:0.25", "--degrees").document["equations"][0]
    assert still["simplified"]["operations"]["total"] < wide
    budget = ("derive", "jpl_rrp", "mass_matrix", "--element", "1,1", "--operations", "7", "--json")
    assert armdyn(*budget).document["equations"][0]["simplified"]["operations"]["total"] <= 7


@pytest.mark.parametrize(
    ("form", "holds"),
    [
        ("text", "gravity[1] = "),
        ("latex", r"g_{1} &= "),
        ("markdown", "$$"),
        ("python", "def gravity(q):"),
        ("c", "void gravity("),
        ("sympy", "g1 = "),
    ],
)
def test_every_form(armdyn: Armdyn, form: str, holds: str) -> None:
    said = armdyn("derive", "planar2", "gravity", "--as", form)
    assert said.code == 0
    assert holds in said.out
    said = armdyn("derive", "planar2", "gravity", "--as", form, "--simplify", "0.1")
    assert said.code == 0
    short = {"text": "g1 ~ ", "latex": r"g_{1} &\approx", "sympy": "g1 ~ "}
    assert short.get(form, holds) in said.out
    assert ("what they miss" in said.out) == (form == "text"), "code and formulas stand alone"


def test_one_element_as_code_is_a_function_of_its_own(armdyn: Armdyn) -> None:
    for options in ((), ("--simplify", "0")):
        said = armdyn("derive", "planar2", "mass_matrix", "--element", "2,1", "--as", "python", *options)
        space: dict[str, Any] = {}
        exec(said.out, space)
        H = ad.Dynamics(ad.load("planar2")).mass_matrix([0.3, 0.8])
        assert float(space["mass_matrix_1_2"]([0.3, 0.8])) == pytest.approx(H[0, 1], rel=1e-12)


def test_python_in_a_file_runs(armdyn: Armdyn, tmp_path: Path) -> None:
    file = tmp_path / "short.py"
    said = armdyn("derive", "ur5", "gravity", "--simplify", "0", "--as", "python", "--out", str(file))
    assert said.code == 0
    assert str(file) in said.out
    space: dict[str, Any] = {}
    exec(file.read_text(), space)
    q = np.array([0.1, -0.7, 0.4, 0.2, 0.9, -0.3])
    expected = ad.Dynamics(ad.load("ur5")).gravity(q)
    assert space["gravity"](q) == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())


def test_trade_off_with_its_figure(armdyn: Armdyn, tmp_path: Path) -> None:
    file = tmp_path / "curve.svg"
    said = armdyn("derive", "jpl_rrp", "gravity", "--element", "2", "--plot", str(file))
    assert said.code == 0
    assert "operations against error" in said.out
    assert file.read_text().startswith("<?xml")
    document = armdyn("derive", "jpl_rrp", "gravity", "--element", "2", "--trade-off", "--json").document
    totals = [point["simplified"]["operations"]["total"] for point in document["trade_off"][0]]
    errors = [point["error"]["relative_mean"] for point in document["trade_off"][0]]
    assert totals == sorted(totals)
    assert errors == sorted(errors, reverse=True)
    assert document["trade_off"][0][-1]["simplified"]["exact"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("ur5", "masmatrix"), 'did you mean "mass_matrix"'),
        (("ur5", "mass_matrix", "--element", "1,7"), "no element 1,7"),
        (("ur5", "mass_matrix", "--element", "1.5"), "expected whole numbers"),
        (("ur5", "mass_matrix", "--element", "a"), "is not a number"),
        (("ur5", "mass_matrix", "--inertia", "centre"), "add --symbolic"),
        (("ur5", "mass_matrix", "--range", "2=0:1"), "add --simplify"),
        (("ur5", "mass_matrix", "--simplify", "0.1", "--trade-off"), "give one"),
        (("ur5", "mass_matrix", "--measure", "range"), "add --simplify"),
        (("ur5", "gravity", "--trade-off", "--out", "x.txt"), "--out is not for a trade-off"),
        (("ur5", "gravity", "--trade-off", "--as", "c"), "--as is not for a trade-off"),
        (("ur5", "gravity", "--simplify", "0.1", "--range", "2=-1e300:1e300"), "give nearer ends"),
        (("ur5", "mass_matrix", "--simplify", "-1"), "tolerance"),
        (("ur5", "mass_matrix", "--simplify", "0.1", "--symbolic"), "needs numbers"),
        (("ur5", "mass_matrix", "--simplify", "0.1", "--range", "2=1:0"), "range"),
        (("ur5", "mass_matrix", "--simplify", "0.1", "--range", "9=0:1"), "no joint"),
        (("ur5", "torque", "--simplify", "0.1"), "depends on qd1"),
        (("irb6", "mass_matrix", "--simplify", "0.1"), "square roots"),
        (("ur5", "gravity", "--plot", "curve.gif"), "expected .svg"),
        (("ur5", "gravity", "--out", "/no/such/folder/g.c"), "cannot be written"),
    ],
)
def test_bad_input(armdyn: Armdyn, options: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn("derive", *options), sentence)
