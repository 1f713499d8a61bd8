"""The square of a manipulability, det J J^T, as a sum of waves in the joints."""

from __future__ import annotations

from typing import Any

from armdyn.mechanics import frames
from armdyn.mechanics.linear_system import dot
from armdyn.mechanics.task import task_rows
from armdyn.scalars.harmonic import Harmonic
from armdyn.studies.loads.arms import Arm

MOST_AXES, MOST_JOINTS = 3, 6
"""Beyond these the terms are so many that writing them down takes longer than a study should."""

Matrix = list[list[Any]]


def squared_manipulability(arm: Arm, axes: tuple[str, ...], frame: str | None) -> Harmonic | None:
    """det J J^T, or (det J)^2 of a square J; None where it has too many terms."""
    if len(axes) > MOST_AXES or arm.robot.n > MOST_JOINTS:
        return None
    setting = arm.setting
    where = setting.tree.tool if frame is None else setting.tree.frames[frame]
    whole = frames.jacobian(setting.tree, setting.joints(), where)
    J = [setting.on_coordinates(whole[k]) for k in task_rows(axes)]
    if len(J) == arm.robot.n:
        once = _determinant(J)
        return arm.harmonic(once * once)
    return arm.harmonic(_determinant([[dot(a, b) for b in J] for a in J]))


def _determinant(M: Matrix) -> Any:
    """Along the first row."""
    if len(M) == 1:
        return M[0][0]
    total: Any = 0
    for j, element in enumerate(M[0]):
        minor = _determinant([[*row[:j], *row[j + 1 :]] for row in M[1:]])
        total = total + element * minor if j % 2 == 0 else total - element * minor
    return total
