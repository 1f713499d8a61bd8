"""`bench`: the contract's keys, what it says of peers, and one sentence on bad input."""

import pytest

from armdyn.cli import bench as command
from armdyn.studies.speed.quantities import QUANTITIES
from command_line import Armdyn, assert_refused

ROW = {"quantity", "robot", "ours_ns", "peer", "peer_ns", "ratio"}
FAST = ("bench", "--robot", "pendulum", "--quantity", "gravity", "--quick")


@pytest.fixture
def no_peers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("armdyn.studies.speed.peers.peer.find_spec", lambda name: None)


def test_the_help_knows_every_quantity() -> None:
    assert ", ".join(QUANTITIES) == command.QUANTITIES


def test_rows_have_the_keys_of_the_contract(armdyn: Armdyn) -> None:
    document = armdyn(*FAST, "--threads", "1,2", "--json").document
    assert all(set(row) >= ROW for row in document["rows"])
    assert {(row["states"], row["threads"]) for row in document["rows"]} == {(1, 1), (1000, 1), (1000, 2)}
    assert {row["quantity"] for row in document["rows"]} == {"gravity"}
    found = {peer["name"] for peer in document["peers"]}
    assert {row["peer"] for row in document["rows"]} <= {None, *found}


def test_robots_and_quantities_are_lists(armdyn: Armdyn, no_peers: None) -> None:
    chosen = ("--robot", "planar2,chain2", "--robot", "scara", "--quantity", "gravity,bias")
    rows = armdyn("bench", *chosen, "--quick", "--json").document["rows"]
    assert {(row["robot"], row["quantity"]) for row in rows} == {
        (robot, quantity) for robot in ("planar2", "chain2", "scara") for quantity in ("gravity", "bias")
    }


def test_a_missing_peer_is_told_in_one_sentence(armdyn: Armdyn, no_peers: None) -> None:
    said = armdyn(*FAST)
    assert (said.code, said.err) == (0, "")
    assert "peers found: none" in said.out
    assert "pinocchio is not installed and is left out; `pip install pin` adds it" in said.out
    assert "mujoco is not installed" in said.out


def test_tables_for_people(armdyn: Armdyn) -> None:
    said = armdyn("bench", "--robot", "chain2", "--quantity", "inverse", "--quick")
    assert (said.code, said.err) == (0, "")
    for text in (
        "armdyn [ns]",
        "ratio",
        "chain2",
        "pin.rnea",
        "peers found: pinocchio",
        "peak with 1 thread",
    ):
        assert text in said.out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--robot", "lola51"), 'no robot "lola51"; did you mean "lola15"?'),
        (("--robot", "chain0"), "expected a chain of 1 to 99 joints"),
        (("--quantity", "torque"), 'quantity "torque"; expected one of inverse, forward'),
        (("--threads", "two"), '--threads: "two" is not a whole number'),
        (("--threads", "1,0"), "threads 0, expected one or more"),
    ],
)
def test_bad_input_gives_one_sentence(armdyn: Armdyn, arguments: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn("bench", "--quick", *arguments), sentence)
