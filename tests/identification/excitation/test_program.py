"""Excitations as robot programs: they run, keep the limits, and tell as much."""

from typing import Any

import numpy as np
import pytest

import armdyn as ad
from armdyn.identification.excitation import excite
from armdyn.identification.excitation.course import Course
from armdyn.identification.excitation.program import MOST_MOVES
from armdyn.program import problems

QUICK: dict[str, Any] = {"random": 30, "starts": 1, "steps": 15}
AS_GOOD = 1.3
"""What the condition number may be more as a program: moves are parabolas, and the highest waves lose."""


@pytest.mark.parametrize("kind", ["fourier", "polynomial"])
def test_a_program_runs_and_is_feasible(kind, tmp_path):
    found = excite("ur5", kind=kind, **QUICK)
    file = tmp_path / "run.lirl"
    found.write(file)
    assert problems(file.read_text(), found.robot) == []
    verified = ad.verify(file)  # the program names its robot
    assert verified.feasible
    assert verified.plan.problems == ()
    assert len(verified.plan.moves) == found.program.moves + 3  # the way there, and two pauses


@pytest.mark.parametrize("name", ["ur5", "scara"])
def test_a_program_is_the_motion_nearly(name):
    found = excite(name, **QUICK)
    program = found.program
    assert program.largest_share <= 1
    assert program.condition_number < AS_GOOD * found.condition_number
    q, _, _ = program.motion
    time = np.minimum(program.plan.cycle * np.arange(len(q)), found.duration)
    size = np.ptp(found.trajectory.at(time)[0], axis=0)
    assert np.abs(q - found.trajectory.at(time)[0]).max(axis=0) == pytest.approx(0, abs=0.1 * size.max())
    assert program.duration == pytest.approx(found.duration, rel=0.05)


@pytest.mark.slow
def test_an_arm_that_accelerates_slowly_has_few_moves_and_says_what_they_cost():
    found = excite("lola15", **QUICK)
    assert found.program.moves < 20
    assert found.program.largest_share <= 1
    assert found.condition_number < found.program.condition_number < 5 * found.condition_number


def test_a_robot_without_speed_limits_gets_those_of_the_excitation():
    found = excite("planar3", **QUICK)
    assert any("the robot says no speed limits" in note for note in found.program.notes)
    assert found.program.largest_share <= 1
    assert found.program.condition_number < AS_GOOD * found.condition_number


@pytest.mark.slow
def test_a_slow_motion_has_no_endless_program():
    found = excite("scara", duration=60.0, harmonics=2, **QUICK)
    assert isinstance(found.trajectory, Course)
    assert found.program.moves < MOST_MOVES
    assert found.program.condition_number < AS_GOOD * found.condition_number
