"""Rows as Parquet: columns with units, and what they are of in the file itself."""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import numpy as np

from armdyn.sweep.axes import Values
from armdyn.sweep.chunks import Chunk
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.quantities import ERROR

KEY = "armdyn"
"""Under which a file keeps its manifest, as other files of armdyn keep what they say of themselves."""
CHUNK_KEY = "chunk"
INDEX = "index"
TYPES = {"float": "float64", "int": "int64", "bool": "bool_", "text": "string"}


def parquet_bytes(
    manifest: Manifest, chunk: Chunk, points: Mapping[str, Values], found: Mapping[str, Values]
) -> bytes:
    """The file of a chunk: the same rows give the same bytes."""
    pa: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    missing: Any = found[ERROR] != None  # noqa: E711  element by element
    arrays: list[Any] = [pa.array(np.arange(chunk.first, chunk.stop))]
    for column in manifest.columns:
        axis = column["role"] == "axis"
        values = points[column["name"]] if axis else found[column["name"]]
        arrays.append(_array(pa, values, column["kind"], None if axis else missing))
    arrays.append(pa.array(found[ERROR], pa.string()))
    about = {KEY: json.dumps(manifest.document()), CHUNK_KEY: json.dumps(_of_chunk(chunk, missing))}
    sink: Any = pa.BufferOutputStream()
    parquet.write_table(
        pa.table(arrays, schema=_schema(pa, manifest, about)),
        sink,
        compression="zstd",
        compression_level=1,
        use_dictionary=[c["name"] for c in manifest.columns if c["role"] == "axis"] + [ERROR],
        write_page_checksum=True,
    )
    return sink.getvalue().to_pybytes()


def _of_chunk(chunk: Chunk, missing: Any) -> dict[str, int]:
    return {
        "number": chunk.number,
        "first": chunk.first,
        "stop": chunk.stop,
        "without_answer": int(missing.sum()),
    }


def _schema(pa: Any, manifest: Manifest, about: Mapping[str, str]) -> Any:
    fields = [pa.field(INDEX, pa.int64(), metadata={"description": "number of the row, from 0"})]
    for column in manifest.columns:
        said = {"unit": column["unit"], "role": column["role"]}
        fields.append(pa.field(column["name"], _type(pa, column["kind"]), metadata=said))
    said = {"description": "why the row has no answer; null where it has one"}
    return pa.schema([*fields, pa.field(ERROR, pa.string(), metadata=said)], dict(about))


def _type(pa: Any, kind: str) -> Any:
    return getattr(pa, TYPES[kind])()


def _array(pa: Any, values: Values, kind: str, missing: Any) -> Any:
    """A column; null where a row has no answer, and where a whole number or a truth is none."""
    if kind in ("int", "bool") and values.dtype == float:
        missing = np.isnan(values) | (False if missing is None else missing)
        values = np.where(missing, 0.0, values)
    if kind == "text":
        return pa.array(values, pa.string())
    typed = values.astype({"float": float, "int": np.int64, "bool": bool}[kind], copy=False)
    return pa.array(typed, _type(pa, kind), mask=missing if missing is not None and missing.any() else None)
