"""Newton-Euler in base axes: equal to that in link axes, to Pinocchio, and to Table 1 as it is printed."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.formats.dh import dh_joint
from armdyn.mechanics import newton_euler, newton_euler_base
from armdyn.mechanics.kinematics import poses
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.placed import placed
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.common_normals import on_common_normals
from armdyn.mechanics.tree.reduction import for_inertia, for_motion, reduced
from armdyn.robot import BASE, Body, Robot
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Wrench
from pinocchio_model import ProjectedTree
from random_robots import Features, random_inertia, robots, states

# Two recursions in double precision, and the scale of the larger numbers in them.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
SEEDS = st.integers(0, 10_000)
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))


def built(robot, motors, lump=True):
    return tree(robot, motors if robot.drives else "none", lump=lump)


def close(ours, reference):
    ours, reference = np.array(ours, float), np.array(reference, float)
    scale = max(1.0, float(np.abs(reference).max(initial=0.0)))
    assert ours == pytest.approx(reference, rel=RELATIVE, abs=RELATIVE * scale)


def touching(arm, q, qd, qdd):
    """What joints and drives take under a contact at the tool."""
    loads = newton_euler_base.inverse_dynamics(arm, q, qd, qdd, contact=Contact(WRENCH, arm.tool))
    return [*loads.joint, *loads.drive]


# Agreement ------------------------------------------------------------------------------------


@given(robots(), MODELS, SEEDS, st.booleans())
def test_torques_and_forces_equal_those_in_link_axes(robot, motors, seed, lump):
    """Trees, sliding, fixed and coupled joints, rotors, spins, payload, contact, a moving base."""
    arm = built(robot, motors, lump)
    contact = Contact(WRENCH, arm.tool)
    for q, qd, qdd in np.swapaxes(states(robot, seed), 0, 1).tolist():
        ours = newton_euler_base.inverse_dynamics(arm, q, qd, qdd, contact=contact)
        theirs = newton_euler.inverse_dynamics(arm, q, qd, qdd, contact=contact)
        close(ours.joint, theirs.joint)
        close(ours.drive, theirs.drive)
        in_base = zip(theirs.links, poses(placed(arm, q)), strict=True)
        close(flat(ours.links), flat(wrench.seen_from(T.rotation) for wrench, T in in_base))


def flat(wrenches):
    return [[*wrench.force, *wrench.moment] for wrench in wrenches]


@given(robots(), SEEDS)
def test_what_is_not_given_is_at_rest_and_gravity_can_be_given(robot, seed):
    arm, q = built(robot, "none"), states(robot, seed, 1)[0, 0].tolist()
    zero = [0.0] * robot.n
    ours = newton_euler_base.inverse_dynamics(arm, q, None, None)
    close(ours.torque, newton_euler.inverse_dynamics(arm, q, zero, zero).torque)
    ours = newton_euler_base.inverse_dynamics(arm, q, None, None, gravity=(1.0, 2.0, 3.0))
    close(
        ours.torque,
        newton_euler.inverse_dynamics(replace(arm, gravity=(1.0, 2.0, 3.0)), q, None, None).torque,
    )


@given(robots(Features(drives=False)), SEEDS)
def test_links_agree_with_pinocchio(robot, seed):
    oracle, arm = ProjectedTree(robot, rotors=False), tree(robot, "none")
    for x in np.swapaxes(states(robot, seed), 0, 1):
        close(newton_euler_base.inverse_dynamics(arm, *x.tolist()).torque, oracle.inverse(*x))


@given(robots(Features(bodies=4)).filter(lambda r: r.drives), SEEDS)
def test_rotors_agree_with_pinocchio(robot, seed):
    oracle, arm = ProjectedTree(robot, rotors=True), tree(robot, "exact")
    for x in np.swapaxes(states(robot, seed), 0, 1):
        close(newton_euler_base.inverse_dynamics(arm, *x.tolist()).torque, oracle.inverse(*x))


@pytest.mark.parametrize("lighter", [on_common_normals, reduced, for_motion, for_inertia])
@given(robots(Features(bodies=4)), MODELS, SEEDS)
def test_lighter_trees_take_the_same_torques(lighter, robot, motors, seed):
    """Base parameters leave first moments without a mass; axes may stay while a link turns."""
    arm, x = built(robot, motors), states(robot, seed, 1)[:, 0].tolist()
    light = lighter(arm, **({"closed": False} if lighter in (for_motion, for_inertia) else {}))
    close(touching(light, *x), touching(arm, *x))


# Scalars --------------------------------------------------------------------------------------


@given(robots(), MODELS, SEEDS)
def test_counted_numbers_and_graphs_give_the_same(robot, motors, seed):
    arm, x = built(robot, motors), states(robot, seed, 1)[:, 0]
    reference = touching(arm, *x.tolist())
    tally, graph = Tally(), Graph()
    counted = touching(
        arm.with_numbers(tally.number), *([tally.number(e) for e in row] for row in x.tolist())
    )
    close([float(e) for e in counted], reference)
    names = ("q", "qd", "qdd")
    traced = program(touching(arm, *(graph.inputs(name, robot.n) for name in names)))
    close(run_batch(traced, dict(zip(names, x, strict=True)), (2 * robot.n,)), reference)


@given(robots(Features(bodies=3)), MODELS, SEEDS)
def test_symbols_give_the_same(robot, motors, seed):
    arm, x = built(robot, motors), states(robot, seed, 1)[:, 0].tolist()
    names = [symbols(stem, robot.n) for stem in ("q", "v", "a")]
    values = {s: v for row, numbers in zip(names, x, strict=True) for s, v in zip(row, numbers, strict=True)}
    ours = touching(arm.with_numbers(number), *names)
    close([float(symengine.sympify(e).subs(values)) for e in ours], touching(arm, *x))


# Table 1 --------------------------------------------------------------------------------------


def dh_chain(kinds, rng):
    """A chain by standard DH rows, and the rows."""
    rows, bodies = [], []
    for k, kind in enumerate(kinds):
        row = dict(zip(("theta", "d", "a", "alpha"), rng.uniform(-1.5, 1.5, 4).tolist(), strict=True))
        rows.append((kind, row))
        joint = dh_joint(f"j{k}", kind, "standard", **row)
        bodies.append(Body(f"b{k}", joint, f"b{k - 1}" if k else BASE, random_inertia(rng)))
    return Robot("dh", tuple(bodies), gravity=tuple(rng.uniform(-10, 10, 3).tolist())), rows


def dh_frame(theta, d, a, alpha):
    """(2.1)."""
    (c, s), (ca, sa) = ((np.cos(x), np.sin(x)) for x in (theta, alpha))
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def table_1(robot, rows, q, qd, qdd):
    """[Milicevic2007] Table 1 word for word, with vdot_0 = -g: tau, f and n."""
    n = len(rows)
    T = [np.eye(4)]
    for (kind, row), x in zip(rows, q, strict=True):
        variable = "theta" if kind == "revolute" else "d"
        T.append(T[-1] @ dh_frame(**{**row, variable: row[variable] + x}))
    z = [frame[:3, 2] for frame in T]
    p = [None, *(T[i][:3, 3] - T[i - 1][:3, 3] for i in range(1, n + 1))]
    bodies = [None, *(body.inertia for body in robot.bodies)]
    s = [None, *(T[i][:3, :3] @ np.array(bodies[i].com) for i in range(1, n + 1))]
    inertia = [None, *(T[i][:3, :3] @ np.array(bodies[i].tensor) @ T[i][:3, :3].T for i in range(1, n + 1))]
    still: Any = np.zeros(3)
    w, wd, vd, a = [still], [still], [still - robot.gravity], [still]
    for i in range(1, n + 1):
        along, gained = z[i - 1] * qd[i - 1], z[i - 1] * qdd[i - 1]
        if rows[i - 1][0] == "revolute":
            w.append(w[i - 1] + along)
            wd.append(wd[i - 1] + gained + np.cross(w[i - 1], along))
            own = np.zeros(3)
        else:
            w.append(w[i - 1])
            wd.append(wd[i - 1])
            own = gained + 2 * np.cross(w[i], along)
        vd.append(own + np.cross(wd[i], p[i]) + np.cross(w[i], np.cross(w[i], p[i])) + vd[i - 1])
        a.append(np.cross(wd[i], s[i]) + np.cross(w[i], np.cross(w[i], s[i])) + vd[i])
    f, moment = np.zeros((n + 2, 3)), np.zeros((n + 2, 3))
    tau = np.zeros(n)
    for i in range(n, 0, -1):
        F = bodies[i].mass * a[i]
        M = inertia[i] @ wd[i] + np.cross(w[i], inertia[i] @ w[i])
        f[i] = F + f[i + 1]
        moment[i] = moment[i + 1] + np.cross(p[i], f[i + 1]) + np.cross(p[i] + s[i], F) + M
        tau[i - 1] = (moment if rows[i - 1][0] == "revolute" else f)[i] @ z[i - 1]
    return tau, f[1:-1], moment[1:-1]


@given(st.lists(st.sampled_from(["revolute", "prismatic"]), min_size=1, max_size=6), SEEDS)
def test_table_1_as_printed(kinds, seed):
    """Its frames stand at the far ends of the links, its inertias are about centres of mass."""
    robot, rows = dh_chain(kinds, np.random.default_rng(seed))
    x = states(robot, seed, 1)[:, 0].tolist()
    loads = newton_euler_base.inverse_dynamics(tree(robot, "none"), *x)
    tau, f, moment = table_1(robot, rows, *x)
    close(loads.torque, tau)
    close([wrench.force for wrench in loads.links], f)
    for i, kind in enumerate(kinds):
        if kind == "revolute":  # a sliding link's origin slides along, the print's stays
            close(loads.links[i].moment, moment[i])


def test_operations_grow_by_the_same_number_with_every_joint():
    rng, counts = np.random.default_rng(7), []
    for n in range(2, 7):
        robot, _ = dh_chain(["revolute"] * n, rng)
        tally = Tally()
        x = [[tally.number(0.3) for _ in range(n)] for _ in range(3)]
        newton_euler_base.inverse_dynamics(tree(robot, "none").with_numbers(tally.number), *x)
        counts.append((tally.multiplications, tally.additions, tally.divisions))
    assert len({tuple(step) for step in np.diff(counts, axis=0).tolist()}) == 1
    assert counts[-1][2] == 0
