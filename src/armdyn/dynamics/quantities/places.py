"""Where the tool, or a body's frame, is and how it moves."""

from __future__ import annotations

from typing import Any

from armdyn.dynamics.model import Model, Nodes
from armdyn.dynamics.quantity import Quantity
from armdyn.mechanics import frames, kinematics
from armdyn.mechanics.placed import placed
from armdyn.spatial import Transform


def _pose(model: Model, x: Nodes, frame: str | None) -> list[Any]:
    return _elements(kinematics.pose_of(model.tree, placed(model.tree, x["q"]), model.frame(frame, x)))


def _body_poses(model: Model, x: Nodes) -> list[Any]:
    links = placed(model.tree, x["q"])
    frames = (model.frame(name, x) for name in model.robot.body_names)
    return [e for frame in frames for e in _elements(kinematics.pose_of(model.tree, links, frame))]


def _elements(T: Transform) -> list[Any]:
    rows = [(*row, p) for row, p in zip(T.rotation, T.translation, strict=True)]
    return [e for row in (*rows, (0, 0, 0, 1)) for e in row]


def _jacobian(model: Model, x: Nodes, frame: str | None, angles: str | None) -> list[Any]:
    where = model.frame(frame, x)
    if angles is None:
        rows = frames.jacobian(model.tree, x["q"], where)
    else:
        rows = frames.analytical_jacobian(model.tree, x["q"], where, angles)
    return [e for row in rows for e in row]


def _twist(model: Model, x: Nodes, frame: str | None) -> list[Any]:
    moving = frames.twist_of(model.moving(x, model.tree), x["q"], x["qd"], model.frame(frame, x))
    return [*moving.linear, *moving.angular]


def _acceleration(model: Model, x: Nodes, frame: str | None) -> list[Any]:
    built = model.moving(x, model.tree)
    moving = frames.acceleration_of(built, x["q"], x["qd"], x["qdd"], model.frame(frame, x))
    return [*moving.linear, *moving.angular]


ANY: tuple[str | None, ...] = ()
"""The frame is that of the tool (None) or of any body."""
ANGLES = (None, "zyx", "zyz")

QUANTITIES = {
    "pose": Quantity(("q",), ((4, 4),), _pose, ("at",), {"frame": ANY}),
    "body_poses": Quantity(("q",), (("bodies", 4, 4),), _body_poses),
    "jacobian": Quantity(("q",), ((6, "n"),), _jacobian, ("at",), {"frame": ANY, "angles": ANGLES}),
    "twist": Quantity(("q", "qd"), ((6,),), _twist, ("at", "base"), {"frame": ANY}),
    "acceleration": Quantity(("q", "qd", "qdd"), ((6,),), _acceleration, ("at", "base"), {"frame": ANY}),
}
