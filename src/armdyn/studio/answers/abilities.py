"""What the tool can be accelerated by: the dynamic manipulability ellipsoid, and the exact polytope."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from armdyn.errors import ArmdynError, MissingDataError
from armdyn.manipulability import Zonotope, acceleration_ellipsoid, acceleration_polytope
from armdyn.scalars import Array
from armdyn.studio.messages.answers import Polytope
from armdyn.studio.messages.scene import EllipsoidScene
from armdyn.studio.robots import Ready
from armdyn.studio.scenes.shapes import columns

NAMES = "xyz"
FEW = 10
"""Motors of which all combinations of limits are looked at."""


def ellipsoid(ready: Ready, q: Array, qd: Array, notes: list[str]) -> EllipsoidScene | None:
    """Of accelerations of the tool, motors at their limits; of 1 N m each where those are not known."""
    axes = _axes(ready, q)
    task: dict[str, Any] = {"task": ",".join(NAMES[k] for k in axes)}
    try:
        found = acceleration_ellipsoid(ready.dyn, q, qd, ready.settings.wrench, torques="limits", **task)
    except MissingDataError as error:
        notes.append(f"ellipsoid of 1 N m in each joint: {error}")
        found = acceleration_ellipsoid(ready.dyn, q, qd, ready.settings.wrench, **task)
    if not np.isfinite(found.directions).all():
        notes.append("ellipsoid: the mass matrix is singular here")
        return None
    others = [k for k in range(3) if k not in axes]
    place, radii = np.eye(4), np.zeros(3)
    place[:3, :3] = 0.0
    place[np.ix_(axes, range(len(axes)))] = found.directions
    place[others, range(len(axes), 3)] = 1.0
    place[axes, 3], radii[: len(axes)] = found.centre, found.radii
    if np.linalg.det(place) < 0:
        place[:3, 2] *= -1
    return EllipsoidScene(matrix=columns(place), radii=[float(r) for r in radii])


def _axes(ready: Ready, q: Array) -> list[int]:
    """Along which the tool is looked at: all three, or as many as there are joints, where it moves most."""
    if ready.robot.n >= 3:
        return [0, 1, 2]
    moved = np.linalg.norm(ready.dyn.jacobian(q)[:3], axis=1)
    return sorted(int(k) for k in np.argsort(-moved)[: ready.robot.n])


def polytope(ready: Ready, q: Array, qd: Array, notes: list[str]) -> Polytope | None:
    """Every acceleration of the tool that the motors can give."""
    try:
        found = acceleration_polytope(ready.dyn, q, qd, ready.settings.wrench)
    except ArmdynError as error:
        notes.append(f"polytope: {error}")
        return None
    if found.rank < 3:
        notes.append("polytope: it is flat here, the tool cannot be accelerated in every direction")
        return None
    return _surface(_corners(found) if len(found.lower) <= FEW else found.vertices)


def _corners(found: Zonotope) -> Array:
    """Where all combinations of limits lead: the vertices are among them, soon found where motors are few."""
    ends = np.stack([found.lower, found.upper], axis=1)
    torques = np.array(np.meshgrid(*ends, indexing="ij")).reshape(len(ends), -1).T
    return found.centre + torques @ found.generators.T


def _surface(points: Array) -> Polytope:
    """The hull of points, every triangle counter-clockwise seen from outside."""
    spatial: Any = import_module("scipy.spatial")  # slow to import
    hull: Any = spatial.ConvexHull(points)
    a, b, c = (points[hull.simplices[:, k]] for k in range(3))
    outward: Any = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) > 0
    triangles: list[list[int]] = [
        list(row if out else row[::-1]) for row, out in zip(hull.simplices.tolist(), outward, strict=True)
    ]
    number = {int(k): place for place, k in enumerate(hull.vertices)}
    return Polytope(
        vertices=points[hull.vertices].tolist(),
        faces=[[number[k] for k in triangle] for triangle in triangles],
    )
