"""The largest speed of a move, by hand: speeds fall with the share, accelerations with its square."""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from armdyn.dynamics import Dynamics
from armdyn.feasibility.arm import Arm
from armdyn.feasibility.demand import Demand
from armdyn.feasibility.overrides import FINEST, overrides
from armdyn.formats import load
from armdyn.motion import Problem, plan
from armdyn.scalars import Array

IMPOSSIBLE = Problem(2, 2, 1, (0.0, 1.0), "position", 2.0, 1.0, -1.0, 0.5)


@dataclass(frozen=True)
class Asked:
    """A demand of one joint, one sample for each move."""

    qd: Array
    qdd: Array
    held: Array
    """What the motor holds at rest"""
    problems: tuple[Problem, ...] = ()
    rows: Any = Ellipsis

    @property
    def plan(self) -> Any:
        return SimpleNamespace(moves=(None,) * len(self.qd), problems=self.problems)

    @property
    def move(self) -> Any:
        return np.arange(1, len(self.qd) + 1)[self.rows]

    def of_moves(self, numbers: Any) -> Asked:
        return replace(self, rows=np.asarray(numbers) - 1)

    def slowed(self, shares: Array) -> Asked:
        return replace(self, qd=shares * self.qd, qdd=shares**2 * self.qdd)

    def limited(self) -> Any:
        one = np.ones((len(self.move), 1))
        torque = (self.qdd + self.held)[self.rows]
        return [("joint_speed", self.qd[self.rows][:, None], one), ("motor_torque", torque[:, None], one)]


def shares(qd: list[float], qdd: list[float], held: list[float], *problems: Problem) -> Array:
    asked: Any = Asked(np.array(qd), np.array(qdd), np.array(held), problems)
    return overrides(asked)


def test_by_speed_by_acceleration_and_at_rest() -> None:
    found = shares([0.9, 2.5, 0.5, 0.0], [0.0, 0.0, 4.0, 0.5], [0.0, 0.0, 0.0, 1.1])
    assert found == pytest.approx([1.0, 0.4, 0.5, 0.0], abs=FINEST)
    assert (found <= [1.0, 0.4, 0.5, 0.0]).all()


def test_what_is_impossible_is_so_at_any_speed() -> None:
    assert shares([2.0, 0.5, 0.5], [0.0] * 3, [0.0] * 3, IMPOSSIBLE) == pytest.approx([0.5, 0, 1], abs=FINEST)


def test_a_plan_without_moves_may_have_a_problem() -> None:
    """The arm starts outside of its range, and nothing moves."""
    robot = load("pendulum")
    still = plan(robot, [])
    still = replace(still, problems=(replace(IMPOSSIBLE, line=0, move=0),))
    assert overrides(Demand.of(still, [Arm(Dynamics(robot))])).shape == (0,)
