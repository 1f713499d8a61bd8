"""Load studies of designs: extremes of inertia, gravity, .. over the workspace, for each robot."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast

from armdyn.dynamics import Dynamics
from armdyn.errors import ArmdynError
from armdyn.robot import Robot
from armdyn.studies.loads.rows import Row
from armdyn.studies.loads.study import check_options, options_of, study
from armdyn.sweep.designs import Points
from armdyn.sweep.quantities.columns import Column
from armdyn.sweep.quantities.rows import Point, RowByRow
from armdyn.sweep.study import Study

LEAST_EFFORT = 1
"""Of a search whose rows are looked at, not its values."""
MINE = ("motors", "friction", "progress", "motions", "candidates")
"""Options that are not passed on as they are: set for all quantities, or no numbers."""
ENDS = ("minimum", "maximum")


class LoadStudies(RowByRow):
    """Evaluates `study`: one row is one robot."""

    def prepare(self) -> None:
        """Options of the kind of study."""
        self._kind = self.study.quantity.removeprefix("study.")
        known = [name for name in options_of(self._kind) if name not in MINE]
        given = {name: self.options.value(name) for name in known}
        self._asked = {name: value for name, value in given.items() if value is not None}
        for name in ("motions", "candidates"):
            if name in options_of(self._kind) and (files := self.options.value(name)) is not None:
                places = _places(self.study, files)
                self._asked[name] = places if name == "motions" else places[0]
        setting = self.arms.setting
        for name, value in (("motors", setting.motors), ("friction", setting.friction)):
            if value is not None and name in options_of(self._kind):
                self._asked[name] = value
        check_options(self._kind, self._asked)

    @property
    def columns(self) -> tuple[Column, ...]:
        """Smallest and largest of every row of the study, and whether all are proved."""
        return self._columns

    @cached_property
    def _columns(self) -> tuple[Column, ...]:
        """As a robot of the study has them; which rows there are does not depend on its numbers."""
        quick = {**self._asked, **({"effort": LEAST_EFFORT} if "effort" in options_of(self._kind) else {})}
        rows = study(self._example(), self._kind, **quick).rows
        extremes = [Column(f"{_name(row)}_{end}", row.unit) for row in rows for end in ENDS]
        return (*extremes, Column("certified", "1", "bool"))

    def _example(self) -> Robot:
        """A robot of the study, the first that there is."""
        points = Points(self.study)
        for k in range(min(self.study.total, 100)):
            point = points.rows(k, k + 1)
            try:
                return self.arms.robot(tuple(point[one.axis][0] for one in self.arms.varying))
            except ArmdynError:
                continue
        return self.robot

    def answers(self, dyn: Dynamics, point: Point) -> Mapping[str, Any]:  # noqa: ARG002  all is in the robot
        """Of one robot."""
        rows = study(dyn.robot, self._kind, **self._asked).rows
        found: dict[str, Any] = {}
        for row in rows:
            ends = (row.extremes.minimum.value, row.extremes.maximum.value)
            found |= {f"{_name(row)}_{end}": value for end, value in zip(ENDS, ends, strict=True)}
        proved = all(row.extremes.minimum.certified and row.extremes.maximum.certified for row in rows)
        return {**found, "certified": proved}


def _name(row: Row) -> str:
    load = "" if row.load == "none" else f"_{row.load}"
    return f"{row.quantity}{row.joint or ''}{load}"


def _places(study: Study, files: Any) -> Any:
    """Files by their names in the study."""
    listed = cast("list[Any]", files) if isinstance(files, list) else [files]
    return [study.source(str(name)) for name in listed]
