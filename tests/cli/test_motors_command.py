"""`armdyn motors`: what a motion asks of the motors, in tables, documents and files; and bad input."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.formats import load
from armdyn.formats.motions import read_motion, write_motion
from armdyn.studies.motor_use import MotorUse, motor_use
from command_line import Armdyn, assert_refused, process

ROUNDING = 1e-12
"""Relative: the same numbers, written and read."""

ROOT = Path(__file__).parents[2]
LOLA15 = str(ROOT / "examples/motions/lola15_swing.csv")
IRB6 = str(ROOT / "examples/motions/irb6_swing.csv")
SPLINE = [
    "lola15_swing.csv: qd and qdd derived from a cubic spline through q",
    "lola15_swing.csv: derived speeds below 0.0001 of a joint's largest count as rest",
]


def asked(name: str, file: str, wrench: Any = None, at: Any = None, **settings: Any) -> MotorUse:
    """What the library says."""
    robot = load(name)
    motion = read_motion(file, robot)
    return motor_use(Dynamics(robot, **settings), motion.time, motion.q, motion.qd, motion.qdd, wrench, at)


# Good input -----------------------------------------------------------------------------------


def test_the_document_says_what_the_library_says(armdyn: Armdyn) -> None:
    document = armdyn("motors", "lola15", LOLA15, "--json").document
    use = asked("lola15", LOLA15)
    assert (document["robot"], document["motors"], document["friction"]) == ("lola15", "coupled", "on")
    assert (document["notes"], document["files"], document["exceeded"]) == (SPLINE, [], [])
    assert document["within"]
    assert document["current"] is None
    assert [load["name"] for load in document["loads"]] == [f"motor{k}" for k in range(1, 7)]
    assert {key: document[key] for key in use.document()} == use.document()


def test_what_is_exceeded_and_when_first(armdyn: Armdyn) -> None:
    document = armdyn("motors", "irb6", IRB6, "--json").document
    use = asked("irb6", IRB6)
    assert not document["within"]
    assert [(limit["motor"], limit["quantity"]) for limit in document["exceeded"]] == [
        ("motor1", "speed"),
        ("motor4", "speed"),
    ]
    for limit, k in zip(document["exceeded"], (0, 3), strict=True):
        lower, upper = limit["limit"]
        first = int(np.argmax(np.abs(use.velocity[:, k]) > upper))
        assert (limit["time"], limit["value"]) == (use.time[first], use.velocity[first, k])
        assert (lower, limit["share"]) == (-upper, use.motors[k].speed_share)
    assert document["notes"][:2] == [
        'motor "motor1": faster than 261.8 rad/s, first at 0.54 s; 119% at the worst',
        'motor "motor4": faster than 314.2 rad/s, first at 0.66 s; 104% at the worst',
    ]


def test_torques_beyond_the_envelope_and_the_rated_torque(armdyn: Armdyn) -> None:
    """With far too heavy a load on the wrist, the forearm's motor gives in once it moves."""
    heavy = ("--payload", "40,0,0,0.1")
    document = armdyn("motors", "irb6", IRB6, "--json", *heavy).document
    found = {(limit["motor"], limit["quantity"]): limit for limit in document["exceeded"]}
    torque, mean = found["motor3", "torque"], found["motor3", "rms_torque"]
    sample = document["time"].index(torque["time"])
    asked_for, lower, upper = (np.array(document[name])[:, 2] for name in ("torque", "lower", "upper"))
    inside = (lower <= asked_for) & (asked_for <= upper)
    assert (sample > 0, inside[:sample].all(), inside[sample]) == (True, True, False)
    assert (torque["value"], torque["limit"]) == (asked_for[sample], [lower[sample], upper[sample]])
    assert (mean["time"], mean["limit"]) == (None, [0.0, 0.6])
    notes = "\n".join(document["notes"])
    can = 'motor "motor3": torque -2.011 N m where it can give -2 to 2, first at 0.12 s; 114% at the worst'
    assert can in notes
    assert 'motor "motor3": rms torque 1.693 N m is above the rated 0.6; repeated without end' in notes


def test_options_reach_the_dynamics(armdyn: Armdyn) -> None:
    wrench, at = [0.0, 10.0, -150.0, 1.0, 2.0, 3.0], [0.1, 0.2, 0.3]
    document = armdyn(
        *("motors", "lola15", LOLA15, "--json", "--motors", "reflected", "--friction", "off"),
        *("--wrench", ",".join(map(str, wrench)), "--at", ",".join(map(str, at))),
    ).document
    use = asked("lola15", LOLA15, wrench, at, motors="reflected", friction=False)
    assert (document["motors"], document["friction"]) == ("reflected", "off")
    np.testing.assert_allclose(document["torque"], use.torque, rtol=ROUNDING)
    assert "the robot has friction, which is off here; --friction on includes it" in document["notes"]


def test_people_get_tables_that_fit_a_terminal(armdyn: Armdyn) -> None:
    said = armdyn("motors", "irb6", IRB6)
    assert (said.code, said.err) == (0, "")
    for words in ("irb6: motors exact, friction on; 201 samples, 3 s", "torques", "others free, from"):
        assert words in said.out
    assert "\nbeyond their limits: motor1, motor4\nnote: " in said.out
    assert max(len(line.rstrip()) for line in said.out.splitlines()) <= 88
    tables = [line for line in said.out.splitlines() if not line.startswith("note: ")]
    assert max(len(line.rstrip()) for line in tables) <= 80


def test_columns_of_which_nothing_is_known_are_not_printed(armdyn: Armdyn) -> None:
    out = armdyn("motors", "lola15", LOLA15).out
    assert "all motors stay within the limits that are known" in out
    assert {"current [A]", "voltage [V]", "of rated [%]"} & set(
        re.findall(r"[a-z ]+ \[[A-Z%]\]", out)
    ) == set()


def test_titles_and_verdict_say_only_what_is_known(armdyn: Armdyn, folder: Path) -> None:
    everything, torques = armdyn("motors", "irb6", IRB6).out, armdyn("motors", "lola15", LOLA15).out
    nothing = armdyn("motors", "planar2", "good.csv").out
    assert "largest speeds, currents and voltages, and energy given" in everything
    assert "largest speeds, and energy given" in torques
    assert "no limits of its motors are known\n" in nothing
    assert "limits that are known" not in nothing


@pytest.mark.parametrize(("robot", "file", "code"), [("lola15", LOLA15, 0), ("irb6", IRB6, 1)])
@pytest.mark.parametrize("json", [(), ("--json",)])
def test_strict_makes_the_answer_an_exit_code(
    armdyn: Armdyn, robot: str, file: str, code: int, json: tuple[str, ...]
) -> None:
    strict, other = armdyn("motors", robot, file, "--strict", *json), armdyn("motors", robot, file, *json)
    assert (strict.code, other.code) == (code, 0)
    assert strict.out == other.out
    assert (strict.err, other.err) == ("", "")


# Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_motion_is_written_with_its_motors(armdyn: Armdyn, tmp_path: Path, suffix: str) -> None:
    out = tmp_path / f"irb6{suffix}"
    document = armdyn("motors", "irb6", IRB6, "--json", "--out", str(out)).document
    robot, use = load("irb6"), asked("irb6", IRB6)
    given, motion = read_motion(IRB6, robot), read_motion(out, robot)
    assert document["files"] == [str(out)]
    assert motion.notes == ()
    for name in ("time", "q", "qd", "qdd"):
        np.testing.assert_array_equal(getattr(motion, name), getattr(given, name))
    found = {
        "motor_position": use.position,
        "motor_torque": use.torque,
        "current": use.current,
        "voltage": use.voltage,
    }
    assert set(motion.columns) == set(found)
    for name, values in found.items():
        assert values is not None
        np.testing.assert_array_equal(motion.columns[name], values)


def test_what_was_measured_at_joints_is_kept_and_at_motors_replaced(armdyn: Armdyn, tmp_path: Path) -> None:
    log, out = tmp_path / "log.csv", tmp_path / "out.csv"
    robot = load("lola15")
    motion = read_motion(LOLA15, robot)
    zeros, lines = np.zeros_like(motion.q), np.arange(201)
    write_motion(
        log,
        motion.time,
        {"q": motion.q, "tau": zeros, "motor_torque": zeros, "current": zeros, "line": lines},
    )
    notes = armdyn("motors", "lola15", str(log), "--out", str(out), "--json").document["notes"]
    assert "motor_torque, current in the file: not used, and replaced where --out writes" in notes
    columns = read_motion(out, robot).columns
    assert set(columns) == {"tau", "motor_position", "motor_torque", "line"}
    np.testing.assert_array_equal(columns["tau"], zeros)
    np.testing.assert_array_equal(columns["line"], lines)
    np.testing.assert_array_equal(columns["motor_torque"], asked("lola15", LOLA15).torque)


def test_a_figure_is_drawn(armdyn: Armdyn, tmp_path: Path) -> None:
    figure, out = tmp_path / "use.png", tmp_path / "use.parquet"
    said = armdyn("motors", "lola15", LOLA15, "--figure", str(figure), "--out", str(out))
    assert said.out.endswith(f"file: {out}\nfile: {figure}\n")
    assert figure.read_bytes().startswith(b"\x89PNG")


def test_a_capital_suffix_is_a_suffix(armdyn: Armdyn, folder: Path) -> None:
    assert armdyn("motors", "planar2", "good.csv", "--figure", "USE.PNG").code == 0
    assert (folder / "USE.PNG").read_bytes().startswith(b"\x89PNG")


FULL_DISK = """
import resource, sys
from armdyn.cli.main import main
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))  # bytes a file may have, as if the disk were full
main()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("--out", "a.parquet"),
        *(pytest.param(*w, marks=pytest.mark.slow) for w in (("--out", "a.csv"), ("--figure", "a.png"))),
    ],
)
def test_a_full_disk_leaves_what_was_there(tmp_path: Path, option: str, name: str) -> None:
    path = tmp_path / name
    path.write_text("old")
    command = [sys.executable, "-c", FULL_DISK, "motors", "irb6", IRB6, option, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr == f"armdyn: {path}: cannot be written, File too large\n"
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(
    "options", [("--json",), *(pytest.param(w, marks=pytest.mark.slow) for w in ((), ("--strict",)))]
)
def test_a_full_output_gives_one_sentence(options: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "armdyn", "motors", "irb6", IRB6, *options]
    with Path("/dev/full").open("w") as full:
        run = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert run.returncode == 2
    assert re.fullmatch(r"armdyn: .*No space left on device\n", run.stderr)


# Bad input ------------------------------------------------------------------------------------

FILES = {
    "good.csv": "time,q1,q2\n0,0,0\n1,1,1\n",
    "six.csv": "time,q1,q2,q3,q4,q5,q6\n0,0,0,0,0,0,0\n1,1,1,1,1,1,1\n",
    "empty.csv": "",
    "short.csv": "time,q1\n0,0\n",
    "word.csv": "time,q1,q2\n0,0,zero\n",
    "back.csv": "time,q1,q2\n0,0,0\n-1,1,1\n",
    "names.csv": "time,\x1b[31mq1\n0,0\n",
    "tiny.csv": "time,q1,q2\n0,0,0\n1e-320,1,1\n2e-320,0,0\n",
    "fast.csv": "time,q1,q2\n0,0,0\n1,1e300,1\n",
    "junk.parquet": "PAR1 junk",
    "motion.txt": "time",
}
REFUSED = [
    ("motors planar2", "Missing argument 'MOTION'"),
    ("motors planar2 nowhere.csv", "nowhere.csv: no such file"),
    ("motors planar2 folder.csv", "folder.csv: cannot be read, Is a directory"),
    ("motors planar2 motion.txt", 'motion "motion.txt" ends in ".txt", expected .csv or .parquet'),
    ("motors planar2 empty.csv", "empty.csv: the file is empty, expected the names of columns: time,q1,.."),
    (
        "motors planar2 short.csv",
        'short.csv: no column "q2" among "time", "q1"; robot "planar2" needs q1 to q2',
    ),
    ("motors planar2 word.csv", 'word.csv, line 2, column "q2": "zero" is not a number, expected a number'),
    ("motors planar2 back.csv", "back.csv, line 3: time goes from 0 to -1 s, expected increasing instants"),
    ("motors planar2 names.csv", "names.csv: line 1 has characters that no name has, expected a CSV file"),
    ("motors planar2 junk.parquet", "junk.parquet: not a Parquet file that can be read"),
    ("motors pendulum good.csv", 'good.csv: column "q2" is of no joint; robot "pendulum" has 1, expected q1'),
    ("motors planar2 good.csv --out a.txt", 'motion "a.txt" ends in ".txt", expected .csv or .parquet'),
    ("motors planar2 good.csv --out no/a.csv", 'motion "no/a.csv": there is no folder "no"; make it first'),
    (
        "motors planar2 good.csv --out good.csv",
        '--out "good.csv" is the motion itself, expected another file',
    ),
    (
        "motors planar2 good.csv --out link.csv",
        '--out "link.csv" is the motion itself, expected another file',
    ),
    ("motors planar2 good.csv --out folder.csv", "folder.csv: cannot be written, Is a directory"),
    ("motors planar2 good.csv --figure a.gif", 'figure "a.gif" ends in ".gif", expected .svg, .png, .pdf'),
    (
        "motors planar2 good.csv --out pipe.csv",
        "cannot be written, it is a device or a pipe, expected a file",
    ),
    ("motors planar2 good.csv --out loop.csv", "loop.csv: cannot be written, "),
    (
        "motors planar2 good.csv --lock 1=0",
        "--lock is not for a motion from a file: it says how every joint moves",
    ),
    ("motors planar2 good.csv --degrees", "--degrees is not for files: title the columns q1[deg]"),
    ("motors planar2 tiny.csv", "tiny.csv: velocities and accelerations cannot be derived, steps of time"),
    (
        "motors planar2 fast.csv",
        'robot "planar2": no finite motor torques at sample 1 (time 0 s); the motion, the wrench or the',
    ),
    ("motors planar2 good.csv --wrench 1,2", "--wrench has 2 values, expected 6"),
    ("motors planar2 good.csv --at 1,2,3", "--at says where a wrench acts, but there is none; add --wrench"),
    ("motors planar2 good.csv --motors exakt", "'exakt' is not one of 'exact', 'augmented', 'coupled'"),
    (
        "motors ur5 six.csv",
        'robot "ur5": no drives for 6 joints, motor torques need as many drives as joints',
    ),
    ("motors lola51 six.csv", 'no robot "lola51"; did you mean "lola15"? `armdyn robots` lists all'),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files, few of them motions."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "link.csv").symlink_to("good.csv")
    (tmp_path / "loop.csv").symlink_to("loop.csv")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "pipe.csv").symlink_to("pipe")  # no device: root could replace that of the machine
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("command", "sentence"), REFUSED, ids=[command for command, _ in REFUSED])
@pytest.mark.parametrize("json", [(), ("--json",)], ids=["table", "json"])
def test_bad_input_gives_one_sentence(
    armdyn: Armdyn, folder: Path, command: str, sentence: str, json: tuple[str, ...]
) -> None:
    before = sorted(folder.iterdir())
    assert_refused(armdyn(*command.split(), *json), sentence)
    assert sorted(folder.iterdir()) == before
    assert (folder / "good.csv").read_text() == FILES["good.csv"]


# The process, and the page --------------------------------------------------------------------


def test_a_process_prints_one_document_and_nothing_else() -> None:
    assert process("motors", "lola15", LOLA15, "--json").document["notes"] == SPLINE
