"""The equations of [Milicevic2007] as printed, in NumPy: nothing of armdyn's mechanics is in them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from armdyn.formats.dh import dh_joint
from armdyn.robot import BASE, Body, Robot
from armdyn.robot.joint import JointKind
from armdyn.spatial import Inertia
from armdyn.spatial.vector import matrix, vector

Array = np.ndarray
Z = np.array([0.0, 0.0, 1.0])
Q = {
    "revolute": np.array([[0, -1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=float),
    "prismatic": np.array([[0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0]], dtype=float),
}
"""dA_i/dq_i = Q A_i"""


@dataclass(frozen=True)
class Arm:
    """A chain of standard DH rows; centres of mass and tensors in link axes, tensors about those centres."""

    kinds: tuple[JointKind, ...]
    d: Array
    a: Array
    alpha: Array
    masses: Array
    centres: Array
    tensors: Array
    gravity: Array

    @classmethod
    def random(cls, kinds: Sequence[JointKind], rng: np.random.Generator) -> Arm:
        """Any numbers that a chain can have."""
        n = len(kinds)
        a, d = rng.uniform(0.1, 0.5, (2, n))
        points, weights = rng.uniform(-0.3, 0.3, (n, 5, 3)), rng.uniform(0.2, 2.0, (n, 5))
        masses = weights.sum(axis=1)
        centres = np.einsum("ik,ikx->ix", weights, points) / masses[:, None]
        arms = points - centres[:, None]
        squares = np.einsum("ik,ikx,iky->ixy", weights, arms, arms)
        tensors = np.trace(squares, axis1=1, axis2=2)[:, None, None] * np.eye(3) - squares
        alpha, gravity = rng.uniform(-3, 3, n), rng.uniform(-10, 10, 3)
        return cls(tuple(kinds), d, a, alpha, masses, centres, tensors, gravity)

    @property
    def n(self) -> int:
        """Number of joints."""
        return len(self.kinds)

    def robot(self) -> Robot:
        """The same arm as a robot of armdyn's."""
        bodies: list[Body] = []
        for i, kind in enumerate(self.kinds):
            row = {"d": float(self.d[i]), "a": float(self.a[i]), "alpha": float(self.alpha[i])}
            joint = dh_joint(f"q{i + 1}", kind, "standard", theta=0.0, **row)
            centre, tensor = vector(self.centres[i].tolist()), matrix(self.tensors[i].tolist())
            inertia = Inertia(float(self.masses[i]), centre, tensor)
            bodies.append(Body(f"link{i + 1}", joint, bodies[-1].name if bodies else BASE, inertia))
        return Robot("chain", tuple(bodies), gravity=tuple(self.gravity.tolist()))

    def pseudo(self, i: int) -> Array:
        """J_i: the integral of r r^T, r homogeneous, about the origin of frame i."""
        m, c = self.masses[i], self.centres[i]
        tensor = self.tensors[i]
        J = np.empty((4, 4))
        J[:3, :3] = 0.5 * np.trace(tensor) * np.eye(3) - tensor + m * np.outer(c, c)
        J[:3, 3] = J[3, :3] = m * c
        J[3, 3] = m
        return J

    def A(self, i: int, q: float) -> Array:
        """(2.1)."""
        turning = self.kinds[i] == "revolute"
        theta, d = (q, self.d[i]) if turning else (0.0, q + self.d[i])
        c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(self.alpha[i]), np.sin(self.alpha[i])
        a = self.a[i]
        return np.array(
            [[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]]
        )


def frames(arm: Arm, q: Array) -> list[Array]:
    """T_0 = 1, T_1, .. T_n in the base, of frames 0 to n."""
    result = [np.eye(4)]
    for i in range(arm.n):
        result.append(result[-1] @ arm.A(i, q[i]))
    return result


# Lagrange-Euler, section 2 --------------------------------------------------------------------


def U(arm: Arm, q: Array, i: int, *by: int) -> Array:
    """U_ij, U_ijk: T_i derived by one or two coordinates, links and joints from 0."""
    result = np.eye(4)
    for k in range(i + 1):
        for _ in range(by.count(k)):
            result = result @ Q[arm.kinds[k]]
        result = result @ arm.A(k, q[k])
    return result if all(k <= i for k in by) else np.zeros((4, 4))


def lagrangian(arm: Arm, q: Array, qd: Array) -> float:
    """(2.3)."""
    n, J = range(arm.n), [arm.pseudo(i) for i in range(arm.n)]
    kinetic = sum(
        np.trace(U(arm, q, i, j) @ J[i] @ U(arm, q, i, k).T) * qd[j] * qd[k]
        for i in n
        for j in range(i + 1)
        for k in range(i + 1)
    )
    T = frames(arm, q)
    return float(0.5 * kinetic + sum(arm.gravity @ (T[i + 1] @ J[i])[:3, 3] for i in n))


def D(arm: Arm, q: Array) -> Array:
    """(2.11)."""
    n = range(arm.n)
    return np.array(
        [
            [
                sum(
                    np.trace(U(arm, q, j, k) @ arm.pseudo(j) @ U(arm, q, j, i).T)
                    for j in range(max(i, k), arm.n)
                )
                for k in n
            ]
            for i in n
        ]
    )


def h(arm: Arm, q: Array) -> Array:
    """h_ikm of (2.14)."""
    result = np.zeros((arm.n,) * 3)
    for i, k, m in np.ndindex(result.shape):
        for j in range(max(i, k, m), arm.n):
            result[i, k, m] += np.trace(U(arm, q, j, k, m) @ arm.pseudo(j) @ U(arm, q, j, i).T)
    return result


def c(arm: Arm, q: Array) -> Array:
    """(2.15); (2.4) prints the same without the minus."""
    return np.array(
        [
            sum(-arm.gravity @ (U(arm, q, j, i) @ arm.pseudo(j))[:3, 3] for j in range(i, arm.n))
            for i in range(arm.n)
        ]
    )


# Newton-Euler, section 3 ----------------------------------------------------------------------


class Loads(NamedTuple):
    """What the backward equations give; rows f_i, n_i go by link."""

    tau: Array
    f: Array
    """Force exerted on link i by link i - 1."""
    n: Array
    """Moment about the origin of frame i - 1."""


def table_1(arm: Arm, q: Array, qd: Array, qdd: Array, vdot_0: Array) -> Loads:
    """Newton-Euler in the base frame, b_i = 0, vdot_i of a turning link as in Table 2."""
    T = frames(arm, q)
    omega, omegad, vdot = np.zeros(3), np.zeros(3), vdot_0
    steps, centres, F, M = [], [], [], []
    for i, kind in enumerate(arm.kinds):
        z, R = T[i][:3, 2], T[i + 1][:3, :3]
        step, s = T[i + 1][:3, 3] - T[i][:3, 3], R @ arm.centres[i]
        if kind == "revolute":
            omegad = omegad + z * qdd[i] + np.cross(omega, z * qd[i])
            omega = omega + z * qd[i]
        vdot = vdot + np.cross(omegad, step) + np.cross(omega, np.cross(omega, step))
        if kind == "prismatic":
            vdot = vdot + z * qdd[i] + 2 * np.cross(omega, z * qd[i])
        a = np.cross(omegad, s) + np.cross(omega, np.cross(omega, s)) + vdot
        tensor = R @ arm.tensors[i] @ R.T
        F.append(arm.masses[i] * a)
        M.append(tensor @ omegad + np.cross(omega, tensor @ omega))
        steps.append(step)
        centres.append(s)
    tau, f, n = np.zeros(arm.n), np.zeros((arm.n + 1, 3)), np.zeros((arm.n + 1, 3))
    for i in reversed(range(arm.n)):
        f[i] = F[i] + f[i + 1]
        n[i] = n[i + 1] + np.cross(steps[i], f[i + 1]) + np.cross(steps[i] + centres[i], F[i]) + M[i]
        tau[i] = (n if arm.kinds[i] == "revolute" else f)[i] @ T[i][:3, 2]
    return Loads(tau, f[:-1], n[:-1])


def table_2(arm: Arm, q: Array, qd: Array, qdd: Array, vdot_0: Array) -> Array:
    """tau by Newton-Euler in link frames; the backward equations, lost in the copy, as in Table 1."""
    A = [arm.A(i, q[i]) for i in range(arm.n)]
    omega, omegad, vdot = np.zeros(3), np.zeros(3), vdot_0
    F, M = [], []
    for i, kind in enumerate(arm.kinds):
        R, step, s = A[i][:3, :3].T, A[i][:3, :3].T @ A[i][:3, 3], arm.centres[i]
        if kind == "revolute":
            omegad = R @ (omegad + Z * qdd[i] + np.cross(omega, Z * qd[i]))
            omega = R @ (omega + Z * qd[i])
            gained = np.zeros(3)
        else:
            omega, omegad = R @ omega, R @ omegad
            gained = R @ (Z * qdd[i]) + 2 * np.cross(omega, R @ (Z * qd[i]))
        vdot = np.cross(omegad, step) + np.cross(omega, np.cross(omega, step)) + R @ vdot + gained
        a = np.cross(omegad, s) + np.cross(omega, np.cross(omega, s)) + vdot
        F.append(arm.masses[i] * a)
        M.append(arm.tensors[i] @ omegad + np.cross(omega, arm.tensors[i] @ omega))
    f, moment, tau = np.zeros(3), np.zeros(3), np.zeros(arm.n)
    for i in reversed(range(arm.n)):
        R = A[i][:3, :3]
        step = R.T @ A[i][:3, 3]
        moment = moment + np.cross(step, f) + np.cross(step + arm.centres[i], F[i]) + M[i]
        f = F[i] + f
        tau[i] = (moment if arm.kinds[i] == "revolute" else f) @ (R.T @ Z)
        f, moment = R @ f, R @ moment
    return tau


# Generalized d'Alembert, section 4, turning joints only ---------------------------------------


@dataclass(frozen=True)
class Swung:
    """What (4.2)-(4.5) are made of, in the base frame."""

    z: list[Array]
    """z_0 .. z_(n-1)"""
    p: list[Array]
    """p_0 .. p_n"""
    r: list[Array]
    """Centres of mass of links 1 .. n."""

    @classmethod
    def of(cls, arm: Arm, q: Array) -> Swung:
        """At the state q."""
        T = frames(arm, q)
        centres = [(T[i + 1] @ np.append(arm.centres[i], 1))[:3] for i in range(arm.n)]
        return cls([frame[:3, 2] for frame in T], [frame[:3, 3] for frame in T], centres)

    def lever(self, i: int, s: int) -> Array:
        """z_(i-1) x (r_s - p_(i-1)), from 0."""
        return np.cross(self.z[i], self.r[s] - self.p[i])


def D_rot(arm: Arm, q: Array) -> Array:
    """(4.2), first sum: (R_s0 z_(i-1))^T I_s (R_s0 z_(j-1))."""
    T, at = frames(arm, q), Swung.of(arm, q)
    result = np.zeros((arm.n, arm.n))
    for i, j in np.ndindex(result.shape):
        for s in range(max(i, j), arm.n):
            R = T[s + 1][:3, :3].T
            result[i, j] += (R @ at.z[i]) @ arm.tensors[s] @ (R @ at.z[j])
    return result


def D_tran(arm: Arm, q: Array, *, by_steps: bool = False) -> Array:
    """(4.2), second sum: with r_s - p_(j-1), or by steps p*_k and c_s as the first line has it."""
    at = Swung.of(arm, q)
    result = np.zeros((arm.n, arm.n))
    for i, j in np.ndindex(result.shape):
        for s in range(max(i, j), arm.n):
            steps = sum((at.p[k + 1] - at.p[k] for k in range(j, s)), at.r[s] - at.p[s])
            lever = np.cross(at.z[j], steps) if by_steps else at.lever(j, s)
            result[i, j] += arm.masses[s] * lever @ at.lever(i, s)
    return result


def _rates(at: Swung, qd: Array) -> tuple[Array, Array]:
    """sum_(p<=k) thetad_p z_(p-1) and sum_(p<=k) (sum_(q<p) thetad_q z_(q-1)) x thetad_p z_(p-1), by k."""
    turning = np.cumsum([rate * z for rate, z in zip(qd, at.z, strict=False)], axis=0)
    before = np.vstack([np.zeros(3), turning[:-1]])
    return turning, np.cumsum(np.cross(before, turning - before), axis=0)


def h_tran(
    arm: Arm, q: Array, qd: Array, terms: Sequence[int] = (1, 2, 3, 4), *, copied: bool = False
) -> Array:
    """(4.3), its fourth term ending in c_s or as copied in c_s - p_(i-1); or only some of its four terms."""
    at = Swung.of(arm, q)
    turning, crossed = _rates(at, qd)
    result = np.zeros(arm.n)
    for i in range(arm.n):
        for s in range(i, arm.n):
            parts = {number: np.zeros(3) for number in (1, 2, 3, 4)}
            for k in range(s):
                step = at.p[k + 1] - at.p[k]
                parts[1] = parts[1] + np.cross(turning[k], np.cross(turning[k], step))
                parts[2] = parts[2] + np.cross(crossed[k], step)
            centre = at.r[s] - at.p[s]
            parts[3] = np.cross(turning[s], np.cross(turning[s], centre))
            parts[4] = np.cross(crossed[s], centre - at.p[i] if copied else centre)
            result[i] += arm.masses[s] * sum(parts[number] for number in terms) @ at.lever(i, s)
    return result


def h_rot(arm: Arm, q: Array, qd: Array, terms: Sequence[int] = (1, 2)) -> Array:
    """(4.4), lost in the copy and restated from what the text says of its two terms.

    z_(i-1) . sum_s (I_s sum_(p<=s) (sum_(q<p) thetad_q z_(q-1)) x thetad_p z_(p-1) + omega_s x I_s omega_s)
    """
    T, at = frames(arm, q), Swung.of(arm, q)
    turning, crossed = _rates(at, qd)
    result = np.zeros(arm.n)
    for s in range(arm.n):
        R = T[s + 1][:3, :3]
        tensor = R @ arm.tensors[s] @ R.T
        parts = {1: tensor @ crossed[s], 2: np.cross(turning[s], tensor @ turning[s])}
        for i in range(s + 1):
            result[i] += at.z[i] @ sum(parts[number] for number in terms)
    return result


def c_dalembert(arm: Arm, q: Array) -> Array:
    """(4.5)."""
    at = Swung.of(arm, q)
    return np.array(
        [
            -arm.gravity
            @ np.cross(at.z[i], sum(arm.masses[j] * (at.r[j] - at.p[i]) for j in range(i, arm.n)))
            for i in range(arm.n)
        ]
    )
