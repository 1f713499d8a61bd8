"""The dynamics of a task: what the equations of motion say about a chosen part of a frame's motion.

[Siciliano2009] 7.8, with J the rows of a Jacobian that the task asks for, xd = J qd, xdd = J qdd + Jdot qd:

    B_A = (J H^-1 J^T)^-1                     (7.130)
    C_A xd = B_A (J H^-1 C qd - Jdot qd)      (7.131)
    g_A = B_A J H^-1 g                        (7.132)
    B_A xdd + C_A xd + g_A = gamma - h        (7.133)
    Jbar = H^-1 J^T B_A                       (7.138)

J H^-1 J^T, the mobility, always exists; its inverse does not where the arm cannot move in a direction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from armdyn.mechanics.frames import (
    Frame,
    acceleration_of,
    angle_rates,
    jacobian,
    twist_of,
)
from armdyn.mechanics.kinematics import pose_of
from armdyn.mechanics.linear_system import dot, solver
from armdyn.mechanics.placed import placed
from armdyn.mechanics.task import task_rows
from armdyn.mechanics.tree.links import Tree
from armdyn.scalars import reciprocal, select, sqrt
from armdyn.spatial import Vec3
from armdyn.spatial.vector import Mat3, add, cross, subtract, times, transpose, vector

Matrix = list[list[Any]]
GUARD = 1e-13
"""What is left of an axis' mobility once the others are held, relative to all of it: less is rounding."""
OWN = 1e-10
"""The same, above which the inverse is to be trusted."""
LOOSE = 1e300
"""What stands for a tightness that is not known."""


# How the task moves ---------------------------------------------------------------------------


@dataclass(frozen=True)
class TaskMotion:
    """How the coordinates of a task move."""

    jacobian: Matrix
    """J, m x n"""
    velocity: list[Any]
    """xd (m): J qd, and what a moving base adds"""
    drift: list[Any]
    """Jdot qd (m): the acceleration with qdd = 0, with what a moving base adds"""


@dataclass(frozen=True)
class TaskFrame:
    """A frame, the coordinates that count of it, and how they are measured."""

    frame: Frame
    axes: tuple[str, ...]
    angles: str | None = None
    """None: angular velocity; "zyx" or "zyz": rates of these angles"""
    seen_from: Frame | None = None
    """The frame in whose axes the coordinates are; those of the base by default"""


def task_motion(tree: Tree, q: Sequence[Any], qd: Sequence[Any], task: TaskFrame) -> TaskMotion:
    """Jacobian, velocity and drift of a task."""
    twist, resting = twist_of(tree, q, qd, task.frame), [0] * tree.n
    drift = acceleration_of(tree, q, qd, resting, task.frame)
    linear, angular = (twist.linear, drift.linear), (twist.angular, drift.angular)
    rows = jacobian(tree, q, task.frame)
    if task.angles is not None:
        R = pose_of(tree, placed(tree, q), task.frame).rotation
        rates, change = angle_rates(R, task.angles), angle_rates_change(R, twist.angular, task.angles)
        bent = add(times(rates, drift.angular), times(change, twist.angular))
        angular = times(rates, twist.angular), bent
        rows = [*rows[:3], *_turned(rates, rows[3:])]
    if task.seen_from is not None:
        # x = R^T v: xd' = R^T (v' - omega x v), with omega of the axes
        back = transpose(pose_of(tree, placed(tree, q), task.seen_from).rotation)
        omega = twist_of(tree, q, qd, task.seen_from).angular
        linear, angular = (_seen(back, omega, *motion) for motion in (linear, angular))
        rows = [*_turned(back, rows[:3]), *_turned(back, rows[3:])]
    asked = task_rows(task.axes, task.angles)
    both = (*linear[0], *angular[0]), (*linear[1], *angular[1])
    return TaskMotion([rows[k] for k in asked], *([part[k] for k in asked] for part in both))


def angle_rates_change(R: Mat3, omega: Vec3, angles: str) -> Mat3:
    """d/dt of `angle_rates`: its rows are made of the direction a = (x, y, z), which changes by omega x a."""
    column = 0 if angles == "zyx" else 2
    a = vector(row[column] for row in R)
    (x, y, z), (xd, yd, zd) = a, cross(omega, a)
    steep = reciprocal(sqrt(x * x + y * y))
    c, s = x * steep, y * steep
    level_rate = c * xd + s * yd
    steep_rate = -steep * steep * level_rate
    c_rate, s_rate = (xd - c * level_rate) * steep, (yd - s * level_rate) * steep
    slope, slope_rate = -z * steep, -(zd * steep + z * steep_rate)
    return (
        (c_rate * slope + c * slope_rate, s_rate * slope + s * slope_rate, 0),
        (-s_rate, c_rate, 0),
        (c_rate * steep + c * steep_rate, s_rate * steep + s * steep_rate, 0),
    )


def reach(tree: Tree, frame: Frame) -> float:
    """How far a frame is from the base along its links [m], each stretched: a length of the arm's size."""
    link, place = frame
    steps = [place.translation, *(tree.links[i].position for i in tree.path(link))]
    length = sum(math.hypot(*(float(x) for x in step)) for step in steps)  # pyright: ignore[reportArgumentType]
    return length or 1.0


def _seen(back: Mat3, omega: Vec3, velocity: Vec3, drift: Vec3) -> tuple[Vec3, Vec3]:
    """Velocity and drift in axes that turn with omega."""
    return times(back, velocity), times(back, subtract(drift, cross(omega, velocity)))


def _turned(R: Mat3, rows: Sequence[Sequence[Any]]) -> Matrix:
    """R times three rows."""
    columns = [times(R, vector(column)) for column in zip(*rows, strict=True)]
    return [list(row) for row in zip(*columns, strict=True)]


# What it takes --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Torques:
    """What the joints carry without acceleration, in parts."""

    velocity: list[Any]
    """C qd (n), and what a moving base asks for"""
    gravity: list[Any]
    contact: list[Any]


@dataclass(frozen=True)
class TaskDynamics:
    """The dynamics of a task of m coordinates."""

    freed: Matrix
    """H^-1 J^T, n x m: what unit forces along the task accelerate"""
    mobility: Matrix
    """J H^-1 J^T, m x m"""
    inertia: Matrix
    """B_A, m x m; finite, but no inverse, where the mobility has none"""
    inverse: Matrix
    """Jbar, n x m"""
    coriolis: list[Any]
    """C_A xd (m)"""
    gravity: list[Any]
    """g_A (m)"""
    contact: list[Any]
    """h_A (m): Jbar^T J^T h"""


def task_dynamics(H: Matrix, motion: TaskMotion, torques: Torques) -> TaskDynamics:
    """(7.130)-(7.132) and (7.138)."""
    J, m = motion.jacobian, len(motion.jacobian)
    freed = list(map(solver(H), J))
    half = [[dot(J[i], freed[j]) for j in range(i + 1)] for i in range(m)]
    mobility = [[half[max(i, j)][min(i, j)] for j in range(m)] for i in range(m)]
    inertia = guarded_inverse(mobility)
    Jbar = [[dot([row[i] for row in freed], column) for column in inertia] for i in range(len(H))]
    through = list(zip(*Jbar, strict=True))
    coriolis = [
        dot(column, torques.velocity) - dot(row, motion.drift)
        for column, row in zip(through, inertia, strict=True)
    ]
    gravity, contact = ([dot(column, t) for column in through] for t in (torques.gravity, torques.contact))
    columns = [list(row) for row in zip(*freed, strict=True)]
    return TaskDynamics(columns, mobility, inertia, Jbar, coriolis, gravity, contact)


def tightness(found: TaskDynamics, rows: Sequence[float], columns: Sequence[float]) -> Any:
    """|Jbar_s|^2 of the scaled inverse Jbar_s = S^-1 Jbar R^-1, R = diag(rows), S = diag(columns).

    One over its root is no more than any singular value of the scaled Jacobian R J S, since no right inverse
    is smaller than the pseudo-inverse, where J Jbar is 1. 1/(W_kk B_kk) is what the others leave of an axis'
    mobility; where that is rounding, or the axis was left out of the inverse (B_kk = 0), it is very large.
    """
    total: Any = 0
    for row, column in zip(found.inverse, columns, strict=True):
        for element, scale in zip(row, rows, strict=True):
            scaled = element * (1 / (scale * column))
            total = total + scaled * scaled
    for k, row in enumerate(found.mobility):
        own = found.inertia[k][k]
        total = total + select(own, 0, LOOSE) + select(1 - OWN * (row[k] * own), 0, LOOSE)
    return total


def guarded_inverse(W: Matrix) -> Matrix:
    """W^-1 of a symmetric W; where an axis has no mobility of its own, one in which it bears no force."""
    m = len(W)

    def inverted(k: int, pivot: Any) -> Any:
        return select(pivot - GUARD * W[k][k], reciprocal(pivot), 0)

    solve = solver(W, inverted)
    columns = [solve([int(i == j) for j in range(m)]) for i in range(m)]
    return [[columns[min(i, j)][max(i, j)] for j in range(m)] for i in range(m)]
