"""Motions in files: read as written, units, missing columns, one sentence on bad files, written whole."""

import contextlib
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError, ShapeError
from armdyn.formats import load, motion_tables
from armdyn.formats.motions import Motion, read_motion, write_motion

ROUNDING = 1e-15
"""Relative: a conversion of units."""
SPLINE = {"qd": 1e-5, "qdd": 2e-3}
"""Largest error of a cubic spline through 101 samples of a sine over 2 s."""
RESTING = "derived speeds below 0.0001 of a joint's largest count as rest"

PLANAR2, SLIDING, IRB6 = load("planar2"), load("planar_pr"), load("irb6")
EXAMPLES = Path(__file__).parents[2] / "examples" / "motions"

TEXT = "time,q1,q2,qd1,qd2,qdd1,qdd2\n0,1,2,3,4,5,6\n0.5,7,8,9,10,11,12\n"


def written(folder: Path, text: str | bytes, name: str = "motion.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def sine(samples: int = 101) -> dict[str, Any]:
    t = np.linspace(0.0, 2.0, samples)
    q = np.column_stack([np.sin(t), np.cos(t)])
    return {"time": t, "q": q, "qd": np.column_stack([np.cos(t), -np.sin(t)]), "qdd": -q}


def columns_of(motion: Motion) -> dict[str, Any]:
    return {"q": motion.q, "qd": motion.qd, "qdd": motion.qdd, **motion.columns}


# Reading --------------------------------------------------------------------------------------


def test_a_motion_is_read_as_written(tmp_path: Path) -> None:
    motion = read_motion(written(tmp_path, TEXT), PLANAR2)
    np.testing.assert_array_equal(motion.time, [0.0, 0.5])
    np.testing.assert_array_equal(motion.q, [[1, 2], [7, 8]])
    np.testing.assert_array_equal(motion.qd, [[3, 4], [9, 10]])
    np.testing.assert_array_equal(motion.qdd, [[5, 6], [11, 12]])
    assert (motion.columns, motion.notes) == ({}, ())


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace(",", " , "),
        lambda text: text.rstrip("\n"),
        lambda text: text.replace("\n", "\n\n") + "\n\n",
        lambda text: re.sub(r"([\w.]+)", r'"\1"', text),
    ],
    ids=["BOM", "CRLF", "spaces", "no last newline", "blank lines", "quotes"],
)
def test_what_spreadsheets_write_is_read(tmp_path: Path, change: Any) -> None:
    motion = read_motion(written(tmp_path, change(TEXT)), PLANAR2)
    np.testing.assert_array_equal(motion.qdd, [[5, 6], [11, 12]])
    assert motion.notes == ()


def test_columns_come_in_any_order_and_capital_suffixes_are_suffixes(tmp_path: Path) -> None:
    path = written(tmp_path, "q2,time,q1\n2,0,1\n4,1,3\n", "motion.CSV")
    np.testing.assert_array_equal(read_motion(path, PLANAR2).q, [[1, 2], [3, 4]])


def test_units_in_titles_become_si_by_the_kind_of_joint(tmp_path: Path) -> None:
    """planar_pr slides, then turns."""
    assert [joint.kind for joint in SLIDING.joints] == ["prismatic", "revolute"]
    text = (
        "time[ms],q1[mm],q2 [deg],qd1[cm/s],qd2[rpm],qdd1[mm/s^2],qdd2[deg/s^2],tau1[N],tau2[N*m]\n"
        "0,200,90,10,30,1000,180,1,2\n500,300,180,20,60,2000,360,3,4\n"
    )
    motion = read_motion(written(tmp_path, text), SLIDING)
    np.testing.assert_allclose(motion.time, [0.0, 0.5], rtol=ROUNDING)
    np.testing.assert_allclose(motion.q, [[0.2, math.pi / 2], [0.3, math.pi]], rtol=ROUNDING)
    np.testing.assert_allclose(motion.qd, [[0.1, math.pi], [0.2, 2 * math.pi]], rtol=ROUNDING)
    np.testing.assert_allclose(motion.qdd, [[1.0, math.pi], [2.0, 2 * math.pi]], rtol=ROUNDING)
    np.testing.assert_array_equal(motion.columns["tau"], [[1, 2], [3, 4]])


def test_missing_velocities_and_accelerations_come_from_splines(tmp_path: Path) -> None:
    truth = sine()
    path = tmp_path / "motion.csv"
    for given, notes in [
        ((), ["qd and qdd derived from a cubic spline through q", RESTING]),
        (("qd",), ["qdd derived from a cubic spline through qd"]),
        (("qdd",), ["qd derived from a cubic spline through q", RESTING]),
    ]:
        write_motion(path, truth["time"], {name: truth[name] for name in ("q", *given)})
        motion = read_motion(path, PLANAR2)
        assert motion.notes == tuple(f"motion.csv: {note}" for note in notes)
        for name in ("qd", "qdd"):
            error = np.abs(getattr(motion, name) - truth[name]).max()
            assert error <= (0 if name in given else SPLINE[name]), (given, name)


def test_accelerations_are_those_of_the_velocities_that_are_given(tmp_path: Path) -> None:
    """qd = t^2 and -3 t^2 beside a q that stands still: a spline through them is exact."""
    t = np.linspace(0.0, 2.0, 21)
    qd = np.column_stack([t**2, -3 * t**2])
    write_motion(tmp_path / "motion.csv", t, {"q": np.zeros((21, 2)), "qd": qd})
    motion = read_motion(tmp_path / "motion.csv", PLANAR2)
    np.testing.assert_array_equal(motion.qd, qd)
    np.testing.assert_allclose(motion.qdd, np.column_stack([2 * t, -6 * t]), rtol=0, atol=1e-12)


def dwelling(samples: int) -> tuple[Any, Any, Any]:
    """1 s of motion, 1 s of rest, 1 s of motion, without a jump of acceleration; and when it rests."""
    t = np.linspace(0.0, 3.0, samples)
    x = np.clip(t, 0, 1) + np.clip(t - 2, 0, 1)
    way = x - np.sin(2 * math.pi * x) / (2 * math.pi)
    return t, np.outer(way, [1.0, 0.4, -0.4, 0.6, 1.0]), (t > 0.999) & (t < 2.001)


@pytest.mark.parametrize("samples", [151, 301, 1501])
def test_a_spline_does_not_ring_in_a_dwell(tmp_path: Path, samples: int) -> None:
    t, q, rests = dwelling(samples)
    write_motion(tmp_path / "motion.csv", t, {"q": q})
    motion = read_motion(tmp_path / "motion.csv", IRB6)
    still = [x[rests] for x in (motion.q, motion.qd, motion.qdd)]
    assert [np.count_nonzero(x) for x in still[1:]] == [0, 0]
    dyn = Dynamics(IRB6)
    nothing = np.zeros((np.count_nonzero(rests), len(dyn.friction_points)))
    np.testing.assert_array_equal(dyn.resistances(*still), nothing)
    assert np.count_nonzero(motion.qd[0]) == 0  # and not the wrong way at the start


def test_derived_accelerations_do_not_ring_where_given_speeds_rest(tmp_path: Path) -> None:
    t, q, rests = dwelling(301)
    qd = np.where(rests[:, None], 0.0, np.gradient(q, t, axis=0))
    write_motion(tmp_path / "motion.csv", t, {"q": q, "qd": qd})
    motion = read_motion(tmp_path / "motion.csv", IRB6)
    np.testing.assert_array_equal(motion.qd, qd)
    middle = (t > 1.2) & (t < 1.8)
    assert np.count_nonzero(motion.qdd[middle]) == 0


def test_what_is_given_does_not_count_as_rest(tmp_path: Path) -> None:
    motion = {name: np.array([[1e-9, 1.0], [1.0, 1e-9]]) for name in ("q", "qd", "qdd")}
    write_motion(tmp_path / "motion.csv", [0.0, 1.0], motion)
    read = read_motion(tmp_path / "motion.csv", PLANAR2)
    np.testing.assert_array_equal(read.qd, motion["qd"])
    np.testing.assert_array_equal(read.qdd, motion["qdd"])


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(
    "rows",
    ["0,0,0\n1e-320,1,1\n2e-320,0,0\n", "-1e308,0,0\n1.7e308,1,1\n", "0,0,0\n1,1.7e308,0\n2,-1.7e308,0\n"],
    ids=["tiny steps", "huge steps", "huge way"],
)
def test_what_no_spline_goes_through_gives_one_sentence(tmp_path: Path, rows: str) -> None:
    sentence = r"motion\.csv: velocities and accelerations cannot be derived, steps of time are too small or "
    with pytest.raises(InputError, match=sentence):
        read_motion(written(tmp_path, f"time,q1,q2\n{rows}"), PLANAR2)


@pytest.mark.parametrize("samples", [2, 3])
def test_few_samples_are_enough_for_a_spline(tmp_path: Path, samples: int) -> None:
    t = np.arange(samples, dtype=float)
    write_motion(tmp_path / "motion.csv", t, {"q": np.column_stack([2 * t, -t])})
    motion = read_motion(tmp_path / "motion.csv", PLANAR2)
    np.testing.assert_allclose(motion.qd, [[2, -1]] * samples, atol=1e-12)
    np.testing.assert_allclose(motion.qdd, 0 * motion.q, atol=1e-12)


def test_what_says_nothing_about_the_robot_is_left_out_and_named(tmp_path: Path) -> None:
    """planar2 has two drives; temperatures may be words."""
    assert len(PLANAR2.drives) == 2
    text = TEXT.replace("\n", ",warm\n", 1).replace("6\n", "6,yes\n").replace("12\n", "12,no\n")
    text = text.replace("time", "current3,time").replace("\n0", "\n1,0")
    motion = read_motion(written(tmp_path, text), PLANAR2)
    assert motion.notes == ('motion.csv: columns that are left out: "current3", "warm"',)
    assert motion.columns == {}


def test_a_motor_without_a_column_has_nan(tmp_path: Path) -> None:
    text = "time,q1,q2,current2[mA],line,move\n0,0,0,500,7,1\n1,0,0,600,8,2\n"
    columns = read_motion(written(tmp_path, text), PLANAR2).columns
    np.testing.assert_array_equal(columns["current"], [[math.nan, 0.5], [math.nan, 0.6]])
    assert (columns["line"].tolist(), columns["move"].tolist()) == ([7, 8], [1, 2])


@pytest.mark.parametrize(("name", "first"), [("lola15", -0.8), ("irb6", -math.pi / 4)])
def test_the_examples_are_motions(name: str, first: float) -> None:
    motion = read_motion(EXAMPLES / f"{name}_swing.csv", load(name))
    assert len(motion.time) == 201
    assert motion.q[0, 0] == pytest.approx(first, rel=1e-12)
    np.testing.assert_array_equal(motion.q[0], motion.q[-1])


# Writing --------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".CSV"])
def test_a_written_motion_is_the_motion_to_the_last_bit(tmp_path: Path, suffix: str) -> None:
    rng = np.random.default_rng(5)
    scales = 10.0 ** rng.integers(-300, 300, size=(50, 2))
    names = ("q", "qd", "qdd", "tau", "motor_torque", "current", "voltage", "q_programmed", "motor_position")
    columns = {name: rng.normal(size=(50, 2)) * scales for name in names}
    columns |= {"line": np.arange(50.0), "move": np.arange(50.0) // 10}
    time = np.cumsum(rng.uniform(0.001, 1, 50))
    path = tmp_path / f"motion{suffix}"
    write_motion(path, time, columns)
    motion = read_motion(path, PLANAR2)
    np.testing.assert_array_equal(motion.time, time)
    assert set(columns_of(motion)) == set(columns)
    for name, values in columns_of(motion).items():
        np.testing.assert_array_equal(values, columns[name], err_msg=name)
    assert motion.notes == ()


def test_the_text_is_plain(tmp_path: Path) -> None:
    current = np.array([[math.nan, 0.5], [math.nan, 0.25]])
    columns = {"move": np.array([1.0, 2.0]), "current": current, "q": np.array([[0.1, 2.0], [-3.0, 1e-7]])}
    write_motion(tmp_path / "motion.csv", np.array([0.0, 0.5]), columns)
    first, *rows = (tmp_path / "motion.csv").read_text().splitlines()
    assert first == "time,q1,q2,current2,move"
    assert [[float(x) for x in row.split(",")] for row in rows] == [
        [0, 0.1, 2, 0.5, 1],
        [0.5, -3, 1e-7, 0.25, 2],
    ]
    assert rows[0].endswith(",1")


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"q": np.zeros((3, 2))}, r"^q has shape \(3, 2\); there are 2 instants, expected \(2, \.\.\)$"),
        ({"line": np.zeros((2, 1))}, r"^line has shape \(2, 1\); there are 2 instants, expected \(2,\)$"),
        ({"q7": np.zeros(2)}, r'^a motion has no column "q7", expected one of q, qd, '),
        ({"q": [[0.0], [math.nan]]}, r"^q1 has nan at sample 2, expected finite numbers$"),
        ({"current": [[0.0], [math.nan]]}, r"^current1 has nan at sample 2, expected finite numbers$"),
        ({"q": [["a"], ["b"]]}, r"^q is not an array of numbers, expected one row for each sample$"),
        ({"q": [[0.0], [0.0, 1.0]]}, r"^q is not an array of numbers"),
        (
            {"q": np.zeros((2, 2)), "qd": np.zeros((2, 3))},
            r"^qd has shape \(2, 3\); q has 2 joints, expected \(2, 2\)$",
        ),
        (
            {"current": np.zeros((2, 1)), "voltage": np.zeros((2, 2))},
            r"^voltage has .*; current has 1 motor, expected",
        ),
        ({"q": np.zeros((2, 0))}, r"^q has shape \(2, 0\); a robot has joints, expected \(2, n\)$"),
        ({"line": [0.0, 0.5]}, r"^line has 0\.5 at sample 2, expected whole numbers below 2\^63$"),
        (
            {"move": [2.0**63, 0.0]},
            r"^move has 9\.22337e\+18 at sample 1, expected whole numbers below 2\^63$",
        ),
        ({"move": [math.nan, 0.0]}, r"^move has nan at sample 1, expected finite numbers$"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path: Path, columns: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        write_motion(tmp_path / "motion.csv", np.array([0.0, 1.0]), columns)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("time", "sentence"),
    [
        ([0.0, 1.0, 1.0], r"^time goes from 1 to 1 s at sample 3, expected increasing instants$"),
        ([0.0, -1.0], r"^time goes from 0 to -1 s at sample 2, expected increasing instants$"),
        ([0.0, math.nan], r"^time goes from 0 to nan s at sample 2"),
        ([0.0, math.inf], r"^time has inf at sample 2, expected finite numbers$"),
        ([0.0], r"^time has shape \(1,\); a motion has two or more samples"),
        (["a", "b"], r"^time is not an array of numbers"),
    ],
)
def test_time_that_could_not_be_read_again_is_not_written(tmp_path: Path, time: Any, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        write_motion(tmp_path / "motion.csv", time, {})
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_shape_is_a_shape_error(tmp_path: Path) -> None:
    with pytest.raises(ShapeError):
        write_motion(tmp_path / "motion.csv", np.array([0.0, 1.0]), {"q": np.zeros(2)})
    with pytest.raises(
        ShapeError, match=r"^time has shape \(1, 2\); a motion has one instant for each sample"
    ):
        write_motion(tmp_path / "motion.csv", [[0.0, 1.0]], {})


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ("missing/motion.csv", "No such file or directory"),
        ("file/motion.csv", "Not a directory"),
        ("folder.csv", "Is a directory"),
        ("folder.parquet", "Is a directory"),
        ("a" * 300 + ".csv", "File name too long"),
    ],
    ids=["missing folder", "folder is a file", "CSV is a folder", "Parquet is a folder", "long name"],
)
def test_a_place_that_cannot_be_written_is_named(tmp_path: Path, place: str, reason: str) -> None:
    written(tmp_path, "old", "file")
    for name in ("folder.csv", "folder.parquet"):
        (tmp_path / name).mkdir()
    with pytest.raises(InputError, match=rf"{place}: cannot be written, {reason}$"):
        write_motion(tmp_path / place, np.array([0.0, 1.0]), {})
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file", "folder.csv", "folder.parquet"]


FULL_DISK = """
import resource, sys
import numpy as np
from armdyn import ArmdynError
from armdyn.formats.motions import write_motion
t = np.sort(np.random.default_rng(5).random(100000))
resource.setrlimit(resource.RLIMIT_FSIZE, (512, 512))  # bytes a file may have, as if the disk were full
try:
    write_motion(sys.argv[1], t, {"q": t[:, None]})
except ArmdynError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits are POSIX")
@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_full_disk_leaves_what_was_there_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, TEXT, f"motion{suffix}")
    command = [sys.executable, "-c", FULL_DISK, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert (run.stdout, run.stderr) == (f"{path}: cannot be written, File too large\n", "")
    assert [p.read_text() for p in tmp_path.iterdir()] == [TEXT]


def test_an_interruption_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(self: Path, target: Path) -> None:
        raise KeyboardInterrupt

    path = written(tmp_path, TEXT)
    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_motion(path, np.array([0.0, 1.0]), {})
    assert [p.read_text() for p in tmp_path.iterdir()] == [TEXT]


def test_writing_through_a_link_keeps_link_and_mode(tmp_path: Path) -> None:
    target, link = written(tmp_path, "old"), tmp_path / "link.csv"
    target.chmod(0o640)
    link.symlink_to(target)
    write_motion(link, np.array([0.0, 1.0]), {"line": np.array([1, 2])})
    assert link.is_symlink()
    assert target.stat().st_mode & 0o777 == 0o640
    assert target.read_text() == "time,line\n0,1\n1,2\n"


# Bad files ------------------------------------------------------------------------------------

ROWS = "0,1,2\n1,3,4\n"

REFUSED: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", ": the file is empty, expected the names of columns: time,q1,.."),
    "blank line": ("\n0,1,2\n", ": line 1 is blank, expected the names of columns: time,q1,.."),
    "titles alone": ("time,q1,q2\n", ": no samples below the names of the columns, expected two or more"),
    "blank rows": ("time,q1,q2\n\n\n", ": no samples below the names of the columns, expected two or more"),
    "one sample": (
        "time,q1,q2\n0,1,2\n",
        ": one sample below the names of the columns, expected two or more",
    ),
    "no titles": (ROWS, ': no column "time" among "0", "1", "2"; it has the instants in s'),
    "no time": (
        f"q1,q2,warm\n{ROWS}",
        ': no column "time" among "q1", "q2", "warm"; it has the instants in s',
    ),
    "Time": (f"Time,q1,q2\n{ROWS}", 'no column "time" among "Time", "q1", "q2"; did you mean "time"? it has'),
    "no q2": ("time,q1\n0,1\n1,2\n", ': no column "q2" among "time", "q1"; robot "planar2" needs q1 to q2'),
    "no qd2": (
        f"time,q1,q2,qd1\n{ROWS}",
        ': no column "qd2" among "time", "q1", "q2", "qd1"; robot "planar2" needs',
    ),
    "q3": (
        f"time,q1,q2,q3\n{ROWS}",
        ': column "q3" is of no joint; robot "planar2" has 2, expected q1 to q2',
    ),
    "q0": (f"time,q0,q1\n{ROWS}", ': column "q0" is of no joint; robot "planar2" has 2, expected q1 to q2'),
    "twice": (f"time,q1,q1,q2\n{ROWS}", ': columns "q1" and "q1" say the same, expected one'),
    "two units": (f"time,q1,q1[deg],q2\n{ROWS}", ': columns "q1" and "q1[deg]" say the same, expected one'),
    "two times": (
        f"time,q1,q2,time[ms]\n{ROWS}",
        ': columns "time" and "time[ms]" say the same, expected one',
    ),
    "NaN": (
        "time,q1,q2\n0,1,2\n1,nan,4\n",
        ', line 3, column "q1": "nan" is not a finite number, expected a',
    ),
    "infinity": (
        "time,q1,q2\n0,1,-inf\n",
        ', line 2, column "q2": "-inf" is not a finite number, expected a',
    ),
    "too large": ("time,q1,q2\n0,1,1e999\n", ', line 2, column "q2": "1e999" is not a finite number'),
    "word": (
        "time,q1,q2\n0,1,2\n\n1,one,4\n",
        ', line 4, column "q1": "one" is not a number, expected a number',
    ),
    "underscore": (
        "time,q1,q2\n0,1_0,2\n",
        ', line 2, column "q1": "1_0" is not a number, expected a number',
    ),
    "no cell": ("time,q1,q2\n0,,2\n1,3,4\n", ', line 2, column "q1": the cell is empty, expected a number'),
    "few cells": ("time,q1,q2\n0,1,2\n1,3\n", ", line 3: 2 cells, expected 3 as line 1 has"),
    "many cells": ("time,q1,q2\n0,1,2,3\n", ", line 2: 4 cells, expected 3 as line 1 has"),
    "decimal commas": ("time,q1,q2\n0,5,1,5,2,5\n", ", line 2: 6 cells, expected 3 as line 1 has"),
    "open quote": ('time,q1,q2\n0,1,"2\n1,3,4\n', ', line 2, column "q2": "2 1,3,4" is not a number'),
    "semicolons": ("time;q1;q2\n0;1;2\n", ": line 1 has semicolons between the names, expected commas"),
    "not later": (
        "time,q1,q2\n0,1,2\n\n0,3,4\n",
        ", line 4: time goes from 0 to 0 s, expected increasing instants",
    ),
    "back": (
        "time[ms],q1,q2\n20,1,2\n10,3,4\n",
        ", line 3: time goes from 0.02 to 0.01 s, expected increasing",
    ),
    "unit": (
        f"time,q1[kg],q2\n{ROWS}",
        ': column "q1[kg]": "kg" is no known unit of an angle, expected rad or one',
    ),
    "length": (
        f"time,q1[mm],q2\n{ROWS}",
        ': column "q1[mm]": "mm" is no known unit of an angle, expected rad',
    ),
    "no unit": (
        f"time,q1[],q2\n{ROWS}",
        ': column "q1[]": "" is no known unit of an angle, expected rad or one',
    ),
    "odd unit": (f"time,q1[2 deg],q2\n{ROWS}", ': column "q1[2 deg]": "2 deg" is no known unit of an angle'),
    "day": (
        f"time[day],q1,q2\n{ROWS}",
        ': column "time[day]": "day" is no known unit of a time, expected s or one',
    ),
    "part of a line": (
        "time,q1,q2,line\n0,1,2,3\n1,3,4,3.5\n",
        ', line 3, column "line": 3.5 is not a whole number, expected one below 2^63',
    ),
    "latin-1": ("time,q1[°],q2\n".encode("latin-1"), ": not UTF-8 text (byte 8), expected a CSV file"),
    "UTF-16": (TEXT.encode("utf-16"), ": not UTF-8 text (byte 0), expected a CSV file"),
    "null bytes": (b"\0" * 100, ": line 1 has characters that no name has, expected a CSV file"),
    "ELF": (b"\x7fELF\x02\x01", ": line 1 has characters that no name has, expected a CSV file"),
    "old Mac": ("time,q1,q2\r0,1,2\r", ": line 1 has characters that no name has, expected a CSV file"),
    "junk below": (b"time,q1,q2\n\xff\xfe\0,1,2\n", ', line 2, column "time": '),
    "long line": (
        b"time," + b"q" * 2**17,
        ": line 1 has more than 65536 bytes, expected the names of columns",
    ),
    "long titles": (f"{'a' * 5000},{'b' * 5000}\n", ': no column "time" among "aaaaaaaaaaaaaaaaa...", "bbb'),
    "many titles": (",".join(f"a{k}" for k in range(9999)), '"a7", ..; it has the instants in s'),
    "huge number": (f"time,q{'9' * 5000},q2\n{ROWS}", ': no column "q1" among "time", "q999'),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_bad_file_gives_one_sentence(tmp_path: Path, case: str) -> None:
    data, sentence = REFUSED[case]
    path = written(tmp_path, data)
    with pytest.raises(InputError) as caught:
        read_motion(path, PLANAR2)
    said = " ".join(str(caught.value).split())
    assert said.startswith(f"{path}")
    assert sentence in said
    assert len(said) < 500 + len(str(path))


def test_a_motion_of_one_joint_is_asked_for_one_column(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r'robot "pendulum" needs q1$'):
        read_motion(written(tmp_path, "time\n0\n1\n"), load("pendulum"))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_file_that_is_not_there_is_named(tmp_path: Path, suffix: str) -> None:
    with pytest.raises(InputError, match=rf"nowhere\{suffix}: no such file$"):
        read_motion(tmp_path / f"nowhere{suffix}", PLANAR2)
    (tmp_path / f"folder{suffix}").mkdir()
    with pytest.raises(InputError, match=rf"folder\{suffix}: cannot be read, Is a directory$"):
        read_motion(tmp_path / f"folder{suffix}", PLANAR2)
    with pytest.raises(InputError, match=r"cannot be read, .*null"):
        read_motion(f"a\0b{suffix}", PLANAR2)


@pytest.mark.parametrize("name", ["motion.txt", "motion", "motion.csv.gz"])
def test_an_unknown_kind_lists_the_known_ones(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, TEXT, name)
    sentence = rf'^motion ".*" ends in "{path.suffix}", expected \.csv or \.parquet$'
    with pytest.raises(InputError, match=sentence):
        read_motion(path, PLANAR2)
    with pytest.raises(InputError, match=sentence):
        write_motion(path, np.array([0.0, 1.0]), {})
    assert path.read_text() == TEXT


def test_a_file_that_never_ends_is_refused(tmp_path: Path) -> None:
    (tmp_path / "motion.csv").symlink_to("/dev/zero")
    with pytest.raises(InputError, match="it is a pipe or a device, expected a file"):
        read_motion(tmp_path / "motion.csv", PLANAR2)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_a_file_larger_than_memory_is_refused(
    tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"motion{suffix}"
    write_motion(path, np.arange(1000.0), {"q": np.zeros((1000, 2))})
    monkeypatch.setattr(motion_tables, "LARGEST_FILE", 2**12)
    with pytest.raises(InputError, match=r"than 3\.8147e-06 GiB"):
        read_motion(path, PLANAR2)


# Parquet --------------------------------------------------------------------------------------


def parquet(folder: Path, names: list[str], *columns: Any) -> Path:
    """A Parquet file that armdyn did not write."""
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    path = folder / "motion.parquet"
    pq.write_table(pa.Table.from_arrays([pa.array(column) for column in columns], names=names), path)
    return path


def test_whole_numbers_and_units_in_parquet_are_read(tmp_path: Path) -> None:
    path = parquet(tmp_path, ["q2[deg]", "time", "q1", "robot"], [180, 90], [0, 1], [0.5, 1.5], ["a", "b"])
    motion = read_motion(path, PLANAR2)
    np.testing.assert_allclose(motion.q, [[0.5, math.pi], [1.5, math.pi / 2]], rtol=ROUNDING)
    assert 'motion.parquet: columns that are left out: "robot"' in motion.notes


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        (([0.0, 1.0], [0.0, None], [0.0, 0.0]), ', sample 2, column "q1": nan is not a finite number'),
        (([0.0, 1.0], [0.0, 0.0], [math.inf, 0.0]), ', sample 1, column "q2": inf is not a finite number'),
        (([0.0, 1.0], ["a", "b"], [0.0, 0.0]), ': column "q1" holds string, expected numbers'),
        (([0.0, 1.0], [True, False], [0.0, 0.0]), ': column "q1" holds bool, expected numbers'),
        (([0.0, 1.0], [[1.0], [2.0]], [0.0, 0.0]), ': column "q1" holds list'),
        (([1.0, 0.0], [0.0, 0.0], [0.0, 0.0]), ", sample 2: time goes from 1 to 0 s, expected increasing"),
        (([], [], []), ': column "time" holds null, expected numbers'),
    ],
)
def test_bad_parquet_gives_one_sentence(tmp_path: Path, columns: Any, sentence: str) -> None:
    path = parquet(tmp_path, ["time", "q1", "q2"], *columns)
    with pytest.raises(InputError) as caught:
        read_motion(path, PLANAR2)
    assert str(caught.value).startswith(f"{path}{sentence}")


def test_twice_the_same_column_in_parquet(tmp_path: Path) -> None:
    path = parquet(tmp_path, ["time", "q1", "q1", "q2"], *[[0.0, 1.0]] * 4)
    with pytest.raises(InputError, match=r'columns "q1" and "q1" say the same'):
        read_motion(path, PLANAR2)


def test_junk_is_no_parquet(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    for data in (b"", b"PAR1", TEXT.encode(), b"PAR1" + rng.bytes(500) + b"PAR1", rng.bytes(5000)):
        with pytest.raises(InputError, match=r"motion\.parquet: not a Parquet file that can be read$"):
            read_motion(written(tmp_path, data, "motion.parquet"), PLANAR2)


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_parquet_is_refused_or_read(tmp_path: Path, seed: int) -> None:
    """Bytes changed anywhere: a sentence, or numbers that happen to be a motion."""
    path = tmp_path / "motion.parquet"
    motion = sine(50)
    write_motion(path, motion.pop("time"), motion)
    data, rng = bytearray(path.read_bytes()), np.random.default_rng(seed)
    for place in rng.integers(len(data), size=8):
        data[place] = rng.integers(256)
    path.write_bytes(data)
    with contextlib.suppress(InputError):
        assert len(read_motion(path, PLANAR2).q) == len(read_motion(path, PLANAR2).time)


def test_a_number_changed_in_parquet_is_seen(tmp_path: Path) -> None:
    """One bit of one position: still a motion, but not the one that was written."""
    path, rng = tmp_path / "motion.parquet", np.random.default_rng(5)
    q = rng.normal(size=(50, 2))
    write_motion(path, np.arange(50.0), {"q": q})
    data = bytearray(path.read_bytes())
    place = data.find(q[20, 0].tobytes())
    assert place >= 0
    data[place] ^= 1
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"motion\.parquet: damaged, its columns cannot be read$"):
        read_motion(path, PLANAR2)


# What is imported -----------------------------------------------------------------------------


def test_reading_motions_is_paid_for_by_those_who_do() -> None:
    program = (
        "import sys, armdyn, armdyn.cli.main\n"
        "print([m for m in ('pyarrow', 'scipy', 'matplotlib') if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
