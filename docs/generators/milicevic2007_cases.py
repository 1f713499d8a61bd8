"""The arms and states of the page about [Milicevic2007]."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from milicevic2007_print import Arm, D, c, frames, h
from verdicts import array, gap

import armdyn as ad
from armdyn.mechanics import composite_body, dalembert, lagrange_euler, newton_euler
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.robot.joint import JointKind

R: JointKind = "revolute"
P: JointKind = "prismatic"
KINDS: tuple[tuple[JointKind, ...], ...] = ((R, R), (R, P, R), (R, R, R, R), (P, R, R, P), (R, R, R, R, R, R))


@dataclass(frozen=True)
class Case:
    """A chain at a state, by the printed equations and by armdyn's."""

    arm: Arm
    dynamics: ad.Dynamics
    """Of the arm, the same for all its states."""
    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray

    # As printed ---------------------------------------------------------------------------

    @cached_property
    def D(self) -> np.ndarray:
        """(2.11)."""
        return D(self.arm, self.q)

    @cached_property
    def h(self) -> np.ndarray:
        """h_ikm of (2.14)."""
        return h(self.arm, self.q)

    @cached_property
    def c(self) -> np.ndarray:
        """(2.15)."""
        return c(self.arm, self.q)

    # By armdyn ----------------------------------------------------------------------------

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

    @cached_property
    def pose_gap(self) -> float:
        """How far the poses of all bodies are from (2.1)."""
        names = self.dynamics.robot.body_names
        printed = frames(self.arm, self.q)[1:]
        return max(gap(self.dynamics.pose(self.q, name), T) for name, T in zip(names, printed, strict=True))


def cases() -> list[Case]:
    """Three states of two arms of every kind, the same on every machine."""
    rng = np.random.default_rng(2007)
    arms = [Arm.random(kinds, rng) for kinds in KINDS for _ in range(2)]
    found: list[Case] = []
    for arm in arms:
        dynamics = ad.Dynamics(arm.robot())
        found += [Case(arm, dynamics, *rng.uniform(-2, 2, (3, arm.n))) for _ in range(3)]
    return found
