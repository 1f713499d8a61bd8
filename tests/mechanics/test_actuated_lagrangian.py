"""Szkodny's forms beside armdyn's motor models: what each keeps, and what it drops."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actuated_robots import (
    AGREEMENT,
    AXIAL,
    SPATIAL_STATE,
    K,
    agree,
    arm_with_motors_in_axes,
    arrays,
    belt_arm,
    difference,
    differential_wrist,
    driven_parallelogram,
    expected,
    gyroscope,
    of_tree,
    without_wheels,
)
from armdyn.errors import InputError, MissingDataError
from armdyn.formats import catalog, load
from armdyn.mechanics import energy
from armdyn.mechanics.actuated_lagrangian import (
    BEYOND_AXES,
    FULL,
    IN_AXES,
    arm_coefficients,
    coefficients,
    coefficients_without_actuators,
    lagrangian,
    reduced_lagrangian,
)
from armdyn.mechanics.composite_body import mass_matrix
from armdyn.mechanics.drives import drive_states
from armdyn.mechanics.lagrangian.actuated_arm import Reference, actuated_arm, arm_matrices
from armdyn.mechanics.newton_euler import inverse_dynamics
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.motors import default_motors
from armdyn.robot import Robot
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from random_robots import Features, robots, states

STANDING = Features(moving_base=False)
LINEAR = Features(moving_base=False, nonlinear=False)
REFERENCES: tuple[Reference, ...] = ("stator", "driven")
SMALL = Features(bodies=4, moving_base=False)
seeds = st.integers(0, 10_000)
references = pytest.mark.parametrize("reference", REFERENCES)


def driven(features: Features = STANDING) -> st.SearchStrategy[Robot]:
    """Random trees that have motors."""
    return robots(features).filter(lambda robot: bool(robot.drives))


def position(robot: Robot, seed: int) -> list[float]:
    return states(robot, seed, 1)[0, 0].tolist()


# The full form is exact -----------------------------------------------------------------------


@references
@given(robot=driven(), seed=seeds)
def test_the_full_form_is_exact_seen_from_any_link(reference: Reference, robot: Robot, seed: int) -> None:
    q = position(robot, seed)
    agree(coefficients(robot, q, reference=reference), expected(robot, q, "exact"))


@given(robots(Features(moving_base=False, drives=False)), seeds)
def test_without_actuators_the_links_are_left(robot, seed):
    q = position(robot, seed)
    agree(coefficients(robot, q), expected(robot, q, "none"))


EXACT = [name for name in catalog() if default_motors(load(name)) == "exact"]


@references
@pytest.mark.parametrize(
    "robot", [*map(load, EXACT), driven_parallelogram(), differential_wrist()], ids=lambda r: r.name
)
def test_the_full_form_is_exact_on_catalog_robots(reference: Reference, robot: Robot) -> None:
    for q in states(robot, 1)[0]:
        agree(coefficients(robot, q.tolist(), reference=reference), expected(robot, q, "exact"))


def test_the_catalog_has_robots_with_placed_rotors() -> None:
    assert {"irb6", "planar2", "scara", "pendulum"} <= set(EXACT)


@given(driven(), seeds)
def test_forces_are_those_of_newton_and_euler(robot, seed):
    """(7)."""
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    reference = inverse_dynamics(tree(robot, "exact"), q, qd, qdd).torque
    size = max(1.0, float(np.abs(reference).max()))
    assert coefficients(robot, q).forces(qd, qdd) == pytest.approx(
        reference, rel=AGREEMENT, abs=AGREEMENT * size
    )


@given(driven(), seeds)
def test_locked_joints_leave_their_motors_where_they_are(robot, seed):
    if robot.n > 1:
        robot = robot.locked({1: 0.4})
        q = position(robot, seed)
        agree(coefficients(robot, q), expected(robot, q, "exact"))


# Every kind of scalar -------------------------------------------------------------------------


def flat(parts: Any) -> list[Any]:
    return (
        [*parts.gravity, *(x for row in parts.inertia for x in row)]
        + [x for rows in parts.velocity for row in rows for x in row]
    )  # fmt: skip


@given(driven(SMALL), seeds)
def test_graph_and_counted_numbers_agree(robot, seed):
    arm, q = actuated_arm(robot), position(robot, seed)
    reals = np.array(flat(arm_coefficients(arm, q)), dtype=float)
    size = max(1.0, float(np.abs(reals).max()))
    traced = program(flat(arm_coefficients(arm, Graph().inputs("q", robot.n))))
    graph = run_batch(traced, {"q": np.array(q)}, (len(reals),))
    np.testing.assert_allclose(graph, reals, rtol=0, atol=AGREEMENT * size)
    tally = Tally()
    counted = flat(arm_coefficients(arm.with_numbers(tally.number), [tally.number(x) for x in q]))
    np.testing.assert_allclose([float(x) for x in counted], reals, rtol=0, atol=AGREEMENT * size)
    assert tally.multiplications > 0


def test_symbols_agree() -> None:
    robot, q = gyroscope(), SPATIAL_STATE
    names = symbols("q", 3)
    values = dict(zip(names, q, strict=True))
    symbolic = flat(arm_coefficients(actuated_arm(robot).with_numbers(number), names))
    ours = [float(symengine.sympify(x).subs(values)) for x in symbolic]
    np.testing.assert_allclose(ours, flat(coefficients(robot, q)), rtol=0, atol=AGREEMENT)


# (1) and (2) ----------------------------------------------------------------------------------


@references
@given(robot=driven(), seed=seeds)
def test_the_lagrangian_is_kinetic_less_potential_energy(
    reference: Reference, robot: Robot, seed: int
) -> None:
    """(1), seen from any link."""
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    built = tree(robot, "exact")
    kinetic, potential = energy.kinetic_energy(built, q, qd), energy.potential_energy(built, q)
    ours = lagrangian(actuated_arm(robot, reference), q, qd)
    assert ours == pytest.approx(kinetic - potential, abs=AGREEMENT * max(1, abs(kinetic), abs(potential)))


@references
@given(robot=driven(SMALL), seed=seeds)
def test_the_printed_coefficients_follow_from_the_reduced_lagrangian(
    reference: Reference, robot: Robot, seed: int
) -> None:
    """D_ij of the appendix is d2L/dqd_i dqd_j of (2)."""
    arm, q = actuated_arm(robot, reference), position(robot, seed)
    unit = np.eye(robot.n)
    rest = reduced_lagrangian(arm, q, [0.0] * robot.n)

    def T(qd: np.ndarray) -> float:
        return reduced_lagrangian(arm, q, qd.tolist()) - rest

    alone = [T(e) for e in unit]
    D = np.array([[T(a + b) for b in unit] for a in unit]) - np.add.outer(alone, alone)
    printed = np.array(arm_coefficients(arm, q, carried=False).inertia, dtype=float)
    np.testing.assert_allclose(D, printed, rtol=0, atol=1e-9 * max(1.0, float(np.abs(D).max()), abs(rest)))


@given(driven(), seeds)
def test_what_the_printed_form_drops_is_the_rotor_riding_on_its_stators_link(robot, seed):
    """The appendix follows from (2), which leaves out the first actuator term of (1), and its weight."""
    robot = without_wheels(robot)
    arm, q = actuated_arm(robot), position(robot, seed)
    links_with_rotors = replace(tree(robot, "coupled"), spins=())
    riding = difference(of_tree(links_with_rotors, q), coefficients_without_actuators(arm, q))
    dropped = difference(arm_coefficients(arm, q), arm_coefficients(arm, q, carried=False))
    for ours, reference in zip(dropped, riding, strict=True):
        size = max(1.0, float(np.abs(reference).max()))
        np.testing.assert_allclose(ours, reference, rtol=0, atol=AGREEMENT * size)


# (8)-(10): right to order k^2 -----------------------------------------------------------------


@given(driven(LINEAR), seeds)
def test_beyond_axes_is_the_coupled_model_seen_from_the_stators_link(robot, seed):
    """Linear gears."""
    robot, q = without_wheels(robot), position(robot, seed)
    agree(coefficients(robot, q, BEYOND_AXES), expected(robot, q, "coupled"))


@given(driven(), seeds)
def test_beyond_axes_drops_what_a_changing_gear_does(robot, seed):
    """I_m theta_i theta_jk, of order k^2: all that is missing from the coupled model."""
    robot, q = without_wheels(robot), position(robot, seed)
    n = robot.n
    missing = np.zeros((n, n, n))
    for drive, theta in zip(robot.drives, drive_states(robot, q), strict=True):
        slope = np.zeros(n)
        for j, x in theta.gradient:
            slope[j] = x
        if drive.coupling.law is not None:
            (weight,) = (w for _, w in drive.coupling.weights)
            j = robot.joint_names.index(drive.joint)
            bend = drive.coupling.law.evaluate(weight * q[j] + drive.coupling.offset)[2] * weight**2
            assert drive.rotor is not None
            missing[j, j, j] += drive.rotor.axial * slope[j] * bend
    gravity, inertia, velocity = difference(
        expected(robot, q, "coupled"), coefficients(robot, q, BEYOND_AXES)
    )
    scale = max(1.0, *(float(np.abs(x).max()) for x in arrays(expected(robot, q, "coupled"))))
    np.testing.assert_allclose(gravity, 0, atol=AGREEMENT * scale)
    np.testing.assert_allclose(inertia, 0, atol=AGREEMENT * scale)
    np.testing.assert_allclose(velocity, missing, atol=AGREEMENT * scale)


@given(driven(), seeds)
def test_every_actuator_term_of_the_velocity_coefficients_is_zero_seen_from_the_stators_link(robot, seed):
    """The first J_a term of (9), its bracket, and that of (12)."""
    q = position(robot, seed)
    for a in arm_matrices(actuated_arm(robot), q).actuators:
        size = max(1.0, *(abs(a.spin_inertia(i, i)) for i in range(robot.n)))
        for i, j, k in np.ndindex(*(robot.n,) * 3):
            for term in (a.turning, a.bracket, a.own_turning):
                assert abs(term(i, j, k)) <= 1e-12 * size


@given(driven(), seeds)
def test_turning_terms_vanish_in_the_sum_seen_from_any_link(robot, seed):
    """Their parts symmetric in j and k, which alone meet qd_j qd_k: those of (9) and (12)."""
    q = position(robot, seed)
    for a in arm_matrices(actuated_arm(robot, "driven"), q).actuators:
        size = max(1.0, *(abs(a.spin_inertia(i, i)) for i in range(robot.n)))
        for i, j, k in np.ndindex(*(robot.n,) * 3):
            assert abs(a.turning(i, j, k) + a.turning(i, k, j)) <= 1e-12 * size
            assert abs(a.own_turning(i, j, k)) <= 1e-12 * size


def test_the_bracket_is_not_zero_seen_from_a_driven_link_that_turns_by_several_joints() -> None:
    """A motor on the base that drives the third joint of a spatial arm: T_a3 follows q1, q2 and q3."""
    (a,) = arm_matrices(actuated_arm(gyroscope("base"), "driven"), SPATIAL_STATE).actuators
    summed = [a.bracket(i, j, k) + a.bracket(i, k, j) for i, j, k in np.ndindex(3, 3, 3)]
    assert max(abs(x) for x in summed) > 0.1


# (11), (12): actuators in the axes ------------------------------------------------------------


@given(driven(LINEAR), seeds)
def test_in_axes_is_the_reflected_model_seen_from_the_stators_link(robot, seed):
    robot, q = without_wheels(robot), position(robot, seed)
    agree(coefficients(robot, q, IN_AXES), expected(robot, q, "reflected"))


@pytest.mark.parametrize(("reference", "turns"), [("stator", K), ("driven", K - 1)])
def test_an_actuator_inertia_depends_on_where_it_is_seen_from(reference: Reference, turns: float) -> None:
    """(11): k^2 I from the stator's link, (k-1)^2 I from the driven one, as printed."""
    arm, q = actuated_arm(arm_with_motors_in_axes(3), reference), [0.2, 0.5, -0.4]
    _, added, _ = difference(
        arm_coefficients(arm, q, IN_AXES, carried=False), coefficients_without_actuators(arm, q)
    )
    np.testing.assert_allclose(added, np.diag([turns**2 * AXIAL] * 3), rtol=0, atol=1e-12 * K**2)


def test_motors_in_axes_make_both_reduced_forms_one() -> None:
    """delta_pk: T_ap follows its own joint alone."""
    q = [0.2, 0.5, -0.4]
    for reference in REFERENCES:
        arm = actuated_arm(arm_with_motors_in_axes(3), reference)
        agree(
            arm_coefficients(arm, q, IN_AXES, carried=False),
            arm_coefficients(arm, q, BEYOND_AXES, carried=False),
        )


# Gyroscopic terms -----------------------------------------------------------------------------


@pytest.mark.parametrize("motors", ["exact", "augmented"])
def test_a_spinning_rotor_on_a_turning_carrier_resists(motors: Any) -> None:
    """Of D_13 = -k I sin(q2), with z_m . z_1 = -sin(q2): c_213 = -c_123 = -c_312 = 1/2 k I cos(q2)."""
    robot, q = gyroscope(), SPATIAL_STATE
    half = 0.5 * K * AXIAL * np.cos(q[1])
    gyroscopic = np.zeros((3, 3, 3))
    gyroscopic[1, 0, 2] = gyroscopic[1, 2, 0] = half
    gyroscopic[0, 1, 2] = gyroscopic[0, 2, 1] = gyroscopic[2, 0, 1] = gyroscopic[2, 1, 0] = -half
    assert half > 0.3
    for without in (expected(robot, q, "coupled"), coefficients(robot, q, BEYOND_AXES)):
        for model in (expected(robot, q, motors), coefficients(robot, q, FULL)):
            np.testing.assert_allclose(difference(model, without)[2], gyroscopic, rtol=0, atol=1e-12)


# Bad input ------------------------------------------------------------------------------------


def test_rotors_must_have_a_place() -> None:
    with pytest.raises(MissingDataError, match="does not say where its rotor sits"):
        coefficients(load("lola15"), [0.0] * 6)


def test_a_reference_must_be_known() -> None:
    with pytest.raises(InputError, match=r'^reference "joint", expected one of stator, driven$'):
        coefficients(belt_arm(), [0.0, 0.0], reference="joint")  # pyright: ignore[reportArgumentType]


def test_a_motor_of_a_locked_joint_drives_no_link() -> None:
    robot = belt_arm().locked({2: 0.3})
    with pytest.raises(MissingDataError, match=r'drive "m2" serves no joint that moves; take "stator"$'):
        coefficients(robot, [0.0], reference="driven")
    H = mass_matrix(tree(robot, "exact"), [0.1])
    np.testing.assert_allclose(coefficients(robot, [0.1]).inertia, H)
