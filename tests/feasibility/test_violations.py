"""Violations of a plan, by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from armdyn.feasibility.violations import Violation, violations
from armdyn.formats import load
from armdyn.motion import Phase, Plan, PlannedMove, Problem
from armdyn.motion.legs import sample_times
from armdyn.scalars import Array

CYCLE = 0.5
MOVE = [1, 1, 1, 2, 2, 2]


def plan_of(*problems: Problem) -> Plan:
    """Six samples in two moves, in lines 7 and 8."""
    robot, move = load("planar2"), np.array(MOVE, dtype=np.int64)
    moves = tuple(
        PlannedMove(line, "ptp", start, start + 1.5, np.zeros(2), stops=True)
        for line, start in ((7, 0.0), (8, 1.5))
    )
    phases = (Phase(robot, 0, 6),)
    return Plan(
        robot,
        CYCLE,
        sample_times(6, CYCLE),
        np.zeros((6, 2)),
        move,
        move + 6,
        moves,
        phases,
        problems,
        3.0,
        (),
    )


def asking(*limited: tuple[str, Array, Array]) -> Any:
    """A demand with these quantities."""
    return SimpleNamespace(limited=lambda: limited)


def of_second(values: list[float]) -> Array:
    """(6, 2) values of the second joint, nothing of the first."""
    return np.stack([np.zeros(6), np.array(values)], axis=1)


def test_a_stretch_lasts_from_its_first_sample_to_the_end_of_its_last_cycle() -> None:
    limit = np.full((6, 2), 2.0)
    limit[2] = 1.5
    found = violations(plan_of(), asking(("motor_torque", of_second([1, 2.5, -3, 1, 1, 1]), limit)))
    worst = Violation(
        line=7,
        move=1,
        joint=2,
        time=(0.5, 1.5),
        quantity="motor_torque",
        required=-3.0,
        limit=1.5,
        margin=-1.5,
        worst_time=1.0,
    )
    assert found == (worst,)
    assert worst.document()["worst_time"] == 1.0
    assert worst.document()["time"] == [0.5, 1.5]


def test_stretches_end_where_moves_do_and_stand_in_the_order_of_time() -> None:
    torque = ("motor_torque", of_second([0, 0, 3, 3, 0, 3]), np.full((6, 2), 2.0))
    speed = ("joint_speed", of_second([3, 0, 0, 0, 0, 0]), np.full((6, 2), 2.0))
    found = violations(plan_of(), asking(torque, speed))
    assert [(v.quantity, v.move, v.line, v.time) for v in found] == [
        ("joint_speed", 1, 7, (0.0, 0.5)),
        ("motor_torque", 1, 7, (1.0, 1.5)),
        ("motor_torque", 2, 8, (1.5, 2.0)),
        ("motor_torque", 2, 8, (2.5, 3.0)),
    ]


@pytest.mark.parametrize(
    ("quantity", "share", "violated"),
    [
        ("motor_torque", 1 + 1e-10, False),
        ("motor_torque", 1 + 1e-8, True),
        ("joint_acceleration", 1 + 1e-7, False),
        ("joint_acceleration", 1 + 1e-5, True),
    ],
)
def test_rounding_is_no_violation(quantity: str, share: float, violated: bool) -> None:
    asked = asking((quantity, of_second([0, 0, 2 * share, 0, 0, 0]), np.full((6, 2), 2.0)))
    assert bool(violations(plan_of(), asked)) == violated


def test_problems_of_the_plan_are_violations() -> None:
    problem = Problem(8, 2, 1, (2.0, 3.0), "position", 1.5, 1.0, -0.5, 2.5)
    (found,) = violations(plan_of(problem), asking())
    assert vars(found) == vars(problem)
