"""How well the arm can move and accelerate its tool, posture by posture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError, MissingDataError
from armdyn.manipulability import measures
from armdyn.manipulability.limits import torque_range
from armdyn.scalars import Array
from armdyn.sweep.axes import Values
from armdyn.sweep.quantities.columns import ERROR, Column, empty_rows, row_count
from armdyn.sweep.quantities.engine import Engine, engine_of, evaluated_by
from armdyn.sweep.quantities.meanings import Takes
from armdyn.sweep.quantities.rows import Point, RowByRow

GRAIN = 1024
TASK = ("task", "frame", "angles", "axes")
UNITS = {"acceleration": "m/s2", "effective_mass": "kg"}
NAMES = (
    "manipulability",
    "isotropy",
    "least_velocity",
    "dynamic_manipulability",
    "dynamic_isotropy",
    "effective_mass",
)


class Manipulability(RowByRow):
    """Evaluates `manipulability.measures`."""

    takes = Takes(("q",))

    def prepare(self) -> None:
        """The task, torque limits, and where the other joints stand."""
        options, n = self.options, self.robot.n
        asked = {name: options.text(name) for name in TASK}
        self._task: dict[str, Any] = {name: value for name, value in asked.items() if value is not None}
        self._home = np.array(options.vector("q", n) or self.robot.home, dtype=float)
        self._limits = options.vector("limits", n)
        dyn = self.arms.dynamics(()) if not self.arms.varying else Dynamics(self.robot)
        self._limited = self._known(dyn)
        self._engine: Engine = engine_of(self.study, self.arms.varying, options)

    def _known(self, dyn: Dynamics) -> bool:
        try:
            torque_range(dyn, self._home, 0 * self._home, self._limits)
        except MissingDataError:
            return False
        return True

    @property
    def columns(self) -> tuple[Column, ...]:
        """The measures; acceleration where torque limits are known."""
        names = (*NAMES, "acceleration") if self._limited else NAMES
        of_position = self._task.get("task", "position") == "position"
        return tuple(Column(name, UNITS.get(name, "") if of_position else "") for name in names)

    @property
    def grain(self) -> int:
        """Many postures at once."""
        return GRAIN

    def evaluate(self, points: Mapping[str, Values]) -> dict[str, Values]:
        """Results of points."""
        rows = empty_rows(self.columns, row_count(points))
        q = postures(self._home, self.meanings, points)
        with evaluated_by(self._engine):
            for key, where in self.arms.groups(points):
                try:
                    found = self._measured(self.arms.dynamics(key), q[where])
                except ArmdynError as error:
                    rows[ERROR][where] = str(error)
                    continue
                for name, values in found.items():
                    rows[name][where] = values
        return rows

    def answers(self, dyn: Dynamics, point: Point) -> Mapping[str, Any]:
        """Of one posture."""
        q = postures(self._home, self.meanings, {name: np.array([value]) for name, value in point.items()})
        return {name: values[0] for name, values in self._measured(dyn, q).items()}

    def _measured(self, dyn: Dynamics, q: Array) -> dict[str, Array]:
        found = measures(dyn, q, limits=self._limits, limited=self._limited, **self._task)
        return {column.name: getattr(found, column.name) for column in self.columns}


def postures(home: Array, meanings: Any, points: Mapping[str, Values]) -> Array:
    """(m, n) joint positions of points; joints without an axis stand at home."""
    q = np.tile(home, (row_count(points), 1))
    for one in meanings:
        if one.of == "input" and one.part == "q":
            q[:, one.place] = points[one.axis]
    return q
