"""Nothing of a robot is forgotten: every field is carried by a file, or named among what is lost.

The fields are found by walking over the dataclasses: one that is added later is tested, too.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

import armdyn.robot as parts
from armdyn.formats.toml import read_toml, write_toml
from armdyn.formats.urdf import read_urdf, write_urdf
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.robot import Robot
from armdyn.spatial import Inertia, Transform
from formats.every_field import WHOLE, Path, at, changed, leaves
from formats.urdf.comparison import random_state
from oracles.test_exported_urdf import without_spin

LEAVES = [(path, field) for path, field in leaves(WHOLE) if changed(WHOLE, path, field) is not None]
EVERY = pytest.mark.parametrize(
    ("path", "field"), LEAVES, ids=[".".join(str(step) for step in path) for path, _ in LEAVES]
)
TOLERANCE = 1e-9


def test_every_field_of_every_part_is_walked_over() -> None:
    classes = [getattr(parts, name) for name in parts.__all__ if name != "BASE"]
    known = {
        (cls.__name__, own.name)
        for cls in (*classes, Transform, Inertia)
        for own in fields(cls)
        if own.compare
    }
    inner = {field for _, field in LEAVES}
    holders = {
        (type(at(WHOLE, path[:k])).__name__, str(path[k])) for path, _ in LEAVES for k in range(len(path))
    }
    assert known - inner - holders == set()


@EVERY
def test_toml_carries_every_field(path: Path, field: tuple[str, str]) -> None:
    robot = changed(WHOLE, path, field)
    assert robot is not None
    assert robot != WHOLE
    assert read_toml(write_toml(robot)) == robot


# URDF: what is said must be seen, and be the same afterwards or be named ----------------------

NAMED = {
    "frames of bodies": "their frames stand",
    "starting friction": "starting friction",
    "friction under load": "load-dependent friction",
    "acceleration limits": "acceleration limit",
    "drives": 'drives "',
    "gravity": "gravity ",
    "motion of the base": "the motion of the base",
    "home": "home ",
    "payloads": "payload on",
    "reasons": "the reason why",
    "description": "description",
    "source": "source",
    "notes": "notes",
    "estimates": "estimates",
}
"""What URDF may lose, and how the sentence goes on; all else must be carried."""


def observed(robot: Robot, like: Robot) -> dict[str, Any]:
    """All that can be seen of a robot, for the joints and bodies of another one."""
    model, state = tree(without_spin(robot), "none"), random_state(robot.n, 3).tolist()
    links = placed(model, state[0])
    bodies = {body.name: body for body in robot.bodies if body.name in like.body_names}
    joints = {body.joint.name: body.joint for body in bodies.values()}
    T = {name: pose_of(model, links, model.frames[name]) for name in bodies}
    return {
        "name": robot.name,
        "names": (list(bodies), robot.joint_names, {name: body.parent for name, body in bodies.items()}),
        "kinds": {name: joint.kind for name, joint in joints.items()},
        "couplings": {n: (j.coupling.weights, j.coupling.offset) for n, j in joints.items() if j.coupling},
        "tool": _shown(pose_of(model, links, model.tool)),
        "torques": inverse_dynamics(model, *state).torque,
        "limits": {n: (j.limits.position, j.limits.velocity, j.limits.effort) for n, j in joints.items()},
        "friction": {n: (j.friction.viscous, j.friction.coulomb) for n, j in joints.items()},
        "shapes": {
            name: [(v.shape, v.size, v.mesh, v.color, _shown(T[name] @ v.placement)) for v in body.visuals]
            for name, body in bodies.items()
        },
        "frames of bodies": {name: _shown(place) for name, place in T.items()},
        "starting friction": {n: j.friction.starting for n, j in joints.items()},
        "friction under load": {
            n: (j.friction.load, j.friction.load_includes_friction) for n, j in joints.items()
        },
        "acceleration limits": {n: j.limits.acceleration for n, j in joints.items()},
        "drives": robot.drives,
        "gravity": robot.gravity,
        "motion of the base": robot.base_motion,
        "home": robot.home,
        "payloads": robot.payloads,
        "reasons": {name: body.accept_unphysical for name, body in bodies.items()},
        "description": robot.description,
        "source": robot.source,
        "notes": robot.notes,
        "estimates": robot.estimates,
    }


def _shown(place: Transform) -> tuple[Any, Any]:
    return place.rotation, place.translation


def same(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list | tuple):
        return isinstance(b, list | tuple) and len(a) == len(b) and all(map(same, a, b))
    if isinstance(a, float | int) and isinstance(b, float | int):
        return abs(a - b) <= TOLERANCE * max(1.0, abs(a))
    return a == b


@EVERY
def test_urdf_carries_every_field_or_names_it(path: Path, field: tuple[str, str]) -> None:
    robot = changed(WHOLE, path, field)
    assert robot is not None
    if path[:2] == ("bodies", 3) and field in (("Joint", "axis"), ("Joint", "offset")):
        return  # of a fixed joint: they mean nothing
    text, lost = write_urdf(robot)
    again = read_urdf(text.encode(), literal=True)
    before, after = observed(robot, robot), observed(again, robot)
    assert not same(before, observed(WHOLE, WHOLE)), "the change is not seen, so that its loss is not either"
    gone = [key for key in before if not same(before[key], after[key])]
    assert [key for key in gone if key not in NAMED] == []
    assert [key for key in gone if not any(NAMED[key] in sentence for sentence in lost)] == []
