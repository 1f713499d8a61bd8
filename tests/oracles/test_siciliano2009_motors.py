"""[Siciliano2009] 7.21-7.39, 7.52-7.92 with motors, written down anew with NumPy, beside motors="augmented".

The document's arm is a chain, its motor i stands on link i-1 and turns by k_ri q_i.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from actuated_robots import agree, expected, gyroscope, of_tree
from armdyn.mechanics.lagrangian.coefficients import Coefficients
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE, Coupling, Drive, Robot, Rotor
from armdyn.spatial import Moments, Transform
from armdyn.spatial.rotation import from_axis_angle
from random_robots import Features, robots, states

ROUNDING = 1e-12
SPINNING: list[MotorModel] = ["augmented", "exact"]
"""Both keep every spin term of a body of revolution: they are one model, computed in two ways."""
CHAINS = Features(branched=False, coupled=False, fixed=False, drives=False, moving_base=False)
seeds = st.integers(0, 10_000)
ARMS = ["planar2", "planar3", "pendulum", "cartesian2", "cartesian2_45", "planar_pr"]
models = pytest.mark.parametrize("motors", SPINNING)


def with_motors(robot: Robot, seed: int) -> Robot:
    """The chain with motor i on link i-1, anywhere on it and at any angle."""
    rng = np.random.default_rng(seed)
    carriers = [BASE, *robot.body_names]

    def drive(i: int, joint: str) -> Drive:
        axis, place = tuple(rng.normal(size=3).tolist()), tuple(rng.uniform(-0.4, 0.4, 3).tolist())
        placement = Transform(from_axis_angle(axis, float(rng.uniform(-3, 3))), place)
        axial, ratio = float(rng.uniform(0.001, 0.02)), float(rng.uniform(20, 120))
        rotor = Rotor(axial, 0.8 * axial, float(rng.uniform(0.2, 3.0)), carriers[i], placement)
        return Drive(f"m{i + 1}", joint, Coupling.of({joint: ratio}), rotor)

    return replace(robot, drives=tuple(drive(i, joint) for i, joint in enumerate(robot.joint_names)))


def motorised() -> st.SearchStrategy[Robot]:
    return st.builds(with_motors, robots(CHAINS), seeds)


# The document's sums --------------------------------------------------------------------------


def rotation(axis: np.ndarray, angle: Any) -> np.ndarray:
    """Rodrigues' formula; the angle may be complex."""
    x, y, z = axis / np.linalg.norm(axis)
    S = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * S + (1 - np.cos(angle)) * (S @ S)


@dataclass(frozen=True)
class Chain:
    """The kinematics that the sums need, at a q that may be complex."""

    robot: Robot
    q: Any

    @cached_property
    def frames(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """R and p of the base and of every body's own frame."""
        return self._walk[0]

    @cached_property
    def axes(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """z_(j-1), and a point p_(j-1) on it, of every joint."""
        return self._walk[1]

    @cached_property
    def _walk(self) -> tuple[list, list]:
        frames: list[tuple[np.ndarray, np.ndarray]] = [(np.eye(3), np.zeros(3))]
        axes: list[tuple[np.ndarray, np.ndarray]] = []
        for body, value in zip(self.robot.bodies, self.q, strict=True):
            joint = body.joint
            R, p = _on(frames[-1], joint.placement)
            axis = np.array(joint.axis, dtype=float)
            z = R @ axis / np.linalg.norm(axis)
            axes.append((z, p))
            if joint.kind == "revolute":
                R = R @ rotation(axis, value + joint.offset)
            else:
                p = p + (value + joint.offset) * z
            frames.append(_on((R, p), joint.frame))
        return frames, axes

    def J_P(self, point: np.ndarray, joints: int) -> np.ndarray:
        """(7.16), (7.18) and (7.25), (7.26): columns z_(j-1), or z_(j-1) x (p - p_(j-1))."""
        J = np.zeros((3, self.robot.n), dtype=complex)
        for j, (z, p) in enumerate(self.axes[:joints]):
            revolute = self.robot.bodies[j].joint.kind == "revolute"
            J[:, j] = np.cross(z, point - p) if revolute else z
        return J

    def J_O(self, joints: int) -> np.ndarray:
        """(7.17), (7.19): columns 0, or z_(j-1)."""
        J = np.zeros((3, self.robot.n), dtype=complex)
        for j, (z, _) in enumerate(self.axes[:joints]):
            if self.robot.bodies[j].joint.kind == "revolute":
                J[:, j] = z
        return J


def _on(frame: tuple[np.ndarray, np.ndarray], place: Transform) -> tuple[np.ndarray, np.ndarray]:
    R, p = frame
    return R @ np.array(place.rotation, dtype=float), p + R @ np.array(place.translation, dtype=float)


def bodies_of(robot: Robot, q: Any) -> list[tuple[float, np.ndarray, np.ndarray, np.ndarray]]:
    """(m, J_P, J_O, I in base axes) of all links, payloads and rotors."""
    chain = Chain(robot, q)
    rows: list[tuple[float, np.ndarray, np.ndarray, np.ndarray]] = []
    held = {p.body: p.inertia for p in robot.payloads}
    for i, body in enumerate(robot.bodies, 1):
        R, p = chain.frames[i]
        for inertia in (body.inertia, held.get(body.name)):
            if inertia is not None:
                tensor = R @ np.array(inertia.tensor, dtype=float) @ R.T  # (7.12)
                com = p + R @ np.array(inertia.com, dtype=float)
                rows.append((inertia.mass, chain.J_P(com, i), chain.J_O(i), tensor))
    for i, drive in enumerate(robot.drives):
        rotor = drive.rotor
        assert rotor is not None
        assert rotor.placement is not None
        assert rotor.transverse is not None
        assert rotor.mass is not None
        R, p = _on(chain.frames[i], rotor.placement)
        J_O = chain.J_O(i)
        J_O[:, i] = dict(drive.coupling.weights)[drive.joint] * R[:, 2]  # (7.29): k_ri z_mi
        tensor = R @ np.diag([rotor.transverse, rotor.transverse, rotor.axial]) @ R.T  # (7.66)
        rows.append((rotor.mass, chain.J_P(p, i), J_O, tensor))
    return rows


def B(robot: Robot, q: Any) -> np.ndarray:
    """(7.32): sum m J_P^T J_P + J_O^T R I R^T J_O, over links and rotors."""
    rows = bodies_of(robot, q)
    return np.sum([m * J_P.T @ J_P + J_O.T @ tensor @ J_O for m, J_P, J_O, tensor in rows], axis=0)


def documents(robot: Robot, q: list[float]) -> Coefficients:
    """g of (7.39), B of (7.32), and Christoffel's symbols of it (7.45), derived by complex steps."""
    at, step = np.array(q), 1e-30
    slope = np.stack([np.imag(B(robot, at + 1j * step * e)) / step for e in np.eye(robot.n)], axis=-1)
    # (7.45) with its second term d b_ik/d q_j
    c = 0.5 * (slope + np.swapaxes(slope, 1, 2) - np.moveaxis(slope, 2, 0))
    g0 = np.array(robot.gravity, dtype=float)
    gravity = -np.sum([m * np.real(g0 @ J_P) for m, J_P, _, _ in bodies_of(robot, at)], axis=0)
    return Coefficients(gravity.tolist(), np.real(B(robot, at)).tolist(), c.tolist())


@models
@given(robot=motorised(), seed=seeds)
def test_the_documents_sums_with_motors(motors: MotorModel, robot: Robot, seed: int) -> None:
    """(7.32), (7.39), (7.40) on chains of any joints, motors at any angle."""
    for q in states(robot, seed, 2)[0].tolist():
        agree(expected(robot, q, motors), documents(robot, q))


@models
@pytest.mark.parametrize(
    "name", ["planar2", "planar3", "pendulum", "cartesian2", "cartesian2_45", "planar_pr"]
)
def test_the_documents_sums_on_its_arms(motors: MotorModel, name: str) -> None:
    robot = ad.load(name)
    drives = tuple(
        replace(d, rotor=replace(d.rotor, transverse=d.rotor.axial)) for d in robot.drives if d.rotor
    )
    robot = replace(robot, drives=drives)
    for q in states(robot, 1)[0].tolist():
        agree(expected(robot, q, motors), documents(robot, q))


def test_a_gyroscopic_rotor_is_in_the_documents_sums() -> None:
    """Their Christoffel symbols have what K^T I K has not."""
    robot, q = with_motors(gyroscope(), 5), [0.3, -0.7, 0.5]
    sums = documents(robot, q)
    agree(expected(robot, q, "augmented"), sums)
    lacking = np.array(expected(robot, q, "coupled").velocity) - np.array(sums.velocity)
    assert np.abs(lacking).max() > 0.1


# (7.82): the planar arm with motors -----------------------------------------------------------

A1, L1, L2, M1, M2, I1, I2 = 1.1, 0.4, 0.6, 40.0, 30.0, 7.0, 5.0
K1, K2, IM1, IM2, MM1, MM2, G = 90.0, 110.0, 0.012, 0.008, 6.0, 4.0, 9.81


def planar_arm() -> Robot:
    """planar2's structure with other, unequal values; a_2 = 1."""
    robot = ad.load("planar2")
    bodies = [
        replace(
            body,
            joint=replace(body.joint, frame=Transform(translation=(a, 0.0, 0.0))),
            inertia=replace(body.inertia, mass=m, com=(length - a, 0.0, 0.0), tensor=_about_z(moment)),
        )
        for body, a, length, m, moment in zip(
            robot.bodies, (A1, 1.0), (L1, L2), (M1, M2), (I1, I2), strict=True
        )
    ]
    drives = [
        replace(
            drive,
            coupling=Coupling.of({drive.joint: k}),
            rotor=replace(drive.rotor, axial=inertia, mass=mass),  # pyright: ignore[reportArgumentType]
        )
        for drive, k, inertia, mass in zip(robot.drives, (K1, K2), (IM1, IM2), (MM1, MM2), strict=True)
    ]
    return replace(robot, bodies=tuple(bodies), drives=tuple(drives))


def _about_z(moment: float) -> Any:
    return ((0.0, 0.0, 0.0), (0.0, moment, 0.0), (0.0, 0.0, moment))


def printed_torques(q: Any, qd: Any, qdd: Any) -> list[float]:
    """(7.82)."""
    c1, c2, s2, c12 = np.cos(q[0]), np.cos(q[1]), np.sin(q[1]), np.cos(q[0] + q[1])
    b12 = I2 + M2 * (L2**2 + A1 * L2 * c2) + K2 * IM2
    first = I1 + M1 * L1**2 + K1**2 * IM1 + I2 + M2 * (A1**2 + L2**2 + 2 * A1 * L2 * c2) + IM2 + MM2 * A1**2
    h = M2 * A1 * L2 * s2
    return [
        first * qdd[0]
        + b12 * qdd[1]
        - 2 * h * qd[0] * qd[1]
        - h * qd[1] ** 2
        + (M1 * L1 + MM2 * A1 + M2 * A1) * G * c1
        + M2 * L2 * G * c12,
        b12 * qdd[0] + (I2 + M2 * L2**2 + K2**2 * IM2) * qdd[1] + h * qd[0] ** 2 + M2 * L2 * G * c12,
    ]


@models
def test_the_planar_arms_equations(motors: MotorModel) -> None:
    dyn = ad.Dynamics(planar_arm(), motors, friction=False)
    for q, qd, qdd in np.swapaxes(states(planar_arm(), 2), 0, 1):
        np.testing.assert_allclose(dyn.inverse(q, qd, qdd), printed_torques(q, qd, qdd), rtol=ROUNDING)


def test_the_coupled_model_lacks_the_off_diagonal_rotor() -> None:
    """The document: with high ratios k_r2 I_m2 could be neglected, k_ri^2 I_mi stays on the diagonal."""
    H = [ad.Dynamics(planar_arm(), motors).mass_matrix([0.3, 0.8]) for motors in ("augmented", "coupled")]
    np.testing.assert_allclose(H[0] - H[1], [[0.0, K2 * IM2], [K2 * IM2, 0.0]], atol=1e-10)


# (7.52)-(7.83): augmented links ---------------------------------------------------------------


def augmented_link(robot: Robot, link: int) -> Moments:
    """Link i with rotor i+1 standing still on it, in the frame of the body."""
    built = tree(robot, "augmented")
    total = built.links[link].inertia
    for rotor in built.links:
        if rotor.parent == link and not rotor.driven:
            total = total + rotor.inertia.seen_from(Transform(rotor.rotation, rotor.position))
    _, T_link_body = built.frames[robot.bodies[link].name]
    return total.seen_from(T_link_body.inverse())


def test_parameters_of_the_augmented_links() -> None:
    """(7.83): pi_1 .. pi_8, where a_2 = 1."""
    robot = planar_arm()
    first, second = augmented_link(robot, 0), augmented_link(robot, 1)
    spins = [link.inertia.tensor[2][2] for link in tree(robot, "augmented").links if not link.driven]
    parameters = [
        first.mass,
        first.first[0],
        first.tensor[2][2],
        spins[0],
        second.mass,
        second.first[0],
        second.tensor[2][2],
        spins[1],
    ]
    printed = [
        M1 + MM2,
        M1 * (L1 - A1),
        I1 + M1 * (L1 - A1) ** 2 + IM2,
        IM1,
        M2,
        M2 * (L2 - 1.0),
        I2 + M2 * (L2 - 1.0) ** 2,
        IM2,
    ]
    np.testing.assert_allclose(np.array(parameters, dtype=float), printed, rtol=ROUNDING)


@given(motorised())
def test_the_augmented_links_are_those_of_the_coupled_model(robot):
    """(7.64), first two terms: the rotor standing still on its link."""
    built = tree(robot, "coupled")
    for i in range(len(robot.bodies)):
        _, T_link_body = built.frames[robot.bodies[i].name]
        riding = built.links[i].inertia.seen_from(T_link_body.inverse())
        ours = augmented_link(robot, i)
        np.testing.assert_allclose(ours.mass, riding.mass)
        for mine, theirs in ((ours.first, riding.first), (ours.tensor, riding.tensor)):
            np.testing.assert_allclose(np.array(mine, float), np.array(theirs, float), atol=1e-10)


@given(motorised(), seeds)
def test_the_rotors_own_motion_is_the_rest_of_the_energy(robot, seed):
    """(7.68): sum k qd I_m z_m . omega + 1/2 k^2 qd^2 I_m beside the augmented links."""
    q, qd, _ = states(robot, seed, 1)[:, 0]
    chain, own = Chain(robot, q), 0.0
    for i, drive in enumerate(robot.drives):
        assert drive.rotor is not None
        assert drive.rotor.placement is not None
        z = _on(chain.frames[i], drive.rotor.placement)[0][:, 2]
        omega = (chain.J_O(i) @ qd).real
        rate = dict(drive.coupling.weights)[drive.joint] * qd[i]
        own += rate * drive.rotor.axial * (z @ omega) + 0.5 * rate**2 * drive.rotor.axial
    still = of_tree(replace(tree(robot, "coupled"), spins=()), q)
    links = 0.5 * qd @ np.array(still.inertia, dtype=float) @ qd
    augmented = 0.5 * qd @ np.array(expected(robot, q, "augmented").inertia, dtype=float) @ qd
    assert links + own == pytest.approx(augmented, rel=1e-10)


# (7.92): the rotor's own torque ---------------------------------------------------------------


@models
@given(robot=motorised(), seed=seeds)
def test_the_rotors_torque_at_its_joint(motors: MotorModel, robot: Robot, seed: int) -> None:
    """tau_i = mu_i . z_(i-1) + k_ri I_mi omegadot_mi . z_mi: what the joint bears, what the drive keeps."""
    q, qd, qdd = states(robot, seed, 1)[:, 0]
    loads = inverse_dynamics(tree(robot, motors), q.tolist(), qd.tolist(), qdd.tolist())
    step = 1e-30
    still, later = Chain(robot, q), Chain(robot, q + 1j * step * qd)
    spin: list[float] = []
    for i, drive in enumerate(robot.drives):
        assert drive.rotor is not None
        assert drive.rotor.placement is not None
        z = _on(still.frames[i], drive.rotor.placement)[0][:, 2]
        # omegadot_(i-1) = J_O qdd + d J_O/dt qd; the turning of z_mi is at a right angle to it
        carrier = np.real(still.J_O(i) @ qdd) + np.imag(later.J_O(i) @ qd) / step
        k = dict(drive.coupling.weights)[drive.joint]
        spin.append(k * drive.rotor.axial * float(np.real(carrier @ z) + k * qdd[i]))
    size = max(1.0, float(np.abs(loads.torque).max()))
    np.testing.assert_allclose(loads.drive, spin, rtol=0, atol=1e-10 * size)
    whole = documents(robot, q.tolist()).forces(qd.tolist(), qdd.tolist())
    np.testing.assert_allclose(loads.joint, np.array(whole) - spin, rtol=0, atol=1e-10 * size)
