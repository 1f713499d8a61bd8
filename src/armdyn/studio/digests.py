"""What tells one file or text from another."""

from __future__ import annotations

from hashlib import sha256


def digest(data: bytes) -> str:
    """Of a file."""
    return sha256(data).hexdigest()


def text_digest(text: str) -> str:
    """Of a program, however its lines end and whether or not it has a mark at its begin."""
    return digest("\n".join(text.removeprefix("\ufeff").splitlines()).encode("utf-8", "replace"))
