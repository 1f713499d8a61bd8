"""Generalized d'Alembert: each of its parts against the energies, their sum against everything else."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats.dh import dh_joint
from armdyn.mechanics import composite_body, dalembert, newton_euler
from armdyn.mechanics.kinematics import angular_velocities, linear_velocities
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.coordinates import state_of
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.reduction import for_inertia, for_motion, reduced
from armdyn.robot import BASE, Body, Robot
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.derivatives import jacobian
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Wrench
from armdyn.spatial.vector import add, cross, dot, matrix, times, vector
from pinocchio_model import ProjectedTree
from random_robots import Features, random_inertia, robots, states

# Both sides are sums of some hundred products in double precision.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
CONSERVATIVE = st.sampled_from(["exact", "augmented", "coupled", "none"])
SEEDS = st.integers(0, 10_000)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def built(robot, motors, lump=True) -> Tree:
    return tree(robot, motors if robot.drives else "none", lump=lump)


def close(ours, reference, relative=RELATIVE):
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert ours == pytest.approx(reference, rel=relative, abs=relative * scale)


def parts(arm, q, qd):
    """Everything in `Terms`, as arrays."""
    return {name: np.array(value, float) for name, value in vars(dalembert.terms(arm, q, qd)).items()}


def flat(arm, q, qd, qdd):
    """Torques under a contact, the mass matrix and all terms in one list."""
    loads = dalembert.inverse_dynamics(arm, q, qd, qdd, contact=Contact(WRENCH, arm.tool))
    terms = dalembert.terms(arm, q, qd)
    matrices = (dalembert.mass_matrix(arm, q), terms.D_rot, terms.D_tran)
    rows = (row for matrix in matrices for row in matrix)
    return [e for row in (loads.joint, loads.drive, *rows, terms.h_tran, terms.h_rot, terms.c) for e in row]


# Agreement ------------------------------------------------------------------------------------


@given(robots(), MODELS, SEEDS, st.booleans())
def test_torques_and_mass_matrix_equal_those_of_other_formulations(robot, motors, seed, lump):
    """Trees, sliding, fixed and coupled joints, rotors, spins, payload, contact, a moving base."""
    arm = built(robot, motors, lump)
    contact = Contact(WRENCH, arm.tool)
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1).tolist():
        ours = dalembert.inverse_dynamics(arm, q, qd, qdd, contact=contact)
        theirs = newton_euler.inverse_dynamics(arm, q, qd, qdd, contact=contact)
        close(ours.joint, theirs.joint)
        close(ours.drive, theirs.drive)
        close(dalembert.mass_matrix(arm, q), composite_body.mass_matrix(arm, q))


@given(robots(), MODELS, SEEDS)
def test_the_parts_sum_to_the_whole(robot, motors, seed):
    """tau = (D_rot + D_tran) qdd + h_tran + h_rot + c, (4.1), on q and over a moving base."""
    arm = built(robot, motors)
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    x = parts(arm, q, qd)
    torque = (x["D_rot"] + x["D_tran"]) @ qdd + x["h_tran"] + x["h_rot"] + x["c"]
    close(torque, newton_euler.inverse_dynamics(arm, q, qd, qdd).torque)
    close(x["D_rot"] + x["D_tran"], composite_body.mass_matrix(arm, q))
    close(x["c"], newton_euler.inverse_dynamics(arm.at_rest(), q, None, None).torque)


@given(robots(), SEEDS)
def test_what_is_not_given_is_at_rest_and_gravity_can_be_given(robot, seed):
    arm, q = built(robot, "none"), states(robot, seed, 1)[0, 0].tolist()
    other = replace(arm, gravity=(1.0, 2.0, 3.0))
    ours = dalembert.inverse_dynamics(arm, q, None, None, gravity=other.gravity)
    close(ours.torque, newton_euler.inverse_dynamics(other, q, None, None).torque)
    close(dalembert.terms(arm, q, None, gravity=other.gravity).c, dalembert.terms(other, q, None).c)


@given(robots(Features(branched=False, drives=False)), SEEDS)
def test_chains_agree_with_pinocchio(robot, seed):
    oracle, arm = ProjectedTree(robot, rotors=False), tree(robot, "none")
    for x in np.swapaxes(states(robot, seed), 0, 1):
        close(dalembert.inverse_dynamics(arm, *x.tolist()).torque, oracle.inverse(*x))


@given(robots(Features(bodies=4)).filter(lambda r: r.drives), SEEDS)
def test_trees_with_rotors_agree_with_pinocchio(robot, seed):
    oracle, arm = ProjectedTree(robot, rotors=True), tree(robot, "exact")
    for x in np.swapaxes(states(robot, seed), 0, 1):
        close(dalembert.inverse_dynamics(arm, *x.tolist()).torque, oracle.inverse(*x))


@pytest.mark.parametrize("lighter", [on_common_normals, reduced, for_motion, for_inertia])
@given(robots(Features(bodies=4)), MODELS, SEEDS)
def test_lighter_trees_take_the_same_torques(lighter, robot, motors, seed):
    """Base parameters leave first moments without a mass; axes may stay while a link turns."""
    arm, x = built(robot, motors), states(robot, seed, 1)[:, 0].tolist()
    light = lighter(arm, **({"closed": False} if lighter in (for_motion, for_inertia) else {}))
    ours, theirs = (
        dalembert.inverse_dynamics(on, *x, contact=Contact(WRENCH, on.tool)) for on in (light, arm)
    )
    close(ours.torque, theirs.torque)
    close(dalembert.mass_matrix(light, x[0]), dalembert.mass_matrix(arm, x[0]))


# Scalars --------------------------------------------------------------------------------------


@given(robots(Features(bodies=4)), MODELS, SEEDS)
def test_counted_numbers_and_graphs_give_the_same(robot, motors, seed):
    arm, x = built(robot, motors), states(robot, seed, 1)[:, 0]
    reference = flat(arm, *x.tolist())
    tally, graph = Tally(), Graph()
    counted = flat(arm.with_numbers(tally.number), *([tally.number(e) for e in row] for row in x.tolist()))
    close([float(e) for e in counted], reference)
    names = ("q", "qd", "qdd")
    for lifted in (arm, arm.with_numbers(graph.constant)):
        traced = program(flat(lifted, *(graph.inputs(name, robot.n) for name in names)))
        close(run_batch(traced, dict(zip(names, x, strict=True)), (len(reference),)), reference)


@given(robots(Features(bodies=2)), MODELS, SEEDS)
def test_symbols_give_the_same(robot, motors, seed):
    arm, x = built(robot, motors), states(robot, seed, 1)[:, 0].tolist()
    names = [symbols(stem, robot.n) for stem in ("q", "v", "a")]
    values = {s: v for row, numbers in zip(names, x, strict=True) for s, v in zip(row, numbers, strict=True)}
    ours = flat(arm.with_numbers(number), *names)
    close([float(symengine.sympify(e).subs(values)) for e in ours], flat(arm, *x))


# Christoffel sums of either energy ------------------------------------------------------------


def energies(arm, q, qd):
    """Kinetic energy of translation, sum 1/2 m v_C.v_C, and of rotation, sum 1/2 omega.I_C omega."""
    links = placed(arm, q, qd)
    omega = angular_velocities(arm, links)
    translation = rotation = 0
    for link, w, v in zip(arm.links, omega, linear_velocities(arm, links, omega), strict=True):
        m, h = link.inertia.mass, np.array(link.inertia.first, float)
        com = h / m if m else np.zeros(3)
        tensor = np.array(link.inertia.tensor, float) - m * (com @ com * np.eye(3) - np.outer(com, com))
        at_com = add(v, cross(w, vector(com.tolist())))
        translation = translation + 0.5 * m * dot(at_com, at_com)
        rotation = rotation + 0.5 * dot(w, times(matrix(tensor.tolist()), w))
    for spin in arm.spins:
        rate = state_of(spin.coordinate, q, qd).rate
        rotation = rotation + 0.5 * spin.inertia * (rate * rate)
    return translation, rotation


def mass_and_christoffel(energy, q, qd):
    """D = d2T/dqd2 and h_i = sum_jk (d D_ij/d q_k + d D_ik/d q_j - d D_jk/d q_i)/2 qd_j qd_k, over nodes."""
    each = range(len(q))
    D = jacobian(jacobian([energy], qd)[0], qd)
    slope = [jacobian(row, q) for row in D]  # slope[i][j][k] = d D_ij/d q_k
    h = [
        sum(
            0.5 * (slope[i][j][k] + slope[i][k][j] - slope[j][k][i]) * qd[j] * qd[k]
            for j in each
            for k in each
        )
        for i in each
    ]
    return [*(e for row in D for e in row), *h]


@given(robots(Features(moving_base=False)), CONSERVATIVE, SEEDS)
def test_translation_and_rotation_each_follow_from_their_energy(robot, motors, seed):
    """(4.2), (4.3) and the lost (4.4); nonlinear couplings included."""
    arm, n = built(robot, motors), robot.n
    graph = Graph()
    q, qd = graph.inputs("q", n), graph.inputs("qd", n)
    at, rate = states(robot, seed, 1)[:2, 0]
    x = parts(arm, at.tolist(), rate.tolist())
    for energy, D, h in zip(energies(arm, q, qd), ("D_tran", "D_rot"), ("h_tran", "h_rot"), strict=True):
        traced = program(mass_and_christoffel(energy, q, qd))
        derived = run_batch(traced, {"q": at, "qd": rate}, (n * n + n,))
        close(x[D].ravel(), derived[: n * n])
        close(x[h], derived[n * n :])


# The printed equations ------------------------------------------------------------------------


def dh_chain(n, rng):
    """A chain of turning joints by standard DH rows."""
    bodies = []
    for k in range(n):
        row = dict(zip(("theta", "d", "a", "alpha"), rng.uniform(-1.5, 1.5, 4).tolist(), strict=True))
        joint = dh_joint(f"j{k}", "revolute", "standard", **row)
        bodies.append(Body(f"b{k}", joint, f"b{k - 1}" if k else BASE, random_inertia(rng)))
    return Robot("dh", tuple(bodies), gravity=tuple(rng.uniform(-10, 10, 3).tolist()))


def printed(robot, q, qd):
    """(4.2)-(4.5) with all their sums, (4.4) restated; joints counted from 1 as in print."""
    n = robot.n
    T = [np.eye(4)]
    for body, x in zip(robot.bodies, q, strict=True):
        c, s = np.cos(x + body.joint.offset), np.sin(x + body.joint.offset)
        turn, link = np.eye(4), np.eye(4)
        turn[:2, :2] = [[c, -s], [s, c]]
        link[:3, :3], link[:3, 3] = body.joint.frame.rotation, body.joint.frame.translation
        T.append(T[-1] @ turn @ link)
    z, p = [A[:3, 2] for A in T], [A[:3, 3] for A in T]
    step = [np.zeros(3), *(p[i] - p[i - 1] for i in range(1, n + 1))]
    m = [0.0, *(body.inertia.mass for body in robot.bodies)]
    r = [p[0], *(p[s] + T[s][:3, :3] @ robot.bodies[s - 1].inertia.com for s in range(1, n + 1))]
    R = [A[:3, :3] for A in T]
    inertia = [np.eye(3), *(R[s] @ robot.bodies[s - 1].inertia.tensor @ R[s].T for s in range(1, n + 1))]
    rate = [np.zeros(3), *(qd[k - 1] * z[k - 1] for k in range(1, n + 1))]
    joints = range(1, n + 1)

    def spin(k):
        """sum_(p=1..k) thetad_p z_(p-1)."""
        return sum(rate[1 : k + 1], np.zeros(3))

    def coriolis(k):
        """sum_(p=2..k) (sum_(q=1..p-1) thetad_q z_(q-1)) x thetad_p z_(p-1)."""
        return sum((np.cross(spin(a - 1), rate[a]) for a in range(2, k + 1)), np.zeros(3))

    def bracket(k, v):
        return np.cross(spin(k), np.cross(spin(k), v)) + np.cross(coriolis(k), v)

    def arm(i, s):
        return np.cross(z[i - 1], r[s] - p[i - 1])

    def outer_links(i, j=1):
        return range(max(i, j), n + 1)

    D_rot = [
        [sum(z[i - 1] @ inertia[s] @ z[j - 1] for s in outer_links(i, j)) for j in joints] for i in joints
    ]
    D_tran = [[sum(m[s] * arm(j, s) @ arm(i, s) for s in outer_links(i, j)) for j in joints] for i in joints]
    h_tran = [
        sum(
            m[s] * sum((bracket(k, step[k]) for k in range(1, s)), bracket(s, r[s] - p[s - 1])) @ arm(i, s)
            for s in outer_links(i)
        )
        for i in joints
    ]
    h_rot = [
        sum(
            z[i - 1] @ (inertia[s] @ coriolis(s) + np.cross(spin(s), inertia[s] @ spin(s)))
            for s in outer_links(i)
        )
        for i in joints
    ]
    g = np.array(robot.gravity)
    c = [-g @ np.cross(z[i - 1], sum(m[j] * (r[j] - p[i - 1]) for j in outer_links(i))) for i in joints]
    return {"D_rot": D_rot, "D_tran": D_tran, "h_tran": h_tran, "h_rot": h_rot, "c": c}


@given(st.integers(1, 6), SEEDS)
def test_printed_sums(n, seed):
    robot = dh_chain(n, np.random.default_rng(seed))
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    ours = parts(tree(robot, "none"), q, qd)
    for name, reference in printed(robot, q, qd).items():
        close(ours[name], reference)


def test_fewer_operations_than_published():
    """[Milicevic2007] Table 3: 13/6 n^3 + 105/2 n^2 + 268/3 n + 69 and 4/3 n^3 + 44 n^2 + 146/3 n + 45."""
    for n in range(2, 11):
        robot, tally = dh_chain(n, np.random.default_rng(n)), Tally()
        x = [[tally.number(0.3) for _ in range(n)] for _ in range(3)]
        dalembert.inverse_dynamics(tree(robot, "none").with_numbers(tally.number), *x)
        assert tally.multiplications + tally.divisions < 13 / 6 * n**3 + 105 / 2 * n**2 + 268 / 3 * n + 69
        assert tally.additions < 4 / 3 * n**3 + 44 * n**2 + 146 / 3 * n + 45


# What the parts mean --------------------------------------------------------------------------


def test_a_sliding_arm_has_no_rotation():
    bodies = [Body("x", dh_joint("x", "prismatic", "standard", theta=0.0, d=0.0, a=0.0, alpha=1.0))]
    bodies.append(Body("y", dh_joint("y", "prismatic", "standard", theta=0.4, d=0.0, a=0.1, alpha=0.0), "x"))
    robot = Robot(
        "slides", tuple(replace(b, inertia=random_inertia(np.random.default_rng(3))) for b in bodies)
    )
    x = parts(tree(robot), [0.3, 0.4], [1.0, 2.0])
    assert not np.any(x["D_rot"])
    assert not np.any(x["h_rot"])
    assert not np.any(x["h_tran"])  # straight lines
