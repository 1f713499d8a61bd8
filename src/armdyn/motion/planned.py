"""Plans: the motion that a program asks for, sampled every interpolation cycle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from armdyn.motion.arm import tool_poses
from armdyn.robot import Robot
from armdyn.scalars import Array

Whole = NDArray[np.int64]
"""Whole numbers, one for each sample."""
MoveKind = Literal["ptp", "lin", "circle", "wait", "samples"]


@dataclass(frozen=True, eq=False)
class PlannedMove:
    """One move of a program in time; where one ends the next begins."""

    line: int
    """Of the program, 0 if there is none"""
    kind: MoveKind
    start: float
    """[s], not a multiple of the cycle"""
    end: float
    """[s]; of a blended move the middle of its blend"""
    q_end: Array
    """(n) where the programmed motion is at the end [rad or m]"""
    stops: bool
    """Whether the arm rests at the end"""


@dataclass(frozen=True)
class Phase:
    """A stretch of samples with one tool and one payload."""

    robot: Robot
    first: int
    """Its first sample, from 0"""
    last: int
    """The sample behind its last"""


@dataclass(frozen=True)
class Problem:
    """Where the programmed motion leaves what the joints can do, whatever the motors."""

    line: int
    move: int
    """Number from 1"""
    joint: int | None
    """Number from 1; None for the whole arm"""
    time: tuple[float, float]
    """From the first sample of it to the end of the cycle that begins at the last [s]"""
    quantity: Literal["position", "singularity"]
    required: float
    """The worst value [rad or m]; of a singularity how far the arm is from it (`Followed.singularity`)"""
    limit: float
    margin: float
    """How far inside the limit the worst value is: negative"""
    worst_time: float
    """When that is [s]"""


@dataclass(frozen=True, eq=False)
class Plan:
    """A programmed motion: samples, moves, phases, and what is wrong with it."""

    robot: Robot
    """As given, before any change of tool or payload"""
    cycle: float
    """[s] between two samples"""
    time: Array
    """(t) k cycle, k = 0, 1, ..; the last is at the end of the motion or right behind it [s]"""
    q: Array
    """(t, n) programmed positions [rad or m]"""
    move: Whole
    """(t) number from 1 of the move that begins at the sample or is under way; 0 if there are no moves"""
    line: Whole
    """(t) line of that move in the program"""
    moves: tuple[PlannedMove, ...]
    phases: tuple[Phase, ...]
    """Without gaps over all samples"""
    problems: tuple[Problem, ...]
    duration: float
    """Where the last move ends [s]"""
    notes: tuple[str, ...]
    """What was assumed, chosen or left out"""
    first_velocity: Array | None = None
    """(n) with which the arm comes to the first sample; at rest if there is none"""

    def poses(self) -> Array:
        """T_base_tool of all samples, with the tool of their phase: (t, 4, 4)."""
        return np.concatenate(
            [tool_poses(phase.robot, self.q[phase.first : phase.last]) for phase in self.phases]
        )
