"""A robot that says everything a robot can say, and what becomes of it when one field is another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from armdyn.errors import RobotError
from armdyn.robot import (
    BASE,
    BaseMotion,
    Body,
    Coupling,
    Drive,
    Estimated,
    Friction,
    GearStage,
    Joint,
    Limits,
    Motor,
    Payload,
    Robot,
    Rotor,
    ScrewTriangle,
    Tool,
    Visual,
)
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import product

Path = tuple[str | int, ...]

PLACE = Transform(from_rpy(0.3, -0.2, 0.5), (0.1, 0.2, 0.3))
INERTIA = Inertia(2.0, (0.1, 0.2, -0.1), ((0.2, 0.01, 0.02), (0.01, 0.3, 0.0), (0.02, 0.0, 0.25)))
FRICTION = Friction(0.1, 0.2, 0.3, 0.1, True)
LIMITS = Limits((-1.0, 2.0), 3.0, 4.0, 5.0)
ROTOR = Rotor(0.01, 0.5, 0.4, "upper", PLACE)
SCREW = Coupling((("b", 30.0),), 0.2, ScrewTriangle(2.0, 0.1, 0.2, 5.0, 0.3))

WHOLE = Robot(
    "everything",
    (
        Body(
            "upper",
            Joint("a", "revolute", (0.0, 1.0, 0.0), PLACE, PLACE, 0.4, None, LIMITS, FRICTION),
            BASE,
            INERTIA,
            (
                Visual("box", (0.1, 0.2, 0.3), None, PLACE, (1.0, 0.5, 0.1, 1.0)),
                Visual("mesh", (1.0, 2.0, 1.0), "arm.stl", PLACE),
            ),
            "as printed",
        ),
        Body("slide", Joint("b", "prismatic", (0.0, 0.6, 0.8), PLACE, limits=LIMITS), "upper", INERTIA),
        Body(
            "follower",
            Joint("c", coupling=Coupling((("a", 0.7),), 0.2), limits=LIMITS, friction=Friction(0.3)),
            "slide",
            INERTIA,
        ),
        Body("plate", Joint("d", "fixed", placement=PLACE), "follower", INERTIA),
    ),
    (
        Drive(
            "m1",
            "a",
            Coupling((("a", 100.0), ("b", 2.0)), 0.1),
            ROTOR,
            (GearStage(ROTOR, 0.2),),
            Motor(0.1, 0.12, 0.3, 4.0, 3.0, 2.0, 300.0, 20.0, 48.0),
            FRICTION,
        ),
        Drive("m2", "b", SCREW, joint_inertia=0.7),
    ),
    Tool("plate", PLACE),
    (Payload("plate", INERTIA),),
    (0.5, 0.2),
    (0.1, 0.2, -9.0),
    BaseMotion((0.1, 0.0, 0.0), (0.2, 0.0, 0.0), (0.3, 0.0, 0.0), (0.4, 0.0, 0.0)),
    "an arm",
    "nowhere",
    ("odd",),
    (Estimated("upper.m", 2.0, 0.1, "kg"),),
)


# Fields ---------------------------------------------------------------------------------------


def leaves(
    value: Any, path: Path = (), field: tuple[str, str] = ("", "")
) -> Iterator[tuple[Path, tuple[str, str]]]:
    """The paths of all that is no part with fields of its own, with (class, field) where they stand."""
    if is_dataclass(value):
        for own in fields(value):
            if own.compare:
                name = (type(value).__name__, own.name)
                yield from leaves(getattr(value, own.name), (*path, own.name), name)
    elif isinstance(value, tuple) and value and is_dataclass(value[0]):
        for k, part in enumerate(value):
            yield from leaves(part, (*path, k), field)
    else:
        yield path, field


def at(value: Any, path: Path) -> Any:
    for step in path:
        value = value[step] if isinstance(step, int) else getattr(value, step)
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy with something else at the path."""
    if not path:
        return new
    step, *rest = path
    if isinstance(step, int):
        return (*value[:step], put(value[step], tuple(rest), new), *value[step + 1 :])
    return replace(value, **{step: put(getattr(value, step), tuple(rest), new)})


# Changes --------------------------------------------------------------------------------------


def changed(robot: Robot, path: Path, field: tuple[str, str]) -> Robot | None:
    """The robot with another value there; None where none can be changed."""
    try:
        return _changed(robot, path, field)
    except RobotError:  # as load-dependent friction of a joint that follows others
        return None


def _changed(robot: Robot, path: Path, field: tuple[str, str]) -> Robot | None:
    value = at(robot, path)
    if value is None or value in ((), BASE):
        return None
    if field in RENAMED:
        return _renamed(robot, value, f"{value} 2")
    if path[-1] == "shape":
        return put(robot, path[:-1], Visual("sphere", (0.2,))) if value == "box" else None
    return put(robot, path, CHOSEN[field](value) if field in CHOSEN else _another(value))


RENAMED = {("Body", "name"), ("Joint", "name")}
"""What others refer to."""
CHOSEN: dict[tuple[str, str], Callable[[Any], Any]] = {
    ("Transform", "rotation"): lambda R: product(from_rpy(0.1, 0.2, 0.3), R),
    ("Inertia", "tensor"): lambda I: tuple(tuple(1.2 * x for x in row) for row in I),  # noqa: E741
    ("Joint", "axis"): lambda axis: (axis[0] + 0.3, axis[1], axis[2] - 0.2),
    ("Joint", "kind"): lambda kind: {"revolute": "prismatic", "prismatic": "revolute"}.get(kind, "revolute"),
    ("Body", "parent"): lambda _: BASE,
    ("Tool", "body"): lambda _: "upper",
    ("Payload", "body"): lambda _: "upper",
    ("Rotor", "carrier"): lambda _: "slide",
    ("Drive", "joint"): lambda joint: "b" if joint == "a" else "a",
    ("Coupling", "weights"): lambda weights: tuple((name, 1.3 * w) for name, w in weights),
}


def _another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return f"{value} 2"
    if isinstance(value, tuple):
        return tuple(_another(part) for part in value)
    return 1.07 * value + 0.013


def _renamed(value: Any, old: str, new: str) -> Any:
    """The same with a name changed wherever it stands."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {own.name: _renamed(getattr(value, own.name), old, new) for own in fields(value)}
        return replace(value, **parts)
    if isinstance(value, tuple):
        return tuple(_renamed(part, old, new) for part in value)
    return new if isinstance(value, str) and value == old else value
