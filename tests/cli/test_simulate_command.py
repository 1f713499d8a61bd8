"""`armdyn simulate`: what it prints, writes and refuses."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.formats.motions import read_motion
from armdyn.simulation import simulate
from armdyn.simulation.files.run_files import read_run
from command_line import Armdyn, Said, assert_refused, process

PLANAR = ("simulate", "planar2", "--duration", "0.1")
SWINGING = ("simulate", "planar2", "--duration", "0.5", "--q", "0.3,0.2")
HOLDING = ("simulate", "irb6", "--duration", "0.3", "--controller", "pid", "--q", "0.1,0.2,0,0,0")
SWING = str(Path(__file__).parent.parent.parent / "examples/motions/lola15_swing.csv")
FILES = {
    "torques.csv": "time,tau1,tau2\n0,1,0\n1,2,0\n",
    "nan.csv": "time,tau1,tau2\n0,0,0\n0.5,nan,0\n1,0,0\n",
    "wrong.csv": "time,foo\n0,0\n1,0\n",
    "few.csv": "time,tau1\n0,0\n1,0\n",
    "several.csv": "time,tau1,tau2,motor_torque1,motor_torque2\n0,0,0,1,0\n1,0,0,1,0\n",
    "back.csv": "time,tau1,tau2\n0,0,0\n0,0,0\n",
    "single.csv": "time,tau1,tau2\n0,0,0\n",
    "empty.csv": "",
    "currents.csv": f"time,{','.join(f'current{k}' for k in range(1, 7))}\n0{6 * ',1'}\n1{6 * ',1'}\n",
    "motion.csv": "time,q1,q2\n0,0.1,0.2\n0.5,0.2,0.2\n1,0.4,0.1\n",
    "notes.txt": "hello",
    "kind.toml": 'kind = "nothing"\n',
    "program.lirl": "program p; rubbish",
    "nothing.toml": 'name = "nothing"\n[[bodies]]\nname = "bob"\n[bodies.joint]\naxis = [0, 0, 1]\n',
}

Document = Callable[..., dict[str, Any]]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files good and bad, in which the command works."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def document(armdyn: Armdyn) -> Document:
    return lambda *words: armdyn(*words, "--json").document


# Results --------------------------------------------------------------------------------------


def test_json_has_what_the_contract_names(document: Document) -> None:
    found = document(*HOLDING)
    assert found.keys() >= {"time", "q", "qd", "energy", "power_residual", "events"}
    assert found["events"][0].keys() == {"time", "joint", "kind", "motor"}
    assert (found["robot"], found["motors"], found["friction"]) == ("irb6", "exact", "on")
    assert (found["integrator"], found["dt"], found["duration"]) == ("dop853", 0.01, 0.3)
    assert found["motor"].keys() == {"position", "velocity", "torque", "current", "voltage"}
    assert len(found["time"]) == len(found["energy"]) == len(found["motor"]["current"]) == 31
    assert found["energy_residual"] < 1e-9
    assert (found["failure"], found["files"]) == (None, [])
    assert "the controller holds the start" in found["notes"]


def test_it_is_what_the_library_finds(document: Document) -> None:
    found = document(*SWINGING, "--input", "torques.csv", "--integrator", "rk4", "--sample", "0.1")
    expected = simulate("planar2", 0.5, input="torques.csv", q=[0.3, 0.2], integrator="rk4", sample=0.1)
    np.testing.assert_array_equal(found["q"], expected.q)
    np.testing.assert_array_equal(found["tau"], expected.tau)
    np.testing.assert_array_equal(found["energy"], expected.energy)


def test_options_of_input_reach_it(document: Document) -> None:
    held = document(*SWINGING, "--input", "torques.csv", "--between", "hold")["tau"]
    joined = document(*SWINGING, "--input", "torques.csv")["tau"]
    assert held[-1] == [1, 0]
    assert joined[-1] == [1.5, 0]
    chosen = document(*SWINGING, "--input", "several.csv", "--kind", "tau")["tau"]
    assert chosen[-1] == [0, 0]


def test_degrees_are_for_what_is_typed(document: Document) -> None:
    found = document(*PLANAR, "--q", "90,0", "--qd", "180,0", "--degrees")
    np.testing.assert_allclose(found["q"][0], [np.pi / 2, 0], rtol=1e-15)
    np.testing.assert_allclose(found["qd"][0], [np.pi, 0], rtol=1e-15)


def test_a_wrench_and_a_payload_act(document: Document) -> None:
    free = document(*SWINGING)["q"][-1]
    assert document(*SWINGING, "--wrench", "0,5,0,0,0,0")["q"][-1] != free
    assert document(*SWINGING, "--wrench", "0,5,0,0,0,0", "--at", "0,0,0")["q"][-1] != free
    assert document(*SWINGING, "--payload", "3,0,0,0")["q"][-1] != free


def test_people_read_tables(armdyn: Armdyn) -> None:
    said = armdyn(*HOLDING)
    assert (said.code, said.err) == (0, "")
    for part in (
        "irb6: motors exact, friction on; dop853",
        "joint1",
        "motor5",
        "current [A]",
        "comes to rest",
    ):
        assert part in said.out
    assert "the balance lacks" in said.out
    assert "note: the controller holds the start" in said.out


def test_an_arm_that_nothing_drives_is_noted(document: Document) -> None:
    found = document(*SWINGING)
    assert found["notes"] == ["nothing drives the arm: it moves freely"]
    assert np.abs(found["tau"]).max() == 0


def test_many_events_are_counted(armdyn: Armdyn) -> None:
    Path("ranges.toml").write_text(_narrow_pendulum(), encoding="utf-8")
    said = armdyn("simulate", "ranges.toml", "--duration", "10", "--q", "0.5", "--friction", "off")
    assert "the first 20 of" in said.out
    assert said.out.count("leaves its range") == 10


def _narrow_pendulum() -> str:
    return """name = "narrow"
gravity = [0, -9.81, 0]
[[bodies]]
name = "bob"
[bodies.joint]
axis = [0, 0, 1]
limits = { position = ["-6 deg", "6 deg"] }
[bodies.inertia]
mass = 2.0
com = [0, -0.5, 0]
tensor = { xx = 0.1, yy = 0.1, zz = 0.1 }
"""


# Controllers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("controller", ["pid", "pd_gravity", "computed_torque", "operational_space"])
def test_a_controller_holds_the_start(document: Document, controller: str) -> None:
    found = document("simulate", "ur5", "--duration", "0.3", "--controller", controller)
    assert np.abs(found["q"]).max() < 0.05
    assert any("holds the start" in note for note in found["notes"])
    assert any("gains for 20 rad/s" in note for note in found["notes"])


def test_a_motion_is_followed_from_its_start(document: Document) -> None:
    found = document(
        "simulate", "lola15", "--duration", "1", "--controller", "computed_torque", "--reference", SWING
    )
    motion = read_motion(SWING, load("lola15"))
    assert found["q"][0] == motion.q[0].tolist()
    wanted = np.array([np.interp(found["time"], motion.time, q) for q in motion.q.T]).T
    assert np.abs(wanted - found["q"]).max() < 0.02


def test_gains_are_those_given(document: Document) -> None:
    rest = ("--q", "0,0", "--qd", "0,0")

    def start(*words: str) -> list[float]:
        found = document(*PLANAR, "--controller", "pid", "--reference", "motion.csv", *rest, *words)
        return found["tau"][0]

    assert start("--kp", "10", "--kv", "1") == pytest.approx([1, 2])
    assert start("--kp", "10,20", "--kv", "1") == pytest.approx([1, 4])
    fast, slow = start("--frequency", "40"), start("--frequency", "20")
    np.testing.assert_allclose(fast, np.multiply(4, slow))
    assert start("--kp", "10", "--kv", "0", "--ki", "3") == pytest.approx([1, 2])


@pytest.mark.parametrize("controller", ["pid", "pd_gravity", "computed_torque"])
def test_gains_are_made_of_frequency_and_damping(armdyn: Armdyn, controller: str) -> None:
    words = ("--controller", controller, "--frequency", "10,20", "--damping", "0.5", "--out", "run.parquet")
    assert armdyn(*PLANAR, *words).code == 0
    setup, dyn = read_run("run.parquet").setup, Dynamics(load("planar2"))
    inertia = np.ones(2)
    if controller != "computed_torque":
        inertia = np.diagonal(dyn.mass_matrix(np.array(dyn.robot.home)))
    np.testing.assert_allclose(setup["kp"], inertia * [100, 400])
    np.testing.assert_allclose(setup["kv"], inertia * [10, 20])
    assert ("ki" in setup) == (controller == "pid")
    if controller == "pid":
        np.testing.assert_allclose(setup["ki"], inertia * [100, 800])


def test_a_program_is_followed_and_grasps(document: Document) -> None:
    words = ("--controller", "computed_torque", "--reference", "ur5_palletising", "--sample", "0.1")
    found = document("simulate", "ur5", "--duration", "3", *words)
    assert [event["kind"] for event in found["events"]] == ["grasp"]
    assert found["q"][0] == [0] * 6


@pytest.mark.slow
def test_what_the_motors_can_do_is_followed(document: Document) -> None:
    words = ("--controller", "computed_torque", "--reference", "lola15", "--limits", "--duration", "3.5")
    coarse = ("--integrator", "semi_implicit", "--dt", "0.002", "--wrench", "100,100,-150,0,0,0")
    asked = ((), ("--verified",))
    programmed, verified = (document("simulate", "lola15", *words, *coarse, *more) for more in asked)
    assert programmed["q"] != verified["q"]
    peaks = [drive.motor.peak_torque or np.inf for drive in load("lola15").drives]
    assert (np.abs(verified["motor"]["torque"]) <= np.array(peaks) * (1 + 1e-9)).all()


def test_a_robot_of_ones_own_may_follow_a_catalog_robots_program(document: Document) -> None:
    catalog = Path(sys.modules["armdyn.robot"].__file__ or "").parent / "catalog/panda.toml"
    text = catalog.read_text(encoding="utf-8")
    Path("mine.toml").write_text(text.replace('name = "panda"', 'name = "mine"', 1), encoding="utf-8")
    found = document(
        "simulate", "mine.toml", "--duration", "0.1", "--controller", "pid", "--reference", "panda"
    )
    assert 'panda.lirl is for robot "panda" (act_rob), here it moves "mine"' in found["notes"]


# Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", ["parquet", "csv", "mcap"])
def test_files_are_written(document: Document, suffix: str) -> None:
    found = document(*SWINGING, "--out", f"run.{suffix}", "--figure", "run.png")
    assert found["files"] == [f"run.{suffix}", "run.png"]
    assert Path("run.png").read_bytes().startswith(b"\x89PNG")
    if suffix == "mcap":
        assert Path("run.mcap").read_bytes().startswith(b"\x89MCAP")
        return
    stored = read_run(f"run.{suffix}")
    assert stored.columns["q"].tolist() == found["q"]


def test_what_drove_a_run_is_in_its_file(document: Document) -> None:
    document(*SWINGING, "--input", "torques.csv", "--out", "run.parquet")
    setup = read_run("run.parquet").setup
    assert (setup["robot"], setup["integrator"], setup["kind"]) == ("planar2", "dop853", "tau")
    assert setup["duration"] == 0.5


def test_a_failed_run_keeps_what_there_is(armdyn: Armdyn) -> None:
    files = ("--out", "run.parquet", "--figure", "run.svg")
    said = armdyn("simulate", "planar2", "--duration", "3", "--input", "torques.csv", *files, "--json")
    assert said.code == 2
    assert said.err == (
        "armdyn: torques.csv ends at 1 s but the run lasts 3 s; give a longer one, or a duration of 1 s\n"
    )
    found = json.loads(said.out)
    assert found["failure"] in said.err
    assert found["time"][-1] == 1.0
    assert found["files"] == ["run.parquet", "run.svg"]
    assert read_run("run.parquet").failure == found["failure"]


def test_a_step_that_is_too_large_is_named(armdyn: Armdyn) -> None:
    words = ("--integrator", "euler", "--dt", "0.5", "--qd", "9,9")
    said = armdyn("simulate", "planar2", "--duration", "5", *words)
    assert said.code == 2
    assert "a step of 0.5 s is too large for euler" in said.err
    assert "joint1" in said.out


def test_a_run_that_never_begins_says_why(armdyn: Armdyn) -> None:
    said = armdyn(
        "simulate", "nothing.toml", "--duration", "1", "--out", "a.csv", "--figure", "a.png", "--json"
    )
    assert said.code == 2
    assert "at 0 s no acceleration is found" in said.err
    found = json.loads(said.out)
    assert (found["time"], found["files"]) == ([], [])
    assert not Path("a.csv").exists()


def test_a_full_disk_leaves_the_former_file(document: Document) -> None:
    document(*PLANAR, "--out", "run.parquet")
    before = Path("run.parquet").read_bytes()
    said = process(*SWINGING, "--out", "run.parquet", "--json", preexec_fn=_hardly_any_disk)
    assert said.code == 2
    assert "run.parquet: cannot be written, File too large" in said.err
    assert said.err.count("\n") == 1
    assert json.loads(said.out)["failure"] in said.err
    assert Path("run.parquet").read_bytes() == before
    assert not [file for file in Path().iterdir() if file.name.startswith(".run")]


def _hardly_any_disk() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))


# Refusals -------------------------------------------------------------------------------------

PID = ("--controller", "pid")
PD = ("--controller", "pd_gravity")
REFUSED: Sequence[tuple[tuple[str, ...], str]] = [
    (("--integrator", "rk5"), "'rk5' is not one of 'euler'"),
    (("--integrator", "rk4", "--dt", "0.03"), "duration is 0.1 s, expected a multiple of the step dt"),
    (("--integrator", "rk4", "--dt", "0.002", "--sample", "0.003"), "sample is 0.003 s, expected a multiple"),
    (("--integrator", "rk4", "--rtol", "1e-6"), "--rtol is for dop853 and lsoda, rk4 has a fixed step"),
    (("--dt", "0"), "dt is 0.0, expected a number above 0"),
    (("--dt", "-1"), "dt is -1.0, expected a number above 0"),
    (("--dt", "1e-12"), "take a larger dt"),
    (("--sample", "0"), "sample is 0.0, expected a number above 0"),
    (("--rtol", "0"), "rtol is 0.0"),
    (("--atol", "nan"), "atol is nan"),
    (("--input", "missing.csv"), "missing.csv: no such file"),
    (("--input", "notes.txt"), 'ends in ".txt", expected .csv, .parquet, .toml'),
    (("--input", "empty.csv"), "empty.csv: the file is empty"),
    (("--input", "single.csv"), "single.csv: one sample"),
    (("--input", "wrong.csv"), 'nothing among "time", "foo" drives a robot'),
    (("--input", "few.csv"), 'no column "tau2"'),
    (("--input", "nan.csv"), 'nan.csv, line 3, column "tau1": "nan" is not a finite number'),
    (("--input", "several.csv"), 'expected one kind; choose one: kind="tau" in Python, --kind tau on the'),
    (("--input", "back.csv"), "back.csv, line 3: time goes from 0 to 0 s"),
    (("--input", "kind.toml"), "kind.toml, line 1: kind"),
    (("--input", "torques.csv", "--kind", "current"), 'no column "current1"'),
    (("--input", "torques.csv", "--kind", "force"), "'force' is not one of"),
    (("--input", "torques.csv", "--between", "cubic"), "'cubic' is not one of 'hold', 'linear'"),
    (("--input", "torques.csv", *PID), "--input and --controller are both given"),
    (("--input", "torques.csv", "--out", "torques.csv"), "is what --input reads, expected another file"),
    (("--kind", "tau"), "--kind says how an input is read, but there is none; add --input"),
    (("--between", "hold"), "add --input"),
    (("--controller", "lqr"), "'lqr' is not one of 'pid'"),
    (("--reference", "motion.csv"), "--reference is for a controller, but there is none; add --controller"),
    (("--limits",), "--limits is for a controller"),
    (("--kp", "1", "--kv", "1"), "--kp is for a controller"),
    (("--verified",), "add --reference"),
    ((*PID, "--verified"), "add --reference"),
    ((*PID, "--kp", "1"), "--kp is given without --kv"),
    ((*PID, "--kv", "1"), "--kv is given without --kp"),
    ((*PID, "--kp", "1", "--kv", "1", "--frequency", "3"), "--kp and --frequency are both given"),
    ((*PID, "--kp", "1", "--kv", "1", "--damping", "3"), "--kp and --damping are both given"),
    ((*PID, "--kp", "a", "--kv", "1"), '--kp: "a" is not a number'),
    ((*PID, "--kp", "-1", "--kv", "1"), "kp is -1"),
    ((*PID, "--frequency", "1,2,3"), "--frequency has 3 values, expected 1 or 2"),
    ((*PID, "--frequency", "-1"), "frequency is -1"),
    ((*PID, "--damping", "nan"), "--damping: nan is not a finite number"),
    ((*PD, "--ki", "1"), "--ki is for the controller pid, pd_gravity integrates nothing"),
    ((*PD, "--task", "x"), "--task is for the controller operational_space, which is not asked for"),
    (("--controller", "operational_space", "--task", "w"), 'task has no axis "w"'),
    (("--controller", "operational_space", "--kp", "1,2", "--kv", "1"), "--kp has 2 values, expected 1 or 6"),
    ((*PID, "--limits"), 'robot "planar2": no torque limit is known'),
    ((*PID, "--reference", "lola15"), 'the program is for robot "lola15" (act_rob), asked for "planar2"'),
    ((*PID, "--reference", "nosuch"), 'no example program "nosuch"'),
    ((*PID, "--reference", "nosuch.csv"), "nosuch.csv: no such file"),
    ((*PID, "--reference", "program.lirl"), "program.lirl, line 1, column 12"),
    ((*PID, "--reference", "torques.csv"), 'no column "q1"'),
    ((*PID, "--reference", "motion.csv", "--out", "motion.csv"), "is what --reference reads"),
    (("--q", "1"), '--q has 1 value; robot "planar2" has 2 joints'),
    (("--q", "1,nan"), "--q: nan is not a finite number"),
    (("--qd", "1,2,3"), "--qd has 3 values"),
    (("--wrench", "1,2"), "--wrench has 2 values, expected 6"),
    (("--at", "0,0,0"), "--at says where a wrench acts, but there is none; add --wrench"),
    (("--out", "run.txt"), '--out "run.txt" ends in ".txt", expected .parquet, .csv, .mcap'),
    (("--out", "nowhere/run.csv"), "there is no folder"),
    (("--figure", "run.gif"), 'ends in ".gif", expected .svg, .png, .pdf'),
    (("--figure", "nowhere/run.png"), "there is no folder"),
    (("--resume",), "add --out"),
    (("--resume", "--out", "run.csv"), "cannot be continued, a .csv file keeps no checkpoint"),
    (("--resume", "--out", "run.mcap"), "cannot be continued, a .mcap file keeps no checkpoint"),
    (("--motors", "huge"), "'huge' is not one of 'exact'"),
    (("--lock", "9=1"), 'no joint 9 in robot "planar2"'),
]


@pytest.mark.parametrize(("words", "sentence"), REFUSED, ids=lambda given: str(given)[:60])
def test_bad_input_is_one_sentence(armdyn: Armdyn, words: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn(*PLANAR, *words), sentence)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("nosuch", "--duration", "1"), 'no robot "nosuch"'),
        (("planar2",), "Missing option '--duration'"),
        (("planar2", "--duration", "-1"), "duration is -1.0, expected a number above 0"),
        (("planar2", "--duration", "nan"), "duration is nan"),
        (("planar2", "--duration", "inf"), "duration is inf"),
        (("planar2", "--duration", "soon"), "'--duration'"),
        (
            ("ur5", "--duration", "1", "--input", "currents.csv"),
            'robot "ur5" has no drives, current needs some',
        ),
        (("lola15", "--duration", "1", "--input", "currents.csv"), "torque constant is not given"),
        (("ur5", "--duration", "1", *PID, "--reference", "panda"), 'for robot "panda" (act_rob)'),
        (("ur5", "--duration", "1", *PID, "--reference", "motion.csv"), 'no column "q3"'),
        (("ur5", "--duration", "1", "--motors", "exact"), 'motors "exact" for robot "ur5"'),
    ],
)
def test_bad_questions_are_one_sentence(armdyn: Armdyn, words: tuple[str, ...], sentence: str) -> None:
    assert_refused(armdyn("simulate", *words), sentence)


def test_a_folder_is_no_file(armdyn: Armdyn) -> None:
    Path("folder.csv").mkdir()
    assert_refused(armdyn(*PLANAR, "--out", "folder.csv"), '--out "folder.csv" is no file')


def test_a_run_is_heavy_only_when_it_is_asked_for() -> None:
    code = "import sys, armdyn.cli.main; print(sum('armdyn.simulation' in name for name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "0\n"


def test_standard_error_is_silent_where_it_is_no_terminal() -> None:
    said: Said = process(*PLANAR)
    assert (said.code, said.err) == (0, "")
