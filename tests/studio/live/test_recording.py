"""Recordings: read again by identification, whole after a stop, all but the last chunk after a kill."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.reader import make_reader

import armdyn as ad
from armdyn.errors import InputError
from armdyn.identification.logs import read_log
from armdyn.identification.logs.mcap_files import McapFile
from armdyn.studio.live.prediction import Prediction
from armdyn.studio.live.recording import Recording
from armdyn.studio.live.stream import Stream
from armdyn.studio.live.telemetry import Sample, layout_of
from live_studio import moving, until

ARM = ad.load("ur5")
DYN = ad.Dynamics(ARM)
LAYOUT = layout_of(("q", "tau"), 6, 0, "ur5")


def recorded(path: Path, seconds: float) -> tuple[Any, Any, Any]:
    t, q, _, tau = moving("ur5", seconds)
    stream = Stream("test", LAYOUT, Prediction(DYN))
    stream.recording = Recording(path, DYN, LAYOUT, {"stream": "test"})
    tau[150:250, 2] += 40.0
    for k in range(len(t)):
        stream.take(Sample(k, 1e9 + float(t[k]), np.concatenate([q[k], tau[k]])))
    written = stream.recording.stop()
    assert (written.samples, written.lost, written.failure, written.open) == (len(t), 0, None, False)
    assert written.bytes == path.stat().st_size
    return t, q, tau


def test_a_recording_is_a_log_for_identification(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    t, q, tau = recorded(path, 4.0)
    log = read_log(path, ARM)
    assert np.abs(log.time - t).max() < 1e-6
    assert np.array_equal(log.q, q)
    assert np.array_equal(log.effort, tau)
    assert log.kind == "tau"


def test_a_recording_has_what_viewers_and_people_want(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    t, _, _ = recorded(path, 4.0)
    with path.open("rb") as stream:
        reader = make_reader(stream, validate_crcs=True)
        summary = reader.get_summary()
        assert summary is not None
        assert summary.statistics is not None
        counts = summary.statistics.channel_message_counts
        count = {channel.topic: counts.get(k, 0) for k, channel in summary.channels.items()}
        assert count["/state"] == len(t)
        assert count["/prediction"] == len(t) - 10 - 20  # until the rate is known, and windows are full
        assert 90 < count["/joint_states"] == count["/tf"] < 110
        said = [json.loads(message.data)["message"] for *_, message in reader.iter_messages("/log")]
        assert said[0].startswith('joint 3 ("elbow_joint"): residual')
        assert reader.get_header().library.startswith("armdyn")


def test_recordings_are_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    path.write_bytes(b"mine")
    with pytest.raises(InputError, match=r"run.mcap: is there already, expected a new file; name another"):
        Recording(path, DYN, LAYOUT, {})
    assert path.read_bytes() == b"mine"
    with pytest.raises(InputError, match=r'ends in ".csv", expected .mcap'):
        Recording(tmp_path / "run.csv", DYN, LAYOUT, {})
    with pytest.raises(InputError, match=r"cannot be written, No such file or directory"):
        Recording(tmp_path / "none" / "run.mcap", DYN, LAYOUT, {})


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_stops_the_recording_and_nothing_else(tmp_path: Path) -> None:
    recording = Recording(tmp_path / "run.mcap", DYN, LAYOUT, {})
    (tmp_path / "run.mcap").unlink()
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, next(k for k in range(3, 64) if _is(k, tmp_path / "run.mcap (deleted)")))
    os.close(full)
    for k in range(2000):
        recording.sample(Sample(k, k / 100, np.zeros(12)))
    until(lambda: not recording.written.open)
    assert recording.written.failure == f"{tmp_path / 'run.mcap'}: cannot be written, No space left on device"
    recording.sample(Sample(9999, 99.0, np.zeros(12)))
    recording.stop()


def _is(descriptor: int, name: Path) -> bool:
    try:
        return str(Path(f"/proc/self/fd/{descriptor}").readlink()) == str(name)
    except OSError:
        return False


KILLED = """
import sys, time
import numpy as np
import armdyn as ad
from pathlib import Path
from armdyn.studio.live.recording import Recording
from armdyn.studio.live.telemetry import Sample, layout_of

arm = ad.load("planar2")
recording = Recording(Path(sys.argv[1]), ad.Dynamics(arm), layout_of(("q", "tau"), 2, 2, "planar2"), {})
for k in range(10**9):
    recording.sample(Sample(k, k / 100, np.array([0.001 * k, 0.0, np.sin(k), 2.0 * np.cos(k)])))
    time.sleep(2e-4)
"""


def test_a_recording_that_was_killed_is_read_up_to_its_last_chunk(tmp_path: Path) -> None:
    path = tmp_path / "run.mcap"
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(path)])
    try:
        until(lambda: path.exists() and path.stat().st_size > 60_000)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    log = read_log(path, ad.load("planar2"))
    assert "its end is missing, as after a crash: read up to its last whole part" in log.notes
    assert len(log.time) > 500
    assert np.allclose(log.q[:, 0], 0.1 * log.time)
    with path.open("rb") as stream:
        assert McapFile(stream, path).metadata("armdyn")["robot"] == "planar2"
