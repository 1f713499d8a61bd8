"""Shapes between points, as a page draws them: along z, about the middle, placed by a matrix."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from armdyn.scalars import Array
from armdyn.spatial import Transform
from armdyn.studio.messages.scene import Visual

Role = Literal["link", "joint", "tool", "base"]
COLORS: dict[str, list[float]] = {
    "link": [0.88, 0.89, 0.91, 1.0],
    "joint": [0.24, 0.32, 0.41, 1.0],
    "cap": [0.93, 0.53, 0.18, 1.0],
    "rail": [0.55, 0.58, 0.62, 1.0],
    "tool": [0.33, 0.35, 0.38, 1.0],
    "base": [0.30, 0.33, 0.37, 1.0],
}


def columns(T: Any) -> list[float]:
    """A 4x4 matrix column by column."""
    return [float(x) for x in array(T).T.reshape(-1)]


def array(numbers: Any) -> Array:
    """A vector or a matrix of a robot, whose numbers could be of any kind, as an array."""
    return np.asarray(numbers, dtype=float)


def matrix_of(T: Transform) -> Array:
    """A placement as a 4x4 matrix."""
    found = np.eye(4)
    found[:3, :3], found[:3, 3] = array(T.rotation), array(T.translation)
    return found


def along(axis: Array, at: Array) -> Array:
    """A placement whose z is along an axis."""
    z = axis / np.linalg.norm(axis)
    x = np.cross(z, np.eye(3)[int(np.argmin(np.abs(z)))])
    x = x / np.linalg.norm(x)
    found = np.eye(4)
    found[:3, 0], found[:3, 1], found[:3, 2], found[:3, 3] = x, np.cross(z, x), z, at
    return found


def rod(a: Array, b: Array, radii: tuple[float, float], role: Role, color: str) -> list[Visual]:
    """From one point to another, thinner or thicker on its way."""
    length = float(np.linalg.norm(b - a))
    place = columns(along(b - a, 0.5 * (a + b)))
    return [
        Visual(shape="taper", size=[*radii, length], matrix=place, color=COLORS[color], role=role),
    ]


def ball(at: Array, radius: float, role: Role, color: str) -> Visual:
    """About a point."""
    place = np.eye(4)
    place[:3, 3] = at
    return Visual(shape="sphere", size=[radius], matrix=columns(place), color=COLORS[color], role=role)


def can(axis: Array, at: Array, radius: float, length: float, role: Role, color: str) -> Visual:
    """About an axis."""
    place = columns(along(axis, at))
    return Visual(shape="cylinder", size=[radius, length], matrix=place, color=COLORS[color], role=role)


def beam(a: Array, b: Array, width: float, role: Role, color: str) -> Visual:
    """A square one from a point to another."""
    length = float(np.linalg.norm(b - a))
    place = columns(along(b - a, 0.5 * (a + b)))
    return Visual(shape="box", size=[width, width, length], matrix=place, color=COLORS[color], role=role)
