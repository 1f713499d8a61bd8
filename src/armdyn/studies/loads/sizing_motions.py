"""Motions as a study takes them: files, arrays, plans, verifications, simulations."""

from __future__ import annotations

import os
from typing import Any, cast

from armdyn.errors import InputError
from armdyn.formats.motions import Motion, read_motion, sampled_motion
from armdyn.robot import Robot

MotionLike = Any
"""A .csv or .parquet file, (time, q) or (time, q, qd, qdd), or what has `time` and `q`: a motion, a plan, a
simulation, or what `verify` found (what the arm then does)."""


def motions_of(robot: Robot, given: MotionLike) -> dict[str, Motion]:
    """The motions of a list by name, in their order; one alone is a list of one."""
    listed = list(given) if _is_list(given) else [given]
    if not listed:
        raise InputError("motions is empty, expected one motion at least: a file, arrays, or a plan")
    named = {_name(one, k): one for k, one in enumerate(listed, 1)}
    return {name: _motion(robot, one, name) for name, one in named.items()}


def _name(given: Any, k: int) -> str:
    return str(cast("Any", given)) if isinstance(given, str | os.PathLike) else f"motion {k}"


def _motion(robot: Robot, given: Any, name: str) -> Motion:
    if isinstance(given, Motion):
        return given
    if isinstance(given, str | os.PathLike):
        return read_motion(cast("str | os.PathLike[str]", given), robot)
    if isinstance(given, list | tuple):
        arrays = cast("list[Any]", list(given))  # pyright: ignore[reportUnknownArgumentType]
        if not 2 <= len(arrays) <= 4:
            raise InputError(f"{name} has {len(arrays)} parts, expected (time, q) or (time, q, qd, qdd)")
        return sampled_motion(robot, *arrays, name=name)
    if not hasattr(given, "time"):
        given = getattr(given, "plan", given)  # what `planned` gives
    moved = getattr(given, "run", given)  # what `verify` found has the arm's motion apart
    if hasattr(given, "time") and hasattr(moved, "q"):
        rates = (getattr(moved, key, None) for key in ("qd", "qdd"))
        return sampled_motion(robot, given.time, moved.q, *rates, name=name)
    raise InputError(
        f"{name} is a {type(given).__name__}, expected a file, (time, q), or what has time and q"
    )


def _is_list(given: Any) -> bool:
    """Whether it is a list of motions, and not (time, q): of that no part is a motion by itself."""
    if not isinstance(given, list | tuple):
        return False
    parts = cast("list[Any]", list(given))  # pyright: ignore[reportUnknownArgumentType]
    whole = (str, os.PathLike, Motion, tuple)
    return not isinstance(given, tuple) or any(isinstance(p, whole) or hasattr(p, "time") for p in parts)
