"""`armdyn retime`: what it prints, what it writes, and what it refuses."""

import json
from pathlib import Path

import numpy as np
import pytest

import armdyn as ad
from armdyn.formats.motions import read_motion
from command_line import Armdyn, assert_refused
from retiming.per_move.short_programs import LINE_AND_ARC

SWING = str(Path(__file__).parents[2] / "examples" / "motions" / "lola15_swing.csv")
COARSE = ("--grid", "200")
POSTURES = """q1[deg],q2[deg],q3[deg],q4[deg],q5[deg],q6[deg]
0,-70,60,0,20,0
40,-45,40,20,0,30
60,-80,90,-10,30,60
"""
PROGRAM = """program p;
var
endvar
seq
move ptp joint(mainjoint(10, -80, 70)) act_rob="ur5";
{ too fast for what it carries }
move lin robtarg(position(450, 100, 300)) speed=1500 acc=30000;
endseq
endprogram
"""


@pytest.fixture
def postures(tmp_path: Path) -> str:
    file = tmp_path / "postures.csv"
    file.write_text(POSTURES)
    return str(file)


@pytest.fixture
def program(tmp_path: Path) -> str:
    file = tmp_path / "p.lirl"
    file.write_text(PROGRAM)
    return str(file)


def test_the_document_has_the_keys_of_the_contract(armdyn: Armdyn) -> None:
    document = armdyn("retime", SWING, "--robot", "lola15", *COARSE, "--json").document
    assert document["mode"] == "optimal"
    assert document["duration"].keys() == {"before", "after"}
    assert document["factor"] == pytest.approx(document["duration"]["after"] / document["duration"]["before"])
    assert {"time", "joint", "quantity"} <= document["active_limits"][0].keys()
    assert document["feasible"] is True
    assert document["lower_bound"] <= document["duration"]["after"]


def test_people_read_what_holds_it_back(armdyn: Armdyn) -> None:
    said = armdyn("retime", SWING, "--robot", "lola15", *COARSE)
    assert said.code == 0
    for words in (
        "what holds the motion back",
        "becomes",
        "On this grid no motion is shorter than",
        "Feasible",
    ):
        assert words in said.out


def test_uniform_says_its_multiple(armdyn: Armdyn) -> None:
    said = armdyn("retime", SWING, "--robot", "lola15", "--mode", "uniform")
    assert "times its speed" in said.out


def test_postures_without_times(armdyn: Armdyn, postures: str) -> None:
    curved = armdyn("retime", postures, "--robot", "ur5", *COARSE, "--json").document
    straight = armdyn(
        "retime", postures, "--robot", "ur5", *COARSE, "--through", "straight", "--json"
    ).document
    assert curved["duration"]["before"] is None
    assert curved["factor"] is None
    assert [stop["reason"] for stop in straight["stops"]] == ["the path has a corner", "the move ends"]


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_motion_is_written(armdyn: Armdyn, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"fast{suffix}"
    document = armdyn("retime", SWING, "--robot", "lola15", *COARSE, "--out", str(out), "--json").document
    assert document["files"] == [str(out)]
    motion = read_motion(out, ad.load("lola15"))
    assert motion.time[-1] == pytest.approx(document["duration"]["after"], abs=document["cycle"])
    assert np.abs(motion.columns["motor_torque"]).max() > 0
    again = armdyn("verify", str(out), "--robot", "lola15", "--json").document
    assert again["feasible"] is True


def test_the_motion_is_written_as_c(armdyn: Armdyn, tmp_path: Path) -> None:
    out = tmp_path / "fast.h"
    assert armdyn("retime", SWING, "--robot", "lola15", *COARSE, "--out", str(out)).code == 0
    assert "static const double fast_q[" in out.read_text()


def test_a_program_comes_back_with_its_speeds_lowered(armdyn: Armdyn, program: str, tmp_path: Path) -> None:
    out = tmp_path / "slower.lirl"
    heavy = ("--payload", "5,0,0,0.1", "--start", "0,-1.5,1.5,-1.5,-1.5,0")
    before = armdyn("verify", program, *heavy, "--json").document
    found = armdyn("retime", program, *heavy, "--mode", "per-move", "--out", str(out), "--json").document
    assert before["feasible"] is False
    assert found["feasible"] is True
    assert found["factor"] > 1
    assert len(found["moves"]) == 2
    assert "{ too fast for what it carries }" in out.read_text()
    assert armdyn("verify", str(out), *heavy, "--json").document["feasible"] is True


def test_a_program_with_a_turn_acceleration_is_feasible_by_itself(armdyn: Armdyn, tmp_path: Path) -> None:
    given, out = tmp_path / "given.lirl", tmp_path / "slower.lirl"
    given.write_text(LINE_AND_ARC, encoding="utf-8")
    turning = ("--turn-acceleration", "0.5")
    found = armdyn("retime", str(given), "--mode", "per-move", *turning, "--out", str(out), "--json").document
    again = armdyn("verify", str(out), "--json").document
    assert again["feasible"] is True
    assert again["cycle_time"]["programmed"] == found["duration"]["after"]
    assert "acc_ori=28.64" in out.read_text(encoding="utf-8")
    assert not any("not told in it" in note for note in found["notes"])


def test_report_and_figure_are_written(armdyn: Armdyn, tmp_path: Path) -> None:
    report, plot = tmp_path / "fast.html", tmp_path / "fast.svg"
    said = armdyn("retime", SWING, "--robot", "lola15", *COARSE, "--report", str(report), "--plot", str(plot))
    assert said.code == 0
    assert "<html" in report.read_text()
    assert "<svg" in plot.read_text()


def test_no_speed_helps(armdyn: Armdyn) -> None:
    said = armdyn("retime", SWING, "--robot", "lola15", "--payload", "200,0,0,0.3", *COARSE, "--json")
    assert said.code == 1
    document = json.loads(said.out)
    assert document["feasible"] is False
    assert document["duration"] is None
    assert document["reason"]["quantity"] == "motor_torque"
    assert document["reason"]["joint"] >= 1
    assert said.err.count("\n") == 1
    assert "gravity and friction alone" in said.err


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--mode", "faster"), "faster"),
        (("--margin", "1.5"), "margin is 1.5"),
        (("--margin", "nan"), "margin is nan"),
        (("--grid", "0"), "grid is 0"),
        (("--tool-speed", "-1"), "the tool's speed is -1 m/s"),
        (("--begin", "quickly"), '--begin "quickly", expected rest, moving, free or a speed'),
        (("--end", "nan"), "expected rest, moving, free or a speed"),
        (("--out", "motion.txt"), '--out "motion.txt" ends in ".txt"'),
        (("--out", "motion.lirl"), '--out "motion.lirl" ends in ".lirl"'),
        (("--out", "nowhere/motion.csv"), 'there is no folder "nowhere"'),
        (("--out", SWING), "is what is read"),
        (("--plot", "a.svg", "--report", "a.svg"), "a.svg"),
        (("--plot", "a.gif"), "a.gif"),
        (("--report", "a.txt"), "a.txt"),
        (("--mode", "per-move"), "joint samples have no moves"),
        (("--jerk", "fast"), "--jerk"),
        (("--cycle", "0"), "cycle is 0 s"),
        (("--grid", "99999999999"), "expected 1 to 1000000 intervals"),
        (("--end", "1e200"), "expected rest, moving, free or a speed"),
        (("--slow-only",), "slow_only is for mode uniform"),
        (("--mode", "uniform", "--jerk", "3"), "jerk is for mode optimal"),
        (("--mode", "uniform", "--tool-speed", "1e-12"), "raise the limits"),
        (("--start", "0,0,0,0,0,0"), "leave the start out"),
    ],
)
def test_what_makes_no_sense_is_refused(
    armdyn: Armdyn, options: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(armdyn("retime", SWING, "--robot", "lola15", *options), sentence)
    assert not list(tmp_path.iterdir())


def test_samples_need_their_robot(armdyn: Armdyn) -> None:
    assert_refused(armdyn("retime", SWING), "give it with --robot")


def test_a_wrench_slows_it(armdyn: Armdyn, postures: str) -> None:
    free, pressed = (
        armdyn("retime", postures, "--robot", "ur5", *COARSE, *wrench, "--json").document
        for wrench in ((), ("--wrench", "0,0,-60,0,0,0"))
    )
    assert pressed["feasible"] is True
    assert pressed["duration"]["after"] != free["duration"]["after"]


def test_postures_are_not_planned(armdyn: Armdyn, postures: str) -> None:
    said = armdyn("retime", postures, "--robot", "ur5", "--turn-acceleration", "1")
    assert_refused(said, "turn_acceleration is for planning")


def test_postures_out_of_range_are_named(armdyn: Armdyn, tmp_path: Path) -> None:
    file = tmp_path / "far.csv"
    file.write_text("q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0\n0,0,50,0,0,0\n")
    said = armdyn("retime", str(file), "--robot", "ur5", *COARSE)
    assert said.code == 1
    assert "joint 3 has to go to 50 rad, beyond its limit" in said.err
    assert "in move 1: no speed helps" in said.err


def test_postures_have_no_times_to_scale(armdyn: Armdyn, postures: str) -> None:
    assert_refused(armdyn("retime", postures, "--robot", "ur5", "--mode", "uniform"), "use mode optimal")
