"""Can the motors do it: a plan beside what the motors can give, and what the arm then does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.deviation import Deviation, distances
from armdyn.feasibility.following import Follow, Run
from armdyn.feasibility.results import (
    MoveResult,
    Reaction,
    Utilisation,
    move_results,
    reactions,
    utilisations,
)
from armdyn.feasibility.violations import Violation, violations
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.planned import Plan
from armdyn.scalars import Array


@dataclass(frozen=True)
class Verification:
    """What a program asks for, what it gets, and where the motors cannot follow."""

    plan: Plan
    demand: Demand
    run: Run
    """What the arm does; it may go on after the plan until the arm has arrived"""
    follow: Follow
    printed: bool
    source: str = ""
    """Text of the program, if there is one"""
    notes: tuple[str, ...] = ()
    """What was assumed, chosen or left out"""

    @property
    def arms(self) -> Sequence[Arm]:
        """One for each phase of the plan."""
        return self.demand.arms

    @property
    def motors(self) -> MotorModel:
        """How much of the drives the equations see."""
        return self.arms[0].dyn.motors

    @cached_property
    def time(self) -> Array:
        """(t) instants of the run [s]."""
        return self.plan.cycle * np.arange(float(len(self.run.q)))

    @cached_property
    def violations(self) -> tuple[Violation, ...]:
        """Where more is required than possible."""
        return violations(self.plan, self.demand)

    @property
    def feasible(self) -> bool:
        """Whether nothing is required that is not possible."""
        return not self.violations

    @cached_property
    def moves(self) -> tuple[MoveResult, ...]:
        """The moves one by one."""
        return move_results(self.demand, self.run.q, {violation.move for violation in self.violations})

    @property
    def achieved_time(self) -> float | None:
        """The cycle time that the arm really has [s]; None if it never arrives."""
        return self.moves[-1].achieved_end if self.moves else 0.0

    # The tool -----------------------------------------------------------------------------

    @cached_property
    def programmed_tool(self) -> Array:
        """(t, 3) positions of the tool at the samples of the plan [m]."""
        return self._tool(self.plan.q)

    @cached_property
    def achieved_tool(self) -> Array:
        """(t, 3) positions of the tool in the run [m]."""
        return self._tool(self.run.q)

    @cached_property
    def tool_distance(self) -> Array:
        """(t) of the achieved tool from the programmed path [m]."""
        return distances(self.programmed_tool, self.achieved_tool)

    @cached_property
    def deviation(self) -> Deviation:
        """The largest of them."""
        k = int(np.argmax(self.tool_distance))
        line = int(self.plan.line[min(k, len(self.plan.line) - 1)])
        return Deviation(float(self.tool_distance[k]), float(self.time[k]), line)

    def _tool(self, q: Array) -> Array:
        points = np.empty((len(q), 3))
        for arm, part in self.parts(len(q)):
            points[part] = arm.dyn.pose(q[part])[..., :3, 3]
        return points

    def parts(self, samples: int) -> list[tuple[Arm, slice]]:
        """The arm of each stretch of samples; the last one lasts to the end."""
        phases = self.plan.phases
        ends = [*(phase.last for phase in phases[:-1]), samples]
        return [
            (arm, slice(phase.first, end)) for arm, phase, end in zip(self.arms, phases, ends, strict=True)
        ]

    # Motors and joints --------------------------------------------------------------------

    @cached_property
    def utilisation(self) -> tuple[Utilisation, ...]:
        """What the program asks of each motor."""
        return utilisations(self.demand)

    @cached_property
    def reactions(self) -> tuple[Reaction, ...]:
        """The largest force and moment in each joint of what the arm does."""
        run = self.run
        wrenches = [
            arm.reactions(run.q[part], run.qd[part], run.qdd[part]) for arm, part in self.parts(len(run.q))
        ]
        return reactions(self.plan.robot.body_names, self.time, np.concatenate(wrenches))

    def document(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {
            "robot": self.plan.robot.name,
            "motors": self.motors,
            "friction": "on" if self.arms[0].dyn.friction else "off",
            "follow": self.follow,
            "printed": self.printed,
            "cycle": self.plan.cycle,
            "feasible": self.feasible,
            "cycle_time": {"programmed": self.plan.duration, "achieved": self.achieved_time},
            "moves": [move.document() for move in self.moves],
            "violations": [violation.document() for violation in self.violations],
            "utilisation": [use.document() for use in self.utilisation],
            "path_deviation": self.deviation.document(),
            "reactions": [reaction.document() for reaction in self.reactions],
            "notes": list(self.notes),
        }

    def columns(self) -> dict[str, Any]:
        """The run as columns of a motion file."""
        plan, samples = self.plan, len(self.run.q)
        last = np.minimum(np.arange(samples), len(plan.time) - 1)
        columns: dict[str, Any] = {
            "q": self.run.q,
            "qd": self.run.qd,
            "qdd": self.run.qdd,
            "q_programmed": plan.q[last],
            "line": plan.line[last],
            "move": plan.move[last],
        }
        if self.arms[0].actuators.geared:
            columns["motor_torque"] = self.run.torque
            columns["motor_position"] = self.arms[0].dyn.motor_position(self.run.q)
        else:
            columns["tau"] = self.run.torque
        return columns
