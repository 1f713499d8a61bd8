"""Good files made bad at random, along their structure: words and lines of texts, fields of binaries."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

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

NUMBERS = (
    *("nan", "inf", "-inf", "1e308", "-1e308", "1.7e308", "5e-324", "-0.0", "0", "-1", "1e999", "1e-999"),
    *("9" * 25, "9" * 400, "0x10", "1_000", "1e", "--1", "2147483648", "18446744073709551616", "1e6", "1e-6"),
)
"""Numbers that are too large, too small, or none."""
WORDS = (
    *(
        '""',
        '"\\u0000"',
        '"base"',
        "true",
        "[]",
        "{}",
        "[[]]",
        "''",
        "1979-05-27",
        '"1 kg"',
        '"90 deg"',
        "null",
    ),
    *("&amp;", "<a/>", "<!-- x -->", "<![CDATA[x]]>", "&x;", "<!DOCTYPE r>", "\u202e", "\ufeff", "é", "\x00"),
    *("\r", "\t", ",", ",,", ";", '"', "'", "[", "]", "{", "}", "=", "#", "]]", "../../etc/passwd", "%s%n"),
)
"""Pieces of texts that readers stumble over."""
WHOLES = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**63 - 1, 2**63, 2**64 - 1)
"""Counts and sizes that readers may believe."""


def mutated(kind: str, rng: Random, data: bytes | None = None) -> bytes:
    """A file of a kind with one to four changes; made from `data`, or from a good one."""
    remake = _REMADE.get(kind)
    if remake is not None and data is None and rng.random() < 0.7:
        return remake(rng)
    found = good(kind) if data is None else data
    change = _binary if kind in _REMADE else _text
    for _ in range(rng.randint(1, 4)):
        found = change(found, rng)
    return found


# Texts -----------------------------------------------------------------------------------------

_TOKEN = re.compile(rb"\w+(?:\.\w+)?|\s+|[^\w\s]")


def _text(data: bytes, rng: Random) -> bytes:
    return rng.choice((_words, _words, _words, _lines, _lines, _binary))(data, rng)


def _words(data: bytes, rng: Random) -> bytes:
    tokens = _TOKEN.findall(data) or [b""]
    k = rng.randrange(len(tokens))
    numbers = [i for i, token in enumerate(tokens) if token[:1].isdigit()]
    match rng.randrange(5):
        case 0 if numbers:
            tokens[rng.choice(numbers)] = rng.choice(NUMBERS).encode()
        case 1:
            tokens[k] = rng.choice(WORDS).encode("utf-8", "surrogatepass")
        case 2:
            tokens[k] = rng.choice(tokens)
        case 3:
            del tokens[k]
        case _:
            tokens.insert(k, rng.choice((*WORDS, *NUMBERS)).encode("utf-8", "surrogatepass"))
    return b"".join(tokens)


def _lines(data: bytes, rng: Random) -> bytes:
    lines = data.split(b"\n")
    first, count = rng.randrange(len(lines)), rng.choice((1, 1, 2, 5, 12))
    block = lines[first : first + count]
    match rng.randrange(4):
        case 0:
            del lines[first : first + count]
        case 1:
            lines[first:first] = block * rng.choice((1, 1, 2, 50))
        case 2:
            del lines[first : first + count]
            at = rng.randrange(len(lines) + 1)
            lines[at:at] = block
        case _:
            del lines[first + 1 :]
    return b"\n".join(lines)


# Binaries --------------------------------------------------------------------------------------


def _binary(data: bytes, rng: Random) -> bytes:
    if not data:
        return bytes(rng.randrange(256) for _ in range(rng.randrange(20)))
    at, count = rng.randrange(len(data)), rng.choice((1, 1, 2, 4, 8, 64))
    match rng.randrange(6):
        case 0:
            return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]
        case 1:
            size = rng.choice((1, 2, 4, 8))
            return data[:at] + (rng.choice(WHOLES) % 256**size).to_bytes(size, "little") + data[at + size :]
        case 2:
            return data[:at] + data[at + count :]
        case 3:
            return data[:at] + data[at : at + count] + data[at:]
        case 4:
            return data[:at]
        case _:
            return data[:at] + bytes(rng.randrange(256) for _ in range(count)) + data[at + count :]


# Binaries made anew, so that checksums hold --------------------------------------------------------

_VALUES: tuple[Any, ...] = (
    *(None, True, "x", "", [], {}, [[]], [1.0], {"a": 1}, -1, 0, 1, 10**30, 10**400, 1e308, float("nan")),
    *(float("inf"), [None, None], ["a", "b"], [1.0, 2.0, 3.0], [10**400, 0], [[1, 2], [3, 4]], "1e5"),
)


def changed(document: Any, rng: Random) -> Any:
    """A JSON document with one place that holds something else, or nothing."""
    if not isinstance(document, dict | list) or not document or rng.random() < 0.15:
        return rng.choice(_VALUES)
    keys = list(document) if isinstance(document, dict) else range(len(document))
    key = rng.choice(list(keys))
    copied: Any = document.copy()
    match rng.randrange(6):
        case 0:
            del copied[key]
        case 1 if isinstance(copied, list):
            copied.insert(key, rng.choice(_VALUES))
        case 1:
            copied[rng.choice(("position", "name", "q", "time", "x", "stamp", "header"))] = rng.choice(
                _VALUES
            )
        case _:
            copied[key] = changed(copied[key], rng)
    return copied


def _columns(columns: dict[str, Any], rng: Random) -> dict[str, Any]:
    import numpy as np

    found = {name: np.array(values) for name, values in columns.items()}
    name = rng.choice(list(found))
    match rng.randrange(6):
        case 0:
            del found[name]
        case 1:
            names = (
                "",
                "q1",
                "q99",
                "time",
                "q1[deg]",
                "tau1[kg]",
                "q0",
                "state1",
                "state9999",
                "é",
                "q1\x00",
            )
            found[rng.choice(names)] = found.pop(name)
        case 2:
            kinds = ("i1", "u8", "f4", "f2", "U3", "S3", "bool", "M8[ns]", "m8[s]")
            with np.errstate(all="ignore"):
                found[name] = found[name].astype(float).round().astype("i8").astype(rng.choice(kinds))
        case 3:
            values = found[name].astype(float)
            values[rng.randrange(len(values))] = float(
                rng.choice(("nan", "inf", "-inf", "1e308", "5e-324", "-1"))
            )
            found[name] = values
        case 4:
            kept = rng.randrange(3)
            found = {title: values[:kept] for title, values in found.items()}
        case _:
            found[name] = found[name][::-1]
    return found


def _parquet(kind: str) -> Callable[[Random], bytes]:
    def remade(rng: Random) -> bytes:
        columns = csv_columns("log_csv")
        codec = rng.choice(("none", "snappy", "zstd", "gzip"))
        return parquet_bytes(_columns(columns, rng), compression=codec, use_dictionary=rng.random() < 0.5)

    return remade


def _run(rng: Random) -> bytes:
    columns, about = run_parts()
    if rng.random() < 0.3:
        columns = _columns(columns, rng)
    for _ in range(rng.randint(0, 2)):
        about = changed(about, rng)
    return parquet_bytes(columns, {"armdyn": json.dumps(about)})


def _mcap(messages: Callable[[], list[tuple[str, int, bytes]]], topic: str) -> Callable[[Random], bytes]:
    def remade(rng: Random) -> bytes:
        found = messages()
        for k in range(len(found)) if rng.random() < 0.3 else [rng.randrange(len(found))]:
            _, time, content = found[k]
            if rng.random() < 0.1:
                time = rng.choice(WHOLES)
            text = json.dumps(changed(json.loads(content), rng)).encode()
            found[k] = topic, time, _binary(text, rng) if rng.random() < 0.1 else text
        codec = rng.choice(("NONE", "LZ4", "ZSTD"))
        return mcap_bytes(found, compression=codec, use_chunking=rng.random() < 0.8)

    return remade


_REMADE: dict[str, Callable[[Random], bytes]] = {
    "motion_parquet": _parquet("motion_parquet"),
    "log_parquet": _parquet("log_parquet"),
    "mcap": _mcap(joint_messages, JOINTS),
    "run": _run,
    "resume": _run,
    "recording": _run,
    "recording_mcap": _mcap(state_messages, "/state"),
}
