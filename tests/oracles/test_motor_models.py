"""Motor models beside Pinocchio, by formula and by hand; what stands on a moving base."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics.tree.motors import MotorModel
from armdyn.robot import BASE, BaseMotion, Body, Coupling, Drive, Friction, Joint, Robot, Rotor, ScrewTriangle
from armdyn.spatial import Inertia, Transform
from armdyn.spatial.rotation import from_rpy
from armdyn.spatial.vector import diagonal
from pinocchio_model import ProjectedTree, pin
from random_robots import Features, robots, states

RELATIVE = 1e-9
"""Two independent recursions in double precision on up to 6 bodies and 12 rotors."""

ROUNDING = 1e-12
"""Relative: a few lines of arithmetic, done twice."""

SMOOTH = Friction()
STILL = BaseMotion()
seeds = st.integers(0, 10_000)


def close(ours: Any, theirs: Any, tolerance: float = RELATIVE) -> None:
    """Equal relative to the largest expected value (at least 1)."""
    size = max(1.0, float(np.abs(theirs).max()))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=tolerance * size)


def rotors_of(drive: Drive) -> list[tuple[Rotor, float]]:
    """Every rotor of a drive, and how often it turns per turn of the motor."""
    motor = [(drive.rotor, 1.0)] if drive.rotor is not None else []
    return motor + [(stage.rotor, stage.ratio) for stage in drive.stages]


# Reflected: what other tools call armature ----------------------------------------------------


def armature(robot: Robot) -> list[float]:
    """k^2 I of every joint's own drives."""
    added = dict.fromkeys(robot.joint_names, 0.0)
    for drive in robot.drives:
        k = dict(drive.coupling.weights)[drive.joint]
        added[drive.joint] += sum(rotor.axial * (ratio * k) ** 2 for rotor, ratio in rotors_of(drive))
    return list(added.values())


CHAINS = Features(branched=False, coupled=False, nonlinear=False)


@given(robots(CHAINS).filter(lambda r: r.drives), seeds)
def test_reflected_rotors_are_pinocchios_armature(robot, seed):
    oracle = ProjectedTree(robot, rotors=False)
    oracle.let_rotors_ride()
    oracle.model.armature[6:] = armature(robot)  # after the base's six, a chain's coordinates are its joints
    dyn = ad.Dynamics(robot, "reflected")
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1):
        full_q, full_v, full_a, _ = oracle.full_motion(q, qd, qdd)
        upper = np.triu(pin.crba(oracle.model, oracle.data, full_q)[6:, 6:])
        close(dyn.mass_matrix(q), upper + np.triu(upper, 1).T)
        # Pinocchio 4 counts the armature in rnea, too
        close(dyn.inverse(q, qd, qdd), pin.rnea(oracle.model, oracle.data, full_q, full_v, full_a)[6:])


# Coupled: K^T I K -----------------------------------------------------------------------------


def test_lola15_coupled_motors_add_their_gears_times_inertia_times_gears() -> None:
    robot = ad.load("lola15")
    links = ad.Dynamics(robot, "none")
    coupled = ad.Dynamics(robot, "coupled", friction=False)
    q, qd, qdd = states(robot, 1)
    K = coupled.gear_matrix(robot.home)
    added = K.T @ np.diag([rotor.axial for drive in robot.drives for rotor, _ in rotors_of(drive)]) @ K
    close(coupled.mass_matrix(q), links.mass_matrix(q) + added, ROUNDING)
    close(coupled.inverse(q, qd, qdd), links.inverse(q, qd, qdd) + qdd @ added, ROUNDING)
    energy = 0.5 * np.einsum("bi,ij,bj->b", qd, added, qd)
    close(coupled.kinetic_energy(q, qd), links.kinetic_energy(q, qd) + energy, ROUNDING)


@given(robots(Features(moving_base=False)).filter(lambda r: r.drives), seeds)
def test_coupled_rotors_ride_and_add_their_spin(robot, seed):
    """Rotors and gear wheels, linear and ball screw."""
    oracle = ProjectedTree(robot, rotors=False)
    oracle.let_rotors_ride()
    dyn = ad.Dynamics(robot, "coupled")
    inertia = [sum(r.axial * ratio**2 for r, ratio in rotors_of(drive)) for drive in robot.drives]
    for q in states(robot, seed)[0]:
        K = dyn.gear_matrix(q)
        close(dyn.mass_matrix(q), oracle.mass_matrix(q) + K.T @ np.diag(inertia) @ K)


# Reflected is not coupled ---------------------------------------------------------------------


def planar_arm(drives: tuple[Drive, ...], friction: Friction = SMOOTH, joints: int = 2) -> Robot:
    """Links of 0.5 m one on another, turning about z under gravity along -y."""
    inertia = Inertia(2.0, (0.25, 0.0, 0.0), diagonal(0.05, 0.1, 0.1))
    bodies = tuple(
        Body(
            f"b{k}",
            Joint(f"j{k}", placement=Transform(translation=(0.5 if k else 0.0, 0.0, 0.0)), friction=friction),
            f"b{k - 1}" if k else BASE,
            inertia,
        )
        for k in range(joints)
    )
    return Robot("arm", bodies, drives, gravity=(0.0, -9.81, 0.0))


COUPLED_GEARS = (
    Drive("m0", "j0", Coupling.of({"j0": 50.0}), Rotor(0.002)),
    Drive("m1", "j1", Coupling.of({"j0": 4.0, "j1": 60.0}), Rotor(0.001)),
)
ADDED: dict[MotorModel, np.ndarray] = {
    "reflected": np.diag([50.0**2 * 0.002, 60.0**2 * 0.001]),
    "coupled": np.array(
        [[50.0**2 * 0.002 + 4.0**2 * 0.001, 4.0 * 60.0 * 0.001], [4.0 * 60.0 * 0.001, 60.0**2 * 0.001]]
    ),
}
"""What the rotors add to H: each drive k^2 I at its own joint, or K^T I K."""


@pytest.mark.parametrize("motors", ADDED)
def test_reflected_and_coupled_differ_by_the_gears_coupling(motors: MotorModel) -> None:
    robot, added = planar_arm(COUPLED_GEARS), ADDED[motors]
    links, dyn = ad.Dynamics(robot, "none"), ad.Dynamics(robot, motors)
    q, qd, qdd = [0.3, -0.8], np.array([0.9, -0.7]), np.array([1.1, 1.3])
    close(dyn.mass_matrix(q), links.mass_matrix(q) + added, ROUNDING)
    close(dyn.inverse(q, qd, qdd), links.inverse(q, qd, qdd) + added @ qdd, ROUNDING)
    close(dyn.kinetic_energy(q, qd), links.kinetic_energy(q, qd) + 0.5 * qd @ added @ qd, ROUNDING)


def test_a_reflected_screw_adds_its_slope_but_not_its_bend() -> None:
    """Theta = ratio sqrt(c + a cos q + b sin q): slope^2 I qdd, nothing from the slope's change."""
    screw = ScrewTriangle(0.5, 0.2, 0.1, 300.0)
    robot = planar_arm((Drive("m", "j0", Coupling.of({"j0": 1.0}, 0.0, screw), Rotor(0.001)),), joints=1)
    links, dyn = ad.Dynamics(robot, "none"), ad.Dynamics(robot, "reflected")
    q, qd, qdd = 0.7, 1.9, -0.6
    length = math.sqrt(0.5 + 0.2 * math.cos(q) + 0.1 * math.sin(q))
    added = (300.0 * (0.1 * math.cos(q) - 0.2 * math.sin(q)) / (2 * length)) ** 2 * 0.001
    close(dyn.mass_matrix([q]), links.mass_matrix([q]) + added, ROUNDING)
    close(dyn.inverse([q], [qd], [qdd]), links.inverse([q], [qd], [qdd]) + added * qdd, ROUNDING)
    close(dyn.kinetic_energy([q], [qd]), links.kinetic_energy([q], [qd]) + 0.5 * added * qd**2, ROUNDING)


# What a joint carries, and what its motor does ------------------------------------------------

WITH_ROTORS: list[MotorModel] = ["exact", "augmented", "coupled", "reflected"]
RATIO, AXIAL = 60.0, 0.001


def one_joint(drive_friction: Friction = SMOOTH) -> Robot:
    """An arm whose motor stands on the base; 20 % of what its joint carries is friction."""
    rotor = Rotor(AXIAL, 0.0006, 1.0, BASE, Transform())
    drive = Drive("m", "j0", Coupling.of({"j0": RATIO}), rotor, friction=drive_friction)
    return planar_arm((drive,), Friction(load=0.2), joints=1)


def one_joint_loads(q: float, qdd: float) -> tuple[float, float]:
    """Torques of link and rotor."""
    return (0.1 + 2.0 * 0.25**2) * qdd + 2.0 * 9.81 * 0.25 * math.cos(q), RATIO**2 * AXIAL * qdd


@pytest.mark.parametrize("motors", WITH_ROTORS)
@pytest.mark.parametrize(("qd", "qdd"), [(0.8, 1.5), (-0.8, 1.5), (0.8, -2.5), (-0.8, -2.5)])
def test_a_joints_friction_feels_the_links_and_not_the_rotor(
    motors: MotorModel, qd: float, qdd: float
) -> None:
    q = 0.4
    link, rotor = one_joint_loads(q, qdd)
    tau = link + rotor + math.copysign(0.2 * abs(link), qd)
    dyn = ad.Dynamics(one_joint(), motors)
    close(dyn.inverse([q], [qd], [qdd]), [tau], ROUNDING)
    close(dyn.forward([q], [qd], [tau]), [qdd])


@pytest.mark.parametrize("motors", WITH_ROTORS)
@pytest.mark.parametrize(("qd", "qdd"), [(0.8, 1.5), (-0.8, 1.5), (0.8, -2.5), (-0.8, -2.5)])
def test_a_motors_friction_feels_links_rotor_and_the_joints_friction(
    motors: MotorModel, qd: float, qdd: float
) -> None:
    q = 0.4
    link, rotor = one_joint_loads(q, qdd)
    carried = link + rotor + math.copysign(0.2 * abs(link), qd)
    tau = carried + math.copysign(0.1 * abs(carried), qd)
    dyn = ad.Dynamics(one_joint(Friction(load=0.1)), motors)
    close(dyn.inverse([q], [qd], [qdd]), [tau], ROUNDING)
    close(dyn.forward([q], [qd], [tau]), [qdd])


# Rotors that ride -----------------------------------------------------------------------------


@pytest.mark.parametrize("motors", WITH_ROTORS)
@pytest.mark.parametrize(("transverse", "felt"), [(None, 0.02), (0.03, 0.03)], ids=["unknown", "given"])
def test_an_unknown_transverse_inertia_is_half_the_axial(
    motors: MotorModel, transverse: float | None, felt: float
) -> None:
    """A rotor across its carrier's axis: turning the carrier turns the rotor about its own x or y."""
    across = Transform(from_rpy(0.0, math.pi / 2, 0.0), (0.3, 0.0, 0.0))
    rotor = Rotor(0.04, transverse, 5.0, "b0", across)
    robot = planar_arm((Drive("m", "j1", Coupling.of({"j1": 10.0}), rotor),))
    q = [0.3, math.pi / 2]
    added = ad.Dynamics(robot, motors).mass_matrix(q) - ad.Dynamics(robot, "none").mass_matrix(q)
    close(added, [[5.0 * 0.3**2 + felt, 0.0], [0.0, 10.0**2 * 0.04]], ROUNDING)


# What stands on the base ----------------------------------------------------------------------

MOTION = BaseMotion((0.4, -0.7, 0.2), (0.5, 0.3, -0.6), (1.5, -0.2, 0.8), (-0.9, 1.1, 0.4))
PLACE = (0.2, -0.3, 0.5)


def on_a_stand(motion: BaseMotion = STILL) -> Robot:
    """An arm beside a stand of 3 kg, fixed to the base at PLACE, its mass 0.1 m above."""
    stand = Body(
        "stand",
        Joint("foot", "fixed", placement=Transform(translation=PLACE)),
        BASE,
        Inertia(3.0, (0.0, 0.0, 0.1), diagonal(0.1, 0.2, 0.25)),
    )
    arm = Body("b0", Joint("j0"), BASE, Inertia(2.0, (0.25, 0.0, 0.0), diagonal(0.05, 0.1, 0.1)))
    return Robot("on a stand", (stand, arm), base_motion=motion)


def test_a_body_fixed_on_a_moving_base_moves_with_the_base() -> None:
    v, w, a, alpha = (np.array(x, float) for x in vars(MOTION).values())
    r = np.array(PLACE)
    velocity = [*(v + np.cross(w, r)), *w]
    acceleration = [*(a + np.cross(alpha, r) + np.cross(w, np.cross(w, r))), *alpha]
    still, moving = ad.Dynamics(on_a_stand()), ad.Dynamics(on_a_stand(MOTION))
    base = np.concatenate([v, w, a, alpha])
    close(moving.twist([0.3], [0.8], "stand"), velocity, ROUNDING)
    close(still.twist([0.3], [0.8], "stand", base=base), velocity, ROUNDING)
    close(moving.acceleration([0.3], [0.8], [1.2], "stand"), acceleration, ROUNDING)
    close(still.acceleration([0.3], [0.8], [1.2], "stand", base=base), acceleration, ROUNDING)


def test_potential_energy_counts_what_is_fixed_on_the_base() -> None:
    """The arm turns about the upright axis at height 0."""
    close(ad.Dynamics(on_a_stand()).potential_energy([0.3]), 3.0 * 9.81 * (PLACE[2] + 0.1), ROUNDING)


def test_kinetic_energy_and_momentum_count_what_is_fixed_on_a_moving_base() -> None:
    """The stand alone: the arm swings back as fast as the base carries it, about a base that only slides."""
    robot = on_a_stand(BaseMotion(velocity=(0.0, 0.6, 0.0)))
    dyn = ad.Dynamics(robot)
    q, qd = [0.0], [-0.6 / 0.25]
    spinning = 0.1 * qd[0]
    close(dyn.kinetic_energy(q, qd), 0.5 * 3.0 * 0.6**2 + 0.5 * spinning * qd[0], ROUNDING)
    p = np.array([0.0, 3.0 * 0.6, 0.0])
    about_base = np.cross(np.add(PLACE, (0.0, 0.0, 0.1)), p) + np.array([0.0, 0.0, spinning])
    close(dyn.momentum(q, qd), [*p, *about_base], ROUNDING)


@pytest.mark.parametrize("motors", ["none", "exact"])
@given(robot=robots(), seed=seeds)
def test_energies_and_momentum_agree_with_pinocchio(motors, robot, seed):
    """On a base that moves or stands; without the base's own share, 1 kg and 10 kg m2 in the oracle.

    Of a rotor that is counted in its carrier, the base, only the spin is the arm's.
    """
    rotors = motors == "exact" and bool(robot.drives)
    oracle, dyn = ProjectedTree(robot, rotors), ad.Dynamics(robot, "exact" if rotors else "none")
    v, w = (np.array(x, float) for x in (robot.base_motion.velocity, robot.base_motion.angular_velocity))
    turning = 10.0 * w
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1):
        full_q, full_v, _, _ = oracle.full_motion(q, qd, qdd)
        kinetic = pin.computeKineticEnergy(oracle.model, oracle.data, full_q, full_v)
        close(dyn.kinetic_energy(q, qd), kinetic - 0.5 * (v @ v + turning @ w))
        close(dyn.potential_energy(q), pin.computePotentialEnergy(oracle.model, oracle.data, full_q))
        about_com = pin.computeCentroidalMomentum(oracle.model, oracle.data, full_q, full_v)
        angular = about_com.angular + np.cross(oracle.data.com[0], about_com.linear)
        close(dyn.momentum(q, qd), [*(about_com.linear - v), *(angular - turning)])


@given(robots().filter(lambda r: r.drives), seeds)
def test_rotors_weigh_the_same_in_every_motor_model(robot, seed):
    """On links or on the base: U does not depend on how they spin."""
    q = states(robot, seed)[0]
    exact, *riding = (ad.Dynamics(robot, motors).potential_energy(q) for motors in WITH_ROTORS)
    for ours in riding:
        close(ours, exact)


def test_a_rotor_counted_in_a_turning_base_adds_its_spin_alone() -> None:
    """1/2 I ((w + k qd)^2 - w^2): the base already has the rotor's inertia."""
    rotor = Rotor(AXIAL, None, None, BASE, Transform())
    robot = planar_arm((Drive("m", "j0", Coupling.of({"j0": RATIO}), rotor),), joints=1)
    robot = robot.with_base_motion(BaseMotion(angular_velocity=(0.0, 0.0, 2.0)))
    q, qd = [0.3], [0.8]
    added = 0.5 * AXIAL * ((2.0 + RATIO * qd[0]) ** 2 - 2.0**2)
    links, exact = ad.Dynamics(robot, "none"), ad.Dynamics(robot, "exact")
    close(exact.kinetic_energy(q, qd), links.kinetic_energy(q, qd) + added, ROUNDING)
    spin = np.array([0.0] * 5 + [AXIAL * RATIO * qd[0]])
    close(exact.momentum(q, qd), links.momentum(q, qd) + spin, ROUNDING)
