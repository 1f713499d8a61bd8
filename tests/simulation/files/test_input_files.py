"""What drives an arm, from files: samples and schedules read as written, one sentence on bad ones."""

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.errors import InputError, MissingDataError
from armdyn.formats import load
from armdyn.formats.motions import write_motion
from armdyn.simulation.changes import Grasp, Release, robots_after
from armdyn.simulation.files import schedules
from armdyn.simulation.files.input_files import read_input

ROUNDING = 1e-15
"""Relative: a conversion of units."""
PLANAR2, SLIDING, IRB6 = load("planar2"), load("planar_pr"), load("irb6")
UNDRIVEN = load("panda")

SAMPLES = "time,current1,current2\n0,1,2\n0.5,3,-2\n1,3,0\n"
SCHEDULE = """
kind = "current"

[[steps]]
time = 0.0
values = [1, "500 mA"]

[[steps]]
time = "200 ms"
values = [3, 0.5]
ramp = true

[[steps]]
time = 1
values = [0, 0]
"""


def written(folder: Path, text: str | bytes, name: str = "input.csv") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def scheduled(folder: Path, text: str, robot: Any = PLANAR2) -> Any:
    return read_input(written(folder, text, "input.toml"), robot)


# Samples --------------------------------------------------------------------------------------


def test_samples_are_joined_by_lines(tmp_path: Path) -> None:
    found = read_input(written(tmp_path, SAMPLES), PLANAR2)
    assert found.kind == "current"
    assert (found.wrench, found.base, found.changes) == (None, None, ())
    assert found.signal.end == 1.0
    np.testing.assert_allclose(
        found.signal.at(np.array([0.0, 0.25, 0.5, 0.75])), [[1, 2], [2, 0], [3, -2], [3, -1]], rtol=ROUNDING
    )
    assert found.signal.breaks.tolist() == [0.0, 0.5, 1.0]


def test_samples_are_held_if_asked(tmp_path: Path) -> None:
    found = read_input(written(tmp_path, SAMPLES), PLANAR2, between="hold")
    np.testing.assert_array_equal(found.signal.at(np.array([0.49, 0.5, 0.99])), [[1, 2], [3, -2], [3, -2]])


def test_units_in_titles_become_si(tmp_path: Path) -> None:
    """planar_pr slides, then turns."""
    text = "time[ms],tau1[kN],tau2[mN*m],wrench1[kN],wrench2,wrench3,wrench4[mN*m],wrench5,wrench6\n"
    text += "0,1,2,3,4,5,6,7,8\n500,1,2,3,4,5,6,7,8\n"
    found = read_input(written(tmp_path, text), SLIDING)
    assert found.kind == "tau"
    assert found.signal.end == 0.5
    np.testing.assert_allclose(found.signal.values, [[1000, 0.002]], rtol=ROUNDING)
    assert found.wrench is not None
    np.testing.assert_allclose(found.wrench.values, [[3000, 4, 5, 0.006, 7, 8]], rtol=ROUNDING)


def test_a_log_drives_as_well_and_its_positions_are_passed_over(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    time = np.linspace(0, 1, 11)
    columns = {name: rng.normal(size=(11, 2)) for name in ("q", "qd", "tau", "current")}
    write_motion(tmp_path / "log.parquet", time, columns)
    with pytest.raises(InputError, match=r"log\.parquet: columns of tau and of current, expected one kind; "):
        read_input(tmp_path / "log.parquet", PLANAR2)
    for kind in ("tau", "current"):
        found = read_input(tmp_path / "log.parquet", PLANAR2, kind=kind)
        assert found.kind == kind
        np.testing.assert_allclose(found.signal.at(time[:-1]), columns[kind][:-1], rtol=1e-12)


def test_a_base_that_moves_has_twelve_columns(tmp_path: Path) -> None:
    names = [f"base{k}" for k in range(1, 13)]
    rows = [",".join(str(x) for x in (t, 0, 0, *range(12))) for t in (0, 1)]
    head = ",".join(["time", "tau1", "tau2", *names])
    found = read_input(written(tmp_path, "\n".join([head, *rows])), PLANAR2)
    assert found.base is not None
    np.testing.assert_array_equal(found.base.values, [range(12)])
    with pytest.raises(InputError, match=r'no column "base12" among .*; a base needs base1 to base12$'):
        read_input(written(tmp_path, "\n".join([head.replace("base12", "rest"), *rows])), PLANAR2)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "time,q1,q2\n0,1,2\n",
            r'nothing among "time", "q1", "q2" drives a robot, expected one of tau1, motor',
        ),
        (
            "time,current2\n0,1\n1,1\n",
            r'no column "current1" among .*; robot "planar2" needs current1 to curr',
        ),
        (
            "time,current1,current2,current3\n",
            r'column "current3" is one too many, expected current1 to curr',
        ),
        ("time,tau1,tau2,tau3\n", r'column "tau3" is of no joint; robot "planar2" has 2'),
        ("time,tau1,tau2,wrench7\n", r'column "wrench7" is one too many, expected wrench1 to wrench6'),
        ("time,tau1,tau2,tau1[N*m]\n", r'columns "tau1" and "tau1\[N\*m\]" say the same, expected one'),
        ("t,tau1,tau2\n0,1,2\n1,1,2\n", r'no column "time" among'),
        ("time,tau1[A],tau2\n0,1,2\n1,1,2\n", r'column "tau1\[A\]": "A" is no known unit of a torque'),
        ("time,tau1,tau2\n", r"no samples below the names of the columns, expected two or more$"),
        ("time,tau1,tau2\n0,1,2\n", r"one sample below the names"),
        (
            "time,tau1,tau2\n0,1,2\n0,1,2\n",
            r"input\.csv, line 3: time goes from 0 to 0 s, expected increasing",
        ),
        ("time,tau1,tau2\n0,1,2\n1,nan,2\n", r'input\.csv, line 3, column "tau1": "nan" is not a finite'),
        ("time,tau1,tau2\n0,1,2\n1,,2\n", r'line 3, column "tau1": the cell is empty, expected a number'),
        ("", r"the file is empty, expected the names of columns"),
    ],
)
def test_bad_samples_give_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        read_input(written(tmp_path, text), PLANAR2)


def test_bad_arguments_give_one_sentence(tmp_path: Path) -> None:
    asked: Any = {"kind": "amps"}
    with pytest.raises(
        InputError, match=r'^nothing is driven by "amps"; expected one of tau, motor_torque, '
    ):
        read_input(written(tmp_path, SAMPLES), PLANAR2, **asked)
    asked = {"between": "cubic"}
    with pytest.raises(InputError, match=r'^between is "cubic", expected "hold" or "linear"$'):
        read_input(written(tmp_path, SAMPLES), PLANAR2, **asked)
    with pytest.raises(
        InputError, match=r'^input ".*input\.txt" ends in "\.txt", expected \.csv, \.parquet, '
    ):
        read_input(tmp_path / "input.txt", PLANAR2)
    for name in ("none.csv", "none.toml", "none.parquet"):
        with pytest.raises(InputError, match=rf"{name}: no such file$"):
            read_input(tmp_path / name, PLANAR2)


def test_motors_are_needed_for_currents(tmp_path: Path) -> None:
    assert not UNDRIVEN.drives
    sentence = r'robot "panda" has no drives, current needs some; give tau$'
    with pytest.raises(MissingDataError, match=sentence):
        read_input(written(tmp_path, SAMPLES), UNDRIVEN)
    with pytest.raises(MissingDataError, match=sentence):
        scheduled(tmp_path, SCHEDULE, UNDRIVEN)


# Schedules ------------------------------------------------------------------------------------


def test_a_schedule_steps_and_ramps_and_holds_for_ever(tmp_path: Path) -> None:
    found = scheduled(tmp_path, SCHEDULE)
    assert found.kind == "current"
    times = np.array([0.0, 0.1, 0.2, 0.9, 1.0, 1e6])
    expected = [[1, 0.5], [2, 0.5], [3, 0.5], [3, 0.5], [0, 0], [0, 0]]
    np.testing.assert_allclose(found.signal.at(times), expected, rtol=1e-14)
    assert found.signal.end == math.inf
    assert found.signal.breaks.tolist() == [0.0, 0.2, 1.0]
    assert found.signal.source.endswith("input.toml")


def test_before_its_first_step_everything_is_zero(tmp_path: Path) -> None:
    text = """
    kind = "tau"
    steps = [{ time = 2, values = [4, 8], ramp = true }]
    wrench = [{ time = "1 s", values = ["1 kN", 0, 0, 0, 0, "5 mN*m"] }]
    base = [{ time = 0.5, values = [0, 0, 0, "90 deg/s", 0, 0, 0, 0, 0, 0, 0, 0] }]
    """
    found = scheduled(tmp_path, text)
    np.testing.assert_allclose(found.signal.at(np.array([0, 1, 2, 3])), [[0, 0], [2, 4], [4, 8], [4, 8]])
    force = [1000, 0, 0, 0, 0, 0.005]
    np.testing.assert_allclose(found.wrench.at(np.array([0.5, 1, 9])), [[0] * 6, force, force])
    assert found.base.at(np.array([0.6]))[0, 3] == pytest.approx(math.pi / 2, rel=ROUNDING)


def test_without_steps_nothing_drives(tmp_path: Path) -> None:
    found = scheduled(tmp_path, 'kind = "tau"')
    np.testing.assert_array_equal(found.signal.at(np.array([0.0, 7.0])), np.zeros((2, 2)))


def test_what_is_taken_and_let_go_comes_in_the_order_of_time(tmp_path: Path) -> None:
    text = """
    kind = "tau"
    [[grasp]]
    time = 2.0
    mass = "1800 g"
    com = [0, 0, "5 cm"]
    inertia = [0.01, 0.01, 0.02, 0, 0, 0]
    [[grasp]]
    time = 1
    mass = 0.5
    [[release]]
    time = 2
    [[release]]
    time = "2500 ms"
    """
    found = scheduled(tmp_path, text)
    tensor = (0.01, 0.01, 0.02, 0.0, 0.0, 0.0)
    held = Grasp(2.0, 1.8, (0.0, 0.0, 0.05), tensor)
    assert found.changes == (Grasp(1.0, 0.5), Release(2.0), held, Release(2.5))
    masses = [
        [payload.inertia.mass for payload in robot.payloads]
        for _, robot in robots_after(PLANAR2, found.changes, math.inf)
    ]
    assert masses == [[0.5], [], [1.8], []]


def test_units_follow_the_kind_of_joint(tmp_path: Path) -> None:
    steps = 'steps = [{ time = 0, values = ["1 kN", "2 N m"] }]'
    found = scheduled(tmp_path, f'kind = "tau"\n{steps}', SLIDING)
    np.testing.assert_array_equal(found.signal.values, [[1000, 2]])


STEP = "[[steps]]\ntime = 0\nvalues = [1, 2]\n"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", r"input\.toml: the file is empty, expected a schedule$"),
        ('kind = "curent"', r"line 1: kind: .*'curent'"),
        (
            'kind = "tau"\nstep = []',
            r'line 2: step: unknown field; did you mean "steps"\? known: kind, steps, wr',
        ),
        (
            f'kind = "tau"\n{STEP}value = 3',
            r'line 5: steps\[1\]\.value: unknown field; did you mean "values"\? known: time, values, ramp$',
        ),
        (
            'kind = "tau"\n[[grasp]]\ntime = 1\nmass = 1\ncon = [0, 0, 0]',
            r'line 5: grasp\[1\]\.con: unknown .*"com"',
        ),
        ('kind = "tau"\n[[steps]]\ntime = 0', r"line 2: steps\[1\]\.values: is missing$"),
        ('kind = "tau"\nsteps = 3', r"line 2: steps: expected a list$"),
        ('kind = "tau"\nsteps = [3]', r"line 2: steps\[1\]: expected a table with time, values, ramp$"),
        (
            'kind = "tau"\n[[steps]]\ntime = 0\nvalues = [1]',
            r'line 4: steps\[1\]\.values has 1 value; robot "planar2" needs 2 of them$',
        ),
        (
            'kind = "tau"\n[[wrench]]\ntime = 0\nvalues = [1, 2]',
            r"line 4: wrench\[1\]\.values has 2 values; a wrench needs 6 of them$",
        ),
        (
            'kind = "tau"\n[[steps]]\ntime = 0\nvalues = [1, "3 A"]',
            r'line 4: steps\[1\]\.values\[2\]: "3 A" is not a torque, expected a torque in N\*m or a string',
        ),
        (
            'kind = "tau"\n[[steps]]\ntime = 0\nvalues = [1, nan]',
            r"line 4: steps\[1\]\.values\[2\].*nan is not a f",
        ),
        ('kind = "tau"\n[[steps]]\ntime = 0\nvalues = [1, true]', r"line 4: .*values\[2\].*not a number"),
        (
            f'kind = "tau"\n{STEP}{STEP}',
            r"line 6: steps\[2\]\.time: time goes from 0 to 0 s, expected a later one$",
        ),
        (
            f'kind = "tau"\n{STEP}ramp = true',
            r"line 3: steps\[1\]\.time: a ramp that ends at 0 s has no beginning",
        ),
        (
            'kind = "tau"\n[[steps]]\ntime = -1\nvalues = [1, 2]',
            r"line 3: steps\[1\]\.time: -1 is before the start",
        ),
        (
            'kind = "tau"\n[[steps]]\ntime = "2 A"\nvalues = [1, 2]',
            r'line 3: .*time: 2 A is not a time, .*"200 ms"',
        ),
        (
            'kind = "tau"\n[[steps]]\ntime = inf\nvalues = [1, 2]',
            r"line 3: .*time: inf is not a time, expected 0",
        ),
        (
            'kind = "tau"\n[[release]]\ntime = 1',
            r"line 2: release\[1\]: nothing is held at 1 s, expected a grasp$",
        ),
        ('kind = "tau"\n[[grasp]]\ntime = 1\nmass = -1', r"line 2: .*inertia is not physical"),
        (
            'kind = "tau"\n[[grasp]]\ntime = 1\nmass = 1\ninertia = [1, 1, 5, 0, 0, 0]',
            r"line 2: payload on body .*: inertia is not physical",
        ),
        (
            'kind = "tau"\n[[grasp]]\ntime = 1\nmass = 1\ncom = [1, 2]',
            r"line 5: grasp\[1\]\.com\[3\]: is missing",
        ),
        ('kind = "tau', r"input\.toml: not valid TOML, "),
        ("a." * 20 + "f = 1", r"input\.toml: nested too deeply to be a schedule$"),
        (f"kind = {'[' * 5000}", r"input\.toml: nested too deeply to be a schedule$"),
    ],
)
def test_bad_schedules_give_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence) as caught:
        scheduled(tmp_path, text)
    assert "\n" not in str(caught.value)
    assert re.search(r"input\.toml(, line \d+)?: ", str(caught.value))


def test_what_is_no_text_or_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match=r"not UTF-8 text \(byte 0\), expected a schedule; save it so$"):
        read_input(written(tmp_path, b"\xff\xfe", "input.toml"), PLANAR2)
    monkeypatch.setattr(schedules, "LARGEST_FILE", 2**20)
    with pytest.raises(InputError, match=r"larger than 1 MiB; write it as \.parquet$"):
        read_input(written(tmp_path, b"#" * (2**20 + 1), "input.toml"), PLANAR2)
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(InputError, match=r"cannot be read, Is a directory$"):
        read_input(tmp_path / "folder.toml", PLANAR2)


def test_another_kind_than_the_schedule_s_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, SCHEDULE, "input.toml")
    assert read_input(path, PLANAR2, kind="current").kind == "current"
    with pytest.raises(
        InputError, match=r'kind is "current", asked for "tau"; leave it out, or mend the file$'
    ):
        read_input(path, PLANAR2, kind="tau")


def test_the_currents_that_hold_the_irb6_are_a_schedule(tmp_path: Path) -> None:
    text = 'kind = "current"\n[[steps]]\ntime = 0\nvalues = [0, 3.18, "-730 mA", 0, 0]\n'
    found = scheduled(tmp_path, text, IRB6)
    np.testing.assert_allclose(found.signal.values, [[0, 3.18, -0.73, 0, 0]], rtol=ROUNDING)
