"""Programs verified: can the motors do it, with which payload, at which speed, with how much friction?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armdyn.dynamics import Dynamics
from armdyn.feasibility import Verification, verify
from armdyn.feasibility.following import FOLLOW
from armdyn.sweep.quantities.columns import Column
from armdyn.sweep.quantities.meanings import Takes
from armdyn.sweep.quantities.programs import Programs
from armdyn.sweep.quantities.rows import Point, RowByRow

SHARES = ("peak", "rms", "speed")


class Verifications(RowByRow):
    """Evaluates `verify`."""

    takes = Takes(programs=True)

    def prepare(self) -> None:
        """Which program, how it is followed, what touches the tool."""
        self._programs = Programs(self.study, self.options)
        self._follow = self.options.text("follow", "position", tuple(FOLLOW))
        sizes = {"wrench": 6, "at": 3}
        self._touch: dict[str, Any] = {name: self.options.vector(name, size) for name, size in sizes.items()}

    @property
    def columns(self) -> tuple[Column, ...]:
        """The verdict, times, and how much of each motor is used."""
        motors = len(self.robot.drives) or self.robot.n
        return (
            Column("feasible", "1", "bool"),
            Column("programmed_time", "s"),
            Column("achieved_time", "s"),
            Column("violations", "1", "int"),
            Column("first_line", "1", "int"),
            Column("first_quantity", "1", "text"),
            Column("path_deviation", "m"),
            Column("largest_share", "1"),
            *(Column(f"{share}{k + 1}", "1") for share in SHARES for k in range(motors)),
        )

    def answers(self, dyn: Dynamics, point: Point) -> Mapping[str, Any]:
        """Of one program."""
        setting = self.arms.setting
        work = self._programs.work(dyn.robot, point)
        found = verify(
            work, motors=setting.motors, friction=setting.friction, follow=self._follow, **self._touch
        )
        return _answers(found)


def _answers(found: Verification) -> dict[str, Any]:
    first = min(found.violations, key=lambda one: (one.time, one.line), default=None)
    uses = found.utilisation
    peaks = [use.peak for use in uses if use.peak is not None]
    return {
        "feasible": found.feasible,
        "programmed_time": found.plan.duration,
        "achieved_time": found.achieved_time,
        "violations": len(found.violations),
        "first_line": None if first is None else first.line,
        "first_quantity": None if first is None else first.quantity,
        "path_deviation": found.deviation.maximum,
        "largest_share": max(peaks, default=None),
        **{f"{share}{k + 1}": getattr(use, share) for share in SHARES for k, use in enumerate(uses)},
    }
