"""Logs in MCAP files: armdyn's own come back, joint states are told by name, one sentence on the rest."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from mcap.writer import CompressionType, Writer

import armdyn as ad
from armdyn.errors import InputError
from armdyn.identification.logs import read_log
from armdyn.simulation.files.mcap_files import write_mcap
from armdyn.simulation.results import Simulation
from log_signals import Sines

ARM = ad.load("planar2")
NAMES = list(ARM.joint_names)
MOTION = Sines()
START = 1_700_000_000_000_000_000
SAMPLES = 60
TIME = np.arange(SAMPLES) / 1000

Row = tuple[str, int, Any]


@pytest.fixture(scope="module")
def run() -> Simulation:
    """An arm that swings under a torque, and sees a wrench."""
    return ad.simulate(
        ARM,
        0.1,
        dt=0.001,
        torque=lambda t: [300 * np.cos(9 * t), 2000 * np.sin(7 * t)],
        wrench=lambda t: np.sin(t) * np.ones(6),
    )


def stamped(k: int) -> dict[str, int]:
    time = START + round(1e9 * TIME[k])
    return {"sec": time // 10**9, "nanosec": time % 10**9}


def flat(names: list[str], topic: str = "/joint_states", **changes: Any) -> Iterator[Row]:
    """sensor_msgs/JointState as JSON, with joints beside the arm's."""
    order = [NAMES.index(name) if name in NAMES else 0 for name in names]
    for k in range(SAMPLES):
        instant = TIME[k : k + 1]
        values = {
            key: MOTION.at(instant, d)[0, order].tolist() for d, key in enumerate(("position", "velocity"))
        }
        effort = {"effort": MOTION.at(instant, 2)[0, order].tolist()}
        content = {"header": {"stamp": stamped(k)}, "name": names, **values, **effort, **changes}
        yield topic, START + round(1e9 * TIME[k]) + (k % 7) * 50_000, content


def written(folder: Path, rows: Any, encoding: str = "json", **options: Any) -> Path:
    """A log of messages, each with its topic and time [ns]."""
    path = folder / "log.mcap"
    with path.open("wb") as sink:
        writer = Writer(sink, **options)
        writer.start()
        channels: dict[str, int] = {}
        schema = writer.register_schema("sensor_msgs/JointState", "jsonschema", b"{}")
        for topic, time, content in rows:
            if topic not in channels:
                channels[topic] = writer.register_channel(topic, encoding, schema)
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            writer.add_message(channels[topic], log_time=time, data=data, publish_time=time)
        writer.finish()
    return path


def refused(path: Path, **options: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_log(path, ARM, **options)
    return str(caught.value)


# armdyn's own ---------------------------------------------------------------------------------


def test_a_run_comes_back_to_the_last_bit(run: Simulation, tmp_path: Path) -> None:
    write_mcap(tmp_path / "run.mcap", run)
    log = read_log(tmp_path / "run.mcap", ARM)
    np.testing.assert_allclose(log.time, run.time, rtol=0, atol=1e-9)  # messages count ns
    for name in ("q", "qd", "tau", "wrench"):
        np.testing.assert_array_equal(getattr(log, name), getattr(run, name))
    assert log.kind == "tau"
    assert log.notes == ('motor_torque is passed over for tau; effort="motor_torque" takes it',)


def test_a_topic_of_a_run_can_be_chosen(run: Simulation, tmp_path: Path) -> None:
    write_mcap(tmp_path / "run.mcap", run)
    log = read_log(tmp_path / "run.mcap", ARM, topic="/joint_states")
    np.testing.assert_array_equal(log.tau, run.tau)
    assert log.wrench is None
    assert refused(tmp_path / "run.mcap", topic="/joint_state").endswith(
        'no topic "/joint_state"; did you mean "/joint_states"? there are "/tf", "/joint_states", "/state"'
    )
    assert "no message of" in refused(tmp_path / "run.mcap", topic="/tf")


# Those of others ------------------------------------------------------------------------------


@pytest.mark.parametrize("compression", [CompressionType.NONE, CompressionType.LZ4, CompressionType.ZSTD])
def test_joints_are_found_by_name(tmp_path: Path, compression: CompressionType) -> None:
    path = written(tmp_path, flat(["finger", *reversed(NAMES)]), compression=compression, chunk_size=4000)
    log = read_log(path, ARM)
    np.testing.assert_allclose(log.time, TIME, rtol=0, atol=1e-9)  # as measured, not as logged
    np.testing.assert_array_equal(log.q, MOTION.at(TIME))
    np.testing.assert_array_equal(log.qd, MOTION.at(TIME, 1))
    np.testing.assert_array_equal(log.tau, MOTION.at(TIME, 2))
    assert log.notes == ("time counts from the first message, 1.7e+09 s",)


def test_efforts_may_be_currents(tmp_path: Path) -> None:
    log = read_log(written(tmp_path, flat(NAMES)), ARM, effort="current")
    np.testing.assert_array_equal(log.current, MOTION.at(TIME, 2))


def test_velocities_need_not_be_there(tmp_path: Path) -> None:
    assert read_log(written(tmp_path, flat(NAMES, velocity=[])), ARM).qd is None


def test_files_without_index_or_order_are_read(tmp_path: Path) -> None:
    rows = list(flat(NAMES))
    rows[20:40] = rows[39:19:-1]
    path = written(tmp_path, rows, use_chunking=False, use_summary_offsets=False, repeat_channels=False)
    np.testing.assert_array_equal(read_log(path, ARM).q, MOTION.at(TIME))


def test_time_of_logging_serves_where_messages_have_none(tmp_path: Path) -> None:
    rows = [
        (topic, START + round(1e9 * TIME[k]), content) for k, (topic, _, content) in enumerate(flat(NAMES))
    ]
    for _, _, content in rows:
        content["header"] = {"stamp": {"sec": 0, "nanosec": 0}}
    log = read_log(written(tmp_path, rows), ARM)
    np.testing.assert_allclose(log.time, TIME, rtol=0, atol=1e-9)
    assert log.notes[0] == "time is that of logging: messages do not say when they were measured"


def test_senders_may_share_a_topic(tmp_path: Path) -> None:
    rows = [row for pair in zip(flat(["finger"]), flat(NAMES), strict=True) for row in pair]
    log = read_log(written(tmp_path, rows), ARM)
    np.testing.assert_array_equal(log.q, MOTION.at(TIME))
    assert log.notes[-1] == "60 messages of /joint_states about other joints passed over"


def test_the_topic_with_efforts_is_the_one(tmp_path: Path) -> None:
    rows = [*flat(NAMES, "/commands", effort=[]), *flat(NAMES[:1], "/some"), *flat(NAMES, "/states")]
    assert len(read_log(written(tmp_path, rows), ARM).time) == SAMPLES


def test_numbers_that_are_missing_are_invalid_samples(tmp_path: Path) -> None:
    rows = list(flat(NAMES))
    rows[9][2]["effort"] = [1.0, None]
    rows[12][2]["position"] = [1.0]
    path = written(tmp_path, rows)
    said = '/joint_states, message 10, "tau2": no number, expected a finite number; mend it'
    assert said in refused(path)
    assert len(read_log(path, ARM, drop_invalid=True).time) == SAMPLES - 2


# One sentence each ----------------------------------------------------------------------------


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    at = f"{tmp_path / 'log.mcap'}"
    assert refused(written(tmp_path, flat([NAMES[0], "finger"]))) == (
        f'{at}, /joint_states, message 1: no joint "{NAMES[1]}" among "{NAMES[0]}", "finger", '
        'expected all joints of robot "planar2"'
    )
    assert refused(written(tmp_path, flat(["finger"]))) == (
        f'{at}: no message of "/joint_states" has joints of robot "planar2", '
        f'expected "{NAMES[0]}", "{NAMES[1]}" with positions'
    )
    assert refused(written(tmp_path, flat(NAMES, effort=[]))) == (
        f"{at}, /joint_states: no torques and no currents, expected tau1, motor_torque1 or current1, .."
    )
    assert refused(written(tmp_path, flat(NAMES, position=[]))) == (
        f'{at}, /joint_states: messages have no "q", expected it in each'
    )
    assert refused(written(tmp_path, [*flat(NAMES, "/a"), *flat(NAMES, "/b")])) == (
        f'{at}: topics "/a", "/b" would do, expected one; choose it: topic="/a"'
    )
    assert refused(written(tmp_path, [])) == (
        f"{at}: no messages, expected some with the joints' names, positions and efforts"
    )
    states = [("/state", k, {"q": [0.0, 1.0, 2.0], "tau": [1.0, 2.0]}) for k in range(30)]
    assert refused(written(tmp_path, states)) == (
        f'{at}, /state, message 1: q has 3 elements, expected 2 as robot "planar2" has'
    )


@pytest.mark.parametrize("encoding", ["cdr", "protobuf"])
def test_other_encodings_are_refused(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, [("/joint_states", k, b"\0\1") for k in range(30)], encoding)
    assert refused(path) == (
        f'{path}: topic "/joint_states" is encoded as "{encoding}", expected json; '
        "write it as JSON, or as .csv or .parquet"
    )


def test_unsorted_stamps_are_refused(tmp_path: Path) -> None:
    rows = list(flat(NAMES))
    rows[30][2]["header"]["stamp"] = stamped(10)
    assert refused(written(tmp_path, rows)).endswith(
        "/joint_states, message 31: time goes from 0.029 to 0.01 s, expected increasing instants; "
        "sort or cut the log"
    )


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, flat(NAMES), chunk_size=4000)
    whole = path.read_bytes()
    path.write_bytes(b"time,q1\n0,1\n")
    assert refused(path) == f"{path}: not an MCAP file that can be read"
    path.write_bytes(whole[:40])
    expected = "expected some with the joints' names, positions and efforts"
    assert refused(path) == f"{path}: no messages, {expected}"
    # damage in what need not be read goes unnoticed
    for k in range(40, len(whole), len(whole) // 60):
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 0xFF]) + whole[k + 1 :])
        try:
            read_log(path, ARM)
        except InputError as error:
            assert str(error).startswith(str(path))  # noqa: PT017
    rows = list(flat(NAMES))
    rows[40] = ("/joint_states", rows[40][1], b'{"name": [')
    assert refused(written(tmp_path, rows)).endswith("message 41: cannot be read as JSON, expected an object")
    assert refused(tmp_path / "none.mcap") == f"{tmp_path / 'none.mcap'}: no such file"


def test_a_file_without_its_end_is_read_up_to_its_last_whole_part(tmp_path: Path) -> None:
    path = written(tmp_path, flat(NAMES), chunk_size=4000)
    whole, log = path.read_bytes(), read_log(path, ARM)
    path.write_bytes(whole[: len(whole) // 2])
    part = read_log(path, ARM)
    assert 0 < len(part.time) < len(log.time)
    assert np.array_equal(part.q, log.q[: len(part.time)])
    assert part.notes[0] == "its end is missing, as after a crash: read up to its last whole part"
    for k in range(60, len(whole) // 2, 97):  # damaged within as well: read or refused, never a traceback
        path.write_bytes(whole[:k] + bytes([whole[k] ^ 0xFF]) + whole[k + 1 : len(whole) // 2])
        try:
            read_log(path, ARM)
        except InputError as error:
            assert str(error).startswith(str(path))  # noqa: PT017
