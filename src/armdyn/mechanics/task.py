"""Tasks: which part of a frame's motion counts, and how its coordinates are called."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from armdyn.errors import InputError, suggestion

LINEAR = ("x", "y", "z")
TURNING: dict[str | None, tuple[str, str, str]] = {
    None: ("rx", "ry", "rz"),
    "zyx": ("yaw", "pitch", "roll"),
    "zyz": ("phi", "theta", "psi"),
}
"""What the last three coordinates are called: angular velocity, or Euler angles in their order."""
WHOLE = {"pose": range(6), "position": range(3), "orientation": range(3, 6)}


def task_axes(task: str | Sequence[str] | None, angles: str | None = None) -> tuple[str, ...]:
    """The coordinates of a task: "pose", "position", "orientation", or some of them, as "x,y,rz".

    Of angles "zyx" the last three are yaw, pitch and roll; of "zyz" phi, theta and psi.
    """
    if angles not in TURNING:
        raise InputError(f'angles "{angles}", expected zyx or zyz')
    known = (*LINEAR, *TURNING[angles])
    asked: Any = "pose" if task is None else task
    if isinstance(asked, str) and asked in WHOLE:
        return tuple(known[k] for k in WHOLE[asked])
    parts: Any = asked.split(",") if isinstance(asked, str) else asked
    try:
        names = [str(part).strip() for part in parts]
    except TypeError as error:
        raise InputError(f"task is {asked!r}, expected {_expected(known)}") from error
    for name in names:
        if name not in known:
            raise InputError(
                f'task has no axis "{name}"; {suggestion(name, known)}expected {_expected(known)}'
            )
    if not names or len(set(names)) < len(names):
        raise InputError(f'task "{",".join(names)}", expected each axis once; {_expected(known)}')
    return tuple(names)


def task_rows(axes: Sequence[str], angles: str | None = None) -> tuple[int, ...]:
    """Which of the six rows of a Jacobian the coordinates are."""
    known = (*LINEAR, *TURNING[angles])
    return tuple(known.index(name) for name in axes)


def is_linear(axis: str) -> bool:
    """Whether a coordinate is a length."""
    return axis in LINEAR


def _expected(known: Sequence[str]) -> str:
    return f"pose, position, orientation, or axes of {', '.join(known)}"
