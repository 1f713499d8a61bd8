"""Commands with abused numbers: one sentence and code 2, and nothing else on either stream."""

from __future__ import annotations

from pathlib import Path

import pytest

from command_line import BAD_INPUT, assert_refused, called
from hostile.abused import samples

COMMANDS: dict[str, str] = {
    "verify motion.csv --robot planar2 --cycle 1e-300": "more than 5000000 samples",
    "verify motion.csv --robot planar2 --cycle nan": "cycle is nan s",
    "verify motion.csv --robot planar2 --gravity 0,1e300,0": "too large to compute with",
    "verify motion.csv --robot planar2 --payload 1e300,0,0,0": "larger than any body",
    "verify motion.csv --robot planar2 --payload=-1,0,0,0": "is negative",
    "verify motion.csv --robot planar2 --wrench inf,0,0,0,0,0": "is not a finite number",
    "verify motion.csv --robot planar2 --wrench 1e308,0,0,0,0,0": "too large to compute with",
    "verify lola15 --jerk-time 1e308": "more than 5000000 samples",
    "verify lola15 --start 1e308,0,0,0,0,0": "start has 1e+308",
    "retime motion.csv --robot planar2 --margin nan": "margin is nan",
    "retime motion.csv --robot ur5": 'robot "ur5" needs q1 to q6',
    "retime motion.csv --robot planar2 --tool-speed 1e-300": "the motion lasts inf s",
    "retime motion.csv --robot planar2 --mode uniform --tool-speed 1e-300": "slower than a billionth",
    "identify planar2 motion.csv": "expected",
    "excite planar2 --duration nan": "duration",
    "excite planar2 --speed 5e-324": "velocity of joint 1 is 4.94066e-324",
    "excite planar2 --gravity 0,1e300,0": "gravity is 1e+300",
    "excite planar2 --share 1e-300": "share of the limits is 1e-300",
    "excite planar2 --workspace=-1e308:1e308,-1:1,-1:1": "workspace",
    "study planar2 reactions --gravity 0,1e300,0": "gravity is 1e+300",
    "study planar2 inertia --range 1=0:5e-324": "range of joint 1",
    "study planar2 servo --natural-frequency 5e-324": "natural_frequency",
    "study planar2 servo --natural-frequency 10 --payload 1e30,0,0,0": "feels no inertia",
    "study planar2 coupling --share 1e308": "share is 1e+308",
    "study planar2 gravity --effort 0": "effort is 0",
    "simulate planar2 --duration 0.01 --q 1e15,0": "q is",
    "simulate planar2 --duration 0.01 --rtol 1e-300": "rtol is 1e-300",
    "simulate planar2 --duration 0.01 --sample 1e308": "sample is 1e+308 s",
    "simulate planar2 --duration 1e300": "more than 1000000000 steps",
    "export planar2 --to fmu --no-build --dt nan --out out": "dt",
    "export planar2 --to c --payload 1e300,0,0,0 --out out": "larger than any body",
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_abused_numbers_is_refused(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    samples(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert_refused(called(monkeypatch, capsys, command.split()), COMMANDS[command])


@pytest.mark.parametrize("thrown", ["--qd=1e30,0", "--gravity=0,1e150,0"])
def test_a_run_that_is_thrown_says_so_after_what_there_is(
    thrown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = called(monkeypatch, capsys, ("simulate", "planar2", "--duration", "0.01", thrown))
    assert said.code == BAD_INPUT
    assert "rad/s at 0 s, no arm does" in said.err
    assert said.err.count("\n") == 1
