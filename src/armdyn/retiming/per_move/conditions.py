"""What a program is planned with and checked by: the program itself, parts of it, and its new text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from numpy.typing import ArrayLike

from armdyn.feasibility import Verification, Work, verify
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.motion.moves import Step
from armdyn.motion.planned import Plan
from armdyn.motion.planner import plan
from armdyn.motion.targets import Status
from armdyn.program import parse_program, run_program
from armdyn.retiming.per_move.sampling import Sampled, SparseWalk, sampled
from armdyn.robot import Robot
from armdyn.scalars import Array


@dataclass(frozen=True, eq=False)
class Conditions:
    """The robot, how its motion is planned, and how that is verified."""

    robot: Robot
    start: ArrayLike | None
    cycle: float
    jerk: float | None
    status: Status
    motors: MotorModel | None = None
    friction: bool | None = None
    wrench: ArrayLike | None = None
    at: ArrayLike | None = None

    def plan(self, steps: Sequence[Step], start: ArrayLike | None = None) -> Plan:
        """The motion of some steps, from where the program starts or from elsewhere."""
        start = self.start if start is None else start
        return plan(self.robot, steps, start, self.cycle, self.jerk, self.status)

    def sampled(self, steps: Sequence[Step], start: Array) -> Sampled:
        """The motion of some steps from rest to rest, where it matters."""
        walk = SparseWalk(self.robot, start, self.cycle, self.jerk, self.status)
        return sampled(walk, steps)

    def work(self, text: str) -> Work:
        """A program's text, planned."""
        program = run_program(parse_program(text), self.robot)
        return Work(self.plan(program.steps), program.source, program.notes)

    def verified(self, work: Plan | Work) -> Verification:
        """Whether the motors can do it."""
        return verify(work, motors=self.motors, friction=self.friction, wrench=self.wrench, at=self.at)
