"""Rows that are evaluated one by one, each with the robot of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError
from armdyn.sweep.axes import Values
from armdyn.sweep.quantities.columns import ERROR, Column, empty_rows, filled, row_count
from armdyn.sweep.quantities.meanings import Takes, understood
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.variants import Arms, Setting
from armdyn.sweep.study import Study

Point = Mapping[str, Any]
"""Axis -> value"""


class RowByRow(ABC):
    """An evaluator whose rows have nothing in common but their robots."""

    takes: Takes = Takes()

    def __init__(self, study: Study) -> None:
        """Check axes and options."""
        self.study, self.options = study, Options(study.options, study.quantity)
        setting = Setting.of(study, self.options)
        self.robot = Arms(setting, ()).base
        self.meanings = understood(study.axes, self.robot, setting.document, study.quantity, self.takes)
        self.arms = Arms(setting, self.meanings)
        self.prepare()
        self.options.finish()

    @abstractmethod
    def prepare(self) -> None:
        """Take the options of its own."""

    @property
    @abstractmethod
    def columns(self) -> tuple[Column, ...]:
        """What it fills."""

    @property
    def grain(self) -> int:
        """Each row is work enough."""
        return 1

    @abstractmethod
    def answers(self, dyn: Dynamics, point: Point) -> Mapping[str, Any]:
        """The results of one row."""

    def evaluate(self, points: Mapping[str, Values]) -> dict[str, Values]:
        """Results of points."""
        rows = empty_rows(self.columns, row_count(points))
        for key, where in self.arms.groups(points):
            for k in where.tolist():
                try:
                    point = {name: values[k] for name, values in points.items()}
                    filled(rows, k, self.answers(self.arms.dynamics(key), point))
                except ArmdynError as error:
                    rows[ERROR][k] = str(error)
        return rows
