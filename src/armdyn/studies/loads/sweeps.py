"""Lines through the workspace: one joint moves, others stand at chosen values, the rest at home."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from armdyn.errors import InputError
from armdyn.extremes.workspace import JointKey, Workspace, by_joint, number, posture
from armdyn.scalars import Array
from armdyn.studies.loads.rows import Curve

SAMPLES = 181
"""Of a line: every degree of half a turn, every two of a full one."""
Function = Callable[[Array], Array]


@dataclass(frozen=True)
class Lines:
    """Postures along lines on which one joint moves."""

    over: int
    x: Array
    """(N) its positions"""
    postures: tuple[tuple[str, Array], ...]
    """(what stands where, (N, n))"""
    label: str
    """Of the axis that it moves along"""


def lines(
    space: Workspace,
    over: JointKey,
    at: Mapping[JointKey, Sequence[float]] | None,
    elsewhere: Mapping[JointKey, float] | None,
) -> Lines:
    """The lines over a joint's range, one for each combination of the values of other joints."""
    robot = space.robot
    moved = robot.joint_index(over)
    values = {i: _values(i, row) for i, row in by_joint(robot, "at", at).items()}
    if moved in values:
        raise InputError(f"joint {moved + 1} is in both over and at, expected in one of them")
    x: Array = np.linspace(float(space.box[moved, 0]), float(space.box[moved, 1]), SAMPLES)
    found: list[tuple[str, Array]] = []
    for combination in product(*values.values()):
        q = np.tile(posture(robot, elsewhere), (SAMPLES, 1))
        q[:, moved] = x
        q[:, list(values)] = combination
        text = ", ".join(f"q{i + 1} = {value:.4g}" for i, value in zip(values, combination, strict=True))
        found.append((text, q))
    unit = "m" if robot.joints[moved].kind == "prismatic" else "rad"
    return Lines(moved, x, tuple(found), f"q{moved + 1} [{unit}]")


def curves(drawn: Lines, function: Function, label: str = "") -> tuple[Curve, ...]:
    """A function of the joints along the lines."""
    x = tuple(drawn.x.tolist())
    return tuple(
        Curve(", ".join(part for part in (text, label) if part), x, tuple(function(q).tolist()))
        for text, q in drawn.postures
    )


def most_telling(
    space: Workspace, functions: Sequence[Function], elsewhere: Mapping[JointKey, float] | None
) -> int:
    """The joint over which functions vary most, for their size, seen from home: what to draw over."""
    scores: Array = np.zeros(space.robot.n)
    for i in range(space.robot.n):
        ((_, q),) = lines(space, i + 1, None, elsewhere).postures
        for function in functions:
            y = function(q)
            scores[i] += np.ptp(y) / max(float(np.abs(y).max()), 1e-300)
    return int(np.argmax(scores))


def _values(i: int, row: Sequence[float]) -> list[float]:
    values = [row] if isinstance(row, int | float) else list(row)
    if not values:
        raise InputError(f"at: joint {i + 1} has no values, expected one at least")
    return [number(f"at: value of joint {i + 1}", value) for value in values]
