"""Velocities at which Coriolis and centrifugal torques are looked at, and where slow motion ends."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import sqrt
from typing import Any

import numpy as np

from armdyn.extremes import Bound
from armdyn.extremes.workspace import Workspace, per_joint
from armdyn.robot import Robot
from armdyn.scalars import Array
from armdyn.studies.loads.arms import Arm
from armdyn.studies.loads.rows import known

POSTURES = 2048
"""In which the worst directions of motion are looked for."""
DIRECTIONS = 512
"""That are tried at most: all of them up to ten joints."""


@dataclass(frozen=True)
class Speeds:
    """Velocities of all joints: as given, or the joints' limits in whichever directions are worst."""

    qd: Array
    """(n)"""
    free_signs: bool

    @property
    def note(self) -> str:
        """Which velocities they are."""
        if self.free_signs:
            return (
                "velocity torques are at the joints' velocity limits, in the directions that were worst in "
                f"{POSTURES} postures (key velocity)"
            )
        return "velocity torques are at the velocities given, with their signs"


def speeds(robot: Robot, velocity: Any) -> Speeds | None:
    """The velocities given, else the joints' limits; None where those are not all known."""
    if velocity is not None:
        return Speeds(per_joint(robot, "velocity", velocity), False)
    limits = [joint.limits.velocity for joint in robot.joints]
    if not all(limits):  # 0 counts as unknown
        return None
    return Speeds(np.array(limits, dtype=float), True)


def directed(space: Workspace, arm: Arm, chosen: Speeds) -> Array:
    """(n, n) for every joint (row) the velocities of all joints; free signs are those that load it most."""
    n = space.robot.n
    if not chosen.free_signs:
        return np.tile(chosen.qd, (n, 1))
    q = np.random.default_rng(0).uniform(space.box[:, 0], space.box[:, 1], (POSTURES, n))
    diagonal = np.einsum("...ii->...i", arm.dynamics.mass_matrix(q))
    c = arm.dynamics.velocity_coefficients(q)
    worst, found = np.full(n, -1.0), np.tile(chosen.qd, (n, 1))
    for signs in _directions(n):
        qd = chosen.qd * signs
        share = np.abs(np.einsum("sijk,j,k->si", c, qd, qd, optimize=True) / diagonal).max(axis=0)
        better = share > worst
        worst, found[better] = np.where(better, share, worst), qd
    return found


def border(most: Bound, share: float, qd: Array) -> dict[str, Any]:
    """Up to which scale of the velocities the velocity torque stays below a share of the inertia torque.

    It grows with the square of the scale: at sqrt(share/largest) the worst posture reaches the share;
    below the bound no posture does.
    """
    scale = sqrt(share / most.value) if most.value > 0 else None
    surely = sqrt(share / most.bound) if known(most.bound) and most.bound > 0 else None
    return {
        "velocity": qd.tolist(),
        "border_share": share,
        "border_scale": scale,
        "border_scale_bound": surely,
        "border_velocity": None if scale is None else (scale * qd).tolist(),
    }


def _directions(n: int) -> list[Array]:
    """Signs of the velocities; all turned round are the same torques, so that the first stays."""
    if 2 ** (n - 1) <= DIRECTIONS:
        return [np.array((1.0, *rest)) for rest in product((1.0, -1.0), repeat=n - 1)]
    signs = np.random.default_rng(0).choice((-1.0, 1.0), (DIRECTIONS, n))
    return list(signs)
