"""What an export wrote."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Exported:
    """Files, and what could not be taken along."""

    files: tuple[Path, ...]
    lost: tuple[str, ...] = ()
    """One sentence for everything that the target cannot carry."""
