"""A study: which robot, which quantity, over which points, into which folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from armdyn.sweep.axes import Axis

DesignKind = Literal["grid", "random", "sobol"]


@dataclass(frozen=True)
class Design:
    """How points are chosen."""

    kind: DesignKind
    n: int
    """Rows: how many points there are; of a grid the product of its axes"""


@dataclass(frozen=True)
class Study:
    """What a study file says. Row i depends on the study and on i, on nothing else."""

    robot: str
    """Catalog name or file, as written; `source` says where it is"""
    quantity: str
    options: Mapping[str, Any]
    """The table [options] of the file as it stands there: numbers, texts, lists"""
    seed: int
    design: Design
    axes: tuple[Axis, ...]
    folder: Path
    """Where results go"""
    text: str
    """The file"""
    base: Path
    """The folder of the file: relative names start there"""
    files: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """Where a running sweep has its copies of the files that the study names, by their names"""
    notes: tuple[str, ...] = ()
    """What its author should know"""

    @property
    def total(self) -> int:
        """How many rows there are."""
        return self.design.n

    def source(self, name: str) -> str:
        """A name of the study as `load` and `verify` take it: the place of a file, or the name as it is.

        Evaluators look at files through this only: workers on other machines have copies elsewhere.
        """
        if name in self.files:
            return str(self.files[name])
        return str(self.base / name) if Path(name).suffix else name


def names_file(base: Path, name: str) -> bool:
    """Whether there is a file of this name; relative names start at `base`."""
    try:
        return bool(Path(name).suffix) and (base / name).is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False
