"""Logs in .csv and .parquet files and in arrays: what was measured, in SI; one sentence on what is wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, InputError, MissingDataError, ShapeError
from armdyn.formats import load
from armdyn.identification.logs import Log, read_log
from log_signals import Sines

ARM, SCREWS, LOLA, SLIDING = load("planar2"), load("irb6"), load("lola15"), load("planar_pr")
TIME = np.arange(100) / 100.0
MOTION = Sines()
ROUNDING = 1e-14
"""Relative: units, and gears there and back."""


def columns(**more: Any) -> dict[str, Any]:
    """time, q1.. and tau1.. of a moving arm, and more, by title."""
    q = {f"q{k + 1}": MOTION.at(TIME)[:, k] for k in range(2)}
    tau = {f"tau{k + 1}": MOTION.at(TIME, 1)[:, k] for k in range(2)}
    return {"time": TIME, **q, **tau, **more}


def written(folder: Path, table: dict[str, Any], name: str = "log.csv") -> Path:
    path = folder / name
    if name.endswith(".parquet"):
        pq.write_table(pa.table(table), path)
    else:
        rows = zip(*(np.asarray(column, dtype=object) for column in table.values()), strict=True)
        lines = [",".join(table), *(",".join(str(cell) for cell in row) for row in rows)]
        path.write_text("\n".join(lines) + "\n")
    return path


def six(name: str) -> dict[str, Any]:
    return {f"{name}{k + 1}": (k + 1) * np.sin(TIME) for k in range(6)}


# What is read ---------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_a_log_keeps_what_was_measured(tmp_path: Path, name: str) -> None:
    table = columns(qd1=np.sin(TIME), qd2=np.cos(TIME), **six("wrench"), **six("sensor"))
    path = written(tmp_path, table, name)
    log = read_log(path, ARM)
    np.testing.assert_array_equal(log.time, TIME)
    np.testing.assert_array_equal(log.q, MOTION.at(TIME))
    np.testing.assert_array_equal(log.qd, np.column_stack([np.sin(TIME), np.cos(TIME)]))
    np.testing.assert_array_equal(log.tau, MOTION.at(TIME, 1))
    np.testing.assert_array_equal(log.wrench, np.outer(np.sin(TIME), np.arange(1, 7)))
    np.testing.assert_array_equal(log.sensor, log.wrench)
    assert (log.kind, log.motor_torque, log.current, log.notes, log.name) == (
        "tau",
        None,
        None,
        (),
        str(path),
    )


def test_nothing_is_derived(tmp_path: Path) -> None:
    log = read_log(written(tmp_path, columns()), ARM)
    assert (log.qd, log.wrench, log.sensor) == (None, None, None)


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_units_are_those_of_the_titles(tmp_path: Path, name: str) -> None:
    q, current = Sines(n=5).at(TIME), Sines(n=5).at(TIME, 1)
    table = {"time[ms]": 1e3 * TIME}
    table |= {f"q{k + 1}[deg]": np.degrees(q[:, k]) for k in range(5)}
    table |= {f"current{k + 1}[mA]": 1e3 * current[:, k] for k in range(5)}
    table |= {f"sensor{k + 1}[{'kN' if k < 3 else 'N*mm'}]": np.sin(TIME) for k in range(6)}
    log = read_log(written(tmp_path, table, name), SCREWS)
    np.testing.assert_allclose(log.time, TIME, rtol=ROUNDING)
    np.testing.assert_allclose(log.q, q, rtol=ROUNDING)
    assert log.current is not None
    np.testing.assert_allclose(log.current, current, rtol=ROUNDING)
    assert log.sensor is not None
    np.testing.assert_allclose(log.sensor[:, 0], 1e3 * np.sin(TIME), rtol=ROUNDING)
    np.testing.assert_allclose(log.sensor[:, 5], 1e-3 * np.sin(TIME), rtol=ROUNDING)


def test_joint_torques_come_first_unless_others_are_asked_for(tmp_path: Path) -> None:
    motors = {f"{name}{k}": np.cos(TIME + k) for name in ("current", "motor_torque") for k in (1, 2)}
    path = written(tmp_path, columns(**motors))
    log = read_log(path, ARM)
    assert log.kind == "tau"
    assert log.notes == (
        'motor_torque is passed over for tau; effort="motor_torque" takes it',
        'current is passed over for tau; effort="current" takes it',
    )
    assert read_log(path, ARM, effort="current").kind == "current"
    np.testing.assert_array_equal(
        read_log(path, ARM, effort="motor_torque").motor_torque, np.cos(TIME[:, None] + [1, 2])
    )


def test_motors_stand_in_for_joints(tmp_path: Path) -> None:
    dyn = Dynamics(LOLA)
    motion = Sines(n=6)
    q, qd = motion.at(TIME), motion.at(TIME, 1)
    theta, rate = dyn.motor_position(q), dyn.motor_velocity(q, qd)
    table: dict[str, Any] = {"time": TIME}
    for k in range(6):
        table |= {f"motor_position{k + 1}": theta[:, k], f"motor_velocity{k + 1}": rate[:, k]}
        table |= {f"motor_torque{k + 1}": np.cos(TIME + k)}
    log = read_log(written(tmp_path, table, "log.parquet"), LOLA)
    np.testing.assert_allclose(log.q, q, rtol=0, atol=ROUNDING)
    assert log.qd is not None
    np.testing.assert_allclose(log.qd, qd, rtol=0, atol=10 * ROUNDING)
    assert log.notes[0] == "q follows from motor_position by the gears"


def test_titles_that_say_nothing_and_accelerations_are_left_out(tmp_path: Path) -> None:
    log = read_log(written(tmp_path, columns(temperature=TIME, qdd1=TIME, line=TIME)), ARM)
    assert log.notes == ('columns that are left out: "temperature"',)


# What is odd ----------------------------------------------------------------------------------


def test_a_joint_that_never_moves_is_noted(tmp_path: Path) -> None:
    log = read_log(written(tmp_path, columns() | {"q2": 0 * TIME}), ARM)
    assert log.notes == ('joint 2 ("joint2") never moves: what acts on it alone cannot be told',)


def test_degrees_taken_for_radians_are_noted() -> None:
    arm = load("puma560")
    q, tau = np.degrees(Sines(n=6).at(TIME) + arm.home), np.cos(TIME)[:, None] * np.ones(6)
    log = Log.of(arm, TIME, q, tau=tau)
    assert len(log.notes) == 6
    assert log.notes[0].startswith('joint 1 ("')
    assert log.notes[0].endswith("; if it is in deg, say so: q1[deg]")
    unlimited = Log.of(LOLA, TIME, q, tau=tau)
    assert any("turns; if it is in deg" in note for note in unlimited.notes)
    assert Log.of(arm, TIME, np.radians(q), tau=tau).notes == ()


def test_milliseconds_taken_for_seconds_are_noted() -> None:
    log = Log.of(ARM, 1e3 * TIME, MOTION.at(TIME), tau=MOTION.at(TIME))
    assert log.notes == ("samples are 10 s apart; if time is not in s, say so: time[ms] or time[ns]",)


@pytest.mark.parametrize("name", ["log.csv", "log.parquet"])
def test_invalid_samples_are_dropped_if_asked(tmp_path: Path, name: str) -> None:
    q1, tau2 = MOTION.at(TIME)[:, 0].copy(), MOTION.at(TIME, 1)[:, 1].copy()
    q1[3], q1[5], tau2[70] = np.nan, np.inf, np.nan
    path = written(tmp_path, columns() | {"q1": q1, "tau2": tau2}, name)
    where = "line 5" if name.endswith("csv") else "sample 4"
    with pytest.raises(InputError) as caught:
        read_log(path, ARM)
    assert str(caught.value) == (
        f'{path}, {where}, "q1": no number, expected a finite number; mend it, or leave such samples out: '
        "drop_invalid=True"
    )
    log = read_log(path, ARM, drop_invalid=True)
    np.testing.assert_array_equal(log.time, np.delete(TIME, [3, 5, 70]))
    assert log.notes == (
        '3 of 100 samples left out for numbers that are missing or not finite, the first for "q1" at 0.03 s',
    )


def test_blank_cells_are_invalid_samples_and_text_is_none(tmp_path: Path) -> None:
    path = written(tmp_path, columns())
    lines = path.read_text().splitlines()
    cells = lines[4].split(",")
    for blank in ("", "NaN", "nan", "NA", "null"):
        path.write_text("\n".join([*lines[:4], ",".join([*cells[:-1], blank]), *lines[5:]]))
        with pytest.raises(InputError, match=r'line 5, "tau2": no number, expected a finite number; mend it'):
            read_log(path, ARM)
        assert len(read_log(path, ARM, drop_invalid=True).time) == 99
    path.write_text("\n".join([*lines[:4], ",".join([*cells[:-1], "dead"]), *lines[5:]]))
    with pytest.raises(
        InputError, match=r'line 5, column "tau2": "dead" is not a number, expected a number$'
    ):
        read_log(path, ARM, drop_invalid=True)


# One sentence each ----------------------------------------------------------------------------


def without(*names: str) -> dict[str, Any]:
    return {name: column for name, column in columns().items() if name not in names}


TITLES = '"time", "q1", "q2", "tau1", "tau2"'
MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "no time": (
        without("time"),
        '{file}: no column "time" among "q1", "q2", "tau1", "tau2"; it has the instants in s',
    ),
    "no position": (
        without("q2"),
        '{file}: no column "q2" among "time", "q1", "tau1", "tau2"; robot "planar2" needs q1 to q2',
    ),
    "no torque": (
        without("tau1"),
        '{file}: no column "tau1" among "time", "q1", "q2", "tau2"; robot "planar2" needs tau1 to tau2',
    ),
    "no torques": (
        without("tau1", "tau2"),
        "{file}: no torques and no currents, expected tau1, motor_torque1 or current1, ..",
    ),
    "half a sensor": (
        columns(sensor1=TIME),
        f'{{file}}: no column "sensor2" among {TITLES}, "sensor1"; a sensor needs sensor1 to sensor6',
    ),
    "a seventh of a sensor": (
        columns(**six("sensor"), sensor7=TIME),
        '{file}: column "sensor7" is one too many, expected sensor1 to sensor6',
    ),
    "another robot": (
        columns(q3=TIME),
        '{file}: column "q3" is of no joint; robot "planar2" has 2, expected q1 to q2',
    ),
    "wrong unit": (
        without("q1") | {"q1[kg]": TIME},
        '{file}: column "q1[kg]": "kg" is no known unit of an angle, expected rad or one that converts to it',
    ),
    "unknown unit": (
        without("tau1") | {"tau1[xyz]": TIME},
        '{file}: column "tau1[xyz]": "xyz" is no known unit of a torque, '
        "expected N*m or one that converts to it",
    ),
    "twice": (
        columns(**{"q1[deg]": TIME}),
        '{file}: columns "q1" and "q1[deg]" say the same, expected one',
    ),
    "unsorted": (
        columns() | {"time": np.concatenate([TIME[:50], TIME[50:] - 0.2])},
        "{file}, line 52: time goes from 0.49 to 0.3 s, expected increasing instants; sort or cut the log",
    ),
    "repeated": (
        columns() | {"time": np.concatenate([TIME[:50], [TIME[49]], TIME[51:]])},
        "{file}, line 52: time goes from 0.49 to 0.49 s, expected increasing instants; sort or cut the log",
    ),
    "dead": (
        columns() | {"tau2": 0 * TIME},
        "{file}: tau2 is 0 throughout while the arm moves, expected a signal; is its channel dead?",
    ),
    "too short": (
        {name: column[:7] for name, column in columns().items()},
        "{file}: 7 samples, expected 20 or more; record longer",
    ),
    "empty": (
        {name: column[:0] for name, column in columns().items()},
        "{file}: no samples, expected 20 or more; record longer",
    ),
}


@pytest.mark.parametrize(("table", "sentence"), MISTAKES.values(), ids=MISTAKES)
def test_a_bad_log_is_refused_in_one_sentence(tmp_path: Path, table: dict[str, Any], sentence: str) -> None:
    path = written(tmp_path, table)
    with pytest.raises(InputError) as caught:
        read_log(path, ARM)
    assert str(caught.value) == sentence.format(file=path)


def test_nothing_but_invalid_samples_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, columns() | {"tau2": np.full(len(TIME), np.nan)})
    with pytest.raises(InputError, match=r'line 2, "tau2": no number, and so in every sample; none is left$'):
        read_log(path, ARM, drop_invalid=True)


def test_what_the_robot_lacks_is_said(tmp_path: Path) -> None:
    motors = {f"motor_position{k}": np.sin(TIME + k) for k in range(1, 6)}
    torques = {f"motor_torque{k}": np.cos(TIME + k) for k in range(1, 6)}
    path = written(tmp_path, {"time": TIME, **motors, **torques})
    with pytest.raises(
        MissingDataError, match=r"is not linear, motor_position does not determine q; expected columns q1"
    ):
        read_log(path, SCREWS)
    bare = written(tmp_path, {"time": TIME, **{f"q{k}": TIME for k in range(1, 8)}, "current1": TIME})
    with pytest.raises(MissingDataError, match=r'robot "panda" has no drives, current needs some; give tau$'):
        read_log(bare, load("panda"))


def test_arguments_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path, columns())
    with pytest.raises(
        InputError,
        match=r'^effort is "torque"; did you mean "motor_torque"\? expected one of tau, motor_torque,',
    ):
        read_log(path, ARM, effort="torque")  # pyright: ignore[reportArgumentType]
    with pytest.raises(
        InputError, match=r'^log "run\.txt" ends in "\.txt", expected \.csv, \.parquet, \.mcap$'
    ):
        read_log("run.txt", ARM)
    with pytest.raises(
        InputError, match=r'topic "/a" is asked for, only \.mcap files have topics; leave it out$'
    ):
        read_log(path, ARM, topic="/a")
    with pytest.raises(InputError, match=r'no column "current1" among'):
        read_log(path, ARM, effort="current")
    with pytest.raises(InputError, match=r"missing\.csv: no such file$"):
        read_log(tmp_path / "missing.csv", ARM)


# Arrays ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "kind", "sentence"),
    [
        ({"tau": None}, InputError, "log: expected one of tau, motor_torque, current"),
        ({"current": MOTION.at(TIME)}, InputError, "log: expected one of tau, motor_torque, current"),
        (
            {"tau": MOTION.at(TIME)[:, :1]},
            ShapeError,
            'tau has shape (100, 1); there are 100 instants and robot "planar2" has 2 joints, '
            "expected (100, 2)",
        ),
        (
            {"sensor": MOTION.at(TIME)},
            ShapeError,
            "sensor has shape (100, 2); there are 100 instants and a sensor has 6 components, "
            "expected (100, 6)",
        ),
        (
            {"qd": "fast"},
            InputError,
            "qd is not an array of numbers, expected one row for each sample",
        ),
    ],
    ids=["no effort", "two efforts", "torque of one", "a short sensor", "words"],
)
def test_arrays_are_checked(given: dict[str, Any], kind: type[ArmdynError], sentence: str) -> None:
    with pytest.raises(kind) as caught:
        Log.of(ARM, TIME, MOTION.at(TIME), **{"tau": MOTION.at(TIME), **given})
    assert str(caught.value) == sentence


def test_arrays_may_have_samples_to_drop() -> None:
    q = MOTION.at(TIME).copy()
    q[4, 1], q[7, 0] = np.nan, 1e200
    with pytest.raises(
        InputError, match=r'^run 7, sample 5, "q2": no number, expected a finite number; mend it'
    ):
        Log.of(ARM, TIME, q, tau=MOTION.at(TIME), name="run 7")
    assert len(Log.of(ARM, TIME, q, tau=MOTION.at(TIME), drop_invalid=True).time) == 98


def test_a_dead_channel_of_a_joint_that_rests_is_no_mistake() -> None:
    q, tau = MOTION.at(TIME).copy(), MOTION.at(TIME).copy()
    q[:, 1], tau[:, 1] = 0.3, 0.0
    assert len(Log.of(ARM, TIME, q, tau=tau).notes) == 1
