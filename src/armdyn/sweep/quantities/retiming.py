"""Programs retimed: how long they take at least, or slowed just enough."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armdyn.dynamics import Dynamics
from armdyn.errors import InputError
from armdyn.retiming import retime
from armdyn.retiming.retime import MODES
from armdyn.sweep.quantities.columns import Column
from armdyn.sweep.quantities.meanings import Takes
from armdyn.sweep.quantities.programs import Programs
from armdyn.sweep.quantities.rows import Point, RowByRow


class Retimings(RowByRow):
    """Evaluates `retime`."""

    takes = Takes(programs=True)

    def prepare(self) -> None:
        """Which program, in which mode."""
        options = self.options
        self._programs = Programs(self.study, options)
        self._mode = options.text("mode", "uniform", MODES)
        self._asked: dict[str, Any] = {
            "margin": options.number("margin"),
            "tool_speed": options.number("tool_speed", None, positive=True),
            "slow_only": options.flag("slow_only"),
            "wrench": options.vector("wrench", 6),
            "at": options.vector("at", 3),
        }
        if self._mode == "per-move" and ("speed" in options_given(self) or "speed" in self.study.options):
            raise InputError("per-move retiming changes the program's own speeds; leave speed out")

    @property
    def columns(self) -> tuple[Column, ...]:
        """Durations and their quotient."""
        bound = (Column("lower_bound", "s"),) if self._mode == "optimal" else ()
        return (
            Column("before", "s"),
            Column("after", "s"),
            Column("factor", "1"),
            Column("feasible", "1", "bool"),
            Column("limits", "1", "int"),
            *bound,
        )

    def answers(self, dyn: Dynamics, point: Point) -> Mapping[str, Any]:
        """Of one program."""
        setting = self.arms.setting
        asked: dict[str, Any] = {name: value for name, value in self._asked.items() if value is not None}
        asked |= {"mode": self._mode, "motors": setting.motors, "friction": setting.friction}
        if self._mode == "per-move":
            planning = self._programs.planning
            if "jerk" in planning:
                planning["jerk_time"] = planning.pop("jerk")
            found = retime(self._programs.file(point), dyn.robot, **asked, **planning)
        else:
            found = retime(self._programs.work(dyn.robot, point), **asked)
        return {
            "before": found.before,
            "after": found.duration,
            "factor": found.factor,
            "feasible": found.verification.feasible,
            "limits": len(found.active_limits),
            **({"lower_bound": found.lower_bound} if self._mode == "optimal" else {}),
        }


def options_given(rows: RowByRow) -> set[str]:
    """The names of the axes."""
    return {one.axis for one in rows.meanings}
