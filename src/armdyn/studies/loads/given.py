"""Numbers that are given for some joints: what the others take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from armdyn.errors import InputError
from armdyn.extremes.workspace import by_joint, per_joint
from armdyn.robot import Robot
from armdyn.scalars import Array


def or_default(robot: Robot, name: str, values: Any, default: float) -> Array:
    """(n) numbers above 0; joints that a mapping leaves out take the default."""
    left_out = _left_out(robot, name, values)
    if not left_out:
        return per_joint(robot, name, values, positive=True)
    return per_joint(robot, name, {**values, **{i + 1: default for i in left_out}}, positive=True)


def where_asked(robot: Robot, name: str, values: Any, asked: Sequence[int]) -> Array:
    """(n) numbers above 0, NaN for joints that a mapping leaves out: none of them may be asked for."""
    left_out = _left_out(robot, name, values)
    lacking = next((i for i in asked if i in left_out), None)
    if lacking is not None:
        raise InputError(
            f"{name} of joint {lacking + 1} is not given, expected one of every joint studied; give it, or "
            "leave the joint out (joints)"
        )
    found = or_default(robot, name, values, 1.0)
    found[left_out] = np.nan
    return found


def _left_out(robot: Robot, name: str, values: Any) -> list[int]:
    """Positions in q of the joints that a mapping does not name; all else is for every joint."""
    if not isinstance(values, Mapping):
        return []
    given = by_joint(robot, name, values)  # pyright: ignore[reportUnknownArgumentType]
    return [i for i in range(robot.n) if i not in given]
