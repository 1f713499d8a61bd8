"""Bad binary files, made from good ones by name: what corpus/made.toml says each must give."""

from __future__ import annotations

import io
import json
import struct
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from hostile.good_files import (
    JOINTS,
    csv_columns,
    good,
    joint_messages,
    mcap_bytes,
    parquet_bytes,
    run_parts,
    state_messages,
)

Made = Callable[[], bytes]
MADE: dict[str, dict[str, Made]] = {}
"""By kind and name."""


def _case(kind: str, name: str, make: Made) -> None:
    assert name not in MADE.setdefault(kind, {}), name
    MADE[kind][name] = make


def _at(data: bytes, place: int, new: bytes) -> bytes:
    place %= len(data)
    return data[:place] + new + data[place + len(new) :]


# Parquet ---------------------------------------------------------------------------------------


def _motion(**changes: Any) -> bytes:
    columns: dict[str, Any] = {"time": [0.0, 0.1, 0.2], "q1": [0.0, 0.1, 0.2], "q2": [0.0, 0.0, 0.1]}
    columns |= changes
    return parquet_bytes({name: values for name, values in columns.items() if values is not None})


def _twice() -> bytes:
    sink = io.BytesIO()
    table: Any = pa.Table.from_arrays([pa.array([0.0, 1.0])] * 4, names=["time", "q1", "q2", "q1"])
    parquet.write_table(table, sink)
    return sink.getvalue()


def _packed_zeros(rows: int) -> bytes:
    zeros = np.zeros(rows)
    return parquet_bytes(
        {"time": zeros, "q1": zeros, "q2": zeros},
        use_dictionary=True,
        compression="zstd",
        data_page_size=2**30,
    )


def _checksums() -> bytes:
    """A page of numbers of which one bit is another."""
    data = parquet_bytes(csv_columns("log_csv"), write_page_checksum=True)
    mark = struct.pack("<d", csv_columns("log_csv")["q1"][5])
    place = data.index(mark)
    return _at(data, place + 3, bytes([data[place + 3] ^ 1]))


for _name, _make in {
    "empty": lambda: b"",
    "only the magic": lambda: b"PAR1PAR1",
    "text": lambda: b"time,q1,q2\n0,0,0\n1,1,1\n",
    "cut in the middle": lambda: good("motion_parquet")[:600],
    "cut by one byte": lambda: good("motion_parquet")[:-1],
    "the beginning is gone": lambda: good("motion_parquet")[4:],
    "a footer longer than the file": lambda: _at(good("motion_parquet"), -8, b"\xff\xff\xff\x7f"),
    "a footer of no bytes": lambda: _at(good("motion_parquet"), -8, b"\0\0\0\0"),
    "a footer of noise": lambda: _at(good("motion_parquet"), -200, bytes(range(150))),
    "an encrypted footer": lambda: _at(good("motion_parquet"), -4, b"PARE"),
    "no columns": lambda: parquet_bytes({"x": [1.0]}),
    "no rows": lambda: _motion(time=np.empty(0), q1=np.empty(0), q2=np.empty(0)),
    "one row": lambda: _motion(time=[0.0], q1=[0.0], q2=[0.0]),
    "a joint too few": lambda: _motion(q2=None),
    "a joint too many": lambda: _motion(q3=[0.0, 0.0, 0.0]),
    "a column twice": _twice,
    "texts": lambda: _motion(q1=["a", "b", "c"]),
    "lists": lambda: _motion(q1=[[1.0], [2.0], [3.0]]),
    "dates": lambda: _motion(time=np.array([0, 1, 2], dtype="M8[ns]")),
    "truths": lambda: _motion(q1=[True, False, True]),
    "bytes": lambda: _motion(q1=[b"a", b"b", b"c"]),
    "a gap": lambda: _motion(q1=[0.0, None, 0.2]),
    "NaN": lambda: _motion(q1=[0.0, float("nan"), 0.2]),
    "infinity": lambda: _motion(q1=[0.0, float("inf"), 0.2]),
    "time stands still": lambda: _motion(time=[0.0, 0.1, 0.1]),
    "time goes back": lambda: _motion(time=[0.0, 0.1, 0.05]),
    "a line that is not whole": lambda: _motion(line=[1.0, 1.5, 2.0]),
    "a unit that is none": lambda: _motion(**{"q1": None, "q1[parsnip]": [0.0, 0.1, 0.2]}),
    "zeros packed a thousandfold": lambda: _packed_zeros(4_000_000),
}.items():
    _case("motion_parquet", _name, _make)

for _name, _make in {
    "a wrong checksum": _checksums,
    "no efforts": lambda: parquet_bytes({k: v for k, v in csv_columns("log_csv").items() if "tau" not in k}),
    "few samples": lambda: parquet_bytes({k: v[:5] for k, v in csv_columns("log_csv").items()}),
    "a dead channel": lambda: parquet_bytes({**csv_columns("log_csv"), "tau1": np.zeros(24)}),
}.items():
    _case("log_parquet", _name, _make)


# Runs ------------------------------------------------------------------------------------------


def _run(about: Callable[[dict[str, Any]], Any] = lambda said: said, **columns: Any) -> bytes:
    found, said = run_parts()
    merged = {name: values for name, values in {**found, **columns}.items() if values is not None}
    return parquet_bytes(merged, {"armdyn": json.dumps(about(said))})


def _with_column_doubled(name: str) -> bytes:
    """A run with a column that is there twice."""
    table: Any = parquet.read_table(io.BytesIO(_run()))
    sink = io.BytesIO()
    parquet.write_table(table.append_column(name, table[name]), sink)
    return sink.getvalue()


def _checkpoint(**changes: Any) -> bytes:
    return _run(lambda said: {**said, "checkpoint": {**said["checkpoint"], **changes}})


def _said(text: str) -> bytes:
    return parquet_bytes(run_parts()[0], {"armdyn": text})


for _name, _make in {
    "no run": lambda: good("motion_parquet"),
    "says no JSON": lambda: _said("{"),
    "says a list": lambda: _said("[1]"),
    "says JSON without end": lambda: _said("[" * 100_000),
    "says bytes that are no text": lambda: parquet_bytes(run_parts()[0], {"armdyn": "\ufffd\x00"}),
    "drives are a number": lambda: _run(lambda said: {**said, "drives": 3}),
    "events are a number": lambda: _run(lambda said: {**said, "events": 3}),
    "an event is a number": lambda: _run(lambda said: {**said, "events": [3]}),
    "notes are nothing": lambda: _run(lambda said: {**said, "notes": None}),
    "a checkpoint is a list": lambda: _run(lambda said: {**said, "checkpoint": [1]}),
    "a setup is a text": lambda: _run(lambda said: {**said, "setup": "x"}),
    "a failure is a number": lambda: _run(lambda said: {**said, "failure": 3}),
    "two columns of one name": lambda: _with_column_doubled("q1"),
    "drives without end": lambda: _run(lambda said: {**said, "drives": ["m"] * 20_000}),
}.items():
    _case("run", _name, _make)

for _name, _make in {
    "no checkpoint": lambda: _run(lambda said: {**said, "checkpoint": {}}),
    "another robot": lambda: _run(lambda said: {**said, "setup": {**said["setup"], "robot": "ur5"}}),
    "lists in lists": lambda: _run(lambda said: {**said, "setup": {**said["setup"], "q": [[1, 2], 3.5]}}),
    "another step": lambda: _run(lambda said: {**said, "setup": {**said["setup"], "dt": 1.0}}),
    "a time that is a text": lambda: _checkpoint(t="soon"),
    "a time that is not a number": lambda: _checkpoint(t=float("nan")),
    "a time before the start": lambda: _checkpoint(t=-1.0),
    "a time behind the end": lambda: _checkpoint(t=9.0),
    "a step that is a fraction": lambda: _checkpoint(step=0.5),
    "a step that is negative": lambda: _checkpoint(step=-5),
    "three positions": lambda: _checkpoint(q=[0.0, 0.0, 0.0]),
    "no positions": lambda: _checkpoint(q=[]),
    "positions in positions": lambda: _checkpoint(q=[[0.0], 0.0]),
    "a position that is a text": lambda: _checkpoint(q=["a", "b"]),
    "a position of 400 digits": lambda: _checkpoint(q=[10**400, 0.0]),
    "ways of no number": lambda: _checkpoint(ways=3),
    "decided by a text": lambda: _checkpoint(decided="yes"),
    "a field too many": lambda: _checkpoint(extra=1),
    "an event of an unknown kind": lambda: _run(
        lambda said: {**said, "events": [{"time": 0.0, "joint": 1, "kind": "explodes", "motor": None}]}
    ),
    "an event with a field too many": lambda: _run(lambda said: {**said, "events": [{"when": 0.0}]}),
    "a grasp that there was not": lambda: _run(
        lambda said: {**said, "events": [{"time": 0.0, "joint": None, "kind": "grasp", "motor": None}]}
    ),
    "a column too few": lambda: _run(qd2=None),
    "a column too many": lambda: _run(q9=np.zeros(len(run_parts()[0]["time"]))),
    "positions that are not finite": lambda: _run(q1=np.full(len(run_parts()[0]["time"]), np.nan)),
    "time goes back": lambda: _run(time=run_parts()[0]["time"][::-1].copy()),
}.items():
    _case("resume", _name, _make)


# MCAP ------------------------------------------------------------------------------------------


def _record(opcode: int, content: bytes) -> bytes:
    return struct.pack("<BQ", opcode, len(content)) + content


def _chunk(data: bytes, compression: str, unpacked: int) -> bytes:
    name = compression.encode()
    head = struct.pack("<QQQII", 0, 0, unpacked, 0, len(name)) + name
    return _record(6, head + struct.pack("<Q", len(data)) + data)


def _unfinished(*records: bytes) -> bytes:
    """A file without an end: its records, and nothing that says where they are."""
    header = _record(1, struct.pack("<I", 0) * 2)
    return b"\x89MCAP0\r\n" + header + b"".join(records)


def _zstd(count: int) -> bytes:
    import zstandard

    return zstandard.ZstdCompressor(level=3).compress(bytes(count))


def _lz4(count: int) -> bytes:
    import lz4.frame

    return lz4.frame.compress(bytes(count))


def _messages(*contents: Any, topic: str = JOINTS) -> bytes:
    texts = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in contents]
    return mcap_bytes([(topic, 10_000_000 * (k + 1), text) for k, text in enumerate(texts)])


def _index_elsewhere() -> bytes:
    """The index of chunks points into the middle of one."""
    data, place = good("mcap"), 8
    while data[place] != 8:  # the first record that is an index of a chunk
        place += 9 + struct.unpack_from("<Q", data, place + 1)[0]
    start = place + 9 + 16  # behind two instants
    return _at(data, start, struct.pack("<Q", struct.unpack_from("<Q", data, start)[0] + 40))


def _wrong_crc() -> bytes:
    data = mcap_bytes(joint_messages())
    place = data.index(b"position")
    return _at(data, place, b"positiom")


for _name, _make in {
    "empty": lambda: b"",
    "only the magic": lambda: b"\x89MCAP0\r\n",
    "a wrong magic": lambda: _at(good("mcap"), 0, b"\x89MCAP1"),
    "text": lambda: b"time,q1\n0,0\n",
    "a bag of ROS 1": lambda: b"#ROSBAG V2.0\n" + bytes(100),
    "a wrong checksum": _wrong_crc,
    "cut to its header": lambda: good("mcap")[:60],
    "an index that points elsewhere": _index_elsewhere,
    "no messages": lambda: mcap_bytes([]),
    "messages that are no JSON": lambda: _messages(*[b"\x00\x01\x02"] * 24),
    "a message that is no JSON": lambda: mcap_bytes([*joint_messages()[:11], (JOINTS, 10**9, b"{")]),
    "messages without end": lambda: _messages(*[b"[" * 200_000] * 3),
    "messages that are lists": lambda: _messages(*[[1, 2]] * 24),
    "messages of other joints": lambda: _messages(*[{"name": ["a"], "position": [1], "effort": [1]}] * 24),
    "positions that are texts": lambda: mcap_bytes(joint_messages(position=["a", "b"])),
    "a position too few": lambda: mcap_bytes(joint_messages(position=[1.0])),
    "positions that are nothing": lambda: mcap_bytes(joint_messages(position=None)),
    "a position of 400 digits": lambda: mcap_bytes(joint_messages(position=[10**400, 0])),
    "positions that are not finite": lambda: mcap_bytes(joint_messages(position=[float("nan"), 0.0])),
    "positions beyond floats": lambda: mcap_bytes(
        [(t, w, c.replace(b"[0.11,", b"[1e999,")) for t, w, c in joint_messages()]
    ),
    "names twice": lambda: mcap_bytes(joint_messages(name=["joint1", "joint1"])),
    "few messages": lambda: mcap_bytes(joint_messages()[:5]),
    "all at one time": lambda: mcap_bytes([(topic, 5, content) for topic, _, content in joint_messages()]),
    "two topics that would do": lambda: mcap_bytes(
        [*joint_messages(), *(("/other", time, content) for _, time, content in joint_messages())]
    ),
    "a zstd bomb that says so": lambda: _unfinished(_chunk(_zstd(2**28), "zstd", 2**28)),
    "a zstd bomb that does not": lambda: _unfinished(_chunk(_zstd(2**28), "zstd", 1000)),
    "an lz4 bomb that does not": lambda: _unfinished(_chunk(_lz4(2**26), "lz4", 1000)),
    "a chunk of a size that no memory has": lambda: _unfinished(_chunk(b"", "zstd", 2**63)),
    "a chunk longer than its record": lambda: _unfinished(
        _at(_chunk(b"abcd", "", 4), 9 + 32, struct.pack("<Q", 2**40))
    ),
    "many small bombs": lambda: _unfinished(*[_chunk(_zstd(2**26), "zstd", 2**26)] * 20),
    "a chunk that is not packed as it says": lambda: _unfinished(_chunk(b"no zstd at all", "zstd", 100)),
    "a packing that nobody knows": lambda: _unfinished(_chunk(b"abc", "brotli", 3)),
}.items():
    _case("mcap", _name, _make)

for _name, _make in {
    "no states": lambda: mcap_bytes(joint_messages()),
    "states that are no JSON": lambda: _messages(b"{", b"{", topic="/state"),
    "states without end": lambda: _messages(b"[" * 200_000, b"{}", topic="/state"),
    "positions of 400 digits": lambda: mcap_bytes(state_messages(q=[10**400, 0])),
    "positions of another robot": lambda: mcap_bytes(state_messages(q=[1.0])),
    "one state": lambda: mcap_bytes(state_messages()[:1]),
}.items():
    _case("recording_mcap", _name, _make)

for _name, _make in {
    "says JSON without end": lambda: _said("[" * 100_000),
    "says no JSON": lambda: _said("{"),
}.items():
    _case("recording", _name, _make)
