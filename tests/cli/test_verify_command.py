"""`armdyn verify` and `armdyn demo`: what they print, write and refuse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.formats import load, save
from armdyn.formats.motions import read_motion
from armdyn.program import example_program
from armdyn.robot import Limits
from command_line import Armdyn, Said, assert_refused

FORCE = ("--wrench", "100,100,-150,0,0,0")
LOLA = str(example_program("lola15"))
PANDA = str(example_program("panda"))
SWING = str(Path(__file__).parent.parent.parent / "examples/motions/lola15_swing.csv")
SHORT = """program short;
var
endvar
seq
move ptp joint(mainjoint(10, -80, 70)) act_rob="ur5";
move lin robtarg(position(450, 100, 300)) speed=200 acc=500;
endseq
endprogram
"""
BENT = ("--start", "0,-1.5,1.5,-1.5,-1.5,0")

Document = Callable[..., dict[str, Any]]


@pytest.fixture
def document(armdyn: Armdyn) -> Document:
    return lambda *words: armdyn("verify", *words, "--json").document


def test_json_has_what_the_contract_names(document: Document) -> None:
    found = document(LOLA, *FORCE)
    keys = {"feasible", "cycle_time", "moves", "violations", "utilisation", "path_deviation", "reactions"}
    assert found.keys() >= keys
    assert found["feasible"] is False
    assert found["cycle_time"].keys() == {"programmed", "achieved"}
    assert len(found["moves"]) == 12
    assert found["moves"][0].keys() >= {"line", "kind", "programmed", "achieved", "override"}
    violation = {"line", "move", "joint", "time", "quantity", "required", "limit", "margin", "worst_time"}
    assert all(each.keys() == violation for each in found["violations"])
    assert found["utilisation"][0].keys() >= {"motor", "peak", "rms", "speed"}
    assert found["path_deviation"].keys() >= {"maximum", "time", "line"}


def test_people_read_the_verdict(armdyn: Armdyn) -> None:
    said = armdyn("verify", LOLA, *FORCE)
    assert (said.code, said.err) == (0, "")
    assert "Not feasible as programmed: motor 5 needs 4" in said.out
    assert "of its torque limit in line 32" in said.out
    assert "Cycle time 11.496 s programmed" in said.out


def test_strict_answers_by_its_exit_code(armdyn: Armdyn) -> None:
    assert armdyn("verify", LOLA, "--strict").code == 1
    assert armdyn("verify", PANDA, "--strict").code == 0


def test_what_the_arm_does_and_a_report_are_written(document: Document, tmp_path: Path) -> None:
    out, report = tmp_path / "run.parquet", tmp_path / "report.html"
    found = document(LOLA, *FORCE, "--out", str(out), "--report", str(report))
    assert found["files"] == [str(out), str(report)]
    motion = read_motion(out, load("lola15"))
    limits = np.array([drive.motor.peak_torque or 0.0 for drive in load("lola15").drives])
    assert (np.abs(motion.columns["motor_torque"]) <= limits * (1 + 1e-9)).all()
    page = report.read_text(encoding="utf-8")
    assert "Not feasible" in page
    assert "lola15.lirl" in page


def test_joint_samples(document: Document) -> None:
    found = document(SWING, "--robot", "lola15")
    assert found["moves"][0]["kind"] == "samples"
    assert found["cycle_time"]["programmed"] > 0


@pytest.mark.parametrize("follow", ["position", "velocity", "unbraked"])
def test_ways_to_follow(document: Document, follow: str) -> None:
    assert document(LOLA, *FORCE, "--follow", follow)["follow"] == follow


def test_the_printed_step(document: Document) -> None:
    assert document(LOLA, *FORCE, "--printed")["printed"] is True


def test_options_of_planning(document: Document) -> None:
    plain = document(LOLA)
    fine = document(LOLA, "--cycle", "0.002")
    assert fine["cycle_time"]["programmed"] == pytest.approx(plain["cycle_time"]["programmed"])
    soft = document(LOLA, "--turn-acceleration", "2")
    assert not any(violation["quantity"] == "motor_torque" for violation in soft["violations"])
    slow = document(LOLA, "--jerk-time", "0.2")
    assert slow["cycle_time"]["programmed"] > plain["cycle_time"]["programmed"]
    moved = document(LOLA, "--start", "0,0,0,0,60,0", "--degrees")
    assert moved["moves"][0]["programmed"] != plain["moves"][0]["programmed"]


def test_what_changes_the_robot(document: Document, tmp_path: Path) -> None:
    file = tmp_path / "short.lirl"
    file.write_text(SHORT, encoding="utf-8")
    empty = document(str(file), *BENT)
    loaded = document(str(file), *BENT, "--robot", "ur5", "--payload", "5,0,0,0.1")
    assert loaded["utilisation"][1]["peak_torque"] > empty["utilisation"][1]["peak_torque"] + 5
    moon = document(str(file), *BENT, "--gravity", "0,0,-1.62")
    assert moon["utilisation"][1]["peak_torque"] < empty["utilisation"][1]["peak_torque"]


def test_friction_on_and_off(document: Document) -> None:
    slow, fast = document(LOLA, "--friction", "on"), document(LOLA, "--friction", "off")
    assert (slow["friction"], fast["friction"]) == ("on", "off")
    torques = [[use["rms_torque"] for use in found["utilisation"]] for found in (slow, fast)]
    assert torques[0] != pytest.approx(torques[1], rel=0.05)


def test_samples_in_motion_get_a_note(armdyn: Armdyn, tmp_path: Path) -> None:
    file = tmp_path / "moving.csv"
    rows = [f"{k / 100},{k / 50}" for k in range(30)]
    file.write_text("\n".join(["time,q1", *rows]), encoding="utf-8")
    said = armdyn("verify", str(file), "--robot", "pendulum").out
    assert said.count("note: the samples begin in motion, joint 1 at 2 rad/s") == 1
    assert said.count("note: the samples end in motion") == 1


def test_fewer_drives_than_joints(armdyn: Armdyn, tmp_path: Path) -> None:
    robot = load("planar2")
    limits = Limits(velocity=2.0, acceleration=5.0, effort=900.0)
    bodies = tuple(replace(body, joint=replace(body.joint, limits=limits)) for body in robot.bodies)
    save(replace(robot, bodies=bodies, drives=robot.drives[:1]), tmp_path / "few.toml")
    file = tmp_path / "p.lirl"
    file.write_text(
        "program p; var endvar seq move ptp joint(mainjoint(20, 10)); endseq endprogram", encoding="utf-8"
    )
    words = (str(file), "--robot", str(tmp_path / "few.toml"))
    assert_refused(armdyn("verify", *words), 'verify with motors "none"')
    report = tmp_path / "few.html"
    found = armdyn("verify", *words, "--motors", "none", "--report", str(report), "--json").document
    assert [use["motor"] for use in found["utilisation"]] == list(robot.joint_names)
    assert report.exists()


def test_the_program_is_never_written_over(armdyn: Armdyn, tmp_path: Path) -> None:
    program, link, run = tmp_path / "short.html", tmp_path / "link.html", tmp_path / "run.csv"
    program.write_text(SHORT, encoding="utf-8")
    link.symlink_to(program)
    for report in (program, link):
        assert_refused(armdyn("verify", str(program), *BENT, "--report", str(report)), "another file")
    link.unlink()
    link.symlink_to(run)
    run.write_text("", encoding="utf-8")
    both = ("--out", str(run), "--report", str(link))
    assert_refused(armdyn("verify", str(program), *BENT, *both), "are one file")
    assert program.read_text(encoding="utf-8") == SHORT


def test_interrupted_says_so(armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("armdyn.cli.verified.verify", interrupt)
    assert armdyn("verify", PANDA) == Said(130, "", "armdyn: interrupted\n")


def test_help_says_what_a_jerk_time_of_none_is(armdyn: Armdyn) -> None:
    assert "[default: none, trapezoids]" in " ".join(armdyn("verify", "--help").out.split())


def test_bad_programs_get_one_sentence(armdyn: Armdyn, tmp_path: Path) -> None:
    assert_refused(armdyn("verify", str(example_program("lola15_as_printed"))), "line 26, column 1")
    wrong = tmp_path / "wrong.lirl"
    for text, sentence in (
        (SHORT.replace("speed=200", "spede=200"), 'did you mean "speed"'),
        (SHORT.replace('"ur5"', '"ur55"'), 'no robot "ur55"'),
        (SHORT.replace(' act_rob="ur5"', ""), "--robot"),
        (SHORT.replace("450, 100, 300", "5000, 100, 300"), "line 6"),
        ("", "expected"),
    ):
        wrong.write_text(text, encoding="utf-8")
        assert_refused(armdyn("verify", str(wrong), *BENT), sentence)
    wrong.write_bytes(b"program \xff\xfe;")
    assert_refused(armdyn("verify", str(wrong)), "UTF-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((LOLA, "--at", "0,0,1"), "--wrench"),
        ((LOLA, "--cycle", "0"), "cycle"),
        ((LOLA, "--cycle", "nan"), "cycle"),
        ((LOLA, "--jerk-time", "-1"), "jerk"),
        ((LOLA, "--turn-acceleration", "0"), "turn acceleration"),
        ((LOLA, "--start", "1,2,3"), "--start"),
        ((LOLA, "--report", "report.pdf"), ".html"),
        ((LOLA, "--report", "nowhere/report.html"), "folder"),
        ((LOLA, "--out", "nowhere/run.csv"), "folder"),
        ((LOLA, "--out", "run.txt"), ".csv"),
        ((LOLA, "--robot", "lola16"), "lola15"),
        ((LOLA, "--robot", "pendulum"), "line"),
        (("missing.lirl",), "missing.lirl"),
        (("ur5_paletising",), 'no such file, and no example program "ur5_paletising"; did you mean "ur5_p'),
        (("samples.csv",), "--robot"),
        ((SWING, "--robot", "ur5", "--start", "0,0,0,0,0,0"), "start"),
        ((SWING, "--robot", "lola15", "--out", SWING), "another file"),
    ],
)
def test_bad_options_get_one_sentence(armdyn: Armdyn, words: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn("verify", *words), sentence)


def test_demo_verifies_lola_and_writes_its_report(
    armdyn: Armdyn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    document = armdyn("demo", "--json").document
    assert document["robot"] == "lola15"
    assert document["files"] == ["lola15-report.html"]
    assert (tmp_path / "lola15-report.html").stat().st_size > 100_000
