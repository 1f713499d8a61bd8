"""(7.107)-(7.114) of [Siciliano2009] as printed, in NumPy, for chains whose motor i stands on link i-1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from milicevic2007_print import Arm
from siciliano2009_arms import Planar

from armdyn.robot import BASE, Coupling, Drive, Robot, Rotor
from armdyn.robot.joint import JointKind
from armdyn.spatial import Transform
from armdyn.spatial.rotation import from_axis_angle
from armdyn.spatial.vector import matrix, vector

Array = np.ndarray
Z = np.array([0.0, 0.0, 1.0])
TRANSVERSE = 0.8
"""A rotor's moment of inertia across its axis, over that about it."""
KINDS: tuple[tuple[JointKind, ...], ...] = (
    ("revolute", "prismatic", "revolute"),
    ("revolute", "revolute"),
    ("prismatic", "revolute", "revolute", "prismatic"),
    ("revolute", "revolute", "revolute", "revolute", "revolute", "revolute"),
)


@dataclass(frozen=True)
class Motors:
    """Of every joint, each in the frame of the link before it."""

    k_r: Array
    I_m: Array
    m_m: Array
    places: Array
    rotations: Array

    @classmethod
    def in_axes(cls, k_r: Sequence[float], I_m: Sequence[float], m_m: Sequence[float]) -> Motors:
        """On the joint axes, at the origins of the frames."""
        n = len(k_r)
        still = np.tile(np.eye(3), (n, 1, 1))
        return cls(np.array(k_r), np.array(I_m), np.array(m_m), np.zeros((n, 3)), still)

    @classmethod
    def random(cls, n: int, rng: np.random.Generator) -> Motors:
        """Anywhere on their links, at any angle."""
        axes, angles = rng.normal(size=(n, 3)), rng.uniform(-3, 3, n)
        turned = [from_axis_angle(vector(a.tolist()), float(x)) for a, x in zip(axes, angles, strict=True)]
        return cls(
            rng.uniform(20, 120, n),
            rng.uniform(0.001, 0.02, n),
            rng.uniform(0.2, 3.0, n),
            rng.uniform(-0.4, 0.4, (n, 3)),
            np.array(turned, dtype=float),
        )

    def tensor(self, i: int) -> Array:
        """(7.66), about the rotor's centre in the axes of the link it stands on."""
        across = TRANSVERSE * self.I_m[i]
        R = self.rotations[i]
        return R @ np.diag([across, across, self.I_m[i]]) @ R.T

    def on(self, robot: Robot) -> Robot:
        """The robot with these motors."""
        drives = []
        for i, (joint, carrier) in enumerate(zip(robot.joint_names, (BASE, *robot.body_names), strict=False)):
            place = Transform(matrix(self.rotations[i].tolist()), vector(self.places[i].tolist()))
            I_m, mass = float(self.I_m[i]), float(self.m_m[i])
            rotor = Rotor(I_m, TRANSVERSE * I_m, mass, carrier, place)
            drives.append(Drive(f"m{i + 1}", joint, Coupling.of({joint: float(self.k_r[i])}), rotor))
        return replace(robot, drives=tuple(drives))


@dataclass(frozen=True)
class Chain:
    """A chain of standard DH rows with its motors."""

    arm: Arm
    motors: Motors

    def augmented(self, i: int) -> tuple[float, Array, Array]:
        """m_i, r_i,Ci and Ibar_i of link i and rotor i+1 standing on it, in frame i."""
        m, c, tensor = self.arm.masses[i], self.arm.centres[i], self.arm.tensors[i]
        if i + 1 == self.arm.n:
            return m, c, tensor
        rotor, place = self.motors.m_m[i + 1], self.motors.places[i + 1]
        centre = (m * c + rotor * place) / (m + rotor)  # (7.65)
        about = tensor + _steiner(m, c - centre) + self.motors.tensor(i + 1) + _steiner(rotor, place - centre)
        return m + rotor, centre, about

    def robot(self) -> Robot:
        """The same as a robot of armdyn's."""
        return self.motors.on(self.arm.robot())


def _steiner(mass: float, r: Array) -> Array:
    """m S^T(r) S(r), (7.60) and (7.63)."""
    return mass * (r @ r * np.eye(3) - np.outer(r, r))


def planar_chain(p: Planar, gravity: float) -> Chain:
    """The planar arm, its motors in the joint axes."""
    lengths = np.array([p.a1, p.a2])
    centres = np.zeros((2, 3))
    centres[:, 0] = np.array([p.l1, p.l2]) - lengths
    tensors = np.array([np.diag([0.0, moment, moment]) for moment in (p.I_l1, p.I_l2)])
    masses, none = np.array([p.m_l1, p.m_l2]), np.zeros(2)
    arm = Arm(
        ("revolute", "revolute"),
        none,
        lengths,
        none,
        masses,
        centres,
        tensors,
        np.array([0.0, -gravity, 0.0]),
    )
    return Chain(arm, Motors.in_axes((p.k_r1, p.k_r2), (p.I_m1, p.I_m2), (p.m_m1, p.m_m2)))


def chains() -> list[Chain]:
    """Two of every kind, the same on every machine."""
    rng = np.random.default_rng(7)
    return [
        Chain(Arm.random(kinds, rng), Motors.random(len(kinds), rng)) for kinds in KINDS for _ in range(2)
    ]


def torques(chain: Chain, q: Array, qd: Array, qdd: Array, *, gyroscopic: int = 1) -> Array:
    """(7.107)-(7.114), without friction and contact; (7.113) prints the gyroscopic term twice."""
    arm, motors, n = chain.arm, chain.motors, chain.arm.n
    omega, alpha, linear = np.zeros(3), np.zeros(3), -arm.gravity
    links: list[tuple[Array, Array, Array, Array, Array, Array]] = []
    spins: list[float] = []
    for i in range(n):
        A = arm.A(i, q[i])
        R = A[:3, :3]
        z_m, k = motors.rotations[i][:, 2], motors.k_r[i]
        # (7.111): omegadot_m = omegadot_(i-1) + k_r qdd z_m + k_r qd omega_(i-1) x z_m
        rotor = alpha + k * qdd[i] * z_m + k * qd[i] * np.cross(omega, z_m)
        spins.append(k * motors.I_m[i] * float(rotor @ z_m))
        r = R.T @ A[:3, 3]  # r_(i-1,i) in frame i
        if arm.kinds[i] == "revolute":  # (7.107), (7.108)
            alpha = R.T @ (alpha + qdd[i] * Z + qd[i] * np.cross(omega, Z))
            omega = R.T @ (omega + qd[i] * Z)
            linear = R.T @ linear
        else:
            omega, alpha = R.T @ omega, R.T @ alpha
            linear = R.T @ (linear + qdd[i] * Z) + 2 * qd[i] * np.cross(omega, R.T @ Z)
        linear = linear + _swing(omega, alpha, r)  # (7.109)
        _, centre, _ = chain.augmented(i)
        links.append((R, r, omega, alpha, linear + _swing(omega, alpha, centre), R.T @ Z))  # (7.110)
    return _inward(chain, links, spins, qd, qdd, gyroscopic)


def _swing(omega: Array, alpha: Array, r: Array) -> Array:
    return np.cross(alpha, r) + np.cross(omega, np.cross(omega, r))


def _inward(
    chain: Chain,
    links: list[tuple[Array, Array, Array, Array, Array, Array]],
    spins: list[float],
    qd: Array,
    qdd: Array,
    gyroscopic: int,
) -> Array:
    """(7.112)-(7.114)."""
    motors, n = chain.motors, chain.arm.n
    f, mu = np.zeros(3), np.zeros(3)
    tau = np.zeros(n)
    for i in range(n - 1, -1, -1):
        _, r, omega, alpha, a_C, z = links[i]
        m, centre, inertia = chain.augmented(i)
        f_next, mu_next = (links[i + 1][0] @ f, links[i + 1][0] @ mu) if i + 1 < n else (f, mu)
        f = f_next + m * a_C
        mu = -np.cross(f, r + centre) + mu_next + np.cross(f_next, centre) + inertia @ alpha
        mu = mu + gyroscopic * np.cross(omega, inertia @ omega)
        if i + 1 < n:
            z_m, kI = motors.rotations[i + 1][:, 2], motors.k_r[i + 1] * motors.I_m[i + 1]
            mu = mu + kI * qdd[i + 1] * z_m + kI * qd[i + 1] * np.cross(omega, z_m)
        tau[i] = (mu if chain.arm.kinds[i] == "revolute" else f) @ z + spins[i]
    return tau
