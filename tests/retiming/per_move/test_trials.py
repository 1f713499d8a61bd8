"""Trials beside the full plan: the same duration, and shares of limits that no sample exceeds by much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import armdyn as ad
from armdyn.feasibility import verify
from armdyn.motion import PathMove, Wait, plan
from armdyn.program import example_program, read_program, run_program
from armdyn.program.settings import settings_of
from armdyn.retiming.per_move.blocks import Block, blocks_of
from armdyn.retiming.per_move.conditions import Conditions
from armdyn.retiming.per_move.trials import Trial, Trials, Values
from armdyn.retiming.sample_shares import sample_shares
from armdyn.robot import Robot

BETWEEN = 0.03
"""Relative: what a peak between places may be higher."""


def values_of(block: Block) -> Values:
    scale = [1e3 if isinstance(move, PathMove) else 1.0 for move in block.moves]
    return tuple((u * m.speed, u * m.acceleration) for m, u in zip(block.moves, scale, strict=True))


def blocks(name: str, robot: Robot, turning: float | None) -> tuple[tuple[Block, ...], Trials]:
    program = run_program(read_program(example_program(name)), robot)
    steps = [
        replace(step, turn_acceleration=turning) if isinstance(step, PathMove) else step
        for step in program.steps
    ]
    planned = plan(robot, steps)
    conditions = Conditions(robot, None, planned.cycle, None, "ignore")
    return blocks_of(steps, planned), Trials(conditions, 0.0)


def shares_of(block: Block, robot: Robot) -> tuple[float, list[float]]:
    """Duration and shares by the samples of a plan."""
    verification = verify(plan(robot, [*block.before, *block.moves], block.start))
    shares = sample_shares(verification.demand, 0.0)
    numbers = range(1, len(block.moves) + 1)
    return verification.plan.duration, [float(shares[verification.plan.move == k].max()) for k in numbers]


@pytest.mark.parametrize("turning", [0.5, 2.0])
def test_as_the_samples_of_a_plan(turning: float) -> None:
    robot = ad.load("lola15")
    found, trials = blocks("lola15", robot, turning)
    assert [len(block.moves) for block in found] == [10, 1, 1]
    for block in found:
        trial = trials.of(block, values_of(block))
        duration, shares = shares_of(block, robot)
        assert trial.duration == pytest.approx(duration, abs=1e-9)
        assert max(trial.shares) == pytest.approx(max(shares), rel=BETWEEN)
        np.testing.assert_array_less(shares, (1 + BETWEEN) * np.array(trial.shares))


def test_a_jump_of_the_turning_counts_in_full() -> None:
    """A plan shows all of it only if a sample is right there: put one there."""
    robot = ad.load("lola15")
    found, trials = blocks("lola15", robot, None)
    block = found[0]
    program = plan(robot, block.moves)
    at = program.moves[2].end  # of the second circle: its turning jumps
    wait = Wait(1, -at % program.cycle)
    shifted = verify(plan(robot, [wait, *block.moves]))
    shares = sample_shares(shifted.demand, 0.0)
    k = round((at + wait.duration) / program.cycle)
    trial = trials.of(block, values_of(block))
    assert max(trial.shares[2:4]) == pytest.approx(float(shares[k]), rel=1e-3)
    assert max(trial.shares) == max(trial.shares[2:4])


def test_blocks_with_tool_and_payload() -> None:
    robot = ad.load("ur5")
    found, trials = blocks("ur5_palletising", robot, None)
    program = run_program(read_program(example_program("ur5_palletising")), robot)
    planned = plan(robot, program.steps)
    waits = sum(step.duration for step in program.steps if isinstance(step, Wait))
    tried = [trials.of(block, values_of(block)) for block in found]
    assert sum(trial.duration for trial in tried) + waits == pytest.approx(planned.duration, abs=1e-9)
    assert max(max(trial.shares) for trial in tried) <= 1 + BETWEEN
    assert {len(block.before) for block in found} == {1, 2}
    assert [len(block.moves) for block in found].count(2) == 6  # the last line runs into the next move


def test_what_cannot_be_planned_takes_for_ever() -> None:
    robot = ad.load("lola15")
    found, trials = blocks("lola15", robot, None)
    values = list(values_of(found[1]))
    values[0] = (2.0, 1.0)  # more than all of the joints' speed
    assert trials.of(found[1], tuple(values)) == Trial(np.inf, (np.inf,))


def test_settings_of_all_moves_that_are_executed() -> None:
    parsed = read_program(example_program("panda"))
    settings = settings_of(parsed, run_program(parsed, ad.load("panda")))
    assert [(s.place.line, s.option) for s in settings[:4]] == [
        (11, "speed_ptp"),
        (11, "acc_ptp"),
        (12, "speed_ptp"),
        (12, "acc_ptp"),
    ]
    assert settings[3].values == (0.5,)
