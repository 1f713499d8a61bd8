"""Programs of a study: read and planned once for each robot, at their own speed or at a multiple of it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from typing import Any

from armdyn.errors import InputError
from armdyn.feasibility import Work, planned
from armdyn.program.files import existing_program
from armdyn.retiming.uniform import slowed_plan
from armdyn.robot import Robot
from armdyn.sweep.quantities.options import Options
from armdyn.sweep.quantities.rows import Point
from armdyn.sweep.study import Study

KEPT = 16
"""Plans that are kept for the next rows."""


class Programs:
    """The programs of a study."""

    def __init__(self, study: Study, options: Options) -> None:
        """Take the options about programs: which one, unless an axis says it, and how it is planned."""
        self._study = study
        self._file = options.text("program")
        named = any(axis.name == "program" for axis in study.axes)
        if named == (self._file is not None):
            both = "axis and option program are both given" if named else "no program is given"
            raise InputError(f'{both}, expected [options] program = "FILE" or [axes.program] values = [..]')
        speed = options.number("speed", None, positive=True)
        if speed is not None and any(axis.name == "speed" for axis in study.axes):
            raise InputError("axis and option speed are both given, expected one of them")
        self._speed = speed
        self._check_files()
        self._planning: dict[str, Any] = {
            "start": options.vector("start"),
            "cycle": options.number("cycle", None, positive=True),
            "jerk": options.number("jerk_time", None, positive=True),
        }
        self._kept: OrderedDict[tuple[str, Robot], Work] = OrderedDict()

    def _check_files(self) -> None:
        """Refuse a study that names a program which is not there."""
        axes = (axis.values or () for axis in self._study.axes if axis.name == "program")
        for name in (self._file,) if self._file is not None else next(axes, ()):
            existing_program(self._study.source(str(name)))

    @property
    def planning(self) -> dict[str, Any]:
        """Options of `planned` that are given."""
        return {name: value for name, value in self._planning.items() if value is not None}

    def file(self, point: Point) -> str:
        """The program of a row."""
        name: Any = point.get("program", self._file)
        return self._study.source(str(name))

    def speed(self, point: Point) -> float | None:
        """The multiple of its speed at which a row runs the program; None is as it is."""
        speed = point.get("speed", self._speed)
        if speed is not None and not speed > 0:
            raise InputError(f"speed is {speed:g}, expected a multiple of the program's above 0")
        return None if speed is None else float(speed)

    def work(self, robot: Robot, point: Point) -> Work:
        """The plan of a row."""
        key = (self.file(point), robot)
        if key not in self._kept:
            self._kept[key] = planned(key[0], robot, **self.planning)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        work, speed = self._kept[key], self.speed(point)
        return work if speed is None else replace(work, plan=slowed_plan(work.plan, speed))
