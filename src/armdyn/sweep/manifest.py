"""The manifest: what a folder of results is of. It stands in the folder, and again in every file of rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from armdyn.errors import InputError
from armdyn.sweep.chunks import Chunks
from armdyn.sweep.inputs import digest
from armdyn.sweep.study import Study

FORMAT = 1


@dataclass(frozen=True)
class Manifest:
    """What a sweep computes, with what, cut how."""

    text: str
    """The study file"""
    identity: str
    """What tells the study from all others: `identity_of`"""
    inputs: Mapping[str, str]
    """The digests of the files that the study names"""
    total: int
    rows: int
    """Of a chunk"""
    columns: tuple[Mapping[str, str], ...]
    """name, unit, kind ("float", "int", "bool", "text") and role ("axis", "result") of each"""
    versions: Mapping[str, str]
    processor: str
    format: int = FORMAT

    @property
    def chunks(self) -> Chunks:
        """How the rows are cut."""
        return Chunks(self.total, self.rows)

    def document(self) -> dict[str, Any]:
        """As JSON holds it; `digest` proves the rest."""
        content = asdict(self)
        return {**content, "digest": _proof(content)}

    @classmethod
    def of(cls, document: Any) -> Manifest | None:
        """The manifest of a document; None where it is damaged."""
        try:
            content: dict[str, Any] = {key: value for key, value in document.items() if key != "digest"}
            if document["digest"] != _proof(content):
                return None
            found: int = content["format"]
            if found == FORMAT:
                content["columns"] = tuple(content["columns"])
                return cls(**content)
        except (AttributeError, KeyError, TypeError):
            return None
        raise InputError(f"results of format {found} are unknown, expected {FORMAT}; update armdyn")


def identity_of(study: Study, inputs: Mapping[str, str]) -> str:
    """A digest of all that rows depend on: not of comments, nor of the folder they go to."""
    content = {
        "robot": study.robot,
        "quantity": study.quantity,
        "options": study.options,
        "seed": study.seed,
        "design": asdict(study.design),
        "axes": [asdict(axis) for axis in study.axes],
        "inputs": dict(inputs),
    }
    return hashlib.sha256(_canonical(content)).hexdigest()


def _proof(content: Mapping[str, Any]) -> str:
    return digest(_canonical(content))


def _canonical(content: Any) -> bytes:
    return json.dumps(content, sort_keys=True, default=str).encode()
