"""`armdyn excite`."""

import json
import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

import armdyn as ad
from armdyn.cli import excited
from armdyn.formats.motions import read_motion
from command_line import Armdyn, assert_refused

QUICK = ("--random", "30", "--starts", "1", "--steps", "10")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_motion_is_found_and_written(armdyn: Armdyn) -> None:
    files = ("--out", "run.csv", "--out", "run.parquet", "--out", "run.lirl", "--plot", "run.png")
    said = armdyn("excite", "planar3", *QUICK, *files, "--rate", "50", "--periods", "2", "--json").document
    assert said["robot"] == "planar3"
    assert said["criterion"] == "condition"
    assert 1 < said["condition_number"] < said["random"]["condition_number"]
    assert said["random"]["motions"] == 30
    assert said["improvement"] > 1
    assert said["files"] == ["run.csv", "run.parquet", "run.lirl", "run.png"]
    assert all(limit["share"] <= 1 for limit in said["limits"])
    assert said["program"]["condition_number"] < 2 * said["condition_number"]
    assert said["program"]["share"] <= 1
    assert said["finished"]
    motion = read_motion("run.csv", ad.load("planar3"))
    assert len(motion.time) == 1001
    assert motion.q[0].tolist() == pytest.approx(said["start"])
    assert Path("run.png").stat().st_size > 10_000
    assert Path("run.lirl").read_text().startswith("program excitation;")


def test_people_read_it(armdyn: Armdyn) -> None:
    said = armdyn(
        "excite", "scara", *QUICK, "--kind", "polynomial", "--criterion", "d_optimal", "--out", "a.lirl"
    )
    assert (said.code, said.err) == (0, "")
    for part in (
        "scara: motors exact, friction on",
        "motor torque [%]",
        "condition number",
        "the best of 30 random motions has",
        "confidence ellipsoid",
        "as a program of",
        "note: acceleration limits of joints 1, 2, 3, 4 are unknown",
        "file: a.lirl",
    ):
        assert part in said.out


def test_options_of_joints_and_of_the_tool(armdyn: Armdyn) -> None:
    limits = ("--range", "1=-30:30", "--speed", "1=20,2=40", "--acceleration", "90", "--degrees")
    room = ("--workspace", "-0.2:0.9,-0.9:0.9,-1:1")
    said = armdyn(
        "excite", "planar3", *QUICK, *limits, *room, "--noise", "1,1,2", "--unscaled", "--json"
    ).document
    by = {(limit["quantity"], limit["joint"] or limit["axis"]): limit for limit in said["limits"]}
    assert abs(by["position", 1]["limit"]) == pytest.approx(0.5235988)
    assert abs(by["joint_speed", 2]["limit"]) == pytest.approx(0.6981317)
    assert abs(by["joint_acceleration", 3]["limit"]) == pytest.approx(1.5707963)
    assert by["workspace", "x"]["limit"] in (pytest.approx(-0.2), pytest.approx(0.9))
    assert said["unscaled_condition_number"] == pytest.approx(said["condition_number"])


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_stopped_it_leaves_the_best_until_then(
    number: signal.Signals, armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def interrupting(_: str) -> Generator[Callable[[str, float], None]]:
        sent: list[float] = []

        def progress(part: str, share: float) -> None:
            if part.startswith("start") and share > 0.15 and not sent:
                sent.append(share)
                os.kill(os.getpid(), number)

        yield progress

    monkeypatch.setattr(excited, "shown_progress", interrupting)
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    said = armdyn("excite", "planar3", "--random", "100", "--out", "run.csv", "--json")
    assert said.code == 128 + number
    assert "stopped before the search was over: the best until then is given; the files have it" in said.err
    document = json.loads(said.out)
    assert not document["finished"]
    assert document["condition_number"] < document["random"]["condition_number"]
    assert len(read_motion("run.csv", ad.load("planar3")).time) == 1001


def test_no_motion_is_an_answer(armdyn: Armdyn) -> None:
    said = armdyn("excite", "planar3", "--workspace", "5:6,0:1,0:1", "--json")
    assert said.code == 1
    assert "no posture within the joints' ranges keeps all limits at rest" in said.err
    reason = json.loads(said.out)["reason"]
    assert reason["quantity"] == "workspace"
    assert json.loads(said.out)["condition_number"] is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--criterion", "best"), "'best' is not one of"),
        (("--duration", "0"), "duration is 0 s, expected 0.01 s to"),
        (("--duration", "nan"), "duration is nan s"),
        (("--harmonics", "1"), "1 harmonics, expected 2 to 1000"),
        (("--kind", "polynomial", "--harmonics", "5"), "harmonics are of a Fourier series"),
        (("--kind", "polynomial", "--periods", "2"), "2 periods, expected 1"),
        (("--rate", "0"), "rate is 0 samples a second"),
        (("--workspace", "0:1,0:1"), '--workspace "0:1,0:1", expected x0:x1,y0:y1,z0:z1 in m'),
        (("--workspace", "0:1,0:1,0:nan"), "--workspace: nan is not a finite number"),
        (("--workspace", "1:0,0:1,0:1"), "workspace: x is from 1 to 0 m"),
        (("--speed", "1,2"), "--speed has 2 values, expected 1 or 3"),
        (("--noise", "x"), '--noise: "x" is not a number'),
        (("--range", "1=0"), '"1=0" is no range'),
        (("--among", "mass"), 'no parameter "mass"'),
        (("--out", "run.txt"), '--out "run.txt" ends in ".txt", expected .csv or .parquet or .lirl'),
        (("--out", "no/run.csv"), 'there is no folder "no"'),
        (("--out", "a.csv", "--out", "a.csv"), "--out names one file twice"),
        (("--plot", "run.bmp"), 'figure "run.bmp" ends in ".bmp"'),
        (("--starts", "0"), "starts is 0, expected 1 to 1000"),
    ],
)
def test_mistakes_are_one_sentence(armdyn: Armdyn, words: tuple[str, ...], sentence: str) -> None:
    said = armdyn("excite", "planar3", *words)
    assert_refused(said, sentence)
    assert said.err.count("\n") == 1
