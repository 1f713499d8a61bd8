"""Arms given by their axes at q = 0, of every structure that has a closed form, and random ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from armdyn.robot import BASE, Body, Joint, Robot
from armdyn.robot.joint import Limits
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_axis_angle
from armdyn.spatial.vector import vector

SPHERICAL = ("upright", "shoulder", "elbow", "level", "general", "slide", "shoulder slide")
STRUCTURES = (*SPHERICAL, "three parallel")
"""How the first axes lie: 2 and 3 parallel; 1 and 2 meeting; 2 and 3 meeting; 1 and 2 parallel; none of
these; a slide across axis 2; a slide not across it; and 2, 3, 4 parallel."""

KINDS = dict.fromkeys(STRUCTURES, "spherical wrist") | {"three parallel": "three parallel axes"}


def arm_from(name: str, directions: np.ndarray, points: np.ndarray, slides: tuple[int, ...] = ()) -> Robot:
    """Joints about (along, those of `slides`) lines given at q = 0; every frame is then along the base's."""
    bodies: list[Body] = []
    before = np.zeros(3)
    for k, (direction, point) in enumerate(zip(directions, points, strict=True)):
        joint = Joint(
            f"joint{k + 1}",
            "prismatic" if k in slides else "revolute",
            vector(direction.tolist()),
            Transform(translation=vector((point - before).tolist())),
        )
        bodies.append(Body(f"link{k + 1}", joint, bodies[-1].name if bodies else BASE, Inertia(1.0)))
        before = point
    return Robot(name, tuple(bodies))


def random_arm(structure: str, seed: int) -> Robot:
    """An arm of six joints of one of the STRUCTURES, placed anywhere, with any tool."""
    rng = np.random.default_rng(seed)
    a = rng.normal(size=(6, 3))
    p = np.cumsum(rng.uniform(-0.5, 0.5, (6, 3)), axis=0)
    p[4] = p[5] = p[3]  # the wrist
    slides: tuple[int, ...] = ()
    match structure:
        case "upright":
            a[2] = -a[1]
        case "shoulder":
            p[1] = p[0]
        case "elbow":
            p[2] = p[1]
        case "level":
            a[1] = a[0]
        case "slide":
            a[2], slides = np.cross(a[1], a[2]), (2,)
        case "shoulder slide":
            p[1], slides = p[0], (2,)
        case "three parallel":
            a[2], a[3] = -a[1], a[1]
            p[3] = p[2] + rng.uniform(-0.5, 0.5, 3)
    if structure != "general":
        a[3:5] = _crossing_well(a[3:5]) if structure != "three parallel" else a[3:5]
    robot = arm_from(structure, a, p, slides)
    return robot.placed(_anywhere(rng)).with_tool(_anywhere(rng))


def _crossing_well(axes: np.ndarray) -> np.ndarray:
    """Two axes at right angles."""
    first = axes[0] / np.linalg.norm(axes[0])
    return np.array([first, axes[1] - first * (first @ axes[1])])


def _anywhere(rng: np.random.Generator) -> Transform:
    turn = from_axis_angle(tuple(rng.normal(size=3)), rng.uniform(-3, 3))
    return Transform(turn, vector(rng.uniform(-0.5, 0.5, 3).tolist()))


def wandering(seed: int) -> np.ndarray:
    """A motion (200, 6) on a line in joint space, through whatever singularities there are."""
    rng = np.random.default_rng(seed)
    return rng.uniform(-2, 2, 6) + np.linspace(0, 1, 200)[:, None] * rng.uniform(-1, 1, 6)


def with_limits(robot: Robot, limits: dict[int, tuple[float, float] | None]) -> Robot:
    """The robot with other position limits of some joints (counted from 1)."""
    names = {robot.joint_names[k - 1]: position for k, position in limits.items()}
    bodies = tuple(
        replace(body, joint=replace(body.joint, limits=Limits(names[body.joint.name])))
        if body.joint.name in names
        else body
        for body in robot.bodies
    )
    return replace(robot, bodies=bodies)


def unlimited(robot: Robot) -> Robot:
    """The robot without position limits."""
    return with_limits(robot, dict.fromkeys(range(1, robot.n + 1)))
