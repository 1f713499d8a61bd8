"""What a study finds: rows with extremes and postures, curves to draw, settings that repeat it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from armdyn.extremes import Extremes
from armdyn.robot import Robot


@dataclass(frozen=True)
class Row:
    """The extremes of one quantity at one joint, under one load."""

    joint: int
    """Counted from 1; 0 where a row is not about one joint, null in the document."""
    quantity: str
    load: str
    """`none`, or `payload`."""
    unit: str
    extremes: Extremes
    ratio: float | None = None
    """Largest over smallest, or what the kind of study says."""
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further keys of the kind: motor side, stall torque, critical gain."""

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        low, high = self.extremes.minimum, self.extremes.maximum
        return {
            "joint": self.joint or None,
            "quantity": self.quantity,
            "load": self.load,
            "unit": self.unit,
            "minimum": low.value,
            "maximum": high.value,
            "q_minimum": [float(x) for x in low.q],
            "q_maximum": [float(x) for x in high.q],
            "ratio": self.ratio,
            "certified": low.certified and high.certified,
            "minimum_bound": known(low.bound),
            "maximum_bound": known(high.bound),
            **self.more,
        }


def known(bound: float) -> float | None:
    """A bound or another number, or None where none is known."""
    return bound if math.isfinite(bound) else None


@dataclass(frozen=True)
class Curve:
    """One line of a figure."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Field:
    """Values over a plane, one for each cell."""

    x: tuple[float, ...]
    """Edges of the cells to the right"""
    y: tuple[float, ...]
    """Edges upwards"""
    values: tuple[tuple[float, ...], ...]
    """Row by row upwards; NaN where there is none"""
    label: str


@dataclass(frozen=True)
class Picture:
    """A figure as data: what is drawn over what."""

    name: str
    title: str
    x_label: str
    y_label: str
    curves: tuple[Curve, ...]
    kind: str = "lines"
    """`lines`, `bars` (one bar for each point of each curve), or `map` (a field, curves over it)."""
    caption: str = ""
    field: Field | None = None


@dataclass(frozen=True)
class Study:
    """The result of a study of one kind."""

    kind: str
    robot: Robot
    rows: tuple[Row, ...]
    settings: Mapping[str, Any]
    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()
    more: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Further keys of the kind: maps."""

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "robot": self.robot.name,
            "kind": self.kind,
            "rows": [{**row.document(), "name": self._name(row)} for row in self.rows],
            "settings": dict(self.settings),
            "notes": list(self.notes),
            **self.more,
        }

    def _name(self, row: Row) -> str | None:
        return self.robot.joint_names[row.joint - 1] if row.joint else None
