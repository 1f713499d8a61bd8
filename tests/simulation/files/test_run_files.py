"""Runs in files: everything comes back to the last bit, with units and history; a run is a motion, too."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as parquet
import pytest

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.formats import load
from armdyn.formats.motions import read_motion
from armdyn.simulation.events import Event
from armdyn.simulation.files.input_files import read_input
from armdyn.simulation.files.run_files import NUMBERED, REACTIONS, SINGLE, read_run, write_run
from armdyn.simulation.results import Phase, Simulation

SAMPLES = 41
HISTORY = {"t": 0.1 + 0.2, "q": (math.pi, -1e-300), "step": 7}


class Kept:
    """A checkpoint as files see it."""

    def document(self) -> dict[str, Any]:
        return dict(HISTORY)


def made(name: str = "irb6", **changes: Any) -> Simulation:
    """A run as it might have come about: sines, and the torques they take."""
    dyn = Dynamics(load(name))
    time = np.linspace(0.0, 2.0, SAMPLES)
    phase = 1.3 * time[:, None] + np.arange(dyn.n)
    home = np.array(dyn.robot.home)
    q, qd, qdd = home + 0.1 * np.sin(phase), 0.13 * np.cos(phase), -0.169 * np.sin(phase)
    kept: Any = Kept()
    run = Simulation(
        phases=(Phase(dyn, 0, SAMPLES),),
        integrator="rk4",
        dt=0.001,
        time=time,
        q=q,
        qd=qd,
        qdd=qdd,
        tau=dyn.inverse(q, qd, qdd),
        states=np.outer(time, [1.0, 1 / 3]),
        work=time / 7,
        dissipated=time / 9,
        exerted=0 * time,
        wrench=None,
        at=None,
        base=None,
        events=(Event(0.5, 2, "sticks", 2), Event(1.0, None, "grasp")),
        notes=("chosen so",),
        failure=None,
        checkpoint=kept,
    )
    return replace(run, **changes)


@pytest.fixture(scope="module")
def run() -> Simulation:
    t = np.linspace(0.0, 2.0, SAMPLES)
    return made(wrench=np.outer(t, np.arange(1.0, 7)), base=np.outer(1 - t, np.arange(12.0) / 1000))


# There and back -------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".PARQUET"])
def test_a_run_comes_back_to_the_last_bit(run: Simulation, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"run{suffix}"
    write_run(path, run, {})
    stored = read_run(path)
    np.testing.assert_array_equal(stored.time, run.time)
    assert set(stored.columns) >= {"q", "qd", "qdd", "tau", "motor_position", "motor_velocity", "current"}
    for name in (*NUMBERED, *SINGLE):
        expected = getattr(run, name)
        if expected is None:
            assert name not in stored.columns
        else:
            np.testing.assert_array_equal(stored.columns[name], expected, err_msg=name)
    np.testing.assert_array_equal(stored.columns["state"], run.states)
    np.testing.assert_array_equal(stored.reactions, run.reactions)


def test_parquet_keeps_the_history(run: Simulation, tmp_path: Path) -> None:
    setup = {
        "dt": 0.1 + 0.2,
        "gains": np.array([1 / 3, 1e-310]),
        "file": Path("a") / "b.toml",
        "steps": np.int64(3),
        "nothing": None,
    }
    write_run(tmp_path / "run.parquet", run, setup)
    stored = read_run(tmp_path / "run.parquet")
    assert stored.checkpoint == {"t": 0.1 + 0.2, "q": [math.pi, -1e-300], "step": 7}
    expected = {
        "dt": 0.1 + 0.2,
        "gains": [1 / 3, 1e-310],
        "file": str(setup["file"]),
        "steps": 3,
        "nothing": None,
    }
    assert stored.setup == expected
    assert [Event(**event) for event in stored.events] == list(run.events)
    assert (stored.notes, stored.failure) == (("chosen so",), None)
    assert stored.about is not None
    assert (stored.about["phases"], stored.about["at"]) == ([[0, SAMPLES]], None)
    told = {name: stored.about[name] for name in ("robot", "integrator", "dt", "motors", "friction")}
    assert told == {
        "robot": "irb6",
        "integrator": "rk4",
        "dt": 0.001,
        "motors": run.dyn.motors,
        "friction": True,
    }


def test_other_readers_of_parquet_find_units_and_history(run: Simulation, tmp_path: Path) -> None:
    write_run(tmp_path / "run.parquet", run, {})
    schema: Any = parquet.read_schema(tmp_path / "run.parquet")
    assert json.loads(schema.metadata[b"armdyn"])["robot"] == "irb6"
    said = {field.name: field.metadata for field in schema}
    assert all(set(about) == {b"unit", b"description"} for about in said.values())
    units = {name: about[b"unit"].decode() for name, about in said.items()}
    expected = {"time": "s", "q1": "rad", "qd5": "rad/s", "qdd2": "rad/s^2", "tau3": "N*m", "current1": "A"}
    expected |= {"motor_velocity4": "rad/s", "reaction_fx1": "N", "reaction_mz5": "N*m", "work": "J"}
    expected |= {"power_residual": "W", "wrench1": "N", "wrench6": "N*m", "base12": "rad/s^2", "state2": ""}
    assert {name: units[name] for name in expected} == expected
    assert said["q2"][b"description"].decode() == f'position of joint 2 ("{run.robot.joint_names[1]}")'


def test_units_follow_the_kind_of_joint(tmp_path: Path) -> None:
    write_run(tmp_path / "run.parquet", made("planar_pr"), {})
    schema: Any = parquet.read_schema(tmp_path / "run.parquet")
    names = ("q1", "q2", "tau1", "tau2")
    assert [schema.field(name).metadata[b"unit"] for name in names] == [b"m", b"rad", b"N", b"N*m"]


def test_a_failure_is_kept_and_so_are_numbers_that_are_none(tmp_path: Path) -> None:
    run = made("panda", failure="the step is too large")
    run.qdd[-1, 0] = math.inf
    run.tau[-1, 1] = math.nan
    for name in ("run.parquet", "run.csv"):
        write_run(tmp_path / name, run, {})
        stored = read_run(tmp_path / name)
        np.testing.assert_array_equal(stored.columns["qdd"], run.qdd)
        np.testing.assert_array_equal(stored.columns["tau"], run.tau)
        assert not set(stored.columns) & {"current", "voltage", "motor_torque", "motor_position"}
    assert read_run(tmp_path / "run.parquet").failure == "the step is too large"


def test_a_text_has_columns_alone(run: Simulation, tmp_path: Path) -> None:
    write_run(tmp_path / "run.csv", run, {"dt": 1})
    first = (tmp_path / "run.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert first[:6] == ["time", "q1", "q2", "q3", "q4", "q5"]
    assert [name for name in first if name.endswith("3")][-6:] == [f"{name}3" for name in REACTIONS]
    stored = read_run(tmp_path / "run.csv")
    assert (stored.checkpoint, stored.setup, stored.events, stored.notes) == ({}, {}, (), ())


# A run is a motion and an input, too ----------------------------------------------------------


@pytest.mark.parametrize("suffix", [".parquet", ".csv"])
def test_a_run_is_a_motion(tmp_path: Path, suffix: str) -> None:
    run = made()
    write_run(tmp_path / f"run{suffix}", run, {})
    motion = read_motion(tmp_path / f"run{suffix}", run.robot)
    assert motion.notes == ()
    for name in ("q", "qd", "qdd"):
        np.testing.assert_array_equal(getattr(motion, name), getattr(run, name))
    np.testing.assert_array_equal(motion.columns["tau"], run.tau)
    np.testing.assert_array_equal(motion.columns["motor_velocity"], run.motor_velocity)


def test_what_acted_on_a_run_is_named_where_it_is_left_out(run: Simulation, tmp_path: Path) -> None:
    write_run(tmp_path / "run.parquet", run, {})
    motion = read_motion(tmp_path / "run.parquet", run.robot)
    assert len(motion.notes) == 1
    assert motion.notes[0].startswith('run.parquet: columns that are left out: "wrench1", "wrench2"')


def test_a_run_drives_another(run: Simulation, tmp_path: Path) -> None:
    write_run(tmp_path / "run.parquet", run, {})
    found = read_input(tmp_path / "run.parquet", run.robot, kind="current")
    assert run.current is not None
    assert run.wrench is not None
    np.testing.assert_array_equal(found.signal.values, run.current[:-1])
    assert found.wrench is not None
    np.testing.assert_array_equal(found.wrench.values, run.wrench[:-1])
    assert found.base is not None


# What cannot be -------------------------------------------------------------------------------


def test_all_or_nothing(run: Simulation, tmp_path: Path) -> None:
    (tmp_path / "run.parquet").write_text("old")
    with pytest.raises(
        InputError, match=r"^what is said of a run cannot be JSON, a object is no plain data; give"
    ):
        write_run(tmp_path / "run.parquet", run, {"x": object()})
    with pytest.raises(InputError, match=r'ends in "\.txt", expected \.csv or \.parquet$'):
        write_run(tmp_path / "run.txt", run, {})
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("run.parquet", "old")]


def test_other_files_are_no_runs(tmp_path: Path) -> None:
    (tmp_path / "motion.csv").write_text("time,q1\n0,1\n1,2\n")
    with pytest.raises(
        InputError, match=r'motion\.csv: no run, expected columns "time", "q1" and "work" among'
    ):
        read_run(tmp_path / "motion.csv")
    (tmp_path / "run.parquet").write_text("old")
    with pytest.raises(InputError, match=r"run\.parquet: not a Parquet file that can be read$"):
        read_run(tmp_path / "run.parquet")
    with pytest.raises(InputError, match=r"none\.parquet: no such file$"):
        read_run(tmp_path / "none.parquet")


@pytest.mark.parametrize("said", [b"{", b"[]", b"[" * 10**5])
def test_a_damaged_history_is_named(run: Simulation, tmp_path: Path, said: bytes) -> None:
    path = tmp_path / "run.parquet"
    write_run(path, run, {})
    table: Any = parquet.read_table(path)
    parquet.write_table(table.replace_schema_metadata({b"armdyn": said}), path)
    with pytest.raises(InputError, match=r"run\.parquet: damaged, what it says of the run cannot be read$"):
        read_run(path)
