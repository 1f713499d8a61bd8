"""Robot files in and out: TOML with units, DH tables, URDF."""

from armdyn.formats.files import catalog, load, save

__all__ = ["catalog", "load", "save"]
