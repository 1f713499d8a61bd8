"""`armdyn simulate --resume`: runs that were stopped, and go on to the same end."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from armdyn.cli import run_saving, simulated
from armdyn.errors import InputError
from armdyn.simulation.files.run_files import StoredRun, read_run
from command_line import Armdyn, Said, assert_refused, process

FIXED = ("euler", "semi_implicit", "rk4")
ADAPTIVE = ("dop853", "lsoda")
HOLDING = ("simulate", "irb6", "--controller", "pid", "--q", "0.1,0.2,0,0,0", "--qd", "0.5,0.3,-0.2,0.1,0.2")
SWINGING = ("simulate", "planar2", "--q", "0.3,0.2")
FOR_EVER = ("--duration", "100000")
MOVING = re.compile(rb"(?:[1-9]\.\d\d|\.[1-9]\d|\.\d[1-9]) of ")
"""Progress beyond 0.00 s."""
TOLERANCE = 1e-7
"""An adaptive integrator that goes on chooses other steps: the error of all of them, at rtol 1e-10."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("torques.csv").write_text("time,tau1,tau2\n0,1,0\n0.21,2,0\n9,0,0\n", encoding="utf-8")
    return tmp_path


def assert_identical(found: StoredRun, expected: StoredRun) -> None:
    """The same to the last bit."""
    np.testing.assert_array_equal(found.time, expected.time)
    assert found.columns.keys() == expected.columns.keys()
    for name, values in expected.columns.items():
        np.testing.assert_array_equal(found.columns[name], values, err_msg=name)
    assert found.events == expected.events
    assert (found.checkpoint, found.setup, found.notes) == (
        expected.checkpoint,
        expected.setup,
        expected.notes,
    )
    assert found.failure is expected.failure is None


def assert_close(found: StoredRun, expected: StoredRun) -> None:
    np.testing.assert_allclose(found.time, expected.time, rtol=1e-12)
    for name in ("q", "qd", "work"):
        np.testing.assert_allclose(
            found.columns[name], expected.columns[name], atol=TOLERANCE, rtol=TOLERANCE
        )
    assert [event["kind"] for event in found.events] == [event["kind"] for event in expected.events]


# Stopped by a signal --------------------------------------------------------------------------


def stopped(number: signal.Signals, *words: str) -> Said:
    """The command in a process of its own, stopped once it shows on its terminal that the run goes on."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "armdyn", *words]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=environment,
        preexec_fn=_listen,  # noqa: PLW1509  one thread
    ) as run:
        os.close(theirs)
        try:
            shown = _read_until(ours, MOVING)
            run.send_signal(number)
            out, _ = run.communicate(timeout=60)
        finally:
            run.kill()
        shown += _read_until(ours, None)
    os.close(ours)
    return Said(run.returncode, out, shown.decode())


def _listen() -> None:
    """A shell in the background lets its children ignore Ctrl-C: these do not."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _read_until(terminal: int, mark: re.Pattern[bytes] | None) -> bytes:
    """What a terminal shows, to a mark or to its end."""
    shown = b""
    with contextlib.suppress(OSError):  # how a terminal ends whose other side is closed
        while (mark is None or not mark.search(shown)) and (part := os.read(terminal, 4096)):
            shown += part
    return shown


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)])
def test_a_stopped_run_goes_on_to_the_identical_result(number: signal.Signals) -> None:
    words = (*HOLDING, "--integrator", "rk4", "--dt", "0.001", "--sample", "0.005")
    said = stopped(number, *words, *FOR_EVER, "--out", "run.parquet", "--json")
    assert said.code == 128 + number
    assert "irb6, rk4" in said.err  # the progress
    assert "of 100000 s; the same command with --resume continues" in said.err
    assert "Traceback" not in said.err
    came = read_run("run.parquet")
    assert came.failure == json.loads(said.out)["failure"]
    assert came.failure is not None
    assert came.failure.startswith("interrupted at ")
    end = f"{round(came.checkpoint['t'] + 0.5, 3):.3f}"
    resumed = process(*words, "--duration", end, "--out", "run.parquet", "--resume", "--json").document
    process(*words, "--duration", end, "--out", "whole.parquet")
    assert_identical(read_run("run.parquet"), read_run("whole.parquet"))
    assert f"continued from {came.checkpoint['t']:.9g} s" in resumed["notes"]


def test_a_stopped_text_cannot_go_on() -> None:
    said = stopped(signal.SIGINT, *SWINGING, *FOR_EVER, "--out", "run.csv", "--figure", "run.png")
    assert said.code == 130
    assert "a .csv file cannot be continued" in said.err
    assert len(read_run("run.csv").time) > 1
    assert Path("run.png").exists()


def test_a_run_without_a_file_stops_with_its_document() -> None:
    said = stopped(signal.SIGINT, *SWINGING, *FOR_EVER, "--json")
    assert said.code == 130
    assert "nothing is written, --out with .parquet would let --resume go on" in said.err
    assert len(json.loads(said.out)["time"]) > 1


def test_a_signal_that_is_ignored_stays_ignored() -> None:
    ignored = "import signal, os; signal.signal(signal.SIGINT, signal.SIG_IGN); "
    asked = "from armdyn.cli.interrupts import stop_requests\n"
    held = "with stop_requests() as request: os.kill(os.getpid(), signal.SIGINT); print(request.number)"
    command = [sys.executable, "-c", ignored + asked + held]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout == "None\n"


def test_asked_twice_it_stops_at_once() -> None:
    from armdyn.cli.interrupts import stop_requests

    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have it ignored
    try:
        with pytest.raises(KeyboardInterrupt), stop_requests() as request:  # noqa: PT012
            os.kill(os.getpid(), signal.SIGTERM)
            assert request.code == 143
            os.kill(os.getpid(), signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)


# Longer than before ---------------------------------------------------------------------------


def _both(armdyn: Armdyn, words: Sequence[str], first: str, last: str) -> tuple[StoredRun, StoredRun]:
    """A run in two parts, and in one."""
    assert armdyn(*words, "--duration", first, "--out", "parts.parquet").code == 0
    assert armdyn(*words, "--duration", last, "--out", "parts.parquet", "--resume").code == 0
    assert armdyn(*words, "--duration", last, "--out", "whole.parquet").code == 0
    return read_run("parts.parquet"), read_run("whole.parquet")


@pytest.mark.parametrize("integrator", FIXED)
def test_a_finished_run_goes_on_longer(armdyn: Armdyn, integrator: str) -> None:
    assert_identical(*_both(armdyn, (*HOLDING, "--integrator", integrator), "0.033", "0.3"))


@pytest.mark.parametrize("integrator", ADAPTIVE)
def test_adaptive_steps_go_on_within_tolerance(armdyn: Armdyn, integrator: str) -> None:
    assert_close(*_both(armdyn, (*HOLDING, "--integrator", integrator), "0.1", "0.3"))


def test_an_input_goes_on_where_it_was(armdyn: Armdyn) -> None:
    words = (*SWINGING, "--input", "torques.csv", "--integrator", "rk4", "--dt", "0.01", "--sample", "0.02")
    assert_identical(*_both(armdyn, words, "0.11", "0.5"))


def test_a_program_goes_on_with_what_it_has_grasped(armdyn: Armdyn) -> None:
    words = ("simulate", "ur5", "--controller", "computed_torque", "--reference", "ur5_palletising")
    coarse = ("--integrator", "semi_implicit", "--dt", "0.01")
    found, expected = _both(armdyn, (*words, *coarse), "2.6", "3")
    assert_identical(found, expected)
    assert [event["kind"] for event in found.events] == ["grasp"]


def test_a_run_that_is_done_stays_as_it_is(armdyn: Armdyn) -> None:
    assert_identical(*_both(armdyn, (*SWINGING, "--integrator", "rk4"), "0.1", "0.1"))


def test_without_a_file_it_begins(armdyn: Armdyn) -> None:
    found = armdyn(*SWINGING, "--duration", "0.1", "--out", "new.parquet", "--resume", "--json").document
    assert "no new.parquet to continue: the run begins at 0 s" in found["notes"]
    assert read_run("new.parquet").time[-1] == 0.1


# Refusals -------------------------------------------------------------------------------------

BEGUN = (*SWINGING, "--integrator", "rk4", "--input", "torques.csv")
MORE = ("--duration", "0.2", "--out", "run.parquet", "--resume")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("simulate", "planar3", "--integrator", "rk4"), "robot was planar2 and is planar3"),
        ((*BEGUN, "--payload", "1,0,0,0"), "the robot, or what changes it, is another"),
        ((*BEGUN, "--gravity", "0,0,-9"), "the robot, or what changes it, is another"),
        ((*BEGUN, "--integrator", "euler"), "integrator was rk4 and is euler"),
        ((*BEGUN, "--dt", "0.0005"), "dt was 0.001 and is 0.0005"),
        ((*BEGUN, "--sample", "0.01"), "sample was 0.001 and is 0.01"),
        ((*BEGUN, "--between", "hold"), "between was linear and is hold"),
        ((*BEGUN, "--q", "0,0.2"), "q was 0.3,0.2 and is 0,0.2"),
        ((*BEGUN, "--qd", "0,1"), "qd was 0,0 and is 0,1"),
        ((*BEGUN, "--wrench", "0,0,0,0,0,1"), "wrench was none and is 0,0,0,0,0,1"),
        ((*BEGUN, "--motors", "none"), "motors was"),
        ((*SWINGING, "--integrator", "rk4"), "kind was tau and is none"),
        ((*SWINGING, "--integrator", "rk4", "--controller", "pid"), "controller was none and is pid"),
    ],
    ids=lambda given: str(given)[:60],
)
def test_another_run_is_not_continued(armdyn: Armdyn, words: Sequence[str], sentence: str) -> None:
    armdyn(*BEGUN, "--duration", "0.1", "--out", "run.parquet")
    before = Path("run.parquet").read_bytes()
    said = armdyn(*words, *MORE)
    assert_refused(said, sentence)
    assert "give the same options, or begin anew without --resume" in said.err
    assert Path("run.parquet").read_bytes() == before


@pytest.mark.parametrize("integrator", ADAPTIVE)
@pytest.mark.parametrize("option", ["rtol", "atol"])
def test_another_tolerance_is_not_continued(armdyn: Armdyn, integrator: str, option: str) -> None:
    words = (*SWINGING, "--integrator", integrator)
    armdyn(*words, "--duration", "0.1", "--out", "run.parquet")
    before = Path("run.parquet").read_bytes()
    default = {"rtol": "1e-10", "atol": "1e-12"}[option]
    assert_refused(armdyn(*words, f"--{option}", "1e-06", *MORE), f"{option} was {default} and is 1e-06")
    assert Path("run.parquet").read_bytes() == before
    assert armdyn(*words, f"--{option}", default, *MORE).code == 0


def test_an_input_that_has_changed_is_noticed(armdyn: Armdyn) -> None:
    armdyn(*BEGUN, "--duration", "0.1", "--out", "run.parquet")
    Path("torques.csv").write_text("time,tau1,tau2\n0,1,0\n9,2,0\n", encoding="utf-8")
    assert_refused(armdyn(*BEGUN, *MORE), "started otherwise: input is another")


def test_an_input_may_have_another_name(armdyn: Armdyn) -> None:
    armdyn(*BEGUN, "--duration", "0.1", "--out", "run.parquet")
    Path("torques.csv").rename("renamed.csv")
    assert armdyn(*BEGUN[:-1], "renamed.csv", *MORE).code == 0


def test_a_shorter_run_is_refused(armdyn: Armdyn) -> None:
    armdyn(*BEGUN, "--duration", "0.3", "--out", "run.parquet")
    assert_refused(armdyn(*BEGUN, *MORE), "its run has come to 0.3 s, --duration is 0.2 s")


@pytest.mark.parametrize("damage", ["text", "motion", "cut"])
def test_a_file_that_is_no_run_is_refused(armdyn: Armdyn, damage: str) -> None:
    if damage == "text":
        Path("run.parquet").write_text("hello", encoding="utf-8")
        assert_refused(armdyn(*BEGUN, *MORE), "run.parquet: not a Parquet file")
        return
    armdyn(*BEGUN, "--duration", "0.1", "--out", "run.parquet")
    if damage == "cut":
        data = Path("run.parquet").read_bytes()
        Path("run.parquet").write_bytes(data[: len(data) // 2])
        assert_refused(armdyn(*BEGUN, *MORE), "run.parquet: not a Parquet file")
        return
    import pyarrow.parquet as parquet

    table: Any = parquet.read_table("run.parquet")
    parquet.write_table(table.replace_schema_metadata(None), "run.parquet")
    assert_refused(armdyn(*BEGUN, *MORE), "it does not say how its run was started")


# Saved under way ------------------------------------------------------------------------------


class Clock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_saving_takes_a_small_share_of_the_time() -> None:
    clock, saved = Clock(), list[float]()

    def save() -> None:
        saved.append(clock.now)
        clock.now += cost

    saving = run_saving.Saving(save, clock)
    cost = 0.1
    for _ in range(400):
        clock.now += 0.1
        saving.look()
    np.testing.assert_allclose(np.diff(saved), run_saving.EVERY, atol=0.3)
    cost = 2.0
    saved.clear()
    for _ in range(2000):
        clock.now += 0.1
        saving.look()
    np.testing.assert_allclose(np.diff(saved[1:]), cost / run_saving.SHARE + cost, atol=0.3)


@pytest.fixture
def always_saving(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step is saved."""
    monkeypatch.setattr(run_saving, "EVERY", 0.0)
    monkeypatch.setattr(run_saving, "SHARE", 1e9)
    monkeypatch.setattr(simulated, "REFRESH", 0.0)


@pytest.mark.usefixtures("always_saving")
def test_what_is_saved_under_way_goes_on(armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*HOLDING, "--integrator", "rk4", "--dt", "0.005", "--duration", "0.2")
    kept: list[bytes] = []
    save = simulated.save_under_way

    def keep(out: Path, *others: Any) -> None:
        save(out, *others)
        kept.append(out.read_bytes())

    monkeypatch.setattr(simulated, "save_under_way", keep)
    armdyn(*words, "--out", "whole.parquet")
    assert len(kept) == 40
    monkeypatch.setattr(simulated, "save_under_way", lambda *_: None)
    for data in kept[::6]:  # as a power cut would leave it
        Path("run.parquet").write_bytes(data)
        assert "the run goes on: at" in (read_run("run.parquet").failure or "")
        assert armdyn(*words, "--out", "run.parquet", "--resume").code == 0
        assert_identical(read_run("run.parquet"), read_run("whole.parquet"))


@pytest.mark.usefixtures("always_saving")
def test_a_disk_that_is_full_under_way_ends_the_run(armdyn: Armdyn, monkeypatch: pytest.MonkeyPatch) -> None:
    words = (*SWINGING, "--integrator", "rk4", "--dt", "0.01")
    armdyn(*words, "--duration", "0.1", "--out", "run.parquet")
    before = Path("run.parquet").read_bytes()

    def full(out: Path, *_: Any, **__: Any) -> None:
        raise InputError(f"{out}: cannot be written, No space left on device")

    monkeypatch.setattr(simulated, "save_under_way", full)
    monkeypatch.setattr(simulated, "write_out", full)
    said = armdyn(*words, "--duration", "0.5", "--out", "run.parquet", "--json")
    assert said.code == 2
    assert said.err == "armdyn: run.parquet: cannot be written, No space left on device\n"
    found = json.loads(said.out)
    assert (found["failure"], found["files"]) == (said.err[8:-1], [])
    assert len(found["time"]) == 1
    assert Path("run.parquet").read_bytes() == before


def test_only_what_a_run_needs_to_go_on_is_read(armdyn: Armdyn) -> None:
    armdyn(*HOLDING, "--duration", "0.1", "--out", "run.parquet")
    whole, part = read_run("run.parquet"), read_run("run.parquet", ("q", "work", "state"))
    assert part.columns.keys() == {"q", "work", "state"}
    np.testing.assert_array_equal(part.time, whole.time)
    np.testing.assert_array_equal(part.columns["q"], whole.columns["q"])
    assert part.checkpoint == whole.checkpoint
