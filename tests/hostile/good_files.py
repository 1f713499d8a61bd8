"""Good files of every kind, small: what is broken to make bad ones, and what fuzzing begins with."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from hostile.readers import READERS, arm, begun

FOLDER = Path(__file__).parent / "good"


@cache
def good(kind: str) -> bytes:
    """The bytes of a good file of a kind."""
    file = FOLDER / f"{kind}{READERS[kind].suffix}"
    return file.read_bytes() if file.exists() else _MADE[kind]()


# Parquet ---------------------------------------------------------------------------------------


def parquet_bytes(columns: dict[str, Any], about: dict[str, str] | None = None, **options: Any) -> bytes:
    """A table as a Parquet file, plainly: nothing compressed, unless options say so."""
    table: Any = pa.table(columns)
    sink = io.BytesIO()
    plain = {"compression": "none", "use_dictionary": False, **options}
    parquet.write_table(table.replace_schema_metadata(about), sink, **plain)
    return sink.getvalue()


def csv_columns(kind: str) -> dict[str, Any]:
    """The columns of a good .csv file."""
    names, *rows = good(kind).decode().split()
    table = np.array([[float(x) for x in row.split(",")] for row in rows])
    return {name: table[:, k] for k, name in enumerate(names.split(","))}


def _run_file() -> bytes:
    """A short run as `armdyn simulate --out` writes it."""
    from armdyn.cli.run_saving import DURATION, write_out

    run, setup = begun()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "run.parquet"
        write_out(file, run.go(), {**setup, DURATION: 0.05})
        return file.read_bytes()


def run_parts() -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns of a good run, and what it says of itself."""
    table: Any = parquet.read_table(io.BytesIO(good("run")))
    columns = {name: table[name].to_numpy() for name in table.column_names}
    return columns, json.loads(table.schema.metadata[b"armdyn"])


# MCAP ------------------------------------------------------------------------------------------

JOINTS = "/joint_states"


def mcap_bytes(
    messages: list[tuple[str, int, bytes]],
    *,
    compression: str = "NONE",
    metadata: dict[str, str] | None = None,
    **options: Any,
) -> bytes:
    """Messages (topic, time [ns], content) as an MCAP file."""
    from mcap.writer import CompressionType, Writer

    sink = io.BytesIO()
    writer = Writer(sink, compression=CompressionType[compression], **options)
    writer.start()
    schema = writer.register_schema("JointState", "jsonschema", b"{}")
    channels: dict[str, int] = {}
    for topic, time, content in messages:
        if topic not in channels:
            channels[topic] = writer.register_channel(topic, "json", schema)
        writer.add_message(channels[topic], time, content, time)
    if metadata is not None:
        writer.add_metadata("armdyn", metadata)
    writer.finish()
    return sink.getvalue()


def joint_messages(**changes: Any) -> list[tuple[str, int, bytes]]:
    """Messages of both joints; `changes` replace fields of the twelfth."""
    found = []
    for k in range(24):
        content: dict[str, Any] = {
            "name": list(arm().joint_names),
            "position": [0.01 * k, 0.02 * k],
            "velocity": [1.0, 2.0],
            "effort": [5.0 + 0.1 * k, 3.0 - 0.1 * k],
        }
        content |= changes if k == 11 else {}
        found.append((JOINTS, 10_000_000 * (k + 1), json.dumps(content).encode()))
    return found


def state_messages(**changes: Any) -> list[tuple[str, int, bytes]]:
    """Messages as armdyn's own runs have them."""
    found = []
    for k in range(6):
        content: dict[str, Any] = {"q": [0.1 * k, 0.0], "qd": [1.0, 0.0], "tau": [5.0, 3.0]}
        content |= changes if k == 3 else {}
        found.append(("/state", 10_000_000 * (k + 1), json.dumps(content).encode()))
    return found


_MADE: dict[str, Callable[[], bytes]] = {
    "motion_parquet": lambda: parquet_bytes(
        {
            "time": [0.0, 0.1, 0.2, 0.3],
            "q1": [0.0, 0.1, 0.2, 0.3],
            "q2": [0.0, 0.0, 0.1, 0.1],
            "line": [1, 1, 2, 2],
        }
    ),
    "log_parquet": lambda: parquet_bytes(csv_columns("log_csv")),
    "mcap": lambda: mcap_bytes(joint_messages()),
    "run": _run_file,
    "resume": _run_file,
    "recording": _run_file,
    "recording_mcap": lambda: mcap_bytes(state_messages(), metadata={"robot": "planar2"}),
}
