"""The vectors of the total force and moment: each against its definition, and Appendix B beside them."""

from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics.force_vectors import about_centre, about_origin
from armdyn.mechanics.kinematics import accelerations, angular_velocities, linear_velocities, poses
from armdyn.mechanics.modified_newton_euler import vectors
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from random_robots import Features, robots, states

# Sums of some ten products, and the difference of two accelerations.
RELATIVE = 1e-11

FREE = Features(coupled=False, drives=False, moving_base=False)
"""Every joint its own coordinate, so that joint k of the tree is one q."""
SEEDS = st.integers(0, 10_000)


def close(ours, reference):
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


@dataclass(frozen=True)
class Motion:
    """Links in base axes: velocity and acceleration of centres, total moments about them."""

    centre_velocity: list
    centre_acceleration: list
    moment: list


def motion(arm, q, qd, qdd) -> Motion:
    """(4) and (7) from the kinematics of the tree, without gravity."""
    links = placed(arm, q, qd, qdd)
    omega = angular_velocities(arm, links)
    rows = zip(
        arm.links,
        poses(links),
        omega,
        linear_velocities(arm, links, omega),
        accelerations(arm, links, omega, (0, 0, 0)),
        strict=True,
    )
    result = Motion([], [], [])
    for link, T, w, v, a in rows:
        R, c, inertia = np.array(T.rotation, float), *centre(link)
        result.centre_velocity.append(R @ (v + cross(w, c)))
        result.centre_acceleration.append(R @ (a.linear + np.array(a.spread, float) @ c))
        result.moment.append(R @ (inertia @ a.angular + cross(w, inertia @ w)))
    return result


def centre(link):
    """Centre of mass and tensor about it."""
    c = np.array(link.inertia.first, float) / link.inertia.mass
    about_origin = np.array(link.inertia.tensor, float)
    return c, about_origin - link.inertia.mass * (c @ c * np.eye(3) - np.outer(c, c))


def joints(arm):
    """(link, position in q) of every joint."""
    return [(i, link.coordinate.weights[0][0]) for i, link in enumerate(arm.links) if link.coordinate.weights]


def cross(a: Any, b: Any) -> Any:
    return np.cross(np.array(a, float), np.array(b, float))


def unit(n, *positions):
    return [float(k in positions) for k in range(n)]


@given(robots(FREE), SEEDS)
def test_vectors_of_accelerations(robot, seed):
    """b_ik = d v_cm,i/d thetadot_k, d_ik the moment of thetaddot_k = 1, e_ik = m_i b_ik (15)."""
    arm = tree(robot, "none", lump=False)
    q, rest = states(robot, seed, 1)[0, 0].tolist(), [0.0] * robot.n
    forces = vectors(arm, q).forces.links
    for k, position in joints(arm):
        moving = motion(arm, q, unit(robot.n, position), rest)
        starting = motion(arm, q, rest, unit(robot.n, position))
        for i, force in enumerate(forces):
            moved = k in force.b_ik
            close(force.b_ik[k] if moved else np.zeros(3), moving.centre_velocity[i])
            close(force.b_ik[k] if moved else np.zeros(3), starting.centre_acceleration[i])
            close(force.d_ik[k] if moved else np.zeros(3), starting.moment[i])
            if moved:
                close(force.e_ik[k], arm.links[i].inertia.mass * np.array(force.b_ik[k], float))


@given(robots(FREE), SEEDS)
def test_vectors_of_rates(robot, seed):
    """b_ikj and d_ikj, k <= j: acceleration and moment of thetadot_k thetadot_j = 1 (5), (9)."""
    arm = tree(robot, "none", lump=False)
    q, rest = states(robot, seed, 1)[0, 0].tolist(), [0.0] * robot.n
    forces = vectors(arm, q).forces
    alone = {k: motion(arm, q, unit(robot.n, position), rest) for k, position in joints(arm)}
    for i in range(len(arm.links)):
        b, d = forces.b_ikj(i), forces.d_ikj(i)
        for k in forces.links[i].b_ik:
            close(b[k, k], alone[k].centre_acceleration[i])
            close(d[k, k], alone[k].moment[i])
    for (k, one), (j, other) in combinations(joints(arm), 2):
        both = motion(arm, q, unit(robot.n, one, other), rest)
        for i in range(len(arm.links)):
            b, d = (found.get((k, j), np.zeros(3)) for found in (forces.b_ikj(i), forces.d_ikj(i)))
            mixed = both.centre_acceleration[i] - alone[k].centre_acceleration[i]
            close(b, mixed - alone[j].centre_acceleration[i])
            close(d, both.moment[i] - alone[k].moment[i] - alone[j].moment[i])


@given(robots(FREE), SEEDS)
def test_sums_over_rates(robot, seed):
    """e_i = m (sum b_ikj thetadot_k thetadot_j - g) (13), d_i = sum d_ikj thetadot_k thetadot_j (17)."""
    arm = tree(robot, "none", lump=False)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    forces, whole = vectors(arm, q, qd).forces, motion(arm, q, qd, [0.0] * robot.n)
    rate = {k: qd[position] for k, position in joints(arm)}
    for i, (force, link) in enumerate(zip(forces.links, arm.links, strict=True)):
        a = sum((np.array(b) * rate[k] * rate[j] for (k, j), b in forces.b_ikj(i).items()), np.zeros(3))
        n = sum((np.array(d) * rate[k] * rate[j] for (k, j), d in forces.d_ikj(i).items()), np.zeros(3))
        close(force.e_i, link.inertia.mass * (a - np.array(arm.gravity, float)))
        close(force.d_i, n)
        close(a, whole.centre_acceleration[i])
        close(n, whole.moment[i])


@given(robots(FREE), SEEDS)
def test_moments_about_the_origin(robot, seed):
    """About another point the forces stay, and a moment changes by the force on its arm."""
    arm = tree(robot, "none", lump=False)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    here, there = (vectors(arm, q, qd, about=about).forces.links for about in (about_centre, about_origin))
    for centre_force, origin_force in zip(here, there, strict=True):
        arm_to_centre = np.array(centre_force.l_i, float)
        close(origin_force.l_i, np.zeros(3))
        close(origin_force.e_i, centre_force.e_i)
        close(origin_force.d_i, centre_force.d_i + cross(arm_to_centre, centre_force.e_i))
        for k, e in centre_force.e_ik.items():
            close(origin_force.e_ik[k], e)
            close(origin_force.d_ik[k], centre_force.d_ik[k] + cross(arm_to_centre, e))


# Lola 15 [Kvrgic2020] Appendix B ---------------------------------------------------------------

WRONG = {
    *("b11", "b212", "b222", "b646", "d616", "d646"),
    *(f"b{i}{kj}" for i in (3, 4, 5, 6) for kj in ("3", "22", "23", "33")),
    *(f"b{i}{kj}" for i in (4, 5, 6) for kj in ("24", "34")),
    *(f"d{i}{kj}" for i in (4, 5, 6) for kj in ("24", "34", "44")),
}
"""Of what Appendix B defines. b656 has a term too many, which is zero while r_6 is along axis 6."""


class AppendixB:
    """(B.2)-(B.13) as printed, at a posture; r_i and I_i are those of the tree, z up to the sign of q4."""

    def __init__(self, q, r, tensors):
        # (A.1) turns joint 4 by -q4
        s1, s2, s4, s5 = (np.sin(x) for x in (q[0], q[1], -q[3], q[4]))
        c1, c2, c4, c5 = (np.cos(x) for x in (q[0], q[1], q[3], q[4]))
        s23, c23 = np.sin(q[1] + q[2]), np.cos(q[1] + q[2])
        a1, a2, a3, d4 = 0.2, 0.6, 0.115, 0.825
        self.s1, self.c1, self.s23, self.c23, self.c4 = s1, c1, s23, c23, c4
        self.v1, self.v2, self.v3, self.v4 = c1 * s23, c1 * c23, s1 * s23, s1 * c23
        self.v9 = -s1 * s2
        self.v12, self.v13, self.v14 = c23 * a3 + s23 * d4, s2 * a2, c2 * a2
        self.v5, self.v31 = a1 - self.v13, d4 * c23 - s23 * a3
        self.X6, self.Y6 = c1 * (self.v5 + self.v31), s1 * (self.v5 + self.v31)
        self.v16, self.v18, self.v20 = s1 * c4 - self.v1 * s4, -self.v3 * s4 - c1 * c4, c23 * s4
        v15, v17, v19 = -self.v1 * c4 - s1 * s4, c1 * s4 - self.v3 * c4, c23 * c4
        self.ax, self.ay = v15 * s5 + self.v2 * c5, v17 * s5 + self.v4 * c5
        self.az = v19 * s5 + s23 * c5
        self.a1, self.a2, self.r, self.tensors = a1, a2, r, tensors

    def printed(self) -> dict[str, np.ndarray]:
        found = {**self.b_of_1_and_2(), "d11": (0, 0, self.tensors[0][2][2]), **self.d_base(2)}
        for i in (3, 4, 5, 6):
            found |= self.b_base(i) | self.d_base(i)
        for i in (4, 5, 6):
            found |= self.b_4(i) | self.d_4(i)
        for i in (5, 6):
            found |= self.b_5(i) | self.d_5(i)
        return {name: np.array(v) for name, v in (found | self.b_6() | self.d_6()).items()}

    def b_of_1_and_2(self):
        (x1, y1, _), (x, y, z) = self.r[0], self.r[1]
        v6, v7 = -z - self.v14, self.v13 - self.s1 * y - self.c1 * x
        b21 = (-self.s1 * self.v5 - y, self.c1 * self.v5 + x, 0)
        v8, v9, v10, v11 = self.v9 * self.c1 / self.s1, self.v9, 2 * z, z - self.v14
        return {
            "b11": (self.a1 * self.s1 - y1, self.a1 * self.c1 + x1, 0),
            "b21": b21,
            "b22": (self.c1 * v6, self.s1 * v6, -v7),
            "b211": (-b21[1], b21[0], 0),
            "b212": (v8 * self.a2 + self.s1 * v10, v9 * self.a2 - self.c1 * v10, 0),
            "b222": (self.c1 * v7, self.s1 * v7, v11),
        }

    def b_base(self, i):
        s1, c1, (x, y, z) = self.s1, self.c1, self.r[i - 1]
        bi2, bi4, bi8 = self.v12 + self.v14 + z, 2 * (self.v12 + z), self.v12 - z
        bi3 = self.v31 + s1 * y + c1 * x
        bi7 = self.v13 - bi3
        once = np.array((-c1 * bi3, -s1 * bi3, bi8))
        return {
            f"b{i}1": (-self.Y6 - y, self.X6 + x, 0),
            f"b{i}2": (-c1 * bi2, -s1 * bi2, bi3 - self.v13),
            f"b{i}3": (-c1 * bi4, -s1 * bi4, bi3),
            f"b{i}11": (-self.X6 - x, -self.Y6 - y, 0),
            f"b{i}13": (s1 * bi4, -c1 * bi4, 0),
            f"b{i}22": (c1 * bi7, s1 * bi7, bi8 - self.v14),
            f"b{i}23": 2 * once,
            f"b{i}33": once,
        }

    def b_4(self, i):
        s1, c1, s23, c23, (x, y, z) = self.s1, self.c1, self.s23, self.c23, self.r[i - 1]
        v2, v4, v9 = self.v2, self.v4, self.v9
        bi10, bi11, bi12 = v4 * z - s23 * y, s23 * x - v2 * z, v2 * y - v4 * x
        bi13 = self.v3 * x - self.v1 * y
        with_2 = (
            c23 * y - c1 * bi12 + v4 * v9,
            -c23 * x - s1 * bi12 - v2 * v9,
            bi13 + s1 * bi11 + c1 * bi10,
        )
        return {
            f"b{i}4": (bi10, bi11, bi12),
            f"b{i}14": (-2 * bi11, 2 * bi10, 0),
            f"b{i}24": with_2,
            f"b{i}34": with_2,
            f"b{i}44": (v4 * bi12 - s23 * bi11, s23 * bi10 - v2 * bi12, v2 * bi11 - v4 * bi10),
        }

    def b_5(self, i):
        s1, c1, s23, v2, v4, (x, y, z) = self.s1, self.c1, self.s23, self.v2, self.v4, self.r[i - 1]
        v16, v18, v20 = self.v16, self.v18, self.v20
        bi14, bi15, bi16 = v16 * y - v18 * x, v20 * x - v16 * z, v18 * z - v20 * y
        bi17 = v20 * (s1 * x - c1 * y)
        with_2 = (-2 * c1 * bi14, -2 * s1 * bi14, 2 * (bi17 - self.c4 * z))
        with_4 = np.array((v4 * bi14 - s23 * bi15, s23 * bi16 - v2 * bi14, v2 * bi15 - v4 * bi16))
        return {
            f"b{i}5": (bi16, bi15, bi14),
            f"b{i}15": (-2 * bi15, 2 * bi16, 0),
            f"b{i}25": with_2,
            f"b{i}35": with_2,
            f"b{i}45": 2 * with_4,
            f"b{i}55": (v18 * bi14 - v20 * bi15, v20 * bi16 - v16 * bi14, v16 * bi15 - v18 * bi16),
        }

    def b_6(self):
        s1, c1, s23, v2, v4, (x, y, z) = self.s1, self.c1, self.s23, self.v2, self.v4, self.r[5]
        ax, ay, az, v16, v18, v20 = self.ax, self.ay, self.az, self.v16, self.v18, self.v20
        v35, v36, v37 = ay * z - az * y, az * x - ax * z, ax * y - ay * x
        v47, v48, v49 = v4 * az - s23 * ay, s23 * ax - v2 * az, v2 * ay - v4 * ax
        v61, v62, v63 = v4 * v37 - s23 * v36, s23 * v35 - v2 * v37, v2 * v36 - v4 * v35
        v64, v65, v66 = -(v18 * ay + v20 * az) * x, -(v20 * az + v16 * ax) * y, -(v16 * ax + v18 * ay) * z
        v67, v68, v69 = ay * v37 - az * v36, az * v35 - ax * v37, ax * v36 - ay * v35
        v71, v72, v73 = (v20 * z + v18 * y) * ax, (v16 * x + v20 * z) * ay, (v18 * y + v16 * x) * az
        with_2 = (-2 * c1 * v37, -2 * s1 * v37, 2 * (s1 * v36 + c1 * v35))
        return {
            "b66": (v35, v36, v37),
            "b616": (-2 * v36, 2 * v35, 0),
            "b626": with_2,
            "b636": with_2,
            "b646": (v48 * z - v49 * y + v61, v49 * x - v47 * z + v62, v47 * y - v48 * x + v63),
            "b656": (2 * (v71 + v64) + v67, 2 * (v72 + v65) + v68, 2 * (v73 + v66) + v69),
            "b666": (v67, v68, v69),
        }

    def products(self, i):
        """Ix, Iy, Iz and Ixy, Ixz, Iyz with the document's signs (B.14)."""
        m = self.tensors[i - 1]
        return *np.diag(m), -m[0][1], -m[0][2], -m[1][2]

    def along(self, i, x, y, z):
        """I_i times a vector, by products of inertia."""
        Ix, Iy, Iz, Ixy, Ixz, Iyz = self.products(i)
        return Ix * x - Ixy * y - Ixz * z, Iy * y - Ixy * x - Iyz * z, Iz * z - Ixz * x - Iyz * y

    def d_base(self, i):
        s1, c1, (Ix, Iy, Iz, Ixy, Ixz, Iyz) = self.s1, self.c1, self.products(i)
        d1, d2, d3 = Ix * s1 + Ixy * c1, Ixy * s1 + Iy * c1, Ixz * s1 - Iyz * c1
        d4, d5, d6 = Ix + Iy - Iz, Ixz * c1 + Iyz * s1, s1 * c1 * (Ix - Iy)
        found = {
            f"d{i}1": (-Ixz, -Iyz, Iz),
            f"d{i}2": (d1, -d2, -d3),
            f"d{i}11": (Iyz, -Ixz, 0),
            f"d{i}12": (c1 * d4, s1 * d4, -2 * d5),
            f"d{i}22": (c1 * d3, s1 * d3, (c1**2 - s1**2) * Ixy + d6),
        }
        if i > 2:  # (B.10)
            found |= {f"d{i}3": found[f"d{i}2"], f"d{i}13": found[f"d{i}12"]}
            found |= {f"d{i}23": 2 * np.array(found[f"d{i}22"]), f"d{i}33": found[f"d{i}22"]}
        return found

    def d_4(self, i):
        s1, c1, s23, v2, v4 = self.s1, self.c1, self.s23, self.v2, self.v4
        Ix, Iy, Iz, Ixy, Ixz, Iyz = self.products(i)
        d1, d2, d3 = Ix * s1 + Ixy * c1, Ixy * s1 + Iy * c1, Ixz * s1 - Iyz * c1
        d4, d10 = Ix + Iy - Iz, Ixz * v4 - Iyz * v2
        d7, d8, d9 = self.along(i, v2, v4, s23)
        d11, d12, d13 = self.along(i, self.v1, self.v3, self.c23)
        b9 = s1 * self.r[i - 1][1] + c1 * self.r[i - 1][0]
        with_2 = (
            d11 + v4 * d3 + s23 * d2 - c1 * b9,
            d12 + v2 * d3 + s23 * d1 - s1 * d9,
            d13 - v4 * d1 - v2 * d2 + s1 * d8 + c1 * d7,
        )
        return {
            f"d{i}4": (d7, d8, d9),
            f"d{i}14": (2 * Iyz * s23 - v4 * d4, v2 * d4 - 2 * Ixz * s23, 2 * d10),
            f"d{i}24": with_2,
            f"d{i}34": with_2,
            f"d{i}44": (v4 * d9 + s23 * d8, s23 * d7 - v2 * d9, v2 * d8 - v4 * d7),
        }

    def d_5(self, i):
        v16, v18, v20 = self.v16, self.v18, self.v20
        Ix, Iy, Iz, _, Ixz, Iyz = self.products(i)
        d4, d14, d15, d16 = Ix + Iy - Iz, *self.along(i, v16, v18, v20)
        d17, d18, d19 = 2 * Ixz * v20, 2 * Iyz * v20, Ixz * v18 - Iyz * v16
        return {
            f"d{i}5": (d14, d15, d16),
            f"d{i}15": (d18 - v18 * d4, v16 * d4 - d17, 2 * d19),
            f"d{i}55": (v18 * d16 - v20 * d15, v20 * d14 - v16 * d16, v16 * d15 - v18 * d14),
        }

    def d_6(self):
        ax, ay, az, s23, v2, v4 = self.ax, self.ay, self.az, self.s23, self.v2, self.v4
        d2, d3, d4 = self.along(6, ax, ay, az)
        return {
            "d66": (d2, d3, d4),
            "d616": self.along(6, -ay, ax, 0),
            "d646": self.along(6, v4 * az - s23 * ay, s23 * ax - v2 * az, v2 * ay - v4 * ax),
            "d666": (d4 * ay - d3 * az, d2 * az - d4 * ax, d3 * ax - d2 * ay),
        }


def test_appendix_b():
    """Of the vectors it defines these and no others are wrong."""
    robot = ad.load("lola15")
    arm, q = tree(robot, "none"), [0.7, -0.4, 0.9, -1.1, 0.6, 0.35]
    forces, T = vectors(arm, q).forces, poses(placed(arm, q))
    axes = [
        np.array((T[link] @ T_link_body).rotation, float)
        for link, T_link_body in (arm.frames[body.name] for body in robot.bodies)
    ]
    inertias = [body.inertia for body in robot.bodies]
    r = [R @ np.array(inertia.com, float) for R, inertia in zip(axes, inertias, strict=True)]
    tensors = [R @ np.array(inertia.tensor, float) @ R.T for R, inertia in zip(axes, inertias, strict=True)]
    differing = set()
    for name, printed in AppendixB(q, r, tensors).printed().items():
        letter, i, *joint = name
        key = tuple(int(k) - 1 for k in joint)
        force = forces.links[int(i) - 1]
        of_acceleration = {"b": force.b_ik, "d": force.d_ik}[letter]
        of_rates = {"b": forces.b_ikj, "d": forces.d_ikj}[letter](int(i) - 1)
        ours = np.array(of_acceleration[key[0]] if len(key) == 1 else of_rates[key[0], key[1]], float)
        if np.abs(ours - printed).max() > 1e-9:
            differing.add(name)
    assert differing == WRONG
