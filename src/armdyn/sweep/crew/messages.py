"""What goes through the pipes to and from a worker process."""

from __future__ import annotations

import json
import struct
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from armdyn.sweep.chunks import Chunk
from armdyn.sweep.manifest import Manifest
from armdyn.sweep.study import Study
from armdyn.sweep.study_file import study_of
from armdyn.sweep.workbench import Computed

_LENGTH = struct.Struct("<I")


def setup_bytes(study: Study, manifest: Manifest) -> bytes:
    """What a worker must know before the first chunk."""
    files = {name: str(place) for name, place in study.files.items()}
    document = {"text": study.text, "base": str(study.base), "files": files, "manifest": manifest.document()}
    return json.dumps(document).encode()


def setup_of(data: bytes) -> tuple[Study, Manifest]:
    """As `setup_bytes` was given it."""
    document: Any = json.loads(data)
    study = study_of(document["text"], Path(document["base"]))
    manifest = Manifest.of(document["manifest"])
    assert manifest is not None
    return replace(study, files={name: Path(place) for name, place in document["files"].items()}), manifest


def chunk_bytes(chunk: Chunk) -> bytes:
    """A chunk to be computed."""
    return json.dumps(asdict(chunk)).encode()


def chunk_of(data: bytes) -> Chunk:
    """As `chunk_bytes` was given it."""
    return Chunk(**json.loads(data))


def computed_bytes(computed: Computed) -> bytes:
    """An answer: a short document, then the file."""
    about = {name: value for name, value in vars(computed).items() if name != "data"}
    head = json.dumps({**about, "chunk": asdict(computed.chunk)}).encode()
    return _LENGTH.pack(len(head)) + head + computed.data


def computed_of(data: bytes) -> Computed:
    """As `computed_bytes` was given it."""
    (length,) = _LENGTH.unpack_from(data)
    begin = _LENGTH.size + length
    about: dict[str, Any] = json.loads(data[_LENGTH.size : begin])
    chunk = Chunk(**about.pop("chunk"))
    return Computed(chunk=chunk, data=data[begin:], **about)
