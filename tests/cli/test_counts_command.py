"""`counts`: the contract's keys, the limits, the figure, and one sentence on bad input."""

import pytest

from armdyn.cli import counts as command
from armdyn.formats import load
from armdyn.mechanics.methods import METHODS
from armdyn.studies.counts import QUANTITIES, operation_counts
from command_line import Armdyn, assert_refused

ROW = {
    "quantity",
    "formulation",
    "mode",
    "motors",
    "multiplications",
    "additions",
    "divisions",
    "trigonometric",
}


def test_the_help_knows_every_quantity() -> None:
    assert ", ".join(QUANTITIES) == command.QUANTITIES


def test_counts_have_the_keys_of_the_contract(armdyn: Armdyn) -> None:
    document = armdyn("counts", "scara", "--json").document
    assert set(document) >= {"counts", "published", "growth", "exponent"}
    assert all(set(row) >= ROW for row in document["counts"])
    assert {row["formulation"] for row in document["counts"]} == set(METHODS)
    assert {row["quantity"] for row in document["counts"]} == set(QUANTITIES)
    assert {row["mode"] for row in document["counts"]} == {"as_written", "optimised"}
    assert all(set(row) >= {"formulation", "n", "operations"} for row in document["growth"])
    assert {row["n"] for row in document["growth"]} == set(range(2, 11))
    assert set(document["exponent"]) == set(METHODS)
    assert document["exponent"]["newton_euler"] < 1.3 < 3 < document["exponent"]["lagrange_euler"]


def test_counts_are_those_of_the_library(armdyn: Armdyn) -> None:
    chosen = ("--method", "newton_euler,composite_body", "--quantity", "inverse,forward")
    document = armdyn("counts", "lola15", *chosen, "--json").document
    rows = operation_counts(
        load("lola15"), quantities=["inverse", "forward"], methods=["newton_euler", "composite_body"]
    )
    assert [{key: row[key] for key in ROW} for row in document["counts"]] == [
        {key: getattr(row, key) for key in ROW} for row in rows
    ]
    assert set(document["exponent"]) == {"newton_euler", "composite_body"}


def test_printed_counts_stand_beside(armdyn: Armdyn) -> None:
    document = armdyn("counts", "planar2", "--method", "mrnea", "--json").document
    printed = {(row["source"], row["table"], row["row"]): row for row in document["published"]}
    table_2 = printed["Kvrgic2020", "Table 2", "mRNEA"]
    assert (table_2["formulation"], table_2["multiplications"], table_2["additions"]) == ("mrnea", 1356, 1038)
    assert printed["Milicevic2007", "Table 3", "Newton-Euler"]["multiplications"] == 264
    assert sum(row["multiplications"] for row in document["published"] if row["part"]) == 1736


def test_motors_are_left_out_unless_asked_for(armdyn: Armdyn) -> None:
    fast = ("--method", "newton_euler", "--json")
    assert {row["motors"] for row in armdyn("counts", "lola15", *fast).document["counts"]} == {"none"}
    rows = armdyn("counts", "lola15", *fast, "--motors", "coupled").document["counts"]
    assert {row["motors"] for row in rows} == {"coupled"}


def test_a_held_joint_is_not_counted(armdyn: Armdyn) -> None:
    fast = ("--method", "newton_euler", "--quantity", "inverse", "--json")
    whole = armdyn("counts", "ur5", *fast).document
    held = armdyn("counts", "ur5", *fast, "--lock", "6=0").document
    assert held["n"] == whole["n"] - 1
    assert held["counts"][1]["multiplications"] < whole["counts"][1]["multiplications"]


def test_tables_for_people(armdyn: Armdyn) -> None:
    chosen = ("--method", "newton_euler,lagrange_euler", "--quantity", "inverse")
    said = armdyn("counts", "lola15", *chosen, "--growth")
    assert (said.code, said.err) == (0, "")
    for text in ("lagrange_euler, omission rule", "101348", "Milicevic2007", "n = 10", "exponent"):
        assert text in said.out
    assert "Featherstone" not in said.out


def test_the_figure_is_written_where_asked(armdyn: Armdyn, tmp_path) -> None:
    file = tmp_path / "growth.svg"
    said = armdyn("counts", "planar2", "--method", "newton_euler", "--plot", str(file))
    assert said.code == 0
    assert f"figure: {file}" in said.out
    assert file.read_text(encoding="utf-8").startswith("<?xml")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--quantity", "torque"), 'quantity "torque", expected one of inverse, forward'),
        (("--method", "newton"), 'method "newton", expected one of newton_euler'),
        (("--method", "articulated_body", "--quantity", "bias"), "expected one that gives bias"),
        (("--plot", "growth.gif"), 'figure "growth.gif" ends in ".gif", expected .svg, .png, .pdf'),
        (("--plot", "/nowhere/growth.svg"), 'there is no folder "/nowhere"; make it first'),
        (("--motors", "coupled"), "no drive gives an inertia"),
        (("--motors", "half"), "half"),
    ],
)
def test_bad_input_gives_one_sentence(armdyn: Armdyn, arguments: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn("counts", "ur5", *arguments), sentence)


def test_a_figure_that_cannot_be_written_gives_one_sentence(armdyn: Armdyn, tmp_path) -> None:
    (tmp_path / "taken.svg").mkdir()
    said = armdyn("counts", "planar2", "--method", "newton_euler", "--plot", str(tmp_path / "taken.svg"))
    assert_refused(said, "Is a directory")
