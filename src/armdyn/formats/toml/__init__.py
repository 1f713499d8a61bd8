"""Robot files in TOML, in and out; out loses nothing."""

from armdyn.formats.toml.reader import read_toml
from armdyn.formats.toml.writer import write_toml

__all__ = ["read_toml", "write_toml"]
