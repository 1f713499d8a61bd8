"""mRNEA: every vector against its definition, H and u' against the other formulations, the toy model."""

import importlib.util
import json
import math
import re
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import armdyn as ad
from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.force_vectors import about_origin
from armdyn.mechanics.kinematics import poses
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.modified_newton_euler import (
    inverse_dynamics,
    mass_matrix,
    mass_matrix_and_bias,
    vectors,
)
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import BaseState
from armdyn.robot import Body, Joint, Robot
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Inertia, Transform, Wrench
from armdyn.spatial.vector import vector
from random_robots import Features, robots, states

# Both sides are sums of some hundred products in double precision.
RELATIVE = 1e-10

ROOT = Path(__file__).parents[2]
MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
SEEDS = st.integers(0, 10_000)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))

FREE = Features(coupled=False, drives=False, moving_base=False)
"""Every joint its own coordinate, so that joint k of the tree is one q."""


def built(robot, motors, lump=True):
    return tree(robot, motors if robot.drives else "none", lump=lump)


def close(ours, reference, relative=RELATIVE):
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert ours == pytest.approx(reference, rel=relative, abs=relative * scale)


# Agreement ------------------------------------------------------------------------------------


@given(robots(), MODELS, SEEDS, st.booleans())
def test_torques_equal_those_of_newton_euler(robot, motors, seed, lump):
    """Trees, sliding, fixed and coupled joints, rotors, spins, payload, contact, a moving base."""
    arm = built(robot, motors, lump)
    contact = Contact(WRENCH, arm.tool)
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1).tolist():
        ours = inverse_dynamics(arm, q, qd, qdd, contact=contact)
        theirs = newton_euler.inverse_dynamics(arm, q, qd, qdd, contact=contact)
        close(ours.joint, theirs.joint)
        close(ours.drive, theirs.drive)


@given(robots(), MODELS, SEEDS)
def test_mass_matrix_and_bias_in_one_pass(robot, motors, seed):
    """H as of composite bodies, u' as of Newton-Euler with qdd = 0."""
    arm = built(robot, motors)
    contact = Contact(WRENCH, arm.tool)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    H, bias = mass_matrix_and_bias(arm, q, qd, contact=contact)
    close(H, composite_body.mass_matrix(arm, q))
    close(mass_matrix(arm, q), H)
    close(bias, newton_euler.inverse_dynamics(arm, q, qd, None, contact=contact).torque)


@given(robots(), SEEDS)
def test_at_rest_and_without_gravity(robot, seed):
    """What is not given is zero, and gravity may be another than the robot's."""
    arm = built(robot, "none")
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    other = (1.0, 2.0, 3.0)
    for rates, accelerations, gravity in ((None, None, None), (None, qdd, other), (qd, None, (0, 0, 0))):
        close(
            inverse_dynamics(arm, q, rates, accelerations, gravity=gravity).torque,
            newton_euler.inverse_dynamics(arm, q, rates, accelerations, gravity=gravity).torque,
        )
    _, bias = mass_matrix_and_bias(arm, q, None, gravity=other)
    close(bias, newton_euler.inverse_dynamics(arm, q, None, None, gravity=other).torque)


@given(robots(), MODELS, SEEDS)
def test_centres_of_mass_and_origins_give_the_same(robot, motors, seed):
    """Also for rotors that have inertia but no mass, and so no centre."""
    arm = built(robot, motors)
    contact = Contact(WRENCH, arm.tool)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    here = vectors(arm, q, qd, contact=contact)
    there = vectors(arm, q, qd, contact=contact, about=about_origin)
    close(here.mass(), there.mass())
    close(here.bias(), there.bias())


@given(robots(), SEEDS)
def test_links_need_no_mass(robot, seed):
    """Torques are linear in mass, first and second moment, whatever these are."""
    arm = built(robot, "none")
    light = [replace(link, inertia=replace(link.inertia, mass=0)) for link in arm.links]
    arm = replace(arm, links=tuple(light))
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    close(inverse_dynamics(arm, q, qd, qdd).torque, newton_euler.inverse_dynamics(arm, q, qd, qdd).torque)
    found = vectors(arm, q, qd)
    assert np.isfinite(np.array([force.d_i for force in found.forces.links], float)).all()


@given(robots(), MODELS, SEEDS)
def test_axes_that_stay_while_links_turn(robot, motors, seed):
    arm = built(robot, motors)
    still = (replace(link, axes="still") if link.axes == "turning" else link for link in arm.links)
    staying = replace(arm, links=tuple(still))
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    ours, reference = (
        inverse_dynamics(t, q, qd, qdd, contact=Contact(WRENCH, t.tool)) for t in (staying, arm)
    )
    close(ours.torque, reference.torque)
    close(mass_matrix(staying, q), mass_matrix(arm, q))


@pytest.mark.parametrize("name", ad.catalog())
def test_catalog(name):
    robot = ad.load(name)
    arm = tree(robot)
    q, qd, qdd = (np.array(robot.home) + states(robot, 5, 1)[:, 0] / 4).tolist()
    reference = newton_euler.inverse_dynamics(arm, q, qd, qdd).torque
    close(inverse_dynamics(arm, q, qd, qdd).torque, reference)
    H, bias = mass_matrix_and_bias(arm, q, qd)
    left = [t - b for t, b in zip(reference, bias, strict=True)]
    close(np.array(H, float) @ solve(H, left), left)
    close(np.array(H, float) @ qdd, left)


LOLA = json.loads((ROOT / "tests/data/reference.json").read_text())["lola15"]


@pytest.mark.parametrize("state", LOLA["states"], ids=["at rest", "moving"])
@pytest.mark.parametrize("case", LOLA["states"][0]["cases"])
def test_lola15_beside_an_independent_implementation(state, case):
    """Fig. 5 (A5): the same joint torques, with the force on the tool counted once."""
    arm = tree(ad.load("lola15"), "none")
    force = vector(float(x) for x in re.findall(r"-?\d+", case) or (0, 0, 0))
    contact = Contact(Wrench(force, (0.0, 0.0, 0.0)), arm.tool)
    H, bias = mass_matrix_and_bias(arm, state["q"], state["v"], contact=contact)
    close(H, state["H"], 1e-9)
    close(bias, state["cases"][case]["u_bias"], 1e-9)
    torque = inverse_dynamics(arm, state["q"], state["v"], state["a"], contact=contact).torque
    close(torque, state["cases"][case]["u"], 1e-9)


# Scalars --------------------------------------------------------------------------------------


def flat(arm, q, qd, qdd):
    """Torques under a contact, H, u' and the vectors' own mass and bias in one list."""
    contact = Contact(WRENCH, arm.tool)
    H, bias = mass_matrix_and_bias(arm, q, qd, contact=contact)
    found = vectors(arm, q, qd, contact=contact)
    rows = (inverse_dynamics(arm, q, qd, qdd, contact=contact).torque, bias, found.bias(), *H, *found.mass())
    return [e for row in rows for e in row]


@given(robots(), MODELS, SEEDS)
def test_graph_and_counted_numbers(robot, motors, seed):
    arm = built(robot, motors)
    x = states(robot, seed, 1)[:, 0]
    reference = flat(arm, *x.tolist())
    graph, tally = Graph(), Tally()
    traced = program(flat(arm, *(graph.inputs(name, robot.n) for name in ("q", "qd", "qdd"))))
    close(run_batch(traced, dict(zip(("q", "qd", "qdd"), x, strict=True)), (len(reference),)), reference)
    counted = [[tally.number(e) for e in row] for row in x.tolist()]
    close([float(e) for e in flat(arm.with_numbers(tally.number), *counted)], reference)


@given(robots(Features(bodies=3)), MODELS, SEEDS)
def test_symbols(robot, motors, seed):
    arm = built(robot, motors)
    x = states(robot, seed, 1)[:, 0]
    names = [symbols(stem, robot.n) for stem in ("q", "v", "a")]
    values = dict(zip([s for row in names for s in row], x.ravel().tolist(), strict=True))
    found = flat(arm.with_numbers(number), *names)
    close([float(symengine.sympify(e).subs(values)) for e in found], flat(arm, *x.tolist()))


def operations(function, rows):
    """What a function of a state costs as written, on lola15."""
    tally = Tally()
    arm = tree(ad.load("lola15"), "none").with_numbers(tally.number)
    function(arm, *([tally.number(0.1 * k + 0.1) for k in range(6)] for _ in range(rows)))
    return tally.multiplications + tally.additions


def test_one_pass_costs_less_than_many():
    """Less than Newton-Euler n + 1 times; and where rates and weight are none, they cost nothing."""
    one_pass = operations(mass_matrix_and_bias, 2)
    assert one_pass < 7 * operations(newton_euler.inverse_dynamics, 3)
    assert operations(mass_matrix, 1) < 0.7 * one_pass


# Definitions ----------------------------------------------------------------------------------


def carried(arm, i):
    """Link i and all that it carries."""
    found = {i}
    for j, link in enumerate(arm.links):
        if link.parent in found:
            found.add(j)
    return sorted(found)


def joint_positions(arm):
    """Position in q of every joint of the tree."""
    return {i: link.coordinate.weights[0][0] for i, link in enumerate(arm.links) if link.coordinate.weights}


def origins(arm, q):
    return [np.array(T.translation, float) for T in poses(placed(arm, q))]


def cross(a: Any, b: Any) -> Any:
    return np.cross(np.array(a, float), np.array(b, float))


def total(terms: Iterable[Any]) -> Any:
    return sum((np.array(term, float) for term in terms), np.zeros(3))


@given(robots(FREE), SEEDS)
def test_forces_of_what_is_carried(robot, seed):
    """E_i = sum e_j + f_e (23), E_ik = sum e_jk (25) over the links j that i carries."""
    arm = tree(robot, "none", lump=False)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    found = vectors(arm, q, qd, contact=Contact(WRENCH, arm.tool))
    for i, load in enumerate(found.loads):
        inside = carried(arm, i)
        pressing = WRENCH.force if arm.tool[0] in inside else (0, 0, 0)
        close(load.E_i, total([*(found.forces.links[j].e_i for j in inside), pressing]))
        for k, E_ik in load.E_ik.items():
            close(E_ik, total(found.forces.links[j].e_ik[k] for j in inside))


@given(robots(FREE), SEEDS)
def test_moments_of_what_is_carried(robot, seed):
    """n'_ic (22), (23), (28), with the contact of (10) and (11)."""
    arm = tree(robot, "none", lump=False)
    q, qd, _ = states(robot, seed, 1)[:, 0].tolist()
    found, o = vectors(arm, q, qd, contact=Contact(WRENCH, arm.tool)), origins(arm, q)
    tool, T_link_point = arm.tool
    for i, load in enumerate(found.loads):
        inside = carried(arm, i)
        own = (found.forces.links[j] for j in inside)
        n = total(force.d_i + cross(force.l_i, force.e_i) for force in own)
        n += total(cross(o[j] - o[arm.links[j].parent], found.loads[j].E_i) for j in inside if j != i)
        if tool in inside:
            p_e = np.array(poses(placed(arm, q))[tool].rotation, float) @ T_link_point.translation
            n += WRENCH.moment + cross(p_e, WRENCH.force)
        close(load.n_ic, n)


@given(robots(FREE), SEEDS)
def test_moments_for_unit_accelerations(robot, seed):
    """n'_ia1 (24), (29), n'_ia2 (25), (30) and n'_ia3 (26), (31), joint by joint."""
    arm = tree(robot, "none", lump=False)
    q = states(robot, seed, 1)[0, 0].tolist()
    found, o = vectors(arm, q), origins(arm, q)
    for i in range(len(arm.links)):
        inside = carried(arm, i)
        first, second, third = found.columns(i)
        for k in first:
            moved = [j for j in inside if k in found.forces.links[j].e_ik]
            own = ((found.forces.links[j], found.forces.links[j].e_ik[k]) for j in moved)
            close(first[k], total(force.d_ik[k] + cross(force.l_i, e) for force, e in own))
            steps = ((o[j] - o[arm.links[j].parent], found.loads[j].E_ik[k]) for j in moved if j != i)
            close(second[k], total(cross(step, E_jk) for step, E_jk in steps))
            beyond = k in inside and k != i
            reach = o[arm.links[k].parent] - o[i] if beyond else np.zeros(3)
            close(third[k], cross(reach, found.loads[k].E_ik[k]))
        assert set(first) == {k for k in joint_positions(arm) if k in inside or k in found.loads[i].E_ik}


@given(robots(FREE), SEEDS)
def test_forces_between_links(robot, seed):
    """f_i (20) and n_i = n'_ic + (n'_ia1 + n'_ia2 + n'_ia3) qdd (27) as Newton-Euler has them."""
    arm = tree(robot, "none", lump=False)
    q, qd, qdd = states(robot, seed, 1)[:, 0].tolist()
    contact = Contact(WRENCH, arm.tool)
    found, at = vectors(arm, q, qd, contact=contact), joint_positions(arm)
    reference = newton_euler.inverse_dynamics(arm, q, qd, qdd, contact=contact).links
    for i, (load, wrench) in enumerate(zip(found.loads, reference, strict=True)):
        R = np.array(found.forces.joints[i].rotation, float)
        f = total(np.array(E_ik) * qdd[at[k]] for k, E_ik in found.force_columns(i).items())
        n = total(np.array(v) * qdd[at[k]] for part in found.columns(i) for k, v in part.items())
        close(f + load.E_i, R @ wrench.force)
        close(n + load.n_ic, R @ wrench.moment)


@given(robots(FREE), SEEDS)
def test_whole_rows_of_the_mass_matrix(robot, seed):
    """(35) is the whole row i, z_i . (n'_ia1 + n'_ia2 + n'_ia3) or z_i . E_i where the joint slides."""
    arm = tree(robot, "none", lump=False)
    q = states(robot, seed, 1)[0, 0].tolist()
    found, at = vectors(arm, q), joint_positions(arm)
    H = np.zeros((robot.n, robot.n))
    for i in at:
        assert set(found.row(i)) == {k for k in at if k in carried(arm, i) or i in carried(arm, k)}
        for k, h in found.row(i).items():
            H[at[i], at[k]] = h
    close(H, composite_body.mass_matrix(arm, q))


@given(robots(FREE), SEEDS)
def test_both_halves_of_the_mass_matrix_over_the_joints(robot, seed):
    """`mass` mirrors the half for which no n'_ia3 is needed; each row is that of (35)."""
    arm = tree(robot, "none", lump=False)
    found = vectors(arm, states(robot, seed, 1)[0, 0].tolist())
    rows = [[found.row(i).get(k, 0) for k in range(len(arm.links))] for i in range(len(arm.links))]
    close(found.mass(), rows)


def test_forces_along_a_slide_beyond_other_slides():
    """Two slides, one across the other and carrying it: what each takes is its load's mass, H is diagonal."""
    across = Joint("y", "prismatic", (0, 1, 0), Transform(translation=(0.3, 0.2, 0.1)))
    bodies = (
        Body("long", Joint("x", "prismatic", (1, 0, 0)), inertia=Inertia(3.0)),
        Body("cross", across, "long", Inertia(2.0, (0.1, 0.4, 0.2))),
    )
    found = vectors(tree(Robot("table", bodies), "none"), [0.5, 0.7])
    close(found.force_columns(0)[1], (0, 2, 0))
    close(found.mass(), [[5, 0], [0, 2]])
    close([[found.row(i)[k] for k in (0, 1)] for i in (0, 1)], [[5, 0], [0, 2]])


def test_base_that_moves_comes_first():
    """Six joints before the robot's, which carry its prescribed acceleration into u' but no row of H."""
    robot = ad.load("planar2")
    arm = tree(robot, "none")
    driven = replace(arm, base=BaseState((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), (4.0, 5.0, 6.0), (0.4, 0.5, 0.6)))
    q, qd = [0.3, -0.8], [1.0, -2.0]
    assert len(vectors(driven, q, qd).links) == len(vectors(arm, q, qd).links) + 6
    H, bias = mass_matrix_and_bias(driven, q, qd)
    close(H, mass_matrix(arm, q))
    close(bias, newton_euler.inverse_dynamics(driven, q, qd, None).torque)


# The toy model [Kvrgic2020] App. E -------------------------------------------------------------


def toy():
    """The trainer's posture and vectors; the document prints no numbers, these are the catalog's."""
    arm, q = tree(ad.load("sdt4"), "none"), [0.4, -0.9, 0.7, 1.2]
    return q, vectors(arm, q, [0.5, -0.3, 0.8, 0.6])


def test_axes_of_the_toy_model():
    """p1* = a1 (c1, s1, 0), p2* = (0, 0, d2), p3* = p4* = 0 and z0 to z3 of (E13)."""
    q, found = toy()
    c12, s12, c3, s3 = math.cos(q[0] + q[1]), math.sin(q[0] + q[1]), math.cos(q[2]), math.sin(q[2])
    axes = [joint.axis for joint in found.forces.joints]
    close(axes, [(0, 0, 1), (0, 0, 1), (s12, -c12, 0), (c12 * c3, s12 * c3, s3)])
    steps = [joint.step for joint in found.forces.joints]
    close(steps[1:], [(2.5 * math.cos(q[0]), 2.5 * math.sin(q[0]), 0), (0, 0, 0.9), (0, 0, 0)])


def test_vectors_of_the_toy_model():
    """(E.1)-(E.12), with e_41 in E_21 and e_42 in E_22 where (E.11) leaves them out."""
    _, found = toy()
    force, load = dict(enumerate(found.forces.links, 1)), dict(enumerate(found.loads, 1))
    columns = {i: [{k + 1: v for k, v in part.items()} for part in found.columns(i - 1)] for i in force}
    e = {(i, k + 1): np.array(v, float) for i, f in force.items() for k, v in f.e_ik.items()}
    d = {(i, k + 1): np.array(v, float) for i, f in force.items() for k, v in f.d_ik.items()}
    l_i = {i: np.array(f.l_i, float) for i, f in force.items()}
    p1, p2 = (np.array(found.forces.joints[i].step, float) for i in (1, 2))

    own = {i: f.d_i + cross(l_i[i], f.e_i) for i, f in force.items()}
    E3 = total((force[3].e_i, force[4].e_i))
    E2 = total((E3, force[2].e_i))
    n_c = {4: own[4], 3: own[3], 2: own[2] + cross(p2, E3), 1: own[1] + cross(p1, E2)}  # (E.1)
    for i in (4, 3, 2, 1):
        close(load[i].n_ic, total(n_c[j] for j in range(i, 5)))  # (28), with primes

    for i in (4, 3, 2, 1):  # (E.2)-(E.7)
        for k in (1, 2, 3, 4):
            inside = range(max(i, k), 5)
            close(columns[i][0][k], total(d[j, k] + cross(l_i[j], e[j, k]) for j in inside))

    E = {(3, k): e[3, k] + e[4, k] for k in (1, 2, 3)} | {(4, 4): e[4, 4]}  # (E.11)
    E |= {(2, k): e[2, k] + e[3, k] + e[4, k] for k in (1, 2)}
    zero, x = np.zeros(3), cross
    at_2 = [x(p2, E[3, 1]), x(p2, E[3, 2]), x(p2, E[3, 3])]
    second = {4: [zero] * 4, 3: [zero] * 4, 2: [*at_2, zero]}  # (E.8), (E.9)
    second[1] = [x(p1, E[2, 1]) + at_2[0], x(p1, E[2, 2]) + at_2[1], at_2[2], zero]  # (E.10)
    third = {4: [zero] * 4, 3: [zero] * 4, 2: [zero] * 3 + [x(p2, E[4, 4])]}  # (E.12)
    third[1] = [zero, zero, x(p1, E[3, 3]), x(p1 + p2, E[4, 4])]
    for i in (4, 3, 2, 1):
        close([columns[i][1][k] for k in (1, 2, 3, 4)], second[i])
        close([columns[i][2][k] for k in (1, 2, 3, 4)], third[i])
    for k in (1, 2):
        close(load[2].E_ik[k - 1], E[2, k])
        assert np.abs(e[4, k]).max() > 1, "so (E.11) as printed, e_3k + e_2k, is something else"


@pytest.fixture(scope="module")
def ride():
    """The comparison that the figure of the documentation shows."""
    path = ROOT / "docs" / "generators" / "mrnea_toy.py"
    spec = importlib.util.spec_from_file_location("mrnea_toy", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["mrnea_toy"] = module  # dataclasses look for it there
    spec.loader.exec_module(module)
    yield module.compared(31)
    del sys.modules["mrnea_toy"]


def test_torques_of_the_toy_model(ride):
    """Fig. E2 (a): RNEA and mRNEA give the same torques."""
    peak = np.abs(ride.torque).max(axis=0)
    assert (peak > 500).all()
    assert np.abs(ride.torque_mrnea - ride.torque).max(axis=0) == pytest.approx(0, abs=1e-13 * peak.max())


def test_accelerations_of_the_toy_model(ride):
    """Fig. E2 (b): (34) gives the accelerations back from the torques."""
    assert ride.recovered == pytest.approx(ride.acceleration, abs=1e-13)
    limits = [body.joint.limits.acceleration for body in ad.load("sdt4").bodies]
    assert (np.abs(ride.acceleration) <= limits).all()
