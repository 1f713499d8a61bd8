"""The arms of the page about [Milicevic2007], and how its differences are written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from milicevic2007_print import Arm, frames

import armdyn as ad
from armdyn.mechanics import composite_body, dalembert, lagrange_euler, newton_euler
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.robot.joint import JointKind

EQUAL = 1e-10
"""What counts as equal, relative to the largest element (at least 1)."""
R: JointKind = "revolute"
P: JointKind = "prismatic"
KINDS: tuple[tuple[JointKind, ...], ...] = ((R, R), (R, P, R), (R, R, R, R), (P, R, R, P), (R, R, R, R, R, R))

# Arms and states ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Case:
    """A chain at a state, by the printed equations and by armdyn's."""

    arm: Arm
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray

    @cached_property
    def tree(self) -> Tree:
        """The arm as armdyn's equations see it."""
        return tree(self.arm.robot(), "none")

    @cached_property
    def state(self) -> tuple[list[float], list[float], list[float]]:
        """q, qd, qdd as lists."""
        return self.q.tolist(), self.qd.tolist(), self.qdd.tolist()

    @property
    def turning(self) -> bool:
        """Whether no joint slides."""
        return set(self.arm.kinds) == {"revolute"}

    @cached_property
    def torque(self) -> np.ndarray:
        """By Newton-Euler in link frames."""
        return array(newton_euler.inverse_dynamics(self.tree, *self.state).torque)

    @cached_property
    def gravity(self) -> np.ndarray:
        """The torque at rest."""
        return array(newton_euler.inverse_dynamics(self.tree, self.state[0], None, None).torque)

    @cached_property
    def velocity_torque(self) -> np.ndarray:
        """The torque of velocities alone."""
        q, qd, _ = self.state
        return array(newton_euler.inverse_dynamics(self.tree, q, qd, None, gravity=(0, 0, 0)).torque)

    @cached_property
    def mass(self) -> np.ndarray:
        """H by composite bodies."""
        return array(composite_body.mass_matrix(self.tree, self.state[0]))

    @cached_property
    def coefficients(self) -> Coefficients:
        """D_i, D_ij and D_ijk."""
        return lagrange_euler.coefficients(self.tree, self.state[0])

    @cached_property
    def terms(self) -> dalembert.Terms:
        """The parts of (4.1)."""
        return dalembert.terms(self.tree, *self.state[:2])


def cases() -> list[Case]:
    """Three states of two arms of every kind, the same on every machine."""
    rng = np.random.default_rng(2007)
    arms = [Arm.random(kinds, rng) for kinds in KINDS for _ in range(2)]
    return [Case(arm, *rng.uniform(-2, 2, (3, arm.n))) for arm in arms for _ in range(3)]


def array(values: Any) -> np.ndarray:
    """As floats."""
    return np.array(values, dtype=float)


def gap(ours: Any, reference: Any) -> float:
    """The largest difference, relative to the largest element (at least 1)."""
    ours, reference = array(ours), array(reference)
    return float(np.abs(ours - reference).max() / max(1.0, np.abs(reference).max()))


def agreeing(gaps: Iterable[float], what: str = "equal") -> str:
    """That all gaps are rounding; a page that says so is not written if they are not."""
    worst = max(gaps)
    if not worst < EQUAL:
        raise AssertionError(f"{what}: differs by {worst:g}, expected less than {EQUAL:g}")
    return f"{what}, to {EQUAL:.0e}"


def differing(gaps: Sequence[float], what: str) -> str:
    """How far a printed form is off; it must be."""
    if not max(gaps) > 1e-3:
        raise AssertionError(f"{what}: expected to differ")
    return f"{what} up to {max(gaps):.2g} times the largest"


def pose_gap(case: Case) -> float:
    """How far the poses of all bodies are from (2.1)."""
    robot = case.arm.robot()
    T = frames(case.arm, case.q)[1:]
    return max(
        gap(ad.Dynamics(robot).pose(case.q, body), frame)
        for body, frame in zip(robot.body_names, T, strict=True)
    )
