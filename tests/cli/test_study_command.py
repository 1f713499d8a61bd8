"""`armdyn study`: documents, tables, files, planets; and bad input."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import armdyn as ad
from command_line import Armdyn, assert_refused, process

MOTION = str(Path(__file__).parents[2] / "examples/motions/lola15_swing.csv")
KEYS = {
    *("joint", "quantity", "load", "minimum", "maximum"),
    *("q_minimum", "q_maximum", "ratio", "certified"),
}
QUICK = ("--effort", "5000")
MOTORS = """
[[motors]]
name = "small"
rated_torque = 0.5
peak_torque = 1.5
maximum_speed = 470
rotor_inertia = 3e-5

[[motors]]
name = "large"
rated_torque = 20
peak_torque = 60
maximum_speed = 470
rotor_inertia = 1.2e-3
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, but for a list of motors."""
    monkeypatch.chdir(tmp_path)
    Path("motors.toml").write_text(MOTORS, encoding="utf-8")
    return tmp_path


def plain(document: Any) -> Any:
    """As JSON has it: what is not finite is null, tuples are lists."""
    if isinstance(document, dict):
        return {key: plain(value) for key, value in document.items()}
    if isinstance(document, list | tuple):
        return [plain(value) for value in document]
    if isinstance(document, float):
        return document + 0.0 if np.isfinite(document) else None
    return document


# Documents ------------------------------------------------------------------------------------


def test_the_document_says_what_the_library_says(armdyn: Armdyn) -> None:
    document = armdyn("study", "planar2", "inertia", "--json", "--range", "2=0:1.5", *QUICK).document
    found = ad.study(ad.load("planar2"), "inertia", ranges={2: (0.0, 1.5)}, effort=5000)
    assert document == plain({**found.document(), "files": []})
    assert set(document["rows"][0]) >= KEYS
    assert document["settings"]["ranges"]["joint2"] == [0.0, 1.5]


@pytest.mark.parametrize(
    ("kind", "options", "library"),
    [
        ("gravity", "--joints 2,joint1", {"joints": [2, "joint1"]}),
        ("servo", "--natural-frequency 10,20 --damping 0.7", {"natural_frequency": [10, 20], "damping": 0.7}),
        ("servo", "--gains 100;20,30 --over 2", {"gains": (100, [20, 30]), "over": 2}),
        ("servo", "--natural-frequency 10 --others free --nominal home", {}),
        ("coupling", "--speed 1,-2 --acceleration 3 --share 0.2", {}),
        ("coupling", "--over 2 --at 1=0;0.5", {"over": 2, "at": {1: [0.0, 0.5]}}),
        ("coupling", "--acceleration 2=3", {"acceleration": [1.0, 3.0]}),
        ("servo", "--natural-frequency 2=10 --joints 2", {"natural_frequency": 10.0, "joints": [2]}),
        ("reactions", "--speed 2=1 --acceleration 1,2", {"velocity": {2: 1.0}, "acceleration": [1.0, 2.0]}),
    ],
)
def test_options_reach_the_studies(armdyn: Armdyn, kind: str, options: str, library: dict[str, Any]) -> None:
    document = armdyn("study", "planar2", kind, "--json", *options.split(), *QUICK).document
    assert document["kind"] == kind
    assert all(set(row) >= KEYS for row in document["rows"])
    if library:
        found = ad.study(ad.load("planar2"), kind, effort=5000, **library)
        assert document["rows"] == plain(found.document()["rows"])


def test_degrees_are_of_angles(armdyn: Armdyn) -> None:
    angles = ("--range", "2=0:90,3=0.5:1", "--degrees", "--joints", "2", *QUICK)
    document = armdyn("study", "jpl_rrp", "gravity", "--json", *angles).document
    ranges = document["settings"]["ranges"]
    assert ranges["joint2"] == pytest.approx([0.0, np.pi / 2])
    assert ranges["joint3"] == [0.5, 1.0]


@pytest.mark.parametrize(("planet", "g"), [("moon", 1.62), ("Mars", 3.72), ("earth", 9.81)])
def test_planets_have_their_gravity(armdyn: Armdyn, planet: str, g: float) -> None:
    document = armdyn("study", "planar2", "gravity", "--json", "--gravity", planet, *QUICK).document
    earth = armdyn("study", "planar2", "gravity", "--json", *QUICK).document
    assert document["settings"]["gravity"] == pytest.approx([0.0, -g, 0.0])
    for there, here in zip(document["rows"], earth["rows"], strict=True):
        assert there["maximum"] == pytest.approx(here["maximum"] * g / 9.81, rel=1e-6)


def test_planets_are_for_all_commands(armdyn: Armdyn) -> None:
    moon, earth = (
        armdyn("dynamics", "planar2", "--json", "--gravity", name).document["gravity"]
        for name in ("moon", "earth")
    )
    np.testing.assert_allclose(np.array(moon) * 9.81, np.array(earth) * 1.62, rtol=1e-12)


def test_payload_and_locked_joints(armdyn: Armdyn) -> None:
    changed = ("--payload", "5,0,0,0", "--lock", "2=0", *QUICK)
    rows = armdyn("study", "planar2", "inertia", "--json", *changed).document["rows"]
    assert {(row["joint"], row["load"]) for row in rows} == {(1, "none"), (1, "payload")}
    assert all(len(row["q_maximum"]) == 1 for row in rows)


def test_sizing_with_candidates(armdyn: Armdyn, folder: Path) -> None:
    asked = ("--motion", MOTION, "--candidates", "motors.toml", "--gears", "100", "--friction", "off")
    document = armdyn("study", "lola15", "sizing", "--json", *asked).document
    peak = document["rows"][0]
    assert (document["settings"]["friction"], document["settings"]["gears"]) == ("off", [100.0])
    assert [fit["name"] for fit in peak["candidates"]] == ["small", "large"]
    assert peak["smallest"] == {"name": "large", "gear": 100.0}
    assert document["rows"][1]["q_maximum"] == []


# For people -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        "jpl_rrp inertia --payload 1.8,0,0,0",
        "jpl_rrp gravity --payload 1.8,0,0,0 --postures",
        "lola15 gravity --joints 1,2,3 --payload 10,0,0,0",
        "planar2 coupling --payload 1,0,0,0 --speed 1",
        "planar2 servo --natural-frequency 10 --payload 1,0,0,0",
        "planar2 reactions --speed 1",
        f"lola15 sizing --motion {MOTION} --candidates motors.toml",
    ],
)
def test_people_get_tables_that_fit(armdyn: Armdyn, folder: Path, words: str) -> None:
    quick = () if "sizing" in words else QUICK
    said = armdyn("study", *words.split(), *quick)
    assert (said.code, said.err) == (0, "")
    robot, kind = words.split()[:2]
    assert said.out.startswith(f"{robot}, {kind}: motors ")
    tables = [line for line in said.out.splitlines() if not line.startswith(("note: ", "file: "))]
    assert max(len(line.rstrip()) for line in tables) <= 100


def test_bounds_stand_where_nothing_is_certified(armdyn: Armdyn) -> None:
    out = armdyn("study", "puma560", "inertia", "--joints", "1", "--effort", "1").out
    assert "not above" in out
    out = armdyn("study", "planar2", "inertia").out
    assert "not above" not in out
    assert "extremes are certified" in out


def test_postures_are_printed_when_asked_for(armdyn: Armdyn) -> None:
    assert "where [rad, m]" in armdyn("study", "planar2", "inertia", "--postures").out
    assert "where [rad, m]" not in armdyn("study", "planar2", "inertia").out


def test_few_candidates_are_all_printed_and_many_not(armdyn: Armdyn, folder: Path) -> None:
    sizing = ("study", "lola15", "sizing", "--motion", MOTION, "--candidates", "motors.toml")
    few = armdyn(*sizing).out
    assert "candidates: shares of their limits" in few
    assert "smallest for motor1, no load: large, gear 120" in few


def test_the_verdict_on_a_candidate_is_explained(armdyn: Armdyn, folder: Path) -> None:
    sizing = ("study", "lola15", "sizing", "--motion", MOTION, "--candidates", "motors.toml")
    assert "rated speed" not in armdyn(*sizing).out
    slow, unknown = "rated_torque = 20\nrated_speed = 9\nmaximum_speed = 900", "maximum_speed = 9e3"
    tables = (
        f'[[motors]]\nname = "{k}"\nrotor_inertia = 0\n{text}\n' for k, text in enumerate((slow, unknown))
    )
    Path("motors.toml").write_text("".join(tables), encoding="utf-8")
    said = armdyn(*sizing).out
    assert "rated speed" in said
    assert "unknown" in said
    assert "smallest for motor1, no load: none suffices" in said
    assert "note: no torque limit is known of 1: never said to suffice" in said


def test_a_gear_that_changes_has_no_number(armdyn: Armdyn, folder: Path) -> None:
    motion = MOTION.replace("lola15", "irb6")
    asked = ("--motion", motion, "--candidates", "motors.toml", "--report", "a.html")
    said = armdyn("study", "irb6", "sizing", *asked)
    assert (said.code, said.err) == (0, "")
    assert "smallest for motor2, no load: small\n" in said.out
    assert "the smallest that suffices is small<" in Path("a.html").read_text(encoding="utf-8")


def test_files_are_written_and_named(armdyn: Armdyn, folder: Path) -> None:
    files = ("--plot", "a.SVG", "--report", "a.html")
    document = armdyn("study", "planar2", "inertia", "--json", *files).document
    assert document["files"] == ["a.SVG", "a.html"]
    assert Path("a.html").read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    said = armdyn("study", "planar2", "inertia", *files)
    assert said.out.endswith("file: a.SVG\nfile: a.html\n")


def test_nothing_but_the_document_is_printed() -> None:
    said = process("study", "planar2", "inertia", "--json")
    assert said.document["kind"] == "inertia"


def test_help_knows_the_kinds() -> None:
    said = process("study", "--help")
    assert said.code == 0
    for kind in ("inertia", "gravity", "coupling", "servo", "reactions", "sizing"):
        assert kind in said.out


# Bad input ------------------------------------------------------------------------------------


def test_manipulability_gives_rows_maps_and_best_postures(armdyn: Armdyn, folder: Path) -> None:
    words = ("study", "planar2", "manipulability", "--limits", "3000,1500", "--cells", "6", *QUICK)
    document = armdyn(*words, "--json").document
    assert {row["quantity"] for row in document["rows"]} >= {"manipulability", "best_acceleration"}
    assert all(row["joint"] is None and {*row} >= KEYS for row in document["rows"])
    assert [one["measure"] for one in document["maps"]] == ["manipulability", "acceleration"]
    assert len(document["maps"][0]["values"]) == 6
    said = armdyn(*words, "--plot", "map.png")
    assert "best places and postures" in said.out
    assert Path("map.png").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("speed", "expected one of inertia, gravity, coupling, servo, reactions, sizing, manipulability"),
        ("inertia --slice y=0", "study inertia takes no --slice; it is for manipulability"),
        ("manipulability --slice y", '--slice: "y" says no place, expected axis=metres, as y=0'),
        ("manipulability --slice y=0 --slice z=1", "--slice is given 2 times (y=0, z=1), expected one slice"),
        ("manipulability --slice w=0", 'the slice has no axis "w"'),
        ("manipulability --slice x=9", "the slice x = 9 m is outside the workspace as far as was found"),
        ("manipulability --measure speed", 'no measure "speed"'),
        ("manipulability --measure acceleration", "give limits (command line: --limits)"),
        ("manipulability --limits 1,2,3", "--limits has 3 values, expected 1 or 2"),
        ("manipulability --cells 1", "cells is 1"),
        ("inertai", 'did you mean "inertia"?'),
        ("inertia --speed 1", "study inertia takes no --speed; it is for coupling, reactions"),
        ("inertia --natural-frequency 1", "takes no --natural-frequency; it is for servo"),
        ("sizing", "study sizing needs --motion, which is not given"),
        ("sizing --motion none.csv", "none.csv: no such file"),
        ("sizing --motion none.csv --effort 3", "study sizing takes no --effort"),
        ("inertia --joints 9", "--joints: no joint 9"),
        ("inertia --joints elbow", "--joints: no joint 'elbow'"),
        ("inertia --range 3=0:1", "--range: no joint 3"),
        ("inertia --range 1", '"1" says no value, expected joint=low:high'),
        ("inertia --range 1=1", '"1=1" is no range, expected joint=low:high'),
        ("inertia --range 1=2:1", "lower end 2 is above the upper 1"),
        ("inertia --range 1=a:1", '"a" is not a number'),
        ("coupling --speed 1e200", "expected a finite number, 1e+12 at most"),
        ("gravity --range 1=-1e300:1e300", "give nearer ends"),
        ("inertia --range 1=0:nan", "nan is not a finite number"),
        ("inertia --range 1=0:1,joint1=0:1", "joint joint1 is given twice"),
        ("inertia --plot a.gif", 'ends in ".gif"'),
        ("inertia --plot none/a.png", 'there is no folder "none"'),
        ("inertia --report a.pdf", "expected .html"),
        ("inertia --gravity venus", '"venus" is unknown, expected x,y,z in m/s2 or one of earth, moon, mars'),
        ("inertia --gravity 1,2", "--gravity has 2 values, expected 3"),
        ("inertia --effort 0", "effort is 0"),
        ("coupling --over 7", "--over: no joint 7"),
        ("coupling --over 2 --at 1=0;x", '"x" is not a number'),
        ("coupling --over 2 --at 2=0", "joint 2 is in both over and at"),
        ("coupling --at 1=0", "without over"),
        ("coupling --speed 1,2,3", "--speed has 3 values, expected 1 or 2"),
        ("servo", "neither of natural_frequency and gains"),
        ("servo --natural-frequency 1=3", "natural_frequency of joint 2 is not given"),
        ("servo --gains 3", 'has no ";"'),
        ("servo --gains 3;0", "velocity gain of joint 1 is 0"),
        ("servo --natural-frequency 1 --gains 1;1", "both of natural_frequency and gains"),
        ("servo --natural-frequency 1 --others loose", 'others "loose"'),
        ("reactions --acceleration nan", "nan is not a finite number"),
    ],
)
def test_bad_input_gives_one_sentence(armdyn: Armdyn, folder: Path, words: str, sentence: str) -> None:
    assert_refused(armdyn("study", "planar2", *words.split()), sentence)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--gears 10", "there are none; add candidates"),
        ("--candidates motors.csv", "expected .toml"),
        ("--candidates none.toml", "none.toml: no such file"),
        ("--candidates bad.toml", "bad.toml, line 2: motors[1].rotor_inerta: unknown field; did you mean"),
        ("--candidates motors.toml --gears 0", "0 is no ratio"),
    ],
)
def test_bad_candidates_give_one_sentence(armdyn: Armdyn, folder: Path, words: str, sentence: str) -> None:
    Path("bad.toml").write_text('[[motors]]\nrotor_inerta = 3\nname = "a"\n', encoding="utf-8")
    assert_refused(armdyn("study", "lola15", "sizing", "--motion", MOTION, *words.split()), sentence)
