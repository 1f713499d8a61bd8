"""Files that are damaged: put where nobody reads them, and nobody has lost them."""

from __future__ import annotations

from pathlib import Path

from armdyn.sweep.store.layout import DAMAGED


def set_aside(folder: Path, path: Path, why: str) -> str:
    """Move a file of a folder of results aside, and say so."""
    shelf = folder / DAMAGED
    shelf.mkdir(exist_ok=True)
    place, k = shelf / path.name, 1
    while place.exists():
        k += 1
        place = shelf / f"{path.name}.{k}"
    path.replace(place)
    return f'file "{path.name}" {why}; it was set aside into "{DAMAGED}", --resume computes its rows again'
