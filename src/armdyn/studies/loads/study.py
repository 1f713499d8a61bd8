"""Studies by name: what `armdyn study` and `armdyn.study` can do."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

from armdyn.errors import InputError, suggestion
from armdyn.robot import Robot
from armdyn.studies.loads.rows import Study

KINDS = ("inertia", "gravity", "coupling", "servo", "reactions", "sizing", "manipulability")


def study(robot: Robot, kind: str, **options: Any) -> Study:
    """What every joint and drive feels over the workspace.

    Args:
        robot: with or without payload; a payload gives rows without and with it.
        kind: `inertia`, `gravity`, `coupling`, `servo`, `reactions`, `sizing` or `manipulability`.
        **options: of the kind, as its function in `armdyn.studies.loads` takes them.

    Returns:
        Rows with minimum, maximum and their postures, bounds, figures as data, settings and notes.
    """
    if not isinstance(robot, Robot):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InputError(f"robot is a {type(robot).__name__}, expected a Robot; ad.load(..) gives one")
    function = study_function(kind)
    check_options(kind, options)
    return function(robot, **options)


def study_function(kind: str) -> Callable[..., Study]:
    """The function of a kind; each is imported only when asked for."""
    if kind not in KINDS:
        near = suggestion(str(kind), KINDS)
        raise InputError(f'no study "{kind}"; {near}expected one of {", ".join(KINDS)}')
    return getattr(import_module(f"armdyn.studies.loads.{kind}"), kind)


def options_of(kind: str) -> dict[str, bool]:
    """The options that a kind takes -> whether it must have them."""
    _, *parameters = inspect.signature(study_function(kind)).parameters.values()
    return {p.name: p.default is p.empty for p in parameters}


def check_options(kind: str, options: dict[str, Any], spelled: Callable[[str], str] = str) -> None:
    """Refuse options that a kind does not take, or lacks; `spelled` says how a reader writes them."""
    known = options_of(kind)
    for name in options:
        if name not in known:
            takers = [other for other in KINDS if name in options_of(other)]
            whose = f"it is for {', '.join(takers)}" if takers else f"expected of {', '.join(known)}"
            raise InputError(f"study {kind} takes no {spelled(name)}; {whose}")
    for name, needed in known.items():
        if needed and name not in options:
            raise InputError(f"study {kind} needs {spelled(name)}, which is not given")
