"""Articulated bodies beside composite bodies with a solved system, and beside Pinocchio's own algorithm."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from armdyn.mechanics import composite_body, newton_euler
from armdyn.mechanics.articulated_body import forward_dynamics
from armdyn.mechanics.linear_system import solve
from armdyn.mechanics.loads import Contact
from armdyn.mechanics.tree import tree
from armdyn.mechanics.tree.links import Tree
from armdyn.mechanics.tree.moving_base import with_driven_base
from armdyn.mechanics.tree.reduction import for_inertia
from armdyn.robot import BASE, Body, Coupling, Drive, Joint, Robot, Rotor
from armdyn.scalars import Graph, Tally, program
from armdyn.scalars.batch import run_batch
from armdyn.scalars.symbolic import number, symbols, symengine
from armdyn.spatial import Inertia, Transform, Wrench
from armdyn.spatial.vector import ZERO
from pinocchio_model import ProjectedTree, pin
from random_robots import Features, random_inertia, robots, states

# Two eliminations of the same system in double precision, in another order.
RELATIVE = 1e-10

MODELS = st.sampled_from(["exact", "augmented", "coupled", "reflected", "none"])
WRENCH = Wrench((30.0, -20.0, 10.0), (-4.0, 5.0, 6.0))
CHAINS = Features(branched=False, fixed=False, coupled=False, drives=False, moving_base=False)
seeds = st.integers(0, 10_000)


def close(ours: Any, reference: Any) -> None:
    scale = max(1.0, float(np.abs(reference).max()))
    np.testing.assert_allclose(np.array(ours, float), reference, rtol=0, atol=RELATIVE * scale)


def built(robot: Robot, motors: Any, lump: bool = True) -> Tree:
    return tree(robot, motors if robot.drives else "none", lump=lump)


def solved(of: Tree, q: list[float], qd: list[float], tau: list[float], **given: Any) -> list[float]:
    """H qdd = tau - bias, with other formulations."""
    bias = newton_euler.inverse_dynamics(of, q, qd, None, **given).torque
    return solve(composite_body.mass_matrix(of, q), [t - b for t, b in zip(tau, bias, strict=True)])


def state(robot: Robot, seed: int) -> list[list[float]]:
    """q, qd, tau."""
    return states(robot, seed, 1)[:, 0].tolist()


# Agreement ------------------------------------------------------------------------------------


@given(robots(), MODELS, seeds, st.booleans())
def test_agrees_with_composite_bodies(robot, motors, seed, lump):
    """Branches, fixed links, couplings, rotors, spins, payload, contact, moving base."""
    of = built(robot, motors, lump)
    q, qd, tau = state(robot, seed)
    contact = Contact(WRENCH, of.tool)
    close(forward_dynamics(of, q, qd, tau, contact=contact), solved(of, q, qd, tau, contact=contact))


@given(robots(), MODELS, seeds)
def test_agrees_at_rest_and_under_another_gravity(robot, motors, seed):
    of = built(robot, motors)
    q, _, tau = state(robot, seed)
    for gravity in (ZERO, (1.0, -2.0, 3.0)):
        reference = solved(of, q, [0.0] * robot.n, tau, gravity=gravity)
        close(forward_dynamics(of, q, None, tau, gravity=gravity), reference)


@given(robots(), MODELS, seeds)
def test_a_driven_base_moves_the_same(robot, motors, seed):
    """Its joints are prescribed: they are no coordinates and are never eliminated."""
    of = built(robot, motors)
    q, qd, tau = state(robot, seed)
    standing, contact = with_driven_base(of, Contact(WRENCH, of.tool))
    reference = forward_dynamics(of, q, qd, tau, contact=Contact(WRENCH, of.tool))
    close(forward_dynamics(standing, q, qd, tau, contact=contact), reference)


@given(robots(), MODELS, seeds)
def test_lighter_trees_move_the_same(robot, motors, seed):
    """Common normals, base parameters, axes that stay while their link turns."""
    of = built(robot, motors)
    q, qd, tau = state(robot, seed)
    light = for_inertia(of, closed=False)
    contact, reference = Contact(WRENCH, light.tool), Contact(WRENCH, of.tool)
    close(forward_dynamics(light, q, qd, tau, contact=contact), solved(of, q, qd, tau, contact=reference))


# Pinocchio ------------------------------------------------------------------------------------


def pinocchio_accelerations(robot: Robot, q: Any, qd: Any, tau: Any) -> np.ndarray:
    """Pinocchio's articulated bodies, its floating base left away."""
    floating = ProjectedTree(robot, rotors=False)
    full, model = floating.model, pin.Model()
    model.gravity.linear = full.gravity.linear
    for i in range(2, full.njoints):
        joint = model.addJoint(full.parents[i] - 1, full.joints[i], full.jointPlacements[i], full.names[i])
        model.appendBodyToJoint(joint, full.inertias[i], pin.SE3.Identity())
    theta = floating.full_motion(q, qd, np.zeros(robot.n))[0][7:]  # offsets included
    return pin.aba(model, model.createData(), theta, qd, tau)


@given(robots(CHAINS), seeds)
def test_chains_agree_with_pinocchio(robot, seed):
    q, qd, tau = states(robot, seed, 1)[:, 0]
    ours = forward_dynamics(tree(robot, "none"), q.tolist(), qd.tolist(), tau.tolist())
    close(ours, pinocchio_accelerations(robot, q, qd, tau))


def chain(n: int, rotors: bool = False, prismatic: bool = True) -> Robot:
    """Link after link, every fourth one sliding, on request each driven by a rotor on the one before it."""
    rng = np.random.default_rng(n)
    bodies: list[Body] = []
    drives: list[Drive] = []
    for k in range(n):
        place = Transform(translation=(0.1, -0.2, 0.3))
        axis = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))[k % 3]
        kind = "prismatic" if prismatic and k % 4 == 3 else "revolute"
        before = f"b{k - 1}" if k else BASE
        bodies.append(Body(f"b{k}", Joint(f"j{k}", kind, axis, place), before, random_inertia(rng)))
        rotor = Rotor(0.002, 0.001, 0.3, before, Transform(translation=(0.0, 0.1, 0.0)))
        drives.append(Drive(f"m{k}", f"j{k}", Coupling.of({f"j{k}": 50.0}), rotor))
    return Robot("chain", tuple(bodies), tuple(drives) if rotors else ())


@pytest.mark.parametrize("n", [1, 12, 30])
def test_a_long_chain_agrees_with_pinocchio(n):
    robot = chain(n)
    q, qd, tau = np.random.default_rng(7).uniform(-1, 1, (3, n))
    ours = forward_dynamics(tree(robot, "none"), q.tolist(), qd.tolist(), tau.tolist())
    close(ours, pinocchio_accelerations(robot, q, qd, tau))


# Cost -----------------------------------------------------------------------------------------


def operations(robot: Robot, motors: Any) -> int:
    """Multiplications, divisions and additions as written."""
    tally = Tally()
    x = [tally.number(0.1 * k + 0.3) for k in range(robot.n)]
    forward_dynamics(tree(robot, motors).with_numbers(tally.number), x, x, x)
    return tally.multiplications + tally.divisions + tally.additions


@pytest.mark.parametrize("motors", ["none", "exact", "augmented", "coupled", "reflected"])
def test_every_further_joint_costs_the_same(motors):
    """Order n, also where rotors on the links before share the joints' coordinates."""
    counts = [operations(chain(n, motors != "none", prismatic=False), motors) for n in (6, 9, 12, 15)]
    assert len(set(np.diff(counts).tolist())) == 1


def test_fewer_operations_than_featherstones_of_1983():
    """[Kvrgic2020] Table 2: 2190 multiplications, 1915 additions for six joints."""
    tally = Tally()
    x = [tally.number(0.1 * k + 0.3) for k in range(6)]
    forward_dynamics(tree(chain(6, prismatic=False), "none").with_numbers(tally.number), x, x, x)
    assert tally.multiplications + tally.divisions < 2190
    assert tally.additions < 1915


# Scalars --------------------------------------------------------------------------------------


@given(robots(), MODELS, seeds)
def test_nodes_and_counted_numbers_agree_with_floats(robot, motors, seed):
    of = built(robot, motors)
    contact = Contact(WRENCH, of.tool)
    x = states(robot, seed, 1)[:, 0]
    reference = forward_dynamics(of, *x.tolist(), contact=contact)
    graph, names = Graph(), ("q", "qd", "tau")
    q, qd, tau = (graph.inputs(name, robot.n) for name in names)
    traced = program(forward_dynamics(of, q, qd, tau, contact=contact))
    close(run_batch(traced, dict(zip(names, x, strict=True)), (robot.n,)), reference)
    tally = Tally()
    counted = [[tally.number(e) for e in row] for row in x.tolist()]
    ours = forward_dynamics(of.with_numbers(tally.number), *counted, contact=contact)
    close([float(e) for e in ours], reference)


@given(robots(Features(bodies=2, nonlinear=False, moving_base=False)), MODELS, seeds)
def test_symbols_agree_with_floats(robot, motors, seed):
    of = built(robot, motors)
    x = state(robot, seed)
    names = [symbols(stem, robot.n) for stem in ("q", "v", "t")]
    values = {s: v for row, at in zip(names, x, strict=True) for s, v in zip(row, at, strict=True)}
    ours = forward_dynamics(of.with_numbers(number), *names)
    close([float(symengine.sympify(e).subs(values)) for e in ours], forward_dynamics(of, *x))


# Special trees --------------------------------------------------------------------------------


def test_links_without_mass_carry_others():
    """The pivots are those of H, whatever the articulated inertia of a single link is."""
    massless = tuple(
        replace(body, inertia=Inertia()) if k in (0, 2) else body for k, body in enumerate(chain(5).bodies)
    )
    of = tree(Robot("hollow", massless), "none")
    q, qd, tau = np.random.default_rng(3).uniform(-1, 1, (3, 5)).tolist()
    close(forward_dynamics(of, q, qd, tau), solved(of, q, qd, tau))


def test_one_coordinate_may_move_every_joint():
    """Everything stays open to the base: composite bodies."""
    first, *others = chain(4).bodies
    follow = [replace(b, joint=replace(b.joint, coupling=Coupling.of({"j0": 0.5}, 0.1))) for b in others]
    of = tree(Robot("snake", (first, *follow)), "none")
    close(forward_dynamics(of, [0.4], [-0.7], [2.0]), solved(of, [0.4], [-0.7], [2.0]))


def test_a_singular_arm_has_no_finite_acceleration():
    """A point mass on its own axis: like the solved system, no exception."""
    body = Body("b", Joint("j"), BASE, Inertia(1.0))
    (qdd,) = forward_dynamics(tree(Robot("point", (body,)), "none"), [0.0], [0.0], [1.0])
    assert not np.isfinite(qdd)
